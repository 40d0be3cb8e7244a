"""One position of one game, its tables, and the observations of its seats.

Tables are Python integers and bytes. An integer holds a set of thousands of actions: bit i stands
for number i, as in `bits`. "and", "or" and a shift of it take a tenth of a numpy call.

Observations are stored when they change, once for all seats. Planes of hexes are listed by each
seat in its own order. The numbers stand one after the other, player by player for each feature, in
a lookup table of 256 bytes; for each seat a template says which byte of the table belongs where::

    lookup      0 1 | clock | fiefs of players 0 1 2 3 | ... | rings of players 0 1 2 3
    template of seat 2        fiefs of players 2 3 0 1   ...   rings of players 2 3 0 1

`template.translate(lookup)` replaces every byte b of the template by lookup[b]. What never changes
in a game (flourishing regions, the seat itself, the objective's symbols) points to the first two
bytes, a constant 0 and a constant 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS, NO_PLAN, NUM_CARDS, NUM_PLANS, plan_cards
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import feature_table
from gonzaga_env.core.constants import NUM_FIEFS, NUM_RINGS, NUM_SEAS
from gonzaga_env.core.edition import NUM_ROTATIONS, Size
from gonzaga_env.core.state import PLACE, PLAN, SOURCES, Deal
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.cache import memory_of

#: Region card, action card and King's Privilege of every plan.
PLANS = tuple(plan_cards(plan) for plan in range(NUM_PLANS))


@dataclass(frozen=True)
class GameTables:
    """The tables of an edition for a single game; S scenarios, O objectives, H hexes.

    Sets of actions have a bit for each index in the action space, sets of hexes one per hex.

    Attributes:
        size: how much of the game is played.
        num_hexes: H.
        per_fief: placements of one fief, 6 H.
        ring_start: the first action that does not place a fief.
        donate: the donation.
        num_actions: A.
        cells: hexes of each row of `Placements`.
        around: hexes next to each hex, as a set, [H].
        conflicts: placements that cover a hex, [H], of all fiefs in one set: those of fief f
            come to their actions' bits on shifting right by f * `per_fief` (R4.3).
        ring_conflicts: weddings that use a hex, [H] sets of actions (R5.4).
        plan_bits: plans by scenario, plan of the round before (`NUM_PLANS`: none) and whether a
            ring is in stock, [S][43][2] sets of actions (R2.1, R3.3, R3.4).
        fief_bits: placements by scenario, region card, action card and fief, on the empty map,
            [S][7][3][12] sets of actions (R4.1, R4.2).
        ring_bits: weddings by scenario, region card, action card and rings in stock (2: or more),
            on the empty map, [S][7][3][3] sets of actions (R5.1, R5.2).
        value: points for covering each hex, [S] bytes (R6.1).
        is_city: 1 for the cities, bytes.
        harbor_sea: sea that each harbor belongs to, bytes.
        sites: all cities and harbors, a set of hexes.
        flourishing_sites: those in flourishing regions, [S] sets of hexes (R7.1).
        objective_cities: cities of each objective, [O] sets of hexes (R1.4).
        objective_plane: the same as H bytes of 0 and 1, [O].
        symbols: symbols of each objective, [O] bytes of 0 and 1.
        flourishing: flourishing regions, [S] bytes of 0 and 1.
        cards: cards of a plan as 0 and 1: seven regions, three actions, King's Privilege; none
            for `NO_PLAN`.
    """

    size: Size
    num_hexes: int
    per_fief: int
    ring_start: int
    donate: int
    num_actions: int
    cells: list[tuple[int, ...]]
    around: list[int]
    conflicts: list[int]
    ring_conflicts: list[int]
    plan_bits: list[list[list[int]]]
    fief_bits: list[list[list[list[int]]]]
    ring_bits: list[list[list[list[int]]]]
    value: list[bytes]
    is_city: bytes
    harbor_sea: bytes
    sites: int
    flourishing_sites: list[int]
    objective_cities: list[int]
    objective_plane: list[bytes]
    symbols: list[bytes]
    flourishing: list[bytes]
    cards: list[bytes]

    @cached_property
    def num_bytes(self) -> int:
        """Their memory, which is counted once: they hold many thousand integers."""
        return memory_of(self)


def game_tables_for(tables: Tables) -> GameTables:
    """Returns the tables of an edition, built once; they are kept as long as its `Tables`."""
    return tables.derived(_build)


def _build(tables: Tables) -> GameTables:
    actions, num_hexes = tables.actions, tables.num_hexes
    cells = tables.placements.cells
    per_fief = NUM_ROTATIONS * num_hexes
    fiefs, rings = np.split(cells[:-1], [NUM_FIEFS * per_fief])
    return GameTables(
        size=tables.edition.size,
        num_hexes=num_hexes,
        per_fief=per_fief,
        ring_start=actions.ring.start,
        donate=actions.donate,
        num_actions=actions.size,
        cells=[tuple(c for c in row if c < num_hexes) for row in cells.tolist()],
        around=_users(tables.edition.grid.neighbors, num_hexes, 0),
        conflicts=_users(fiefs, num_hexes, actions.fief.start),
        ring_conflicts=_users(rings, num_hexes, actions.ring.start),
        plan_bits=tables.plan_bits.tolist(),
        fief_bits=_sets(
            bits.pack(tables.placements.from_number(tables.fief_bits)), actions.fief.start
        ),
        ring_bits=_sets(tables.ring_bits, actions.ring.start),
        value=_rows(tables.site_value[:, :-1]),
        is_city=tables.city_mask.tobytes(),
        harbor_sea=tables.harbor_sea.tobytes(),
        sites=_sets(tables.site_bits),
        flourishing_sites=_sets(tables.flourishing_bits),
        objective_cities=_sets(tables.objective_bits),
        objective_plane=_rows(tables.objective_planes),
        symbols=_rows(tables.objective_symbols),
        flourishing=_rows(tables.flourishing),
        cards=_rows(CARDS),
    )


def _users(cells: NDArray[np.integer], num_hexes: int, first: int) -> list[int]:
    """Returns the set of rows of `cells` that name each hex, [H]; row i is bit `first` + i."""
    uses = np.zeros((num_hexes + 1, first + len(cells)), dtype=np.bool_)
    uses[cells.T, first + np.arange(len(cells))] = True
    packed = np.packbits(uses[:-1], axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _sets(words: Words, first: int = 0) -> Any:
    """Returns words [..., W] as nested lists of integers; bit 0 becomes bit `first`."""
    if words.ndim > 1:
        return [_sets(row, first) for row in words]
    return int.from_bytes(words.tobytes(), "little") << first


def _rows(values: NDArray[np.uint8] | NDArray[np.bool_]) -> list[bytes]:
    return [row.tobytes() for row in values]


_MUTABLE = (list, bytearray, np.ndarray)

#: A connected group of a player: the hexes next to its pieces, as a set, and the pieces themselves.
Group = tuple[int, tuple[tuple[int, ...], ...]]


class Position:
    """One game of P players. Sets of hexes and actions are integers (see `GameTables`).

    Attributes:
        tables: the tables of the edition.
        num_players: P.
        seed, episode, scenario, round, phase, num_acted, last_round, finished: as in `State`.
        decks: fiefs in order of drawing, [P] bytes.
        objectives: index in the edition, [P].
        seat: the seat to act; -1 where the game is over.
        fief: this round's fief of every player, [P].
        plan, previous_plan, order, ring_stock, largest_group: as in `State`, [P].
        fiefs, rings: hexes held, [P] sets.
        covered: hexes held by anybody, a set.
        open_sites: flourishing cities and harbors nobody covers (R7.1).
        sea_harbors, leagues: as in `State`, [P * 6].
        scores: points by source, as in `State`, [P, 6] int16.
        totals: points over all sources, [P].
        points: points that the last action scored immediately.
        win_shares: share of the victory, 0 before the end (R8.3), [P].
        blocked: placements that overlap a fief on the map, in the layout of `tables.conflicts`.
        ring_fiefs: placements that overlap an own ring, [P], in the same layout.
        ring_blocked: weddings that R5.4 forbids, [P] sets of actions.
        ring_cells: as in `State`, [P * 6].
        pieces: fief (0 to 11) and hexes of every fief on the map, [P] tuples.
        groups: connected pieces, [P] tuples of `Group` (R8.1).
    """

    outcomes: list[Json] | None = None  # nothing is drawn

    def __init__(self, tables: GameTables, deal: Deal, seed: int, episode: int) -> None:
        """Starts a game from a deal: nothing scored, all rings unspent (R2.2, R2.3)."""
        p = deal.decks.shape[1]
        self.tables, self.num_players = tables, p
        self.seed, self.episode, self.scenario = seed, episode, int(deal.scenario[0])
        self.decks = tuple(map(bytes, deal.decks[0].tolist()))
        self.objectives = tuple(deal.objectives[0].tolist())
        self.round, self.phase, self.num_acted, self.seat = 1, PLAN, 0, 0
        self.last_round, self.finished = tables.size.rounds == 1, False
        self.fief = bytearray(deck[0] for deck in self.decks)  # R3.1
        self.plan, self.previous_plan = bytearray([NO_PLAN]) * p, bytearray([NO_PLAN]) * p
        self.order, self.ring_stock = bytearray(p), bytearray([tables.size.rings]) * p
        self.largest_group = bytearray(p)
        self.fiefs, self.rings, self.covered = [0] * p, [0] * p, 0
        self.open_sites = tables.flourishing_sites[self.scenario].bit_count()
        self.sea_harbors, self.leagues = bytearray(p * NUM_SEAS), bytearray(p * NUM_SEAS)
        self.scores = np.zeros((p, len(SOURCES)), dtype=np.int16)
        self.totals, self.points, self.win_shares = [0] * p, 0, [0.0] * p
        self.blocked, self.ring_fiefs, self.ring_blocked = 0, [0] * p, [0] * p
        self.ring_cells = [tables.num_hexes] * (p * NUM_RINGS)
        self.pieces: list[tuple[tuple[int, tuple[int, ...]], ...]] = [()] * p
        self.groups: list[tuple[Group, ...]] = [()] * p

    @property
    def kind(self) -> int:
        """What the seat to act decides, an index in `KINDS`."""
        return self.phase

    def copy(self) -> Self:
        """Returns an independent copy; the tables are shared."""
        twin = object.__new__(type(self))
        # All other values are never changed in place.
        twin.__dict__ = {
            name: value.copy() if isinstance(value, _MUTABLE) else value
            for name, value in self.__dict__.items()
        }
        return twin


_LOOKUP_SIZE = 256
_CONSTANTS = (0, 1)
_CLOCK = ("phase", "round", "last_round", "finished", "num_acted", "open_sites")
_NUMBERS = ("score", "ring_stock", "largest_group", "sea_harbors", "leagues")
_CARDS = ("order", "plan", "previous_plan", "fief", "deck")
_CONSTANT_FEATURES = ("flourishing", "seat", "symbols")  # the last ones
_NUM_ACTED = len(_CONSTANTS) + _CLOCK.index("num_acted")
_ONE_HOT_FIEFS = [bytes(i == fief for i in range(NUM_FIEFS)) for fief in range(NUM_FIEFS)]
_UINT8 = np.dtype(np.uint8)  # numpy takes it faster than the type


class SeatObservations:
    """The observations of the P seats of one game; call the matching `on_...` after each change."""

    def __init__(self, position: Position) -> None:
        tables, scenario, p = position.tables, position.scenario, position.num_players
        self._fiefs = [bytearray(tables.num_hexes) for _ in range(p)]
        self._rings = [bytearray(tables.num_hexes) for _ in range(p)]
        self._fief_number = bytearray(tables.num_hexes)
        self._values = [bytearray(tables.value[scenario]) for _ in range(p)]
        self._objectives = [tables.objective_plane[objective] for objective in position.objectives]
        self._list_planes()
        self._write_pieces(position)
        constants = [
            tables.flourishing[scenario] + bytes(i == seat for i in range(p)) + tables.symbols[o]
            for seat, o in enumerate(position.objectives)
        ]
        self._sealed, self._revealed = (
            [_template(p, seat, sealed) + own for seat, own in enumerate(constants)]
            for sealed in (True, False)
        )
        self._parts = _lookup_parts(p)
        self._lookup = bytearray(_CONSTANTS).ljust(_LOOKUP_SIZE, b"\0")
        self._to_come = bytearray(p * NUM_FIEFS)
        for seat, deck in enumerate(position.decks):
            for fief in deck[position.round : tables.size.fiefs]:
                self._to_come[seat * NUM_FIEFS + fief] = 1
        self._start_round(position)
        if position.phase == PLACE:
            self._reveal(position)

    def _list_planes(self) -> None:
        """Lists the planes that each seat sees, in the order of the features."""
        p = len(self._fiefs)
        fiefs, rings = self._fiefs * 2, self._rings * 2
        self._planes = [
            (*fiefs[s : s + p], *rings[s : s + p], self._fief_number, value, self._objectives[s])
            for s, value in enumerate(self._values)
        ]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._fiefs = [plane.copy() for plane in self._fiefs]
        twin._rings = [plane.copy() for plane in self._rings]
        twin._values = [plane.copy() for plane in self._values]
        twin._fief_number = self._fief_number.copy()
        twin._list_planes()
        twin._lookup, twin._to_come = self._lookup.copy(), self._to_come.copy()
        return twin

    def observe(self, seat: int) -> NDArray[np.uint8]:
        """Returns what a seat knows, [D] (as `core.batch.observations.observe`)."""
        numbers = self._templates[seat].translate(self._lookup)
        return np.frombuffer(bytearray().join((*self._planes[seat], numbers)), _UINT8)

    def on_plan(self, p: Position, seat: int) -> None:
        """Writes the plan that a seat has sealed, and the turn order if all have."""
        start = self._parts["plan"].start + seat * NUM_CARDS
        self._lookup[start : start + NUM_CARDS] = p.tables.cards[p.plan[seat]]
        self._lookup[_NUM_ACTED] = p.num_acted
        if p.phase == PLACE:
            self._reveal(p)

    def on_placement(
        self, p: Position, seat: int, cells: tuple[int, ...], fief: int | None
    ) -> None:
        """Writes a fief (0 to 11) or rings on their hexes, or a donation."""
        self._write_piece(seat, cells, fief)
        if p.phase == PLACE:
            self._write_numbers(p)
        else:
            self._start_round(p)

    def _reveal(self, p: Position) -> None:
        """Writes the turn order, returns the cards of the round before, and shows all plans."""
        start = self._parts["order"].start
        for place, seat in enumerate(p.order, start=1):
            self._lookup[start + seat] = place
        self._lookup[self._parts["previous_plan"]] = bytes(p.num_players * NUM_CARDS)
        self._write_numbers(p)
        self._templates = self._revealed

    def _start_round(self, p: Position) -> None:
        """Writes all cards after a deal or the end of a round, and hides plans from now on."""
        plans = [p.tables.cards[plan] for plan in p.plan + p.previous_plan]
        for seat, fief in enumerate(p.fief):
            self._to_come[seat * NUM_FIEFS + fief] = 0
        fiefs = [_ONE_HOT_FIEFS[fief] for fief in p.fief]
        cards = b"".join((bytes(p.num_players), *plans, *fiefs, self._to_come))
        self._lookup[self._parts["cards"]] = cards
        self._write_numbers(p)
        self._templates = self._sealed

    def _write_numbers(self, p: Position) -> None:
        """Writes the clock and what changes with placements."""
        clock = p.phase, p.round, p.last_round, p.finished, p.num_acted, p.open_sites
        try:
            start = bytes((*clock, *p.totals))
        except ValueError:  # scores above 255, where only assigned states are
            start = bytes((*clock, *(min(total, 255) for total in p.totals)))
        numbers = p.ring_stock, p.largest_group, p.sea_harbors, p.leagues
        self._lookup[self._parts["numbers"]] = b"".join((start, *numbers))

    def _write_pieces(self, position: Position) -> None:
        for seat, pieces in enumerate(position.pieces):
            for fief, cells in pieces:
                self._write_piece(seat, cells, fief)
        for i, cell in enumerate(position.ring_cells):
            if cell < position.tables.num_hexes:
                self._write_piece(i // NUM_RINGS, (cell,), None)

    def _write_piece(self, seat: int, cells: tuple[int, ...], fief: int | None) -> None:
        plane, value = (self._rings if fief is None else self._fiefs)[seat], self._values[seat]
        for cell in cells:
            plane[cell], value[cell] = 1, 0
            if fief is not None:
                self._fief_number[cell] = fief + 1


@cache
def _lookup_parts(num_players: int) -> dict[str, slice]:
    """Returns where each feature lies in the table, and all numbers and all cards, by name."""
    parts, start = {}, len(_CONSTANTS)
    for group, names in (("numbers", _CLOCK + _NUMBERS), ("cards", _CARDS)):
        first = start
        for name in names:
            feature = feature_table(1, num_players)[name]
            parts[name] = slice(start, start + feature.slice.stop - feature.slice.start)
            start = parts[name].stop
        parts[group] = slice(first, start)
    assert start <= _LOOKUP_SIZE, "translate() looks bytes up, so the table has 256 places"
    return parts


@cache
def _template(num_players: int, seat: int, sealed: bool) -> bytes:
    """Returns the template of what a seat sees, without the constant features at its end.

    `sealed` hides the others' plans (R3.2).
    """
    template = b""
    names = [feature.name for feature in feature_table(1, num_players)]
    for name in names[names.index(_CLOCK[0]) : names.index(_CONSTANT_FEATURES[0])]:
        part = _lookup_parts(num_players)[name]
        places = bytes(range(part.start, part.stop))
        if name not in _CLOCK:
            width = len(places) // num_players
            places = places[seat * width :] + places[: seat * width]
            if name == "plan" and sealed:
                places = places[:width].ljust(len(places), b"\0")
        template += places
    return template
