"""Lists and describes the choices of a decision, and the cities and harbors, as a seat sees them.

The choices are the legal actions that the planner scores highest, at most `NUM_CHOICES`. A plan is
described by the best placement or wedding that it opens on the current map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS, NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import GameConfig, Rules
from gonzaga_env.core.state import PLACE, State
from gonzaga_env.kernel.rows import merge_seats

from ..arrays import Floats, Indices, best_of_rows
from ..heuristics.gonzaga import PLANNED, less_rivals
from ..heuristics.gonzaga_scores import (
    NUM_COUNTS,
    Heuristic,
    SeatValues,
    candidate_tables,
    league_harbors,
)

POINTS = np.float32(10)  # the unit in which points are given to the network
SITE_FEATURES = (
    "value",  # points for covering it (R6.1); 0 if the seat holds it
    "free",
    "own",
    "fiefs_of_others",
    "rings_of_others",
    "objective",  # a city of the own objective
    "worth",  # to the planner, in `POINTS`
    *(
        f"own_harbors_{count}" for count in range(c.LEAGUE_HARBORS + 1)
    ),  # of its sea; 3 for its founder
    "others_near_league",  # others who hold two harbors of its sea
    "others_in_sea",  # others who hold one
    "next_to_largest",  # own group
    "next_to_small",  # own group
    "flourishing",
    "locked",  # the own card of its region was played in the last round (R3.3)
    "locked_for_others",
    "attention",  # others who are expected to place in its region, or who will
    "symbol_of_others",  # the most cities of its symbol that another player holds, of 3
    "free_in_sea",  # free harbors of its sea, of 4
    "free_in_region",  # free sites of its region, of 8
    *(f"region_{region}" for region in range(c.NUM_REGIONS)),
    "harbor",
    "placing",  # the phase
)


class SiteFeatures:
    """Reads the features of S sites for an edition."""

    def __init__(self, tables: Tables, rules: Rules) -> None:
        self._tables, self._table = tables, candidate_tables(tables)
        self._rules = rules
        cells = self._table.site_cells
        self._region = tables.region[cells].astype(np.int64)
        self._sea = tables.harbor_sea[cells].astype(np.int64)  # 6 for cities
        self._is_harbor = self._sea < c.NUM_SEAS
        regions = self._region == np.arange(c.NUM_REGIONS)[:, None]
        static = np.vstack([regions, self._is_harbor]).T
        self._static = np.zeros((len(cells), len(SITE_FEATURES)), dtype=np.float32)
        self._static[:, -1 - static.shape[1] : -1] = static
        self._of_region = regions.T.astype(np.float32)  # [S, 6]
        seas = self._sea == np.arange(c.NUM_SEAS + 1)[:, None]
        self._of_sea = (seas.T & self._is_harbor[:, None]).astype(np.float32)  # [S, 7]
        symbols = _symbols(tables)[:, cells]  # [8, S]
        self._of_symbol = symbols.T.astype(np.float32)
        self._symbol = np.where(symbols.any(axis=0), symbols.argmax(axis=0), len(symbols))

    def __len__(self) -> int:
        """S."""
        return len(self._region)

    def read(self, state: State, values: SeatValues, attention: Floats) -> Floats:
        """Returns features of sites, [M, S, F], by how many others go for each region, [M, 6]."""
        num_players, scenario = state.num_players, state.scenario[values.games]
        games = values.games[:, None]
        everyone = (values.seats[:, None] + np.arange(num_players)) % num_players
        at = games * num_players + everyone
        fiefs, rings = (self._held(merge_seats(sets)[at]) for sets in (state.fiefs, state.rings))
        held = fiefs | rings  # [M, P, S]
        own, free = held[:, 0], 1 - np.bitwise_or.reduce(held, axis=1)
        free_sites = free.astype(np.float32)
        objective = state.objective[values.games, values.seats]
        harbors = self._harbors(state, at)
        own_harbors, others_harbors = np.where(self._is_harbor, harbors[:, 0], 255), harbors[:, 1:]
        near = self._near(values)
        flourishing = self._tables.flourishing[scenario]
        locked = _locked_regions(state, games, everyone, flourishing)
        locked_for_others = _sum_seats(locked[:, 1:])
        out = np.empty((len(at), *self._static.shape), dtype=np.float32)
        out[:] = self._static
        planes = (
            self._table.site_values[scenario][:, :-1] * (own == 0) / c.FLOURISHING_POINTS,
            free,
            own,
            _sum_seats(fiefs[:, 1:]),
            _sum_seats(rings[:, 1:]),
            self._table.objective_sites[objective][:, :-1],
            values.sites[:, :-1] / POINTS,
            *(own_harbors == count for count in range(c.LEAGUE_HARBORS + 1)),
            _sum_seats(others_harbors == c.LEAGUE_HARBORS - 1),
            _sum_seats(others_harbors == 1),
            near >> 1,
            near & 1,
            flourishing[:, self._region],
            locked[:, 0].take(self._region, axis=1),
            locked_for_others.take(self._region, axis=1),
            attention.take(self._region, axis=1),
            self._symbols_of_others(held),
            (free_sites @ self._of_sea).take(self._sea, axis=1) / 4,
            (free_sites @ self._of_region).take(self._region, axis=1) / 8,
        )
        for index, plane in enumerate(planes):
            out[..., index] = plane
        out[..., -1] = (state.phase[values.games] == PLACE)[:, None]
        return out

    def _held(self, sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Returns the sites in sets of hexes [M, P, W], [M, P, S]."""
        hexes = bits.unpack(sets, self._tables.num_hexes)
        return hexes.take(self._table.site_cells, axis=2)

    def _harbors(self, state: State, at: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Returns harbors held of the sea of each site, 3 where no league can follow, [M, P, S]."""
        harbors = merge_seats(league_harbors(state, self._rules))[at]
        return np.pad(harbors, ((0, 0), (0, 0), (0, 1))).take(self._sea, axis=2)

    def _near(self, values: SeatValues) -> NDArray[np.uint8]:
        if values.near is None:
            raise ValueError("the values have no groups; the weights of a planner have")
        return values.near.take(self._table.site_cells, axis=1)

    def _symbols_of_others(self, held: NDArray[np.uint8]) -> Floats:
        """Returns the most cities of the symbol of each site that another seat holds, [M, S]."""
        counts = (held[:, 1:].astype(np.float32) @ self._of_symbol).max(axis=1)
        padded: Floats = np.pad(counts, ((0, 0), (0, 1)))
        return padded.take(self._symbol, axis=1) / np.float32(3)


def _sum_seats(planes: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Returns small numbers [M, P, S] summed over the seats, [M, S]."""
    return np.add.reduce(planes, axis=1, dtype=np.uint8)


def _locked_regions(
    state: State,
    games: NDArray[np.int64],
    everyone: NDArray[np.int64],
    flourishing: NDArray[np.bool_],
) -> NDArray[np.uint8]:
    """Returns the regions whose card each player may not use, [M, P, 6] (R3.3)."""
    cards = CARDS[state.previous_plan[games, everyone]]
    inactive = cards[:, :, c.INACTIVE_CARD, None] & ~flourishing[:, None]
    return cards[:, :, : c.NUM_REGIONS] | inactive


def _symbols(tables: Tables) -> NDArray[np.bool_]:
    """Returns where the cities of each symbol lie, [8, H]: on all objectives that show it."""
    planes = tables.objective_planes.astype(np.bool_)
    shown = tables.objective_symbols.T  # [8, O]
    return np.stack([planes[objectives].all(axis=0) for objectives in shown])


NUM_CHOICES = 16
MOST_SPOTS = 4
_PLACEMENT = (
    "points",  # of the sites that it covers, in `POINTS` (R6.1)
    "leagues",  # that it founds
    "objective",  # cities of the own objective that it covers
    "league_worth",  # to the planner, in `POINTS`
    "sites",  # that it covers, of 3
    *(f"group_{code}" for code in ("none", "small", "largest", "both")),  # own pieces it touches
    "land",  # hexes on land, of 4
    "hexes",  # of 4
)
_KINDS = ("fief", "ring", "rings", "donation")
_PLAN = (
    "plan",
    *(f"action_{card}" for card in "ABC"),
    "privilege",
    "rivals",  # others expected to place in its region before
    "opened",  # the planner's score of the best placement that it opens, in `POINTS`
    "nothing",  # it opens nothing better than a donation
    "flourishing",  # its region
    *(f"region_{card}" for card in range(c.NUM_REGION_CARDS)),
)
CHOICE_FEATURES = ("score", "behind", "first", *_PLACEMENT, *_KINDS, *_PLAN)
"""The first are the planner's score, how far it is below the best one, both in `POINTS`, and
whether it is the best one."""
BEHIND = CHOICE_FEATURES.index("behind")
_AT = {name: index for index, name in enumerate(CHOICE_FEATURES)}
_PLACEMENTS = slice(3, 3 + len(_PLACEMENT))


class Choices(NamedTuple):
    """The choices of M decisions (see `Inputs`)."""

    features: Floats  # [M, K, G]
    spots: NDArray[np.uint8]  # [M, K, 4]
    actions: NDArray[np.int16]  # [M, K]


class ChoiceFeatures:
    """Reads choices for a game."""

    def __init__(self, config: GameConfig, planner: Heuristic) -> None:
        """Takes the heuristic that lists choices and says what they are worth."""
        self._tables, self._table = config.tables, candidate_tables(config.tables)
        self._planner = planner

    def placements(
        self, state: State, values: SeatValues, rows: Indices, actions: Indices
    ) -> Choices:
        """Returns the choices of M placing seats, given rows (ascending) and legal actions, [L]."""
        fiefs, scores = values.fiefs, self._planner.placements(values, rows, actions)
        at, place = best_of_rows(rows, scores, NUM_CHOICES)
        row, chosen = rows[at], actions[at]
        placement = self._tables.placements.row(fiefs[row], chosen - NUM_PLANS)
        features = self._describe(state, values, row, placement)
        weddings, donate = self._tables.actions.weddings, self._tables.actions.donate
        wedding = (chosen >= weddings.start) & (chosen < weddings.stop)
        two = self._table.cells[placement, 1] < self._tables.num_hexes
        kinds = (~wedding & (chosen != donate), wedding & ~two, wedding & two, chosen == donate)
        for kind, which in zip(_KINDS, kinds, strict=True):
            features[:, _AT[kind]] = which
        return self._arrange(len(fiefs), row, place, chosen, scores[at], features, placement)

    def plans(
        self, state: State, values: SeatValues, before: Floats, rows: Indices, actions: Indices
    ) -> Choices:
        """Returns the choices of M planning seats, given rows (ascending) and legal plans, [L].

        `before` is how many others are expected in a plan's region before it, [M, 42].
        """
        opened, placements = self._planner.best_placements(state, values)
        region, card, privilege = PLAN_CARDS[actions].T
        worth, rivals = opened[rows, region, card], before[rows, actions]
        cost = np.float32(PLANNED.privilege) * privilege
        scores = less_rivals(worth - cost, rivals)
        at, place = best_of_rows(rows, scores, NUM_CHOICES)
        row, chosen = rows[at], actions[at]
        region, card, privilege = region[at], card[at], privilege[at]
        placement = placements[row, region, card]
        features = self._describe(state, values, row, placement)
        flourishing = np.pad(self._tables.flourishing, ((0, 0), (0, 1)))
        features[:, _AT["plan"]] = 1
        features[:, _AT["privilege"]] = privilege
        features[:, _AT["rivals"]] = rivals[at]
        features[:, _AT["opened"]] = worth[at] / POINTS
        features[:, _AT["nothing"]] = placement == len(self._table.cells) - 1
        features[:, _AT["flourishing"]] = flourishing[state.scenario[values.games][row], region]
        each = np.arange(len(row))
        features[each, _AT["action_A"] + card] = 1
        features[each, _AT["region_0"] + region] = 1
        return self._arrange(len(before), row, place, chosen, scores[at], features, placement)

    def _describe(
        self, state: State, values: SeatValues, rows: Indices, placements: Indices
    ) -> Floats:
        """Returns features of placements and weddings, [L, G]."""
        table, num_sites = self._table, self._table.num_sites
        out = np.zeros((len(rows), len(CHOICE_FEATURES)), dtype=np.float32)
        sites, cells = table.placement_sites[placements], table.cells[placements]
        scenario = state.scenario[values.games]
        objective = state.objective[values.games, values.seats]
        seas = table.placement_seas[placements]
        stages = self._planner.league_stages(state, values.games, values.seats)
        sea, count = np.divmod(seas, NUM_COUNTS)
        held = stages[rows[:, None], sea]
        founds = (held < c.LEAGUE_HARBORS) & (held + count >= c.LEAGUE_HARBORS)
        groups = np.bitwise_or.reduce(values.near[rows[:, None], cells], axis=1)  # type: ignore[index]
        found = (
            table.site_values[scenario[rows, None], sites].sum(axis=1) / POINTS,
            founds.sum(axis=1),
            table.objective_sites[objective[rows, None], sites].sum(axis=1),
            values.leagues[rows[:, None], seas].sum(axis=1) / POINTS,
            (sites < num_sites).sum(axis=1) / 3,
            *(groups == code for code in range(4)),
            (self._tables.region[cells] < c.NUM_REGION_CARDS - 1).sum(axis=1) / 4,
            (cells < self._tables.num_hexes).sum(axis=1) / 4,
        )
        for index, values_of in enumerate(found, start=_PLACEMENTS.start):
            out[:, index] = values_of
        return out

    def _arrange(
        self,
        num_decisions: int,
        rows: Indices,
        places: Indices,
        actions: Indices,
        scores: Floats,
        features: Floats,
        placements: Indices,
    ) -> Choices:
        """Returns listed choices [L] as padded arrays [M, K]."""
        shape = num_decisions, NUM_CHOICES
        features[:, 0] = scores / POINTS
        features[:, BEHIND] = (scores - scores[places == 0][rows]) / POINTS
        features[:, 2] = places == 0
        arranged = np.zeros((*shape, len(CHOICE_FEATURES)), dtype=np.float32)
        spots = np.full((*shape, MOST_SPOTS), self._table.num_sites, dtype=np.uint8)
        listed = np.full(shape, -1, dtype=np.int16)
        arranged[rows, places] = features
        sites = self._table.placement_sites[placements, :MOST_SPOTS]  # R4.7: three at most
        spots[rows, places, : sites.shape[1]] = sites
        listed[rows, places] = actions
        return Choices(arranged, spots, listed)
