"""What a training run shows and logs while it runs."""

from __future__ import annotations

import sys
import time
from collections import defaultdict, deque
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.logger import Logger

from ..self_play import Result

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
