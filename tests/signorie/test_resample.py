"""What nobody knows is drawn anew, from states and from observations (S13).

`GONZAGA_FUZZ=50000 python -m pytest tests/signorie/test_resample.py` draws more.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest

from gonzaga_env.signorie.batch import rounds
from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import NUM_HOUSES, NUM_TILES, REMOVED_PER_HOUSE
from gonzaga_env.signorie.state import State
from tests.conftest import played
from tests.marks import some_nightly
from tests.uniform import Value, assert_chances


def hypergeometric(sizes: Sequence[int], others: int, number: int) -> dict[Value, float]:
    """Returns the chances of how many of each group are among some drawn from all and others."""
    return {
        counts: prod(map(comb, sizes, counts)) * comb(others, number - sum(counts))
        for counts in product(*(range(size + 1) for size in sizes))
        if sum(counts) <= number
    }


class Unseen:
    """What a seat knows of the unseen tiles: numbers, and that each House loses as many (S2.6).

    The chances of what is hidden follow from one rule: all ways to remove so many unseen tiles of
    each House, and then to lay so many of the rest face down, are equally likely.
    """

    def __init__(self, engine: Engine) -> None:
        self.tiles = engine.state.unseen[0].reshape(NUM_HOUSES, -1).tolist()
        self.removed = REMOVED_PER_HOUSE[engine.num_players]
        self.face_down = int(engine.state.face_down.sum())
        self.left = [sum(tiles) - self.removed for tiles in self.tiles]  # of each House

    def of_houses(self, *houses: int) -> dict[Value, float]:
        """Returns the chances of how many tiles of some Houses lie face down."""
        sizes = [self.left[house] for house in houses]
        return hypergeometric(sizes, sum(self.left) - sum(sizes), self.face_down)

    def of_kinds(self, *kinds: int) -> dict[Value, float]:
        """Returns the chances of how many tiles of different kinds are removed or face down."""
        houses = sorted({kind // 4 for kind in kinds})
        found: dict[Value, float] = defaultdict(float)
        for numbers, chance in self.of_houses(*houses).items():
            parts = []
            for house, number in zip(houses, numbers, strict=True):
                tiles = self.tiles[house]
                chosen = [tiles[kind % 4] for kind in kinds if kind // 4 == house]
                hidden, others = self.removed + number, sum(tiles) - sum(chosen)
                ways = hypergeometric(chosen, others, hidden)
                parts.append(
                    [(counts, way / comb(sum(tiles), hidden)) for counts, way in ways.items()]
                )
            for choice in product(*parts):
                counts = tuple(count for part, _ in choice for count in part)
                found[counts] += chance * prod(way for _, way in choice)
        return found

    def of_next_two(self) -> dict[Value, float]:
        """Returns the chances of the kinds of the next two tiles of the deck."""
        found: dict[Value, float] = {}
        for one, two in product(range(NUM_TILES), repeat=2):
            (house, value), (other, second) = divmod(one, 4), divmod(two, 4)
            same = house == other
            chance = self.left[house] * max(self.left[other] - same, 0)
            chance *= self.tiles[house][value] * (self.tiles[other][second] - (one == two))
            unseen = sum(self.tiles[house]) * max(sum(self.tiles[other]) - same, 1)
            found[one, two] = chance / unseen
        return found

    def of_house_and_next(self, house: int) -> dict[Value, float]:
        """Returns the chances of a House's face-down tiles and of the next tile's House."""
        found: dict[Value, float] = {}
        others = sum(self.left) - self.left[house]
        for (number,), chance in self.of_houses(house).items():
            own = self.left[house] - number
            rest = sum(self.left) - self.face_down - own
            for other, size in enumerate(self.left):
                share = own if other == house else rest * size / others
                found[number, other] = chance * share
        return found


def next_tiles(config: GameConfig, samples: State) -> np.ndarray:
    """Returns the kinds of the next two tiles of each deck, [M, 2]."""
    rows = np.arange(samples.num_games)
    return rounds.draw_tiles(Games(config, samples.copy()), rows, np.full(len(rows), 2, np.uint8))


FUZZ = int(os.environ.get("GONZAGA_FUZZ", "600"))
SAMPLES = min(10 * FUZZ, 60_000)  # more take gigabytes
#: Number of players, steps; some tiles lie face down.
POSITIONS = [(p, p * steps) for p in (2, 3, 4) for steps in (24, 0, 36, 48, 60)]


@pytest.mark.parametrize(
    ("num_players", "steps"), some_nightly(POSITIONS, often=lambda case: case[1] == 24 * case[0])
)
def test_what_is_hidden_is_drawn_uniformly(num_players: int, steps: int) -> None:
    """S13.1: every kind, House and next tile, alone and in pairs."""
    engine = played(Engine(1, num_players, seed=6), steps)
    state, unseen = engine.state, Unseen(engine)
    assert (unseen.face_down > 1) == (steps > 0)
    samples = engine.resample(steps % num_players, np.random.default_rng(steps), SAMPLES)
    kinds = samples.unseen.astype(int) - samples.deck
    houses = kinds.reshape(-1, NUM_HOUSES, 4).sum(axis=2) - unseen.removed
    assert (houses >= 0).all()  # so many of each House are removed (S2.6)
    assert_chances(houses[:, :-1], unseen.of_houses(*range(NUM_HOUSES - 1)), "all Houses")
    for pair in combinations(range(NUM_HOUSES), 2):
        assert_chances(houses[:, pair], unseen.of_houses(*pair), f"Houses {pair}")
    for kind in range(NUM_TILES):
        assert_chances(kinds[:, [kind]], unseen.of_kinds(kind), f"kind {kind}")
    for pair in [*combinations(range(NUM_TILES), 2)][:: 1 if FUZZ > 600 else 5]:
        assert_chances(kinds[:, pair], unseen.of_kinds(*pair), f"kinds {pair}")
    coming = next_tiles(engine.config, samples)
    assert_chances(coming, unseen.of_next_two(), "the next two tiles")
    for house in range(NUM_HOUSES):
        drawn = np.stack([houses[:, house], coming[:, 0] // 4], axis=1)
        chances = unseen.of_house_and_next(house)
        assert_chances(drawn, chances, f"face down of House {house}, and the next tile")
    assert len(np.unique(samples.seed)) == len(samples.seed)
    assert np.array_equal(samples.face_down, state.face_down.repeat(len(samples.seed), axis=0))


def test_the_example_of_two_players() -> None:
    """Of 43 unseen tiles twelve are removed and two face down: each House's share is its own."""
    engine = Engine(1, 2, seed=0)
    six, seven, five = (2, 2, 2, 0), (3, 3, 1, 0), (3, 2, 0, 0)
    unseen = np.array([six, (3, 3, 2, 1), seven, seven, five, (3, 3, 2, 1)])
    engine.state.unseen[0] = unseen.ravel()
    engine.state.face_down[0, 0, :2] = 1
    samples = engine.resample(0, np.random.default_rng(0), 30_000)
    hidden = samples.unseen.astype(int) - samples.deck
    found = hidden.reshape(-1, NUM_HOUSES, 4).sum(axis=2).mean(axis=0) - 2
    expected = 2 * (unseen.sum(axis=1) - 2) / (unseen.sum() - 12)
    assert expected.round(3).tolist() == [0.258, 0.452, 0.323, 0.323, 0.194, 0.452]
    assert (abs(found - expected) < 0.02).all()
