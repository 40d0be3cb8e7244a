"""What a seat knows of one game (layout: `features`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.single.position import Position
from gonzaga_env.signorie.state.state import NO_EFFECT


@cache
def _one_hot(size: int) -> tuple[bytes, ...]:
    """Returns a one at each place, and then no one."""
    return tuple(bytes(i == place for i in range(size)) for place in range(size + 1))


_KINDS, _COLORS, _BOARDS = map(_one_hot, (len(c.KINDS), c.NUM_COLORS, c.MAX_PLAYERS))
_ASSIGNMENTS, _BONUS, _VP = map(_one_hot, (c.NUM_ASSIGNMENTS, c.NUM_BONUS_TILES, c.NUM_VP_TILES))
_NO_HOUSE, _NO_VALUE = bytes(c.NUM_HOUSES), bytes(len(c.TILE_VALUES))
#: House and value of each kind of tile; the last stands for none.
_HOUSE = (*(h for h in _one_hot(c.NUM_HOUSES)[:-1] for _ in c.TILE_VALUES), _NO_HOUSE)
_VALUE = (*_one_hot(len(c.TILE_VALUES))[:-1] * c.NUM_HOUSES, _NO_VALUE)
_CLOSED = bytes(len(c.TILE_VALUES))


def observe(position: Position, seat: int) -> bytes:
    """Returns what a seat knows, [D], in the layout of `features`."""
    p, over, effect = position.num_players, position.finished, position.effect
    order = (*range(seat, p), *range(seat))
    players = [position.seen[other] or _player(position, other) for other in order]
    effects = _one_hot(len(position.edition.effects))
    return b"".join(
        [
            *chain.from_iterable(zip(*players, strict=True)),
            _one_hot(p)[p if over else (position.seat - seat) % p],
            _KINDS[position.kind],
            effects[-1] if effect == NO_EFFECT else effects[effect],
            bytes((position.part, position.left, position.repeats)),
            _COLORS[position.color],
            bytes((over, position.round)),
            *map(bytes, position.pool),
            position.seen_table or _table(position),
        ]
    )


def _player(position: Position, seat: int) -> tuple[bytes, ...]:
    """Returns what is seen of a player, feature by feature, and keeps it until it changes."""
    scores = position.scores[seat]
    position.seen[seat] = seen = (
        _clipped((sum(scores),)),
        _clipped(scores),
        _clipped((position.florins[seat],)),
        bytes(position.supply[seat]),
        bytes(position.stock[seat]),
        bytes(position.threshold[seat]),
        bytes(position.careers[seat]),
        bytes(position.placed[seat]),
        bytes(position.helpers[seat]),
        bytes((position.brides[seat],)),
        bytes(position.meeples[seat]),
        bytes((position.initiative[seat],)),
        bytes((position.height[seat],)),
        bytes((position.order.index(seat),)),
        bytes((position.passed[seat],)),
        _BOARDS[position.boards[seat]],
        bytes(position.missing[seat]),
        bytes(position.row_vp[seat]),
        bytes(position.face_down[seat]),
    )
    return seen


def _table(position: Position) -> bytes:
    """Returns what lies on the board but dice, and keeps it until it changes."""
    empty, cities = position.tables.empty, enumerate(position.cities)
    tiles = [tile for tiles in position.city_tiles for tile in tiles]
    position.seen_table = b"".join(
        [
            *[_ASSIGNMENTS[tile] for tile in position.assignments],
            *[_BONUS[tile] for tile in position.bonus_tiles],
            *[_VP[tile] for tile in position.vp_tiles],
            bytes(position.cities),
            *[empty[i][position.taken[i]] if in_play else _CLOSED for i, in_play in cities],
            *[_HOUSE[tile] for tile in tiles],
            *[_VALUE[tile] for tile in tiles],
            bytes((sum(position.deck), *position.unseen)),
        ]
    )
    return position.seen_table


def _clipped(numbers: Iterable[int]) -> bytes:
    return bytes([number if number < 255 else 255 for number in numbers])
