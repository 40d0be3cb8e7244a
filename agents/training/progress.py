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

import numpy as np
import torch
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent, agent_name
from gonzaga_env.kernel.records.files import write_records
from gonzaga_env.kernel.spec import Config
from gonzaga_env.progress import Progress

from ..play.runner import play_out
from .ppo import Experience, Policy
from .self_play import Result

_RECENT_GAMES = 500
_LINES = 10  # of progress where stderr is not a terminal


class ProgressReport:
    """Shows progress, and returns figures of recent games.

    The progress bar goes to stderr; where that is not a terminal, a few plain lines do. In these
    games the learner draws its actions, weak ones too, so it wins less often than in evaluations.
    """

    def __init__(self, turns: int, done: int) -> None:
        """Starts the clock, with some of all turns done."""
        self._total, self._first, self._turns = turns, done, done
        self._scores = deque[float](maxlen=_RECENT_GAMES)
        self._shares = defaultdict[str, deque[float]](lambda: deque(maxlen=_RECENT_GAMES))
        self._start, self._last_line = time.monotonic(), done
        self._bar = Progress("training", turns)

    def update(self, turns: int, results: Sequence[Result]) -> dict[str, float]:
        """Takes the turns so far and the games that finished; returns means over recent games.

        A game counts for every kind of opponent in it.
        """
        self._turns = turns
        for result in results:
            self._scores.append(result.score)
            for name in result.opponents:
                self._shares[name].append(result.share or 0.0)
        speed = (turns - self._first) / max(time.monotonic() - self._start, 1e-9)
        figures, words = {"time/turns_per_second": speed}, [f"{speed:,.0f}/s"]
        if self._scores:
            figures["games/score"] = score = float(np.mean(self._scores))
            words.append(f"score {score:.0f}")
        wins = []
        for name, shares in sorted(self._shares.items()):
            figures[f"win_share/{name}"] = share = float(np.mean(shares))
            wins.append(f"{name} {share:.0%} of {len(shares)}")
        if wins:
            words.append(f"wins of recent games, exploring: {', '.join(wins)}")
        text = ", ".join(words)
        self._bar.update(turns, text)
        if not sys.stderr.isatty() and turns - self._last_line >= self._total / _LINES:
            self._last_line = turns
            self.print(text)
        return figures

    def print(self, text: str) -> None:
        """Prints a line of progress on stderr, above the bar if there is one."""
        self._bar.erase()
        print(f"{self._turns:,} of {self._total:,} turns: {text}", file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Removes the bar, also when training is interrupted."""
        self._bar.erase()


_SAMPLE = 2048  # decisions that are looked at
_EARLY, _LATE = 3, 8  # rounds up to and from which a game is early or late


@torch.no_grad()
def diagnose(policy: Policy, experience: Experience, kinds: Sequence[str]) -> dict[str, float]:
    """Returns figures for logs about a policy that has just learned from experience.

    Entropy, divergence from the policy before, and the share of the variance of returns that the
    critic explains, by kind of decision; the critic's error early, in the middle and late in the
    game; the spread of advantages ("noise").
    """
    rows = np.random.default_rng(0).permutation(len(experience))[:_SAMPLE]
    batch = policy.network.batch.of(experience.inputs.take(rows), policy.device)
    _, found, entropy = policy.evaluate(
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


class EventWriter:
    """Writes figures for TensorBoard."""

    def __init__(self, folder: Path) -> None:
        """Begins a file; an OSError, here and when figures are written, names it."""
        folder.mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{time.time_ns()}.{socket.gethostname()}.{os.getpid()}"
        self._path = folder / name
        self._file = self._path.open("xb")
        self._add(file_version="brain.Event:2")

    def write(self, figures: Mapping[str, float], turns: int) -> None:
        """Writes figures by name, drawn over the learner's turns."""
        values = [
            Summary.Value(tag=name, simple_value=float(value))
            for name, value in sorted(figures.items())
        ]
        self._add(step=turns, summary=Summary(value=values))

    def _add(self, **fields: object) -> None:
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
    """Writes records of games with seeds 0, 1, ..., in which an agent has all seats."""
    spec = game_spec(config.game)
    engine = spec.engine.from_config(config, num_games, seed=_SEED, autoreset=False)
    recorder = spec.records.recorder(engine, [agent_name(agent)] * config.num_players)
    seating = np.zeros((num_games, config.num_players), dtype=np.int64)
    play_out(engine, [agent], seating, [np.random.default_rng(_SEED)], recorder.step)
    path.parent.mkdir(exist_ok=True)
    records = sorted(recorder.pop(), key=lambda record: int(record["seed"]))
    write_records(path, records)
