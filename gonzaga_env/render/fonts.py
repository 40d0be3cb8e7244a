"""The fonts of raster pictures, which need none of the machine's own.

Matplotlib brings DejaVu Serif in four styles. Where only Pillow is installed, its own font is used,
which has no accents and one style; bold is drawn with thicker strokes then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

_STYLES = {
    (False, False): "DejaVuSerif.ttf",
    (True, False): "DejaVuSerif-Bold.ttf",
    (False, True): "DejaVuSerif-Italic.ttf",
    (True, True): "DejaVuSerif-BoldItalic.ttf",
}


@dataclass(frozen=True)
class Font:
    """A font of one size.

    Attributes:
        face: Pillow's font.
        thickness: pixels to thicken letters by, for a bold style that the face lacks.
    """

    face: ImageFont.FreeTypeFont
    thickness: int = 0


@lru_cache(maxsize=256)
def font(size: int, bold: bool, italic: bool) -> Font:
    """Returns the font of a size in pixels and a style."""
    folder = _folder()
    if folder is not None:
        # Basic layout: quick, and no text needs ligatures or right-to-left writing.
        engine = ImageFont.Layout.BASIC
        path = str(folder / _STYLES[bold, italic])  # Pillow 10.1 takes no `Path`
        return Font(ImageFont.truetype(path, size, layout_engine=engine))
    face = ImageFont.load_default(size)
    assert isinstance(face, ImageFont.FreeTypeFont)  # it is with a size
    return Font(face, round(size / 36) if bold else 0)


@lru_cache(maxsize=1)
def _folder() -> Path | None:
    """Returns the folder of matplotlib's fonts, without importing matplotlib."""
    spec = find_spec("matplotlib")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    return folder if all((folder / name).is_file() for name in _STYLES.values()) else None
