"""What each seat of one game sees.

The planes of every seat's observation are stored and updated piece by piece. The numbers are read
when a seat looks, all at once. They are written one after the other, player by player for each
feature, into a lookup table of 256 bytes; for each seat a template says which byte of the table
belongs where::

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
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.single.tables import GameTables
from gonzaga_env.core.state.features import feature_table
from gonzaga_env.core.state.state import PLACE
from gonzaga_env.tabletop.features import Feature

_LOOKUP_SIZE = 256
_CONSTANTS = bytes((0, 1))
_CLOCK = ("phase", "round", "last_round", "finished", "num_acted", "open_sites")
_NUMBERS = ("ring_stock", "score", "largest_group", "sea_harbors", "leagues")
_CARDS = ("order", "plan", "previous_plan", "fief", "deck")
_CONSTANT_FEATURES = ("flourishing", "seat", "symbols")


class SeatObservations:
    """The observations of the P seats of one game.

    Call the matching `on_...` method after each change; the clock and the numbers that change at
    every step are read from the position when a seat looks.
    """

    def __init__(self, position: Position) -> None:
        """Starts with an empty map."""
        tables, num_players = position.tables, position.num_players
        flourishing = tables.flourishing[position.scenario]
        self._sealed, self._revealed = (
            [
                _template(num_players, seat, flourishing, tables.symbols[objective], sealed)
                for seat, objective in enumerate(position.objectives)
            ]
            for sealed in (True, False)
        )
        nobody = bytes((2 * num_players + 1) * tables.num_hexes) + tables.value[position.scenario]
        numbers = bytes(len(self._sealed[0]))
        self._arrays = [
            np.frombuffer(bytearray(nobody + tables.objective_plane[o] + numbers), np.uint8)
            for o in position.objectives
        ]
        self._lookup = bytearray(_CONSTANTS.ljust(_LOOKUP_SIZE, b"\0"))
        self._slices = _lookup_slices(num_players)
        self._open_windows()
        self.on_cards(position)

    def _open_windows(self) -> None:
        """Opens writable windows on the planes and on the numbers of each observation."""
        start = len(self._arrays[0]) - len(self._sealed[0])
        self._planes = [array.data[:start] for array in self._arrays]
        self._windows = [array.data[start:] for array in self._arrays]

    def copy(self) -> Self:
        """Returns an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._arrays = [array.copy() for array in self._arrays]
        twin._lookup = self._lookup.copy()
        twin._open_windows()
        return twin

    def observe(self, p: Position, seat: int) -> NDArray[np.uint8]:
        """Returns what a seat knows, [D] (as `observation.reader.observe`)."""
        clock = bytes((p.phase, p.round, p.last_round, p.finished, p.num_acted, p.open_sites))
        try:
            scores = bytes(p.totals)
        except ValueError:  # above 255, where only assigned states are
            scores = bytes([min(total, 255) for total in p.totals])
        numbers = p.ring_stock, scores, p.largest_group, p.sea_harbors, p.leagues
        self._lookup[self._slices["numbers"]] = b"".join((clock, *numbers))
        template = (self._revealed if p.phase == PLACE else self._sealed)[seat]
        self._windows[seat][:] = template.translate(self._lookup)
        return self._arrays[seat].copy()

    def on_plan(self, p: Position, seat: int) -> None:
        """Writes the plan that a seat has sealed."""
        start = self._slices["plan"].start + seat * NUM_CARDS
        self._lookup[start : start + NUM_CARDS] = p.tables.cards[p.plan[seat]]

    def on_cards(self, p: Position) -> None:
        """Writes all cards and the turn order, after a deal, a reveal or the end of a round."""
        places = bytearray(p.num_players)
        if p.phase == PLACE:
            for place, seat in enumerate(p.order, start=1):
                places[seat] = place
        plans = [p.tables.cards[plan] for plan in p.plan + p.previous_plan]
        cards = b"".join((places, *plans, _fief_cards(p)))
        self._lookup[self._slices["cards"]] = cards

    def on_piece(
        self, tables: GameTables, seat: int, cells: tuple[int, ...], fief: int | None
    ) -> None:
        """Writes a new piece into everybody's planes, and into the owner's site values.

        Args:
            tables: the tables of the edition.
            seat: the owner.
            cells: its hexes.
            fief: the fief (0 to 11); None for rings.
        """
        num_players, num_hexes = len(self._planes), tables.num_hexes
        first = 0 if fief is not None else num_players  # fiefs' planes, then rings'
        numbers = 2 * num_players * num_hexes
        for observer, planes in enumerate(self._planes):
            start = (first + (seat - observer) % num_players) * num_hexes
            for cell in cells:
                planes[start + cell] = 1
                if fief is not None:
                    planes[numbers + cell] = fief + 1
        own, start = self._planes[seat], numbers + num_hexes
        for cell in cells:
            own[start + cell] = 0


def _fief_cards(p: Position) -> bytearray:
    """Returns this round's fief of every player, then the fiefs still in each deck; one-hot."""
    shown = [deck[p.round - 1 : p.round] for deck in p.decks]
    to_come = [deck[p.round :] for deck in p.decks]
    cards = bytearray(2 * p.num_players * NUM_FIEFS)
    for row, fiefs in enumerate(shown + to_come):
        for fief in fiefs:
            cards[row * NUM_FIEFS + fief] = 1
    return cards


@cache
def _lookup_slices(num_players: int) -> dict[str, slice]:
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
def _template(
    num_players: int, seat: int, flourishing: bytes, symbols: bytes, sealed: bool
) -> bytes:
    """Returns the template of what a seat sees; `sealed` hides the others' plans (R3.2)."""
    own_seat = bytes(i == seat for i in range(num_players))
    constants = {"flourishing": flourishing, "seat": own_seat, "symbols": symbols}
    template = b""
    for feature in _number_features(num_players):
        if feature.name in constants:
            template += constants[feature.name]
            continue
        part = _lookup_slices(num_players)[feature.name]
        places = bytes(range(part.start, part.stop))
        if feature.name not in _CLOCK:
            width = len(places) // num_players
            places = places[seat * width :] + places[: seat * width]
            if feature.name == "plan" and sealed:
                places = places[:width].ljust(len(places), b"\0")
        template += places
    return template


@cache
def _number_features(num_players: int) -> tuple[Feature, ...]:
    """Returns the features behind the planes; their layout is the same on every map."""
    table = feature_table(1, num_players)
    return tuple(feature for feature in table if feature.start >= table["phase"].start)
