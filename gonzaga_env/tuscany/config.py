"""The configuration (players, edition, options) and the layout of observations.

Observations hold all that a seat may know of a game, as flat uint8. Players are listed from the
observing seat on, clockwise. Hidden are the other seats' hands, and until all have chosen, their
boards, layouts and starting castles (T2.4, T12.2). Piles have no order (see `tuscany.state`), so
nothing else is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from gonzaga_env.kernel.config import BaseConfig, RuleOptions
from gonzaga_env.kernel.editions import RECONSTRUCTION
from gonzaga_env.kernel.spaces import FeatureTable
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import ACTIONS, ActionCodec
from gonzaga_env.tuscany.edition import Edition, load_edition

MOST_LAPS = 200  # a game keeps the number of its lap in a byte


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the rules; records hold them under the same names.

    By default they are what the rulebook's sentences say: the preset "rulebook". The preset
    "online" is what reviews and the help page of an online edition say: "lap", "lap_then_one",
    "ranked", "tiles".

    Attributes:
        draw_base: region cards that the action draws, 2 or 3 (T4.1, M7).
        round_end: rounds 1 and 2 end with the "turn" in which a stack was emptied, or with the
            "lap", so that all have had equally many turns (T10.2, B2).
        final_turns: after a third stack is empty, "one_each" plays one turn each; "lap_then_one"
            plays the lap out and then one turn each (T10.3, B2).
        colour_bonus: "literal" gives 1 to the first and 2 to the second; "ranked" gives what the
            edition says (T7.2, B3).
        bonus_gains: +1 marble and +1 worker tiles count for "every" gain, those of a yield card
            too, or for gains by "tiles", quarry and village, only (T8.5, T8.6, B5).
        storage_points: whether +1 storage tiles give 2 green "always", or at the "setup" only
            (T9.3, B4).
        hexagon_same_turn: whether a wooden hexagon may be placed in the turn it was won (B8).
        max_laps: laps after which a game is cut off, 1 to 200; games need not end by themselves
            (T10.4).

    Raises:
        OptionError: an option has an invalid value.
    """

    EXAMPLE = '{"draw_base": 3}'
    PRESETS: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "rulebook": {
            "round_end": "turn",
            "final_turns": "one_each",
            "colour_bonus": "literal",
            "bonus_gains": "every",
        },
        "online": {
            "round_end": "lap",
            "final_turns": "lap_then_one",
            "colour_bonus": "ranked",
            "bonus_gains": "tiles",
        },
    }
    RANGES: ClassVar[Mapping[str, range]] = {"max_laps": range(1, MOST_LAPS + 1)}

    draw_base: Literal[2, 3] = 2
    round_end: Literal["turn", "lap"] = "turn"
    final_turns: Literal["one_each", "lap_then_one"] = "one_each"
    colour_bonus: Literal["literal", "ranked"] = "literal"
    bonus_gains: Literal["every", "tiles"] = "every"
    storage_points: Literal["always", "setup"] = "always"
    hexagon_same_turn: Literal[False, True] = False
    max_laps: int = 100


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


@dataclass(frozen=True, init=False)
class GameConfig(BaseConfig):
    """Everything that decides which game is played, apart from chance (see `BaseConfig`)."""

    game = "tuscany"
    PLAYERS = range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1), "T1.1"
    OPTIONS, EDITION = Options, RECONSTRUCTION
    load_edition = staticmethod(load_edition)

    edition: Edition
    rules: Options

    @property
    def colour_points(self) -> tuple[tuple[int, int], ...]:
        """Points for the first and the second to complete each colour, [8] (T7.2, B3)."""
        if self.rules.colour_bonus == "literal":
            return ((1, 2),) * c.NUM_COLOURS
        return self.edition.colour_bonus

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions, with sizes, blocks and texts."""
        return ACTIONS

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return feature_table(self.num_players, len(self.edition.yield_cards))
