"""What the moves of a record say in Gonzaga's own words, for statistics and frames of data."""

from __future__ import annotations

from typing import Any

from gonzaga_env.core.board.notation import DONATE, PRIVILEGE_SUFFIX
from gonzaga_env.tabletop.records import Record


def move_columns(record: Record) -> list[dict[str, Any]]:
    """Returns columns for each move: its round, its kind, and for plans what became of them.

    A plan has its cards (`region`, `card`, `plan`, `privilege`), the points that the placement
    which it led to scored at once (`round_points`), and whether the seat donated because nothing
    else was legal at its turn (`blocked`) or by choice (`by_choice`).
    """
    moves, num_players = record["moves"], record["num_players"]
    columns: list[dict[str, Any]] = []
    for index, move in enumerate(moves):
        round_index, step = divmod(index, 2 * num_players)
        common = {"round": round_index + 1}
        if step < num_players:
            rest = moves[index - step + num_players : index - step + 2 * num_players]
            placed = next((other for other in rest if other["seat"] == move["seat"]), None)
            columns.append(common | _plan(move["action"], placed))
        else:
            columns.append(common | {"kind": move["action"].partition(" ")[0]})
    return columns


def _plan(text: str, placed: Record | None) -> dict[str, Any]:
    plan = text.removesuffix(PRIVILEGE_SUFFIX)
    region, _, card = plan.rpartition(" ")
    columns: dict[str, Any] = {"kind": "plan", "region": region, "card": card, "plan": plan}
    columns["privilege"] = plan != text
    if placed is not None:
        donated, forced = placed["action"] == DONATE, placed["legal"] == 1
        columns["round_points"] = float(placed["points"])
        columns |= {"blocked": donated and forced, "by_choice": donated and not forced}
    return columns
