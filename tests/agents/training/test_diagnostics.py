"""Diagnostics against sums over single decisions."""

import dataclasses

import numpy as np
import pytest
import torch
from gonzaga_agents.network.networks import GonzagaBatch
from gonzaga_agents.training.progress import diagnose

from gonzaga_env.core import GameConfig
from gonzaga_env.core.state import KINDS
from tests.agents.training.toys import experience_of, inputs_of_play, small_ppo

CONFIG = GameConfig(2)


def test_figures_equal_those_of_single_decisions() -> None:
    ppo, inputs = small_ppo(CONFIG), inputs_of_play(CONFIG, 8)
    experience = experience_of(ppo.policy, inputs)
    ppo.learn(experience, progress=0.0)
    found = diagnose(ppo.policy, experience, KINDS)
    with torch.no_grad():
        logits, _ = ppo.policy.network(*GonzagaBatch.of(inputs)[:-1])
    log_probs = logits.log_softmax(dim=1).numpy()
    for phase, which in zip(KINDS, (experience.kinds == 0, experience.kinds == 1), strict=True):
        entropies, divergences = [], []
        for row in np.flatnonzero(which):
            real = log_probs[row][inputs.actions[row] >= 0]
            entropies.append(-(np.exp(real) * real).sum())
            change = log_probs[row, experience.chosen[row]] - experience.log_probs[row]
            divergences.append(np.exp(change) - 1 - change)
        assert found[f"entropy/{phase}"] == pytest.approx(np.mean(entropies), abs=1e-4)
        assert found[f"kl/{phase}"] == pytest.approx(np.mean(divergences), abs=1e-5)
        returns, values = experience.returns[which], experience.values[which]
        explained = 1 - np.var(returns - values) / np.var(returns)
        assert found[f"explained_variance/{phase}"] == pytest.approx(explained, abs=1e-4)
    error = abs(experience.returns - experience.values)
    for part, first, last in (("early", 1, 3), ("middle", 4, 7), ("late", 8, 12)):
        of_part = error[(experience.rounds >= first) & (experience.rounds <= last)]
        assert found[f"value_error/{part}"] == pytest.approx(of_part.mean(), abs=1e-5)
    assert found["train/advantage_noise"] == pytest.approx(experience.advantages.std(), abs=1e-5)


def test_a_perfect_critic_and_an_unchanged_policy() -> None:
    ppo, inputs = small_ppo(CONFIG), inputs_of_play(CONFIG, 4)
    experience = experience_of(ppo.policy, inputs)
    returns = np.random.default_rng(0).normal(size=len(inputs)).astype(np.float32)
    perfect = dataclasses.replace(experience, values=returns, returns=returns)
    found = diagnose(ppo.policy, perfect, KINDS)
    for phase in ("plan", "place"):
        assert found[f"explained_variance/{phase}"] == pytest.approx(1)
        assert found[f"kl/{phase}"] == pytest.approx(0, abs=1e-6)


def test_parts_of_the_game_that_were_not_played_have_no_figure() -> None:
    ppo, inputs = small_ppo(CONFIG), inputs_of_play(CONFIG, 4)
    rounds = np.full(len(inputs), 2, dtype=np.uint8)
    experience = dataclasses.replace(experience_of(ppo.policy, inputs), rounds=rounds)
    found = diagnose(ppo.policy, experience, KINDS)
    assert {name for name in found if name.startswith("value_error")} == {"value_error/early"}
