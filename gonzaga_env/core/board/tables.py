"""Values of an edition's placements, and the sets that each plan allows, by scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS, ActionCodec
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.placements import (
    LegalSets,
    PlacementFault,
    Placements,
    build_placements,
)
from gonzaga_env.core.edition import Edition
from gonzaga_env.kernel.cache import LRUCache, memory_of

DerivedT = TypeVar("DerivedT")


@dataclass(frozen=True, eq=False)
class Tables:
    """All tables of an edition: S scenarios, O objectives, K placements, W words for H hexes."""

    edition: Edition  #: the edition
    actions: ActionCodec  #: the codec of actions
    placements: Placements  #: every placement
    num_hexes: int  #: H
    legal_sets: LegalSets  #: the layout of sets of legal actions
    region: NDArray[np.uint8]  #: region of every hex, [H + 1] uint8; 6 on the sea and off the map
    sea: NDArray[np.uint8]  #: sea of every hex, [H + 1] uint8; 6 on land and off the map
    city_mask: NDArray[np.bool_]  #: [H] bool
    #: Sea that a harbor belongs to, [H + 1] uint8; 6 where there is no harbor.
    harbor_sea: NDArray[np.uint8]
    num_cities: NDArray[np.uint8]  #: cities under a placement, [K] uint8
    num_harbors: NDArray[np.uint8]  #: harbors under a placement, [K] uint8
    sea_harbors: NDArray[np.uint8]  #: harbors of each sea under a placement, [K, 6] uint8
    flourishing: NDArray[np.bool_]  #: flourishing regions, [S, 6] bool (R1.5)
    site_value: NDArray[np.uint8]  #: points for covering a hex, [S, H + 1] uint8 (R6.1)
    #: Points of a placement for its cities and for its harbors, [S, K, 2] uint8 (R6.1).
    points: NDArray[np.uint8]
    site_bits: Words  #: all cities and harbors, [W]
    flourishing_bits: Words  #: cities and harbors in flourishing regions, [S, W] (R7.1)
    objective_symbols: NDArray[np.bool_]  #: the two symbols of each objective, [O, 8] bool
    objective_bits: Words  #: cities of each objective, [O, W] (R1.4)
    objective_planes: NDArray[np.uint8]  #: the same as 0 and 1, [O, H] uint8
    #: Plans by scenario, plan of the round before (42 for none) and whether a ring is in stock, [S,
    #: 43, 2] uint64, one word each (R2.1, R3.3, R3.4).
    plan_bits: Words
    #: Placements by scenario, region card, action card and fief, on the empty map, by number, [S,
    #: 7, 3, 12, fief words] (R4.1, R4.2).
    fief_bits: Words
    #: Weddings by scenario, region card, action card and rings in stock (2 for more), on the empty
    #: map, [S, 7, 3, 3, ring words] (R5.1, R5.2).
    ring_bits: Words
    _made: dict[object, object] = field(default_factory=dict, repr=False)

    def derived(self, make: Callable[[Tables], DerivedT]) -> DerivedT:
        """Returns what a function makes of these tables; it is made once, and goes with them."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast(DerivedT, self._made[make])

    def __repr__(self) -> str:
        return f"<Tables of {self.edition!r}>"


#: By digest. An edition of the size of Europe takes 5 MiB, with what is made of it 15 MiB; one of
#: the largest maps ten times as much.
KEPT: LRUCache[Tables] = LRUCache(256 * 2**20, memory_of)


def tables_for(edition: Edition) -> Tables:
    """Returns the tables of an edition, built once while it is among the recently used ones."""
    return KEPT.get(edition.digest, lambda: _build(edition))


def _build(edition: Edition) -> Tables:
    actions = ActionCodec(edition)
    placements = build_placements(edition)
    region = _marks(edition, edition.regions)
    city, harbor_sea = _sites(edition)
    harbor = harbor_sea < c.NUM_SEAS
    flourishing = np.array(
        [[name in s.flourishing for name in edition.regions.values()] for s in edition.scenarios]
    )
    value = _site_value(flourishing, region, city | harbor)
    cells = placements.cells
    num_cities = city[cells].sum(axis=1, dtype=np.uint8)
    sea_harbors = _one_hot(harbor_sea, c.NUM_SEAS)[cells].sum(axis=1, dtype=np.uint8)
    num_harbors = sea_harbors.sum(axis=1, dtype=np.uint8)
    points = [(value * kind)[:, cells].sum(axis=2, dtype=np.uint8) for kind in (city, harbor)]
    objective_symbols, objective_bits = _objectives(edition)
    in_region = np.any(_one_hot(region, c.NUM_REGIONS)[cells], axis=1)
    by_region, inactive = flourishing[:, :, None] & in_region.T[None], ~flourishing @ in_region.T
    touches = np.concatenate([by_region, inactive[:, None]], axis=1)  # [S, 7, K] (R4.1)
    touches &= placements.fault == PlacementFault.NONE
    return Tables(
        edition=edition,
        actions=actions,
        placements=placements,
        num_hexes=actions.num_hexes,
        legal_sets=LegalSets(actions, placements),
        region=region,
        sea=_marks(edition, edition.seas),
        city_mask=city[:-1],
        harbor_sea=harbor_sea,
        num_cities=num_cities,
        num_harbors=num_harbors,
        sea_harbors=sea_harbors,
        flourishing=flourishing,
        site_value=value,
        points=np.ascontiguousarray(np.stack(points, axis=2)),
        site_bits=bits.pack((city | harbor)[:-1]),
        flourishing_bits=bits.pack(value[:, :-1] == c.FLOURISHING_POINTS),
        objective_symbols=objective_symbols,
        objective_bits=objective_bits,
        objective_planes=bits.unpack(objective_bits, len(edition.grid)),
        plan_bits=_plan_bits(flourishing),
        fief_bits=_fief_bits(placements, touches, num_cities, num_harbors),
        ring_bits=_ring_bits(actions, touches),
    )


def _marks(edition: Edition, names: dict[str, str]) -> NDArray[np.uint8]:
    """Returns the index of every hex's mark in `names`, `len(names)` if absent, [H + 1]."""
    order = {mark: i for i, mark in enumerate(names)}
    marks = [order.get(edition.mark(cell), len(order)) for cell in edition.grid.cells]
    return np.array([*marks, len(order)], dtype=np.uint8)


def _sites(edition: Edition) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Returns which hexes are cities and which sea each harbor belongs to, both [H + 1]."""
    index, seas = edition.grid.index, list(edition.seas.values())
    city = np.zeros(len(index) + 1, dtype=np.bool_)
    city[[index[site.at] for site in edition.cities]] = True
    harbor_sea = np.full(len(index) + 1, c.NUM_SEAS, dtype=np.uint8)
    for site in edition.harbors:
        harbor_sea[index[site.at]] = seas.index(site.group)
    return city, harbor_sea


def _one_hot(values: NDArray[np.uint8], size: int) -> NDArray[np.bool_]:
    return values[..., None] == np.arange(size)


def _site_value(
    flourishing: NDArray[np.bool_], region: NDArray[np.uint8], site: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Returns points for covering each hex, [S, H + 1] (R6.1)."""
    points = np.where(flourishing, c.FLOURISHING_POINTS, c.INACTIVE_POINTS).astype(np.uint8)
    none = np.zeros((len(points), 1), dtype=np.uint8)
    return np.ascontiguousarray(np.hstack([points, none])[:, region] * site)


def _objectives(edition: Edition) -> tuple[NDArray[np.bool_], Words]:
    """Returns symbols [O, 8] and cities [O, W] of the objectives (R1.4)."""
    names = edition.symbols
    if not edition.size.objectives:  # each player is dealt an empty one
        no_symbols = np.zeros((c.MAX_PLAYERS, c.NUM_SYMBOLS), dtype=np.bool_)
        return no_symbols, bits.pack(np.zeros((c.MAX_PLAYERS, len(edition.grid)), dtype=np.bool_))
    symbols = np.array([[name in pair for name in names] for pair in edition.objectives])
    city_symbol = np.full(len(edition.grid), len(names))
    for site in edition.cities:
        city_symbol[edition.grid.index[site.at]] = names.index(site.group)
    of_symbol = city_symbol[None, :] == np.arange(len(names))[:, None]
    cities = bits.pack(symbols.astype(np.uint8) @ of_symbol.astype(np.uint8) > 0)
    return np.pad(symbols, ((0, 0), (0, c.NUM_SYMBOLS - len(names)))), cities


def _plan_bits(flourishing: NDArray[np.bool_]) -> Words:
    """Returns the plans that cards and rings allow, [S, 43, 2] (R2.1, R3.3, R3.4)."""
    region, action, privilege = PLAN_CARDS.T
    unavailable = np.zeros((NUM_PLANS + 1, NUM_PLANS), dtype=np.bool_)
    unavailable[:-1] = (region[:, None] == region) | (action[:, None] == action)
    unavailable[:-1] |= (privilege[:, None] & privilege) == 1
    in_hand = np.pad(flourishing, ((0, 0), (0, 1)), constant_values=True)[:, region]
    paid = np.stack([privilege == 0, privilege >= 0])
    allowed = in_hand[:, None, None] & ~unavailable[None, :, None] & paid[None, None]
    return bits.pack(allowed)[..., 0]


def _fief_bits(
    placements: Placements,
    touches: NDArray[np.bool_],
    num_cities: NDArray[np.uint8],
    num_harbors: NDArray[np.uint8],
) -> Words:
    """Returns fief placements by scenario, region, action and fief (R4.1, R4.2)."""
    kind = np.empty((c.NUM_ACTION_CARDS, len(num_cities)), dtype=np.bool_)
    kind[c.HARBORS] = (num_harbors > 0) & (num_cities == 0)
    kind[c.CITIES] = num_harbors == 0
    kind[c.ALLIANCE] = (num_harbors > 0) & (num_cities > 0)
    return placements.by_number(touches)[:, :, None] & placements.by_number(kind)


def _ring_bits(actions: ActionCodec, touches: NDArray[np.bool_]) -> Words:
    """Returns weddings by scenario, region, action and stock of rings (R5.1, R5.2).

    Either of two rings may be the first, so one of them in the region is enough.
    """
    size = actions.rings.stop - actions.ring.start
    num_rings = np.ones(size, dtype=np.uint8)
    num_rings[actions.num_hexes :] = 2
    stock = np.arange(3)[:, None] >= num_rings
    allowed = touches[:, :, None, -1 - size : -1] & stock
    by_action = np.zeros(
        (*allowed.shape[:2], c.NUM_ACTION_CARDS, *allowed.shape[2:]), dtype=np.bool_
    )
    by_action[:, :, c.ALLIANCE] = allowed
    return bits.pack(by_action)
