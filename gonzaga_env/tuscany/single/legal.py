"""The legal actions of one game, as the bits of an integer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.actions import ACTIONS, FIRST_PAIR, OWN, PAYMENTS, UNITS, WORKER
from gonzaga_env.tuscany.single.position import Position

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
    """Returns whether tiles, counted by kind, include one of a colour."""
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
