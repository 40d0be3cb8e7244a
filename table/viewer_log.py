"""A table's game as one viewer sees it: a line or more for each move, and positions on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.view import Frame, LogLine, View, Viewer

from .opening import Opening, play_moves

KEPT = 4  # last positions in memory; earlier ones are made again by a replay

Moves = Sequence[tuple[int, int]]  # seat and action of every move so far


class ViewerLog:
    """A game as one viewer sees it.

    The game is replayed from its deal, so a viewer who comes late gets everything.
    """

    def __init__(
        self,
        dealt: Any,
        viewer: Viewer,
        names: Sequence[str],
        opening: Opening | None = None,
        notes: Iterable[tuple[int, LogLine]] = (),
    ) -> None:
        """Takes a game that has just been dealt, and who looks.

        Args:
            dealt: the game.
            viewer: a seat or "public".
            names: what the players are called.
            opening: how the table began.
            notes: lines that belong to no move, each with the move that it follows.
        """
        self._dealt, self._viewer, self._names = dealt, viewer, tuple(names)
        self._opening = opening
        self._game = dealt.copy()
        self._told = game_spec(dealt.config.game).lines
        self._views = {0: self._view(self._game)}
        self._notes = dict[int, tuple[LogLine, ...]]()
        for move, line in notes:
            self._notes[move] = (*self._notes.get(move, ()), line)
        self._lines: list[tuple[LogLine, ...]] = [self._notes.get(0, ())]
        self._replayed = 0, dealt.copy()  # moves and position of the last replay

    @property
    def num_logged(self) -> int:
        """Moves shown so far."""
        return len(self._lines) - 1

    def extend(self, moves: Moves, most: int | None = None) -> None:
        """Adds the moves that are new, or the first `most` of them: each takes half a millisecond.

        Args:
            moves: those logged before, and more.
            most: moves logged at most; None for all.
        """
        logged = self.num_logged
        end = len(moves) if most is None else min(len(moves), logged + most)
        for number in range(logged + 1, end + 1):
            play_moves(self._game, moves[:number], number - 1, self._opening)
            self._views[number] = self._view(self._game)
            told = self._told(self._views[number - 1], self._views[number])
            self._lines.append((*told, *self._notes.get(number, ())))
            self._views.pop(number - KEPT, None)

    def lines(self, moves: Moves) -> list[tuple[LogLine, ...]]:
        """Returns the lines of every frame: none for the deal, then those of each move."""
        self.extend(moves)
        return self._lines

    def frames(self, moves: Moves, since: int) -> list[Frame]:
        """Returns the frames of all moves from `since` on, 0 for the deal."""
        self.extend(moves)
        return [self.frame(moves, number) for number in range(max(0, since), len(moves) + 1)]

    def frame(self, moves: Moves, number: int) -> Frame:
        """Returns the frame of a move that has been shown, 0 for the deal."""
        view = self._views.get(number)
        return Frame(number, self._lines[number], view or self._view_again(moves, number))

    def _view_again(self, moves: Moves, number: int) -> View:
        """Returns an earlier view; one after the other, they take a single replay."""
        done, game = self._replayed
        if done > number:
            done, game = 0, self._dealt.copy()
        play_moves(game, moves[:number], done, self._opening)
        self._replayed = number, game
        return self._view(game)

    def _view(self, game: Any) -> View:
        return game.view(self._viewer, names=self._names)
