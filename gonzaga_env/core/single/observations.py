"""What each seat of one game sees.

Everything is stored when it changes, once for all seats. Planes of hexes are listed by each seat in
its own order. The numbers stand one after the other, player by player for each feature, in a lookup
table of 256 bytes; for each seat a template says which byte of the table belongs where::

    lookup      0 1 | clock | fiefs of players 0 1 2 3 | ... | rings of players 0 1 2 3
    template of seat 2        fiefs of players 2 3 0 1   ...   rings of players 2 3 0 1

`template.translate(lookup)` replaces every byte b of the template by lookup[b]. What never changes
in a game (flourishing regions, the seat itself, the objective's symbols) points to the first two
bytes, a constant 0 and a constant 1.
"""

from __future__ import annotations

from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NUM_CARDS
from gonzaga_env.core.constants import NUM_FIEFS, NUM_RINGS
from gonzaga_env.core.features import feature_table
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.state.state import PLACE

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
        """Starts with a game of any phase."""
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
        """Returns an independent copy."""
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
