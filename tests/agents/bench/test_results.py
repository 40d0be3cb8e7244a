"""Win shares, interquartile means, improvement and ratings of results, against known values."""

import numpy as np
import pytest
from gonzaga_agents.bench.play import UnitGames
from gonzaga_agents.bench.results import (
    Measured,
    improvement,
    improvement_interval,
    interval,
    iqm,
    iqm_interval,
    results_of,
)
from gonzaga_agents.statistics.estimates import share_interval

from gonzaga_env.tabletop.rewards import win_shares

RUNS = np.array([[0.1, 0.5, 0.9, 0.3], [0.2, 0.4, 0.8, 0.35], [0.15, 0.7, 0.95, 0.2]])
OTHERS = np.array([[0.1, 0.45, 0.7, 0.3], [0.05, 0.6, 0.85, 0.25]])


def test_the_interquartile_mean_and_improvement_are_those_of_rliable() -> None:
    # As rliable 1.2.0 computes them: metrics.aggregate_iqm, metrics.probability_of_improvement.
    assert iqm(RUNS) == pytest.approx(0.4083333333333334)
    assert iqm(OTHERS) == pytest.approx(0.4)
    assert improvement(RUNS, OTHERS) == pytest.approx(0.7083333333333334)


def test_equal_rows_improve_on_each_other_half_of_the_time() -> None:
    assert improvement(RUNS, RUNS) == 0.5


def test_equal_shares_in_another_order_are_equal() -> None:
    one, other = np.array([[0.1 + 0.2 + 0.3]]), np.array([[0.3 + 0.2 + 0.1]])
    assert one != other
    assert improvement(one, other) == 0.5


def test_one_agent_has_the_interval_over_deals() -> None:
    values = np.random.default_rng(0).random(50)
    assert interval(values[None], bounded=True) == share_interval(values)


def test_seeds_widen_the_interval_of_several_agents() -> None:
    rng = np.random.default_rng(0)
    deals = rng.random((1, 4, 200)) * 0.2
    alike = iqm_interval(0.4 + np.repeat(deals, 5, axis=0))
    apart = iqm_interval(0.2 + 0.1 * np.arange(5)[:, None, None] + deals)
    assert apart.mean == pytest.approx(alike.mean, abs=0.01)
    assert apart.high - apart.low > 5 * (alike.high - alike.low)


def test_intervals_cover_the_truth() -> None:
    """Win shares with an effect of the seed and of the deal: about 95 % of intervals hold it."""
    rng, held = np.random.default_rng(1), 0
    for _ in range(60):
        seeds, deals = rng.normal(size=(8, 1)) * 0.05, rng.normal(size=(1, 60)) * 0.2
        found = interval(0.5 + seeds + deals + rng.normal(size=(8, 60)) * 0.2, bounded=True)
        held += found.low <= 0.5 <= found.high
    assert 52 <= held <= 60


def test_a_larger_share_on_the_same_deals_is_an_improvement() -> None:
    deals = np.random.default_rng(0).random((1, 3, 80))
    found = improvement_interval(deals + 0.05, deals)
    assert (found.mean, found.low, found.high) == (1, 1, 1)


def games_of(rating: float, others: float, players: int, deals: int, seed: int) -> UnitGames:
    """Returns games drawn by the model of ratings: the agent's rating, and that of all others."""
    rng = np.random.default_rng(seed)
    scores = np.zeros((deals, players, players), dtype=np.int64)
    for deal, own in np.ndindex(deals, players):
        strengths = np.full(players, others)
        strengths[own] = rating
        keys = strengths * np.log(10) / 400 + rng.gumbel(size=players)  # Plackett and Luce
        scores[deal, own, keys.argsort()] = np.arange(players) * 10
    return UnitGames(scores, scores == scores.max(axis=2, keepdims=True))


@pytest.mark.parametrize("players", [2, 4])
def test_a_rating_is_found_again(players: int) -> None:
    ratings = {"weak": 900.0, "strong": 1200.0, "unknown": None}
    games = [
        [
            games_of(1100, rating or 1000, players, 300, 10 * seed + i)
            for i, rating in enumerate(ratings.values())
        ]
        for seed in range(2)
    ]
    found = results_of(Measured.of(tuple(ratings), games), games, ratings)
    assert found["rating"]["low"] <= 1100 <= found["rating"]["high"]
    assert found["rating"]["high"] - found["rating"]["low"] < 100
    assert abs(found["rating"]["rating"] - 1100) < 40
    assert [agent["rating"] is not None for agent in found["agents"]] == [True, True]


def test_an_agent_that_loses_everything_has_no_lower_bound() -> None:
    games = [[games_of(-4000, 1000, 3, 20, 0)]]
    found = results_of(Measured.of(["one"], games), games, {"one": 1000.0})
    assert found["win_share"]["field"]["mean"] == 0
    assert found["win_share"]["field"]["high"] > 0
    assert found["rating"]["low"] is None
    assert found["rating"]["high"] < 800
    unrated = results_of(Measured.of(["one"], games), games, {"one": None})
    assert unrated["rating"] is None


def test_an_opponent_that_is_rated_zero_counts() -> None:
    games = [[games_of(100, 0, 2, 200, 3)]]
    found = results_of(Measured.of(["zero"], games), games, {"zero": 0.0})["rating"]
    assert found["low"] <= 100 <= found["high"]
    assert abs(found["rating"] - 100) < 60


def test_measures_take_the_agents_own_seat() -> None:
    scores = np.array([[[30, 10, 20], [10, 50, 30], [40, 40, 10]]])
    won = np.array([[[1, 0, 0], [0, 1, 0], [1, 1, 0]]], dtype=bool)
    found = Measured.of(["x"], [[UnitGames(scores, won)]])
    assert found.points.item() == pytest.approx((30 + 50 + 10) / 3)
    assert found.ahead.item() == pytest.approx((15 + 30 - 30) / 3)
    assert found.shares.item() == pytest.approx((1 + 1 + 0) / 3)
    assert win_shares(won)[0, 2].tolist() == [0.5, 0.5, 0]


def test_games_are_lines_and_back() -> None:
    games = games_of(1000, 1000, 3, 5, 0)
    again = UnitGames.of_lines(games.as_lines(), 3)
    assert (again.scores == games.scores).all()
    assert (again.won == games.won).all()
    tie = UnitGames(np.array([[[5, 5], [3, 4]]]), np.array([[[1, 1], [0, 1]]], dtype=bool))
    assert tie.as_lines() == ["5 5 w01 | 3 4 w1"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("5 5 w01", "1 games; it takes 2"),
        ("5 w0 | 3 4 w1", "is not the end of a game of 2 players"),
        ("5 4 w1 | 3 4 w1", "without the most points"),
        ("5 4 w | 3 4 w1", "no winner"),
        ("5 x w0 | 3 4 w1", "invalid literal"),
    ],
)
def test_lines_that_are_no_games_are_refused(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        UnitGames.of_lines([line], 2)
