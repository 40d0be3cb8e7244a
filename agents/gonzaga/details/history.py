"""What every seat planned and placed in every round of a match, and what it could have placed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import Engine, StepResult
from gonzaga_env.core.batch.legal import legal_placements
from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.state.state import PLACE, current_fiefs

from ...evaluation.by_round import Kept
from ..heuristic import Heuristic, Weights

MOVES = ("fief", "one ring", "two rings", "donation")
FIEF, ONE_RING, TWO_RINGS, DONATION = range(len(MOVES))
NO_MOVE = 255
NOTHING = -1

Indices = NDArray[np.int64]
Step = Callable[[Indices], StepResult]


@dataclass(frozen=True)
class History(Kept):
    """Plans and placements by deal, rotation, round and seat; the arrays are [D, R, 12, P].

    Points are those that a placement scores immediately: cities, harbors, leagues, donations.
    """

    region_names: tuple[str, ...]  # names of the region cards, the inactive one last
    plans: NDArray[np.uint8]  # index of the plan, uint8; 255 in rounds that were not played
    moves: NDArray[np.uint8]  # index in `MOVES`, uint8; 255 in rounds that were not played
    points: NDArray[np.int16]  # points of the placement, int16
    # the most points of any placement or wedding that was legal for the seat when the plans were
    # revealed, int16; -1 if none was
    best_revealed: NDArray[np.int16]
    best_left: NDArray[np.int16]  # the same at its turn, after the earlier seats of the turn order

    def of_seats(self, own: NDArray[np.bool_]) -> History:
        """Returns the history of S of the R * P seats, chosen by a mask; arrays are [D, S, 12]."""
        return self.changed(lambda array: array.swapaxes(2, 3)[:, own])

    @property
    def blocked(self) -> NDArray[np.bool_]:
        """Where a placement or wedding was legal at the reveal, but none at the seat's turn."""
        return (self.best_revealed > NOTHING) & (self.best_left == NOTHING)

    @property
    def best_taken(self) -> NDArray[np.bool_]:
        """Where no placement that scored as much as the best at the reveal was left at its turn."""
        return self.best_left < self.best_revealed


class Historian:
    """Steps an engine whose games run in lockstep, and records their history.

    Example::

        historian = Historian(engine, engine.step)
        while not engine.state.finished.all():
            historian.step(actions)
    """

    def __init__(self, engine: Engine, step: Step) -> None:
        """Starts with games that have just been dealt.

        Args:
            engine: N games, without autoreset.
            step: steps the engine: its own `step`, or that of a recorder.
        """
        self._engine, self._step = engine, step
        shape = engine.num_games, NUM_FIEFS, engine.num_players
        self._history = History(
            region_names=engine.tables.actions.region_names,
            plans=np.full(shape, NO_PLAN, dtype=np.uint8),
            moves=np.full(shape, NO_MOVE, dtype=np.uint8),
            points=np.zeros(shape, dtype=np.int16),
            best_revealed=np.full(shape, NOTHING, dtype=np.int16),
            best_left=np.full(shape, NOTHING, dtype=np.int16),
        )
        points_only = Weights(objective=None, ring=0.0, donation=NOTHING)
        self._heuristic = Heuristic(engine.tables, engine.rules, points_only)

    def history(self, num_rotations: int) -> History:
        """Returns the history so far of games that are listed deal by deal."""
        return self._history.by_deal(num_rotations)

    def step(self, actions: Indices) -> StepResult:
        """Steps the engine (same result and errors) and notes what was played."""
        state = self._engine.state
        rows = np.flatnonzero(~state.finished)
        seats, rounds = self._engine.seats[rows], state.round[rows] - 1
        if state.phase[rows[0]] != PLACE:
            result = self._step(actions)
            self._history.plans[rows, rounds, seats] = actions[rows]
            return result
        if state.num_acted[rows[0]] == 0:
            self._note_reveal(rows)
        best = self._best(rows, seats, *self._engine.legal_actions(rows))
        result = self._step(actions)
        self._history.best_left[rows, rounds, seats] = best
        self._history.moves[rows, rounds, seats] = self._kind(actions[rows])
        self._history.points[rows, rounds, seats] = result.points[rows]
        return result

    def _note_reveal(self, rows: Indices) -> None:
        """Notes the best placement of every seat before anybody has placed."""
        state, tables = self._engine.state, self._engine.tables
        games = rows.repeat(state.num_players)
        seats = np.tile(np.arange(state.num_players), len(rows))
        legal = legal_placements(tables, state, games, seats)
        fiefs = current_fiefs(state, rows).reshape(-1)
        best = self._best(games, seats, *tables.legal_sets.list_actions(legal, fiefs))
        self._history.best_revealed[games, state.round[games] - 1, seats] = best

    def _best(self, rows: Indices, seats: Indices, at: Indices, actions: Indices) -> Indices:
        """Returns the most points of listed actions, [M]; -1 where only the donation is listed.

        Args:
            rows: games, [M].
            seats: the seat that places, [M].
            at: positions among the M, sorted, [L].
            actions: an action for each, [L].
        """
        values = self._heuristic.values(self._engine.state, rows, seats)
        points = self._heuristic.placements(values, at, actions).astype(np.int64)
        best = np.full(len(rows), NOTHING, dtype=np.int64)
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        best[at[starts]] = np.maximum.reduceat(points, starts)
        return best

    def _kind(self, actions: Indices) -> NDArray[np.uint8]:
        """Returns the kind of each placement, [M]."""
        space = self._engine.tables.actions
        starts = [space.ring.start, space.rings.start, space.donate]
        return np.searchsorted(starts, actions, side="right").astype(np.uint8)
