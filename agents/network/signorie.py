"""Inputs of Signorie's networks: the planner's choices, and the scene of places.

The places are careers, cities, helpers, assignments, dice, rows and columns of a board. What is
hired, advanced or sent lies on one place or more: a die, the helper that it hires and its column; a
slot of a career, a city and the row that its tile goes to.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.edition import Edition

from ..arrays import Floats, Indices, Observations
from ..heuristics.signorie import FACES, NEVER, PLANNED, Values, score
from ..heuristics.signorie_view import SeatView
from .agent import TrainingDefaults
from .choices import POINTS, ChoiceReader, PlannerView
from .scene import Plane, Scene, words_of


class _Places:
    """The first place of each kind, and how many there are in all."""

    def __init__(self, config: GameConfig) -> None:
        edition = config.edition
        self.slots, self.helper_slots = edition.num_career_slots, edition.num_helper_slots
        self.sizes = {
            "career": c.NUM_CAREERS * self.slots,
            "city": c.NUM_CITIES,
            "helper": c.NUM_COLORS * self.helper_slots,
            "assignment": c.NUM_ASSIGNMENTS,
            "die": c.NUM_COLORS * c.NUM_FACES,
            "row": c.NUM_ROWS,
            "column": c.NUM_COLORS,
        }
        starts = (0, *accumulate(self.sizes.values()))
        self.first = dict(zip(self.sizes, starts, strict=False))
        self.number = starts[-1]

    def plane(self, kind: str, feature: str, seats: bool = False, last: bool = True) -> Plane:
        return Plane(feature, self.sizes[kind], self.first[kind], seats=seats, last=last)


def scene(config: GameConfig) -> Scene:
    """Returns the scene of a configuration."""
    places = _Places(config)
    texts = [config.actions.to_text(action) for action in range(config.actions.size)]
    covered = _covered(config, places, texts)
    where = places.plane
    return Scene(
        planes=(
            where("career", "careers", seats=True),
            where("city", "cities"),
            where("city", "meeples", seats=True),
            where("city", "empty", last=False),
            where("city", "tile_house", last=False),
            where("city", "tile_value", last=False),
            where("helper", "helpers", seats=True),
            where("assignment", "assignments", last=False),
            where("die", "pool"),
            where("row", "missing", seats=True, last=False),
            where("row", "row_vp", seats=True),
            where("row", "face_down", seats=True),
            where("column", "placed", seats=True),
            where("column", "color"),
        ),
        static=np.eye(places.number, dtype=np.float32),
        near=(),
        landmarks=np.zeros(0, np.int64),
        words=words_of(texts),
        covers=lambda observations, rows, actions: covered[actions],
        all_numbers=True,
        training=TrainingDefaults(decisions=32, gae_lambda=0.97, epochs=4, chunk=128),
    )


def _covered(config: GameConfig, places: _Places, texts: list[str]) -> Indices:
    """Returns the places that each action is about, [A, 3]."""
    found = np.full((len(texts), 3), places.number)
    for action, text in enumerate(texts):
        about = list(_about(config, places, text.split()))
        found[action, : len(about)] = about
    return found


def _about(config: GameConfig, places: _Places, words: list[str]) -> list[int]:
    """Returns the places that an action is about."""
    edition, first = config.edition, places.first

    def career(name: str, slot: int) -> int:
        return first["career"] + edition.careers.index(name) * places.slots + slot

    def helper(color: str, slot: int) -> int:
        return first["helper"] + edition.colors.index(color) * places.helper_slots + slot

    match words:
        case ["helper", color, number]:
            return [helper(color, int(number) - 1)]
        case [color, value, what, *numbers] if color in edition.colors:
            column = edition.colors.index(color)
            die = first["die"] + column * c.NUM_FACES + int(value) - 1
            if what == "hire":
                hired = edition.colors[edition.hires_in[column]]
                return [die, helper(hired, int(numbers[0]) - 1), first["column"] + column]
            if what == "assign":
                slot = first["assignment"] + 2 * column + int(numbers[0]) - 1
                return [die, slot, first["column"] + column]
            return [die, first["column"] + column]
        case ["mission", name, number, city]:
            row = first["row"] + edition.careers.index(name)
            return [career(name, int(number) - 1), first["city"] + edition.cities.index(city), row]
        case ["marry", city, _]:
            return [first["city"] + edition.cities.index(city), first["row"] + c.MARRIAGE_ROW]
        case ["enter", name]:
            return [career(name, 0)]
        case ["advance", name, number]:
            return [career(name, int(number) - 1), career(name, int(number))]
        case ["row", name]:
            rows = (*edition.careers, "marriage")
            return [first["row"] + rows.index(name)]
    return []


_DIE_FEATURES = ("value", "cost", "prize", "used")
CHOICE_FEATURES = (*_DIE_FEATURES, "price", "points", "lowest", "tile")
"""Of the choice's die, if it has one, of what it pays and scores at once, and of its city."""
_SEEN = (  # as it is; plans, assignments and tiles are summed up
    *("vp", "florins", "supply", "stock", "threshold", "careers", "placed", "helpers", "brides"),
    *("initiative", "height", "place", "passed", "row_vp", "face_down", "kind", "effect", "left"),
    *("repeats", "color", "round", "pool", "bonus_tiles", "vp_tiles", "empty", "deck_size"),
)
#: Tokens of actions that have one by their first word alone.
_SINGLE = {
    **{"pass": 45, "enter": 49, "initiative": 61, "stop": 62, "use": 81, "skip": 82},
    **{"bonus": 83, "florins": 84, "wed": 85, "no": 86, "keep": 88},
}
_NO_DIE, _NO_CITY = c.NUM_COLORS * c.NUM_FACES, c.NUM_CITIES


class SignorieReader(ChoiceReader):
    """Reads the inputs of choices."""

    config: GameConfig
    seen, num_features = _SEEN, len(CHOICE_FEATURES)
    num_tokens = 128  # some for other editions

    def planner_view(self, observations: Observations) -> PlannerView:
        """See `ChoiceReader.planner_view`."""
        seat = SeatView(self.config, observations)
        values, listed = Values(seat, PLANNED), _choices(self.config)
        dice = _dice(values)
        tiles = np.pad(seat.assignments, ((0, 0), (0, 1)))  # 0 where no tile is used
        lowest = np.pad(seat.lowest, ((0, 0), (0, 1)))
        offers = np.pad(values.offers, ((0, 0), (0, 0), (0, 1)))

        def features(rows: Indices, actions: Indices) -> tuple[Floats, NDArray[np.integer]]:
            token, die, slot, price, points, city, row = listed[:, actions]
            columns = (
                dice[rows, die],
                price / c.MAX_DOWRY,
                points / POINTS,
                lowest[rows, city] / c.MAX_DOWRY,
                offers[rows, row, city] / POINTS,
            )
            return np.column_stack(columns).astype(np.float32), token + tiles[rows, slot]

        return PlannerView(score(values), _position(values), features)


class _Choice(NamedTuple):
    """An action as the network sees it in any position.

    Attributes:
        token: what tells it apart; to that of assignments, the number of the tile is added.
        die: color by color; _NO_DIE for none.
        slot: of assignments; NUM_ASSIGNMENTS for none.
        price: Florins in addition to the die's cost.
        points: VP at once.
        city, row: where a meeple goes, _NO_CITY for none, and whose tile it may take.
    """

    token: int
    die: int = _NO_DIE
    slot: int = c.NUM_ASSIGNMENTS
    price: int = 0
    points: int = 0
    city: int = _NO_CITY
    row: int = 0


@lru_cache(maxsize=16)
def _choices(config: GameConfig) -> Indices:
    """Returns the fields of `_Choice` for all actions, [7, A]."""
    texts = (config.actions.to_text(action).split() for action in range(config.actions.size))
    return np.array([_choice(config.edition, words) for words in texts]).T


def _choice(edition: Edition, words: list[str]) -> _Choice:
    """Returns what an action is. Helpers, at most 6 a column, and slots, at most 12, have tokens
    of their own; dice of a color, careers and cities are all alike.
    """
    match words:
        case ["helper", name, number]:
            return _Choice(89 + 6 * edition.colors.index(name) + int(number) - 1)
        case [name, value, what, *numbers] if name in edition.colors:
            color, place = edition.colors.index(name), int(numbers[0] if numbers else 1) - 1
            die = color * c.NUM_FACES + int(value) - 1
            if what == "assign":
                return _Choice(35, die, 2 * color + place)
            if what == "hire":
                price = edition.helper_prices[edition.hires_in[color]][place]
                return _Choice(6 * color + place, die, price=price)
            return _Choice(30 + color, die)
        case ["mission", career, number, city]:
            slot, row = int(number) - 1, edition.careers.index(career)
            points, place = edition.slot_vp[slot], edition.cities.index(city)
            return _Choice(63 + slot, points=points, city=place, row=row)
        case ["marry", city, number]:
            dowry, place = int(number), edition.cities.index(city)
            points = c.VP_PER_FLORIN * dowry
            return _Choice(
                74 + dowry, _NO_DIE, c.NUM_ASSIGNMENTS, dowry, points, place, c.MARRIAGE_ROW
            )
        case ["spend", number]:
            return _Choice(45 + int(number))
        case ["advance", _, number]:
            return _Choice(49 + int(number))
        case ["row", row]:
            return _Choice(79 + (row == "marriage"))
        case ["pay"]:
            return _Choice(87, price=edition.pay, points=edition.pay_vp)
    return _Choice(_SINGLE[words[0]])


def _dice(values: Values) -> Floats:
    """Returns `_DIE_FEATURES` of each die, and zeros for none, [M, 31, F]."""
    seat = values.seat
    found = np.zeros((len(seat), _NO_DIE + 1, len(_DIE_FEATURES)), np.float32)
    planes = found[:, :_NO_DIE].reshape(len(seat), c.NUM_COLORS, c.NUM_FACES, len(_DIE_FEATURES))
    planes[..., 0] = FACES / c.NUM_FACES
    planes[..., 1] = seat.tables.costs / c.NUM_FACES
    planes[..., 2] = (values.prizes / POINTS)[:, None]
    planes[..., 3] = values.used / POINTS
    return found


def _position(values: Values) -> Floats:
    """Returns what things are worth to the planner, and what is seen of the round, [M, F]."""
    seat, m = values.seat, len(values.seat)
    worth = (
        values.careers,
        values.effects,
        np.where(values.future > NEVER / 2, values.future, 0).reshape(m, -1),
        values.counted,
        values.meeples,
        values.offers.max(axis=2),
        np.column_stack([values.florin, values.prize, values.wedding]),
    )
    numbers = np.column_stack([seat.slack / 10, seat.dice_left / c.MAX_DICE, seat.tiles / 4])
    left = seat.turns_left / (c.MAX_DICE * c.NUM_ROUNDS)
    return np.column_stack([np.concatenate(worth, axis=1) / POINTS, numbers, left])
