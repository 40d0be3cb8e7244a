"""The mix of agents that no agent beats."""

import numpy as np
import pytest
from gonzaga_agents.play.pairs import PairShares, pair_shares, unbeaten_mix
from gonzaga_agents.play.statistics import Estimate

ROCK_PAPER_SCISSORS = [[0.5, 0.2, 0.8], [0.8, 0.5, 0.2], [0.2, 0.8, 0.5]]


def table(shares: object) -> PairShares:
    return tuple(
        tuple(None if i == j else Estimate(share, share, share) for j, share in enumerate(row))
        for i, row in enumerate(np.asarray(shares).tolist())
    )


def test_rock_paper_scissors_is_mixed_evenly_from_results() -> None:
    rankings = [
        (deal, [(winner, 0), (loser, 1)])
        for deal in range(6)
        for winner, loser in ((0, 1), (1, 2), (2, 0))
    ]
    mix = unbeaten_mix(pair_shares(3, rankings))
    assert mix is not None
    assert mix.weights == pytest.approx([1 / 3] * 3)
    assert mix.shares == pytest.approx([0.5] * 3)


def test_copies_share_a_weight_and_change_nothing_else() -> None:
    order = [0, 0, 1, 2]  # rock twice
    shares = np.array(ROCK_PAPER_SCISSORS)[np.ix_(order, order)]
    mix = unbeaten_mix(table(shares))
    assert mix is not None
    assert mix.weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-4)


def test_the_best_plays_alone_and_losers_get_their_share() -> None:
    mix = unbeaten_mix(table([[0.5, 0.6, 0.9], [0.4, 0.5, 0.8], [0.1, 0.2, 0.5]]))
    assert mix is not None
    assert mix.weights == pytest.approx([1, 0, 0])
    assert mix.shares == pytest.approx([0.5, 0.4, 0.1])


def test_no_agent_beats_the_mix_of_any_table() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        gains = rng.uniform(-0.5, 0.5, (7, 7))
        mix = unbeaten_mix(table(0.5 + (gains - gains.T) / 2))
        assert mix is not None
        assert sum(mix.weights) == pytest.approx(1)
        assert min(mix.weights) >= 0
        assert max(mix.shares) <= 0.5 + 1e-6


def test_agents_that_never_met_have_no_mix() -> None:
    assert unbeaten_mix(pair_shares(3, [(0, [(0, 0), (1, 1)])])) is None
