"""Pictures in notebooks of things that know no drawing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class Pictured:
    """Something that a notebook shows as a picture.

    Attributes:
        draw_svg: makes SVG of an instance; set by `gonzaga_env.render.draw`, None without it.
    """

    draw_svg: ClassVar[Callable[[Any], str] | None] = None

    def _repr_svg_(self) -> str | None:
        draw_svg = Pictured.draw_svg
        return None if draw_svg is None else draw_svg(self)
