"""What happens beside training: the progress bar, figures, snapshots and checkpoints."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

from ..network.agent import NetworkAgent

_RECENT_GAMES = 500
_LINES = 10  # that tell of progress where there is no terminal


class Every(BaseCallback):
    """Calls a function every so many turns of the learner."""

    def __init__(self, turns: int, action: Callable[[], object]) -> None:
        super().__init__()
        self._turns, self._action, self._next = turns, action, turns

    def _on_training_start(self) -> None:
        self._next = self.num_timesteps + self._turns

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        # Between two rollouts the weights are those of a whole update.
        if self.num_timesteps >= self._next:
            self._next = self.num_timesteps + self._turns
            self._action()


class Snapshots:
    """Frozen copies of the learner's network, which it plays against.

    Attributes:
        agents: the copies; each `refresh` gives the oldest the learner's weights.
    """

    def __init__(self, agents: Sequence[NetworkAgent]) -> None:
        self.agents = tuple(agents)
        self._oldest = 0

    def fill(self, weights: dict[str, object]) -> None:
        """Gives all copies these weights."""
        for _ in self.agents:
            self.refresh(weights)

    def refresh(self, weights: dict[str, object]) -> None:
        """Gives the oldest copy these weights."""
        if self.agents:
            self.agents[self._oldest].network.load_state_dict(weights)
            self._oldest = (self._oldest + 1) % len(self.agents)


class Report(BaseCallback):
    """Shows how far training is and how recent games ended; writes the latter to the logger too.

    The bar goes to stderr; where that is no terminal, a few plain lines do.
    """

    def __init__(self, timesteps: int) -> None:
        super().__init__()
        self._total = timesteps
        self._games: deque[tuple[float, float]] = deque(maxlen=_RECENT_GAMES)  # score, won
        self._bar = Progress(
            TextColumn("training"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} turns"),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("training", total=timesteps, figures="")

    def _on_training_start(self) -> None:
        self._first, self._start = self.num_timesteps, time.monotonic()
        self._told = self.num_timesteps
        self._bar.start()

    def _on_step(self) -> bool:
        self._games.extend((info["score"], info["won"]) for info in self.locals["infos"] if info)
        self._bar.update(self._task, completed=self.num_timesteps, figures=self._figures())
        if self._bar.disable and self.num_timesteps - self._told >= self._total / _LINES:
            self._told = self.num_timesteps
            line = f"{self.num_timesteps:,} of {self._total:,} turns, {self._figures()}"
            print(line, file=sys.stderr, flush=True)
        return True

    def _on_rollout_end(self) -> None:
        if self._games:
            score, won = np.mean(self._games, axis=0)
            self.logger.record("games/score", score)
            self.logger.record("games/win_share", won)

    def _on_training_end(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Takes the bar away, also when training is interrupted."""
        self._bar.stop()

    def _figures(self) -> str:
        seconds = max(time.monotonic() - self._start, 1e-9)
        speed = f"{(self.num_timesteps - self._first) / seconds:,.0f}/s"
        if not self._games:
            return speed
        score, won = np.mean(self._games, axis=0)
        return f"{speed}, score {score:.0f}, wins {won:.0%}"
