"""One game in plain Python: the same rules as `legal` and `transitions`, for a batch of one.

Sets of hexes and of actions are integers (`single_tables`); what the observation shows is kept as
bytes, player by player, so that a seat's view is a few slices.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from gonzaga_env.core.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.legal import NO_SEAT
from gonzaga_env.core.rules import (
    DONATION_POINTS,
    GROUP_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_RINGS,
    NUM_SEAS,
    OBJECTIVE_POINTS,
    OPEN_SITES_AT_END,
    Rules,
)
from gonzaga_env.core.single_tables import PLANS, SingleTables
from gonzaga_env.core.state import PLACE, PLAN, SOURCES

_CITIES, _HARBORS, _LEAGUES, _DONATIONS, _GROUP, _OBJECTIVE = range(len(SOURCES))
_MUTABLE = (list, bytearray, np.ndarray)

#: A connected group of one player: the hexes next to its pieces, and its pieces by number.
Group = tuple[int, int]


class SingleGame:
    """The full truth of one game of P players, and what an action changes.

    Nobody checks here whether an action is legal; `legal` is the set to ask.

    Attributes:
        tables: what is looked up.
        rules: the options.
        num_players: P.
        seed, episode, scenario, round, phase, position, last_round, finished: as in `State`.
        decks: fiefs in order of drawing, [P] bytes.
        objectives: index in the edition, [P].
        seat: the seat to act; -1 where the game is over.
        fief: this round's fief of every player, [P].
        to_come: 1 for the fiefs still in the deck, [P x 12].
        plan, locked, order, ring_stock: as in `State`, [P].
        places: place in the turn order, from 1; 0 while unknown, [P].
        fiefs, rings: hexes held, [P] sets.
        covered: hexes held by anybody, a set.
        fief_plane, ring_plane: the same as 0 and 1, [P x H].
        value_plane: points for covering a hex, 0 once the player holds it, [P x H].
        open_sites: flourishing cities and harbors nobody covers (R7.1).
        sea_harbors, leagues: as in `State`, [P x 6].
        scores: as in `State`, [P, 6] int16.
        totals: scores over all sources, [P].
        shown_totals: those, 255 at most, [P].
        blocked: placements that meet a fief on the map, in the layout of `tables.conflicts`.
        ring_fiefs: placements that meet an own ring, [P], in that layout too.
        ring_blocked: weddings that R5.4 forbids, [P] sets of actions.
        ring_cells: as in `State`, [P x 6].
        pieces: hexes of each piece on the map, [P] tuples.
        groups: connected pieces, [P] tuples of `Group` (R8.1).
        largest: pieces in the largest group, [P].
    """

    def __init__(
        self,
        tables: SingleTables,
        rules: Rules,
        *,
        scenario: int,
        decks: list[list[int]],
        objectives: list[int],
        seed: int,
        episode: int,
    ) -> None:
        p, h = len(decks), tables.num_hexes
        self.tables, self.rules, self.num_players = tables, rules, p
        self.seed, self.episode, self.scenario = seed, episode, scenario
        self.decks, self.objectives = tuple(map(bytes, decks)), tuple(objectives)
        self.round, self.phase, self.position, self.seat = 1, PLAN, 0, 0
        self.last_round = self.finished = False
        self.fief = bytearray(p)
        self.to_come = bytearray([1]) * (p * NUM_FIEFS)
        self.plan, self.locked = bytearray([NO_PLAN]) * p, bytearray([NO_PLAN]) * p
        self.order, self.places = bytearray(p), bytearray(p)
        self.ring_stock = bytearray([NUM_RINGS]) * p
        self.fiefs, self.rings, self.covered = [0] * p, [0] * p, 0
        self.fief_plane, self.ring_plane = bytearray(p * h), bytearray(p * h)
        self.value_plane = bytearray(tables.value[scenario] * p)
        self.open_sites = tables.flourishing_sites[scenario].bit_count()
        self.sea_harbors, self.leagues = bytearray(p * NUM_SEAS), bytearray(p * NUM_SEAS)
        self.scores = np.zeros((p, len(SOURCES)), dtype=np.int16)
        self.totals, self.shown_totals = [0] * p, bytearray(p)
        self.blocked, self.ring_fiefs, self.ring_blocked = 0, [0] * p, [0] * p
        self.ring_cells = [h] * (p * NUM_RINGS)
        self.pieces: list[tuple[tuple[int, ...], ...]] = [()] * p
        self.groups: list[tuple[Group, ...]] = [()] * p
        self.largest = bytearray(p)
        self._legal: int | None = None
        self._draw()

    def copy(self) -> Self:
        """Returns a game that goes on from here by itself; the tables are shared."""
        twin = object.__new__(type(self))
        # Whatever else there is never changes in place.
        twin.__dict__ = {
            name: value.copy() if isinstance(value, _MUTABLE) else value
            for name, value in self.__dict__.items()
        }
        return twin

    @property
    def legal(self) -> int:
        """The legal actions of the seat to act, a set; empty where the game is over."""
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def play(self, action: int) -> int:
        """Plays a legal action for the seat to act; returns the points it scored at once."""
        self._legal = None
        if self.phase == PLAN:
            self._seal(self.seat, action)
            return 0
        return self._place(self.seat, action)

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended as it stands, [P] (R8.3)."""
        sites = self.tables.sites
        held = [(f | r) & sites for f, r in zip(self.fiefs, self.rings, strict=True)]
        keys = [(total, h.bit_count()) for total, h in zip(self.totals, held, strict=True)]
        return [key == max(keys) for key in keys]

    def _find_legal(self) -> int:
        if self.finished:
            return 0
        seat, tables = self.seat, self.tables
        if self.phase == PLAN:  # R2.1, R3.3, R3.4
            locked = min(self.locked[seat], NUM_PLANS)
            return tables.plan_bits[self.scenario][locked][self.ring_stock[seat] > 0]
        region, card, _ = PLANS[self.plan[seat]]
        fief = self.fief[seat]
        legal = tables.fief_bits[self.scenario][region][card][fief]  # R4.1, R4.2
        blocked = (self.blocked | self.ring_fiefs[seat]) >> fief * tables.per_fief
        legal ^= legal & blocked  # R4.3
        weddings = tables.ring_bits[self.scenario][region][card][min(self.ring_stock[seat], 2)]
        weddings ^= weddings & self.ring_blocked[seat]  # R5.4
        return legal | weddings | 1 << tables.donate  # R3.7

    def _draw(self) -> None:
        """Turns over everybody's top fief card (R3.1)."""
        for seat, deck in enumerate(self.decks):
            self.fief[seat] = fief = deck[self.round - 1]
            self.to_come[seat * NUM_FIEFS + fief] = 0

    def _seal(self, seat: int, plan: int) -> None:
        """Seals a plan (R3.2); reveals all when everybody has planned."""
        self.plan[seat] = plan
        self.position += 1
        if self.position == self.num_players:
            self._reveal()
        else:
            self.seat = self.position

    def _reveal(self) -> None:
        """Pays for privileges, returns locked cards and fixes the turn order (R3.3 to R3.5)."""
        keys = []
        for seat, plan in enumerate(self.plan):
            _, card, privilege = PLANS[plan]
            self.ring_stock[seat] -= privilege
            # Fief before seat: tens and units of the card (R1.7).
            keys.append((1 - privilege, card, self.fief[seat], seat))
        for place, (*_, seat) in enumerate(sorted(keys)):
            self.order[place] = seat
            self.places[seat] = place + 1
        self.locked = bytearray([NO_PLAN]) * self.num_players
        self.phase, self.position, self.seat = PLACE, 0, self.order[0]

    def _place(self, seat: int, action: int) -> int:
        """Places, weds or donates (R3.6), and closes the round if it is over."""
        tables = self.tables
        spatial = action - NUM_PLANS
        if action < tables.ring_start:
            cells = tables.cells[self.fief[seat] * tables.per_fief + spatial]
            self.lay(seat, cells)
            points = self._score(seat, cells)
        elif action < tables.donate:
            cells = tables.cells[(NUM_FIEFS - 1) * tables.per_fief + spatial]
            self.wed(seat, cells)
            points = self._score(seat, cells)
        else:
            points = self._gain(seat, _DONATIONS, DONATION_POINTS)  # R3.7
        self.position += 1
        if self.position == self.num_players:
            self._end_round()
        else:
            self.seat = self.order[self.position]
        return points

    def lay(self, seat: int, cells: tuple[int, ...]) -> None:
        """Puts a fief on the map (R4.6); no fief may meet it (R4.3) and no own ring (R5.4)."""
        conflicts, ring_conflicts = self.tables.conflicts, self.tables.ring_conflicts
        blocked, ring_blocked = self.blocked, self.ring_blocked[seat]
        first = seat * self.tables.num_hexes
        hexes = 0
        for cell in cells:
            hexes |= 1 << cell
            blocked |= conflicts[cell]
            ring_blocked |= ring_conflicts[cell]
            self.fief_plane[first + cell] = 1
            self.value_plane[first + cell] = 0
        self.blocked, self.ring_blocked[seat] = blocked, ring_blocked
        self.fiefs[seat] |= hexes
        self._cover(hexes)
        self._connect(seat, cells, hexes)

    def wed(self, seat: int, cells: tuple[int, ...]) -> None:
        """Puts rings on the map, out of the stock (R5.1, R5.6).

        No own fief may meet them (R4.3), and nobody's ring (R5.4).
        """
        tables, first = self.tables, seat * self.tables.num_hexes
        for cell in cells:
            self.ring_cells[(seat + 1) * NUM_RINGS - self.ring_stock[seat]] = cell
            self.ring_stock[seat] -= 1
            self.rings[seat] |= 1 << cell
            self._cover(1 << cell)
            self.ring_plane[first + cell] = 1
            self.value_plane[first + cell] = 0
            self.ring_fiefs[seat] |= tables.conflicts[cell]
            taken = tables.ring_conflicts[cell]
            self.ring_blocked = [blocked | taken for blocked in self.ring_blocked]
            self._connect(seat, (cell,), 1 << cell)  # each ring is a piece (R5.3)

    def _cover(self, hexes: int) -> None:
        """Counts the sites that nobody covers, now that some hexes are (R5.3, R7.1)."""
        self.covered |= hexes
        sites = self.tables.flourishing_sites[self.scenario]
        self.open_sites = (sites & ~self.covered).bit_count()

    def _connect(self, seat: int, cells: tuple[int, ...], hexes: int) -> None:
        """Joins a new piece with the groups it touches, across barriers too (R8.1)."""
        around, members = 0, 1 << len(self.pieces[seat])
        for cell in cells:
            around |= self.tables.around[cell]
        apart = []
        for group in self.groups[seat]:
            if group[0] & hexes:
                around |= group[0]
                members |= group[1]
            else:
                apart.append(group)
        self.groups[seat] = (*apart, (around, members))
        self.pieces[seat] += (cells,)
        self.largest[seat] = max(self.largest[seat], members.bit_count())

    def _score(self, seat: int, cells: tuple[int, ...]) -> int:
        """Writes and returns the points of cities, harbors and leagues (R6)."""
        tables, value, points = self.tables, self.tables.value[self.scenario], 0
        for cell in cells:
            if not value[cell]:
                continue
            if tables.is_city[cell]:
                points += self._gain(seat, _CITIES, value[cell])  # R6.1
            else:
                points += self._gain(seat, _HARBORS, value[cell])
                points += self._add_harbor(seat, tables.harbor_sea[cell])
        return points

    def _add_harbor(self, seat: int, sea: int) -> int:
        """Counts a harbor; returns the points of the league that it founds, if any (R6.2)."""
        own = seat * NUM_SEAS + sea
        self.sea_harbors[own] += 1
        if self.sea_harbors[own] < LEAGUE_HARBORS:
            return 0
        if self.rules.sea_league == "first_only":  # R6.3
            founded = any(self.leagues[sea::NUM_SEAS])
        else:
            founded = bool(self.leagues[own])
        if founded:
            return 0
        self.leagues[own] = 1
        return self._gain(seat, _LEAGUES, LEAGUE_POINTS)

    def _gain(self, seat: int, source: int, points: int) -> int:
        """Writes points of one source and returns them."""
        self.scores[seat, source] += points
        self.totals[seat] += points
        self.shown_totals[seat] = min(self.totals[seat], 255)
        return points

    def _end_round(self) -> None:
        """Ends the round, and the game after its last one (R3.3, R7)."""
        none = bytearray([NO_PLAN]) * self.num_players
        self.locked, self.plan = self.plan, none
        self.places = bytearray(self.num_players)
        self.phase, self.position, self.seat = PLAN, 0, 0
        if self.last_round:
            self.finished, self.seat = True, NO_SEAT
            self._score_end()
            return
        checked = self.round >= self.rules.first_check_round  # R7.1, R7.3
        self.round += 1
        few = self.open_sites <= OPEN_SITES_AT_END
        self.last_round = (checked and few) or self.round == NUM_FIEFS  # R7.2
        self._draw()

    def _score_end(self) -> None:
        """Writes the points of group and objective (R8.1, R8.2)."""
        most = max(self.largest)
        for seat in range(self.num_players):
            if self.largest[seat] == most:
                self._gain(seat, _GROUP, GROUP_POINTS)
            cities = self.tables.objective_cities[self.objectives[seat]]
            held = (self.fiefs[seat] | self.rings[seat]) & cities
            self._gain(seat, _OBJECTIVE, OBJECTIVE_POINTS[held.bit_count()])
