"""What each seat of one game sees.

The planes of every seat's observation are stored and updated piece by piece. The numbers are read
from the position when a seat looks, all by one table look-up. The position's numbers are written
one after the other, player by player for each feature, into 256 bytes, the "panel"; for each seat
a template says which byte of the panel belongs where::

    panel       0 1 | clock | fiefs of players 0 1 2 3 | ... | rings of players 0 1 2 3
    template of seat 2        fiefs of players 2 3 0 1   ...   rings of players 2 3 0 1

`template.translate(panel)` replaces every byte b of the template by panel[b]. What never changes in
a game (flourishing regions, the seat itself, the objective's symbols) points to the panel's first
two bytes, a constant 0 and a constant 1.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.observation.features import Feature, feature_table
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.single.tables import GameTables
from gonzaga_env.core.state.state import PLACE

_PANEL_SIZE = 256
_CONSTANTS = bytes((0, 1))
_CLOCK = ("phase", "round", "last_round", "finished", "num_acted", "open_sites")
_CONSTANT_FEATURES = ("flourishing", "seat", "symbols")


class SeatObservations:
    """The observations of the P seats of one game.

    Call `on_piece` after each piece that is placed; everything else is read from the position.
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
        self._moment = 0, 0, 0  # round, phase and plans that `_places` and `_cards` are of
        used = max(part.stop for part in _parts(num_players).values())
        self._padding = bytes(_PANEL_SIZE - used)
        self._open_windows()

    def _open_windows(self) -> None:
        """Opens writable windows on the planes and on the numbers of each observation."""
        start = len(self._arrays[0]) - len(self._sealed[0])
        self._planes = [array.data[:start] for array in self._arrays]
        self._numbers = [array.data[start:] for array in self._arrays]

    def copy(self) -> Self:
        """Returns an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._arrays = [array.copy() for array in self._arrays]
        twin._open_windows()
        return twin

    def observe(self, position: Position, seat: int) -> NDArray[np.uint8]:
        """Returns what a seat knows, [D] (as `observation.reader.observe`)."""
        templates = self._revealed if position.phase == PLACE else self._sealed
        self._numbers[seat][:] = templates[seat].translate(self._panel(position))
        return self._arrays[seat].copy()

    def _panel(self, p: Position) -> bytes:
        """Returns the panel: constants, the clock, then each feature by player (`_parts`)."""
        moment = p.round, p.phase, p.phase == PLACE or p.num_acted
        if moment != self._moment:
            self._moment, self._places, self._cards = moment, _places(p), _cards(p)
        clock = bytes((p.phase, p.round, p.last_round, p.finished, p.num_acted, p.open_sites))
        scores = bytes([total if total < 255 else 255 for total in p.totals])
        numbers = clock, p.ring_stock, scores, p.largest_group, self._places
        sites = p.sea_harbors, p.leagues
        return b"".join((_CONSTANTS, *numbers, *sites, self._cards, self._padding))

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


def _places(p: Position) -> bytearray:
    """Returns every player's place in the turn order, from 1; 0 while unknown."""
    places = bytearray(p.num_players)
    if p.phase == PLACE:
        for place, seat in enumerate(p.order, start=1):
            places[seat] = place
    return places


def _cards(p: Position) -> bytes:
    """Returns the cards of this round's plans and of the previous ones, then the fief cards."""
    cards = p.tables.cards
    return b"".join([*[cards[plan] for plan in p.plan + p.previous_plan], _fief_cards(p)])


def _fief_cards(p: Position) -> bytes:
    """Returns this round's fief of every player, then the fiefs still in each deck; one-hot."""
    return _one_hot_fiefs(p.decks, p.round)


@lru_cache(maxsize=256)  # a game asks for the same all through a round
def _one_hot_fiefs(decks: tuple[bytes, ...], round_number: int) -> bytes:
    shown = [deck[round_number - 1 : round_number] for deck in decks]
    to_come = [deck[round_number:] for deck in decks]
    panel = bytearray(2 * len(decks) * NUM_FIEFS)
    for row, fiefs in enumerate(shown + to_come):
        for fief in fiefs:
            panel[row * NUM_FIEFS + fief] = 1
    return bytes(panel)


@cache
def _parts(num_players: int) -> dict[str, slice]:
    """Returns where each feature lies on the panel, by name."""
    parts, start = {}, len(_CONSTANTS)
    clock = {name: feature_table(1, num_players)[name] for name in _CLOCK}
    by_player = [f for f in _number_features(num_players) if f.name not in _CLOCK]
    for feature in (*clock.values(), *by_player):
        if feature.name not in _CONSTANT_FEATURES:
            stop = start + feature.slice.stop - feature.slice.start
            parts[feature.name] = slice(start, stop)
            start = stop
    assert start <= _PANEL_SIZE, "translate() looks bytes up, so a panel has 256 places"
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
        part = _parts(num_players)[feature.name]
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
