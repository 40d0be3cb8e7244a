"""How much a player can win: what a byte must have room for."""

from __future__ import annotations

from typing import NamedTuple

from gonzaga_env.tuscany import constants as c

#: The most marble, workers, and points of a source: a state and an observation hold them as bytes.
MOST = 255
#: Zones of three score most: two points a cell (T7.1).
_MOST_ZONE_POINTS = c.ZONE_POINTS[3] * c.NUM_CELLS // 3


class MostWon(NamedTuple):
    """What a player can win at most; all but `colours` name what is bounded."""

    marble: int
    workers: int
    green: int  # points of all sources together
    yield_red: int
    full_storage: int
    colours: int  # the part of the green points that complete colours bring


def most_won(
    yield_cards: tuple[tuple[int, int, int], ...],
    colour_bonus: tuple[tuple[int, int], ...],
    cells: tuple[int, ...],
) -> MostWon:
    """Returns bounds for an edition's values, whatever chance and the options (see `Edition`)."""
    tiles = 1 + cells[c.CITY]  # bonus tiles (T2.4, T8.2)
    bonus = min(tiles, c.BONUS_COPIES)  # of one type
    cards = cells[c.WAGON] * (1 + bonus)  # revealed (T8.8)
    gains = dict.fromkeys(c.GAINS, 0)
    for gain, number, _ in yield_cards:
        gains[c.GAINS[gain]] = max(gains[c.GAINS[gain]], number)
    # Without such a card, bonus tiles add nothing to it (T8.6, B5).
    marble = cards * (gains["marble"] + (gains["marble"] > 0) * bonus)
    workers = cards * (gains["worker"] + (gains["worker"] > 0) * bonus)
    literal = range(1, 3)  # B3
    each = [max(*numbers, *literal) for numbers in colour_bonus]
    colours = sum(most for most, number in zip(each, cells, strict=True) if number)
    crops = 2 * cells[c.AGRICULTURE]  # T8.4
    others = _MOST_ZONE_POINTS + crops + c.STORAGE_POINTS * tiles + cards * gains["green"]
    return MostWon(
        marble=marble + cells[c.QUARRY] * (1 + bonus),
        workers=workers + cells[c.VILLAGE] * (1 + bonus),
        green=others + colours,
        yield_red=cards * gains["red"],
        full_storage=c.REFUSED_HEXAGON_POINTS * (cells[c.INN] + cards * gains["hexagon"]),
        colours=colours,
    )
