"""Converts scenes to pixels with Pillow, at any width.

A layer is drawn `_SAMPLES` times as large as needed, with premultiplied colours, and reduced to a
sprite, which smooths all edges. Sprites are kept for as long as their layers are, so the next
picture of a game draws what has changed and pastes the rest.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from gonzaga_env.render.pen import OPAQUE, Pen, rgba
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Line,
    Polygon,
    Scene,
    Shape,
    text_width,
)
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.errors import OptionError

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
    """Returns a scene as an array [height, width, 3], a new one each time.

    Args:
        scene: the scene.
        width: pixels; None for the scene's own width. The height follows; it is even, as video
            encoders ask.

    Raises:
        OptionError: the width is out of range.
    """
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
        """Draws a shape over those before it."""
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
        """Returns the sprite's pixels."""
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
