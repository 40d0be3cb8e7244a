"""Editions of Signorie with other values (N1): with chosen effects, and random ones."""

import json
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from gonzaga_env.signorie.edition import Edition, read_edition
from tests.signorie_oracle import EDITION

Values = dict[str, Any]

_WITH_NUMBER = ("florins", "vp", "tracks", "initiative", "male", "female", "tile")
_BARE = ("mission", "marriage", "offspring", "free_helper")
_CAREER_BONUSES = ("", "", "florins 1", "initiative 1", "initiative 2, florins 3")


def edition_of(values: Values) -> Edition:
    """Returns the edition of some values, which are read as a file would be."""
    return read_edition(text_of(values).encode(), Path("wild.toml"))


def text_of(values: Values) -> str:
    """Returns the values of an edition as its file has them."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in values.items())


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def changed(**effects: str) -> Values:
    """Returns the reconstruction with other effects, by name of assignments and bonus tiles.

    `red_2` is the second helper of the red column.
    """
    values = deepcopy(EDITION)
    named = [(tile["name"], tile) for tile in (*values["bonus_tile"], *values["assignment"])]
    for color in values["color"]:
        helpers = enumerate(color["helpers"], start=1)
        named += [(f"{color['name']}_{slot}", helper) for slot, helper in helpers]
    for name, thing in named:
        thing["effect"] = effects.get(name, thing["effect"])
    return values


def wild(seed: int) -> Values:
    """Returns the values of a random edition."""
    rng, values = Random(seed), deepcopy(EDITION)
    values["name"] = f"wild {seed}"
    values["initiative_vp"] = _rising(rng, rng.randint(2, 12), 0, 9)
    numbers = {"florins": (0, 9), "males": (0, 5), "females": (0, 5), "helpers": (1, 20)}
    numbers |= {"stock_males": (0, 8), "stock_females": (0, 8)}
    values["setup"] |= {name: rng.randint(*span) for name, span in numbers.items()}
    values["setup"]["extra_florins"] = [rng.randint(0, 4) for _ in range(4)]
    spans = {"threshold": (8, 20), "florins": (0, 5), "pay": (0, 9), "pay_vp": (0, 9)}
    values["rewards"] |= {name: rng.randint(*span) for name, span in spans.items()}
    values["rewards"]["wedding_florins"] = [rng.randint(0, 3) for _ in range(5)]
    values["rewards"]["bride_vp"] = [rng.randint(0, 5) for _ in range(4)]
    values["career_slot"] = _career_slots(rng)
    _change_columns(rng, values["color"])
    for city in values["city"]:
        city["slots"] = _rising(rng, rng.randint(1, 10), 1, 4)
    for house in values["house"]:
        house["values"] = [rng.randint(2, 5) for _ in range(9)]
    for tile in values["assignment"]:
        if tile["name"] == "threshold":
            tile["effect"] = f"threshold {rng.randint(1, 5)}"
        else:
            tile |= {"effect": _effect(rng, "half_die_vp"), "meeples": rng.choice(["..3", 1, 2, 3])}
    for tile in values["bonus_tile"]:
        tile["effect"] = _effect(rng)
    for tile in values["vp_tile"]:
        tile["vp"] = rng.randint(0, 5)
    return values


def _career_slots(rng: Random) -> list[Values]:
    number = rng.randint(6, 9)
    ranks = sorted([1, 2, 3, 4, *(rng.randint(1, 4) for _ in range(number - 4))])
    vps = [1, *_rising(rng, number - 2, 1, 13), 13]
    slots = [{"rank": rank, "vp": vp} for rank, vp in zip(ranks, vps, strict=True)]
    bonuses = [{"bonus": bonus} if (bonus := rng.choice(_CAREER_BONUSES)) else {} for _ in slots]
    return [slot | bonus for slot, bonus in zip(slots, bonuses, strict=True)]


def _change_columns(rng: Random, colors: Sequence[Values]) -> None:
    names = [color["name"] for color in colors]
    signoria = [f"tracks {rng.randint(1, 6)}", f"florins {rng.randint(1, 6)}"]
    signoria += ["mission", "marriage", "offspring"]
    rng.shuffle(names)
    rng.shuffle(signoria)
    height = rng.randint(1, 5)
    for color, column, effect in zip(colors, names, signoria, strict=True):
        # Somebody without Florins can always get some, so that a game begins with a choice.
        cost = 1 if effect.startswith("florins") else rng.randint(1, 12)
        color |= {"cost": cost, "signoria": effect, "hires_in": column}
        color["assignment_slots"] = [rng.choice(("male", "female")) for _ in range(2)]
        color["helpers"] = [
            {"price": rng.randint(0, 5), "effect": _effect(rng, "half_die_vp")}
            for _ in range(height)
        ]


def _effect(rng: Random, *also: str) -> str:
    ops = rng.choices((*_WITH_NUMBER, *_BARE, *also), k=rng.choice((1, 1, 2, 3)))
    return ", ".join(f"{op} {rng.randint(1, 3)}" if op in _WITH_NUMBER else op for op in ops)


def _rising(rng: Random, number: int, low: int, high: int) -> list[int]:
    return sorted(rng.randint(low, high) for _ in range(number))
