"""What a training run shows and logs while it runs: progress, figures, sample games."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.logger import KVWriter, Logger
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent, agent_name
from gonzaga_env.kernel.records.files import write_records
from gonzaga_env.kernel.spec import Config

from ..play.games import play_out
from .policy import ChoicePolicy
from .self_play import Experience, Result

_RECENT_GAMES = 500
_LINES = 10  # of progress where stderr is not a terminal


class RecentGames:
    """Scores of the learner's recent games, and its win shares by opponent."""

    def __init__(self) -> None:
        self._scores: deque[float] = deque(maxlen=_RECENT_GAMES)
        self._shares: defaultdict[str, deque[float]] = defaultdict(
            lambda: deque(maxlen=_RECENT_GAMES)
        )

    def add(self, results: Sequence[Result]) -> None:
        """Adds games; each counts once for every kind of opponent that took part."""
        for result in results:
            self._scores.append(result.score)
            for name in result.opponents:
                self._shares[name].append(result.share or 0.0)

    def score(self) -> float | None:
        """Returns the mean score; None before the first game ends."""
        return float(np.mean(self._scores)) if self._scores else None

    def win_shares(self) -> dict[str, tuple[float, int]]:
        """Returns the mean win share and the number of games with each opponent, by name."""
        found = sorted(self._shares.items())
        return {name: (float(np.mean(shares)), len(shares)) for name, shares in found}


class Report:
    """Shows progress, and logs the results of recent games.

    The progress bar goes to stderr; where that is not a terminal, a few plain lines do. In these
    games the learner draws its actions, weak ones too, so it wins less often than in evaluations.
    """

    def __init__(self, turns: int, done: int) -> None:
        """Starts the clock.

        Args:
            turns: the learner's turns in all.
            done: turns that were played before.
        """
        self._total, self._first, self._turns = turns, done, done
        self._games, self._start = RecentGames(), time.monotonic()
        self._last_line = done
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("training"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} turns"),
            TextColumn("{task.fields[figures]}", markup=False),
            TimeRemainingColumn(),
            console=self._console,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("training", total=turns, completed=done, figures="")
        self._bar.start()

    def update(self, turns: int, results: Sequence[Result], logger: Logger) -> None:
        """Takes the turns so far and the games that finished."""
        self._turns = turns
        self._games.add(results)
        if (score := self._games.score()) is not None:
            logger.record("games/score", score)
        for name, (share, _) in self._games.win_shares().items():
            logger.record(f"win_share/{name}", share)
        logger.record("time/turns_per_second", self._speed())
        self._bar.update(self._task, completed=turns, figures=self._figures())
        if self._bar.disable and turns - self._last_line >= self._total / _LINES:
            self._last_line = turns
            self.print(self._figures())

    def print(self, text: str) -> None:
        """Prints a line of progress on stderr, above the bar if there is one."""
        line = f"{self._turns:,} of {self._total:,} turns: {text}"
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def stop(self) -> None:
        """Removes the bar, also when training is interrupted."""
        self._bar.stop()

    def _speed(self) -> float:
        return (self._turns - self._first) / max(time.monotonic() - self._start, 1e-9)

    def _figures(self) -> str:
        figures, score = [f"{self._speed():,.0f}/s"], self._games.score()
        if score is not None:
            figures.append(f"score {score:.0f}")
        if shares := self._games.win_shares():
            found = ", ".join(f"{name} {share:.0%} of {n}" for name, (share, n) in shares.items())
            figures.append(f"wins of recent games, exploring: {found}")
        return ", ".join(figures)


_SAMPLE = 2048  # decisions that are looked at
_EARLY, _LATE = 3, 8  # rounds up to and from which a game is early or late


@torch.no_grad()
def diagnose(
    policy: ChoicePolicy, experience: Experience, kinds: Sequence[str]
) -> dict[str, float]:
    """Returns figures for logs about a policy that has just learned from experience.

    Entropy, divergence from the policy before, and the share of the variance of returns that the
    critic explains, by kind of decision; the critic's error early, in the middle and late in the
    game; the spread of advantages ("noise").

    Args:
        policy: what has learned.
        experience: what it learned from.
        kinds: names of the kinds of decisions.
    """
    rows = np.random.default_rng(0).permutation(len(experience))[:_SAMPLE]
    batch = policy.network.batch.of(experience.inputs.take(rows), policy.device)
    _, found, entropy = policy.evaluate_choices(
        batch, torch.from_numpy(experience.chosen[rows]).to(policy.device)
    )
    change = found.cpu().numpy() - experience.log_probs[rows]
    divergence = np.exp(change) - 1 - change  # http://joschu.net/blog/kl-approx.html
    error = experience.returns[rows] - experience.values[rows]
    rounds = experience.rounds[rows]
    figures = {"train/advantage_noise": float(experience.advantages[rows].std())}
    for kind in np.unique(experience.kinds[rows]):
        name, which = kinds[kind], experience.kinds[rows] == kind
        returns = experience.returns[rows][which]
        figures |= {
            f"entropy/{name}": float(entropy.cpu().numpy()[which].mean()),
            f"kl/{name}": float(divergence[which].mean()),
            f"explained_variance/{name}": float(1 - error[which].var() / (returns.var() + 1e-9)),
        }
    parts = {"early": rounds <= _EARLY, "late": rounds >= _LATE}
    parts["middle"] = ~(parts["early"] | parts["late"])
    for part, which in parts.items():
        if which.any():
            figures[f"value_error/{part}"] = float(np.abs(error[which]).mean())
    return figures


class EventWriter(KVWriter):
    """Writes numbers for TensorBoard, as an output of stable-baselines3's `Logger`."""

    def __init__(self, folder: Path) -> None:
        """Begins a file.

        Args:
            folder: where TensorBoard will look; it is made.

        Raises:
            OSError: it cannot be written; the error names the file.
        """
        folder.mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{time.time_ns()}.{socket.gethostname()}.{os.getpid()}"
        self._path = folder / name
        self._file = self._path.open("xb")
        self._add(file_version="brain.Event:2")

    def write(
        self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0
    ) -> None:
        """Writes numbers by name.

        Args:
            key_values: the numbers.
            key_excluded: not looked at.
            step: what they are drawn over.

        Raises:
            OSError: they cannot be written; the error names the file.
        """
        values = [
            Summary.Value(tag=name, simple_value=float(value))
            for name, value in sorted(key_values.items())
        ]
        self._add(step=step, summary=Summary(value=values))

    def _add(self, **fields: Any) -> None:
        event = Event(wall_time=time.time(), **fields)
        try:
            RecordWriter(self._file).write(event.SerializeToString())
            self._file.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from None

    def close(self) -> None:
        """Ends the file; what could not be written is lost."""
        with suppress(OSError):  # the one that a write has raised
            self._file.close()


_SEED = 0  # always the same deals, so that samples can be compared


def write_samples(path: Path, config: Config, agent: Agent, num_games: int) -> None:
    """Writes records of games in which an agent has all seats.

    Args:
        path: the file; its folder is made.
        config: what is played.
        agent: who plays; no random number of anyone else is drawn.
        num_games: games, with seeds 0, 1, ...

    Raises:
        AgentError: the agent plays an invalid action.
        OSError: the file cannot be written.
    """
    spec = game_spec(config.game)
    if spec.recorder is None:
        return
    engine = spec.engine.from_config(config, num_games, seed=_SEED, autoreset=False)
    recorder = spec.recorder(engine, [agent_name(agent)] * config.num_players)
    seating = np.zeros((num_games, config.num_players), dtype=np.int64)
    play_out(engine, [agent], seating, [np.random.default_rng(_SEED)], recorder.step)
    path.parent.mkdir(exist_ok=True)
    records = sorted(recorder.pop(), key=lambda record: int(record["seed"]))
    write_records(path, records)
