"""The policy, and PPO on experience that is handed over."""

import dataclasses
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.network.gonzaga_reader import Inputs
from gonzaga_agents.network.gonzaga_torch import Batch
from gonzaga_agents.training.policy import SelfPlayPPO

from gonzaga_env.core import GameConfig
from tests.agents.training.toys import experience_of, inputs_of_play, sampled, small_model

CONFIG = GameConfig(2)


def evaluated(model: SelfPlayPPO, inputs: Inputs, chosen: np.ndarray) -> list[np.ndarray]:
    """Returns values, log-probabilities and entropies, as the policy is now."""
    with torch.no_grad():
        found = model.policy.evaluate_choices(Batch.of(inputs), torch.from_numpy(chosen))
    return [tensor.numpy() for tensor in found]


def test_log_probs_and_values_are_those_of_evaluate_choices() -> None:
    model, inputs = small_model(CONFIG), inputs_of_play(CONFIG, 6)
    chosen, log_probs, values = sampled(model)(inputs)
    both, found, entropy = evaluated(model, inputs, chosen)
    with torch.no_grad():
        logits, own = model.policy.network(*Batch.of(inputs)[:-1])
    np.testing.assert_allclose(found, log_probs, atol=1e-6)
    np.testing.assert_allclose(both[:, 1], values, atol=1e-6)  # the critic's
    np.testing.assert_allclose(both[:, 0], own.numpy(), atol=1e-6)
    shares = logits.softmax(dim=1).numpy()
    for row, entropy_of_row in enumerate(entropy.tolist()):
        real = shares[row][inputs.actions[row] >= 0]
        assert entropy_of_row == pytest.approx(-(real * np.log(real)).sum(), abs=1e-4)
    assert (inputs.actions[np.arange(len(chosen)), chosen] >= 0).all()
    assert (chosen.dtype, log_probs.dtype, values.dtype) == (np.int64, np.float32, np.float32)


def test_choices_are_drawn_by_their_probabilities() -> None:
    model = small_model(CONFIG)
    inputs = inputs_of_play(CONFIG, 3).take(np.array([0, 9, 17] * 2000))
    chosen, log_probs, _ = sampled(model)(inputs)
    for place in range(3):
        own, own_log_probs = chosen[place::3], log_probs[place::3]
        for choice in np.unique(own):
            share = np.exp(own_log_probs[own == choice][0])
            assert (own == choice).mean() == pytest.approx(share, abs=0.06)  # 5 deviations


@pytest.mark.parametrize(("batch_size", "seen"), [(16, 64), (20, 60), (64, 64), (100, 64)])
def test_an_epoch_sees_each_row_once(batch_size: int, seen: int) -> None:
    """A smaller last minibatch is left out, unless it is the only one."""
    model = small_model(CONFIG, batch_size)
    found = [row for rows in model._minibatches(64) for row in rows.tolist()]
    assert len(found) == len({*found}) == seen
    assert found != sorted(found)


def test_ppo_makes_good_choices_likelier() -> None:
    model, inputs = small_model(CONFIG, n_epochs=10, ent_coef=0.0), inputs_of_play(CONFIG, 8)
    experience = experience_of(model, inputs)
    good = experience.chosen == 0  # the planner's best
    advantages = np.where(good, 1, -1).astype(np.float32)
    experience = dataclasses.replace(experience, advantages=advantages)
    model.learn_from(experience, progress=0.0)
    change = evaluated(model, inputs, experience.chosen)[1] - experience.log_probs
    assert change[good].mean() > change[~good].mean() + 0.02


def test_ppo_fits_both_values() -> None:
    model, inputs = small_model(CONFIG, n_epochs=20), inputs_of_play(CONFIG, 8)
    wanted = inputs.choices[:, 0, 0]
    experience = dataclasses.replace(
        experience_of(model, inputs), returns=wanted, advantages=0 * wanted
    )

    def errors() -> tuple[float, float]:
        error = (evaluated(model, inputs, experience.chosen)[0] - wanted[:, None]) ** 2
        return tuple(error.mean(axis=0).tolist())  # type: ignore[return-value]

    before = errors()
    model.learn_from(experience, progress=0.0)
    assert all(new < 0.5 * old for new, old in zip(errors(), before, strict=True))


def test_it_learns_as_stable_baselines_does() -> None:
    """`MaskablePPO.train`, given the same minibatches, ends with the same weights."""
    inputs = inputs_of_play(CONFIG, 8)
    own, other = (small_model(CONFIG, ent_coef=0.01) for _ in range(2))
    experience = experience_of(own, inputs)
    torch.manual_seed(1)
    own.learn_from(experience, progress=0.0)
    whole = Batch.of(inputs)

    def get(batch_size: int) -> Iterator[Any]:
        for rows in other._minibatches(len(inputs)):
            arrays = experience.chosen, experience.log_probs, experience.advantages
            actions, log_probs, advantages = (torch.from_numpy(a)[rows] for a in arrays)
            returns = torch.from_numpy(experience.returns)[rows].repeat_interleave(2)
            yield SimpleNamespace(
                observations=whole.take(rows), actions=actions, old_log_prob=log_probs,
                advantages=advantages, returns=returns, action_masks=None,
            )  # fmt: skip

    other.rollout_buffer = SimpleNamespace(  # type: ignore[assignment]
        get=get, values=experience.values, returns=experience.returns
    )
    evaluate = other.policy.evaluate_choices
    other.policy.evaluate_actions = lambda batch, actions, action_masks: evaluate(  # type: ignore
        batch, actions
    )
    torch.manual_seed(1)
    other.train()
    for name, tensor in own.policy.state_dict().items():
        assert torch.equal(tensor, other.policy.state_dict()[name]), name


@pytest.mark.parametrize(("progress", "left"), [(0.0, 1.0), (0.25, 0.75), (1.0, 0.0), (1.4, 0.0)])
def test_the_learning_rate_follows_the_progress(progress: float, left: float) -> None:
    model, inputs = small_model(CONFIG), inputs_of_play(CONFIG, 2)
    model.lr_schedule = lambda remaining: 0.001 + remaining
    model.learn_from(experience_of(model, inputs), progress=progress)
    (group,) = model.policy.optimizer.param_groups
    assert group["lr"] == pytest.approx(0.001 + left)
