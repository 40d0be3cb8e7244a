"""What a seat knows of one game (layout: `features`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from operator import sub

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.geometry import JOINTS, LAYOUTS
from gonzaga_env.tuscany.board.regions import Region
from gonzaga_env.tuscany.single.position import Position

_CHUNK = 10  # bits of a set of cells that are looked up together
_CHUNKS = tuple(bytes(i >> bit & 1 for bit in range(_CHUNK)) for i in range(1 << _CHUNK))
_REST = (1 << _CHUNK) - 1


def _one_hot(size: int) -> tuple[bytes, ...]:
    """Returns a one at each place, and then no one, for `NO_...` values."""
    return tuple(bytes(i == place for i in range(size)) for place in range(size + 1))


_KINDS, _CELLS, _PIECES = map(_one_hot, (len(c.KINDS), c.NUM_CELLS, c.NUM_PIECE_KINDS))
_NUMBERS = _one_hot(4)
_PLACES = [_one_hot(p) for p in range(c.MAX_PLAYERS + 1)]
_BONUS_COPIES = (c.BONUS_COPIES,) * len(c.BONUS_TYPES)
_LOWER = tuple(bytes(JOINTS[layout.joints]) for layout in LAYOUTS)


def observe(position: Position, seat: int) -> bytearray:
    """Returns what a seat knows, [D], in the layout of `features`."""
    p, known = position.num_players, position.known
    order = [(seat + i) % p for i in range(p)]
    if position.kind < c.STARTING_BONUS:  # not all have chosen, and it sees only its own (T2.4)
        players = [_player(position, other, other == seat) for other in order]
    else:
        for other in order:
            if not known[other]:
                known[other] = _player(position, other, shown=True)
        players = [known[other] for other in order]
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
