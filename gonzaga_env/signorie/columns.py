"""What the moves of a record say in this game's own words, for statistics and frames of data."""

from __future__ import annotations

from typing import Any

from gonzaga_env.tabletop.records import Record

_CHOICES = ("hire", "assign", "signoria")  # of a die (S5.3)


def move_columns(record: Record) -> list[dict[str, Any]]:
    """Returns columns for each move: its kind, and the action slot where a die is placed."""
    return [_columns(move["action"].split()) for move in record["moves"]]


def _columns(words: list[str]) -> dict[str, Any]:
    if len(words) > 2 and words[2] in _CHOICES:
        return {"kind": words[2], "slot": " ".join([words[0], *words[2:]])}
    return {"kind": " ".join(words) if words[0] == "no" else words[0], "slot": ""}
