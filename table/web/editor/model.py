"""The JSON model that the page holds, its conversion to and from an `Edition`, and an empty map.

It has the keys of the four files, in one object, apart from three that suit a page better: the map
is a list of rows of marks, and regions and seas are lists of [mark, name], since JavaScript does
not keep the order of keys such as "2" and "1". That of a small edition has its size, too, which the
page hands back as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gonzaga_env.core.board.edition import Edition, Scenario
from gonzaga_env.core.editions.loading import EMPTY, build_edition
from gonzaga_env.core.editions.schema import LISTS, SIZE
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.editions.schema import boolean, list_of, string, table

from ..requests import RefusedError

Model = dict[str, Any]
#: Sizes that no edition of the game needs; they bound the time of a check and of a picture.
LIMITS = {
    "map": 60,  # rows
    "regions": 12,
    "seas": 12,
    "city": 40,
    "harbor": 40,
    "barrier": 40,
    "fief": 20,
    "scenario": 100,
    "objective": 100,
}
MAX_COLUMNS, MAX_CELLS, MAX_SIDES, MAX_FLOURISHING, MAX_TEXT = 60, 12, 400, 40, 120
_SCHEMA = table(
    {
        "name": string,
        "reconstruction": boolean,
        "map": list_of(list_of(string)),
        "regions": list_of(list_of(string, 2)),
        "seas": list_of(list_of(string, 2)),
        **LISTS,
        "objective": list_of(list_of(string, 2)),
        "size": SIZE,
    },
    optional=("size",),
)


def to_model(edition: Edition) -> Model:
    """Returns the model of an edition; the inverse of `to_edition`. Its map is a rectangle."""
    width = max((len(row) for row in edition.marks), default=0)
    return {
        "name": edition.name,
        "reconstruction": edition.reconstruction,
        "map": [[*row, *["."] * (width - len(row))] for row in edition.marks],
        "regions": [list(pair) for pair in edition.regions.items()],
        "seas": [list(pair) for pair in edition.seas.items()],
        "city": [{"name": c.name, "at": list(c.at), "symbol": c.group} for c in edition.cities],
        "harbor": [{"name": h.name, "at": list(h.at), "sea": h.group} for h in edition.harbors],
        "barrier": [
            {"name": b.name, "edges": [[list(one), list(other)] for one, other in b.edges]}
            for b in edition.barriers
        ],
        "fief": [
            {"number": f.number, "cells": list(map(list, f.cells)), "castles": list(f.castles)}
            for f in edition.fiefs
        ],
        "scenario": [
            {"name": s.name, "players": s.players, "flourishing": list(s.flourishing)}
            for s in edition.scenarios
        ],
        "objective": [list(pair) for pair in edition.objectives],
        **({"size": asdict(edition.size)} if edition.is_small else {}),
    }


def to_edition(model: object, source: str = "edition") -> Edition:
    """Returns the edition of a model, which may have faults of the rules (R9.2).

    Raises:
        RefusedError: the model has the wrong keys or types, or is too large.
    """
    if not isinstance(model, dict):
        raise RefusedError("model: is missing or no JSON object")
    for place, what in _SCHEMA(model):
        raise RefusedError(f"model: {place}: {what}")
    _check_sizes(model)
    _check_marks(model)
    board = {key: model[key] for key in ("name", "reconstruction", "city", "harbor", "barrier")}
    board |= {"regions": dict(model["regions"]), "seas": dict(model["seas"])}
    board |= {"size": model.get("size", {})}
    board["map"] = "\n".join(" ".join(row) for row in model["map"])
    content = {
        "board": board,
        "fiefs": {"fief": model["fief"]},
        "scenarios": {"scenario": model["scenario"]},
        "objectives": {"objective": [{"symbols": pair} for pair in model["objective"]]},
    }
    return build_edition(Path(source), content)


def _check_sizes(model: Model) -> None:
    for key, limit in LIMITS.items():
        _at_most(limit, len(model[key]), key)
    for i, row in enumerate(model["map"]):
        _at_most(MAX_COLUMNS, len(row), f"row {i} of the map")
    for fief in model["fief"]:
        _at_most(MAX_CELLS, len(fief["cells"]), f"cells of fief {fief['number']}")
        _at_most(MAX_CELLS, len(fief["castles"]), f"castles of fief {fief['number']}")
    for scenario in model["scenario"]:
        _at_most(
            MAX_FLOURISHING,
            len(scenario["flourishing"]),
            f"regions of {short_repr(scenario['name'])}",
        )
    _at_most(MAX_SIDES, sum(len(barrier["edges"]) for barrier in model["barrier"]), "barriers")
    for text in _texts(model):
        _at_most(MAX_TEXT, len(text), f"the characters of {text[:20]!r}...")


def _at_most(limit: int, number: int, what: str) -> None:
    if number > limit:
        raise RefusedError(f"{what}: {number} are given; at most {limit} are right", "too_large")


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _check_marks(model: Model) -> None:
    """Raises RefusedError for marks that the map's text cannot hold, or that are given twice."""
    on_map = {mark for row in model["map"] for mark in row}
    for kind in ("regions", "seas"):
        given = [mark for mark, _ in model[kind]]
        on_map |= set(given)
        if len(set(given)) < len(given):
            raise RefusedError(f"{kind}: a mark is given twice; each has its own")
    if not all(model["map"]):
        raise RefusedError("the map has an empty row; each row has one mark or more")
    for mark in on_map:
        if mark.split() != [mark]:
            raise RefusedError(
                f"the mark {short_repr(mark)} is empty or has blanks; characters are right"
            )


_REGIONS = {
    "H": "Hispania",
    "F": "Francia",
    "B": "Britannia",
    "I": "Italia",
    "G": "Germania",
    "E": "Europa Orientalis",
}  # R1.2
_COLOMBO = Scenario("Colombo", 3, ("Hispania", "Francia", "Britannia", "Italia"))  # R1.5


def blank_edition(rows: object, columns: object) -> Edition:
    """Returns an edition with nothing but R1.2's names and the scenario of R1.5.

    Args:
        rows: the map's height in hexes, 1 to 60.
        columns: its width, 1 to 60.

    Raises:
        RefusedError: a size is not an integer in that range.
    """
    height, width = _size("rows", rows, LIMITS["map"]), _size("columns", columns, MAX_COLUMNS)
    return replace(
        build_edition(Path("edition"), EMPTY),
        name="New edition",
        marks=((".",) * width,) * height,
        regions=dict(_REGIONS),
        seas={"1": "Mare Germanicum", **{str(i): f"Sea {i}" for i in range(2, 7)}},
        scenarios=(_COLOMBO,),
    )


def _size(what: str, value: object, limit: int) -> int:
    if not isinstance(value, int) or not 1 <= value <= limit:
        raise RefusedError(f"{what}: {short_repr(value)}; 1 to {limit} are right")
    return value
