"""Many records at once: the same verdict as one after the other."""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.options import Rules
from gonzaga_env.core.records import Entry, Record, replay, verify
from gonzaga_env.tabletop.errors import EditionError, RecordError
from tests.core.test_records import record_games, set_

Change = Callable[[Record], object]


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Returns games of several kinds, in turns."""
    kinds = [
        record_games(Engine(3, 2, seed=1), 3),
        record_games(Engine(3, 4, seed=2), 3),
        record_games(Engine(3, 2, rules=Rules("first_only", 1), seed=3), 3),
    ]
    return [record for games in zip(*kinds, strict=True) for record in games]


def verdicts(records: list[Record], edition: str | None = None) -> list[str | None]:
    entries = [Entry(line, 0, record) for line, record in enumerate(records, start=1)]
    told = list(verify(entries, edition))
    assert [entry for entry, _ in told] == entries
    return [None if fault is None else str(fault) for _, fault in told]


def alone(record: Record) -> str | None:
    try:
        replay(record)
    except (RecordError, EditionError) as error:
        return str(error)
    return None


CHANGES: list[tuple[Change, str]] = [
    (set_("format", to=2), "format"),
    (set_("versions", "actions", to=0), "version of the actions"),
    (set_("edition_hash", to="0"), "edition_hash"),
    (set_("num_players", to=3), "players"),
    (set_("rules", "sea_league", to="none"), "sea_league"),
    (set_("decks", 0, 0, to=13), "deck"),
    (set_("objectives", 0, to=["crown", "crown"]), "field"),
    (set_("moves", 0, "seat", to=1), "move 1, seat"),
    (set_("moves", 0, "legal", to=1), "move 1, legal"),
    (set_("moves", 3, "points", to=99), "move 4, points"),
    (set_("moves", 3, "covers", to=[[0, 0]]), "move 4, covers"),
    (set_("moves", 3, "action", to="nonsense"), "move 4: 'nonsense'"),
    (set_("scores", "cities", to=[0, 0]), "scores"),
    (lambda record: record.pop("decks"), "decks"),
    (lambda record: record.update(moves=3), "field"),
    (set_("decks", 0, 3, to=2**70), "decks: 1180591620717411303424; they hold the integers"),
    (set_("decks", 0, 3, to=3.9), "decks: 3.9"),
    (set_("decks", 0, 3, to="3"), "decks: '3'"),
    (set_("decks", 0, 3, to=True), "decks: True"),
    (set_("decks", 0, to=[1, 2]), "field"),
    (set_("decks", to=[]), "deck"),
    (set_("seed", to=2**64), "seed: 18446744073709551616"),
    (set_("seed", to="7"), "seed: '7'"),
    (set_("seed", to=[7]), r"seed: [7]"),
    (set_("agents", to="ab"), "agents: they take a list of names"),
    (set_("agents", to=[["a", "b"]]), "agents: they take a list of names"),
    (set_("agents", to=["a"]), "agents: 1 names"),
    (set_("edition", to="nowhere"), "nowhere"),
    (set_("edition", to="x" * 9000), "is neither a shipped edition nor a folder"),
    (set_("edition", to="a\0b"), "is neither a shipped edition nor a folder"),
    (set_("edition", to=[]), "edition is []"),
    (set_("edition", to={}), "edition is {}"),
    (set_("num_players", to=2.0), "2.0"),
    (set_("scenario", to="Nobody"), "Nobody"),
    (set_("moves", 0, "action", to="donate"), "R3.2"),
    (set_("moves", 0, "action", to=7), "move 1: 7 is not an action"),
    (set_("moves", 0, "action", to="fief 5 r2 @ 12,999"), "move 1"),
    (set_("moves", 3, "action", to="x" * 9000), "move 4"),
    (set_("moves", 9, "legal", to=0), "move 10, legal"),
    (set_("moves", 5, to=None), "field"),
    (set_("winners", to=[]), "winners"),
    (set_("winners", to=json.loads("[" * 900 + "]" * 900)), ""),
    (set_("rules", to=json.loads("[" * 900 + "]" * 900)), "rules is"),
    (lambda record: record["moves"].pop(), "not over"),
    (lambda record: record["moves"].clear(), "not over"),
    (lambda record: record["moves"].append(record["moves"][0]), "over"),
    (lambda record: record.pop("scores"), "scores"),
]


@pytest.mark.parametrize(("change", "says"), CHANGES)
def test_a_wrong_game_is_found_among_right_ones(
    records: list[Record], change: Change, says: str
) -> None:
    games = copy.deepcopy(records)
    change(games[3])
    found = verdicts(games)
    assert found[3] == alone(games[3])
    assert found[3] is not None
    assert says in found[3]
    assert [i for i, fault in enumerate(found) if fault] == [3]


def test_many_wrong_games_are_found_at_once(records: list[Record]) -> None:
    games = [copy.deepcopy(records[0]) for _ in CHANGES]
    for game, (change, _) in zip(games, CHANGES, strict=True):
        change(game)
    found = verdicts([*games, *records])
    for fault, (_, says) in zip(found, CHANGES, strict=False):
        assert says in (fault or "")
    assert found[len(games) :] == [None] * len(records)


def test_lines_without_a_record_keep_their_reason(records: list[Record]) -> None:
    broken = RecordError("not JSON")
    entries = [Entry(1, 9, broken), Entry(2, 99, records[0])]
    assert list(verify(entries)) == [(entries[0], broken), (entries[1], None)]


def test_lines_come_as_they_are_verified(records: list[Record]) -> None:
    taken = []

    def entries() -> object:
        for line in range(1, 600):
            taken.append(line)
            yield Entry(line, 0, records[0] if line < 3 else RecordError("broken"))

    next(iter(verify(entries())))  # type: ignore[arg-type]
    assert len(taken) < 599


def test_the_edition_may_be_given(records: list[Record], tmp_path: Path) -> None:
    moved = [record | {"edition": str(tmp_path / "gone")} for record in records[:2]]
    assert all("gone" in (fault or "") for fault in verdicts(moved))
    assert verdicts(moved, "europe") == [None, None]
    with pytest.raises(EditionError, match="atlantis"):
        verdicts(moved, "atlantis")
