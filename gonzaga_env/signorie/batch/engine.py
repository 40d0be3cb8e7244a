"""The engine for batches: N games on numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.base import GameBase
from gonzaga_env.signorie.batch import legal
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.batch.observations import observe, show_tables
from gonzaga_env.signorie.batch.transitions import apply_actions
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.editions.edition import Edition
from gonzaga_env.signorie.options import Options
from gonzaga_env.signorie.state.deals import Deal
from gonzaga_env.signorie.state.state import State, start_games, winners
from gonzaga_env.signorie.view.game_view import GameView
from gonzaga_env.tabletop.arguments import Indices, Integers
from gonzaga_env.tabletop.engines.batch import BatchEngine
from gonzaga_env.tabletop.rewards import Reward
from gonzaga_env.tabletop.rows import Rows


class Engine(GameBase, BatchEngine[GameConfig, State, Deal, GameView]):
    """N games of Signorie.

    Games that are stepped together may wait for different kinds of decisions. Game i depends on
    its own seed only. A decision that has no alternative is not asked for: the step that leads to
    it plays it too, through seats and rounds.

    Rewards: "outcome" is zero-sum at the end of a game, +1 for the winner and -1 / (P - 1) for
    the others; "score" is a player's own VP as they come; "margin" is those less the mean of the
    others'. `StepResult.points` are the acting seat's VP from its decision to the next one.

    `rows` always means distinct indices of games [M]; None selects all games.

    Attributes:
        num_games: N.
        autoreset: True (the default of every constructor) resets a finished game immediately,
            with `episode` + 1, so that no game is ever over. With False it waits: its seat is -1,
            its mask is empty and its actions are ignored.
    """

    LOOKED_UP = (*GameBase.LOOKED_UP, "_all", "_games")

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
            num_players: P, 2 to 4 (S1.1).
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
        self._look(self._all.indices)

    def _deal(
        self, rows: Rows, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32], deal: Deal
    ) -> None:
        start_games(self.config, self._state, rows.indices, seeds, episodes, deal)
        self._games.derive(rows.indices)
        self._look(rows.indices)

    def _look(self, rows: Indices) -> None:
        legal.update(self._games, rows)
        show_tables(self._games, rows)

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
        out[...] = self._games.legal[rows.key, : self.actions.size]

    def _observe(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        if out is None:
            out = np.empty((len(rows), self.features.size), np.uint8)
        observe(self._games, rows, seats.clip(0), out)
        out[seats < 0] = 0
        return out

    def _sample(self, rows: Rows, rng: np.random.Generator) -> NDArray[np.int64]:
        masks = self._games.legal[rows.key]
        places = masks.ravel().nonzero()[0]
        counts = self._num_legal(rows)
        over = counts == 0
        which = counts.cumsum() - counts + rng.integers(counts + over)
        actions = np.zeros(len(rows), np.int64)
        actions[~over] = places[which[~over]] % masks.shape[1]
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
        points = np.einsum("ij->i", games.scores.take(acting, axis=0) - before)
        return points.astype(np.int64)
