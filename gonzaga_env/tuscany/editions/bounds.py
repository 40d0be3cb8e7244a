"""How much a player can still win: what a byte must have room for, in editions and in states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c

#: The most marble, workers, and points of a source: a state and an observation hold them as bytes.
MOST = 255
#: Zones of three score most: two points a cell (T7.1).
MOST_ZONE_POINTS = c.ZONE_POINTS[3] * c.NUM_CELLS // 3

Counts = NDArray[np.int64]


class ToCome(NamedTuple):
    """What seats can win at most from now on, [...]; all but `colours` name what is bounded."""

    marble: Counts
    workers: Counts
    green: Counts  # points of all sources together
    yield_red: Counts
    full_storage: Counts
    colours: Counts  # the part of the green points that complete colours bring


def most_to_come(
    yield_cards: tuple[tuple[int, int, int], ...],
    colour_bonus: tuple[tuple[int, int], ...],
    empty: Counts,
    zones: Counts,
    bonus: Counts,
    choices: Counts,
) -> ToCome:
    """Returns bounds, whatever chance and the options; each falls by what is won at least.

    Args:
        yield_cards: of the edition, as is `colour_bonus`.
        colour_bonus: see there.
        empty: cells to cover, by colour, [..., 8].
        zones: points of zones to come, [...].
        bonus: bonus tiles by type, [..., 5].
        choices: bonus tiles to come, [...].
    """
    most_bonus = np.minimum(bonus + choices[..., None], c.BONUS_COPIES)
    cards = empty[..., c.WAGON] * (1 + most_bonus[..., c.BONUS_YIELD])  # revealed (T8.8)
    gains = dict.fromkeys(c.GAINS, 0)
    for gain, number, _ in yield_cards:
        gains[c.GAINS[gain]] = max(gains[c.GAINS[gain]], number)
    # Without such a card, bonus tiles add nothing to it (T8.6, B5).
    marble = cards * (gains["marble"] + (gains["marble"] > 0) * most_bonus[..., c.BONUS_MARBLE])
    workers = cards * (gains["worker"] + (gains["worker"] > 0) * most_bonus[..., c.BONUS_WORKER])
    literal = range(1, 3)  # B3
    each = np.array([max(*numbers, *literal) for numbers in colour_bonus])
    colours = (each * (empty > 0)).sum(axis=-1)
    crops = 2 * empty[..., c.AGRICULTURE]  # T8.4
    green = zones + colours + crops + c.STORAGE_POINTS * choices + cards * gains["green"]
    hexagons = empty[..., c.INN] + cards * gains["hexagon"]
    return ToCome(
        marble=marble + empty[..., c.QUARRY] * (1 + most_bonus[..., c.BONUS_MARBLE]),
        workers=workers + empty[..., c.VILLAGE] * (1 + most_bonus[..., c.BONUS_WORKER]),
        green=green,
        yield_red=cards * gains["red"],
        full_storage=c.REFUSED_HEXAGON_POINTS * hexagons,
        colours=colours,
    )
