"""An edition that differs from the reconstruction where it may: sizes, effects and prices."""

import tomllib
from typing import Any

from gonzaga_env.signorie.editions.edition import EDITIONS

_RECONSTRUCTION = tomllib.loads((EDITIONS / "reconstruction.toml").read_text())
_HELPERS = (
    "free_helper",
    "tile 2, vp 1",
    "offspring, male 1",
    "tracks 3, initiative 1",
    "marriage",
)
_CHANGED = {
    "threshold": (1, "initiative 1, tracks 1"),
    "fame": ("..3", "half_die_vp, tile 1"),
    "alliance": (3, "mission, marriage"),
    "money": ("..3", "offspring"),
}


def _small() -> dict[str, Any]:
    """Returns one helper a column, six career slots, short cities, and effects of many parts."""
    edition = _RECONSTRUCTION | {"name": "small", "initiative_vp": [0, 2, 4]}
    edition["career_slot"] = [
        {"rank": rank, "vp": vp, "bonus": bonus} if bonus else {"rank": rank, "vp": vp}
        for rank, vp, bonus in (
            *((1, 1, ""), (2, 2, "initiative 2"), (3, 4, ""), (3, 6, "florins 1, initiative 1")),
            *((4, 9, ""), (4, 13, "florins 3")),
        )
    ]
    edition["setup"] = edition["setup"] | {"helpers": 7, "florins": 9, "stock_males": 1}
    edition["color"] = [
        color | {"helpers": [{"price": 1, "effect": effect}]}
        for color, effect in zip(edition["color"], _HELPERS, strict=True)
    ]
    edition["city"] = [city | {"slots": [1, 3, 4]} for city in edition["city"]]
    edition["assignment"] = [
        row | dict(zip(("meeples", "effect"), _CHANGED[row["name"]], strict=True))
        if row["name"] in _CHANGED
        else row
        for row in edition["assignment"]
    ]
    edition["bonus_tile"] = [
        tile | ({"effect": "free_helper, free_helper"} if tile["name"] == "fame" else {})
        for tile in edition["bonus_tile"]
    ]
    return edition


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _toml(data: dict[str, Any]) -> str:
    """Returns data as TOML: simple keys first, then tables and lists of tables."""
    simple, tables = [], []
    for key, value in data.items():
        rows = value if isinstance(value, list) and isinstance(value[0], dict) else [value]
        if not isinstance(rows[0], dict):
            simple.append(f"{key} = {_value(value)}\n")
            continue
        head = f"[[{key}]]" if rows is value else f"[{key}]"
        tables += [
            f"{head}\n" + "".join(f"{k} = {_value(v)}\n" for k, v in row.items()) for row in rows
        ]
    return "".join(simple + tables)


SMALL = _toml(_small())
