"""Ratings: the Elo scale, intervals that cover, and agents that always win."""

from itertools import combinations

import numpy as np
import pytest
from gonzaga_agents.play.pairs import reachable
from gonzaga_agents.play.ratings import Rating, rate
from gonzaga_agents.play.statistics import POINTS, Ranking

from tests.marks import nightly

Games = list[tuple[int, Ranking]]


def tournament(rng: np.random.Generator, strengths: list[float], players: int, deals: int) -> Games:
    """Draws a tournament from the model of Plackett and Luce, P games of each table and deal."""
    games: Games = []
    for deal in range(deals):
        for table in combinations(range(len(strengths)), players):
            for _ in range(players):
                times = rng.exponential(size=players) / np.array(strengths)[list(table)]
                places = times.argsort().argsort()
                games.append((deal, [(a, int(p)) for a, p in zip(table, places, strict=True)]))
    return games


@pytest.mark.parametrize("players", [2, *nightly(3)])
def test_intervals_cover_the_truth_as_often_as_they_say(players: int) -> None:
    strengths, rng, covered = [1.0, 2.0, 4.0], np.random.default_rng(players), []
    for _ in range(60):
        found = rate(3, tournament(rng, strengths, players, 25), replicates=60)
        for strength, rating in zip(strengths[1:], found.ratings[1:], strict=True):
            truth = 1000 + POINTS * np.log(strength)
            assert rating.low is not None
            assert rating.high is not None
            covered.append(rating.low <= truth <= rating.high)
    # 120 intervals: 95 % of them are 114; 60 replicates and few deals make them a bit narrow.
    assert 104 <= sum(covered) <= 119


def test_games_of_a_deal_count_as_one_sample() -> None:
    """Playing each game four times over, which adds no information, leaves the intervals alone.

    The rating moves a bit, since its bias is that of as many independent games.
    """
    rng = np.random.default_rng(3)
    games = tournament(rng, [1.0, 3.0], 2, 60)
    once, often = rate(2, games), rate(2, games * 4)
    assert often.ratings[1].rating == pytest.approx(once.ratings[1].rating, abs=3)
    widths = [r.ratings[1].high - r.ratings[1].low for r in (once, often)]  # type: ignore[operator]
    assert widths[0] == pytest.approx(widths[1], rel=0.05)


def test_the_scale_is_elos() -> None:
    """Ten victories to one are 400 points."""
    games = [(d, [(0, 1), (1, 0)]) for d in range(1000)] + [
        (d, [(0, 0), (1, 1)]) for d in range(100)
    ]
    found = rate(2, games, replicates=20)
    assert found.ratings[0].rating == 1000
    assert found.ratings[1].rating == pytest.approx(1400, abs=3)
    assert rate(2, games, anchor=1, replicates=20).ratings[0].rating == pytest.approx(600, abs=3)


def test_an_agent_that_always_wins_has_a_finite_rating_and_an_open_end() -> None:
    games: Games = [(d, [(0, 1), (1, 0)]) for d in range(100) for _ in range(2)]
    best = rate(2, games, replicates=50).ratings[1]
    assert 1300 < best.rating < 3000
    assert best.low is not None
    assert 1000 < best.low < best.rating
    assert best.high is None
    assert best.text == f"at least {best.low:.0f}"
    worst = rate(2, games, anchor=1, replicates=50).ratings[0]
    assert worst.low is None
    assert worst.high is not None
    assert worst.text == f"at most {worst.high:.0f}"


def test_the_bound_is_what_the_games_exclude() -> None:
    """Who loses with a chance of p or more wins all of n games with (1 - p)^n or less: 2.5 %."""
    games: Games = [(d, [(0, 1), (1, 0)]) for d in range(100)]
    low = rate(2, games).ratings[1].low
    excluded = 1 - 0.025 ** (1 / 100)
    assert low == pytest.approx(1000 + POINTS * np.log(1 / excluded - 1), abs=40)


@pytest.mark.parametrize(
    ("rating", "text", "interval"),
    [
        (Rating(1250.4, 1100.2, 1400.0), "1250", "1100 to 1400"),
        (Rating(1250.4, 1100.2, None), "at least 1100", "open"),
        (Rating(729.0, None, 943.4), "at most 943", "open"),
        (Rating(1000.0, None, None), "unknown", "open"),
    ],
)
def test_a_rating_that_no_game_bounds_shows_its_bound(
    rating: Rating, text: str, interval: str
) -> None:
    assert (rating.text, rating.interval) == (text, interval)


def test_ends_are_open_where_no_chain_of_games_leads_to_the_anchor() -> None:
    """0 loses to 1, which trades victories with 2, which beats 3; 3 and 4 share a victory."""
    games: Games = []
    for deal in range(20):
        games += [(deal, [(0, 1), (1, 0)]), (deal, [(1, deal % 2), (2, 1 - deal % 2)])]
        games += [(deal, [(2, 0), (3, 1)]), (deal, [(3, 0), (4, 0)])]
    open_ends = [(r.low is None, r.high is None) for r in rate(5, games, 1, 20).ratings]
    assert open_ends == [
        (True, False),
        (False, False),
        (False, False),
        (True, False),
        (True, False),
    ]


def test_all_ties_are_equal_strengths() -> None:
    found = rate(2, [(d, [(0, 0), (1, 0)]) for d in range(30)], replicates=20)
    assert found.ratings[1].rating == pytest.approx(1000, abs=1)
    assert found.equal == ((0, 1),)


def test_equals_are_named_and_others_are_not() -> None:
    games = tournament(np.random.default_rng(5), [1.0, 1.0, 8.0], 2, 60)
    assert rate(3, games, replicates=100).equal == ((0, 1),)


def test_the_same_games_give_the_same_ratings() -> None:
    games = tournament(np.random.default_rng(6), [1.0, 2.0, 3.0, 4.0], 4, 10)
    assert rate(4, games, replicates=20) == rate(4, games, replicates=20)


def test_paths_lead_over_several_steps() -> None:
    steps = np.zeros((4, 4), dtype=np.bool_)
    steps[0, 1] = steps[1, 2] = steps[2, 1] = True
    expected = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    assert reachable(steps).astype(int).tolist() == expected
