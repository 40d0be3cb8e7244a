"""Draws opaque shapes with Pillow: lines, dashes, circles and texts.

It uses no fonts of the operating system. Matplotlib brings DejaVu Serif in four styles. Without
Matplotlib, Pillow's own font is used, which has one style and no accents; bold text is then drawn
with thicker strokes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from gonzaga_env.render.shapes import Circle, Label, Line, Paint, Point, Polygon

OPAQUE = 255
_ANCHORS = {"middle": "ms", "start": "ls", "end": "rs"}
_STYLES = {
    (False, False): "DejaVuSerif.ttf",
    (True, False): "DejaVuSerif-Bold.ttf",
    (False, True): "DejaVuSerif-Italic.ttf",
    (True, True): "DejaVuSerif-BoldItalic.ttf",
}


@dataclass(frozen=True)
class Pen:
    """Draws opaque shapes in one colour each, or in one value on a mask."""

    on: ImageDraw.ImageDraw  # what to draw on
    origin: tuple[int, int]  # the left upper corner in enlarged pixels
    scale: float  # enlarged pixels to a pixel of the scene
    ink: int | None = None  # the value on a mask; None for the shapes' own colours

    def draw(self, shape: Polygon | Line | Circle) -> None:
        """Draws a shape other than text."""
        paint = shape.paint
        match shape:
            case Polygon(points=points):
                if paint.fill:
                    self.on.polygon(self._points(points), fill=self._ink(paint.fill))
                self._stroke((*points, points[0], points[1]), paint)
            case Line(points=points):
                self._stroke(points, paint, caps=True)
            case Circle():
                self._circle(shape)

    def label(self, label: Label) -> None:
        """Draws a text that is not rotated."""
        size = max(1, round(label.size * self.scale))
        face = font(size, label.bold, label.italic)
        ((x, y),) = self._points((label.at,))
        edge = round(label.size / 8 * self.scale) if label.halo else 0
        letters = self._letters(label, x, face)
        if label.halo:
            for text, left, anchor in letters:
                self._text((left, y), text, face, anchor, label.halo, face.thickness + edge)
        for text, left, anchor in letters:
            self._text((left, y), text, face, anchor, label.color, face.thickness)

    def _letters(self, label: Label, x: float, face: Font) -> list[tuple[str, float, str]]:
        """Returns texts with their positions and anchors: one, or letters set apart."""
        if not label.spacing:
            return [(label.text, x, _ANCHORS[label.anchor])]
        gap = label.spacing * self.scale
        widths = [face.face.getlength(letter) + gap for letter in label.text]
        left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * sum(widths)
        placed = []
        for letter, width in zip(label.text, widths, strict=True):
            placed.append((letter, left, "ls"))
            left += width
        return placed

    def _text(
        self, at: Point, text: str, face: Font, anchor: str, color: str, thickness: int
    ) -> None:
        if not text:
            return
        mask, (dx, dy) = _text_mask(text, face, anchor, thickness)
        self.on.bitmap((round(at[0]) + dx, round(at[1]) + dy), mask, self._ink(color))

    def _circle(self, circle: Circle) -> None:
        paint, ((x, y),) = circle.paint, self._points((circle.center,))
        radius = circle.radius * self.scale
        if paint.fill:
            self.on.ellipse(_square(x, y, radius), fill=self._ink(paint.fill))
        if paint.stroke and paint.dash:
            outer, ink = _square(x, y, radius + self._width(paint) / 2), self._ink(paint.stroke)
            for start, stop in _arcs(circle.radius, paint.dash):
                self.on.arc(outer, start, stop, ink, self._width(paint))
        elif paint.stroke:
            width = self._width(paint)
            outer = _square(x, y, radius + width / 2)
            self.on.ellipse(outer, outline=self._ink(paint.stroke), width=width)

    def _stroke(self, points: tuple[Point, ...], paint: Paint, caps: bool = False) -> None:
        if not paint.stroke:
            return
        ink, width = self._ink(paint.stroke), self._width(paint)
        for part in _dashes(points, paint.dash) if paint.dash else (points,):
            line = self._points(part)
            self.on.line(line, ink, width, "curve" if len(line) > 2 else None)
            if caps and width > 2:
                for x, y in (line[0], line[-1]):
                    self.on.ellipse(_square(x, y, (width - 1) / 2), fill=ink)

    def _points(self, points: tuple[Point, ...]) -> list[Point]:
        left, top = self.origin
        return [(x * self.scale - left, y * self.scale - top) for x, y in points]

    def _width(self, paint: Paint) -> int:
        return max(1, round(paint.width * self.scale))

    def _ink(self, color: str) -> int | tuple[int, int, int, int]:
        return rgba(color) if self.ink is None else self.ink


@lru_cache(maxsize=1024)  # most texts of a picture come again in the next one
def _text_mask(
    text: str, face: Font, anchor: str, thickness: int
) -> tuple[Image.Image, tuple[int, int]]:
    """Returns the coverage of a text, and its left upper corner relative to the anchor point."""
    left, top, right, bottom = face.face.getbbox(text, anchor=anchor, stroke_width=thickness)
    left, top = math.floor(left), math.floor(top)
    mask = Image.new("L", (max(1, math.ceil(right) - left), max(1, math.ceil(bottom) - top)))
    ImageDraw.Draw(mask).text(
        (-left, -top), text, OPAQUE, face.face, anchor, stroke_width=thickness
    )
    return mask, (left, top)


def _square(x: float, y: float, radius: float) -> tuple[float, float, float, float]:
    return x - radius, y - radius, x + radius, y + radius


def rgba(color: str) -> tuple[int, int, int, int]:
    """Returns an opaque colour, such as "#33271f", as Pillow takes it."""
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue, OPAQUE


def _arcs(radius: float, dash: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    """Yields start and end of the dashes of a circle, in degrees clockwise from east."""
    angles, at, index = [math.degrees(length / radius) for length in dash], 0.0, 0
    while at < 360:
        step = angles[index % len(angles)]
        if index % 2 == 0:
            yield at, min(360.0, at + step)
        at, index = at + step, index + 1


def _dashes(points: tuple[Point, ...], dash: tuple[float, ...]) -> Iterator[tuple[Point, ...]]:
    """Yields the drawn parts of a dashed line."""
    index, left, part = 0, dash[0], [points[0]]
    for (x1, y1), (x2, y2) in pairwise(points):
        length, done = math.hypot(x2 - x1, y2 - y1), 0.0
        while length - done > left:
            done += left
            at = x1 + (x2 - x1) * done / length, y1 + (y2 - y1) * done / length
            if index % 2 == 0:
                yield (*part, at)
            index += 1
            left, part = dash[index % len(dash)], [at]
        left -= length - done
        part.append((x2, y2))
    if index % 2 == 0:
        yield tuple(part)


@dataclass(frozen=True)
class Font:
    """A font of one size."""

    face: ImageFont.FreeTypeFont  # Pillow's font
    thickness: int = 0  # pixels to thicken letters by, for a bold style that the face lacks


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
