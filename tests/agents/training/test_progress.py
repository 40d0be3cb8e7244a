"""Progress: recent games, figures for logs, and lines where there is no terminal."""

import pytest
from gonzaga_agents.training.progress import ProgressReport
from gonzaga_agents.training.self_play import Result

ALONE = Result(30.0, None, frozenset())
AMONG = [
    Result(10.0, 1.0, frozenset({"greedy", "past"})),
    Result(20.0, 0.0, frozenset({"past"})),
]


def test_games_count_once_for_every_kind_of_opponent() -> None:
    report = ProgressReport(turns=1000, done=0)
    assert {*report.update(10, [])} == {"time/turns_per_second"}
    found = report.update(20, [ALONE, *AMONG])
    assert found.pop("time/turns_per_second") > 0
    assert found == {"games/score": 20, "win_share/greedy": 1, "win_share/past": 0.5}


def test_only_recent_games_count(capsys: pytest.CaptureFixture[str]) -> None:
    report = ProgressReport(turns=1000, done=0)
    report.update(10, [Result(100.0, 1.0, frozenset({"past"}))] * 300)
    found = report.update(500, [Result(0.0, 0.0, frozenset({"past"}))] * 500)
    assert (found["games/score"], found["win_share/past"]) == (0, 0)
    assert "past 0% of 500" in capsys.readouterr().err


def test_a_few_lines_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    report = ProgressReport(turns=1000, done=200)
    for turns in range(240, 1001, 40):
        report.update(turns, AMONG)
    report.print("done")
    report.stop()
    shown = capsys.readouterr().err.splitlines()
    assert shown[-1] == "1,000 of 1,000 turns: done"
    assert 6 <= len(shown[:-1]) <= 10
    assert shown[0].startswith("320 of 1,000 turns: ")
    assert "score 15, wins of recent games, exploring: greedy 100% of 3, past 50% of 6" in shown[0]


def test_before_the_first_game_ends_there_is_only_the_speed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = ProgressReport(turns=100, done=0)
    report.update(50, [])
    report.stop()
    assert capsys.readouterr().err.rstrip().endswith("/s")
