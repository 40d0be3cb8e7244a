"""The rating of one player against agents of known ratings."""

import itertools

import numpy as np
import pytest
from gonzaga_agents.statistics.one_player import PRIOR_SPREAD, Game, PlayerRating, rating_curve
from gonzaga_agents.statistics.rankings import POINTS
from scipy.optimize import brentq

WON: Game = ((None, 0), (1000.0, 1))
LOST: Game = ((None, 1), (1000.0, 0))


def ratings_after(games: list[Game]) -> list[PlayerRating]:
    return [rating for _, rating in rating_curve(games)]


def drawn(rng: np.random.Generator, rating: float, others: list[float]) -> Game:
    """Returns a game whose places are drawn by the model: exponential times to the finish."""
    strengths = np.exp(np.array([rating, *others]) / POINTS)
    places = rng.exponential(1 / strengths).argsort().argsort().tolist()
    return tuple(zip([None, *others], places, strict=True))


def test_without_games_the_prior_counts() -> None:
    (rating,) = ratings_after([])
    assert rating.rating == 1000
    assert rating.high - 1000 == pytest.approx(1.96 * PRIOR_SPREAD, abs=5)
    assert 1000 - rating.low == pytest.approx(1.96 * PRIOR_SPREAD, abs=5)


def test_two_players_have_the_rating_that_solves_its_equation() -> None:
    """The slope of the log-posterior of Bradley and Terry's model is 0 there."""
    games = [WON] * 7 + [LOST] * 3

    def slope(rating: float) -> float:
        win = 1 / (1 + np.exp((1000 - rating) / POINTS))
        return (7 - 10 * win) / POINTS - (rating - 1000) / PRIOR_SPREAD**2

    assert ratings_after(games)[-1].rating == pytest.approx(brentq(slope, 0, 3000), abs=2.6)


def test_a_tie_is_half_a_victory() -> None:
    tied: Game = ((1000.0, 0), (None, 0))
    one, other = ratings_after([WON, LOST])[-1], ratings_after([tied, tied])[-1]
    assert one == other


def test_the_last_of_an_abandoned_game_lost_to_all_in_any_order() -> None:
    ranks = [((None, 2), (1200.0, one), (1000.0, 1 - one)) for one in (0, 1)]
    one, other = (ratings_after([game])[-1].rating for game in ranks)
    abandoned = ratings_after([((None, 1), (1200.0, 0), (1000.0, 0))])[-1].rating
    assert min(one, other) < abandoned < max(one, other)
    assert abandoned < ratings_after([((None, 1), (1200.0, 0), (1000.0, 2))])[-1].rating


def test_ever_winning_stays_finite_and_beating_the_weakest_is_worth_nothing() -> None:
    won = ratings_after([WON] * 50)
    assert won[-1].rating < 3000
    assert all(one.rating <= other.rating for one, other in itertools.pairwise(won))
    assert ratings_after([((None, 0), (-734.0, 1))] * 50)[-1].rating < 1010


@pytest.mark.parametrize(("rating", "others"), [(1300.0, [1000.0, 1285.0]), (900.0, [1100.0] * 3)])
def test_intervals_hold_the_true_rating(rating: float, others: list[float]) -> None:
    rng = np.random.default_rng(5)
    found = [ratings_after([drawn(rng, rating, others) for _ in range(60)])[-1] for _ in range(100)]
    assert 90 <= sum(one.low <= rating <= one.high for one in found) <= 100
    assert abs(np.mean([one.rating for one in found]) - rating) < 25


def test_long_curves_have_fewer_points_with_the_same_ratings() -> None:
    games = [WON, LOST, WON] * 40
    every = dict(rating_curve(games))
    some = rating_curve(games, 10)
    assert list(every) == list(range(121))
    assert [number for number, _ in some][-1] == 120
    assert len(some) == 10
    assert all(every[number] == rating for number, rating in some)
