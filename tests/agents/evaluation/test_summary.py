"""The summary of a match that was made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from gonzaga_agents.evaluation.match import Match
from gonzaga_agents.evaluation.summary import summarise
from gonzaga_agents.units.games import rotations

from gonzaga_env.core.state.state import SOURCES


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
