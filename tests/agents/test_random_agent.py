"""The random agent: legal, uniform, decided by its generator."""

import numpy as np
from gonzaga_agents.random_agent import RandomAgent, choose_among

from gonzaga_env.core import Engine, GameConfig


def test_only_legal_actions_are_chosen_in_every_row() -> None:
    rng = np.random.default_rng(0)
    masks = rng.random((500, 40)) < 0.1
    masks[np.arange(500), rng.integers(40, size=500)] = True
    masks[0], masks[1] = False, True
    masks[0, 39] = True
    chosen = choose_among(masks, rng)
    assert chosen.shape == (500,)
    assert masks[np.arange(500), chosen].all()


def test_all_legal_actions_have_the_same_chance() -> None:
    masks = np.zeros((12_000, 9), dtype=np.bool_)
    masks[:, [1, 4, 8]] = True
    counts = np.bincount(choose_among(masks, np.random.default_rng(0)), minlength=9)
    assert counts.sum() == 12_000
    assert (abs(counts[[1, 4, 8]] - 4000) < 258).all()  # 5 standard deviations


def test_the_generator_decides() -> None:
    engine = Engine(20, 2)
    agent = RandomAgent(GameConfig(2))
    observations, masks = engine.observe(), engine.legal_action_mask()

    def act(seed: int) -> list[int]:
        return agent.act(observations, masks, np.random.default_rng(seed)).tolist()

    assert act(3) == act(3)
    assert act(3) != act(4)
