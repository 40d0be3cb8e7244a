"""What a critic sees of players: what each has, and how far the game has come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.state import State

from ..arrays import Floats


def features(config: GameConfig, state: State) -> tuple[Floats, Floats]:
    """Returns what each player has, [N, P, F], and how far the game has come, [N]."""
    edition, rounds = config.edition, state.round.astype(np.int64)
    dice_left = (edition.num_dice - (state.placed > 0).sum(axis=2)) * ~state.passed  # [N, P]
    vp, males = np.array(edition.slot_vp), state.careers.sum(axis=2, dtype=np.int64)
    standing = state.threshold.sum(axis=2, dtype=np.int64)
    sums = state.placed.sum(axis=2, dtype=np.int64)
    slack = edition.threshold + edition.threshold_step * standing - sums
    own = (
        state.totals,
        state.florins,
        np.log1p(state.florins),
        state.supply[..., c.MALE],
        state.supply[..., c.FEMALE],
        males.sum(axis=2),
        males @ (vp // 2),
        males @ vp,
        ((males > 0) * vp).max(axis=2),
        np.array(edition.initiative_vp)[state.initiative],
        state.order.argsort(axis=1),  # places
        dice_left,
        slack >= 0,
        slack.clip(0, 9) * (dice_left > 0),
        state.brides,
        *np.moveaxis(_rows(state), 2, 0),
        *np.moveaxis(_helpers(edition, state, edition.num_rounds - rounds), 2, 0),
        _vp_tiles(edition, state),
    )
    base = np.stack(own, axis=2).astype(np.float32) / np.float32(10)
    played = 1 - dice_left.mean(axis=1) / edition.num_dice
    progress = np.where(state.finished, 1, (rounds - 1 + played) / edition.num_rounds)
    return base, progress.astype(np.float32)


def _rows(state: State) -> NDArray[np.int64]:
    """Returns VP of rows that score, fronts of those with two tiles and with one, [N, P, 3]."""
    tiles = state.held.sum(axis=3, dtype=np.int64) + state.face_down
    fronts = state.row_vp.astype(np.int64) + state.face_down
    parts = (tiles >= c.ROW_SIZE, *(tiles == n for n in range(c.ROW_SIZE - 1, 0, -1)))
    return np.stack([(fronts * part).sum(axis=2) for part in parts], axis=2)


def _helpers(edition: Edition, state: State, rounds_left: NDArray[np.int64]) -> Floats:
    """Returns what helpers give in the rounds to come, by part of effects, [N, P, 13]."""
    slots = edition.first_assignment - c.NUM_COLORS
    helpers = state.helpers.reshape(*state.helpers.shape[:2], slots)
    gives = np.zeros((slots, len(c.OPS)), np.float32)
    for slot, effect in enumerate(edition.effects[c.NUM_COLORS : edition.first_assignment]):
        for op, number in effect:
            gives[slot, op] += number
    return helpers @ gives * rounds_left[:, None, None]


def _vp_tiles(edition: Edition, state: State) -> NDArray[np.int64]:
    """Returns the VP that tiles of rounds 6 and 7 to come would score now, [N, P] (S11.5)."""
    counted = (
        state.helpers.sum(axis=(2, 3)),
        state.brides,
        state.meeples.sum(axis=2),
        state.held.sum(axis=(2, 3)) + state.face_down.sum(axis=2),
        state.careers.sum(axis=(2, 3)),
    )
    vp, criteria = np.array(edition.vp_per).T
    scored = np.stack(counted, axis=2) @ (vp * (np.arange(len(c.CRITERIA))[:, None] == criteria))
    last = c.BONUS_ROUNDS + 1 + np.arange(state.vp_tiles.shape[1])
    to_come = ((state.round[:, None] <= last) & (last <= edition.num_rounds))[:, None]
    by_tile = np.take_along_axis(scored, state.vp_tiles.astype(np.int64)[:, None], axis=2)
    return (by_tile * to_come).sum(axis=2)
