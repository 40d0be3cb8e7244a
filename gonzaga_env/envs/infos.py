"""The infos of the environments: the same values for one game and for a batch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.scoring import open_sites, winners
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.state.state import State
from gonzaga_env.tabletop.rewards import win_shares

Infos = dict[str, NDArray[Any]]

# Numbers of numpy never change, and making one takes as long as all else in an info.
_int64, _float64 = cache(np.int64), cache(np.float64)


def info(position: Position, seat: int) -> dict[str, Any]:
    """Returns the info of one seat of a single game.

    All values are numpy's, with a dtype, which TorchRL asks for.
    """
    won = _float64(position.win_shares[seat])
    return {**own_info(position, seat), "won": won, **shared_info(position)}


def own_info(position: Position, seat: int) -> dict[str, Any]:
    """Returns what a seat's own placement changes in its info."""
    scores, rings = position.scores[seat].copy(), _int64(position.ring_stock[seat])
    return {"score": _int64(position.totals[seat]), "scores": scores, "rings": rings}


def rings_info(position: Position, seat: int) -> dict[str, Any]:
    """Returns what a seat's plan changes in its info."""
    return {"rings": _int64(position.ring_stock[seat])}


def shared_info(position: Position) -> dict[str, Any]:
    """Returns what is the same in all seats' infos."""
    return {
        "round": _int64(position.round),
        "last_round": _int64(position.last_round),
        "open_sites": _int64(position.open_sites),
    }


def few_infos(positions: Sequence[Position], seats: Sequence[int]) -> Infos:
    """Returns the infos of one seat per single game, arrays [M, ...] by name, as `infos` does."""
    pairs = list(zip(positions, seats, strict=True))
    # One array of all whole numbers: a call to numpy costs as much as reading a game's.
    score, rings, round_, last_round, open_sites = np.array(
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
        "open_sites": open_sites,
    }


def infos(tables: Tables, state: State, seats: NDArray[np.int64]) -> Infos:
    """Returns the infos of one seat per game, arrays [N, ...] by name."""
    every, over = np.arange(len(seats)), np.flatnonzero(state.finished)
    scores, won = state.scores[every, seats], np.zeros(len(seats))
    if len(over):
        won[over] = win_shares(winners(tables, state))[over, seats[over]]
    return {
        "score": scores.sum(axis=1, dtype=np.int64),
        "scores": scores,
        "rings": state.ring_stock[every, seats].astype(np.int64),
        "won": won,
        "round": state.round.astype(np.int64),
        "last_round": state.last_round.astype(np.int64),
        "open_sites": open_sites(tables, state),
    }
