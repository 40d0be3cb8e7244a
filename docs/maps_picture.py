"""Draws docs/img/maps.png, six generated maps: python docs/maps_picture.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import gonzaga_env

TARGET = Path(__file__).parent / "img" / "maps.png"
SEEDS = {"grow": (50, 52, 53, 51), "perturb": (50, 51)}
WIDTH, COLUMNS, COLOURS = 640, 2, 128  # of a map in pixels; of the picture


def picture() -> Image.Image:
    """Returns the maps side by side, in as few colours as still look right."""
    names = [f"generated:{style}-{seed}" for style, seeds in SEEDS.items() for seed in seeds]
    maps = [gonzaga_env.draw(gonzaga_env.load_edition(name)).to_array(WIDTH) for name in names]
    rows = [np.hstack(maps[i : i + COLUMNS]) for i in range(0, len(maps), COLUMNS)]
    return Image.fromarray(np.vstack(rows)).quantize(COLOURS)


if __name__ == "__main__":
    picture().save(TARGET, optimize=True)
    print(f"wrote {TARGET}")
