"""The legal actions of many games: one function for each kind of decision (N2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.batch.games import Games, by_kind
from gonzaga_env.signorie.batch.tables import DOWRY_SHIFT, NEVER, NO_SLOT
from gonzaga_env.signorie.constants import (
    FEMALE,
    FREE_HELPER,
    HELPER,
    MAIN,
    MALE,
    MARRIAGE,
    MAX_DICE,
    MAX_DOWRY,
    MISSION,
    MOST_SPENT,
    NUM_CAREERS,
    NUM_CITIES,
    NUM_COLORS,
    NUM_FACES,
    OVER,
    PAY,
    REWARD,
    ROW,
    SPEND,
    TRACK,
    WED,
)
from gonzaga_env.tabletop.arguments import Indices

Mask = NDArray[np.bool_]
_DOWRIES = np.arange(1, MAX_DOWRY + 1, dtype=np.uint8)
_COUNTS = np.arange(1, MOST_SPENT + 1, dtype=np.uint8)


def update(games: Games, rows: Indices) -> NDArray[np.int64]:
    """Finds the legal actions of some games; returns their number, 0 where a game is over."""
    masks = np.zeros((len(rows), games.legal.shape[1]), np.bool_)
    order, start = np.empty_like(rows), 0
    kinds = games.state.kind.take(rows)
    for kind, which in by_kind(kinds):
        stop = start + len(which)
        order[start:stop] = chosen = rows.take(which)
        _RULES[kind](games, chosen, masks[start:stop])
        start = stop
    if start < len(rows):
        order[start:] = rows[kinds == OVER]
    games.legal[order] = masks
    counts = np.bitwise_count(masks.view(np.uint64))
    games.num_legal[order] = np.einsum("ij->i", counts, dtype=np.uint16)
    return games.num_legal.take(rows)


def codes(games: Games, rows: Indices, seats: Indices) -> tuple[NDArray[np.uint8], Mask]:
    """Returns what is impossible for the seats to act (`Tables.needs`), [M].

    And whether a male on a track, or the own disc, can move, [M].
    """
    edition, cheapest = games.config.edition, games.cheapest.take(rows)
    supply = games.supply.take(seats, axis=0)
    at_top = games.initiative.take(seats) == len(edition.initiative_vp) - 1
    movable = games.can_advance.take(seats) | ~at_top
    full = games.num_helpers.take(seats) == games.helpers.shape[1]
    impossible = (
        ~movable & (supply[:, MALE] == 0),
        games.deck_size.take(rows) == 0,
        games.best_rank.take(seats) < cheapest,
        full | (games.helpers_left.take(rows) == 0),
        at_top,
    )
    cheapest[supply[:, FEMALE] == 0] = NO_SLOT
    code = cheapest << DOWRY_SHIFT
    for bit, one in enumerate(impossible):
        code |= one.view(np.uint8) << bit
    return code, movable


def purses(games: Games, seats: Indices) -> NDArray[np.uint8]:
    """Returns Florins plus 1, as far as any need goes, [M]."""
    return (np.minimum(games.florins.take(seats), NEVER - 2) + 1).astype(np.uint8)


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
    budgets *= _last(games.state.pool.take(rows, axis=0) > 0, NUM_COLORS, NUM_FACES)
    free = games.placed.take(seats, axis=0) == 0
    free &= (games.num_placed.take(seats) < MAX_DICE)[:, None]  # S5.2
    budgets *= _last(free, NUM_COLORS, 1)
    legal = budgets[:, :, None] >= _needs_of_choices(games, rows, seats)[:, None]
    masks[:, actions.die] = legal.reshape(-1, len(rows)).T


def _last(values: NDArray[Any], *shape: int) -> NDArray[Any]:
    """Returns values [M, ...] with the games last, [*shape, M]."""
    flat = values.reshape(len(values), -1)
    return np.ascontiguousarray(flat.T).reshape(*shape, len(values))


def _needs_of_choices(games: Games, rows: Indices, seats: Indices) -> NDArray[np.uint8]:
    """Returns Florins needed, plus 1, by color and choice (S5.4), [5, H + 3, M]."""
    tables, edition = games.tables, games.config.edition
    code, movable = codes(games, rows, seats)
    hire = games.hire_needs.take(seats, axis=0)  # S6
    hire[games.helpers_left.take(rows) == 0] = NEVER
    tiles = games.state.assignments.take(rows, axis=0)
    effects = (code * np.int64(tables.needs.shape[1]) + edition.first_assignment)[:, None] + tiles
    assign = tables.needs.ravel().take(effects)  # S7
    states = (movable * 2)[:, None] + tables.slot_sexes
    demands = tables.demands.ravel().take(states * len(tables.counts) + tiles)
    supply = games.supply.take(seats, axis=0).take(tables.slot_sexes, axis=1)
    assign[supply < demands] = NEVER
    signoria = tables.needs[:, :NUM_COLORS].take(code, axis=0)  # S8
    parts = (hire, edition.num_helper_slots), (assign, 2), (signoria, 1)
    return np.concatenate([_last(one, NUM_COLORS, width) for one, width in parts], axis=1)


def _spend(games: Games, rows: Indices, masks: Mask) -> None:
    """One to three meeples of the slot's sex (S7.2)."""
    supply = games.supply.ravel().take(spent_places(games, rows))
    masks[:, games.actions.spend] = supply[:, None] >= _COUNTS


def spent_places(games: Games, rows: Indices) -> Indices:
    """Returns where the meeples that the running assignment takes stand in the supply, [M]."""
    tiles = games.state.effect.take(rows) - np.uint8(games.config.edition.first_assignment)
    slots = (games.state.assignments.take(rows, axis=0) == tiles[:, None]).argmax(axis=1)
    return games.seats(rows) * 2 + games.tables.slot_sexes.take(slots)


def _track(games: Games, rows: Indices, masks: Mask) -> None:
    """A point on a track; but for the first, or none (S9, N2)."""
    actions, tables, state = games.actions, games.tables, games.state
    seats, k = games.seats(rows), games.config.edition.num_career_slots
    careers = games.careers.take(seats, axis=0).reshape(len(rows), NUM_CAREERS, k)
    points = masks[:, actions.track].reshape(len(rows), NUM_CAREERS, k)
    points[:, :, 0] = games.supply[seats, MALE, None] > 0
    points[:, :, 1:] = careers[:, :, :-1]
    top = len(games.config.edition.initiative_vp) - 1
    masks[:, actions.initiative] = games.initiative.take(seats) < top
    places = state.effect.take(rows).astype(np.int64) * tables.num_parts + state.part.take(rows)
    masks[:, actions.stop] = state.left.take(rows) < tables.numbers.take(places)


def _mission(games: Games, rows: Indices, masks: Mask) -> None:
    """A male whose rank is that of a city's lowest empty slot or more (S8.2)."""
    there = games.careers.take(games.seats(rows), axis=0) > 0
    ranks = there * games.tables.slot_ranks
    shape = len(rows), len(games.tables.slot_ranks), NUM_CITIES
    np.greater_equal(
        ranks[:, :, None],
        games.lowest.take(rows, axis=0)[:, None],
        out=masks[:, games.actions.mission].reshape(shape),
    )


def _marriage(games: Games, rows: Indices, masks: Mask) -> None:
    """A city and a dowry, from its lowest empty value to 4 (S8.5)."""
    seats = games.seats(rows)
    purse = games.florins.take(seats) * (games.supply[seats, FEMALE] > 0)
    dowries = masks[:, games.actions.marry].reshape(len(rows), NUM_CITIES, MAX_DOWRY)
    np.greater_equal(_DOWRIES, games.lowest.take(rows, axis=0)[:, :, None], out=dowries)
    dowries &= (purse[:, None] >= _DOWRIES)[:, None]


def _row(games: Games, rows: Indices, masks: Mask) -> None:
    """Any row, while the deck lasts (S10.3)."""
    masks[:, games.actions.row] = games.deck_size[rows, None] > 0


def _helper(games: Games, rows: Indices, masks: Mask) -> None:
    """Use it or not; its effect is possible (S6.3)."""
    actions = games.actions
    masks[:, actions.use] = masks[:, actions.skip] = True


def _reward(games: Games, rows: Indices, masks: Mask) -> None:
    """The round's bonus tile, if possible, or Florins (S11.4)."""
    actions = games.actions
    masks[:, actions.bonus] = possible(games, rows, round_bonus(games, rows)[:, None])[:, 0]
    masks[:, actions.florins] = True


def round_bonus(games: Games, rows: Indices) -> Indices:
    """Returns the effects of the round's bonus tiles, [M]."""
    tiles = games.state.bonus_tiles[rows, games.state.round.take(rows) - 1]
    return games.config.edition.first_bonus + tiles.astype(np.int64)


def _free_helper(games: Games, rows: Indices, masks: Mask) -> None:
    """Any empty own slot (A8)."""
    empty = ~games.helpers.take(games.seats(rows), axis=0)
    masks[:, games.actions.free_helper] = empty & (games.helpers_left[rows, None] > 0)


def _wed(games: Games, rows: Indices, masks: Mask) -> None:
    """A bride or not; there is a slot (S11.4)."""
    actions = games.actions
    masks[:, actions.wed] = masks[:, actions.no_wed] = True


def _pay(games: Games, rows: Indices, masks: Mask) -> None:
    """Pay for VP, or keep (S11.5)."""
    actions = games.actions
    masks[:, actions.pay] = games.florins.take(games.seats(rows)) >= games.config.edition.pay
    masks[:, actions.keep] = True


_RULES: dict[int, Callable[[Games, Indices, Mask], None]] = {
    MAIN: _main,
    SPEND: _spend,
    TRACK: _track,
    MISSION: _mission,
    MARRIAGE: _marriage,
    ROW: _row,
    HELPER: _helper,
    REWARD: _reward,
    FREE_HELPER: _free_helper,
    WED: _wed,
    PAY: _pay,
}
