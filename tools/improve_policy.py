"""Trains a shipped policy of Gonzaga on, against fixed opponents, towards winning.

python tools/improve_policy.py --players 4 --out runs/improved
python -m gonzaga_agents.policies.export runs/improved --out runs/improved/policy
python evaluate.py runs/improved planner greedy --players 4

It continues where `train.py` makes no more progress, and differs from it: each game has one learner
among fixed opponents; a new critic learns alone before the policy changes; rewards are half the
points of `margin`, and at the end a share of the victory softened by the points; an update sees its
experience once; and the average of the weights is saved.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import numpy as np
import torch
import tyro
from gonzaga_agents.network.checkpoint import save_checkpoint
from gonzaga_agents.network.parts import network_parts
from gonzaga_agents.policies.shipped import FOLDER, policy_path, read_description
from gonzaga_agents.registry import make_agent
from gonzaga_agents.training.collector import SampledPolicy
from gonzaga_agents.training.league import League
from gonzaga_agents.training.policy import SelfPlayPPO
from gonzaga_agents.training.self_play import Experience, SelfPlay
from torch import Tensor, nn

from gonzaga_env import GameConfig
from gonzaga_env.command_line import run_command
from gonzaga_env.tabletop.errors import OptionError
from tools.policy_checkpoint import network_weights

SOFTNESS = 4.0  # points by which a score falls behind for its share to shrink to 1 / e
MARGIN = 0.5  # the weight of a point, relative to `margin`
LAMBDA, CLIP, ENTROPY, AVERAGE = 0.85, 0.15, 0.003, 0.99
STEPS = 40_960  # decisions of a rollout, by any seat


@dataclass(frozen=True)
class Arguments:
    """Trains a policy on and saves a checkpoint."""

    out: Path = Path("runs/improved")
    players: int = 4
    opponents: tuple[str, ...] = ("planner", "planner", "greedy", "learned")
    """One of them, drawn for each game, has all other seats."""
    turns: int = 8_000_000
    warm_up: int = 300_000
    """Turns in which only the critic learns."""
    games: int = 512
    minibatch: int = 2560
    learning_rate: float = 6e-4
    """At the start; it falls to a tenth."""
    seed: int = 0


class Softened(SelfPlay):  # type: ignore[misc]
    """Counts points by half, and adds a softened share of the victory at the end of a game."""

    def _rewards(self, result: Any) -> Any:
        rewards, ended = MARGIN * super()._rewards(result), result.finished.nonzero()[0]
        if len(ended):
            over = self.engine.from_state(self.engine.config, result.final, copy=False, check=False)
            behind = over.totals - over.totals.max(axis=1, keepdims=True)
            shares = np.exp(behind / SOFTNESS)
            rewards[ended] += shares / shares.sum(axis=1, keepdims=True)
        return rewards


class Learner:
    """A policy, its critic, and the running average of the policy's weights."""

    def __init__(self, policy: Any, weights: dict[str, Tensor], learning_rate: float) -> None:
        policy.network.load_state_dict(weights)
        self.network, self.critic, self.updates = policy.network, policy.critic, 0
        self.average = {name: tensor.clone() for name, tensor in weights.items()}
        self.optimizers = [
            torch.optim.Adam(module.parameters(), lr=rate, eps=1e-5)
            for module, rate in ((self.network, learning_rate), (self.critic, 8e-4))
        ]

    def update(self, experience: Experience, minibatch: int, *, critic_only: bool) -> None:
        """Learns from each decision once."""
        batch = self.network.batch.of(experience.inputs)
        advantages = torch.from_numpy(experience.advantages)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        chosen, before, returns = map(
            torch.from_numpy, (experience.chosen, experience.log_probs, experience.returns)
        )
        for rows in torch.split(torch.randperm(len(experience)), minibatch):
            seen = batch.take(rows)
            self._descend(1, (self.critic(seen) - returns[rows]).square().mean())
            if critic_only:
                continue
            log_probs = self.network(*seen[:-1])[0].log_softmax(dim=1)
            entropy = -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(dim=1).mean()
            now = log_probs.gather(1, chosen[rows][:, None])[:, 0]
            ratio, gain = (now - before[rows]).exp(), advantages[rows]
            clipped = torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP))
            self._descend(0, -clipped.mean() - ENTROPY * entropy)
        if not critic_only:
            self.updates += 1
            kept = min(AVERAGE, self.updates / (self.updates + 9))
            for name, tensor in self.network.state_dict().items():
                self.average[name].lerp_(tensor, 1 - kept)

    def _descend(self, which: int, loss: Tensor) -> None:
        module, optimizer = (self.network, self.critic)[which], self.optimizers[which]
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(module.parameters(), 0.5)
        optimizer.step()


def fit_value(network: Any, play: SelfPlay, turns: int, seed: int) -> None:
    """Fits the network's values of positions to the points of its own games."""

    def values(batch: Any) -> Tensor:
        found: Tensor = network(*batch[:-1])[1]
        return found

    policy = SampledPolicy(network, values, seed)
    optimizer, done = torch.optim.Adam(network.value.parameters(), lr=1e-3), 0
    while done < turns:
        experience = play.collect(policy, num_steps=STEPS // play.engine.num_games, gae_lambda=0.95)
        batch, returns = network.batch.of(experience.inputs), torch.from_numpy(experience.returns)
        for _ in range(4):
            for rows in torch.split(torch.randperm(len(experience)), 1024):
                loss = (values(batch.take(rows)) - returns[rows]).square().mean()
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
        done += len(experience)


def main(arguments: Arguments) -> int:
    """Trains, reports progress, and saves the average of the weights, also after Ctrl-C.

    Returns:
        The exit code, 0.

    Raises:
        GameError: an argument is wrong, or no policy ships for this number of players.
    """
    if not 1 <= arguments.games <= STEPS:
        raise OptionError(f"games is {arguments.games}; it takes 1 to {STEPS}")
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    config = GameConfig(arguments.players)
    parts = network_parts(config, "planner")
    reader = parts.reader(config)
    agents = [make_agent(spec, config) for spec in arguments.opponents]
    league = League(agents, num_players=arguments.players, self_play=0.0, most_past=0)
    options: Any = {"num_games": arguments.games, "reward": "margin", "reward_scale": 1 / 30}
    play = Softened(config, reader, league, seed=arguments.seed, **options)
    earlier = read_description(policy_path(FOLDER, arguments.players, "json"))
    width = earlier["network"]["width"]
    model = SelfPlayPPO(parts, reader.sizes, width, seed=arguments.seed, device="cpu")
    shipped = policy_path(FOLDER, arguments.players, "onnx").read_bytes()
    weights = network_weights(shipped, model.policy.network.state_dict())
    learner = Learner(model.policy, weights, arguments.learning_rate)
    policy = SampledPolicy(learner.network, learner.critic, arguments.seed)
    turns, began = -arguments.warm_up, time.monotonic()
    try:
        while turns < arguments.turns:
            left = 1 - max(0, turns) / arguments.turns
            learner.optimizers[0].param_groups[0]["lr"] = arguments.learning_rate * (
                0.1 + 0.9 * left
            )
            experience = play.collect(policy, num_steps=STEPS // arguments.games, gae_lambda=LAMBDA)
            learner.update(experience, arguments.minibatch, critic_only=turns < 0)
            turns += len(experience)
            if len(play.results) >= 5000:
                won = np.mean([result.share for result in play.results])
                print(f"{turns:,} turns, wins of recent games, exploring: {won:.1%}", flush=True)
                play.results.clear()
    except KeyboardInterrupt:
        print("stopped; saving what was learned so far", flush=True)
    learner.network.load_state_dict(learner.average)
    again = SelfPlay(config, reader, league, seed=arguments.seed + 1, **options)
    fit_value(learner.network, again, arguments.warm_up, arguments.seed)
    model.num_timesteps = earlier["turns"] + max(0, turns)
    about = {
        "opponents": [*arguments.opponents],
        "network": {"width": width},
        "reward": "margin",
        "reward_scale": options["reward_scale"],
        "seconds": time.monotonic() - began,
        "arguments": asdict(arguments) | {"out": str(arguments.out)},
    }
    save_checkpoint(arguments.out / "checkpoint.zip", model, config, about)
    return 0


if __name__ == "__main__":
    chosen = tyro.cli(Arguments)
    sys.exit(run_command("improve_policy", lambda: main(chosen)))
