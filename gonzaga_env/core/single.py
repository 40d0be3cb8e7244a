"""The rules for one game in plain Python: what `legal` and `transitions` are for batches."""

from __future__ import annotations

from gonzaga_env.core.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.legal import NO_SEAT
from gonzaga_env.core.look import NUM_CARDS
from gonzaga_env.core.rules import (
    ALLIANCE,
    DONATION_POINTS,
    GROUP_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_RINGS,
    NUM_SEAS,
    OBJECTIVE_POINTS,
    OPEN_SITES_AT_END,
)
from gonzaga_env.core.single_panel import CLOCK
from gonzaga_env.core.single_tables import PLANS
from gonzaga_env.core.single_truth import SingleTruth
from gonzaga_env.core.state import PLACE, PLAN, SOURCES

_CITIES, _HARBORS, _LEAGUES, _DONATIONS, _GROUP, _OBJECTIVE = range(len(SOURCES))
_POSITION, _OPEN_SITES = map(CLOCK.index, ("position", "open_sites"))


class SingleGame(SingleTruth):
    """One game, and what an action changes; whether it is legal, the caller asks `legal`."""

    @property
    def legal(self) -> int:
        """The legal actions of the seat to act, a set; empty where the game is over."""
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def play(self, action: int) -> None:
        """Plays a legal action for the seat to act."""
        self._legal, self.points = None, 0
        if self.phase == PLAN:
            self._seal(self.seat, action)
        else:
            self._place(self.seat, action)

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
        legal ^= legal & self.blocked >> fief * tables.per_fief  # R4.3
        if self.ring_fiefs[seat]:
            legal ^= legal & self.ring_fiefs[seat] >> fief * tables.per_fief  # R4.3
        legal |= 1 << tables.donate  # R3.7
        if card != ALLIANCE:  # R5.1
            return legal
        weddings = tables.ring_bits[self.scenario][region][card][min(self.ring_stock[seat], 2)]
        weddings ^= weddings & self.ring_blocked[seat]  # R5.4
        return legal | weddings

    def _seal(self, seat: int, plan: int) -> None:
        """Seals a plan (R3.2); reveals all when everybody has planned."""
        self.plan[seat] = plan
        self.plan_cards[seat * NUM_CARDS : (seat + 1) * NUM_CARDS] = self.tables.cards[plan]
        self.position += 1
        if self.position == self.num_players:
            self._reveal()
        else:
            self.seat = self.clock[_POSITION] = self.position

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
        self.locked_cards[:] = bytes(len(self.locked_cards))
        self.phase, self.position, self.seat = PLACE, 0, self.order[0]
        self.set_clock()

    def _place(self, seat: int, action: int) -> None:
        """Places, weds or donates (R3.6), and closes the round if it is over."""
        tables, before = self.tables, self.totals[seat]
        spatial = action - NUM_PLANS
        if action < tables.ring_start:
            cells = tables.cells[self.fief[seat] * tables.per_fief + spatial]
            self.lay(seat, cells)
            self._score(seat, cells)
        elif action < tables.donate:
            cells = tables.cells[(NUM_FIEFS - 1) * tables.per_fief + spatial]
            self.wed(seat, cells)
            self._score(seat, cells)
        else:
            self._gain(seat, _DONATIONS, DONATION_POINTS)  # R3.7
        self.points = self.totals[seat] - before
        self.position += 1
        if self.position == self.num_players:
            self._end_round()
        else:
            self.clock[_POSITION] = self.position
            self.seat = self.order[self.position]

    def lay(self, seat: int, cells: tuple[int, ...]) -> None:
        """Puts a fief on the map (R4.6); no fief may meet it (R4.3) and no own ring (R5.4)."""
        conflicts, ring_conflicts = self.tables.conflicts, self.tables.ring_conflicts
        blocked, ring_blocked = self.blocked, self.ring_blocked[seat]
        hexes = 0
        for cell in cells:
            hexes |= 1 << cell
            blocked |= conflicts[cell]
            ring_blocked |= ring_conflicts[cell]
        self.blocked, self.ring_blocked[seat] = blocked, ring_blocked
        self.fiefs[seat] |= hexes
        self._cover(hexes)
        self.mark(seat, cells, 0)
        self._connect(seat, cells, hexes)

    def wed(self, seat: int, cells: tuple[int, ...]) -> None:
        """Puts rings on the map, out of the stock (R5.1, R5.6).

        No own fief may meet them (R4.3), and nobody's ring (R5.4).
        """
        tables = self.tables
        for cell in cells:
            self.ring_cells[(seat + 1) * NUM_RINGS - self.ring_stock[seat]] = cell
            self.ring_stock[seat] -= 1
            self.rings[seat] |= 1 << cell
            self._cover(1 << cell)
            self.ring_fiefs[seat] |= tables.conflicts[cell]
            taken = tables.ring_conflicts[cell]
            self.ring_blocked = [blocked | taken for blocked in self.ring_blocked]
            self.mark(seat, (cell,), self.num_players)
            self._connect(seat, (cell,), 1 << cell)  # each ring is a piece (R5.3)

    def _cover(self, hexes: int) -> None:
        """Counts the sites that nobody covers, now that some hexes are (R5.3, R7.1)."""
        self.covered |= hexes
        sites = self.tables.flourishing_sites[self.scenario]
        self.open_sites = self.clock[_OPEN_SITES] = (sites & ~self.covered).bit_count()

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

    def _score(self, seat: int, cells: tuple[int, ...]) -> None:
        """Writes the points of cities, harbors and leagues (R6)."""
        tables, value = self.tables, self.tables.value[self.scenario]
        for cell in cells:
            if not value[cell]:
                continue
            if tables.is_city[cell]:
                self._gain(seat, _CITIES, value[cell])  # R6.1
            else:
                self._gain(seat, _HARBORS, value[cell])
                self._add_harbor(seat, tables.harbor_sea[cell])

    def _add_harbor(self, seat: int, sea: int) -> None:
        """Counts a harbor; it may be the one that founds a league (R6.2)."""
        own = seat * NUM_SEAS + sea
        self.sea_harbors[own] += 1
        if self.rules.sea_league == "first_only":  # R6.3
            founded = any(self.leagues[sea::NUM_SEAS])
        else:
            founded = bool(self.leagues[own])
        if self.sea_harbors[own] >= LEAGUE_HARBORS and not founded:
            self.leagues[own] = 1
            self._gain(seat, _LEAGUES, LEAGUE_POINTS)

    def _gain(self, seat: int, source: int, points: int) -> None:
        self.scores[seat, source] += points
        self.totals[seat] += points
        self.shown_totals[seat] = min(self.totals[seat], 255)

    def _end_round(self) -> None:
        """Ends the round, and the game after its last one (R3.3, R7)."""
        self.locked, self.plan = self.plan, bytearray([NO_PLAN]) * self.num_players
        self.locked_cards[:] = self.plan_cards
        self.plan_cards[:] = bytes(len(self.plan_cards))
        self.places[:] = bytes(self.num_players)
        self.phase, self.position, self.seat = PLAN, 0, 0
        if self.last_round:
            self.finished, self.seat = True, NO_SEAT
            self._score_end()
            self.set_clock()
            return
        checked = self.round >= self.rules.first_check_round  # R7.1, R7.3
        self.round += 1
        few = self.open_sites <= OPEN_SITES_AT_END
        self.last_round = (checked and few) or self.round == NUM_FIEFS  # R7.2
        self.draw()
        self.set_clock()

    def _score_end(self) -> None:
        """Writes the points of group and objective (R8.1, R8.2)."""
        most = max(self.largest)
        for seat in range(self.num_players):
            if self.largest[seat] == most:
                self._gain(seat, _GROUP, GROUP_POINTS)
            cities = self.tables.objective_cities[self.objectives[seat]]
            held = (self.fiefs[seat] | self.rings[seat]) & cities
            self._gain(seat, _OBJECTIVE, OBJECTIVE_POINTS[held.bit_count()])
        self.share_victory()

    def share_victory(self) -> None:
        """Writes what part of the victory every player has (R8.3)."""
        won = self.winners()
        self.shares = [winner / sum(won) for winner in won]
