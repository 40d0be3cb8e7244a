"""The engine for one game in plain Python, and the infos of its seats.

numpy takes about a microsecond a call whatever the size of the arrays, and a step of one game would
need hundreds of calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.base import GameBase
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig, Options
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.single.position import Position, SeatObservations, game_tables_for
from gonzaga_env.core.single.transitions import (
    apply_placement,
    apply_plan,
    from_state,
    legal_actions,
    to_state,
    winners,
)
from gonzaga_env.core.state import END_SOURCES, PLACE, PLAN, Deal, State, open_sites
from gonzaga_env.core.view import GameView
from gonzaga_env.kernel.arguments import Indices, checks_names
from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.kernel.chance import game_seeds
from gonzaga_env.kernel.engine import EngineBase
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.single import AnyGame, SingleGame, unpack_set
from gonzaga_env.kernel.spec import GameInfos, Info, Infos

#: Cached masks of plans, to be copied: the cards in hand make few different sets.
_plan_mask = lru_cache(maxsize=1024)(unpack_set)


class Game(GameBase, SingleGame[GameConfig, State, Deal, GameView, Position]):
    """One game of Gonzaga: equal to one row of an `Engine` at every step, without array axes.

    Example::

        game = Game(num_players=3, seed=7)
        while not game.finished:
            game.play(game.sample_legal(rng))

    Attributes:
        position: the full state in plain Python, for reading only; `play` changes it and `reset`
            and assigning `state` replace it.
    """

    NOT_PICKLED = (*GameBase.NOT_PICKLED, "_observations")

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Options | Mapping[str, object] | str = Options(),
        seed: int = 0,
        reward: Reward = "outcome",
    ) -> None:
        """Deals a game; the arguments are those of `Engine`.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        EngineBase.__init__(self, GameConfig(num_players, scenario, edition, rules), reward)
        self.reset(game_seeds(seed, 1))

    def _dealt(
        self, deal: Deal, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]
    ) -> Position:
        tables = game_tables_for(self.tables)
        return Position(tables, deal, seed=int(seeds[0]), episode=int(episodes[0]))

    def _begin(self, position: Position) -> None:
        super()._begin(position)
        self._observations = SeatObservations(position)

    def _to_state(self) -> State:
        return to_state(self.tables, self.position, self._empty(1))

    def _from_state(self, state: State) -> Position:
        # The map is read from `piece` and `ring_cells`; the sets of hexes must agree with these.
        return from_state(self.tables, state)

    @property
    def scores(self) -> list[list[int]]:
        """Points by source (`SOURCES`), [P][S]."""
        return self.position.scores.tolist()

    @property
    def totals(self) -> list[int]:
        """The points that decide the game, [P]; do not change them."""
        return self.position.totals

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (R8.3)."""
        return winners(self.position)

    def _legal_actions(self) -> int:
        return legal_actions(self.position)

    def mask(self) -> NDArray[np.int8]:
        """Returns which actions are legal for the seat to act, [A] (1: legal)."""
        position = self.position
        if position.phase == PLAN:
            return _plan_mask(self.legal_set, position.tables.num_actions).copy()
        return unpack_set(self.legal_set, position.tables.num_actions)

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return self._observations.observe(seat)

    def _with_outcomes(self, drawn: Sequence[object]) -> Position:
        if drawn:
            raise RecordError(f"drawn holds {short_repr(drawn)}; Gonzaga turns up nothing")
        return self.position

    def _set_last(self, seat: int, action: int) -> None:
        if action >= NUM_PLANS:  # plans are sealed
            self._last = seat, action

    def _apply(self, position: Position, action: int) -> None:
        seat = position.seat
        if position.phase == PLAN:
            apply_plan(position, action)
            self._observations.on_plan(position, seat)
        else:
            fief = position.fief[seat] if action < position.tables.ring_start else None
            cells = apply_placement(position, self.rules, action)
            self._observations.on_placement(position, seat, cells, fief)

    def _gained(self) -> list[int]:
        position, gained = self.position, [0] * self.num_players
        if position.points and self._last is not None:
            gained[self._last[0]] = position.points
        if position.finished:
            end = position.scores[:, END_SOURCES].sum(axis=1).tolist()
            gained = [points + more for points, more in zip(gained, end, strict=True)]
        return gained

    def turn_up_next(self, fiefs: Sequence[int]) -> None:
        """Chooses which fiefs the next round reveals, in place of those on top (R3.1).

        Args:
            fiefs: a fief (0 to 11) of each player, [P].

        Raises:
            OptionError: a player's deck does not hold the fief any more.
        """
        position, decks = self.position, []
        num_fiefs = position.tables.size.fiefs
        for seat, (deck, fief) in enumerate(zip(position.decks, fiefs, strict=True)):
            passed, to_come = deck[: position.round], deck[position.round : num_fiefs]
            if fief not in {*to_come}:
                raise OptionError(f"fief {fief!r} of seat {seat} is not to come (R3.1)")
            to_come = bytes([fief]) + to_come.replace(bytes([fief]), b"")
            decks.append(passed + to_come + deck[num_fiefs:])
        position.decks = tuple(decks)

    def copy(self) -> Self:
        """Returns an independent copy of the game; the tables are shared."""
        twin = super().copy()
        twin._observations = self._observations.copy()
        return twin


# numpy's numbers are immutable, and making one takes as long as the rest of an info.
_int64, _float64 = cache(np.int64), cache(np.float64)


class GonzagaInfos(GameInfos):
    """Rings, the last round and the open sites too."""

    def of_seat(self, game: AnyGame, seat: int) -> Info:
        position = game.position
        won = _float64(position.win_shares[seat])
        return {**_own(position, seat), "won": won, **_shared(position)}

    def of_seats(self, games: Sequence[AnyGame], seats: Sequence[int]) -> Infos:
        """Returns the infos of one seat per single game, arrays [M, ...] by name."""
        pairs = [(game.position, seat) for game, seat in zip(games, seats, strict=True)]
        # One array of all whole numbers: a call to numpy costs as much as reading a game's.
        score, rings, round_, last_round, sites = np.array(
            [(p.totals[s], p.ring_stock[s], p.round, p.last_round, p.open_sites) for p, s in pairs],
            dtype=np.int64,
        ).T.copy()
        return {
            "score": score,
            "scores": np.array([p.scores[s] for p, s in pairs]),
            "rings": rings,
            "won": np.array([p.win_shares[s] for p, s in pairs], dtype=np.float64),
            "round": round_,
            "last_round": last_round,
            "open_sites": sites,
        }

    def of_rows(self, engine: AnyEngine, seats: Indices, rows: Indices | None = None) -> Infos:
        """Returns the infos of one seat [M] per row of an engine, arrays [M, ...] by name."""
        state = engine.state if rows is None else engine.state.take(rows)
        return {
            **super().of_rows(engine, seats, rows),
            "rings": state.ring_stock[np.arange(len(seats)), seats].astype(np.int64),
            "last_round": state.last_round.astype(np.int64),
            "open_sites": open_sites(engine.config.tables, state),
        }

    def tracker(self) -> Callable[[AnyGame], list[Info]]:
        """Returns a function that recomputes only what the last action has changed."""
        return _GonzagaInfoTracker(self)


class _GonzagaInfoTracker:
    """The infos of all seats of one game, from step to step."""

    def __init__(self, infos: GonzagaInfos) -> None:
        self._make = infos
        self._infos: list[Info] = []
        self._scores: object = None  # the array of the game that is followed
        self._seat = self._open_sites = -1  # after the last step

    def __call__(self, game: AnyGame) -> list[Info]:
        position, infos = game.position, self._infos
        scores, self._scores = self._scores, position.scores
        seat, self._seat = self._seat, position.seat
        open_sites, self._open_sites = self._open_sites, position.open_sites
        first = position.num_acted == 0
        if position.scores is not scores or position.finished:
            self._infos = self._make.of_game(game)  # the former: another deal or an assigned state
        elif position.phase == PLACE and first:  # privileges were paid
            rings = map(_int64, position.ring_stock)
            self._infos = [i | {"rings": left} for i, left in zip(infos, rings, strict=True)]
        elif position.phase == PLACE or first:  # a sealed plan changes nothing
            if first or position.open_sites != open_sites:
                shared = _shared(position)
                infos = [info | shared for info in infos]
            self._infos = infos.copy()
            self._infos[seat] = infos[seat] | _own(position, seat)
        return self._infos


def _own(position: Position, seat: int) -> Info:
    """Returns what a seat's own placement changes in its info."""
    scores, rings = position.scores[seat].copy(), _int64(position.ring_stock[seat])
    return {"score": _int64(position.totals[seat]), "scores": scores, "rings": rings}


def _shared(position: Position) -> Info:
    """Returns what is the same in all seats' infos."""
    return {
        "round": _int64(position.round),
        "last_round": _int64(position.last_round),
        "open_sites": _int64(position.open_sites),
    }
