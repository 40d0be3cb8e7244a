"""One position, its legal actions, and the observations of its seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import sub

from gonzaga_env.kernel.chance import event_word, stream_starts
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.single import BasePosition, one_hot_bytes
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import (
    ACTIONS,
    FIRST_PAIR,
    JOINTS,
    LAYOUTS,
    OWN,
    PAYMENTS,
    UNITS,
    WORKER,
    Region,
    region,
)
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state import State

_CARDS = tuple(f"card {colour}" for colour in c.COLOURS)
_OWN = tuple(f"stack {kind}" for kind in c.TILE_KINDS)
_NEUTRAL = tuple(f"neutral {kind}" for kind in c.TILE_KINDS)
_SWEEPS = tuple(f"sweep {colour}" for colour in c.COLOURS)


class Position(BasePosition):
    """One game of P players; sets of cells are integers."""

    config: GameConfig

    def __init__(self, config: GameConfig, state: State) -> None:
        super().__init__(config, state)
        self.stream = int(stream_starts(state.seed, state.episode)[0])
        self.yield_texts = tuple(f"yield {name}" for name in config.edition.yield_names)
        self.regions: list[Region | None] = [None] * self.num_players
        self.near = [0] * self.num_players  # sets of cells that touch a covered one
        for seat, layout in enumerate(self.layout):
            if layout != c.NO_LAYOUT:
                self.choose_layout(seat, layout)
                self.near[seat] = self.region(seat).near(self.covered[seat])
        #: What is drawn in place of chance, as records hold it; None for chance.
        self.outcomes: list[str] | None = None
        #: What all know of each player, as observations hold it; empty where it has changed.
        self.player_bytes: list[tuple[bytes, ...]] = [()] * self.num_players
        self.begin_decision()

    def begin_decision(self) -> None:
        """Starts a new answer: nothing drawn, no points, and the seat to act may change."""
        self.player_bytes[self.seat] = ()
        self.drawn: list[str] = []  # what the answer drew, as records hold it
        self.points = [0, 0]  # green and red ones of the seat that acted, without T11
        self.red = [0] * self.num_players  # red points of every player, T11 included

    def region(self, seat: int) -> Region:
        """Returns a player's region, once its layout is chosen."""
        found = self.regions[seat]
        assert found is not None
        return found

    def choose_layout(self, seat: int, layout: int) -> None:
        """Joins a player's boards (T2.4)."""
        self.layout[seat] = layout
        self.regions[seat] = region(self.config.edition.boards, self.boards[seat], layout)

    def cover(self, seat: int, cell: int) -> None:
        self.covered[seat] |= 1 << cell
        self.near[seat] |= self.region(seat).neighbours[cell]

    def turned(self, seat: int) -> int:
        """Returns the number of own tiles that a player has turned (T10.1)."""
        return c.NUM_OWN_TILES - sum(self.stacks[seat])

    def has_space(self, seat: int) -> bool:
        """Returns whether a player's storage has a free space (T9.1)."""
        return sum(self.storage[seat]) <= self.bonus[seat][c.BONUS_STORAGE]

    def draw_card(self, seat: int) -> None:
        """Draws a region card, if there is one (T4.2)."""
        colour = self._draw(self.deck, self.discards, _CARDS, "region")
        if colour >= 0:
            self.hand[seat][colour] += 1

    def draw_yield(self) -> int:
        """Returns the kind of the yield card that is revealed (T8.8); -1 if there is none."""
        return self._draw(self.yield_deck, self.yield_discards, self.yield_texts, "yield")

    def refill(self, seat: int) -> None:
        """Fills the display up after a seat took a tile, and sweeps it (T5.3 to T5.5)."""
        own = self.stacks[seat]
        if any(own):
            self.display[self._pick(own, sum(own), _OWN)] += 1
        else:
            self._turn_neutral()
        for _ in range(c.MOST_SWEEPS):
            if (colour := self._crowded()) is None:
                return
            self._sweep(colour)

    def fill_display(self) -> None:
        """Reveals the opening display (T2.4)."""
        for _ in range(c.DISPLAY_SIZE):
            self._turn_neutral()

    def _turn_neutral(self) -> None:
        kind = self._draw(self.neutral, self.aside, _NEUTRAL, "neutral")
        if kind >= 0:
            self.display[kind] += 1

    def _crowded(self) -> int | None:
        """Returns the colour to sweep; None while no other colour could follow (T5.5)."""
        counts = [0] * len(c.COLOURS)
        for kind, number in enumerate(self.display):
            counts[c.TILE_COLOURS[kind]] += number
        most = max(counts)
        if most < c.SWEEP_SIZE:
            return None
        colour = counts.index(most)
        piles = zip(c.TILE_COLOURS, self.neutral, self.aside, strict=True)
        return colour if any(x != colour and (n or a) for x, n, a in piles) else None

    def _sweep(self, colour: int) -> None:
        self.drawn.append(_SWEEPS[colour])
        swept = 0
        for kind, number in enumerate(self.display):
            if number and c.TILE_COLOURS[kind] == colour:
                self.display[kind] = 0
                self.aside[kind] += number
                swept += number
        for _ in range(swept):
            self._turn_neutral()

    def _draw(self, pile: list[int], discards: list[int], texts: tuple[str, ...], name: str) -> int:
        """Draws from a pile, which is renewed if empty; -1 if there is nothing left."""
        number = sum(pile)
        if not number:
            number = sum(discards)
            if not number:
                return -1
            pile[:], discards[:] = discards, [0] * len(discards)
            self.drawn.append(f"shuffle {name}")
        return self._pick(pile, number, texts)

    def _pick(self, pile: list[int], number: int, texts: tuple[str, ...]) -> int:
        """Takes one of a pile's pieces (see `tuscany.state`)."""
        if self.outcomes is None:
            place = event_word(self.stream, self.event) % number
            kind = 0
            while place >= pile[kind]:
                place -= pile[kind]
                kind += 1
        else:
            kind = self._next_outcome(pile, texts)
        self.event += 1
        pile[kind] -= 1
        self.drawn.append(texts[kind])
        return kind

    def _next_outcome(self, pile: Sequence[int], texts: tuple[str, ...]) -> int:
        """Returns the next of the given outcomes."""
        outcomes = self.outcomes or []
        while outcomes and outcomes[0].startswith(("shuffle", "sweep")):
            outcomes.pop(0)  # they follow from the rules
        if not outcomes or outcomes[0] not in texts or not pile[texts.index(outcomes[0])]:
            found = short_repr(outcomes[0]) if outcomes else "nothing"
            left = [text for text, count in zip(texts, pile, strict=True) if count]
            raise RecordError(f"drawn: {found}; it could be {', '.join(left)}")
        return texts.index(outcomes.pop(0))


_LAYOUTS = (1 << ACTIONS.layout.stop) - 1
_DRAW, _END = 1 << ACTIONS.draw, 1 << ACTIONS.end
_MARBLE_OR_END = 1 << ACTIONS.marble | _END
_PAY = tuple(
    (1 << ACTIONS.pay.start + i, first, second) for i, (first, second) in enumerate(PAYMENTS)
)


def legal_actions(position: Position) -> int:
    """Returns the legal actions of the seat to act; none where the game is over."""
    return _RULES[position.kind](position)


def _starting_castle(position: Position) -> int:
    """The region's castle hexes (T2.4)."""
    return position.region(position.seat).colour_cells[c.CASTLE] << ACTIONS.tile.start


def _bonus(position: Position) -> int:
    """Types of bonus tiles in stock (T8.2)."""
    bonus = position.bonus
    return sum(
        1 << ACTIONS.bonus.start + i
        for i in range(len(c.BONUS_TYPES))
        if sum([own[i] for own in bonus]) < c.BONUS_COPIES
    )


def _main(position: Position) -> int:
    """Draw (T4), take (T5) or place (T6)."""
    seat = position.seat
    storage = position.storage[seat]
    open_cells = position.near[seat] & ~position.covered[seat]
    legal = _DRAW | _present(position.display) << ACTIONS.take.start
    new = 0 if position.config.rules.hexagon_same_turn else position.new_hexagons
    hexagon = storage[c.HEXAGON] > new  # B8
    if not hexagon and not any(storage[: c.HEXAGON]):
        return legal
    hand = position.hand[seat]
    pairs = sum([count >> 1 for count in hand])
    units = position.workers[seat] + pairs
    for colour, cells in enumerate(position.region(seat).colour_cells):
        cells &= open_cells
        # Of the hex's own colour, each card is a unit; of the others, each pair (T6.2).
        if not cells or units + hand[colour] - (hand[colour] >> 1) < 2:
            continue
        if hexagon:
            legal |= cells << ACTIONS.hexagon.start  # T6.3
        if has_colour(storage, colour):
            legal |= cells << ACTIONS.tile.start  # T6.1
    return legal


def has_colour(counts: Sequence[int], colour: int) -> bool:
    if colour != c.AGRICULTURE:
        return counts[c.FIRST_KINDS[colour]] > 0
    return any(counts[c.FIRST_CROP_KIND : c.HEXAGON])


def _remove(position: Position) -> int:
    """What is stored (T5.2)."""
    return _present(position.storage[position.seat]) << ACTIONS.remove.start


def _crop(position: Position) -> int:
    """The stored kinds of agriculture."""
    storage = position.storage[position.seat]
    return _present(storage[c.FIRST_CROP_KIND : c.HEXAGON]) << ACTIONS.crop.start


def _castle_crop(position: Position) -> int:
    """The kinds of agriculture on display."""
    return _present(position.display[c.FIRST_CROP_KIND :]) << ACTIONS.crop.start


def _payment(position: Position) -> int:
    """Two units (T6.2); pairs of the hex's own colour are not offered (B6)."""
    seat = position.seat
    hand = position.hand[seat]
    colour = position.region(seat).colours[position.cell]
    units = [0] * len(UNITS)
    units[OWN], units[WORKER] = hand[colour], position.workers[seat]
    units[FIRST_PAIR:] = [count >> 1 for count in hand]
    units[FIRST_PAIR + colour] = 0
    return sum(
        bit for bit, first, second in _PAY if units[first] and units[second] > (first == second)
    )


def _castle(position: Position) -> int:
    """A display tile on a legal hex, or nothing (T8.1, B10)."""
    seat, legal = position.seat, 0
    open_cells = position.near[seat] & ~position.covered[seat]
    colour_cells = position.region(seat).colour_cells
    for colour in range(c.NUM_COLOURS):
        cells = colour_cells[colour] & open_cells
        if cells and has_colour(position.display, colour):
            legal |= cells
    return legal << ACTIONS.tile.start | _END


def _present(counts: Sequence[int]) -> int:
    """Returns the set of kinds of which there is at least one."""
    present = 0
    for kind, count in enumerate(counts):
        if count:
            present |= 1 << kind
    return present


#: By kind of decision, in the order of `KINDS`; none where the game is over.
_RULES: tuple[Callable[[Position], int], ...] = (
    *(lambda _: _LAYOUTS, _starting_castle, _bonus),
    *(_main, _remove, _crop, _payment),
    *(_bonus, _castle, _castle_crop),
    *(lambda _: _MARBLE_OR_END, lambda _: 0),
)


_CHUNK = 10  # bits of a set of cells that are looked up together
_CHUNKS = tuple(bytes(i >> bit & 1 for bit in range(_CHUNK)) for i in range(1 << _CHUNK))
_REST = (1 << _CHUNK) - 1


_KINDS, _CELLS, _PIECES = map(one_hot_bytes, (len(c.KINDS), c.NUM_CELLS, c.NUM_PIECE_KINDS))
_NUMBERS = one_hot_bytes(4)
_PLACES = [one_hot_bytes(p) for p in range(c.MAX_PLAYERS + 1)]
_BONUS_COPIES = (c.BONUS_COPIES,) * len(c.BONUS_TYPES)
_LOWER = tuple(bytes(JOINTS[layout.joints]) for layout in LAYOUTS)


def observe(position: Position, seat: int) -> bytearray:
    """Returns what a seat knows, [D], in the layout of `features`."""
    p, player_bytes = position.num_players, position.player_bytes
    order = [(seat + i) % p for i in range(p)]
    if position.kind < c.STARTING_BONUS:  # not all have chosen, and it sees only its own (T2.4)
        players = [_player(position, other, other == seat) for other in order]
    else:
        for other in order:
            if not player_bytes[other]:
                player_bytes[other] = _player(position, other, shown=True)
        players = [player_bytes[other] for other in order]
    observation = bytearray().join(chain.from_iterable(zip(*players, strict=True)))
    places = _PLACES[p]
    observation += places[(position.start - seat) % p]
    observation += places[p if position.finished else (position.seat - seat) % p]
    observation += b"".join(_common(position, seat))
    return observation


def _player(position: Position, seat: int, shown: bool) -> tuple[bytes, ...]:
    """Returns what is known of a player, by feature; what depends on the region if it is shown."""
    region = position.regions[seat] if shown else None
    boards, covered, scores = position.boards[seat], position.covered[seat], position.scores[seat]
    places = boards // 16, boards // 4 % 4, boards % 4
    return (
        _colour_planes(region) if region else bytes(c.NUM_COLOURS * c.NUM_CELLS),
        _cells(covered if region else 0),
        _cells(position.wooden[seat]),
        b"".join(map(_cells, position.crops[seat])),
        _LOWER[position.layout[seat]] if region else b"\0\0",
        b"".join([_NUMBERS[i] for i in places]) if shown else bytes(12),
        bytes((position.layout[seat] + 1 if region else 0,)),
        bytes(position.storage[seat]),
        bytes((position.marble[seat],)),
        bytes((position.workers[seat],)),
        bytes(position.bonus[seat]),
        bytes((position.turned(seat),)),
        bytes(position.stacks[seat]),
        bytes((sum(position.hand[seat]),)),
        bytes([not cells & ~covered for cells in region.colour_cells])
        if region
        else bytes(c.NUM_COLOURS),
        bytes((min(sum(scores[c.GREEN]), 255),)),
        bytes((min(sum(scores[c.RED]), 255),)),
        bytes(scores) if max(scores) < 256 else bytes([min(points, 255) for points in scores]),
    )


def _common(position: Position, seat: int) -> Iterable[bytes]:
    """Returns what is known of the table, and the seat's own hand."""
    left = 0 if position.turns_left == c.NOT_FINAL else position.turns_left
    return (
        _KINDS[position.kind],
        _CELLS[position.cell],
        _PIECES[position.piece],
        bytes(
            (
                *(position.marble_used, position.new_hexagons, position.round, position.lap),
                *(position.turns_left != c.NOT_FINAL, left),
                *(position.finished, position.truncated),
                *position.hand[seat],
                *(*position.display, *position.neutral, *position.aside),
                *(sum(position.deck), *position.discards, *position.yield_deck),
                *map(sub, _BONUS_COPIES, map(sum, zip(*position.bonus, strict=True))),
            )
        ),
    )


@lru_cache(4096)  # most stay as they are for many decisions
def _cells(cells: int) -> bytes:
    """Returns a set of cells as a plane, [30]."""
    return _CHUNKS[cells & _REST] + _CHUNKS[cells >> _CHUNK & _REST] + _CHUNKS[cells >> 2 * _CHUNK]


@lru_cache(maxsize=1 << 14)
def _colour_planes(region: Region) -> bytes:
    """Returns a plane for each colour of a region, [8 * 30]."""
    return b"".join(map(_cells, region.colour_cells))
