"""Rewards: how they add up over the players."""

from itertools import permutations, product

import numpy as np
import pytest

from gonzaga_env.kernel.result import margin, outcome

PLAYERS = (2, 3, 4)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_outcomes_add_up_to_zero_whoever_wins(num_players: int) -> None:
    won = np.array([row for row in product((False, True), repeat=num_players) if any(row)])
    rewards = outcome(won)
    assert rewards.dtype == np.float64
    np.testing.assert_array_equal(rewards.sum(axis=1), 0)
    sole = won.sum(axis=1) == 1
    assert (rewards[sole].max(axis=1) == 1.0).all()
    assert rewards[sole].min(axis=1) == pytest.approx(-1 / (num_players - 1), abs=1e-9)


def test_margins_add_up_to_zero_in_any_order_of_the_players() -> None:
    points = np.random.default_rng(0).integers(0, 100, (200, 4)).astype(np.float64)
    rewards = margin(points)
    for order in permutations(range(4)):
        assert [sum(row) for row in rewards[:, order].tolist()] == [0.0] * len(rewards)
    np.testing.assert_allclose(rewards, (4 * points - points.sum(axis=1)[:, None]) / 3, atol=1e-9)


def test_rewards_are_rounded_to_steps_of_2_to_the_minus_32() -> None:
    wins = np.eye(4, dtype=np.bool_)
    rewards = outcome(wins)
    assert ((rewards * 2**32) % 1 == 0).all()
    error = np.abs(rewards - np.where(wins, 1, -1 / 3)) * 2**32
    assert np.sort(error, axis=1)[:, :3].max() <= 0.5  # the lowest takes what is left
    assert error.max() < 1
