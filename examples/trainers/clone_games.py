"""Clones the play of a data set with the plain network of `train.py --prior none`.

pip install -c constraints.txt ".[train]"
gonzaga data write planner --players 4 --games 960 --out runs/games
python examples/trainers/clone_games.py --games runs/games --out runs/clone
python evaluate.py runs/clone random greedy

It plays no game: it reads what seats saw and did, pass after pass, and saves a checkpoint of
`train.py` after each. The same command continues a run that was stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from gonzaga_agents.commands.train import TrainOptions as Training
from gonzaga_agents.commands.train import setup_of
from gonzaga_agents.data import load
from gonzaga_agents.data.read import blocks
from gonzaga_agents.network.checkpoint import read_description
from gonzaga_agents.network.description import CHECKPOINT
from gonzaga_agents.network.flat import FlatInputs
from gonzaga_agents.training.run import Run
from torch import nn

VALUE_WEIGHT = 0.1  # all decisions of a game share one outcome, so few outcomes are soon learned


@dataclass(frozen=True)
class Arguments:
    """Learns to choose what the players of a data set chose."""

    games: Path = Path("runs/games")  # records, written by `gonzaga data write`
    out: Path = Path("runs/clone")
    passes: int = 5
    minibatch: int = 256
    learning_rate: float = 1e-3  # at the start; it falls to a tenth
    seed: int = 0


def begin(arguments: Arguments, decisions: int) -> Run:
    """Returns the run of the last pass, or a new one; its turns are the decisions read."""
    config = next(blocks(arguments.games)).config
    training = Training(
        prior="none",
        game=config.game,
        players=config.num_players,
        opponents="",
        timesteps=arguments.passes * decisions,
        seed=arguments.seed,
    )
    is_begun = (arguments.out / CHECKPOINT).is_file()
    setup = setup_of(replace(training, resume=is_begun), num_processes=1)
    kept = setup.arguments | {"algorithm": "clone"}  # the checkpoint does not claim to be PPO's
    return Run(replace(setup, arguments=kept), arguments.out, resume=is_begun)


def learn(run: Run, batch: dict[str, np.ndarray]) -> tuple[float, float]:
    """Takes one step of the optimizer; returns the loss, and how often the choice was guessed."""
    policy, optimizer = run.ppo.policy, run.ppo.optimizer
    inputs = FlatInputs.of(batch["observation"], *batch["action_mask"].nonzero())
    chosen = torch.from_numpy((inputs.actions == batch["action"][:, None]).argmax(axis=1))
    seen = policy.network.batch.of(inputs)
    logits, values = policy.network(*seen[:-1])
    loss = nn.functional.cross_entropy(logits, chosen)
    returns = torch.from_numpy(batch["return"] * np.float32(run.setup.reward_scale))
    both = nn.functional.mse_loss(values, returns)
    both = both + nn.functional.mse_loss(policy.critic(seen), returns)
    optimizer.zero_grad()
    (loss + VALUE_WEIGHT * both).backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()
    return loss.item(), (logits.argmax(dim=1) == chosen).float().mean().item()


def main(arguments: Arguments) -> Any:
    """Learns for all passes; returns the run, or None where they are done."""
    torch.set_num_threads(1)
    decisions = sum(len(batch["action"]) for batch in load(arguments.games, columns=["action"]))
    file = arguments.out / CHECKPOINT
    if file.is_file() and read_description(file)["timesteps"] >= arguments.passes * decisions:
        print(f"{arguments.out} has learned for {arguments.passes} passes; raise --passes for more")
        return None
    run = begin(arguments, decisions)
    for number in range(run.turns // decisions, arguments.passes):
        batches = load(
            arguments.games,
            columns=["observation", "action_mask", "action", "return"],
            batch_size=arguments.minibatch,
            reward="margin",
            seed=arguments.seed + 1_000_003 * number,  # another order in every pass
        )
        figures = []
        for step, batch in enumerate(batches):
            done = (number + step * arguments.minibatch / decisions) / arguments.passes
            for group in run.ppo.optimizer.param_groups:
                group["lr"] = arguments.learning_rate * (1 - 0.9 * done)
            figures.append(learn(run, batch))
        loss, guessed = np.mean(figures, axis=0)
        run.turns += decisions
        print(f"pass {number + 1}: {decisions:,} decisions, loss {loss:.3f}, {guessed:.1%} guessed")
        run.save()
    return run


if __name__ == "__main__":
    main(tyro.cli(Arguments))
