"""What only reports about The Castles of Tuscany show: points and actions by round.

`Historian` steps the games of a match, `details_of` sums up what an agent did, `show_details`
prints it. `situation` says what a seat has to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gonzaga_env.tuscany import Engine
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.constants import NUM_ROUNDS, SOURCES
from gonzaga_env.tuscany.state.state import MAIN, NOT_FINAL
from gonzaga_env.tuscany.view.game_view import view_game
from gonzaga_env.tuscany.view.words import end_words, stage_words

from ..evaluation.match import Match
from ..evaluation.report import fold_name, new_table, with_margin
from ..evaluation.summary import MatchSummary
from ..statistics.estimates import Estimate, mean_interval

#: The turn's actions (T3.1), in the order of the action space.
MOVES = ("draw", "take", "place a tile", "place a hexagon")
_STARTS = (ACTIONS.take.start, ACTIONS.tile.start, ACTIONS.hexagon.start)
_NAME_WIDTH = 13

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class History:
    """Points and actions by deal, rotation, seat and round.

    Attributes:
        points: points that came in a round, by source, [D, R, P, 3, S] int16.
        moves: actions of a round, by kind (`MOVES`), [D, R, P, 3, 4] int16.
    """

    points: NDArray[np.int16]
    moves: NDArray[np.int16]

    @classmethod
    def concatenate(cls, parts: Sequence[History]) -> Self:
        """Returns the histories of several sets of deals as one."""
        points, moves = ([getattr(p, name) for p in parts] for name in ("points", "moves"))
        return cls(np.concatenate(points), np.concatenate(moves))


class Historian:
    """Steps an engine and writes the history of its games down.

    Example:
        historian = Historian(engine, engine.step)
        while not engine.state.finished.all():
            historian.step(actions)
    """

    def __init__(self, engine: Engine, step: Callable[[Indices], Any]) -> None:
        """Starts with games that have just been dealt.

        Args:
            engine: N games, without autoreset.
            step: steps the engine: its own `step`, or that of a recorder.
        """
        self._engine, self._step = engine, step
        shape = engine.num_games, engine.num_players, NUM_ROUNDS
        self._points = np.zeros((*shape, len(SOURCES)), np.int16)
        self._moves = np.zeros((*shape, len(MOVES)), np.int16)

    def history(self, num_rotations: int) -> History:
        """Returns the history so far of games that are listed deal by deal."""
        arrays = (self._points, self._moves)
        return History(*(a.reshape(-1, num_rotations, *a.shape[1:]) for a in arrays))

    def step(self, actions: Indices) -> Any:
        """Steps the engine (same result and errors) and notes what was played."""
        engine = self._engine
        rows, seats = np.flatnonzero(engine.seats >= 0), engine.seats.copy()
        rounds, main = engine.rounds - 1, engine.kinds[rows] == MAIN
        before = engine.scores[rows].copy()
        result = self._step(actions)
        # Everybody may get points: those of a round's end belong to the round that ends.
        self._points[rows, :, rounds[rows]] += engine.scores[rows] - before
        acted = rows[main]
        kinds = np.searchsorted(_STARTS, actions[acted], side="right")
        self._moves[acted, seats[acted], rounds[acted], kinds] += 1
        return result


@dataclass(frozen=True)
class Details:
    """What one agent scored and did, per game and seat.

    Attributes:
        points: by source, then by round; each adds up to the points of the source.
        moves: actions by kind (`MOVES`), then by round.
    """

    points: dict[str, tuple[Estimate, ...]]
    moves: dict[str, tuple[Estimate, ...]]


def details_of(match: Match, own: NDArray[np.bool_]) -> Details:
    """Returns the details of an agent that fills the seats `own`, [R, P], of every deal."""
    history: History = match.history
    return Details(
        _by_round(history.points[:, own], SOURCES), _by_round(history.moves[:, own], MOVES)
    )


def _by_round(values: NDArray[Any], names: Sequence[str]) -> dict[str, tuple[Estimate, ...]]:
    """Returns the estimates of values [D, seats, 3, names] by name and round."""
    means = values.mean(axis=1)
    return {
        name: tuple(mean_interval(means[:, number, i]) for number in range(NUM_ROUNDS))
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
            table = new_table("", *(f"round {number + 1}" for number in range(NUM_ROUNDS)), "sum")
            for label, estimates in rows.items():
                if any(estimate.mean for estimate in estimates):
                    total = f"{sum(estimate.mean for estimate in estimates):.1f}"
                    cells = [with_margin(estimate) for estimate in estimates]
                    table.add_row(label.replace("_", " "), *cells, total)
            console.print(table, highlight=False)


def situation(engine: Engine) -> tuple[str, ...]:
    """Returns what the seat to act of the first game decides, and how far the game is."""
    view = view_game(engine.config, engine.state, 0, int(engine.seats[0]))
    return f"decides: {stage_words(view).partition(': ')[2]}", f"lap {view.lap}; {end_words(view)}"


def is_last_round(engine: Engine) -> bool:
    """Returns whether the first game is known to end (T10.3)."""
    return int(engine.state.turns_left[0]) != NOT_FINAL
