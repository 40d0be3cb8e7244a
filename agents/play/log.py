"""A table's game told to one viewer: a line or more for each move, and positions on demand."""

from __future__ import annotations

from collections.abc import Sequence

from gonzaga_env.core.single.game import Game
from gonzaga_env.core.story import Frame, Line, tell
from gonzaga_env.core.view.game_view import GameView, Viewer

KEPT = 16  # positions in memory; earlier ones are made again, which takes a replay of the game

Moves = Sequence[tuple[int, int]]  # seat and action of every move so far


class GameLog:
    """A game told to one viewer.

    The game is replayed from its deal, so a viewer who comes late is told everything.
    """

    def __init__(self, dealt: Game, viewer: Viewer, names: Sequence[str]) -> None:
        """Takes a game that has just been dealt, and who looks."""
        self._dealt, self._viewer, self._names = dealt, viewer, tuple(names)
        self._game = dealt.copy()
        self._views = {0: self._view(self._game)}
        self._lines: list[tuple[Line, ...]] = [()]

    def lines(self, moves: Moves) -> list[tuple[Line, ...]]:
        """Returns the lines of every frame: none for the deal, then those of each move."""
        while (number := len(self._lines)) <= len(moves):
            self._game.play(moves[number - 1][1])
            self._views[number] = self._view(self._game)
            self._lines.append(tell(self._views[number - 1], self._views[number]))
            self._views.pop(number - KEPT, None)
        return self._lines

    def frames(self, moves: Moves, since: int) -> list[Frame]:
        """Returns the frames of all moves from `since` on, 0 for the deal.

        Args:
            moves: those told before, and more.
            since: the first one wanted.
        """
        lines, first = self.lines(moves), max(0, since)
        views = self._views if first in self._views else self._views_since(moves, first)
        return [Frame(k, lines[k], views[k]) for k in range(first, len(moves) + 1)]

    def _views_since(self, moves: Moves, first: int) -> dict[int, GameView]:
        game, views = self._dealt.copy(), dict(self._views)
        for number in range(len(moves) + 1):
            if number > 0:
                game.play(moves[number - 1][1])
            if number >= first and number not in views:
                views[number] = self._view(game)
        return views

    def _view(self, game: Game) -> GameView:
        return game.view(self._viewer, names=self._names)
