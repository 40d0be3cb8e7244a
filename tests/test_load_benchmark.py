"""The load benchmark at toy sizes: a real server, whole games, and what must not get lost."""

from __future__ import annotations

import copy
import json

import pytest

from benchmarks import load
from gonzaga_env.core import Engine
from tests.core.test_records import record_games


def test_a_small_run_measures_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--tables", "2", "--players", "2", "--think", "0", "--agent", "random", "--json"]
    assert load.main(arguments) in (load.OK, load.MISSED)  # a busy machine may be slow
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["tables"]) == (2, 2)
    assert report["moves"] == report["move"]["number"] == report["look"]["number"]
    for kind in load.KINDS:
        row = report[kind]
        assert 0 < row["p50"] <= row["p95"] <= row["p99"] <= row["max"]


def test_lost_moves_are_found() -> None:
    (record, *_) = record_games(Engine(1, 2, seed=1), 1)
    engine = Engine(1, 2)
    actions = [engine.actions.parse(move["action"]) for move in record["moves"]]
    confirmed = list(enumerate(actions))
    load.verify([(record, confirmed)])
    other = copy.deepcopy(confirmed)
    other[3] = (3, other[3][1] + 1)
    with pytest.raises(load.LostError, match="move 3 was confirmed"):
        load.verify([(record, other)])


def test_percentiles_are_in_milliseconds() -> None:
    row = load.percentiles([value / 1000 for value in range(1, 101)])
    assert row == {"number": 100, "p50": 51.0, "p95": 96.0, "p99": 100.0, "max": 100.0}


@pytest.mark.parametrize("arguments", [["--tables", "0"], ["--players", "5"], ["--think", "-1"]])
def test_mistyped_options_are_named(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        load.main(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
