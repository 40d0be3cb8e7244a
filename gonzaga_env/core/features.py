"""The layout of observations: everything that a seat may know of the position, as flat uint8.

Players are listed from the observing seat on, clockwise. Hidden are the other seats' plans until
the reveal (R3.2), their objectives (R2.2), and the order of all decks, the seat's own included
(R2.2). An observation determines the position up to what is hidden, which
`states_from_observations` uses; of the past (earlier plans, the order of placements) it keeps only
what still matters.
"""

from __future__ import annotations

from functools import lru_cache

from gonzaga_env.core import constants as c
from gonzaga_env.core.board.actions import NUM_CARDS
from gonzaga_env.tabletop.features import FeatureRow, FeatureTable

#: Version of the layout; checkpoints of another version are refused.
OBSERVATIONS_VERSION = 2


@lru_cache(maxsize=64)
def feature_table(num_hexes: int, num_players: int) -> FeatureTable:
    """Returns the layout for a map of H hexes and P players, built once for each pair of sizes."""
    return FeatureTable(_layout(num_hexes, num_players))


def _layout(h: int, p: int) -> list[FeatureRow]:
    """Returns name, shape, scale and meaning of every feature.

    Planes come first, then numbers; those that change at every step stand together, so that the
    cache of all seats' observations touches few lines of memory.
    """
    return [
        ("fiefs", (p, h), 1, "hexes held by each player's fiefs"),
        ("rings", (p, h), 1, "hexes held by each player's rings"),
        ("fief_number", (h,), c.NUM_FIEFS, "number (1 to 12) of the fief on the hex; 0 for none"),
        (
            "value",
            (h,),
            c.FLOURISHING_POINTS,
            "points for covering the hex; 0 if the seat holds it",
        ),
        ("objective", (h,), 1, "cities of the observer's objective"),
        ("phase", (1,), 1, "0: plans are made, 1: fiefs are placed"),
        ("round", (1,), c.NUM_FIEFS, "round, from 1"),
        ("last_round", (1,), 1, "this round is the last"),
        ("finished", (1,), 1, "the game is over"),
        ("num_acted", (1,), p, "seats that have acted in this phase"),
        ("open_sites", (1,), 8 * c.NUM_REGIONS, "flourishing cities and harbors nobody covers"),
        ("ring_stock", (p,), c.NUM_RINGS, "rings unspent"),
        ("score", (p,), 100, "score so far, 255 at most"),
        ("largest_group", (p,), c.NUM_PIECES, "pieces in the largest connected group"),
        ("order", (p,), p, "place in the turn order, from 1; 0 while unknown"),
        ("sea_harbors", (p, c.NUM_SEAS), 4, "harbors held of each sea"),
        ("leagues", (p, c.NUM_SEAS), 1, "sea leagues founded"),
        ("plan", (p, NUM_CARDS), 1, "cards of this round's plan; zero while hidden"),
        (
            "previous_plan",
            (p, NUM_CARDS),
            1,
            "cards not available: seven regions, A, B, C, privilege",
        ),
        ("fief", (p, c.NUM_FIEFS), 1, "this round's fief"),
        ("deck", (p, c.NUM_FIEFS), 1, "fiefs still to come"),
        ("flourishing", (c.NUM_REGIONS,), 1, "flourishing regions"),
        ("seat", (p,), 1, "the observer's seat (the unit of the fief cards, which breaks ties)"),
        ("symbols", (c.NUM_SYMBOLS,), 1, "symbols of the observer's objective"),
    ]
