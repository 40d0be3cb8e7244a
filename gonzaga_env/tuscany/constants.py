"""Numbers and names of the rules (T1) and of the notation; every list of eight, seventeen or five
entries in this package is in the order of these.
"""

from __future__ import annotations

COLOURS = "VAWMQCIF"  # village, agriculture, wagon, monastery, quarry, city, inn, castle (T1.1)
VILLAGE, AGRICULTURE, WAGON, MONASTERY, QUARRY, CITY, INN, CASTLE = range(8)
NUM_COLOURS = 8

CROPS = "OGWL"  # olives, grapes, wheat, livestock
_A_KINDS = ("AO", "AG", "AW", "AL", "AOG", "AOW", "AOL", "AGW", "AGL", "AWL")
#: Kinds of tiles: one a colour, but ten of agriculture, by the crops that they show (T8.4).
TILE_KINDS = ("V", "W", "M", "Q", "C", "I", "F", *_A_KINDS)
NUM_TILE_KINDS = len(TILE_KINDS)
FIRST_CROP_KIND = TILE_KINDS.index("AO")
TILE_COLOURS = tuple(COLOURS.index(kind[0]) for kind in TILE_KINDS)
#: Crops of each kind, as bits in the order of `CROPS`.
TILE_CROPS = tuple(sum(1 << CROPS.index(crop) for crop in kind[1:]) for kind in TILE_KINDS)
#: The first kind of each colour; only agriculture has others.
FIRST_KINDS = tuple(map(TILE_COLOURS.index, range(NUM_COLOURS)))
#: A wooden hexagon stands after the tiles where pieces in storage are counted (T9.1).
HEXAGON = NUM_TILE_KINDS
NUM_PIECE_KINDS = NUM_TILE_KINDS + 1
PIECE_NAMES = (*TILE_KINDS, "hexagon")

BONUS_TYPES = ("card", "storage", "marble", "worker", "yield")  # T1.3
BONUS_CARD, BONUS_STORAGE, BONUS_MARBLE, BONUS_WORKER, BONUS_YIELD = range(5)
BONUS_COPIES = 5

# Marble, workers and wooden hexagons are without number (T1.6).
GAINS = ("green", "red", "cards", "worker", "marble", "hexagon")  # of a yield card (M4)

MIN_PLAYERS, MAX_PLAYERS = 2, 4  # T1.1
NUM_CELLS, NUM_LAYOUTS = 30, 96  # M1
HAND_SIZE, DISPLAY_SIZE, SWEEP_SIZE = 5, 8, 5  # T2.4, T5.5
MOST_SWEEPS = 10  # of one refill, which would else never end in some positions (T5.5)
STACK_SIZE, NUM_ROUNDS = 7, 3  # T2.2, T10.1
NUM_OWN_TILES = STACK_SIZE * NUM_ROUNDS
MONASTERY_CARDS = 3  # T8.7
ZONE_POINTS = (0, 1, 3, 6)  # T7.1
REFUSED_HEXAGON_POINTS, STORAGE_POINTS = 2, 2  # T8.3 and B14 (red), T9.3 (green)
CARDS_PER_POINT = 3  # T11.2

#: Kinds of decisions, in the order in which they come up.
KINDS = (
    *("layout", "starting castle", "starting bonus"),  # setup (T2.4)
    *("main", "remove", "crop", "payment"),  # the turn's action (T3 to T6)
    *("city", "castle", "castle crop"),  # effects (T8.1, T8.2)
    "marble",  # one more action, or the turn ends (T3.2)
)

LAYOUT, STARTING_CASTLE, STARTING_BONUS, MAIN, REMOVE, CROP, PAYMENT = range(7)
CITY_BONUS, CASTLE_TILE, CASTLE_CROP, MARBLE, OVER = range(7, 12)  # over: no decision

#: Sources of points: green ones, then red ones.
SOURCES = (
    *("zones", "colours", "crops", "storage", "yield_green"),
    *("round_1", "round_2", "round_3", "yield_red", "full_storage"),
    *("tiles", "hexagons", "marble", "workers", "cards"),
)
ZONES, COLOUR_BONUS, CROP_POINTS, STORAGE_BONUS, YIELD_GREEN = range(5)
ROUND_1, YIELD_RED, FULL_STORAGE, END_TILES = 5, 8, 9, 10
GREEN, RED = slice(0, 5), slice(5, 15)

#: What a state holds where there is none.
NO_LAYOUT, NO_CELL, NO_PIECE, NOT_FINAL = NUM_LAYOUTS, NUM_CELLS, NUM_PIECE_KINDS, 255
