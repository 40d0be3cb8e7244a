"""How each feature of the observation is read from the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import bits
from gonzaga_env.core.actions import NO_PLAN, NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.bits import Words
from gonzaga_env.core.rows import Pick
from gonzaga_env.core.rules import NUM_ACTION_CARDS, NUM_FIEFS, NUM_REGION_CARDS
from gonzaga_env.core.scoring import held_bits, open_sites
from gonzaga_env.core.state import PLACE, PLAN, State, fiefs_at_hand
from gonzaga_env.core.tables import Tables

PART = 512  # games that are looked at together; more would only take more memory
NUM_CARDS = NUM_REGION_CARDS + NUM_ACTION_CARDS + 1

#: Cards of a plan as 0 and 1: seven regions, three actions, King's Privilege; nothing for no plan.
CARDS = np.zeros((NO_PLAN + 1, NUM_CARDS), dtype=np.uint8)
CARDS[np.arange(NUM_PLANS), PLAN_CARDS[:, 0]] = 1
CARDS[np.arange(NUM_PLANS), NUM_REGION_CARDS + PLAN_CARDS[:, 1]] = 1
CARDS[:NUM_PLANS, -1] = PLAN_CARDS[:, 2]

_FIEFS = np.eye(NUM_FIEFS, dtype=np.uint8)

Values = NDArray[Any]


@dataclass(frozen=True)
class Look:
    """A look at M games, by V seats of each: by one, or by all P.

    Attributes:
        tables: the edition's tables.
        state: N games.
        pick: M of them.
        seats: the seat that looks, [M]; None where all look.
    """

    tables: Tables
    state: State
    pick: Pick
    seats: NDArray[np.int64] | None

    def read(self, name: str) -> Values:
        """Returns a feature by seat, [M, V, size]; [M, 1, size] if all see the same."""
        return _READERS[name](self)

    def each(self, values: Values) -> Values:
        """Returns what belongs to a seat alone, [M, V, k] of [M, P, k]."""
        if self.seats is None:
            return values
        return values[np.arange(len(values)), self.seats][:, None]

    def turned(self, values: Values) -> Values:
        """Returns what all may know of each player, from the looking seat on clockwise.

        [M, V, P * k] of [M, P, k]: seat s of four sees s, s + 1, s + 2, s + 3, a window of the
        players written twice in a row::

            0 1 2 3 0 1 2 3
                [ s = 2 ]
        """
        games, players, size = values.shape
        twice = np.concatenate([values, values], axis=1)
        windows = np.ndarray(
            (games, players, players * size), twice.dtype, twice, strides=twice.strides
        )
        return self.each(windows)

    def hexes(self, sets: Words) -> NDArray[np.uint8]:
        """Returns sets of hexes [..., W] as 0 and 1, [..., H]."""
        return bits.unpack(sets, self.tables.num_hexes)


def _value(look: Look) -> Values:
    worth = look.tables.site_value[look.state.scenario[look.pick], :-1]
    held = look.each(held_bits(look.state, look.pick))
    return worth[:, None] * (1 - look.hexes(held))


def _seat(look: Look) -> Values:
    players = look.state.num_players
    seats = np.arange(players)[None] if look.seats is None else look.seats[:, None]
    return seats[..., None] == np.arange(players)


def _to_come(look: Look) -> Values:
    """Fiefs that are still in each deck, without their order."""
    deck = look.state.deck[look.pick]
    rounds = np.arange(NUM_FIEFS) >= look.state.round[look.pick, None, None]
    to_come = np.zeros(deck.shape, dtype=np.bool_)
    np.put_along_axis(to_come, deck, rounds, axis=2)
    return look.turned(to_come)


def _plan(look: Look) -> Values:
    """Plans; to all but their own seat they are sealed until they are revealed (R3.2)."""
    plans = look.turned(CARDS[look.state.plan[look.pick]])
    sealed = (look.state.phase[look.pick] == PLAN).nonzero()[0]
    if len(sealed):
        plans = plans.copy()
        plans[sealed, :, NUM_CARDS:] = 0
    return plans


def _order(look: Look) -> Values:
    """Place in the turn order (R3.5)."""
    order = look.state.order[look.pick]
    places = np.zeros(order.shape, dtype=np.uint8)
    np.put_along_axis(places, order, np.arange(1, order.shape[1] + 1)[None], axis=1)
    places *= look.state.phase[look.pick, None] == PLACE
    return look.turned(places[..., None])


def _game(name: str) -> Callable[[Look], Values]:
    """Returns a reader of what is one number for the whole game."""
    return lambda look: getattr(look.state, name)[look.pick, None, None]


def _player(name: str) -> Callable[[Look], Values]:
    """Returns a reader of what the state holds for each player, as it is."""

    def read(look: Look) -> Values:
        values = getattr(look.state, name)[look.pick]
        return look.turned(values if values.ndim == 3 else values[..., None])

    return read


_READERS: dict[str, Callable[[Look], Values]] = {
    "fiefs": lambda look: look.turned(look.hexes(look.state.fiefs[look.pick])),
    "rings": lambda look: look.turned(look.hexes(look.state.rings[look.pick])),
    "value": _value,
    "objective": lambda look: look.tables.objective_planes[
        look.each(look.state.objective[look.pick])
    ],
    "phase": _game("phase"),
    "round": _game("round"),
    "last_round": _game("last_round"),
    "position": _game("position"),
    "open_sites": lambda look: open_sites(look.tables, look.state, look.pick)[:, None, None],
    "flourishing": lambda look: look.tables.flourishing[look.state.scenario[look.pick]][:, None],
    "seat": _seat,
    "symbols": lambda look: look.tables.objective_symbols[
        look.each(look.state.objective[look.pick])
    ],
    "fief": lambda look: look.turned(_FIEFS[fiefs_at_hand(look.state, look.pick)]),
    "deck": _to_come,
    "locked": lambda look: look.turned(CARDS[look.state.locked[look.pick]]),
    "plan": _plan,
    "order": _order,
    "ring_stock": _player("ring_stock"),
    "score": lambda look: look.turned(
        np.minimum(look.state.scores[look.pick].sum(axis=2), 255).astype(np.uint8)[..., None]
    ),
    "sea_harbors": _player("sea_harbors"),
    "leagues": _player("leagues"),
    "largest": _player("largest"),
}
