"""Converts scenes to pixels with Pillow, at any width.

A layer is drawn `_SAMPLES` times as large as needed, with premultiplied colours, and reduced to a
sprite, which smooths all edges. Sprites are kept for as long as their layers are, so the next
picture of a game draws what has changed and pastes the rest.

Draws opaque shapes with Pillow: lines, dashes, circles and texts.

It uses no fonts of the operating system. Matplotlib brings DejaVu Serif in four styles. Without
Matplotlib, Pillow's own font is used, which has one style and no accents; bold text is then drawn
with thicker strokes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Polygon,
    Scene,
    Shape,
    text_width,
)

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
    spec = find_spec("matplotlib")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    return folder if all((folder / name).is_file() for name in _STYLES.values()) else None


MIN_WIDTH, MAX_WIDTH = 100, 4000
_SAMPLES = 3  # per pixel and direction
_LEAST_TEXT = 3.5  # pixels; smaller texts are specks, so they are left out
_SIZES = 4  # for which the sprite of a layer is kept

Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True)
class _Sprite:
    """A layer in pixels, RGB if it is opaque, else RGBA, and where its left upper corner is."""

    image: Image.Image
    at: tuple[int, int]


#: Sprites of layers by scale.
_sprites: WeakKeyDictionary[Layer, dict[float, _Sprite | None]] = WeakKeyDictionary()


def to_array(scene: Scene, width: int | None = None) -> NDArray[np.uint8]:
    """Returns a scene as an array [height, width, 3] (see `Picture.to_array`)."""
    return np.array(_image(scene, width))


def to_png(scene: Scene, width: int | None = None) -> bytes:
    """Returns a scene as the content of a PNG file; arguments as for `to_array`."""
    file = io.BytesIO()
    _image(scene, width).save(file, "PNG")
    return file.getvalue()


def _image(scene: Scene, width: int | None) -> Image.Image:
    if width is None:
        width = min(round(scene.width), MAX_WIDTH)
    if not is_integer(width) or not MIN_WIDTH <= width <= MAX_WIDTH:
        raise OptionError(
            f"width is {width!r}; it takes an integer from {MIN_WIDTH} to {MAX_WIDTH}"
        )
    scale = width / scene.width
    size = int(width), max(2, 2 * int(scene.height * scale / 2))
    image = Image.new("RGB", size)
    for layer in scene.layers:
        sprite = _sprite(layer, scale, size)
        if sprite is not None:
            mask = sprite.image if sprite.image.mode == "RGBA" else None
            image.paste(sprite.image, sprite.at, mask)
    return image


def _sprite(layer: Layer, scale: float, size: tuple[int, int]) -> _Sprite | None:
    """Returns the sprite of a layer; None if nothing of it is on the page."""
    kept = _sprites.setdefault(layer, {})
    if scale not in kept:
        if len(kept) >= _SIZES:
            kept.pop(next(iter(kept)))
        kept[scale] = _draw_layer(layer, scale, size)
    return kept[scale]


def _draw_layer(layer: Layer, scale: float, size: tuple[int, int]) -> _Sprite | None:
    bounds = [_bounds(shape) for shape in layer.shapes]
    if not bounds:
        return None
    lefts, tops, rights, bottoms = zip(*bounds, strict=True)
    left, top = max(0, int(min(lefts) * scale) - 1), max(0, int(min(tops) * scale) - 1)
    right = min(size[0], int(max(rights) * scale) + 2)
    bottom = min(size[1], int(max(bottoms) * scale) + 2)
    if left >= right or top >= bottom:
        return None
    canvas = _Canvas((left, top, right, bottom), scale)
    for shape in layer.shapes:
        canvas.draw(shape)
    return _Sprite(canvas.reduced(), (left, top))


def _bounds(shape: Shape) -> tuple[float, float, float, float]:
    """Returns a box in the scene's pixels around a shape, generous around labels."""
    match shape:
        case Polygon() | Line():
            xs, ys = zip(*shape.points, strict=True)
            edge = shape.paint.width if shape.paint.stroke else 0.0
            return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge
        case Circle():
            (x, y), edge = shape.center, shape.radius + shape.paint.width
            return x - edge, y - edge, x + edge, y + edge
        case Label():
            (x, y), reach = shape.at, shape.size * 1.4
            length = 1.2 * text_width(shape.text, shape.size, shape.spacing)
            if shape.angle:
                return x - length, y - length, x + length, y + length
            before = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * length
            left = x - before
            return left - reach, y - reach, left + length + reach, y + reach


class _Canvas:
    """A part of a page, `_SAMPLES` times as large as its sprite.

    Colours are premultiplied: drawing over transparent black blends all four channels alike, which
    is then right at the edges of letters too. Pillow blends so in "RGBX" only, where the fourth
    channel means nothing to it.
    """

    def __init__(self, part: Box, scale: float) -> None:
        left, top, right, bottom = part
        self._scale = scale * _SAMPLES
        self._origin = left * _SAMPLES, top * _SAMPLES
        size = (right - left) * _SAMPLES, (bottom - top) * _SAMPLES
        self._image = Image.new("RGBX", size, (0, 0, 0, 0))
        self._pen = Pen(ImageDraw.Draw(self._image), self._origin, self._scale)

    def draw(self, shape: Shape) -> None:
        if isinstance(shape, Label):
            if shape.size * self._scale < _LEAST_TEXT * _SAMPLES:
                return
            if shape.angle or shape.opacity < 1:
                self._draw_turned(shape)
            else:
                self._pen.label(shape)
        elif shape.paint.opacity < 1:
            self._draw_through(shape)
        else:
            self._pen.draw(shape)

    def reduced(self) -> Image.Image:
        pixels = self._image.reduce(_SAMPLES)
        image = Image.frombytes("RGBa", pixels.size, pixels.tobytes()).convert("RGBA")
        opaque = image.getchannel("A").getextrema() == (OPAQUE, OPAQUE)
        return image.convert("RGB") if opaque else image

    def _draw_through(self, shape: Polygon | Line | Circle) -> None:
        """Draws a shape that is not opaque: first its inside, then its outline."""
        left, top, right, bottom = (value * self._scale for value in _bounds(shape))
        corner = math.floor(left) - 1, math.floor(top) - 1
        size = math.ceil(right) - corner[0] + 1, math.ceil(bottom) - corner[1] + 1
        at = corner[0] - self._origin[0], corner[1] - self._origin[1]
        paint = shape.paint
        for part in (replace(paint, stroke=None), replace(paint, fill=None)):
            color = part.fill or part.stroke
            if color:
                mask = Image.new("L", size)
                ink = round(OPAQUE * paint.opacity)
                Pen(ImageDraw.Draw(mask), corner, self._scale, ink).draw(replace(shape, paint=part))
                self._image.paste(rgba(color), at, mask)

    def _draw_turned(self, label: Label) -> None:
        """Draws a label that is rotated about its anchor, or not opaque."""
        length = 1.2 * text_width(label.text, label.size, label.spacing) + 2 * label.size
        reach = math.ceil(length * self._scale)
        at = [round(v * self._scale) - o for v, o in zip(label.at, self._origin, strict=True)]
        flat = replace(label, at=(0.0, 0.0))
        for part in (flat, replace(flat, halo=None)):
            color = part.halo or part.color
            mask = Image.new("L", (2 * reach, 2 * reach))
            pen = Pen(
                ImageDraw.Draw(mask), (-reach, -reach), self._scale, round(OPAQUE * label.opacity)
            )
            pen.label(part)
            mask = mask.rotate(-label.angle, Image.Resampling.BICUBIC)
            self._image.paste(rgba(color), (at[0] - reach, at[1] - reach), mask)
            if label.halo is None:
                return
