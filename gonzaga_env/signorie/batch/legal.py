"""The legal actions of many games: one function for each kind of decision (N2)."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.rows import flat_rows
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.games import (
    AT_TOP,
    DOWRY_SHIFT,
    NEVER,
    NO_MISSION,
    NO_SLOT,
    NO_TRACK,
    Games,
)

Mask = NDArray[np.bool_]
_DOWRIES = np.arange(1, c.MAX_DOWRY + 1, dtype=np.uint8)
_COUNTS = np.arange(1, c.MOST_SPENT + 1, dtype=np.uint8)


def update(games: Games, rows: Indices) -> NDArray[np.int64]:
    """Finds the legal actions of some games; returns their number, 0 where no seat decides."""
    masks = np.zeros((len(rows), games.legal.shape[1]), np.bool_)
    kinds = games.state.kind.take(rows)
    order, start = kinds.argsort(kind="stable"), 0
    sorted_rows = rows.take(order)
    for kind, number in enumerate(np.bincount(kinds).tolist()):
        if number and kind != c.OVER:
            chosen = slice(start, start + number)
            _RULES[kind](games, sorted_rows[chosen], masks[chosen])
        start += number
    games.legal[sorted_rows] = masks
    # Eight sums of 0 and 1 at once: no row has 255 words.
    sums = np.einsum("ij->i", masks.view(np.uint64)).view(np.uint8).reshape(-1, 8)
    games.num_legal[sorted_rows] = np.einsum("ij->i", sums, dtype=np.uint16)
    return games.num_legal.take(rows)


def codes(games: Games, rows: Indices, seats: Indices) -> tuple[NDArray[np.uint8], Mask]:
    """Returns what is impossible for the seats to act, and if only a new male can move, [M]."""
    cheapest, supply = games.cheapest.take(rows), games.supply.take(seats, axis=0)
    code = games.seat_code.take(seats) | games.code.take(rows)
    stuck = games.at_ends.take(seats) & (code >= AT_TOP)
    code |= (stuck & (supply[:, c.MALE] == 0)).view(np.uint8) * NO_TRACK
    code |= (games.best_rank.take(seats) < cheapest).view(np.uint8) * NO_MISSION
    cheapest[supply[:, c.FEMALE] == 0] = NO_SLOT
    code |= cheapest << DOWRY_SHIFT
    return code, stuck


def purses(games: Games, seats: Indices) -> NDArray[np.uint8]:
    """Returns Florins plus 1, as far as any need goes, [M]."""
    return np.minimum(games.florins.take(seats), NEVER - 2).astype(np.uint8) + np.uint8(1)


def possible(games: Games, rows: Indices, effects: NDArray[np.integer]) -> Mask:
    """Returns whether effects [M, K] are possible for the seats to act (N2)."""
    seats = games.seats(rows)
    code, _ = codes(games, rows, seats)
    return games.tables.needs[code[:, None], effects] <= purses(games, seats)[:, None]


def _main(games: Games, rows: Indices, masks: Mask) -> None:
    """A die with an action that is possible and can be paid, or pass (S5).

    Games come last in the arrays here: comparing along a long axis is ten times as fast.
    """
    actions, costs, seats = games.actions, games.tables.costs[:, :, None], games.seats(rows)
    masks[:, actions.skip_turn] = True
    budgets = np.maximum(purses(games, seats), costs) - costs  # S5.3
    budgets *= _last(games.state.pool.take(rows, axis=0) > 0, c.NUM_COLORS, c.NUM_FACES)
    budgets *= _last(games.open.take(seats, axis=0), c.NUM_COLORS, 1)
    legal = budgets[:, :, None] >= _needs_of_choices(games, rows, seats)[:, None]
    masks[:, actions.die] = legal.reshape(prod(legal.shape[:-1]), len(rows)).T


def _last(values: NDArray[Any], *shape: int) -> NDArray[Any]:
    """Returns values [M, ...] with the games last, [*shape, M]."""
    flat = flat_rows(values)
    return np.ascontiguousarray(flat.T).reshape(*shape, len(values))


def _needs_of_choices(games: Games, rows: Indices, seats: Indices) -> NDArray[np.uint8]:
    """Returns Florins needed, plus 1, by color and choice (S5.4), [5, H + 3, M]."""
    tables, edition = games.tables, games.edition
    code, stuck = codes(games, rows, seats)
    tiles = games.state.assignments.take(rows, axis=0)  # S7
    effects = (code * np.int64(len(edition.effects)) + edition.first_assignment)[:, None] + tiles
    assign = tables.needs.ravel().take(effects)
    columns = (stuck * len(tables.slot_sexes) * 2)[:, None] + tables.slot_sexes * len(tables.counts)
    supply = games.supply.take(seats, axis=0).take(tables.slot_sexes, axis=1)
    assign[supply < tables.demands.take(columns + tiles)] = NEVER
    hire = games.hire_needs.take(seats, axis=0)  # S6
    signoria = tables.needs[:, : c.NUM_COLORS].take(code, axis=0)  # S8
    needs = np.ascontiguousarray(np.concatenate([hire, assign, signoria], axis=1).T)
    return needs.take(tables.choices, axis=0).reshape(
        c.NUM_COLORS, games.actions.num_choices, len(rows)
    )


def _spend(games: Games, rows: Indices, masks: Mask) -> None:
    """One to three meeples of the slot's sex (S7.2)."""
    supply = games.supply.ravel().take(spent_places(games, rows))
    masks[:, games.actions.spend] = supply[:, None] >= _COUNTS


def spent_places(games: Games, rows: Indices) -> Indices:
    """Returns where the meeples that the running assignment takes stand in the supply, [M]."""
    tiles = games.state.effect.take(rows) - np.uint8(games.edition.first_assignment)
    slots = (games.state.assignments.take(rows, axis=0) == tiles[:, None]).argmax(axis=1)
    return games.seats(rows) * 2 + games.tables.slot_sexes.take(slots)


def _track(games: Games, rows: Indices, masks: Mask) -> None:
    """A point on a track; but for the first, or none (S9, N2)."""
    actions, tables, state, seats = games.actions, games.tables, games.state, games.seats(rows)
    careers = games.careers.take(seats, axis=0)
    points = masks[:, actions.track].reshape(careers.shape)
    points[:, :, 0] = games.supply[seats, c.MALE, None] > 0
    points[:, :, 1:] = careers[:, :, :-1]
    masks[:, actions.initiative] = games.seat_code.take(seats) < AT_TOP
    places = state.effect.take(rows) * np.int64(tables.num_parts) + state.part.take(rows)
    masks[:, actions.stop] = state.left.take(rows) < tables.numbers.take(places)


def _mission(games: Games, rows: Indices, masks: Mask) -> None:
    """A male whose rank is that of a city's lowest empty slot or more (S8.2)."""
    there = flat_rows(games.careers.take(games.seats(rows), axis=0)) > 0
    ranks, lowest = there * games.tables.slot_ranks, games.lowest.take(rows, axis=0)
    legal = ranks[:, :, None] >= lowest[:, None]
    masks[:, games.actions.mission] = flat_rows(legal)


def _marriage(games: Games, rows: Indices, masks: Mask) -> None:
    """A city and a dowry, from its lowest empty value to 4 (S8.5)."""
    seats, lowest = games.seats(rows), games.lowest.take(rows, axis=0)
    purse = games.florins.take(seats) * (games.supply[:, c.FEMALE][seats] > 0)
    legal = (lowest[:, :, None] <= _DOWRIES) & (purse[:, None] >= _DOWRIES)[:, None]
    masks[:, games.actions.marry] = flat_rows(legal)


def _row(games: Games, rows: Indices, masks: Mask) -> None:
    """Any row, while the deck lasts (S10.3)."""
    masks[:, games.actions.row] = games.deck_size[rows, None] > 0


def _helper(games: Games, rows: Indices, masks: Mask) -> None:
    """Use it or not; its effect is possible (S5.5, S6.3)."""
    masks[:, games.actions.use] = masks[:, games.actions.skip] = True


def _reward(games: Games, rows: Indices, masks: Mask) -> None:
    """The round's bonus tile, if possible, or Florins (S11.4)."""
    masks[:, games.actions.bonus] = possible(games, rows, round_bonus(games, rows)[:, None])[:, 0]
    masks[:, games.actions.florins] = True


def round_bonus(games: Games, rows: Indices) -> Indices:
    """Returns the effects of the round's bonus tiles, [M]."""
    tiles = games.state.bonus_tiles[rows, games.state.round.take(rows) - 1]
    return games.edition.first_bonus + tiles.astype(np.int64)


def _free_helper(games: Games, rows: Indices, masks: Mask) -> None:
    """Any empty own slot (A8)."""
    empty = ~flat_rows(games.helpers.take(games.seats(rows), axis=0))
    masks[:, games.actions.free_helper] = empty & (games.helpers_left[rows, None] > 0)


def _wed(games: Games, rows: Indices, masks: Mask) -> None:
    """A bride or not; there is a slot (S11.4)."""
    masks[:, games.actions.wed] = masks[:, games.actions.no_wed] = True


def _pay(games: Games, rows: Indices, masks: Mask) -> None:
    """Pay for VP, or keep (S11.5)."""
    masks[:, games.actions.pay] = games.florins.take(games.seats(rows)) >= games.edition.pay
    masks[:, games.actions.keep] = True


#: By kind of decision, in the order of `KINDS`.
_RULES: tuple[Callable[[Games, Indices, Mask], None], ...] = (
    *(_main, _spend, _track, _mission, _marriage, _row, _helper),
    *(_reward, _free_helper, _wed, _pay),
)
