"""The numbers that the rules fix."""

from __future__ import annotations

MIN_PLAYERS, MAX_PLAYERS = 2, 4  # R1.1
NUM_FIEFS = 12  # R1.1; as many rounds at most (R7.2)
NUM_RINGS = 6  # R1.1
NUM_PIECES = NUM_FIEFS + NUM_RINGS  # of a player: fiefs by number, then rings by slot
NUM_REGIONS = 6  # R1.2
NUM_SEAS = 6  # R1.2
NUM_SYMBOLS = 8  # R1.2
NUM_REGION_CARDS = NUM_REGIONS + 1  # R1.1: the last is "inactive regions"
INACTIVE_CARD = NUM_REGIONS
NUM_ACTION_CARDS = 3  # R1.1: A, B, C; King's Privilege goes on top
HARBORS, CITIES, ALLIANCE = range(NUM_ACTION_CARDS)  # R4.2

DONATION_POINTS = 3  # R3.7
FLOURISHING_POINTS, INACTIVE_POINTS = 3, 1  # R6.1
LEAGUE_POINTS, LEAGUE_HARBORS = 10, 3  # R6.2
OPEN_SITES_AT_END = 3  # R7.1
GROUP_POINTS = 15  # R8.1
OBJECTIVE_POINTS = (0, 2, 5, 10, 15, 25, 35)  # R8.2
