"""What a seat knows of one game (layout: `state.features`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from gonzaga_env.tuscany.board.geometry import JOINTS, LAYOUTS
from gonzaga_env.tuscany.board.regions import Region
from gonzaga_env.tuscany.constants import (
    BONUS_COPIES,
    CROPS,
    KINDS,
    NUM_CELLS,
    NUM_COLOURS,
    NUM_PIECE_KINDS,
)
from gonzaga_env.tuscany.single.position import Position
from gonzaga_env.tuscany.state.state import GREEN, NO_LAYOUT, NOT_FINAL, RED, STARTING_BONUS

_CHUNK = 10  # bits of a set of cells that are looked up together
_CHUNKS = tuple(bytes(i >> bit & 1 for bit in range(_CHUNK)) for i in range(1 << _CHUNK))
_REST = (1 << _CHUNK) - 1
_NO_CELLS = bytes(NUM_CELLS)
_NO_COLOURS = bytes(NUM_COLOURS * NUM_CELLS)
_UNKNOWN = bytes(3 * 4)


def _one_hot(size: int) -> tuple[bytes, ...]:
    """Returns a one at each place, and then no one, for `NO_...` values."""
    return tuple(bytes(i == place for i in range(size)) for place in range(size + 1))


_KINDS, _CELLS, _PIECES = map(_one_hot, (len(KINDS), NUM_CELLS, NUM_PIECE_KINDS))
_NUMBERS = _one_hot(4)
_LOWER = tuple(bytes(JOINTS[layout.joints]) for layout in LAYOUTS)


def observe(position: Position, seat: int) -> bytearray:
    """Returns what a seat knows, [D], in the layout of `state.features`."""
    p = position.num_players
    order = [(seat + i) % p for i in range(p)]
    public = position.kind >= STARTING_BONUS  # all have chosen (T2.4)
    shown = [other for other in order if public or other == seat]
    regions = {
        other: position.region(other) for other in shown if position.layout[other] != NO_LAYOUT
    }
    observation = bytearray()
    for part in _regions(position, order, regions):
        observation += part
    for part in _players(position, order, shown, regions):
        observation += part
    for part in _common(position, seat):
        observation += part
    return observation


def _regions(position: Position, order: list[int], regions: dict[int, Region]) -> Iterable[bytes]:
    for seat in order:
        yield _colour_planes(regions[seat]) if seat in regions else _NO_COLOURS
    for seat in order:
        yield _cells(position.covered[seat]) if seat in regions else _NO_CELLS
    for seat in order:
        yield _cells(position.wooden[seat])
    for seat in order:
        for crop in range(len(CROPS)):
            yield _cells(position.crops[seat][crop])
    for seat in order:
        yield _LOWER[position.layout[seat]] if seat in regions else b"\0\0"


def _players(
    position: Position, order: list[int], shown: list[int], regions: dict[int, Region]
) -> Iterable[bytes]:
    for seat in order:
        boards = position.boards[seat]
        places = (boards // 16, boards // 4 % 4, boards % 4)
        yield b"".join([_NUMBERS[i] for i in places]) if seat in shown else _UNKNOWN
    yield bytes([position.layout[seat] + 1 if seat in regions else 0 for seat in order])
    yield from (bytes(position.storage[seat]) for seat in order)
    yield bytes([position.marble[seat] for seat in order])
    yield bytes([position.workers[seat] for seat in order])
    yield from (bytes(position.bonus[seat]) for seat in order)
    yield bytes([position.turned(seat) for seat in order])
    yield from (bytes(position.stacks[seat]) for seat in order)
    yield bytes([sum(position.hand[seat]) for seat in order])
    for seat in order:
        yield _complete(regions[seat], position.covered[seat]) if seat in regions else bytes(8)
    yield _clipped(sum(position.scores[seat][GREEN]) for seat in order)
    yield _clipped(sum(position.scores[seat][RED]) for seat in order)
    yield from (_clipped(position.scores[seat]) for seat in order)
    yield bytes([seat == position.start for seat in order])
    yield bytes([seat == position.seat and not position.finished for seat in order])


def _common(position: Position, seat: int) -> Iterable[bytes]:
    final = position.turns_left != NOT_FINAL
    yield _KINDS[position.kind]
    yield _CELLS[position.cell]
    yield _PIECES[position.piece]
    yield bytes(
        (
            *(position.marble_used, position.new_hexagons, position.round, position.lap),
            *(final, position.turns_left if final else 0, position.finished, position.truncated),
        )
    )
    for counts in (position.hand[seat], position.display, position.neutral, position.aside):
        yield bytes(counts)
    yield bytes([sum(position.deck)])
    yield bytes(position.discards)
    yield bytes(position.yield_deck)
    yield bytes([BONUS_COPIES - sum(held) for held in zip(*position.bonus, strict=True)])


def _cells(cells: int) -> bytes:
    """Returns a set of cells as a plane, [30]."""
    return _CHUNKS[cells & _REST] + _CHUNKS[cells >> _CHUNK & _REST] + _CHUNKS[cells >> 2 * _CHUNK]


@cache
def _colour_planes(region: Region) -> bytes:
    """Returns a plane for each colour of a region, [8 * 30]."""
    return b"".join(map(_cells, region.colour_cells))


def _complete(region: Region, covered: int) -> bytes:
    return bytes([not cells & ~covered for cells in region.colour_cells])


def _clipped(numbers: Iterable[int]) -> bytes:
    return bytes([min(number, 255) for number in numbers])
