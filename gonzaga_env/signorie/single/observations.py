"""What a seat knows of one game (layout: `state.features`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from gonzaga_env.signorie.constants import (
    KINDS,
    MAX_PLAYERS,
    NUM_ASSIGNMENTS,
    NUM_BONUS_TILES,
    NUM_COLORS,
    NUM_HOUSES,
    NUM_VP_TILES,
    TILE_VALUES,
)
from gonzaga_env.signorie.single.position import Position
from gonzaga_env.signorie.state.state import NO_EFFECT


@cache
def _one_hot(size: int) -> tuple[bytes, ...]:
    """Returns a one at each place, and then no one."""
    return tuple(bytes(i == place for i in range(size)) for place in range(size + 1))


_KINDS, _COLORS, _BOARDS = map(_one_hot, (len(KINDS), NUM_COLORS, MAX_PLAYERS))
_ASSIGNMENTS, _BONUS, _VP = map(_one_hot, (NUM_ASSIGNMENTS, NUM_BONUS_TILES, NUM_VP_TILES))
_NO_HOUSE, _NO_VALUE = bytes(NUM_HOUSES), bytes(len(TILE_VALUES))
#: House and value of each kind of tile; the last stands for none.
_HOUSE = (*(h for h in _one_hot(NUM_HOUSES)[:-1] for _ in TILE_VALUES), _NO_HOUSE)
_VALUE = (*_one_hot(len(TILE_VALUES))[:-1] * NUM_HOUSES, _NO_VALUE)
_CLOSED = bytes(len(TILE_VALUES))


def observe(position: Position, seat: int) -> bytes:
    """Returns what a seat knows, [D], in the layout of `state.features`."""
    p = position.num_players
    order = [*range(seat, p), *range(seat)]
    return b"".join([*_players(position, order), *_common(position, order)])


def _players(position: Position, order: list[int]) -> Iterator[bytes]:
    scores = position.scores
    yield _clipped([sum(scores[seat]) for seat in order])
    yield from [_clipped(scores[seat]) for seat in order]
    yield _clipped([position.florins[seat] for seat in order])
    for rows in (
        *(position.supply, position.stock, position.threshold, position.careers),
        *(position.placed, position.helpers),
    ):
        yield from [bytes(rows[seat]) for seat in order]
    yield bytes([position.brides[seat] for seat in order])
    yield from [bytes(position.meeples[seat]) for seat in order]
    for numbers in (position.initiative, position.height):
        yield bytes([numbers[seat] for seat in order])
    yield bytes([position.order.index(seat) for seat in order])
    yield bytes([position.passed[seat] for seat in order])
    yield from [_BOARDS[position.boards[seat]] for seat in order]
    for rows in (position.missing, position.row_vp, position.face_down):
        yield from [bytes(rows[seat]) for seat in order]


def _common(position: Position, order: list[int]) -> Iterator[bytes]:
    over, edition, effect = position.finished, position.edition, position.effect
    yield bytes([seat == position.seat and not over for seat in order])
    yield _KINDS[position.kind]
    effects = _one_hot(len(edition.effects))
    yield effects[-1] if effect == NO_EFFECT else effects[effect]
    yield bytes((position.part, position.left, position.repeats))
    yield _COLORS[position.color]
    yield bytes((over, position.round))
    yield from map(bytes, position.pool)
    yield from [_ASSIGNMENTS[tile] for tile in position.assignments]
    yield from [_BONUS[tile] for tile in position.bonus_tiles]
    yield from [_VP[tile] for tile in position.vp_tiles]
    yield bytes(position.cities)
    for city, in_play in enumerate(position.cities):
        yield position.tables.empty[city][position.taken[city]] if in_play else _CLOSED
    yield from [_HOUSE[tile] for tiles in position.city_tiles for tile in tiles]
    yield from [_VALUE[tile] for tiles in position.city_tiles for tile in tiles]
    yield bytes([sum(position.deck)])
    yield bytes(position.unseen)


def _clipped(numbers: Iterable[int]) -> bytes:
    return bytes([number if number < 255 else 255 for number in numbers])
