"""The engine for batches: N games on numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.engines.batch import BatchEngine
from gonzaga_env.tabletop.rewards import Reward
from gonzaga_env.tabletop.rows import Rows
from gonzaga_env.tuscany.base import GameBase
from gonzaga_env.tuscany.batch import legal
from gonzaga_env.tuscany.batch.games import Games
from gonzaga_env.tuscany.batch.observations import observe
from gonzaga_env.tuscany.batch.transitions import apply_actions
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import SOURCES
from gonzaga_env.tuscany.editions.edition import Edition
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.state.deals import Deal
from gonzaga_env.tuscany.state.state import (
    END_TILES,
    RED,
    ROUND_1,
    YIELD_RED,
    State,
    start_games,
    winners,
)
from gonzaga_env.tuscany.view.game_view import GameView

_SOURCES = np.arange(len(SOURCES))
#: Sources of points that an answer itself brings, green or red: all but those of T11, [15].
_AT_ONCE = ((_SOURCES < ROUND_1) | (_SOURCES >= YIELD_RED) & (_SOURCES < END_TILES)).astype(int)


class Engine(GameBase, BatchEngine[GameConfig, State, Deal, GameView]):
    """N games of The Castles of Tuscany.

    Games that are stepped together may wait for different kinds of decisions. Game i depends on
    its own seed only. An answer that has no alternative is not asked for: the step that leads to
    it plays it too.

    Rewards: "outcome" is zero-sum at the end of a game, +1 for a sole winner and -1 / (P - 1) for
    the others; "score" is a player's own red points as they come, T11 included; "margin" is those
    less the mean of the others'. `StepResult.points` are the acting seat's green and red points
    from the answer itself, without T11.

    `rows` always means distinct indices of games [M]; None selects all games.

    Attributes:
        num_games: N.
        autoreset: True (the default of every constructor) resets a finished game immediately,
            with `episode` + 1, so that no game is ever over. With False it waits: its seat is -1,
            its mask is empty and its actions are ignored.
    """

    LOOKED_UP = (*GameBase.LOOKED_UP, "_all", "_games")
    TOTAL = RED

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Options | Mapping[str, Any] = Options(),
        seed: int | Sequence[int] | Integers = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> None:
        """Deals N games.

        Args:
            num_games: N, 1 or more.
            num_players: P, 2 to 4 (T1.1).
            edition: the name of a shipped edition, a file, or an edition.
            rules: the options.
            seed: one integer, which gives game i the seed `seed + i`, or one integer per game.
            autoreset: whether finished games are reset immediately.
            reward: "outcome", "score" or "margin".

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        config = GameConfig(num_players, edition, rules)
        self._begin(config, num_games, seed, autoreset, reward)

    def _derive(self) -> None:
        self._games = Games(self.config, self._state)
        legal.update(self._games, self._all.indices)

    def _deal(
        self, rows: Rows, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32], deal: Deal
    ) -> None:
        start_games(self.config, self._state, rows.indices, seeds, episodes, deal)
        self._games.derive(rows.indices)
        legal.update(self._games, rows.indices)

    @property
    def kinds(self) -> NDArray[np.int64]:
        """Which kind of decision each game waits for, [N] (`KINDS`); -1 where the game is over."""
        return np.where(self._state.finished, -1, self._state.kind.astype(np.int64))

    def _seats(self, rows: Rows) -> NDArray[np.int64]:
        state = self._state
        return np.where(state.finished[rows.key], -1, state.seat[rows.key].astype(np.int64))

    def _winners(self, state: State) -> NDArray[np.bool_]:
        return winners(state)

    def _num_legal(self, rows: Rows) -> NDArray[np.int64]:
        return self._games.num_legal.take(rows.indices)

    def _write_masks(self, rows: Rows, out: NDArray[np.bool_]) -> None:
        out[...] = self._games.legal[rows.key]

    def _observe(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        if out is None:
            out = np.empty((len(rows), self.features.size), np.uint8)
        observe(self._games, rows, seats.clip(0), out)
        if not self.autoreset:
            out[seats < 0] = 0
        return out

    def _sample(self, rows: Rows, rng: np.random.Generator) -> NDArray[np.int64]:
        places = self._games.legal[rows.key].ravel().nonzero()[0]
        counts = self._num_legal(rows)
        if counts.all():
            which = counts.cumsum() - counts + rng.integers(counts)
            return places.take(which) % self.actions.size
        actions, running = np.zeros(len(rows), np.int64), counts > 0
        which = counts.cumsum() - counts + rng.integers(counts + ~running)
        actions[running] = places[which[running]] % self.actions.size
        return actions

    def _are_legal(self, rows: Rows, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._games.legal[rows.indices, actions]

    def _play(
        self,
        rows: Rows,
        playing: NDArray[np.bool_],
        seats: NDArray[np.int64],
        actions: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        games, acting = self._games, self._games.seats(rows.indices)
        before = games.scores.take(acting, axis=0)
        moved = rows.indices[playing]
        self._last[moved, 0], self._last[moved, 1] = seats[playing], actions[playing]
        apply_actions(games, moved, actions[playing])
        points: NDArray[np.int64] = (games.scores.take(acting, axis=0) - before) @ _AT_ONCE
        return points
