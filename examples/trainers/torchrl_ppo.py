"""Masked PPO with TorchRL against greedy, with all games on one engine.

pip install -c constraints.txt torch torchrl ".[evaluate]"
python examples/trainers/torchrl_ppo.py --turns 100000
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import tyro
from gonzaga_agents import evaluate
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from gonzaga_env import GameConfig
from gonzaga_env.envs.torchrl import make_torchrl


@dataclass(frozen=True)
class Arguments:
    """Trains, then plays against random and greedy."""

    turns: int = 100_000
    players: int = 2
    games: int = 128
    steps: int = 24  # of every game in a rollout
    minibatch: int = 512
    seed: int = 0
    deals: int = 50  # of the evaluation, each played from every seat; 0 for none


class NetworkAgent:
    """Plays a network's most probable actions, as an agent of this package."""

    name = "torchrl"

    def __init__(self, network: nn.Module, config: GameConfig) -> None:
        self._network, self._features = network, config.features

    def act(self, observations: Any, masks: Any, rng: Any) -> Any:
        """Returns an action for each row, [M]."""
        with torch.no_grad():
            logits = self._network(torch.from_numpy(self._features.normalise(observations)))
        return logits.masked_fill(~torch.from_numpy(masks), -torch.inf).argmax(1).numpy()


def layers(num_inputs: int, num_outputs: int) -> nn.Sequential:
    """Returns a network with two hidden layers."""
    hidden = [nn.Linear(num_inputs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()]
    return nn.Sequential(*hidden, nn.Linear(128, num_outputs))


def main(arguments: Arguments) -> nn.Module:
    """Trains and evaluates; returns the policy's network."""
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    config = GameConfig(arguments.players)
    env = make_torchrl(arguments.games, arguments.players, ["greedy", "random"], reward="margin")
    env.set_seed(arguments.seed)
    network = layers(config.features.size, config.actions.size)
    module = TensorDictModule(network, in_keys=["observation"], out_keys=["logits"])
    keys = {"logits": "logits", "mask": "action_mask"}
    policy = ProbabilisticActor(
        module, in_keys=keys, distribution_class=MaskedCategorical, return_log_prob=True
    )
    critic = ValueOperator(layers(config.features.size, 1), in_keys=["observation"])
    loss = ClipPPOLoss(policy, critic, entropy_coeff=0.01, normalize_advantage=True)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    learned = 0
    while learned < arguments.turns:
        with torch.no_grad():
            played = env.rollout(arguments.steps, policy, break_when_any_done=False)
            played["next", "reward"] /= 30  # points to about 1
            batch = advantage(played).reshape(-1)
        for _ in range(3):
            for rows in torch.randperm(len(batch)).split(arguments.minibatch):
                found = loss(batch[rows])
                optimizer.zero_grad()
                (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        learned += len(batch)
        scored = 30 * played["next", "reward"].sum() / max(played["next", "done"].sum(), 1)
        print(f"{learned:7,} turns, {scored:.1f} points ahead a game", flush=True)
    if arguments.deals:
        agent = NetworkAgent(network, config)
        for opponent in ("random", "greedy"):
            own = evaluate([agent, opponent], deals=arguments.deals, seed=0).agents[0]
            share, points = own.win_share, own.score.mean
            print(
                f"{opponent}: wins {share.mean:.1%} ({share.low:.1%} to {share.high:.1%}) "
                f"with {points:.0f} points a game"
            )
    return network


if __name__ == "__main__":
    main(tyro.cli(Arguments))
