"""Progress: recent games, figures for logs, and lines where there is no terminal."""

import pytest
from gonzaga_agents.training.progress import RecentGames, Report
from gonzaga_agents.training.self_play import Result
from stable_baselines3.common.logger import Logger

ALONE = Result(30.0, None, frozenset())
AMONG = [
    Result(10.0, 1.0, frozenset({"greedy", "past"})),
    Result(20.0, 0.0, frozenset({"past"})),
]


def test_games_count_once_for_every_kind_of_opponent() -> None:
    games = RecentGames()
    assert games.score() is None
    assert games.win_shares() == {}
    games.add([ALONE, *AMONG])
    assert games.score() == pytest.approx(20)
    assert games.win_shares() == {"greedy": (1.0, 1), "past": (0.5, 2)}


def test_only_recent_games_count() -> None:
    games = RecentGames()
    games.add([Result(100.0, 1.0, frozenset({"past"}))] * 300)
    games.add([Result(0.0, 0.0, frozenset({"past"}))] * 500)
    assert games.score() == 0
    assert games.win_shares() == {"past": (0.0, 500)}


def test_a_few_lines_are_shown_and_figures_are_logged(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report, logger = Report(turns=1000, done=200), Logger(None, [])
    for turns in range(240, 1001, 40):
        report.update(turns, AMONG, logger)
    report.print("done")
    report.stop()
    shown = capsys.readouterr().err.splitlines()
    assert shown[-1] == "1,000 of 1,000 turns: done"
    assert 6 <= len(shown[:-1]) <= 10
    assert shown[0].startswith("320 of 1,000 turns: ")
    assert "score 15, wins of recent games, exploring: greedy 100% of 3, past 50% of 6" in shown[0]
    assert logger.name_to_value["games/score"] == 15
    assert logger.name_to_value["win_share/past"] == 0.5
    assert logger.name_to_value["time/turns_per_second"] > 0


def test_before_the_first_game_ends_there_is_only_the_speed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report, logger = Report(turns=100, done=0), Logger(None, [])
    report.update(50, [], logger)
    report.stop()
    assert {*logger.name_to_value} == {"time/turns_per_second"}
    assert capsys.readouterr().err.rstrip().endswith("/s")
