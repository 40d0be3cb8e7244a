"""Gonzaga's facts of choices: what a placement covers and touches, and what a plan opens.

A placement is described by the sites that it covers, by the sea leagues that these harbors bring
nearer, by the own groups that it touches, and by what lies around it. A plan is described by the
placements that it opens, scored with the same weights, and by those of the others, who are expected
to plan by the same policy without regard to objectives, which are secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import GameConfig, Rules
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import PLAN, State, current_fiefs, list_plans

from ..arrays import Arrays, Floats, Indices, Masks, Observations
from .facts import Choices, FactReader, LinearPolicy
from .gonzaga import plans_before
from .gonzaga_scores import (
    Candidates,
    CandidateTables,
    candidate_tables,
    league_harbors,
    near_pieces,
)
from .gonzaga_value import FeatureReader, highest_of_others

#: What is said of each site that a placement covers.
_SITE = (
    "a site in a flourishing region",  # R6.1
    "a site in an inactive region",
    *(f"a city of the own objective, {n} held before" for n in range(6)),  # R8.2
    "a city of the own objective, for 3 of it that others hold",
    *(f"a city of a symbol of which a rival holds {n}" for n in ("1", "2", "3 or more")),
    "a harbor",
    "a harbor of a sea where a rival lacks 1 for the league",  # R6.2
    "a harbor of a sea where a rival lacks 2 for the league",
    "a site within 2 hexes of another's pieces, for 3 players",
    "a site within 2 hexes of own pieces",
    "a harbor of a sea without own harbors",
    "a city of the own objective where another's ring lies",
    "a city of the own objective within 2 hexes of another's pieces, for 3 players",
)
_OBJECTIVE = slice(2, 9), slice(18, 20)  # of these: secret
#: The stages of a sea for one seat (R6.2).
_STAGES = (
    "where no own league is possible",
    "without own harbors",
    "with 1 own harbor and 2 free ones",
    "with 1 own harbor and 3 or more free ones",
    "with 2 own harbors and 1 free one",
    "with 2 own harbors and 2 or more free ones",
)
_MOST_ADDED = 3
_SEA = tuple(
    f"{n} harbor{'s' * (n > 1)} of a sea {stage}"
    for stage in _STAGES
    for n in range(1, _MOST_ADDED + 1)
)
_TOUCHED = ("only smaller own groups", "the largest own group", "both")
_OTHER = (
    *(f"next to {which}" for which in _TOUCHED),  # R8.1
    *(f"next to {which}, by the lead in group size" for which in _TOUCHED),
    "a donation",  # R3.7
    "a wedding with 1 ring",  # R5
    "a wedding with 2 rings",
    "a ring spent, by rings left",
    "free hexes around it, in eighths",
    "hexes of others around it, in quarters",
    "free cities of the own objective around it",
    "2 sites covered",
    "3 or more sites covered",
)
_PLAN = (
    "plan: its best placement, in points",
    "plan: that, by others before it in the region",
    "plan: that, by others behind it in the region",
    "plan: that, by the square of others before it",
    "plan: that with King's Privilege",
    "plan: what a choice among good placements adds, in points",
    "plan: that choice, by others before it in the region",
    "plan: others before it in the region",
    "plan: others behind it in the region",
    "plan: King's Privilege",  # R3.4
    "plan: King's Privilege, by rings left",
    "plan: King's Privilege, by others before it in the region",
    "plan: card A",
    "plan: card C",
    "plan: the card of inactive regions",
    "plan: nothing better than a donation",
    "plan: the best with another card in the region, in points",
    "plan: the best with this card in another region, in points",
    "plan: points lost where others are likely to place first",
    "plan: most of its points lost so",
)
_NUM_SITE, _NUM_SEA = len(_SITE), len(_SEA)
_PLACEMENT_FACTS = slice(0, _NUM_SITE + _NUM_SEA + len(_OTHER))
_TOUCH, _RACE, _DONATION, _RING, _STOCK, _AROUND = (
    _NUM_SITE + _NUM_SEA + start for start in (0, 3, 6, 7, 9, 10)
)
_PLAN_FACTS = slice(_PLACEMENT_FACTS.stop, _PLACEMENT_FACTS.stop + len(_PLAN))
_REGION, _CARD, _PRIVILEGE = PLAN_CARDS.T
_SAME_REGION = (_REGION[:, None] == _REGION).astype(np.float32)
_NUM_PAIRS = c.NUM_REGIONS * c.NUM_ACTION_CARDS
_NEVER = np.float32(-1e4)
_CHUNK = 256  # seats scored together (see `Heuristic`)


class _Opened(NamedTuple):
    """Candidates, sorted by the region and card of the plans that open them."""

    starts: Indices  # where each run of one region and card starts, [R]
    counts: Indices  # the length of each run, [R]
    pairs: Indices  # region * 3 + card of each run, [R]
    place: NDArray[np.int16]  # 0 to T - 1, [T, 1]
    number: Indices  # bit in the sets of what is blocked, [T]
    cells: Indices  # [C, T]
    sites: Indices  # [n, T]
    seas: Indices  # [n, T]
    rings: Indices  # that each takes, [T, 1]


class FactTables:
    """What facts are looked up in, for one edition."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.table = tables, candidate_tables(tables)
        table, sites = self.table, self.table.site_cells
        self.sea = tables.harbor_sea[sites].astype(np.int64)  # of each site, [S]; 6 for a city
        symbols = tables.edition.symbols
        self.symbol = np.full(len(sites), len(symbols))  # of each city, [S]
        place = {cell: number for number, cell in enumerate(sites.tolist())}
        for city in tables.edition.cities:
            self.symbol[place[tables.edition.grid.index[city.at]]] = symbols.index(city.group)
        number = np.full(tables.num_hexes, len(symbols))
        number[sites] = self.symbol
        self.symbol_bits = bits.pack(number == np.arange(len(symbols))[:, None])
        seas = np.arange(c.NUM_SEAS)[:, None]
        self.sea_bits = bits.pack(tables.harbor_sea[:-1] == seas)  # [6, W]
        near = np.eye(tables.num_hexes + 1, dtype=np.float32)
        near[np.arange(len(near))[:, None], table.neighbors] = 1
        near[-1] = near[:, -1] = 0
        self.reach = bits.pack((near @ near)[sites, :-1] > 0)  # hexes at most 2 away, [S, W]
        value = table.site_values
        rich, poor = value == c.FLOURISHING_POINTS, value == c.INACTIVE_POINTS
        self.value = np.stack([rich, poor], axis=2).astype(np.float32)  # [scenarios, S + 1, 2]
        self.among = self._worth_a_look()  # sets of actions by fief, [12, words]
        self.opened = [
            _opened(group, (group.num_rings == 0) | (group.num_rings == _num_sites(table, group)))
            for group in (*table.fiefs, table.weddings)
        ]

    def _worth_a_look(self) -> Words:
        """Returns the donation, placements that cover a site, weddings that cover only sites."""
        tables, table = self.tables, self.table
        mask = np.zeros(tables.actions.size, dtype=np.bool_)
        weddings = tables.actions.weddings
        rows = tables.placements.row(0, np.arange(weddings.start, weddings.stop) - NUM_PLANS)
        num_rings = (table.cells[rows] < tables.num_hexes).sum(axis=1)
        num_sites = (table.placement_sites < table.num_sites).sum(axis=1)
        mask[weddings], mask[tables.actions.donate] = num_sites[rows] == num_rings, True
        among = np.repeat(tables.legal_sets.pack(mask)[None], c.NUM_FIEFS, axis=0)
        covers = (num_sites > 0) & (tables.placements.fault == 0)
        among[:, tables.legal_sets.fief_words] = tables.placements.by_number(covers)
        return among


def _num_sites(table: CandidateTables, group: Candidates) -> Indices:
    return (group.sites < table.num_sites).sum(axis=0)


def _opened(group: Candidates, which: NDArray[np.bool_]) -> _Opened:
    """Returns some of the candidates, without runs that become empty."""
    pairs, starts, counts = np.unique(
        group.plans[group.run[which]], return_index=True, return_counts=True
    )
    return _Opened(
        starts=starts,
        counts=counts,
        pairs=pairs,
        place=np.arange(counts.sum(), dtype=np.int16)[:, None],
        number=group.number[which],
        cells=np.ascontiguousarray(group.cells[:, which]),
        sites=np.ascontiguousarray(group.sites[:, which]),
        seas=np.ascontiguousarray(group.seas[:, which]),
        rings=group.num_rings[which][:, None],
    )


def fact_tables(tables: Tables) -> FactTables:
    """Returns the tables of an edition, built once; they are kept as long as its `Tables`."""
    return tables.derived(FactTables)


@dataclass(frozen=True)
class _Seats(Arrays):
    """What M seats see; all arrays begin with [M]."""

    games: Indices
    seats: Indices
    fiefs: Indices  # this round's fief
    stock: Indices  # rings
    bases: Floats  # [M, B]
    lead: Floats  # in the size of the largest group, -1 to 1
    sites: Floats  # what is said of each site, [M, S + 1, 20]; 0 in the last row
    stages: Indices  # of each sea (see `_STAGES`), [M, 6]
    near: NDArray[np.uint8]  # see `near_pieces`, [M, H + 1]
    free: Words  # hexes, [M, W]
    others: Words  # hexes that others hold alone, [M, W]
    goal: Words  # free cities of the own objective, [M, W]

    @classmethod
    def read(
        cls, tables: FactTables, rules: Rules, state: State, games: Indices, seats: Indices
    ) -> Self:
        """Reads what some seats see in some games."""
        table, each = tables.table, np.arange(len(games))
        scenario = state.scenario[games]
        fiefs = state.fiefs[games]
        all_held = fiefs | state.rings[games]  # [M, P, W]
        held = all_held[each, seats]
        taken = np.bitwise_or.reduce(all_held, axis=1)
        num_open = bits.count(tables.tables.flourishing_bits[scenario] & ~taken)
        objective = state.objective[games, seats]
        goal = tables.tables.objective_bits[objective]
        others = taken & ~held
        largest = state.largest_group[games].astype(np.int64)
        mine = largest[each, seats]
        largest[each, seats] = -1
        lead = (mine - largest.max(axis=1)).clip(-3, 3) / np.float32(3)
        sites = np.zeros((len(games), table.num_sites + 1, _NUM_SITE), np.float32)
        sites[:, :, :2] = tables.value[scenario]
        own_city = table.objective_sites[objective]
        count = bits.count(held & goal)
        lost = bits.count(goal & np.bitwise_or.reduce(fiefs, axis=1) & ~held)
        sites[each, :, 2 + np.minimum(count, 5)] = own_city
        sites[:, :, 8] = own_city * (lost[:, None] / np.float32(3))
        symbols = bits.count(all_held[:, :, None] & tables.symbol_bits)  # [M, P, symbols]
        symbols[each, seats] = 0
        most = np.pad(symbols.max(axis=1), ((0, 0), (0, 1)))[:, tables.symbol]  # [M, S]
        on_map = sites[:, :-1]
        on_map[..., 9], on_map[..., 10], on_map[..., 11] = most == 1, most == 2, most >= 3
        on_map[..., 12] = tables.sea < c.NUM_SEAS
        harbors = league_harbors(state, rules, games).astype(np.int64)
        stages = _read_seas(tables, harbors, seats, taken, on_map)
        in_reach = _overlaps(tables.reach, all_held)  # [M, P, S]
        own = in_reach[each, seats].astype(np.float32)
        on_map[..., 16] = own
        on_map[..., 15] = (in_reach.sum(axis=1) - own) / np.float32(3)
        at_sites = bits.unpack(others, tables.tables.num_hexes)[:, table.site_cells]
        on_map[..., 18] = own_city[:, :-1] * at_sites
        on_map[..., 19] = own_city[:, :-1] * on_map[..., 15]
        return cls(
            games,
            seats,
            current_fiefs(state, games)[each, seats],
            state.ring_stock[games, seats].astype(np.int64),
            _bases(num_open, state.last_round[games]),
            lead,
            sites,
            stages,
            near_pieces(table, state, games, seats, held),
            ~taken,
            others,
            goal & ~taken,
        )


def _bases(num_open: Indices, last_round: NDArray[np.bool_]) -> Floats:
    """Returns the bases, from the number of flourishing sites that are open (R7.1), [M, 5]."""
    progress = np.float32(0.5) - ((num_open - np.float32(3)) / 37).clip(0, 1)
    near_end = ((11 - num_open) / np.float32(8)).clip(0, 1)
    ones = np.ones_like(progress)
    columns = ones, progress, last_round, near_end, np.maximum(progress, 0)
    return np.stack(columns, axis=1).astype(np.float32)


def _read_seas(
    tables: FactTables, held: Indices, seats: Indices, taken: Words, sites: Floats
) -> Indices:
    """Writes what is said of harbors, [M, S, 20], and returns the stage of each sea, [M, 6].

    Args:
        tables: of the edition.
        held: harbors of all seats (see `league_harbors`), [M, P, 6].
        seats: those who decide, [M].
        taken: hexes that anybody holds, [M, W].
        sites: to write to.
    """
    each = np.arange(len(seats))
    free = bits.count(tables.sea_bits & ~taken[:, None])  # [M, 6]
    own, lack = held[each, seats], c.LEAGUE_HARBORS - held
    possible = (lack > 0) & (free[:, None] >= lack)
    mine = possible[each, seats]
    stages: Indices = np.where(own == 0, 1, 2 * own + (free > lack[each, seats])) * mine
    possible[each, seats] = False
    by_sea = (possible & (lack == 1)).sum(axis=1), (possible & (lack == 2)).sum(axis=1), own == 0
    for column, number in zip((13, 14, 17), by_sea, strict=True):
        sites[..., column] = np.pad(number, ((0, 0), (0, 1)))[:, tables.sea]
    return stages


def _overlaps(sets: Words, others: Words) -> NDArray[np.bool_]:
    """Returns whether sets [S, W] share a number with others [..., W], [..., S]."""
    found = (others[..., 0, None] & sets[:, 0]) != 0
    for word in range(1, sets.shape[1]):
        found |= (others[..., word, None] & sets[:, word]) != 0
    return found


@dataclass(frozen=True)
class _Worth:
    """What M seats' weights make of what a placement covers, in points; all begin with [M]."""

    sites: Floats  # [M, S + 1]
    seas: Floats  # of 0 to 4 harbors of each sea, [M, 6 * 5]
    touched: Floats  # by `near_pieces`, [M, 4]
    rings: Floats  # of a wedding with 1 and with 2, [M, 2]
    donation: Floats  # [M]

    @classmethod
    def of(cls, seen: _Seats, policy: LinearPolicy, public: bool) -> Self:
        """Returns what seats' weights make of it; without objectives if only public facts count."""
        num_seats = len(seen.games)
        weights = seen.bases @ policy.weights[_PLACEMENT_FACTS].T  # [M, F]
        of_sites = weights[:, :_NUM_SITE].copy()
        for secret in _OBJECTIVE if public else ():
            of_sites[:, secret] = 0
        seas = np.zeros((num_seats, c.NUM_SEAS, _MOST_ADDED + 2), np.float32)
        of_stages = weights[:, _NUM_SITE:_TOUCH].reshape(num_seats, len(_STAGES), _MOST_ADDED)
        seas[:, :, 1:-1] = of_stages[np.arange(num_seats)[:, None], seen.stages]
        seas[:, :, -1] = seas[:, :, -2]
        touched = np.zeros((num_seats, 1 + len(_TOUCHED)), np.float32)
        by_lead = weights[:, _RACE:_DONATION] * seen.lead[:, None]
        touched[:, 1:] = weights[:, _TOUCH:_RACE] + by_lead
        spent = weights[:, _STOCK] * (seen.stock / c.NUM_RINGS).astype(np.float32)
        rings = weights[:, _RING:_STOCK] + spent[:, None] * np.array([1, 2], np.float32)
        return cls(
            np.matmul(seen.sites, of_sites[:, :, None])[:, :, 0],
            seas.reshape(num_seats, -1),
            touched,
            rings,
            weights[:, _DONATION],
        )


@dataclass
class _Pairs:
    """What each pair of a region card and an action card opens to M seats, in points."""

    best: Floats  # of the best placement, above a donation, [M, 7, 3]
    more: Floats  # what the soft maximum of all adds, [M, 7, 3]
    lost: Floats | None  # of the best, where others may place before, [M, 7, 3]
    cells: Indices  # of the best placement; H for none or a wedding, [18, M, C]
    region: Indices  # the region of the best placement in inactive regions, [M, 3]


class GonzagaFacts(FactReader):
    """Reads the facts of placements and plans (see `FactReader`)."""

    NAMES = (*_SITE, *_SEA, *_OTHER, *_PLAN)
    BASES = ("always", "by progress", "in the last round", "near the end", "by late progress")
    START: ClassVar = {_PLAN[0]: 1.0}
    OPENING = ("plan",)
    TRACE = 0.5

    def __init__(self, config: GameConfig) -> None:
        """Takes what is played."""
        super().__init__(config)
        self._tables = fact_tables(config.tables)
        self._features = FeatureReader(config.tables, config.rules)

    def read(
        self,
        observations: Observations,
        masks: Masks,
        policy: LinearPolicy,
        rng: np.random.Generator,
    ) -> list[Choices]:
        """See `FactReader.read`."""
        state = states_from_observations(self.config, observations, rng)
        engine = Engine.from_state(self.config, state, copy=False, check=False, autoreset=False)
        return self.read_engine(engine, np.arange(len(masks)), engine.seats, policy)

    def read_engine(
        self, engine: Engine, games: Indices, seats: Indices, policy: LinearPolicy
    ) -> list[Choices]:
        """See `FactReader.read_engine`."""
        found, planning = [], engine.state.phase[games] == PLAN
        for which, read in ((planning, self._plans), (~planning, self._placements)):
            if which.any():
                asked = which.nonzero()[0]
                found.append(read(engine, asked, games[asked], seats[asked], policy))
        return found

    def situation(self, engine: Engine, games: Indices, seats: Indices) -> Floats:
        """See `FactReader.situation`."""
        distinct, which = np.unique(games, return_inverse=True)
        own, shared = self._features.read(engine.state.take(distinct))
        mean = (own.sum(axis=1, keepdims=True) - own) / np.float32(own.shape[1] - 1)
        seen = np.concatenate([own, mean, highest_of_others(own)], axis=2)[which, seats]
        seen = np.concatenate([seen, shared[which]], axis=1)
        return np.concatenate([seen, seen * shared[which, :1]], axis=1)  # by the round

    def _placements(
        self, engine: Engine, asked: Indices, games: Indices, seats: Indices, _: LinearPolicy
    ) -> Choices:
        tables, state = self._tables, engine.state
        seen = _Seats.read(tables, self.config.rules, state, games, seats)
        rows, actions = engine.legal_actions(games, among=tables.among[seen.fiefs])
        facts = self._placement_facts(seen, rows, actions)
        return Choices(asked, _PLACEMENT_FACTS, rows, actions, facts, seen.bases)

    def _placement_facts(self, seen: _Seats, rows: Indices, actions: Indices) -> Floats:
        """Returns the facts of placements of M seats, [L, F]."""
        tables, table = self._tables.tables, self._tables.table
        placement = tables.placements.row(seen.fiefs[rows], actions - NUM_PLANS)
        facts = np.zeros((len(rows), _PLACEMENT_FACTS.stop), np.float32)
        covered = table.placement_sites.take(placement, axis=0)[:, : table.most_sites]
        of_sites = seen.sites.reshape(-1, _NUM_SITE)
        first = rows * (table.num_sites + 1)
        facts[:, :_NUM_SITE] = of_sites.take(first + covered[:, 0], axis=0)
        for sites in covered.T[1:]:
            facts[:, :_NUM_SITE] += of_sites.take(first + sites, axis=0)
        for sea, count in _of_seas(table.placement_seas.take(placement, axis=0)):
            at = count.nonzero()[0]
            added = np.minimum(count[at], _MOST_ADDED) - 1
            stage = seen.stages[rows[at], sea[at]]
            facts[at, _NUM_SITE + stage * _MOST_ADDED + added] += 1
        touched = _touched(seen.near, rows, table.cells.take(placement, axis=0))
        for kind in range(1, len(_TOUCHED) + 1):
            facts[:, _TOUCH + kind - 1] = touched == kind
            facts[:, _RACE + kind - 1] = (touched == kind) * seen.lead[rows]
        donates = actions == tables.actions.donate
        rings = (actions >= tables.actions.ring.start) & ~donates
        two = (actions >= tables.actions.rings.start) & ~donates
        facts[:, _DONATION] = donates
        facts[:, _RING], facts[:, _RING + 1] = rings & ~two, two
        facts[:, _STOCK] = (rings + two.astype(np.float32)) * seen.stock[rows] / c.NUM_RINGS
        around = tables.placements.halo_bits.take(placement, axis=0)
        facts[:, _AROUND] = bits.count(around & seen.free[rows]) / np.float32(8)
        facts[:, _AROUND + 1] = bits.count(around & seen.others[rows]) / np.float32(4)
        facts[:, _AROUND + 2] = bits.count(around & seen.goal[rows])
        num_sites = (covered < table.num_sites).sum(axis=1)
        facts[:, _AROUND + 3], facts[:, _AROUND + 4] = num_sites == 2, num_sites >= 3
        return facts

    def _plans(
        self, engine: Engine, asked: Indices, games: Indices, seats: Indices, policy: LinearPolicy
    ) -> Choices:
        state, num_players = engine.state, engine.num_players
        distinct, which = np.unique(games, return_inverse=True)
        everyone = np.repeat(distinct, num_players), np.tile(np.arange(num_players), len(distinct))
        seen = _Seats.read(self._tables, self.config.rules, state, *everyone)
        public = self._pairs(state, seen, policy, public=True)
        rows, plans = list_plans(self._tables.tables, state, *everyone)
        nobody = np.zeros((len(seen.games), NUM_PLANS), np.float32)
        expected = self._plan_facts(state, seen, public, rows, plans, nobody, nobody)
        chances = _chances(expected, seen.bases, rows, plans, policy)
        numbers = (seen.fiefs.reshape(-1, num_players) * num_players) + np.arange(num_players)
        before, behind = _rivals(chances, numbers)
        num_cells = self._tables.tables.num_hexes + 1
        risk = _risks(public, num_cells, chances, numbers)
        own = which * num_players + seats
        mine = seen
        if len(own) < len(seen.games) or (own != np.arange(len(own))).any():
            mine, risk = seen.take(own), risk[own]
            rows, plans = list_plans(self._tables.tables, state, games, seats)
        pairs = self._pairs(state, mine, policy, public=False, risk=risk)
        facts = self._plan_facts(state, mine, pairs, rows, plans, before[own], behind[own])
        return Choices(asked, _PLAN_FACTS, rows, plans, facts, mine.bases)

    def _plan_facts(
        self,
        state: State,
        seen: _Seats,
        pairs: _Pairs,
        rows: Indices,
        plans: Indices,
        before: Floats,
        behind: Floats,
    ) -> Floats:
        """Returns the facts of plans [L] of M seats, where others are expected [M, 42], [L, F]."""
        region, card, privilege = PLAN_CARDS[plans].T
        best, more = pairs.best[rows, region, card], pairs.more[rows, region, card]
        early, late = before[rows, plans], behind[rows, plans]
        few = np.minimum(early, np.float32(1.5))
        lost = np.zeros_like(best)
        if pairs.lost is not None:
            lost = pairs.lost[rows, region, card] * (1 - privilege)
        in_hand = np.pad(
            self._tables.tables.flourishing[state.scenario[seen.games]],
            ((0, 0), (0, 1)),
            constant_values=True,
        )
        open_to = np.where(in_hand[:, :, None], pairs.best, 0)
        other_card = np.sort(open_to, axis=2)[:, :, 1]  # the second best of the region
        ranked = np.sort(open_to, axis=1)[:, [-2, -1]]  # [M, 2, 3]
        other_region = np.where(open_to >= ranked[:, 1:], ranked[:, :1], ranked[:, 1:])
        columns = (
            best,
            best * few,
            best * np.minimum(late, 1.5),
            best * few**2,
            best * privilege,
            more,
            more * early,
            early,
            late,
            privilege,
            privilege * seen.stock[rows] / c.NUM_RINGS,
            privilege * early,
            card == c.HARBORS,
            card == c.ALLIANCE,
            region == c.INACTIVE_CARD,
            best <= 1e-6,
            other_card[rows, region],
            other_region[rows, region, card],
            lost,
            (lost > best / 2) & (best > 0.5),
        )
        return np.stack(columns, axis=1).astype(np.float32)

    def _pairs(
        self,
        state: State,
        seen: _Seats,
        policy: LinearPolicy,
        public: bool,
        risk: Floats | None = None,
    ) -> _Pairs:
        """Returns what pairs of cards open on this map.

        Args:
            state: N games.
            seen: what M seats see.
            policy: scores placements.
            public: whether only what is public counts; then `cells` is filled.
            risk: how likely others take each hex before a card is played, [M, 3, H + 1]; then
                `lost` is filled.
        """
        worth, num_cells = _Worth.of(seen, policy, public), self._tables.tables.num_hexes
        sharp = np.float32(1 / policy.temperature)
        best = np.full((_NUM_PAIRS, len(seen.games)), _NEVER, np.float32)
        soft, kept = np.full_like(best, _NEVER), best.copy()
        cells = np.full((*best.shape, len(self._tables.opened[0].cells)), num_cells)
        for opened, key, scores in self._scored(state, seen, worth):
            most = np.maximum.reduceat(scores, opened.starts, axis=0)
            of_run = np.repeat(most, opened.counts, axis=0)
            at, is_wedding = (opened.pairs[:, None], key), opened is self._tables.opened[-1]
            spread = np.add.reduceat(np.exp((scores - of_run) * sharp), opened.starts, axis=0)
            soft[at] = np.logaddexp(soft[at], most * sharp + np.log(spread))
            if public and is_wedding:
                cells[at] = np.where((most > best[at])[:, :, None], num_cells, cells[at])
            elif public:
                place = np.maximum.reduceat((scores == of_run) * opened.place, opened.starts)
                gains = (most > worth.donation[key])[:, :, None]
                cells[at] = np.where(gains, opened.cells.T[place], num_cells)
            if risk is not None and not is_wedding:
                taken = _sum_of_cells(risk[key], opened)
                scores -= np.maximum(scores - worth.donation[key], 0) * np.minimum(taken, 1)
                kept[at] = np.maximum.reduceat(scores, opened.starts, axis=0)
            elif risk is not None:
                kept[at] = np.maximum(kept[at], most)
            best[at] = np.maximum(best[at], most)
        donation = worth.donation
        logs = np.logaddexp(soft, donation * sharp)
        best, kept = np.maximum(best, donation), np.maximum(kept, donation)
        flourishing = self._tables.tables.flourishing[state.scenario[seen.games]][:, :, None]
        of_region = [
            np.where(flourishing, donation[:, None, None], x.T.reshape(-1, 6, 3))
            for x in (best, kept)
        ]
        region = of_region[0].argmax(axis=1)
        logs = logs.T.reshape(-1, c.NUM_REGIONS, c.NUM_ACTION_CARDS)
        closed = np.where(flourishing, (donation * sharp)[:, None, None], logs)
        logs = np.append(logs, np.logaddexp.reduce(closed, axis=1, keepdims=True), axis=1)
        best, kept = (
            np.append(x.T.reshape(-1, 6, 3), y.max(axis=1, keepdims=True), axis=1)
            for x, y in zip((best, kept), of_region, strict=True)
        )
        more = logs / sharp - best
        lost = None if risk is None else best - kept
        return _Pairs(best - donation[:, None, None], more, lost, cells, region)

    def _scored(
        self, state: State, seen: _Seats, worth: _Worth
    ) -> Iterator[tuple[_Opened, Indices, Floats]]:
        """Yields candidates, m of the seats and the scores of the candidates to them, [T, m].

        First those of each fief, then weddings.
        """
        *by_fief, weddings = self._tables.opened
        conflicts = self._tables.tables.placements.fief_conflicts
        order = seen.fiefs.argsort(kind="stable")
        bounds = np.searchsorted(seen.fiefs[order], np.arange(c.NUM_FIEFS + 1))
        for fief, opened in enumerate(by_fief):
            for start in range(bounds[fief], bounds[fief + 1], _CHUNK):
                key = order[start : min(start + _CHUNK, bounds[fief + 1])]
                blocked = state.blocked[seen.games[key], fief]
                rings = state.ring_cells[seen.games[key], seen.seats[key]]  # R4.3: own rings
                for cell in rings.T:
                    blocked |= conflicts[:, fief].take(cell.astype(np.int64), axis=0)
                yield opened, key, _candidate_scores(seen, worth, key, opened, blocked)
        able = seen.stock.nonzero()[0]
        for start in range(0, len(able), _CHUNK):
            key = able[start : start + _CHUNK]
            blocked = state.ring_blocked[seen.games[key], seen.seats[key]]  # R5.4
            scores = _candidate_scores(seen, worth, key, weddings, blocked)
            scores += np.where(weddings.rings == 1, worth.rings[key, 0], worth.rings[key, 1])
            scores[weddings.rings[:, 0] > 1] += _NEVER * (seen.stock[key] < 2)
            yield weddings, key, scores


def _candidate_scores(
    seen: _Seats, worth: _Worth, key: Indices, opened: _Opened, blocked: Words
) -> Floats:
    """Returns the scores of candidates to m of the seats, without rings, [T, m]."""
    # With the seats in the last axis, looking up a site copies a row for all of them.
    sites = np.ascontiguousarray(worth.sites[key].T)
    scores = sites.take(opened.sites[0], axis=0)
    for covered in opened.sites[1:]:
        scores += sites.take(covered, axis=0)
    of_seas = np.ascontiguousarray(worth.seas[key].T)
    for seas in opened.seas:
        scores += of_seas.take(seas, axis=0)
    near = np.ascontiguousarray(seen.near[key].T)
    touched = near.take(opened.cells[0], axis=0)
    for cells in opened.cells[1:]:
        touched |= near.take(cells, axis=0)
    of_touched = np.ascontiguousarray(worth.touched[key].T).reshape(-1)
    number = np.arange(len(key), dtype=np.int32)
    scores += of_touched.take(touched.astype(np.int32) * np.int32(len(key)) + number)
    scores += bits.unpack(blocked, blocked.shape[1] * 64).T[opened.number] * _NEVER
    return scores


def _sum_of_cells(risk: Floats, opened: _Opened) -> Floats:
    """Returns the sum over the hexes of candidates for m seats, [T, m]; `risk` is [m, 3, H + 1]."""
    by_hex = np.ascontiguousarray(risk.reshape(len(risk), -1).T)
    cards = np.repeat(opened.pairs % c.NUM_ACTION_CARDS, opened.counts) * risk.shape[2]
    total = by_hex.take(opened.cells[0] + cards, axis=0)
    for cells in opened.cells[1:]:
        total += by_hex.take(cells + cards, axis=0)
    return total


def _of_seas(seas: Indices) -> Iterator[tuple[Indices, Indices]]:
    """Yields seas [L] and harbors covered there [L] (see `CandidateTables.placement_seas`)."""
    for column in seas.T:
        yield column // (_MOST_ADDED + 2), column % (_MOST_ADDED + 2)


def _touched(near: NDArray[np.uint8], rows: Indices, cells: Indices) -> NDArray[np.uint8]:
    """Returns which own groups placements of M seats touch (see `near_pieces`), [L]."""
    flat, start = near.reshape(-1), rows * near.shape[1]
    touched = flat.take(start + cells[:, 0])
    for cell in cells.T[1:]:
        touched |= flat.take(start + cell)
    return touched


def _chances(
    facts: Floats, bases: Floats, rows: Indices, plans: Indices, policy: LinearPolicy
) -> Floats:
    """Returns the probability of each plan of M seats, [M, 42]."""
    choices = Choices(np.arange(len(bases)), _PLAN_FACTS, rows, plans, facts, bases)
    chances = np.zeros((len(bases), NUM_PLANS), np.float32)
    chances[rows, plans] = choices.probabilities(policy)
    return chances


def _rivals(chances: Floats, numbers: Indices) -> tuple[Floats, Floats]:
    """Returns how many others are expected in a plan's region before and behind it.

    Args:
        chances: of each plan of all seats of G games, [G * P, 42].
        numbers: of their fief cards, which break ties (R3.5), [G, P].

    Returns:
        Two arrays [G * P, 42].
    """
    num_players = numbers.shape[1]
    by_seat = chances.reshape(-1, num_players, NUM_PLANS)
    ahead = [by_seat @ plans for plans in plans_before()]  # by whether ties are won
    same = by_seat @ _SAME_REGION
    before, behind = np.zeros_like(by_seat), np.zeros_like(by_seat)
    for mine in range(num_players):
        for other in range(num_players):
            if other != mine:
                wins = (numbers[:, other] < numbers[:, mine])[:, None]
                early = np.where(wins, ahead[1][:, other], ahead[0][:, other])
                before[:, mine] += early
                behind[:, mine] += same[:, other] - early
    return before.reshape(chances.shape), behind.reshape(chances.shape)


def _risks(public: _Pairs, num_cells: int, chances: Floats, numbers: Indices) -> Floats:
    """Returns how likely others take each hex before a seat that plays a card, [G * P, 3, H + 1].

    The arguments are what the plans open, H + 1, and those of `_rivals`.
    """
    num_seats, num_players = len(chances), numbers.shape[1]
    each = np.arange(num_seats)
    by_cards = chances.reshape(num_seats, c.NUM_REGION_CARDS, c.NUM_ACTION_CARDS, 2)
    by_region = by_cards[:, :-1].copy()
    for card in range(c.NUM_ACTION_CARDS):
        by_region[each, public.region[:, card], card] += by_cards[:, -1, card]
    taken = np.zeros((num_seats, c.NUM_ACTION_CARDS + 1, num_cells), np.float32)
    flat, start = taken.reshape(-1), each * ((c.NUM_ACTION_CARDS + 1) * num_cells)
    for pair, cells in enumerate(public.cells):
        region, card = divmod(pair, c.NUM_ACTION_CARDS)
        for cell in cells.T:
            flat[start + card * num_cells + cell] += by_region[:, region, card, 0]
            flat[start + c.NUM_ACTION_CARDS * num_cells + cell] += by_region[:, region, card, 1]
    taken[..., -1] = 0
    by_seat = taken.reshape(-1, num_players, c.NUM_ACTION_CARDS + 1, num_cells)
    cards, privilege = by_seat[:, :, :-1], by_seat[:, :, -1:]
    earlier = privilege + cards.cumsum(axis=2) - cards  # R3.5
    risk = earlier.sum(axis=1, keepdims=True) - earlier
    for mine in range(num_players):
        for other in range(num_players):
            if other != mine:
                wins = numbers[:, other] < numbers[:, mine]
                risk[:, mine] += cards[:, other] * wins[:, None, None]
    return risk.reshape(num_seats, c.NUM_ACTION_CARDS, num_cells)
