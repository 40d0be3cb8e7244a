"""Records: games of an independent program, and our own (notation, part 5)."""

import copy
from pathlib import Path
from typing import Any

import pytest

from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import read_entries
from gonzaga_env.tuscany.config import Options
from gonzaga_env.tuscany.spec import (
    replay,
)

#: The referee's games: two to four players and every option.
CORPUS = Path(__file__).parent / "games/referee.jsonl"


def _read(path: Path) -> list[dict[str, Any]]:
    return [entry.record for entry in read_entries(path) if isinstance(entry.record, dict)]


RECORDS = _read(CORPUS)


def test_the_corpus_has_every_option_and_number_of_players() -> None:
    assert len(RECORDS) == 72
    assert {record["num_players"] for record in RECORDS} == {2, 3, 4}
    played = [Options.of(record["rules"]) for record in RECORDS]
    assert {Options.of("rulebook"), Options.of("online")} < {*played}
    for name, values in (
        ("draw_base", {2, 3}),
        ("round_end", {"lap", "turn"}),
        ("final_turns", {"lap_then_one", "one_each"}),
        ("colour_bonus", {"ranked", "literal"}),
        ("bonus_gains", {"every", "tiles"}),
        ("storage_points", {"always", "setup"}),
        ("hexagon_same_turn", {False, True}),
    ):
        assert {record["rules"][name] for record in RECORDS} == values
    drawn = {text.split()[0] for r in RECORDS for move in r["moves"] for text in move["drawn"]}
    assert drawn == {"card", "yield", "stack", "neutral", "sweep", "shuffle"}


def test_stacks_are_compared_where_they_are_given() -> None:
    record = copy.deepcopy(RECORDS[0])
    turned: list[list[str]] = [[], []]
    for move in record["moves"]:
        stacks = [text.split()[1] for text in move["drawn"] if text.startswith("stack")]
        turned[move["seat"]] += stacks
    record["deal"]["stacks"] = turned
    replay(record)
    turned[0].reverse()
    with pytest.raises(RecordError, match="stacks of seat 0"):
        replay(record)
