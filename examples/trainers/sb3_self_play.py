"""MaskablePPO against greedy and its past selves, with all games on one engine.

pip install -c constraints.txt ".[train]"
python examples/trainers/sb3_self_play.py --turns 100000
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import torch
import tyro
from gonzaga_agents import evaluate
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from gonzaga_env import GameConfig
from gonzaga_env.envs.sb3 import SB3Agent, make_sb3_vec


@dataclass(frozen=True)
class Arguments:
    """Trains, then plays against random and greedy."""

    turns: int = 100_000
    players: int = 2
    games: int = 128
    steps: int = 24  # of every game in a rollout
    most_past: int = 4
    seed: int = 0
    deals: int = 50  # of the evaluation, each played from every seat; 0 for none


class PastSelf:
    """An opponent that plays a copy of the learner's policy, made at the last `remember`."""

    def __init__(self) -> None:
        self.agent: SB3Agent | None = None

    def remember(self, model: Any, config: GameConfig) -> None:
        """Takes a copy of the current policy."""
        spaces = model.observation_space, model.action_space
        frozen = copy.copy(model)
        frozen.policy = model.policy_class(*spaces, model.lr_schedule, **model.policy_kwargs)
        frozen.policy.load_state_dict(model.policy.state_dict())
        self.agent = SB3Agent(frozen, config)

    def act(self, observations: Any, masks: Any, rng: Any) -> Any:
        """Returns an action for each row, [M]; the first legal one before the first copy."""
        return self.agent.act(observations, masks, rng) if self.agent else masks.argmax(axis=1)


class League(BaseCallback):
    """Lets past selves remember the policy in turn, one before each rollout."""

    def __init__(self, past: list[PastSelf], config: GameConfig) -> None:
        super().__init__()
        self._past, self._config, self._count = past, config, 0

    def _on_rollout_start(self) -> None:
        self._past[self._count % len(self._past)].remember(self.model, self._config)
        self._count += 1

    def _on_step(self) -> bool:
        return True


def main(arguments: Arguments) -> MaskablePPO:
    """Trains and evaluates; returns the model."""
    torch.set_num_threads(1)
    config = GameConfig(arguments.players)
    past = [PastSelf() for _ in range(arguments.most_past)]
    envs = make_sb3_vec(
        arguments.games,
        arguments.players,
        opponents=["greedy", *past],
        seed=arguments.seed,
        reward="margin",
        normalised=True,
    )
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=arguments.steps,
        batch_size=min(512, arguments.games * arguments.steps),
        n_epochs=3,
        gamma=1.0,
        ent_coef=0.01,
        learning_rate=1e-3,
        seed=arguments.seed,
        device="cpu",
        policy_kwargs={"net_arch": [128, 128]},
        verbose=1,
    )
    model.learn(arguments.turns, callback=League(past, config))
    if arguments.deals:
        agent = SB3Agent(model, config, deterministic=True)
        for opponent in ("random", "greedy"):
            own = evaluate([agent, opponent], deals=arguments.deals, seed=0).agents[0]
            share, points = own.win_share, own.score.mean
            print(
                f"{opponent}: wins {share.mean:.1%} ({share.low:.1%} to {share.high:.1%}) "
                f"with {points:.0f} points a game"
            )
    return model


if __name__ == "__main__":
    main(tyro.cli(Arguments))
