"""The load benchmark at toy sizes: a real server, whole games, and what must not get lost."""

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from benchmarks import load
from benchmarks.loads.attacks import ATTACKS
from benchmarks.loads.clients import KINDS, LostError, Played
from gonzaga_env.core import Engine
from tests.conftest import complaint_of
from tests.core.test_records import record_games

SMALL = ["--tables", "2", "--players", "2", "--think", "0", "--agent", "random", "--json"]


@pytest.mark.nightly
def test_a_small_run_measures_every_kind(capsys) -> None:
    assert load.main(SMALL) in (load.OK, load.MISSED)  # a busy machine may be slow
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["tables"]) == (2, 2)
    assert report["moves"] == report["move"]["number"] == report["look"]["number"]
    for kind in KINDS:
        row = report[kind]
        assert 0 < row["p50"] <= row["p95"] <= row["p99"] <= row["max"]
    assert (report["lost"], report["got"]) == ({}, {})


@pytest.mark.nightly
def test_games_end_beside_an_attacker(capsys) -> None:
    assert load.main([*SMALL, "--games", "2", "--attack", "requests"]) in (load.OK, load.MISSED)
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["attack"], report["lost"]) == (4, "requests", {})
    assert report["got"]["connections"] > 0
    load.show(report)
    assert "the attacker got" in capsys.readouterr().out


@pytest.fixture
def played(tmp_path) -> tuple[Played, Path]:
    """Returns a table with its whole game confirmed, and a file that holds the moves."""
    (record, *_) = record_games(Engine(1, 2, seed=1), 1)
    engine = Engine(1, 2)
    actions = [engine.actions.parse(move["action"]) for move in record["moves"]]
    data = tmp_path / "tables.sqlite"
    with closing(sqlite3.connect(data)) as file, file:
        file.execute("CREATE TABLE moves (table_id, number, action)")
        rows = [("a", number, action) for number, action in enumerate(actions)]
        file.executemany("INSERT INTO moves VALUES (?, ?, ?)", rows)
    return Played("a", "token", list(enumerate(actions)), record), data


def test_moves_that_the_file_or_the_record_lacks_are_found(played) -> None:
    table, data = played
    load.verify([table], data)
    table.confirmed[3] = (3, table.confirmed[3][1] + 1)
    with pytest.raises(LostError, match="move 3 was confirmed, and is not in the file"):
        load.verify([table], data)
    with closing(sqlite3.connect(data)) as file, file:
        file.execute("UPDATE moves SET action = ? WHERE number = 3", (table.confirmed[3][1],))
    with pytest.raises(LostError, match="move 3 was confirmed, and is not in the record"):
        load.verify([table], data)


def _report(attack: str, move_ms: float, lost: dict[str, int]) -> dict[str, object]:
    row = {"number": 9, "p50": 1.0, "p95": move_ms, "p99": move_ms, "max": move_ms}
    rows = dict.fromkeys(KINDS, row)
    head = {"attack": attack, "busy": 0.5, "memory": 100, "descriptors": 20, "log": 1}
    return {**head, **rows, "lost": lost, "got": {"429": 1200, "200": 3}}


@pytest.mark.parametrize(
    ("move_ms", "lost", "missed"),
    [(50.0, {}, False), (50.1, {}, True), (1.0, {"move: 429": 1}, True)],
)
def test_slow_moves_and_losses_miss_the_goal(move_ms, lost, missed) -> None:
    report = _report("waits", move_ms, lost)
    assert load.missed(report) == missed
    assert load.missed(report, any_speed=True) == bool(lost)


def test_attacks_are_compared_in_markdown() -> None:
    lines = load.compare([_report("none", 2.0, {}), _report("waits", 3.0, {"move: 429": 2})])
    heading, _, none, waits = lines.splitlines()
    assert heading.startswith("| attack | moves | median | 95 % |")
    assert none.startswith("| none | 9 | 1.0 | 2.0 |")
    assert waits.endswith("| 2 | 100 | 50% | 20 | 1 | 1,200 429, 3 200 |")


def test_every_attack_says_what_it_does() -> None:
    page = (Path(load.__file__).parent / "README.md").read_text("utf-8")
    assert all(f"| `{name}` |" in page for name in ATTACKS)
    for attack in ATTACKS.values():
        assert (attack.__doc__ or "").endswith(".")


def test_percentiles_are_in_milliseconds() -> None:
    row = load.percentiles([value / 1000 for value in range(1, 101)])
    assert row == {"number": 100, "p50": 51.0, "p95": 96.0, "p99": 100.0, "max": 100.0}
    assert load.percentiles([])["number"] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tables", "0"],
        ["--players", "5"],
        ["--think", "-1"],
        ["--attack", "everything"],
        ["--addresses", "0"],
    ],
)
def test_mistyped_options_are_named(call, arguments) -> None:
    complaint_of(call(partial(load.main, arguments)))
