"""The frames of a table as one viewer sees them, made when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from gonzaga_env.core.single.game import Game
from gonzaga_env.core.story import Frame, tell
from gonzaga_env.core.view.game_view import GameView, Viewer

KEPT = 16  # frames in memory; earlier ones are made again, which takes a replay of the game


class GameLog:
    """A game told to one viewer.

    The game is replayed from its deal, so a viewer who comes late is told everything, and only what
    is asked for is made.
    """

    def __init__(self, dealt: Game, viewer: Viewer, names: Sequence[str]) -> None:
        """Takes a game that has just been dealt, and who looks."""
        self._dealt, self._viewer, self._names = dealt, viewer, tuple(names)
        self._game, self._num_played = dealt.copy(), 0
        self._views: dict[int, GameView] = {}

    def frames(self, moves: Sequence[tuple[int, int]], since: int) -> list[Frame]:
        """Returns the frames of all moves from `since` on, 0 for the deal.

        Args:
            moves: seat and action of every move so far; those told before stay the same.
            since: the first one wanted.
        """
        first = max(0, since)
        views = {k: self._view(moves, k) for k in range(max(0, first - 1), len(moves) + 1)}
        self._views = {k: view for k, view in views.items() if k > len(moves) - KEPT}
        return [
            Frame(k, () if k == 0 else tell(views[k - 1], views[k]), views[k])
            for k in range(first, len(moves) + 1)
        ]

    def _view(self, moves: Sequence[tuple[int, int]], number: int) -> GameView:
        """Returns the position after a number of moves."""
        if number in self._views:
            return self._views[number]
        if number < self._num_played:
            self._game, self._num_played = self._dealt.copy(), 0
        for _, action in moves[self._num_played : number]:
            self._game.play(action)
        self._num_played = number
        return self._game.view(self._viewer, names=self._names)
