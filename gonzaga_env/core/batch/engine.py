"""The engine for batches: N games on numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.base import GameBase
from gonzaga_env.core.batch.observations import ObservationCache, observe
from gonzaga_env.core.batch.transitions import (
    Decisions,
    apply_placements,
    apply_plans,
    write_decisions,
)
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.config import GameConfig, Options
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.state import NO_SEAT, PLACE, Deal, State, winners
from gonzaga_env.core.view import GameView
from gonzaga_env.kernel.arguments import Integers, checks_names
from gonzaga_env.kernel.batch import BatchEngine
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.rows import Rows, key_of


class Engine(GameBase, BatchEngine[GameConfig, State, Deal, GameView]):
    """N games of Gonzaga.

    Every round takes P sealed plans and then P placements, so games that are stepped together stay
    in lockstep: all in the same phase, which is fast. Lockstep is not required: any subset of rows
    may be stepped, and a state may hold games of any phase. Game i depends on its own seed only.
    See `BatchEngine` for `rows` and `autoreset`.

    Rewards: "outcome" is zero-sum at the end of a game, +1 for a sole winner and -1 / (P - 1) for
    the others; "score" is a player's own points as they are scored; "margin" is those less the mean
    of the others'.

    After N * P observations the engine caches every seat's observation: P * D bytes a game, 15 kB
    with four players, on top of 4 kB. Setting that up costs about as much as those observations,
    and makes each later one a copy. A state that is only searched from never pays for it.
    """

    NOT_PICKLED = (*GameBase.NOT_PICKLED, "_all", "_decisions", "_stale", "_observations")

    @checks_names
    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Options | Mapping[str, object] | str = Options(),
        seed: int | Sequence[int] | Integers = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> None:
        """Deals N games.

        Args:
            num_games: N, 1 or more.
            num_players: P, 2 to 4 (R1.1).
            scenario: a scenario's name; None draws one for P players in every game (R2.1).
            edition: the name of a shipped edition, a folder, or an edition.
            rules: the options.
            seed: one integer, which gives game i the seed `seed + i`, or one integer per game.
            autoreset: whether finished games are reset immediately.
            reward: "outcome", "score" or "margin".

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        config = GameConfig(num_players, scenario, edition, rules)
        self._begin(config, num_games, seed, autoreset, reward)

    def _derive(self) -> None:
        self._decisions = Decisions.empty(self.tables, self.num_games)
        self._stale = np.ones(self.num_games, np.bool_)  # games that have changed since those
        self._any_stale = True
        self._observations: ObservationCache | None = None
        self._num_observed = 0

    def _decide(self, rows: Rows) -> Decisions:
        """Returns the decisions of some games; of all, the arrays that are kept."""
        if self._any_stale:
            stale = rows[key_of(self._stale[rows.key])]
            write_decisions(self.tables, self._state, stale, self._decisions)
            self._stale[stale.key] = False
            self._any_stale = bool(self._stale.any())
        return self._decisions if rows is self._all else self._decisions.take(rows)

    def _mark_stale(self, rows: Rows) -> None:
        self._stale[rows.key] = self._any_stale = True

    def _update(self, rows: Rows) -> None:
        self._mark_stale(rows)
        if self._observations is not None:
            self._observations.on_deal(rows)

    def _seats(self, rows: Rows) -> NDArray[np.int64]:
        return self._decide(rows).seats

    def _winners(self, state: State) -> NDArray[np.bool_]:
        return winners(self.tables, state)

    def _num_legal(self, rows: Rows) -> NDArray[np.int64]:
        return bits.count(self._decide(rows).legal)

    def _write_masks(self, rows: Rows, out: NDArray[np.bool_]) -> None:
        decisions = self._decide(rows)
        self.tables.legal_sets.write_masks(decisions.legal, decisions.fiefs, out)

    def legal_actions(
        self, rows: Integers | None = None, among: Words | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the legal actions without a dense mask.

        Args:
            rows: the games.
            among: leaves out actions that are not in this set (see `LegalSets.pack`), [words].

        Returns:
            Positions among the M rows and actions, two arrays [L], sorted by row.

        Raises:
            OptionError: invalid rows.
        """
        decisions = self._decide(self._rows(rows))
        legal = decisions.legal if among is None else decisions.legal & among
        return self.tables.legal_sets.list_actions(legal, decisions.fiefs)

    def _observe(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        if self._observations is None:
            if self._num_observed < self.num_games * self.num_players:
                self._num_observed += len(rows)
                return observe(self.tables, self.features, self._state, rows, seats, out)
            self._observations = ObservationCache(self.tables, self.features, self._state)
        observations = self._observations.take(rows, seats, out)
        if len(over := (seats == NO_SEAT).nonzero()[0]):
            observations[over] = 0
        return observations

    def _sample(self, rows: Rows, rng: np.random.Generator) -> NDArray[np.int64]:
        decisions = self._decide(rows)
        return self.tables.legal_sets.sample(decisions.legal, decisions.fiefs, rng)

    def _are_legal(self, rows: Rows, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        decisions = self._decide(rows)
        return self.tables.legal_sets.contain(decisions.legal, decisions.fiefs, actions)

    def _play(
        self,
        rows: Rows,
        playing: NDArray[np.bool_],
        seats: NDArray[np.int64],
        actions: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        points = np.zeros(len(rows), dtype=np.int64)
        placing = self._state.phase[rows.key] == PLACE
        plans, places = key_of(~placing & playing), key_of(placing & playing)
        self._plan(rows[plans], seats[plans], actions[plans])
        points[places] = self._place(rows[places], seats[places], actions[places])
        return points

    def _plan(self, rows: Rows, seats: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        if len(rows):
            revealed = apply_plans(self._state, rows, seats, actions)
            self._mark_stale(rows)
            if self._observations is not None:
                self._observations.on_plans(rows, seats, revealed)

    def _place(
        self, rows: Rows, seats: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> NDArray[np.int64] | int:
        """Returns the points that were scored."""
        if not len(rows):
            return 0
        result = apply_placements(self.tables, self.rules, self._state, rows, seats, actions)
        self._mark_stale(rows)
        if self._observations is not None:
            self._observations.on_placements(result)
        self._last[rows.key, 0], self._last[rows.key, 1] = seats, actions
        return result.points
