"""Illegal actions in random games: the error names the first rule broken, by an independent check.

The second opinion knows the edition's plain data and the hexes held, and no table of the engine.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.board.actions import NUM_PLANS, plan_cards
from gonzaga_env.core.board.bits import unpack
from gonzaga_env.core.state import PLACE, State, acting_seats
from gonzaga_env.kernel.errors import IllegalActionError
from tests.beside import Beside
from tests.core.positions import BOARD, EDITION, Placement, fitting, placed
from tests.marks import nightly
from tests.oracle_editions import Hex

INACTIVE_CARD = 6
CELLS = EDITION.grid.cells


@cache
def kept_rotations() -> dict[tuple[int, frozenset[Hex]], int]:
    return {(placement.fief, placement.hexes): placement.rotation for placement in fitting()}


@dataclass
class Case:
    """An illegal action of one game, and what a player at the table would see."""

    engine: Engine
    state: State  # of all games
    game: int
    action: int
    seat: int = field(init=False)

    def __post_init__(self) -> None:
        self.seat = int(acting_seats(self.state)[self.game])

    def number(self, name: str) -> int:
        """Returns a field of the state for the game, or for its seat."""
        array = getattr(self.state, name)[self.game]
        return int(array[self.seat] if array.ndim else array)

    def held(self, name: str, seat: int | None = None) -> set[Hex]:
        """Returns the hexes of fiefs or rings of one seat, or of all."""
        words = getattr(self.state, name)[self.game]
        mask = unpack(words, len(CELLS)).astype(np.bool_)
        mask = mask.any(axis=0) if seat is None else mask[seat]
        return {CELLS[i] for i in np.flatnonzero(mask)}

    @property
    def placing(self) -> bool:
        return self.number("phase") == PLACE

    @property
    def is_plan(self) -> bool:
        return self.action < NUM_PLANS

    @property
    def card(self) -> str:
        return "ABC"[plan_cards(self.number("plan"))[1]]

    @property
    def flourishing(self) -> tuple[str, ...]:
        return EDITION.scenarios[self.number("scenario")].flourishing

    @property
    def planned(self) -> set[str]:
        """Names of the planned region, or of the inactive ones."""
        region = plan_cards(self.number("plan"))[0]
        names = list(BOARD.regions)
        return set(names) - {*self.flourishing} if region == INACTIVE_CARD else {names[region]}

    @property
    def placement(self) -> Placement:
        fief = self.state.deck[self.game, self.seat, self.number("round") - 1]
        rotation, cell = divmod(self.action - NUM_PLANS, len(CELLS))
        return placed(int(fief) + 1, rotation, CELLS[cell])

    @property
    def ring_hexes(self) -> list[Hex]:
        """Hexes of a wedding; one where the other is off the map."""
        text = self.engine.actions.to_text(self.action)
        return [(int(row), int(col)) for row, col in (at.split(",") for at in text.split()[1:])]

    @property
    def two_rings(self) -> bool:
        return self.action >= self.engine.actions.rings.start

    @property
    def ends_off_map(self) -> bool:
        direction, cell = divmod(self.action - self.engine.actions.rings.start, len(CELLS))
        steps = [(0, 1), (1, CELLS[cell][0] % 2), (1, CELLS[cell][0] % 2 - 1)]  # E, SE, SW
        row, col = (at + step for at, step in zip(CELLS[cell], steps[direction], strict=True))
        return self.two_rings and (row, col) not in BOARD.region_of


def breaks_r2_1(case: Case) -> bool:
    region = plan_cards(case.action)[0]
    return region != INACTIVE_CARD and BOARD.regions[region] not in case.flourishing


def breaks_r3_3(case: Case) -> bool:
    locked = case.number("previous_plan")
    cards, before = plan_cards(case.action), plan_cards(locked)
    same = cards[0] == before[0] or cards[1] == before[1] or cards[2] == before[2] == 1
    return locked < NUM_PLANS and same


def breaks_r4_3(case: Case) -> bool:
    blocked = case.held("fiefs") | case.held("rings", case.seat)
    return not case.placement.on_map or bool(case.placement.hexes & blocked)


def breaks_r5_2(case: Case) -> bool:
    if case.ends_off_map:
        return True
    return not {BOARD.region_of[cell] for cell in case.ring_hexes} & case.planned


#: Whether a rule is broken by an action of the kind that the rule is about.
BROKEN: dict[str, Callable[[Case], bool]] = {
    "R2.1": breaks_r2_1,
    "R3.2": lambda case: not case.placing and not case.is_plan,
    "R3.3": breaks_r3_3,
    "R3.4": lambda case: plan_cards(case.action)[2] == 1 and case.number("ring_stock") == 0,
    "R3.6": lambda case: case.placing and case.is_plan,
    "R4": lambda case: (
        kept_rotations()[case.placement.fief, case.placement.hexes] < case.placement.rotation
    ),
    "R4.1": lambda case: not case.placement.regions & case.planned,
    "R4.2": lambda case: case.placement.card != case.card,
    "R4.3": breaks_r4_3,
    "R4.4": lambda case: not case.placement.castles_on_land,
    "R4.5": lambda case: bool(case.placement.barred),
    "R5.1": lambda case: case.card != "C" or case.number("ring_stock") < 1 + case.two_rings,
    "R5.2": breaks_r5_2,
    "R5.4": lambda case: bool(
        {*case.ring_hexes} & (case.held("rings") | case.held("fiefs", case.seat))
    ),
}
PLANS = ("R2.1", "R3.3", "R3.4")
FIEFS = ("R4.1", "R4.2", "R4.3", "R4.4", "R4.5", "R4")
RINGS = ("R5.1", "R5.2", "R5.4")


def first_broken(case: Case) -> str:
    """Returns the first rule that an action of its kind breaks, as a person would check them."""
    if case.is_plan:
        rules = ("R3.6",) if case.placing else PLANS
    elif not case.placing:
        rules = ("R3.2",)
    else:
        rules = FIEFS if case.action < case.engine.actions.ring.start else RINGS
    return next(rule for rule in rules if BROKEN[rule](case))


def try_illegal(
    engine: Engine, state: State, rng: np.random.Generator, count: int, named: Counter[str]
) -> None:
    """Plays illegal actions in random games, those that break rules seldom named; counts these."""
    for game in rng.choice(engine.num_games, count, replace=False):
        illegal = np.flatnonzero(~engine.legal_action_mask(np.array([game]))[0])
        blocks = (engine.actions.plan, engine.actions.fief, engine.actions.weddings)
        block = blocks[rng.integers(3)]
        among = illegal[(illegal >= block.start) & (illegal < block.stop)]
        if not len(among):
            continue
        cases = [Case(engine, state, int(game), int(action)) for action in rng.choice(among, 4)]
        case = min(cases, key=lambda one: named[first_broken(one)])
        with pytest.raises(IllegalActionError) as caught:
            engine.step([case.action], np.array([game]))
        error = caught.value
        assert (error.game, error.seat, error.action) == (case.game, case.seat, case.action)
        assert error.rule == first_broken(case), str(error)
        named[error.rule] += 1


@pytest.mark.parametrize("num_players", [2, *nightly(3, 4)])
def test_the_first_rule_broken_is_named(num_players: int) -> None:
    engine = Beside(Engine(32, num_players, seed=100 * num_players))
    rng = np.random.default_rng(num_players)
    named: Counter[str] = Counter()
    for _ in range(120):
        before = engine.state.copy()
        try_illegal(engine, before, rng, 8, named)
        assert engine.state == before
        engine.step(engine.sample_legal(rng))  # what is legal is never refused
    assert named.keys() >= BROKEN.keys() - {"R3.4"}  # few players run out of rings by chance
