"""The layout of observations: everything that a seat may know of a game, as flat uint8.

Players are listed from the observing seat on, clockwise. Hidden are the other seats' hands, and
until all have chosen, their boards, layouts and starting castles (T2.4, T12.2). Piles have no order
(see `tuscany.state`), so nothing else is.
"""

from __future__ import annotations

from functools import lru_cache

from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tuscany import constants as c

#: Version of the layout; checkpoints of another version are refused.
OBSERVATIONS_VERSION = 1


@lru_cache(maxsize=64)
def feature_table(num_players: int, num_yields: int) -> FeatureTable:
    """Returns the layout for P players and Y kinds of yield cards, built once for each pair.

    It holds what is public and a seat's own secrets, and nothing else (T12.1, T12.2): name, shape,
    scale and meaning of every feature.
    """
    p = num_players
    rows = [
        ("colours", (p, c.NUM_COLOURS, c.NUM_CELLS), 1, "cells of each colour; zero while unknown"),
        ("covered", (p, c.NUM_CELLS), 1, "covered cells"),
        ("wooden", (p, c.NUM_CELLS), 1, "cells covered by a wooden hexagon"),
        ("crops", (p, len(c.CROPS), c.NUM_CELLS), 1, "cells whose tile shows each crop"),
        ("joints", (p, 2), 1, "the next board lies lower; zero while unknown"),
        ("boards", (p, 3, 4), 1, "boards A, B, C by number; zero while unknown"),
        ("layout", (p,), c.NUM_LAYOUTS, "number of the layout, from 1; 0 while unknown"),
        ("storage", (p, c.NUM_PIECE_KINDS), 2, "pieces in storage, wooden hexagons last"),
        ("marble", (p,), 4, "marble"),
        ("workers", (p,), 4, "workers"),
        ("bonus", (p, len(c.BONUS_TYPES)), 2, "bonus tiles"),
        ("turned", (p,), c.NUM_OWN_TILES, "own tiles turned"),
        ("stacks", (p, c.NUM_TILE_KINDS), 4, "own tiles still face down"),
        ("hand_size", (p,), 10, "region cards in hand"),
        ("complete", (p, c.NUM_COLOURS), 1, "colours completely covered"),
        ("green", (p,), 50, "green points"),
        ("red", (p,), 100, "red points, 255 at most"),
        ("scores", (p, len(c.SOURCES)), 50, "points by source"),
        ("start", (p,), 1, "the starting player"),
        ("to_act", (p,), 1, "the seat to act; zero where the game is over"),
        ("kind", (len(c.KINDS),), 1, "what it decides; zero where the game is over"),
        ("cell", (c.NUM_CELLS,), 1, "the cell that is being covered"),
        ("piece", (c.NUM_PIECE_KINDS,), 1, "the piece that is being taken or placed"),
        ("marble_used", (1,), 1, "this is the second action of the turn"),
        ("new_hexagons", (1,), 2, "wooden hexagons won in this turn"),
        ("round", (1,), 3, "the running round"),
        ("lap", (1,), 100, "the running lap"),
        ("final", (1,), 1, "a third stack is empty"),
        ("turns_left", (1,), 8, "turns until the end, once a third stack is empty"),
        ("finished", (1,), 1, "the game is over"),
        ("truncated", (1,), 1, "the game was cut off"),
        ("hand", (c.NUM_COLOURS,), 4, "own region cards"),
        ("display", (c.NUM_TILE_KINDS,), 2, "tiles on display"),
        ("neutral", (c.NUM_TILE_KINDS,), 4, "neutral tiles face down"),
        ("aside", (c.NUM_TILE_KINDS,), 4, "tiles set aside by sweeps"),
        ("deck_size", (1,), 122, "region cards in the deck"),
        ("discards", (c.NUM_COLOURS,), 10, "region cards discarded"),
        ("yield_deck", (num_yields,), 3, "yield cards in the deck"),
        ("bonus_stock", (len(c.BONUS_TYPES),), c.BONUS_COPIES, "bonus tiles in stock"),
    ]
    return FeatureTable(rows)
