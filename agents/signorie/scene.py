"""The scene of Signorie: careers, cities, helpers, assignments, dice, rows and columns of a board.

What is hired, advanced or sent lies on one place or more: a die, the helper that it hires and its
column; a slot of a career, a city and the row that its tile goes to.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig

from ..common.arrays import Indices
from ..network.agent import Practice
from ..network.geometry.scene import Plane, Scene, words_of


class _Places:
    """The first place of each kind, and how many there are in all."""

    def __init__(self, config: GameConfig) -> None:
        edition = config.edition
        self.slots, self.helper_slots = edition.num_career_slots, edition.num_helper_slots
        self.sizes = {
            "career": c.NUM_CAREERS * self.slots,
            "city": c.NUM_CITIES,
            "helper": c.NUM_COLORS * self.helper_slots,
            "assignment": c.NUM_ASSIGNMENTS,
            "die": c.NUM_COLORS * c.NUM_FACES,
            "row": c.NUM_ROWS,
            "column": c.NUM_COLORS,
        }
        starts = (0, *accumulate(self.sizes.values()))
        self.first = dict(zip(self.sizes, starts, strict=False))
        self.number = starts[-1]

    def plane(self, kind: str, feature: str, seats: bool = False, last: bool = True) -> Plane:
        return Plane(feature, self.sizes[kind], self.first[kind], seats=seats, last=last)


def scene(config: GameConfig) -> Scene:
    """Returns the scene of a configuration."""
    places = _Places(config)
    texts = [config.actions.to_text(action) for action in range(config.actions.size)]
    covered = _covered(config, places, texts)
    where = places.plane
    return Scene(
        planes=(
            where("career", "careers", seats=True),
            where("city", "cities"),
            where("city", "meeples", seats=True),
            where("city", "empty", last=False),
            where("city", "tile_house", last=False),
            where("city", "tile_value", last=False),
            where("helper", "helpers", seats=True),
            where("assignment", "assignments", last=False),
            where("die", "pool"),
            where("row", "missing", seats=True, last=False),
            where("row", "row_vp", seats=True),
            where("row", "face_down", seats=True),
            where("column", "placed", seats=True),
            where("column", "color"),
        ),
        static=np.eye(places.number, dtype=np.float32),
        near=(),
        landmarks=np.zeros(0, np.int64),
        words=words_of(texts),
        covers=lambda observations, rows, actions: covered[actions],
        all_numbers=True,
        practice=Practice(decisions=32, gae_lambda=0.97, epochs=4, chunk=128),
    )


def _covered(config: GameConfig, places: _Places, texts: list[str]) -> Indices:
    """Returns the places that each action is about, [A, 3]."""
    found = np.full((len(texts), 3), places.number)
    for action, text in enumerate(texts):
        about = list(_about(config, places, text.split()))
        found[action, : len(about)] = about
    return found


def _about(config: GameConfig, places: _Places, words: list[str]) -> list[int]:
    """Returns the places that an action is about."""
    edition, first = config.edition, places.first

    def career(name: str, slot: int) -> int:
        return first["career"] + edition.careers.index(name) * places.slots + slot

    def helper(color: str, slot: int) -> int:
        return first["helper"] + edition.colors.index(color) * places.helper_slots + slot

    match words:
        case ["helper", color, number]:
            return [helper(color, int(number) - 1)]
        case [color, value, what, *numbers] if color in edition.colors:
            column = edition.colors.index(color)
            die = first["die"] + column * c.NUM_FACES + int(value) - 1
            if what == "hire":
                hired = edition.colors[edition.hires_in[column]]
                return [die, helper(hired, int(numbers[0]) - 1), first["column"] + column]
            if what == "assign":
                slot = first["assignment"] + 2 * column + int(numbers[0]) - 1
                return [die, slot, first["column"] + column]
            return [die, first["column"] + column]
        case ["mission", name, number, city]:
            row = first["row"] + edition.careers.index(name)
            return [career(name, int(number) - 1), first["city"] + edition.cities.index(city), row]
        case ["marry", city, _]:
            return [first["city"] + edition.cities.index(city), first["row"] + c.MARRIAGE_ROW]
        case ["enter", name]:
            return [career(name, 0)]
        case ["advance", name, number]:
            return [career(name, int(number) - 1), career(name, int(number))]
        case ["row", name]:
            rows = (*edition.careers, "marriage")
            return [first["row"] + rows.index(name)]
    return []
