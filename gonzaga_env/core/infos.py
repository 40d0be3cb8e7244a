"""What the infos of the environments say of a seat in Gonzaga."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.state.scoring import open_sites
from gonzaga_env.core.state.state import PLACE
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.result import GameInfos, Info, Infos

# numpy's numbers are immutable, and making one takes as long as the rest of an info.
_int64, _float64 = cache(np.int64), cache(np.float64)


class GonzagaInfos(GameInfos):
    """Rings, the last round and the open sites too."""

    def of_seat(self, game: Game, seat: int) -> Info:
        """Returns the info of one seat of one game."""
        position = game.position
        won = _float64(position.win_shares[seat])
        return {**_own(position, seat), "won": won, **_shared(position)}

    def of_seats(self, games: Sequence[Game], seats: Sequence[int]) -> Infos:
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

    def of_rows(self, engine: Engine, seats: Indices, rows: Indices | None = None) -> Infos:
        """Returns the infos of one seat [M] per row of an engine, arrays [M, ...] by name."""
        state = engine.state if rows is None else engine.state.take(rows)
        return {
            **super().of_rows(engine, seats, rows),
            "rings": state.ring_stock[np.arange(len(seats)), seats].astype(np.int64),
            "last_round": state.last_round.astype(np.int64),
            "open_sites": open_sites(engine.tables, state),
        }

    def follow(self) -> Callable[[Game], list[Info]]:
        """Returns a function that recomputes only what the last action has changed."""
        return _Followed(self)


class _Followed:
    """The infos of all seats of one game, from step to step."""

    def __init__(self, infos: GonzagaInfos) -> None:
        self._make = infos
        self._infos: list[Info] = []
        self._scores: object = None  # the array of the game that is followed
        self._seat = self._open_sites = -1  # after the last step

    def __call__(self, game: Game) -> list[Info]:
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
