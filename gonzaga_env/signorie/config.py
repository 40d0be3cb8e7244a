"""The configuration (players, edition) and the layout of observations.

Observations hold all that a seat may know of a game, as flat uint8. Players are listed from the
observing seat on, clockwise. Hidden from all are only the deck's order, the faces of face-down
tiles and the removed tiles (S13.1): all three are drawn from `unseen`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gonzaga_env.kernel.config import BaseConfig, RuleOptions
from gonzaga_env.kernel.editions import RECONSTRUCTION
from gonzaga_env.kernel.spaces import FeatureRow, FeatureTable
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.board import ActionCodec, action_codec
from gonzaga_env.signorie.edition import Edition, load_edition


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the rules; records hold them under the same names."""

    EXAMPLE = "{}"


#: Version of the layout; checkpoints of another version are refused.
OBSERVATIONS_VERSION = 1


@lru_cache(maxsize=64)
def feature_table(num_players: int, edition: Edition) -> FeatureTable:
    return FeatureTable(_layout(num_players, edition))


def _layout(p: int, edition: Edition) -> list[FeatureRow]:
    """Returns name, shape, scale and meaning of every feature; "player" axes have length P.

    Numbers above 255 are shown as 255: VP, points by source and Florins.
    """
    h, k = edition.num_helper_slots, edition.num_career_slots
    last_rounds, values = c.NUM_ROUNDS - c.BONUS_ROUNDS, len(c.TILE_VALUES)
    tiles = c.NUM_CITIES, 2
    return [
        ("vp", (p,), 100, "VP"),
        ("scores", (p, len(c.SOURCES)), 50, "points by source"),
        ("florins", (p,), 10, "Florins"),
        ("supply", (p, 2), 8, "males and females available"),
        ("stock", (p, 2), 8, "males and females in the General Stock"),
        ("threshold", (p, 2), 3, "males and females on the threshold space"),
        ("careers", (p, c.NUM_CAREERS, k), 2, "males by career and slot"),
        ("placed", (p, c.NUM_COLORS), c.NUM_FACES, "own die of each color, 0 for none"),
        ("helpers", (p, c.NUM_COLORS, h), 1, "helpers"),
        ("brides", (p,), 4, "brides without the printed wife"),
        ("meeples", (p, c.NUM_CITIES), 4, "meeples in cities"),
        ("initiative", (p,), len(edition.initiative_vp), "slot of the initiative disc, from 0"),
        ("height", (p,), p, "its place in the stack, 0 at the bottom"),
        ("place", (p,), p, "place in the turn order, from 0"),
        ("passed", (p,), 1, "has passed in this round"),
        ("boards", (p, 4), 1, "the board by number"),
        ("missing", (p, c.NUM_ROWS, c.NUM_HOUSES), 1, "shields without a face-up tile"),
        ("row_vp", (p, c.NUM_ROWS), 20, "fronts of the face-up tiles"),
        ("face_down", (p, c.NUM_ROWS), 4, "face-down tiles"),
        ("to_act", (p,), 1, "the seat to act; zero where the game is over"),
        ("kind", (len(c.KINDS),), 1, "what it decides; zero where the game is over"),
        ("effect", (len(edition.effects),), 1, "the running effect, in the edition's order"),
        ("part", (1,), 2, "its running part, from 0"),
        ("left", (1,), 4, "points or tiles of this part still to do"),
        ("repeats", (1,), c.MOST_SPENT, "how often the effect is still to be done"),
        ("color", (c.NUM_COLORS,), 1, "the column of the die just placed"),
        ("finished", (1,), 1, "the game is over"),
        ("round", (1,), c.NUM_ROUNDS, "the running round"),
        ("pool", (c.NUM_COLORS, c.NUM_FACES), 2, "dice to take by color and value"),
        ("assignments", (c.NUM_ASSIGNMENTS, c.NUM_ASSIGNMENTS), 1, "the tile on each slot"),
        ("bonus_tiles", (c.BONUS_ROUNDS, c.NUM_BONUS_TILES), 1, "the bonus tile of rounds 1 to 5"),
        ("vp_tiles", (last_rounds, c.NUM_VP_TILES), 1, "the VP tile of rounds 6 and 7"),
        ("cities", (c.NUM_CITIES,), 1, "cities in play"),
        ("empty", (c.NUM_CITIES, 4), 2, "empty slots by value, of cities in play"),
        ("tile_house", (*tiles, c.NUM_HOUSES), 1, "House of the marriage and mission tile"),
        ("tile_value", (*tiles, values), 1, "value of the marriage and mission tile"),
        ("deck_size", (1,), 54, "tiles in the deck"),
        ("unseen", (c.NUM_HOUSES, values), 3, "tiles in the deck, removed and face down"),
    ]


@dataclass(frozen=True, init=False)
class GameConfig(BaseConfig):
    """Everything that decides which game is played, apart from chance (see `BaseConfig`)."""

    game = "signorie"
    PLAYERS = range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1), "S1.1"
    OPTIONS, EDITION = Options, RECONSTRUCTION
    load_edition = staticmethod(load_edition)

    edition: Edition
    rules: Options

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions, with sizes, blocks and texts."""
        return action_codec(self.edition)

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return feature_table(self.num_players, self.edition)
