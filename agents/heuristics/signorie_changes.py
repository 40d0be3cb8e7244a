"""What choices change in Signorie, as far as it is the same for all who choose."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.games import tables_of
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state import NO_COLOR

from ..arrays import Floats

_HELPED = {  # what helpers may give (N1)
    **{c.FLORINS: "Florins", c.VP: "points", c.TRACKS: "track points"},
    **{c.INITIATIVE: "initiative points", c.ADD_MALE: "males", c.ADD_FEMALE: "females"},
    **{c.TILE: "face-down tiles", c.MISSION_OP: "a mission", c.MARRIAGE_OP: "a marriage"},
    **{c.OFFSPRING: "offspring", c.FREE_HELPER_OP: "a free helper"},
    c.HALF_DIE_VP: "half the die in points",
}
CHANGES = (
    "a point",
    "a Florin",
    "a male in the supply",
    "a female in the supply",
    "an initiative point",
    "a male on a career",
    "a point of a career slot",  # S9.3
    *(f"a male of rank {rank} or more" for rank in (2, 3, 4)),
    *(f"a point in rows of {n}" for n in ("1 tile", "2 tiles", "3 or more tiles")),  # S12.2
    "a tile",
    "a point of a tile that a rival lacks",
    "a meeple in a city",
    "a bride",
    "a helper",
    *(f"a helper: {what} at each use" for what in _HELPED.values()),
    *(f"a helper in column {column + 1}" for column in range(c.NUM_COLORS)),
)
"""What a choice changes of the own things: the first facts."""
POINTS, FLORINS, MALES, FEMALES, STEPS, CAREERS, SLOT_VP, _RANKS = range(8)
_ROWS, TILES, CITIES, BRIDES, HELPERS = 10, 13, 15, 16, 17
_OPS, _COLUMNS = HELPERS + 1, HELPERS + 1 + len(_HELPED)
OF_TILES = slice(_ROWS, CITIES)
"""What a tile changes."""
COUNTED = [HELPERS, BRIDES, CITIES, TILES, CAREERS]
"""What VP tiles count, in the order of `CRITERIA`."""
RAISED, HALF_DICE = len(CHANGES), len(CHANGES) + 1
"""Changes that other facts tell: of the threshold, and half the die in points."""
_SIZE = len(CHANGES) + 2  # R
_GIVEN = {
    **{c.FLORINS: FLORINS, c.VP: POINTS, c.INITIATIVE: STEPS},
    **{c.THRESHOLD: RAISED, c.HALF_DIE_VP: HALF_DICE},
}
_ONE_BY_ONE = (c.TILE, c.MISSION_OP, c.MARRIAGE_OP, c.FREE_HELPER_OP)  # whose parts are done so
FACE_DOWN, NO_PLACE = c.NUM_CITIES, c.NUM_CITIES + 1
"""Where a tile comes from, besides cities."""
WED, NONE = -2, -1
"""The last effects."""
NO_EFFECT, ASSIGNED, SIGNORIA = 0, 1, 1 + c.NUM_ASSIGNMENTS
RUNNING, BONUS, WEDDING, SPENDING = range(SIGNORIA + c.NUM_COLORS, SIGNORIA + c.NUM_COLORS + 4)
"""Columns of a decision's effects, from which an action takes its own: of each assignment slot and
color, the running one, the bonus tile, the wedding, and the running one by meeples spent."""


def nothing(*shape: int) -> Floats:
    """Returns no changes, [*shape, R]."""
    return np.zeros((*shape, _SIZE), np.float32)


class ChangeTable:
    """Changes in an edition; they come last in all arrays, [..., R].

    Attributes:
        missions, marriages: by the male's career slot, [K, R], and by dowry, [4, R].
        tracks: by points: a male enters or moves up from each slot, or the disc moves, [K + 1, R].
            The disc gets the points that are left when the male has reached the end (S9).
        helpers: by slot, [5 * H, R].
        given: by effect, what is the same for all seats, [E, R]. Effects are those of the edition,
            then assignments marked "..3" that act twice and more often, a wedding, and none.
        parts, opens: the parts of effects that are not, and how often effects have them, [E, V].
        spent: by effect, the meeples that it takes, [E].
        options: by assignment, the effects for 1 to 3 meeples, [10, 3]; the last one for none.
        fixed: by action, without effects, tiles and the helpers that are used, [A, R].
        rows, places: by action, the row of a tile, and its city; FACE_DOWN; or NO_PLACE, [A].
        dice, colors: by action, the die that it takes; 0 and NO_COLOR, [A].
        effects: by action, the column of its effect (see `ASSIGNED`), [A].
    """

    def __init__(self, config: GameConfig) -> None:
        """Computes the changes."""
        self.edition, self.codec = config.edition, config.actions
        self._read_males()
        self._read_effects()
        self._read_actions()

    def _read_males(self) -> None:
        edition, vp = self.edition, np.array(self.edition.slot_vp)
        self._males = nothing(len(vp))  # on each slot
        self._males[:, CAREERS], self._males[:, SLOT_VP] = 1, vp
        self._males[:, _RANKS : _RANKS + 3] = np.array(edition.ranks)[:, None] >= (2, 3, 4)
        self.missions, self.marriages = -self._males, nothing(c.MAX_DOWRY)
        self.missions[:, POINTS], self.missions[:, CITIES] = vp, 1  # S8.2
        dowries = np.arange(1, c.MAX_DOWRY + 1)  # S8.5
        self.marriages[:, POINTS], self.marriages[:, FLORINS] = c.VP_PER_FLORIN * dowries, -dowries
        self.marriages[:, FEMALES], self.marriages[:, CITIES] = -1, 1
        self.helpers, h = nothing(c.NUM_COLORS * edition.num_helper_slots), edition.num_helper_slots
        self.helpers[:, HELPERS] = 1
        for place, changes in enumerate(self.helpers):
            changes[_COLUMNS + place // h] = 1
            for op, number in edition.effects[c.NUM_COLORS + place]:
                changes[_OPS + [*_HELPED].index(op)] += number

    def _track(self, number: int) -> Floats:
        edition, k = self.edition, len(self._males)
        found = nothing(k + 1)
        for start in range(-1, k - 1):
            end, changes = min(start + number, k - 1), found[start + 1]
            changes += self._males[end]
            if start < 0:
                changes[MALES] = -1
            else:
                changes -= self._males[start]
            arrived = slice(start + 1, end + 1)  # S9.2
            changes[FLORINS] = sum(edition.slot_florins[arrived])
            changes[STEPS] = number - (end - start) + sum(edition.slot_initiative[arrived])
        found[k, STEPS] = number
        return found

    def _read_effects(self) -> None:
        edition, first = self.edition, self.edition.first_assignment
        counts, marked = tables_of(edition).counts, tables_of(edition).marked
        whole = [(effect, 1) for effect in range(len(edition.effects))]
        again = [(first + int(tile), n) for n in (2, 3) for tile in np.flatnonzero(marked)]
        effects = whole + again
        self.given, self.spent = nothing(len(effects) + 2), np.zeros(len(effects) + 2, np.int64)
        self.options = np.full((c.NUM_ASSIGNMENTS, c.MOST_SPENT), len(effects) + 2 + NONE)
        opens: dict[tuple[int, int], dict[int, int]] = {}
        for place, (effect, times) in enumerate(effects):
            if first <= effect < edition.first_bonus:
                self.options[effect - first, times - 1] = place
                self.spent[place] = counts[effect - first] * times  # S7.1, S7.2
            for op, number in edition.effects[effect]:
                if op in _GIVEN:
                    self.given[place, _GIVEN[op]] += number * times
                elif op in _ONE_BY_ONE:
                    opens.setdefault((op, 1), {})[place] = number * times
                else:
                    opens.setdefault((op, number * times), {})[place] = 1
        self.parts = [*opens]
        self.opens = np.zeros((len(self.given), len(opens)), np.float32)
        for part, places in enumerate(opens.values()):
            self.opens[[*places], part] = [*places.values()]
        numbers = {1} | {number for op, number in opens if op == c.TRACKS}
        self.tracks = {number: self._track(number) for number in numbers}

    def _read_actions(self) -> None:
        edition, codec, h = self.edition, self.codec, self.edition.num_helper_slots
        fixed, (rows, dice, effects) = nothing(codec.size), np.zeros((3, codec.size), np.int64)
        places, taken = np.full(codec.size, NO_PLACE), np.full(codec.size, NO_COLOR)
        shape = c.NUM_COLORS, c.NUM_FACES, codec.num_choices
        colors, values, choices = np.indices(shape).reshape(3, -1)
        dice[codec.die], taken[codec.die] = values + 1, colors
        fixed[codec.die, FLORINS] = -(np.array(edition.costs)[colors] - values - 1).clip(0)  # S5.3
        hires = np.flatnonzero(choices < h)  # S6.1
        columns = np.array(edition.hires_in)[colors[hires]]
        fixed[hires] += self.helpers[columns * h + choices[hires]]
        fixed[hires, FLORINS] -= np.array(edition.helper_prices)[columns, choices[hires]]
        assigned = ASSIGNED + 2 * colors + choices - h
        effects[codec.die] = np.where(choices < h + 2, assigned, SIGNORIA + colors)
        effects[hires] = NO_EFFECT
        fixed[codec.track] = np.tile(self.tracks[1][:-1], (c.NUM_CAREERS, 1))
        fixed[codec.initiative] = self.tracks[1][-1]
        slots = c.NUM_CAREERS, len(self.missions), c.NUM_CITIES
        rows[codec.mission], males, places[codec.mission] = np.indices(slots).reshape(3, -1)
        fixed[codec.mission] = self.missions[males]
        places[codec.marry], dowries = np.indices((c.NUM_CITIES, c.MAX_DOWRY)).reshape(2, -1)
        rows[codec.marry], fixed[codec.marry] = c.MARRIAGE_ROW, self.marriages[dowries]
        rows[codec.row], places[codec.row] = np.arange(c.NUM_ROWS), FACE_DOWN
        fixed[codec.florins, FLORINS] = edition.reward_florins
        fixed[codec.pay, [POINTS, FLORINS]] = edition.pay_vp, -edition.pay
        fixed[codec.free_helper] = self.helpers
        effects[codec.spend] = SPENDING + np.arange(c.MOST_SPENT)
        effects[[codec.use, codec.bonus, codec.wed]] = RUNNING, BONUS, WEDDING
        self.fixed, self.rows, self.places = fixed, rows, places
        self.dice, self.colors, self.effects = dice, taken, effects


change_table = lru_cache(maxsize=16)(ChangeTable)
"""Returns the changes of a configuration, computed once."""
