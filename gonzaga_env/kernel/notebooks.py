"""Pictures of editions and engines in notebooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar


class SvgReprMixin:
    """Something that a notebook shows as a picture.

    Attributes:
        draw_svg: makes SVG of an instance; set by `gonzaga_env.render.draw`, None without it.
    """

    draw_svg: ClassVar[Callable[[SvgReprMixin], str] | None] = None

    def _repr_svg_(self) -> str | None:
        draw_svg = SvgReprMixin.draw_svg
        return None if draw_svg is None else draw_svg(self)
