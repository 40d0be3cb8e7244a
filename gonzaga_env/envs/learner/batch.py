"""Many games with a learner, played on arrays by one engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.envs.learner.games import ILLEGAL_REWARD, LearnerGames
from gonzaga_env.envs.learner.opponents import choose
from gonzaga_env.tabletop.arguments import Indices, Integers
from gonzaga_env.tabletop.errors import IllegalActionError
from gonzaga_env.tabletop.records.log import Viewer
from gonzaga_env.tabletop.result import Infos, Reward
from gonzaga_env.tabletop.spec import Engine
from gonzaga_env.tabletop.state import DealArrays


class BatchGames(LearnerGames):
    """N games on one engine (contract and attributes: `LearnerGames`)."""

    def _make(self, seed: int, reward: Reward) -> None:
        self._engine = self.spec.engine.from_config(
            self.config, self.num_games, seed, autoreset=False, reward=reward
        )

    @property
    def engine(self) -> Engine:
        """The engine itself."""
        return self._engine

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seed of each game, [N]."""
        return self._engine.state.seed

    def observe(self, rows: Indices) -> NDArray[np.uint8]:
        """Returns what the learner knows of some games, [M, D]."""
        return self._engine.observe(self.seats[rows], self._some(rows))

    def _legal_masks(self, rows: Indices) -> NDArray[np.bool_]:
        return self._engine.legal_action_mask(self._some(rows))

    def _infos(self, rows: Indices) -> Infos:
        return self.spec.infos.of_rows(self._engine, self.seats[rows], self._some(rows))

    def _some(self, rows: Indices) -> Indices | None:
        """Returns None for all games, which engines serve faster."""
        return None if len(rows) == self.num_games else rows

    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> Any:
        """Returns what a viewer knows of one game (see `Engine.view`)."""
        return self._engine.view(game, viewer, names=names)

    def _deal(
        self,
        seed: int | Sequence[int] | Integers | None,
        deal: DealArrays | None,
        rows: Indices,
    ) -> None:
        self._engine.reset(seed, deal, rows)

    def _rotated(self, rows: Indices) -> Indices:
        state, num_players = self._engine.state, self.config.num_players
        offsets = (state.seed[rows] % np.uint64(num_players)).astype(np.int64)
        return (offsets + state.episode[rows]) % num_players

    def _play_learner(self, rows: Indices, actions: Indices, rewards: NDArray[np.float64]) -> None:
        chosen = actions[rows]
        try:
            self._play(rows, chosen, rewards)  # plays nothing if an action is illegal
        except IllegalActionError:
            legal = self._engine.is_legal(chosen, rows)
            self._play(rows[legal], chosen[legal], rewards)
            forfeited = rows[~legal]
            rewards[forfeited] += ILLEGAL_REWARD
            self.illegal[forfeited] = self.over[forfeited] = True

    def _play_opponents(self, rewards: NDArray[np.float64]) -> None:
        while True:
            seats = self._engine.seats
            rows = ((seats != self.seats) & ~self.over).nonzero()[0]
            if not len(rows):
                return
            actions = np.empty(len(rows), dtype=np.int64)
            drawn = self._drawn[rows, seats[rows]]
            for i, opponent in enumerate(self.opponents):
                chosen = (drawn == i).nonzero()[0]
                if len(chosen):
                    asked = rows[chosen]
                    actions[chosen] = choose(opponent, self._engine, self._rngs[i], asked)
            self._play(rows, actions, rewards)

    def _play(self, rows: Indices, actions: Indices, rewards: NDArray[np.float64]) -> None:
        """Plays one action in some games and adds the learner's rewards."""
        result = self._engine.step(actions, self._some(rows))
        rewards[rows] += result.rewards[np.arange(len(rows)), self.seats[rows]]
        self.over[rows[result.finished]] = True
