"""The policy, and PPO on experience that is handed over."""

import dataclasses
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.commands.train import TrainOptions, setup_of
from gonzaga_agents.network.checkpoint import load_agent
from gonzaga_agents.network.description import PLANNER
from gonzaga_agents.network.gonzaga import GonzagaInputs, GonzagaReader
from gonzaga_agents.network.networks import GonzagaBatch
from gonzaga_agents.training.ppo import PPO, VALUE_WEIGHT, Policy, minibatches
from gonzaga_agents.training.run import Run
from gonzaga_agents.training.sb3 import checkpoint_zip
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.logger import Logger

from gonzaga_env.core import GameConfig
from gonzaga_env.envs.sb3 import make_sb3_vec
from tests.agents.networks import NETWORKS
from tests.agents.training.toys import experience_of, inputs_of_play, sample, small_ppo

CONFIG = GameConfig(2)


def evaluated(policy: Policy, inputs: GonzagaInputs, chosen: np.ndarray) -> list[np.ndarray]:
    """Returns values, log-probabilities and entropies, as the policy is now."""
    with torch.no_grad():
        found = policy.evaluate(GonzagaBatch.of(inputs), torch.from_numpy(chosen))
    return [tensor.numpy() for tensor in found]


def test_samples_agree_with_evaluation() -> None:
    policy, inputs = small_ppo(CONFIG).policy, inputs_of_play(CONFIG, 6)
    chosen, log_probs, values = sample(policy, inputs)
    both, found, entropy = evaluated(policy, inputs, chosen)
    with torch.no_grad():
        logits, own = policy.network(*GonzagaBatch.of(inputs)[:-1])
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
    inputs = inputs_of_play(CONFIG, 3).take(np.array([0, 9, 17] * 2000))
    chosen, log_probs, _ = sample(small_ppo(CONFIG).policy, inputs)
    for place in range(3):
        own, own_log_probs = chosen[place::3], log_probs[place::3]
        for choice in np.unique(own):
            share = np.exp(own_log_probs[own == choice][0])
            assert (own == choice).mean() == pytest.approx(share, abs=0.06)  # 5 deviations


@pytest.mark.parametrize(("size", "seen"), [(16, 64), (20, 60), (64, 64), (100, 64)])
def test_an_epoch_sees_each_row_once(size: int, seen: int) -> None:
    """A smaller last minibatch is left out, unless it is the only one."""
    drawn = minibatches(64, size, torch.device("cpu"))
    found = [row for rows in drawn for row in rows.tolist()]
    assert len(found) == len({*found}) == seen
    assert found != sorted(found)


def test_ppo_makes_good_choices_likelier() -> None:
    ppo, inputs = small_ppo(CONFIG, epochs=10), inputs_of_play(CONFIG, 8)
    experience = experience_of(ppo.policy, inputs)
    good = experience.chosen == 0  # the planner's best
    advantages = np.where(good, 1, -1).astype(np.float32)
    experience = dataclasses.replace(experience, advantages=advantages)
    ppo.learn(experience, progress=0.0)
    change = evaluated(ppo.policy, inputs, experience.chosen)[1] - experience.log_probs
    assert change[good].mean() > change[~good].mean() + 0.02


def test_ppo_fits_both_values() -> None:
    ppo, inputs = small_ppo(CONFIG, epochs=20), inputs_of_play(CONFIG, 8)
    wanted = inputs.choices[:, 0, 0]
    experience = dataclasses.replace(
        experience_of(ppo.policy, inputs), returns=wanted, advantages=0 * wanted
    )

    def errors() -> tuple[float, float]:
        error = (evaluated(ppo.policy, inputs, experience.chosen)[0] - wanted[:, None]) ** 2
        return tuple(error.mean(axis=0).tolist())  # type: ignore[return-value]

    before = errors()
    ppo.learn(experience, progress=0.0)
    assert all(new < 0.5 * old for new, old in zip(errors(), before, strict=True))


def saved(ppo: PPO) -> BytesIO:
    return BytesIO(checkpoint_zip(ppo, CONFIG, PLANNER, 8))


def test_it_learns_as_stable_baselines_does() -> None:
    """`MaskablePPO.train`, given the same minibatches, ends with the same weights."""
    inputs = inputs_of_play(CONFIG, 8)
    ppo = small_ppo(CONFIG)
    settings, experience = GonzagaReader(CONFIG).training, experience_of(ppo.policy, inputs)
    model = MaskablePPO.load(saved(ppo), device="cpu", n_epochs=settings.epochs)
    model.ent_coef, model.lr_schedule = settings.entropy, lambda remaining: 1e-2
    torch.manual_seed(1)
    ppo.learn(experience, progress=0.0)
    whole = GonzagaBatch.of(inputs)

    def get(batch_size: int) -> Iterator[Any]:
        for rows in minibatches(len(inputs), 32, model.device):
            arrays = experience.chosen, experience.log_probs, experience.advantages
            actions, log_probs, advantages = (torch.from_numpy(a)[rows] for a in arrays)
            returns = torch.from_numpy(experience.returns)[rows].repeat_interleave(2)
            yield SimpleNamespace(
                observations=whole.take(rows), actions=actions, old_log_prob=log_probs,
                advantages=advantages, returns=returns, action_masks=None,
            )  # fmt: skip

    model.rollout_buffer = SimpleNamespace(  # type: ignore[assignment]
        get=get, values=experience.values, returns=experience.returns
    )
    model.policy.evaluate_actions = lambda batch, actions, action_masks: Policy.evaluate(  # type: ignore
        model.policy,
        batch,
        actions,  # type: ignore[arg-type]
    )
    model.set_logger(Logger(None, []))
    torch.manual_seed(1)
    model.train()
    for name, tensor in ppo.policy.state_dict().items():
        assert torch.equal(tensor, model.policy.state_dict()[name]), name


@pytest.mark.parametrize(("game", "prior"), NETWORKS)
def test_stable_baselines_loads_checkpoints_and_plays_them(
    game: str, prior: Any, tmp_path: Path
) -> None:
    """With the most probable actions, as `load_agent` does, and with drawn ones."""
    options = TrainOptions(game=game, players=3, prior=prior, num_games=2)
    options = dataclasses.replace(options, average=prior == "none")
    run = Run(setup_of(options, 1), tmp_path, resume=False)
    model = MaskablePPO.load(run.save(), device="cpu")
    agent = load_agent(tmp_path, run.setup.config)
    envs = make_sb3_vec(8, num_players=3, opponents="random", seed=1, game=game)
    observations, rng = envs.reset(), np.random.default_rng(0)
    for _ in range(12):
        masks = get_action_masks(envs)
        actions, _ = model.predict(observations, action_masks=masks, deterministic=True)
        assert actions.tolist() == agent.act(observations, masks, rng).tolist()
        drawn, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(8), drawn].all()
        observations, *_ = envs.step(drawn)


@pytest.mark.parametrize(("progress", "rate"), [(0, 1), (0.5, 0.55), (1, 0.1), (1.4, 0.1)])
def test_the_learning_rate_falls_to_a_tenth(progress: float, rate: float) -> None:
    ppo, inputs = small_ppo(CONFIG), inputs_of_play(CONFIG, 2)
    ppo.learn(experience_of(ppo.policy, inputs), progress=progress)
    (group,) = ppo.optimizer.param_groups
    assert group["lr"] == pytest.approx(1e-2 * rate)


@pytest.mark.parametrize(("progress", "weight"), [(0, 0.3), (0.5, 0.2), (1, 0.1), (1.4, 0.1)])
def test_the_weight_of_the_entropy_falls_to_the_last_one(progress: float, weight: float) -> None:
    ppo, inputs = small_ppo(CONFIG, entropy=(0.3, 0.1)), inputs_of_play(CONFIG, 2)
    found = ppo.learn(experience_of(ppo.policy, inputs), progress=progress)
    rest = found["train/policy_gradient_loss"] + VALUE_WEIGHT * found["train/value_loss"]
    entropy = (found["train/loss"] - rest) / found["train/entropy_loss"]
    assert entropy == pytest.approx(weight, abs=1e-4)


def test_later_weights_count_more_in_the_mean() -> None:
    """Those after update n by n (n + 1) (n + 2)."""
    ppo, inputs = small_ppo(CONFIG, average=True), inputs_of_play(CONFIG, 2)
    weight, mean = next(ppo.policy.parameters()), next(ppo.mean.parameters())
    seen = []
    for n in range(1, 6):
        ppo.learn(experience_of(ppo.policy, inputs), progress=0.0)
        ppo.average(n)
        seen.append(weight.detach().clone())
    shares = torch.tensor([n * (n + 1) * (n + 2.0) for n in range(1, 6)])
    wanted = torch.einsum("n,nw->w", shares / shares.sum(), torch.stack(seen))
    torch.testing.assert_close(mean.detach(), wanted)
    assert not torch.allclose(mean, weight, atol=1e-4)
