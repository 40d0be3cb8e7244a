"""Intervals against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from gonzaga_agents.evaluation.match import Match, rotations
from gonzaga_agents.evaluation.statistics import mean_interval, share_interval, summarise

from gonzaga_env.core.state.state import SOURCES


def test_mean_interval_is_students() -> None:
    estimate = mean_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    margin = 2.776445 * np.sqrt(2.5 / 5)  # t of 4 degrees of freedom at 97.5 %
    assert estimate.mean == 3
    assert (estimate.low, estimate.high) == pytest.approx((3 - margin, 3 + margin))


def test_one_deal_has_no_interval() -> None:
    estimate = mean_interval(np.array([41.5]))
    assert (estimate.mean, estimate.low, estimate.high) == (41.5, None, None)


def test_share_interval_has_width_where_all_deals_are_lost() -> None:
    estimate = share_interval(np.zeros(10))
    # With one deal lost and one won made up: mean 1/12, variance 1/12, t of 11 degrees of freedom.
    assert (estimate.mean, estimate.low) == (0, 0)
    assert estimate.high == pytest.approx(1 / 12 + 2.200985 / 12)


def test_share_interval_is_mirrored() -> None:
    lost, won = share_interval(np.zeros(7)), share_interval(np.ones(7))
    assert won.high == 1
    assert (won.mean, won.low) == pytest.approx((1 - lost.mean, 1 - lost.high))


def test_share_interval_of_many_deals_is_students() -> None:
    values = np.tile([0.0, 0.5, 0.5, 1.0, 0.5], 2000)
    narrow, students = share_interval(values), mean_interval(values)
    assert (narrow.low, narrow.high) == pytest.approx((students.low, students.high), abs=1e-4)


def test_share_interval_holds_its_mean_and_its_bounds() -> None:
    rng = np.random.default_rng(0)
    for num_deals in (1, 2, 3, 10):
        for chance in (0.01, 0.5, 0.99):
            values = rng.binomial(4, chance, num_deals) / 12
            estimate = share_interval(values, 0, 1 / 3)
            assert 0 <= estimate.low <= estimate.mean <= estimate.high <= 1 / 3
            assert estimate.low < estimate.high


def test_share_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    for chance in (0.05, 0.25, 0.5):
        luck = rng.beta(4 * chance, 4 * (1 - chance), (600, 30))  # some hands are better
        estimates = [share_interval(deals) for deals in rng.binomial(4, luck) / 4]
        covered = np.mean([e.low <= chance <= e.high for e in estimates])
        assert covered >= 0.94


def hand_made_match() -> Match:
    """Two deals, agent 0 against agent 1: 2 wins, 1 shared victory, 1 defeat for agent 0."""
    scores = np.zeros((2, 2, 2, 6), dtype=np.int64)
    scores[:, :, :, SOURCES.index("cities")] = [[[10, 4], [6, 8]], [[9, 9], [7, 3]]]
    scores[:, 0, 0, SOURCES.index("donations")] = 6
    won = np.array([[[1, 0], [0, 1]], [[1, 1], [1, 0]]], dtype=np.bool_)
    return Match(rotations([0, 1]), scores, won, np.array([[8, 8], [12, 12]]))


def test_summary_of_a_match_made_by_hand() -> None:
    summary = summarise(hand_made_match(), ["one", "two"])
    one, two = summary.agents
    assert (summary.deals, summary.games, summary.fair_share) == (2, 4, 0.5)
    assert summary.rounds.mean == 10
    assert summary.donations == pytest.approx(4 / (2 * 40))
    assert [share.mean for share in summary.seat_win_shares] == [0.625, 0.375]
    # Agent 0 sits on seat 0 first and on seat 1 then; agent 1 the other way round.
    assert one.win_share.mean == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert two.win_share.mean == pytest.approx((0 + 0 + 0.5 + 1) / 4)
    assert one.score.mean == pytest.approx((16 + 8 + 15 + 3) / 4)
    assert two.score.mean == pytest.approx((4 + 6 + 9 + 7) / 4)
    assert one.sources["cities"] == pytest.approx((10 + 8 + 9 + 3) / 4)
    assert (one.donations, two.donations) == (pytest.approx(4 / 40), 0)
    assert one.outcome == pytest.approx(0.25)
    assert (one.name, one.seats, one.games) == ("one", 1, 4)


def test_one_agent_on_all_seats_has_the_fair_share_exactly() -> None:
    match = hand_made_match()
    alone = Match(rotations([0, 0]), match.scores, match.won, match.rounds)
    (agent,) = summarise(alone, ["alone"]).agents
    assert (agent.win_share.low, agent.win_share.mean, agent.win_share.high) == (0.5, 0.5, 0.5)
    assert (agent.seats, agent.games, agent.outcome) == (2, 8, 0)
