"""What the moves of a record say in this game's own words, for statistics and frames of data."""

from __future__ import annotations

from typing import Any

from gonzaga_env.tabletop.records import Record


def move_columns(record: Record) -> list[dict[str, Any]]:
    """Returns columns for each move: its kind, and the green points that it scored."""
    return [
        {"kind": move["action"].partition(" ")[0], "green_points": float(move["points"][0])}
        for move in record["moves"]
    ]
