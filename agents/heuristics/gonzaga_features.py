"""Features of positions between rounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.state import State, held_bits, open_sites

from ..arrays import Floats
from .gonzaga_scores import candidate_tables, league_harbors, near_all_seats

_TIERS = (3, 6, 9)  # points of a placement
_OBJECTIVE_POINTS = np.array(c.OBJECTIVE_POINTS, dtype=np.float32)


def _columns(**sizes: int) -> dict[str, slice]:
    """Returns where each group of features lies, one after the other."""
    ends = np.cumsum([*sizes.values()]).tolist()
    return {name: slice(end - sizes[name], end) for name, end in zip(sizes, ends, strict=True)}


OWN = _columns(
    points=1,
    objective_cities=1,  # held, of the own objective
    objective_points=1,  # for these
    objective_free=1,
    objective_possible=1,  # points if all free ones are taken
    leagues=6,  # seas that lack 1, 2 or 3 harbors, and free harbors beyond these
    groups=6,
    rings=1,
    last_action=4,  # A, B, C and King's Privilege, which are locked
    last_inactive=1,
    fiefs=9,  # share of the fiefs to come with a free placement, by points and kind
    flourishing=1,  # hexes held in flourishing regions
    locked=1,  # points left where the locked region card is needed
    room=4,  # to grow the groups
)
"""Columns of a player's features."""
SHARED = _columns(
    round=1, last_round=1, open_sites=1, near_end=1, free_sites=1, rounds_to_check=1, finished=1
)
"""Columns of the game's features."""
NUM_OWN, NUM_SHARED = OWN["room"].stop, SHARED["finished"].stop
SECRET = slice(OWN["objective_cities"].start, OWN["objective_possible"].stop)
"""Those of a player's features that its objective decides."""


class FeatureReader:
    """Reads features of positions between rounds, for one edition and its rules."""

    def __init__(self, tables: Tables, rules: Rules) -> None:
        self.tables, self.rules = tables, rules
        points = tables.points.sum(axis=2)  # [S, K]
        has_city, has_harbor = tables.num_cities > 0, tables.num_harbors > 0
        kinds = np.stack([has_harbor & ~has_city, has_city & ~has_harbor, has_city & has_harbor])
        masks = (points[:, None] >= np.array(_TIERS)[:, None])[:, :, None] & kinds
        rich = tables.placements.by_number(masks)  # [S, tiers, 3, 12, F]
        rich = rich.reshape(len(points), -1, *rich.shape[3:])
        self._rich = np.ascontiguousarray(rich.swapaxes(1, 2))  # [S, 12, tiers * 3, F]
        seas = np.arange(c.NUM_SEAS)[:, None]
        regions = np.arange(c.NUM_REGIONS)[:, None]
        in_region = bits.pack(tables.region[None, :-1] == regions)
        self._site_bits = in_region & tables.site_bits  # [6, W]
        self._table = candidate_tables(tables)
        self._sea_bits = bits.pack(tables.harbor_sea[None, :-1] == seas)  # [6, W]

    def read(self, state: State, near: NDArray[np.uint8] | None = None) -> tuple[Floats, Floats]:
        """Returns features of each player [N, P, NUM_OWN] and of the game [N, NUM_SHARED].

        `near` is what `near_all_seats` returns, where it is known.
        """
        tables, num_games, num_players = self.tables, state.num_games, state.num_players
        own = np.zeros((num_games, num_players, NUM_OWN), dtype=np.float32)
        held = held_bits(state)  # [N, P, W]
        taken = held[:, 0].copy()
        for seat in range(1, num_players):
            taken |= held[:, seat]
        goal = tables.objective_bits[state.objective]
        count = bits.count(held & goal)
        free = bits.count(goal & ~taken[:, None])
        possible = _OBJECTIVE_POINTS[np.minimum(count + free, 6)]
        cards = CARDS[state.previous_plan]
        flourishing = tables.flourishing_bits[state.scenario][:, None]
        for name, feature in {
            "points": state.totals / np.float32(50),
            "objective_cities": count / np.float32(6),
            "objective_points": _OBJECTIVE_POINTS[count] / np.float32(35),
            "objective_free": free / np.float32(6),
            "objective_possible": possible / np.float32(35),
            "rings": state.ring_stock / np.float32(c.NUM_RINGS),
            "last_inactive": cards[:, :, c.INACTIVE_CARD],
            "flourishing": bits.count(held & flourishing) / 12,
            "locked": self._locked(state, cards, taken),
        }.items():
            own[:, :, OWN[name].start] = feature
        own[:, :, OWN["last_action"]] = cards[:, :, c.NUM_REGION_CARDS :]
        own[:, :, OWN["fiefs"]] = self._left(state) @ self._best(state)
        self._read_leagues(state, taken, own[:, :, OWN["leagues"]])
        _read_groups(state, own[:, :, OWN["groups"]])
        if near is None:
            near = near_all_seats(self._table, state)
        self._read_room(state, near, taken, own[:, :, OWN["room"]])
        shared = np.zeros((num_games, NUM_SHARED), dtype=np.float32)
        num_open = open_sites(tables, state)
        early = np.maximum(self.rules.first_check_round + 1 - state.round.astype(np.int64), 0)
        for name, feature in {
            "round": state.round / np.float32(c.NUM_FIEFS),
            "last_round": state.last_round,
            "open_sites": num_open / np.float32(40),
            "near_end": np.maximum(0, 8 - num_open) / np.float32(8),
            "free_sites": bits.count(tables.site_bits & ~taken) / np.float32(48),
            "rounds_to_check": early / np.float32(6),
            "finished": state.finished,
        }.items():
            shared[:, SHARED[name].start] = feature
        return own, shared

    def _read_leagues(self, state: State, taken: Words, out: Floats) -> None:
        """Writes how near the sea leagues are, [N, P, 6]."""
        free = bits.count(self._sea_bits & ~taken[:, None])[:, None]  # [N, 1, 6]
        held = league_harbors(state, self.rules).astype(np.int64)
        possible = (held < c.LEAGUE_HARBORS) & (held + free >= c.LEAGUE_HARBORS)
        for missing in (1, 2, 3):
            near = possible & (held == c.LEAGUE_HARBORS - missing)
            out[..., missing - 1] = near.sum(axis=2) / np.float32(3)
            out[..., missing + 2] = (near * (free - missing)).sum(axis=2) / np.float32(3)

    def _read_room(self, state: State, near: NDArray[np.uint8], taken: Words, out: Floats) -> None:
        """Writes how the groups may grow (R8.1): free hexes next to them, [N, P, 4]."""
        near = near[:, :-1].reshape(*state.objective.shape, -1)
        free = ~taken[:, None]
        largest, small = bits.pack(near & 2 != 0) & free, bits.pack(near & 1 != 0) & free
        out[..., 0] = bits.count(largest) / np.float32(20)
        out[..., 1] = bits.count(small) / np.float32(20)
        out[..., 2] = np.minimum(bits.count(largest & small), 4) / np.float32(4)
        sites = self._table.site_cells
        value = self.tables.site_value[state.scenario][:, None, sites]
        at_sites = bits.unpack(largest, near.shape[2])[:, :, sites]
        out[..., 3] = (at_sites * value).sum(axis=2) / np.float32(15)

    def _locked(self, state: State, cards: NDArray[np.uint8], taken: Words) -> Floats:
        """Returns the points left where the region card of the last round is needed, [N, P]."""
        flourishing = self.tables.flourishing[state.scenario]  # [N, 6]
        free = bits.count(self._site_bits & ~taken[:, None])
        points = free * np.where(flourishing, c.FLOURISHING_POINTS, c.INACTIVE_POINTS)
        inactive = cards[:, :, c.INACTIVE_CARD, None] * ~flourishing[:, None]
        locked = cards[:, :, : c.NUM_REGIONS] + inactive  # [N, P, 6]
        return (locked * points[:, None]).sum(axis=2) / np.float32(30)

    def _left(self, state: State) -> Floats:
        """Returns which share of the fiefs to come each fief is, [N, P, 12]."""
        left = np.arange(c.NUM_FIEFS) >= (state.round[:, None, None] - 1)
        flat = np.zeros(state.deck.shape, dtype=np.float32)
        np.put_along_axis(flat, state.deck.astype(np.int64), left.astype(np.float32), axis=2)
        return flat / np.maximum(flat.sum(axis=2, keepdims=True), 1)

    def _best(self, state: State) -> Floats:
        """Returns whether each fief has a free placement of some points and kind, [N, 12, 9]."""
        best = np.empty((state.num_games, c.NUM_FIEFS, self._rich.shape[2]), dtype=np.float32)
        for scenario in np.unique(state.scenario):
            rows = (state.scenario == scenario).nonzero()[0]
            free = ~state.blocked[rows]
            rich = free[:, :, None] & self._rich[scenario]  # [n, 12, 9, F]
            best[rows] = np.bitwise_or.reduce(rich, axis=3) != 0
        return best


def _read_groups(state: State, out: Floats) -> None:
    """Writes sizes of groups, of this player and relative to the others (R8.1), [N, P, 6]."""
    largest = state.largest_group.astype(np.float32)
    lead = largest - highest_of_others(largest[:, :, None])[:, :, 0]
    sizes = np.bitwise_count(state.group).astype(np.float32)  # of the group of each piece
    small = np.where(sizes < largest[:, :, None], sizes, 0)
    out[..., 0] = largest / 8
    out[..., 1] = np.clip(lead, -4, 4) / 4
    out[..., 2] = lead > 0
    out[..., 3] = lead == 0
    out[..., 4] = small.max(axis=2) / 4
    out[..., 5] = (sizes > 0).sum(axis=2) / np.float32(12)


def highest_of_others(own: Floats) -> Floats:
    """Returns the highest feature among the other players, [N, P, F]."""
    highest = np.empty_like(own)
    for seat in range(own.shape[1]):
        others = [i for i in range(own.shape[1]) if i != seat]
        highest[:, seat] = own[:, others].max(axis=1)
    return highest
