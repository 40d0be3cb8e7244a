"""Ratings of synthetic tournaments: under 10 points of bias within 400 of the anchor."""

import sys

import numpy as np
import pytest
from gonzaga_agents.statistics.strengths import ChoiceModel

from benchmarks import rating_bias
from benchmarks.rating_bias import FIELDS, bias, worst

LIMIT = 10


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("deals", [10, 40, 200])
def test_ratings_are_not_squeezed(field, players, deals) -> None:
    truth = FIELDS[field]
    assert abs(worst(truth, bias(truth, players, deals, repetitions=40))) < LIMIT


@pytest.mark.parametrize("strong", [1100, 1250, 1400])
def test_the_bias_of_two_agents_is_small_exactly(strong) -> None:
    """Over all results of ten deals with two players, by their probability."""
    chance, games = 1 / (1 + 10 ** ((1000 - strong) / 400)), 20
    model = ChoiceModel(2, [(0, [(0, 0), (1, 1)]), (1, [(1, 0), (0, 1)])])
    fits = [model.fit(np.array([games - won, won], dtype=float)) for won in range(games + 1)]
    ratings = [1000 + 400 / np.log(10) * (fit[1] - fit[0]) for fit in fits]
    won = np.arange(games + 1)
    ways = [float(np.prod(np.arange(games - k + 1, games + 1) / np.arange(1, k + 1))) for k in won]
    mean = np.dot(ratings, ways * chance**won * (1 - chance) ** (games - won))
    assert mean == pytest.approx(strong, abs=5)


def test_regression_takes_out_luck_and_leaves_bias(monkeypatch) -> None:
    monkeypatch.setattr(ChoiceModel, "fit", lambda model, deals: np.array([0, np.log(10)]))
    np.testing.assert_allclose(bias((1000, 1300), 2, 10, 30), [0, 100], atol=1e-6)


def test_the_command_prints_a_table(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["rating_bias.py", "--repetitions", "12"])
    monkeypatch.setattr(rating_bias, "FIELDS", {"two agents": (1000, 1400)})
    rating_bias.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| two agents: 1000, 1400 | 2 |")
    assert {line.count("|") for line in lines} == {6}
