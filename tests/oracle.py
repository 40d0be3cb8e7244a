"""A slow, naive oracle of Gonzaga, written from the numbered rules alone (R1 to R9).

It shares no code and no table with the engine (its own reading of an edition is in
`tests.oracle_editions`) and works with plain sets of ``(row, col)`` hexes. It is here to be
compared with the engine, so it prefers the obvious way to the fast one. The legal set is made of
action texts.
"""

from typing import NamedTuple

from tests.oracle_editions import Hex, OracleEdition, parse_hex, share_side

__all__ = ["OracleEdition", "OracleGame", "Plan"]

INACTIVE = "inactive"  # the region card "inactive regions" (R2.1)
PRIVILEGE = " + privilege"
PRINTED_SIZE = {"rounds": 12, "rings": 6, "open_sites_at_end": 3, "objectives": True}  # R1.1, R7
OBJECTIVE_POINTS = (0, 2, 5, 10, 15, 25, 35)  # R8.2
SCORE_KEYS = ("cities", "harbors", "leagues", "donations", "group", "objective")


class Plan(NamedTuple):
    """One player's cards of a round (R3.2)."""

    region: str
    action: str
    privilege: bool


def ring_text(cell: Hex) -> str:
    """Return the action text of a wedding with one ring."""
    return f"ring {cell[0]},{cell[1]}"


def two_rings_text(first: Hex, second: Hex) -> str:
    """Return the action text of a wedding with two rings, the western/northern hex first."""
    return f"rings {first[0]},{first[1]} {second[0]},{second[1]}"


class OracleGame:
    """One game by the naive rules, from a scenario, the decks and the objectives dealt.

    Attributes:
        seat: the seat to act now; None when the game is finished.
        phase: "plan", "place" or "finished".
        round: the number of the round, from 1.
        last_round: whether the running round is known to be the last (R7.1, R7.2).
        rings: per seat, rings left in stock.
        fiefs: per seat, the placed fiefs, each as its set of hexes.
        ring_hexes: per seat, the hexes with a ring of that seat.
        leagues: per seat, the seas whose league that seat was given points for.
        plans: per seat, this round's plan, or None as long as it is not made.
        previous_plans: per seat, the plan whose cards are not available this round (R3.3).
        turn_order: the seats in this round's turn order (R3.5); empty before the reveal.
    """

    def __init__(
        self,
        edition: OracleEdition,
        *,
        scenario: str,
        num_players: int,
        decks: list[list[int]],
        objectives: list[list[str]],
        sea_league: str = "each_player",
        first_check_round: int = 6,
    ) -> None:
        """Set the game up (R2): ``decks`` holds fief numbers, ``objectives`` symbols, per seat."""
        self.edition = edition
        self.num_players = num_players
        self.decks, self.objectives = decks, objectives
        self.sea_league, self.first_check_round = sea_league, first_check_round
        self.flourishing = set(edition.scenarios[scenario])  # R1.5
        self.inactive = set(edition.regions) - self.flourishing
        self.size = PRINTED_SIZE | edition.size
        self.round, self.phase, self.last_round = 1, "plan", self.size["rounds"] == 1
        self.seat: int | None = 0
        self.rings = [self.size["rings"]] * num_players  # R1.1, R2.3
        self.fiefs: list[list[frozenset[Hex]]] = [[] for _ in range(num_players)]
        self.ring_hexes: list[set[Hex]] = [set() for _ in range(num_players)]
        self.leagues: list[set[str]] = [set() for _ in range(num_players)]
        self.plans: list[Plan | None] = [None] * num_players
        self.previous_plans: list[Plan | None] = [None] * num_players
        self.turn_order: list[int] = []
        self._points = [dict.fromkeys(SCORE_KEYS, 0) for _ in range(num_players)]

    # ------------------------------------------------------------------ queries

    @property
    def finished(self) -> bool:
        """Whether the game is over and finally scored."""
        return self.phase == "finished"

    def held(self, seat: int) -> set[Hex]:
        """Return all hexes that a seat holds, with fiefs or rings (R5.3)."""
        return self.ring_hexes[seat].union(*self.fiefs[seat])

    def sites_held(self, seat: int) -> int:
        """Return how many cities and harbors a seat holds (R8.3)."""
        held = self.held(seat)
        return len(held & self.edition.cities.keys()) + len(held & self.edition.harbors.keys())

    def open_sites(self) -> int:
        """Return the number of cities and harbors in flourishing regions nobody covers (R7.1)."""
        covered: set[Hex] = set().union(*(self.held(seat) for seat in range(self.num_players)))
        sites = self.edition.cities.keys() | self.edition.harbors.keys()
        return sum(self.edition.region_of[cell] in self.flourishing for cell in sites - covered)

    def largest_group(self, seat: int) -> int:
        """Return the number of pieces in a seat's largest connected group (R8.1)."""
        pieces = [set(fief) for fief in self.fiefs[seat]]
        pieces += [{cell} for cell in self.ring_hexes[seat]]  # R5.3: a ring is a piece
        largest = 0
        while pieces:
            group, size = pieces.pop(), 1
            while touching := [piece for piece in pieces if _connected(group, piece)]:
                pieces = [piece for piece in pieces if piece not in touching]
                group, size = group.union(*touching), size + len(touching)
            largest = max(largest, size)
        return largest

    def objective_cities(self, seat: int) -> int:
        """Return how many cities of the own objective a seat holds (R8.2)."""
        cities = self.edition.cities
        return sum(cities.get(cell) in self.objectives[seat] for cell in self.held(seat))

    def scores(self) -> list[dict[str, int]]:
        """Return each seat's points by kind, and their total."""
        return [points | {"total": sum(points.values())} for points in self._points]

    def winners(self) -> list[int]:
        """Return the winning seats (R8.3); raises ValueError before the end."""
        if not self.finished:
            raise ValueError("the game is not finished")
        totals = [points["total"] for points in self.scores()]
        ranks = [(totals[seat], self.sites_held(seat)) for seat in range(self.num_players)]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    def legal_actions(self) -> set[str]:
        """Return the texts of all legal actions of the seat to act; none when finished."""
        if self.seat is None:
            return set()
        if self.phase == "plan":
            return self._legal_plans(self.seat)
        # R3.7: a donation is always allowed
        return {"donate"} | self._legal_fiefs(self.seat) | self._legal_weddings(self.seat)

    def _legal_plans(self, seat: int) -> set[str]:
        """R3.2: one region card, one action card, with or without King's Privilege."""
        cards = [name for name in self.edition.regions if name in self.flourishing]  # R2.1
        cards.append(INACTIVE)
        before = self.previous_plans[seat]
        regions = [card for card in cards if before is None or card != before.region]  # R3.3
        actions = [card for card in "ABC" if before is None or card != before.action]  # R3.3
        texts = {f"{region} {action}" for region in regions for action in actions}
        if self.rings[seat] == 0 or (before is not None and before.privilege):  # R3.4, R3.3
            return texts
        return texts | {text + PRIVILEGE for text in texts}

    def _legal_fiefs(self, seat: int) -> set[str]:
        """R4: all places for this round's fief that fit the plan and the map as it is now."""
        planned, action = self._planned_regions(seat), self._plan(seat).action
        taken = self._all_fief_hexes() | self.ring_hexes[seat]  # R4.3
        return {
            placement.text
            for placement in self.edition.placements[self._fief_drawn(seat)]
            if placement.action == action  # R4.2
            and placement.regions & planned  # R4.1
            and not placement.cells & taken
        }

    def _legal_weddings(self, seat: int) -> set[str]:
        """R5: all ways to place one ring, or two on adjacent hexes."""
        if self._plan(seat).action != "C" or self.rings[seat] == 0:  # R5.1
            return set()
        region_of, planned = self.edition.region_of, self._planned_regions(seat)
        own_fiefs: set[Hex] = set().union(*self.fiefs[seat])
        free = region_of.keys() - own_fiefs - set().union(*self.ring_hexes)  # R5.4
        texts = {ring_text(cell) for cell in free if region_of[cell] in planned}  # R5.2
        if self.rings[seat] >= 2:
            texts |= {
                two_rings_text(one, other)
                for one, other in self.edition.ring_pairs
                if one in free
                and other in free  # R5.4
                and (region_of[one] in planned or region_of[other] in planned)  # R5.2
            }
        return texts

    def _plan(self, seat: int) -> Plan:
        plan = self.plans[seat]
        if plan is None:
            raise ValueError(f"seat {seat} has not planned yet")
        return plan

    def _planned_regions(self, seat: int) -> set[str]:
        """R4.1, R5.2: the planned region, or with the inactive card all inactive regions."""
        region = self._plan(seat).region
        return self.inactive if region == INACTIVE else {region}

    def _fief_drawn(self, seat: int) -> int:
        """R3.1: the fief of the card that a seat turned over this round."""
        return self.decks[seat][self.round - 1]

    def _all_fief_hexes(self) -> set[Hex]:
        return {cell for fiefs in self.fiefs for fief in fiefs for cell in fief}

    # ----------------------------------------------------------------- commands

    def play(self, action: str) -> int:
        """Play an action for the seat to act.

        Returns:
            The points scored at once: 0 for a plan; final scoring is not included.

        Raises:
            ValueError: the action is not legal; nothing has changed.
        """
        seat = self.seat
        if seat is None or action not in self.legal_actions():
            raise ValueError(f"not legal for seat {seat} in round {self.round}: {action!r}")
        if self.phase == "plan":
            self._make_plan(seat, action)
            return 0
        before = sum(self._points[seat].values())
        self._make_move(seat, action)
        points = sum(self._points[seat].values()) - before
        self._next_in_turn_order(seat)
        return points

    def _make_plan(self, seat: int, action: str) -> None:
        cards = action.removesuffix(PRIVILEGE)
        region, card = cards.rsplit(" ", 1)
        self.plans[seat] = Plan(region, card, action.endswith(PRIVILEGE))
        if seat + 1 < self.num_players:
            self.seat = seat + 1
        else:
            self._reveal()

    def _reveal(self) -> None:
        """Pay for King's Privilege (R3.4) and find the turn order (R3.5)."""
        for seat in range(self.num_players):
            self.rings[seat] -= self._plan(seat).privilege
        self.turn_order = sorted(range(self.num_players), key=self._turn_key)
        self.seat, self.phase = self.turn_order[0], "place"

    def _turn_key(self, seat: int) -> tuple[bool, str, int]:
        """R3.5: privilege first; then A, B, C; then the lower card number (tens: fief, R1.7)."""
        plan = self._plan(seat)
        return not plan.privilege, plan.action, 10 * self._fief_drawn(seat) + seat + 1

    def _make_move(self, seat: int, action: str) -> None:
        """R3.6: place the fief, arrange a wedding or donate."""
        if action == "donate":
            self._points[seat]["donations"] += 3  # R3.7
            return
        before = self.held(seat)
        if action.startswith("fief"):
            places = self.edition.placements[self._fief_drawn(seat)]
            self.fiefs[seat].append(next(p.cells for p in places if p.text == action))
        else:
            rings = [parse_hex(text.split(",")) for text in action.split(" ")[1:]]
            self.ring_hexes[seat].update(rings)
            self.rings[seat] -= len(rings)  # R5.6
        self._score_cover(seat, before)

    def _score_cover(self, seat: int, before: set[Hex]) -> None:
        """Score what a seat holds now and did not hold ``before`` (R6.1, R6.2)."""
        cities, harbors = self.edition.cities, self.edition.harbors
        now = self.held(seat)
        for cell in now - before:
            worth = 3 if self.edition.region_of[cell] in self.flourishing else 1  # R6.1
            self._points[seat]["cities"] += worth if cell in cities else 0
            self._points[seat]["harbors"] += worth if cell in harbors else 0
        for sea in set(harbors.values()):
            of_sea = {cell for cell in harbors if harbors[cell] == sea}
            if len(of_sea & before) < 3 <= len(of_sea & now):  # R6.2: first holds 3, or at once 4
                self._score_league(seat, sea)

    def _score_league(self, seat: int, sea: str) -> None:
        if self.sea_league == "first_only" and any(sea in seas for seas in self.leagues):  # R6.3
            return
        self.leagues[seat].add(sea)
        self._points[seat]["leagues"] += 10

    def _next_in_turn_order(self, seat: int) -> None:
        index = self.turn_order.index(seat) + 1
        if index < self.num_players:
            self.seat = self.turn_order[index]
        else:
            self._end_round()

    def _end_round(self) -> None:
        """Start the next round, or end the game (R7)."""
        if self.last_round or self.round == self.size["rounds"]:
            self._end_game()
            return
        few = self.open_sites() <= self.size["open_sites_at_end"]  # R7.1
        if self.round >= self.first_check_round and few:  # R7.3
            self.last_round = True
        self.round += 1
        self.last_round = self.last_round or self.round == self.size["rounds"]  # R7.2
        self.previous_plans = self.plans  # R3.3: they lie open until the next reveal
        self.plans = [None] * self.num_players
        self.turn_order = []
        self.seat, self.phase = 0, "plan"

    def _end_game(self) -> None:
        """Score the largest groups (R8.1) and the objectives (R8.2)."""
        self.seat, self.phase = None, "finished"
        groups = [self.largest_group(seat) for seat in range(self.num_players)]
        for seat, points in enumerate(self._points):
            points["group"] = 15 if groups[seat] == max(groups) else 0
            if self.size["objectives"]:
                points["objective"] = OBJECTIVE_POINTS[self.objective_cities(seat)]


def _connected(one: set[Hex], other: set[Hex]) -> bool:
    """R8.1: any hex of the one shares a side with any hex of the other, barrier or not."""
    return any(share_side(here, there) for here in one for there in other)
