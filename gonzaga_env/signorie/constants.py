"""Numbers and names of the rules (S) and of the notation (N); lists are in the order of these."""

from __future__ import annotations

MIN_PLAYERS, MAX_PLAYERS = 2, 4  # S1.1
NUM_COLORS, NUM_CAREERS, NUM_CITIES, NUM_HOUSES = 5, 3, 5, 6
NUM_FACES = 6  # of a die
MAX_DICE = 4  # a seat takes in a round (S5.2)
NUM_ROUNDS, BONUS_ROUNDS = 7, 5  # S3.1, S11.4
MOST_SPENT = 3  # meeples of an assignment marked "..3" (S7.2)
MAX_DOWRY, VP_PER_FLORIN = 4, 2  # S8.5
ROW_SIZE = 3  # tiles of a row that scores (S12.2)
#: By number of players (S2.6).
DICE_PER_COLOR = {2: 2, 3: 3, 4: 4}
REMOVED_PER_HOUSE = {2: 2, 3: 1, 4: 0}
CITIES_IN_PLAY = {2: 3, 3: 4, 4: 5}

MALE, FEMALE = 0, 1  # the axis of the sexes
SEXES = ("male", "female")

TILES_PER_HOUSE = 9
TILE_VALUES = (2, 3, 4, 5)  # S1.4
NUM_TILES = NUM_HOUSES * len(TILE_VALUES)  # kinds: house * 4 + value - 2
NUM_ROWS = 4  # of shields: one a career, and the marriage row (S10.1)
MARRIAGE_ROW = 3
MARRIAGE_TILE, MISSION_TILE = 0, 1  # the two slots of a city (S4.1)

NUM_ASSIGNMENTS, NUM_BONUS_TILES, NUM_VP_TILES = 10, 9, 5  # S1.5
MARKED = 0  # the number of meeples of an assignment marked "..3"
CRITERIA = ("helpers", "brides", "cities", "tiles", "careers")  # of VP tiles (N1)

#: Parts of effects (N1); those before `BARE` take a number.
OPS = (
    *("florins", "vp", "tracks", "initiative", "male", "female", "tile", "threshold"),
    *("mission", "marriage", "offspring", "free_helper", "half_die_vp"),
)
FLORINS, VP, TRACKS, INITIATIVE, ADD_MALE, ADD_FEMALE, TILE, THRESHOLD = range(8)
MISSION_OP, MARRIAGE_OP, OFFSPRING, FREE_HELPER_OP, HALF_DIE_VP = range(8, 13)
BARE = MISSION_OP
SIGNORIA_OPS = [FLORINS, TRACKS, MISSION_OP, MARRIAGE_OP, OFFSPRING]  # of the colors (S8)

#: Kinds of decisions (N2); OVER stands for none, where the game is over.
KINDS = (
    *("main", "spend", "track", "mission", "marriage", "row", "helper"),
    *("reward", "free helper", "wed", "pay"),
)
MAIN, SPEND, TRACK, MISSION, MARRIAGE, ROW, HELPER, REWARD, FREE_HELPER, WED, PAY, OVER = range(12)
#: The kind of decision that a part of an effect asks for (N2); the other parts act at once.
ASKED = {
    TRACKS: TRACK,
    TILE: ROW,
    MISSION_OP: MISSION,
    MARRIAGE_OP: MARRIAGE,
    FREE_HELPER_OP: FREE_HELPER,
}

#: Sources of points (N4).
SOURCES = (
    *("missions", "marriages", "initiative", "helpers", "assignments", "rewards"),
    *("weddings", "careers", "tiles"),
)
MISSION_VP, MARRIAGE_VP, INITIATIVE_VP, HELPER_VP, ASSIGNMENT_VP, REWARD_VP = range(6)
WEDDING_VP, CAREER_VP, TILE_VP = range(6, 9)
