"""Callbacks of a training run: progress, statistics, snapshots and checkpoints."""

from __future__ import annotations

import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

from ..network.agent import NetworkAgent

_RECENT_GAMES = 500
_LINES = 10  # of progress where stderr is not a terminal


class Every(BaseCallback):
    """Calls a function after every so many turns of the learner."""

    def __init__(self, turns: int, action: Callable[[], object]) -> None:
        super().__init__()
        self._turns, self._action, self._next = turns, action, turns

    def _on_training_start(self) -> None:
        self._next = self.num_timesteps + self._turns

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        # Between two rollouts the weights are those of a complete update.
        if self.num_timesteps >= self._next:
            self._next = self.num_timesteps + self._turns
            self._action()


class Snapshots:
    """Frozen copies of the learner's network, as opponents of the learner.

    Attributes:
        agents: the copies; each `refresh` gives the oldest one the learner's weights.
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


class RecentGames:
    """Scores and win shares of the learner's recent games, over all and by opponent."""

    def __init__(self) -> None:
        self._all = _recent_results()
        self._by_opponent: defaultdict[str, deque[tuple[float, float]]] = defaultdict(
            _recent_results
        )

    def add(self, info: dict[str, Any]) -> None:
        """Adds a game that ended; it counts once for each opponent that took part."""
        result = info["score"], info["won"]
        self._all.append(result)
        for name in set(info["opponents"]):
            self._by_opponent[name].append(result)

    def overall(self) -> tuple[float, float] | None:
        """Returns mean score and win share; None before the first game ends."""
        return _means(self._all)

    def by_opponent(self) -> dict[str, tuple[float, float]]:
        """Returns mean score and win share of the games with each opponent, by name."""
        found = {name: _means(games) for name, games in sorted(self._by_opponent.items())}
        return {name: means for name, means in found.items() if means is not None}


def _recent_results() -> deque[tuple[float, float]]:
    return deque(maxlen=_RECENT_GAMES)


def _means(games: deque[tuple[float, float]]) -> tuple[float, float] | None:
    if not games:
        return None
    score, won = np.mean(games, axis=0).tolist()
    return score, won


class Report(BaseCallback):
    """Shows progress and the results of recent games, and logs the latter.

    The progress bar goes to stderr; where that is not a terminal, a few plain lines do.
    """

    def __init__(self, timesteps: int) -> None:
        super().__init__()
        self._total, self._games = timesteps, RecentGames()
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("training"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} turns"),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("training", total=timesteps, figures="")

    def _on_training_start(self) -> None:
        self._first, self._start = self.num_timesteps, time.monotonic()
        self._last_line = self.num_timesteps
        self._bar.start()

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if info:
                self._games.add(info)
        self._bar.update(self._task, completed=self.num_timesteps, figures=self._figures())
        if self._bar.disable and self.num_timesteps - self._last_line >= self._total / _LINES:
            self._last_line = self.num_timesteps
            self.print(self._figures())
        return True

    def _on_rollout_end(self) -> None:
        overall = self._games.overall()
        if overall is not None:
            self.logger.record("games/score", overall[0])
            self.logger.record("games/win_share", overall[1])
        for name, (score, won) in self._games.by_opponent().items():
            self.logger.record(f"score/{name}", score)
            self.logger.record(f"win_share/{name}", won)

    def _on_training_end(self) -> None:
        self.stop()

    def print(self, text: str) -> None:
        """Prints a line of progress on stderr, above the bar if there is one."""
        line = f"{self.num_timesteps:,} of {self._total:,} turns: {text}"
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def stop(self) -> None:
        """Removes the bar, also when training is interrupted."""
        self._bar.stop()

    def _figures(self) -> str:
        seconds = max(time.monotonic() - self._start, 1e-9)
        speed = f"{(self.num_timesteps - self._first) / seconds:,.0f}/s"
        overall = self._games.overall()
        if overall is None:
            return speed
        shares = [f"{name} {won:.0%}" for name, (_, won) in self._games.by_opponent().items()]
        return f"{speed}, score {overall[0]:.0f}, wins {overall[1]:.0%} ({', '.join(shares)})"
