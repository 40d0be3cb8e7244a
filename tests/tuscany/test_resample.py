"""What a seat does not know is drawn anew, from states and from observations (T12).

`GONZAGA_FUZZ=50000 python -m pytest tests/tuscany/test_resample.py` draws more.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Container, Iterator
from itertools import combinations_with_replacement, permutations, product
from math import comb, prod

import numpy as np
import pytest

from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board import region_numbers, region_tables
from gonzaga_env.tuscany.constants import CASTLE, CROP, MAIN, NUM_COLOURS, NUM_LAYOUTS, PAYMENT
from tests.marks import some_nightly
from tests.uniform import Value, assert_chances, assert_uniform

FUZZ = int(os.environ.get("GONZAGA_FUZZ", "600"))
SAMPLES = min(10 * FUZZ, 60_000)  # more take gigabytes
_FEW = 3  # cards of a hand


def position(num_players: int, kinds: Container[int], seed: int) -> Engine:
    """Returns a game that asks one of these questions, when many cards are in hands."""
    engine, rng = Engine(64, num_players, seed=seed), np.random.default_rng(seed)
    while True:
        engine.step(engine.sample_legal(rng))
        sizes = engine.state.hand.sum(axis=2)
        for row in np.flatnonzero((sizes > _FEW).all(axis=1)).tolist():
            if int(engine.kinds[row]) in kinds:
                return Engine.from_state(engine.config, engine.state.take(np.array([row])))


class Unseen:
    """The cards that a seat does not see, and the chances of what lies in others' hands.

    All ways to deal them are equally likely, but for those in which the seat to act cannot do what
    it is asked.
    """

    def __init__(self, engine: Engine, seat: int) -> None:
        state = engine.state
        hands = state.hand[0].astype(int)
        self.cards = (state.deck[0] + hands.sum(axis=0) - hands[seat]).tolist()
        self.sizes = hands.sum(axis=1).tolist()
        self.total = sum(self.cards)

    def hands(self, size: int) -> dict[Value, float]:
        """Returns the ways to get each hand of a size."""
        return {hand: prod(map(comb, self.cards, hand)) for hand in _hands(tuple(self.cards), size)}

    def of_two(
        self, hands: dict[Value, float], size: int, one: int, two: int
    ) -> dict[Value, float]:
        """Returns the chances of cards of a colour in a hand and of another one in the next."""
        found: dict[Value, float] = defaultdict(float)
        for hand, ways in hands.items():
            left, rest = self.cards[two] - hand[two], self.total - sum(hand)
            for number in range(min(left, size) + 1):
                chance = comb(left, number) * comb(rest - left, size - number)
                found[hand[one], number] += ways * chance
        return found


def _hands(cards: Value, size: int) -> Iterator[Value]:
    """Yields the hands of a size that can be made of cards by colour."""
    if not cards:
        if not size:
            yield ()
        return
    for number in range(min(cards[0], size) + 1):
        for rest in _hands(cards[1:], size - number):
            yield (number, *rest)


def ways_to_pay(hand: Value, workers: int, colour: int) -> int:
    """Returns how many payments of two units there are (T6.2)."""
    units = {"own": hand[colour], "worker": workers}
    units |= {f"pair {i}": number // 2 for i, number in enumerate(hand) if i != colour}
    pairs = combinations_with_replacement(units, 2)
    return sum(units[one] > 0 and units[two] > (one == two) for one, two in pairs)


CASES = [(p, kind) for p in (2, 3, 4) for kind in (MAIN, PAYMENT, CROP)]
OFTEN = [(2, CROP), (2, PAYMENT), (3, MAIN), (3, PAYMENT)]


@pytest.mark.parametrize(
    ("num_players", "kind"), some_nightly(CASES, often=lambda case: case in OFTEN)
)
def test_hands_are_drawn_uniformly(num_players: int, kind: int) -> None:
    """T12: whole hands of four cards and more, in pairs, and of who is about to pay."""
    engine = position(num_players, (kind,), seed=5)
    state, acting, rng = engine.state, int(engine.seats[0]), np.random.default_rng(num_players)
    viewer = (acting + 1) % num_players
    unseen = Unseen(engine, viewer)
    samples = engine.resample(viewer, rng, SAMPLES)
    assert (samples.hand[:, viewer] == state.hand[0, viewer]).all()
    hands = unseen.hands(unseen.sizes[acting])
    if kind != MAIN:
        region = region_numbers(state.boards[:, acting], state.layout[:, acting])
        colours = region_tables(engine.config.edition.boards).colours[region, state.cell]
        workers, colour = int(state.workers[0, acting]), int(colours[0])
        least = 2 if kind == PAYMENT else 1
        hands = {
            hand: n for hand, n in hands.items() if ways_to_pay(hand, workers, colour) >= least
        }
    assert_chances(samples.hand[:, acting], hands, "the hand of the seat to act")
    for other in {*range(num_players)} - {acting, viewer}:
        if kind == MAIN:
            assert_chances(samples.hand[:, other], unseen.hands(unseen.sizes[other]), "a hand")
        for one, two in product(range(NUM_COLOURS), repeat=2):
            drawn = np.stack([samples.hand[:, acting, one], samples.hand[:, other, two]], axis=1)
            chances = unseen.of_two(hands, unseen.sizes[other], one, two)
            assert_chances(drawn, chances, f"colours {one} and {two} of two seats")


def test_boards_layouts_and_castles_are_drawn_uniformly() -> None:
    """T2.4, T12: nothing of the others is known until all have chosen."""
    engine, rng = Engine(1, 3, seed=7), np.random.default_rng(0)
    for _ in range(4):  # the first two have chosen
        engine.step(engine.sample_legal(rng))
    third, first = int(engine.seats[0]), int(engine.state.start[0])
    samples = engine.resample(third, rng, SAMPLES)
    assert (samples.boards[:, third] == engine.state.boards[0, third]).all()
    others = [seat for seat in range(3) if seat != third]
    for place in (16, 4, 1):
        left = {*range(4)} - {int(engine.state.boards[0, third]) // place % 4}
        drawn = samples.boards[:, others] // place % 4
        assert_uniform(drawn, permutations(left, 2), "a board")
    assert_uniform(samples.layout[:, [first]], product(range(NUM_LAYOUTS)), "a layout")
    region = region_numbers(samples.boards[:, first], samples.layout[:, first])
    castles = region_tables(engine.config.edition.boards).colour_cells[region, CASTLE]
    covered = samples.covered[:, first]
    assert (np.bitwise_count(covered) == 1).all()
    assert (covered & castles == covered).all()
    # Which of a region's castles it is, from the lowest on.
    which = np.bitwise_count(castles & (covered - 1))
    for number in np.unique(np.bitwise_count(castles)).tolist():
        some = which[np.bitwise_count(castles) == number, None]
        assert_uniform(some, product(range(number)), "a castle")
