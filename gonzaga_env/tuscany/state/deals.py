"""Setup (T2.2 to T2.4): starting player, boards and hands, which depend on a game's seed only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.chance import random_keys
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.state import DealArrays
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.regions import NUM_TRIPLES
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.edition import BOARDS_PER_LETTER, NUM_REGION_CARDS

#: Events of a deal: one for the start, one for each board, one for each region card.
DEAL_EVENTS = 1 + 3 * BOARDS_PER_LETTER + NUM_REGION_CARDS


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    """The random part of the setup of M games; the display is drawn when it is turned up."""

    start: Integers  # the starting player's seat, [M]
    boards: Integers  # each player's boards, 16 * A + 4 * B + C counted from 0, [M, P]
    hands: Integers  # region cards of each colour, five in all, [M, P, 8]


def draw_deals(config: GameConfig, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
    """Returns the deals of M games (T2.2, T2.4, T12.3); the starting seat stays (T2.5).

    Event 0 modulo P is the start. Events 1 to 12 order the boards of each letter, and the other
    122 the region cards, sorted by colour: the first P boards and the first 5 * P cards are dealt,
    seat by seat.
    """
    num_players = config.num_players
    keys = random_keys(seeds, episodes, DEAL_EVENTS)
    starts, boards, cards = np.split(keys, [1, 1 + 3 * BOARDS_PER_LETTER], axis=1)
    order = boards.reshape(-1, 3, BOARDS_PER_LETTER).argsort(axis=2)[:, :, :num_players]
    colours = np.repeat(np.arange(c.NUM_COLOURS), config.edition.region_cards)
    dealt = colours[cards.argsort(axis=1)[:, : c.HAND_SIZE * num_players]]
    dealt = dealt.reshape(-1, num_players, c.HAND_SIZE, 1)
    return Deal(
        start=(starts[:, 0] % np.uint64(num_players)).astype(np.uint8),
        boards=(order.transpose(0, 2, 1) @ np.array([16, 4, 1])).astype(np.uint8),
        hands=(dealt == np.arange(c.NUM_COLOURS)).sum(axis=2).astype(np.uint8),
    )


def check_deal(config: GameConfig, deal: Any, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (T2.4)."""
    by_seat = num_games, config.num_players
    shapes = {"start": (num_games,), "boards": by_seat, "hands": (*by_seat, c.NUM_COLOURS)}
    Deal.check_arrays(deal, shapes)
    if any((array < 0).any() for array in vars(deal).values()):
        raise OptionError("deal: the arrays hold no negative number")
    if (deal.start >= config.num_players).any() or (deal.boards >= NUM_TRIPLES).any():
        raise OptionError("deal: there is no such seat or board (T2.4)")
    numbers = np.stack([deal.boards // 16, deal.boards // 4 % 4, deal.boards % 4], axis=1)
    numbers = np.sort(numbers, axis=2)
    if (numbers[..., 1:] == numbers[..., :-1]).any():
        raise OptionError("deal: two players have the same board (T1.5)")
    if (deal.hands.sum(axis=2) != c.HAND_SIZE).any():
        raise OptionError(f"deal: each player has {c.HAND_SIZE} cards (T2.4)")
    if (deal.hands.sum(axis=1) > np.array(config.edition.region_cards)).any():
        raise OptionError("deal: more cards of a colour than there are (T1.4)")
