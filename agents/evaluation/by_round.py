"""What reports show of games with rounds: points by source and round, and actions by round.

A game's module `details` subclasses `Historian`, and offers `details_of` and `show_details` of this
module as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.spec import Engine

from ..common.arrays import Indices
from ..statistics.estimates import Estimate, mean_interval
from .match import Match
from .report import fold_name, new_table
from .summary import MatchSummary

_NAME_WIDTH = 13


class Kept:
    """A base of what a historian keeps: dataclasses of arrays [D, ...], and of names."""

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Returns the histories of several sets of deals as one."""
        columns = ([getattr(p, field.name) for p in parts] for field in fields(cls))  # type: ignore[arg-type]
        return cls(*(np.concatenate(c) if isinstance(c[0], np.ndarray) else c[0] for c in columns))

    def changed(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Self:
        """Returns the history with all arrays changed in the same way."""
        values = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
        return type(self)(*(change(v) if isinstance(v, np.ndarray) else v for v in values))

    def by_deal(self, num_rotations: int) -> Self:
        """Returns the history of games [N, ...] that are listed deal by deal, [D, R, ...]."""
        return self.changed(lambda array: array.reshape(-1, num_rotations, *array.shape[1:]))


@dataclass(frozen=True)
class History(Kept):
    """Points and actions by deal, rotation, seat and round."""

    sources: tuple[str, ...]  # of the points
    kinds: tuple[str, ...]  # of the actions
    points: NDArray[np.int16]  # points that came in a round, by source, [D, R, P, rounds, S] int16
    moves: NDArray[np.int16]  # actions of a round, by kind, [D, R, P, rounds, K] int16


class Historian:
    """Steps an engine and records the history of its games; a game's subclass says what counts.


    Example::

        historian = Historian(engine, engine.step)
        while not engine.state.finished.all():
            historian.step(actions)
    """

    num_rounds: int  # of a game
    kinds: ClassVar[tuple[str, ...]]  # of the actions that are counted

    def __init__(self, engine: Engine, step: Callable[[Indices], Any]) -> None:
        """Starts with games that have just been dealt.

        Args:
            engine: N games, without autoreset.
            step: steps the engine: its own `step`, or that of a recorder.
        """
        self._engine, self._step = engine, step
        self._sources = game_spec(engine.config.game).sources
        shape = engine.num_games, engine.num_players, self.num_rounds
        self._points = np.zeros((*shape, len(self._sources)), np.int16)
        self._moves = np.zeros((*shape, len(self.kinds)), np.int16)

    def kinds_of(self, rows: Indices, actions: Indices) -> Indices:
        """Returns which of `kinds` each action is, -1 for none, [M], before it is played.

        Args:
            rows: the games, [M].
            actions: [M].
        """
        raise NotImplementedError

    def history(self, num_rotations: int) -> History:
        """Returns the history so far of games that are listed deal by deal."""
        return History(self._sources, self.kinds, self._points, self._moves).by_deal(num_rotations)

    def step(self, actions: Indices) -> Any:
        """Steps the engine (same result and errors) and notes what was played."""
        engine = self._engine
        rows = np.flatnonzero(engine.seats >= 0)
        seats, rounds, before = engine.seats[rows], engine.rounds[rows] - 1, engine.scores[rows]
        kinds, before = self.kinds_of(rows, actions[rows]), before.copy()
        result = self._step(actions)
        # Everybody may get points: those of a round's end belong to the round that ends.
        self._points[rows, :, rounds] += engine.scores[rows] - before
        noted = kinds >= 0
        self._moves[rows[noted], seats[noted], rounds[noted], kinds[noted]] += 1
        return result


@dataclass(frozen=True)
class Details:
    """What one agent scored and did, per game and seat."""

    # by source, then by round; each adds up to the points of the source
    points: dict[str, tuple[Estimate, ...]]
    moves: dict[str, tuple[Estimate, ...]]  # actions by kind, then by round


def details_of(match: Match, own: NDArray[np.bool_]) -> Details:
    """Returns the details of an agent that fills the seats `own`, [R, P], of every deal."""
    history: History = match.history
    return Details(
        _by_round(history.points[:, own], history.sources),
        _by_round(history.moves[:, own], history.kinds),
    )


def _by_round(values: NDArray[Any], names: Sequence[str]) -> dict[str, tuple[Estimate, ...]]:
    """Returns the estimates of values [D, seats, rounds, names] by name and round."""
    means = values.mean(axis=1)
    return {
        name: tuple(mean_interval(means[:, number, i]) for number in range(means.shape[1]))
        for i, name in enumerate(names)
    }


def show_details(summary: MatchSummary, console: Console) -> None:
    """Prints the points of each agent by source and round, and its actions by round."""
    for agent in summary.agents:
        if agent.details is None:
            continue
        for what, rows in (("points", agent.details.points), ("actions", agent.details.moves)):
            name = " ".join(fold_name(agent.name, _NAME_WIDTH).split())
            console.print(f"\n{name}: {what} a game", highlight=False, markup=False)
            num_rounds = len(next(iter(rows.values())))
            heads = (f"round {number + 1}" for number in range(num_rounds))
            table = new_table("", *heads, "sum")
            for label, estimates in rows.items():
                if any(estimate.mean for estimate in estimates):
                    total = f"{sum(estimate.mean for estimate in estimates):.1f}"
                    cells = [estimate.with_margin() for estimate in estimates]
                    table.add_row(label.replace("_", " "), *cells, total)
            console.print(table, highlight=False)
