"""Positions for the tests of the rules: where fiefs can lie, and one game brought to a moment.

Placements are worked out here from the edition's plain data and the oracle's hex arithmetic, not
from the engine's tables, so that a test which looks for "a castle on water" does not ask the code
that it tests. Nothing names a hex: tests search for a placement that shows their point.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
import pytest

from gonzaga_env.core import Engine, StepResult
from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.edition import EDITIONS
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.state import PLACE, PLAN, SOURCES, Deal, State, winners
from gonzaga_env.kernel.errors import IllegalActionError
from tests.beside import Beside
from tests.oracle_editions import (
    Hex,
    OracleEdition,
    action_covering,
    rotate,
    share_side,
    to_axial,
    to_hex,
)

EDITION = load_edition("europe")
BOARD = OracleEdition(EDITIONS / "europe")
SITES = BOARD.cities.keys() | BOARD.harbors.keys()
FIEFS = {fief.number: fief for fief in EDITION.fiefs}
COLOMBO = ("Hispania", "Francia", "Britannia", "Italia")

Side = tuple[Hex, Hex]
Found = TypeVar("Found")


@dataclass(frozen=True)
class Placement:
    """A fief at some place, legal or not; `cells` are in the order of the fief's file entry."""

    fief: int
    rotation: int
    cells: tuple[Hex, ...]

    @property
    def text(self) -> str:
        row, col = self.cells[0]
        return f"fief {self.fief} r{self.rotation} @ {row},{col}"

    @property
    def hexes(self) -> frozenset[Hex]:
        return frozenset(self.cells)

    @property
    def on_map(self) -> bool:
        return self.hexes <= BOARD.region_of.keys()

    @property
    def castles(self) -> frozenset[Hex]:
        return frozenset(self.cells[i] for i in FIEFS[self.fief].castles)

    @property
    def castles_on_land(self) -> bool:
        return all(BOARD.region_of.get(cell) for cell in self.castles)

    @property
    def sides(self) -> list[Side]:
        """Pairs of its hexes that share a side."""
        return [pair for pair in combinations(self.cells, 2) if share_side(*pair)]

    @property
    def barred(self) -> list[Side]:
        """Pairs of its hexes with a barrier between them."""
        pairs = combinations(self.cells, 2)
        return [pair for pair in pairs if frozenset(pair) in BOARD.barriers]

    @property
    def fits(self) -> bool:
        """Whether an empty map allows it (R4.3 to R4.5)."""
        return self.on_map and self.castles_on_land and not self.barred

    @property
    def cities(self) -> frozenset[Hex]:
        return self.hexes & BOARD.cities.keys()

    @property
    def harbors(self) -> frozenset[Hex]:
        return self.hexes & BOARD.harbors.keys()

    @property
    def covers(self) -> tuple[int, int]:
        """The numbers of cities and harbors that it covers."""
        return len(self.cities), len(self.harbors)

    @property
    def regions(self) -> set[str]:
        return {name for cell in self.cells if (name := BOARD.region_of.get(cell))}

    @property
    def card(self) -> str:
        """The one action card that allows what it covers (R4.2)."""
        return action_covering(*self.covers)


def placed(fief: int, rotation: int, anchor: Hex) -> Placement:
    """Returns a fief rotated by `rotation` with its first cell on `anchor`."""
    (first_q, first_r), *_ = cells = FIEFS[fief].cells
    at_q, at_r = to_axial(anchor)
    turned = [rotate((q - first_q, r - first_r), rotation) for q, r in cells]
    return Placement(fief, rotation, tuple(to_hex((at_q + q, at_r + r)) for q, r in turned))


@cache
def placements() -> tuple[Placement, ...]:
    """Returns every fief, rotation and first hex on the map, allowed or not."""
    anchors = sorted(BOARD.region_of)
    return tuple(placed(fief, turn, at) for fief in FIEFS for turn in range(6) for at in anchors)


@cache
def fitting() -> tuple[Placement, ...]:
    """Returns the placements that an empty map allows; the lowest rotation of equal ones."""
    firsts: dict[tuple[int, frozenset[Hex]], Placement] = {}
    for placement in placements():
        if placement.fits:
            firsts.setdefault((placement.fief, placement.hexes), placement)
    return tuple(firsts.values())


def find(
    among: Iterable[Found], condition: Callable[[Found], object] = lambda found: True
) -> Found:
    """Returns the first item that meets a condition; fails if there is none."""
    for candidate in among:
        if condition(candidate):
            return candidate
    pytest.fail("the edition has no example of what the test is about")


def cells_where(condition: Callable[[Hex], object]) -> list[Hex]:
    """Returns the hexes of the map that meet a condition, row by row."""
    return [cell for cell in sorted(BOARD.region_of) if condition(cell)]


def ring_text(*hexes: Hex) -> str:
    """Returns the text of a wedding on one hex, or on two in any order."""
    places = " ".join(f"{row},{col}" for row, col in sorted(hexes))
    return f"{'ring' if len(hexes) == 1 else 'rings'} {places}"


def make_deal(
    scenario: str, first_fiefs: Iterable[int], objectives: Iterable[int] | None = None
) -> Deal:
    """Returns a deal for one game; every deck holds the fief given on top, the rest in order.

    Args:
        scenario: its name.
        first_fiefs: number of the fief on top of each deck.
        objectives: index of each objective; 0, 1, ... if None.
    """
    decks = [[top - 1, *(i for i in range(12) if i != top - 1)] for top in first_fiefs]
    objectives = range(len(decks)) if objectives is None else objectives
    names = [s.name for s in EDITION.scenarios]
    return Deal(
        scenario=np.array([names.index(scenario)]),
        decks=np.array([decks]),
        objectives=np.array([list(objectives)]),
    )


class Position:
    """One game on both engines, of the scenario "Colombo" by default.

    `place`, `wed`, `donate` and `turn` give a seat the turn out of order, with a plan that fits,
    and then play through the engine, so that all that it derives stays right. The other seats are
    left to act, so that a round so interrupted never ends; `begin_round` starts one. No game gets
    there, so these states are not checked; `settle` gives the map a past that explains it.
    """

    def __init__(
        self, num_players: int = 3, scenario: str | None = "Colombo", **options: Any
    ) -> None:
        self.engine = Beside(Engine(1, num_players, scenario, autoreset=False, **options))

    @property
    def state(self) -> State:
        return self.engine.state

    @property
    def flourishing(self) -> tuple[str, ...]:
        return EDITION.scenarios[self.state.scenario[0]].flourishing

    @property
    def order(self) -> list[int]:
        return self.state.order[0].tolist()

    def region_card(self, name: str) -> str:
        """Returns the card to play for a region (R2.1)."""
        return name if name in self.flourishing else "inactive"

    def plan_for(self, placement: Placement) -> str:
        """Returns a plan that allows a placement (R4.1, R4.2)."""
        return f"{self.region_card(min(placement.regions))} {placement.card}"

    def play(self, text: str) -> StepResult:
        """Plays an action for the seat to act."""
        return self.engine.step([self.engine.actions.parse(text)])

    def plans(self, *texts: str) -> None:
        """Plays the plans of all seats, from seat 0."""
        for text in texts:
            self.play(text)

    def turn(self, seat: int, plan: str, fief: int | None = None) -> None:
        """Gives a seat the turn to place a fief (None: that on top of its deck)."""
        state = self.state
        state.phase[0], state.num_acted[0] = PLACE, 0
        state.order[0] = sorted(range(state.num_players), key=lambda other: other != seat)
        state.plan[0] = self.engine.actions.parse(plan)
        if fief is not None:
            deck, top = state.deck[0, seat], int(state.round[0]) - 1
            at = deck.tolist().index(fief - 1)
            deck[[top, at]] = deck[[at, top]]
        self.engine.set_state(state, check=False)  # updates legality

    def turn_to(self, seat: int, placement: Placement) -> None:
        """Gives a seat the turn with the plan and fief of a placement."""
        self.turn(seat, self.plan_for(placement), placement.fief)

    def place(self, seat: int, placement: Placement) -> int:
        """Places a fief for a seat; returns the points."""
        self.turn_to(seat, placement)
        return int(self.play(placement.text).points[0])

    def wed(self, seat: int, *hexes: Hex) -> int:
        """Places one or two rings, the first in the planned region; returns the points."""
        region = BOARD.region_of[hexes[0]]
        assert region is not None, "the first ring lies on land"
        self.turn(seat, f"{self.region_card(region)} C")
        return int(self.play(ring_text(*hexes)).points[0])

    def donate(self, seat: int) -> int:
        """Donates for a seat; returns the points."""
        self.turn(seat, "inactive B")
        return int(self.play("donate").points[0])

    def legal(self) -> set[str]:
        """Returns the texts of the legal actions, fiefs without their number."""
        mask = self.engine.legal_action_mask()[0]
        return {self.engine.actions.to_text(action) for action in np.flatnonzero(mask).tolist()}

    def is_legal(self, text: str) -> bool:
        return bool(self.engine.legal_action_mask()[0, self.engine.actions.parse(text)])

    def refusal(self, action: str | int) -> IllegalActionError:
        """Plays an illegal action and returns the error; checks that nothing changed."""
        before = self.state.to_bytes()
        index = self.engine.actions.parse(action) if isinstance(action, str) else action
        with pytest.raises(IllegalActionError) as caught:
            self.engine.step([index])
        assert self.state.to_bytes() == before
        return caught.value

    def begin_round(self, number: int, last: bool = False) -> None:
        """Starts a round with its planning phase."""
        state = self.state
        state.round[0], state.last_round[0] = number, last
        state.phase[0], state.num_acted[0] = PLAN, 0
        state.plan[0] = state.previous_plan[0] = NO_PLAN
        self.engine.set_state(state, check=False)

    def settle(self, round_number: int = 10) -> None:
        """Goes to a round, for all turns but those on the map were donations; checks the state."""
        state, tables = self.state.copy(), self.engine.tables
        here = state.piece[0, :, :-1]
        fiefs = [sorted({*row.tolist()} & {*range(1, 13)}) for row in here]
        rings = (state.ring_cells[0] < tables.num_hexes).sum(axis=1)  # one a wedding
        donations = [
            round_number - 1 - len(own) - ring for own, ring in zip(fiefs, rings, strict=True)
        ]
        state.scores[0, :, SOURCES.index("donations")] = np.multiply(donations, 3)
        state.deck[0] = [
            [fief - 1 for fief in (*own, *({*range(1, 13)} - {*own}))] for own in fiefs
        ]
        state.round[0], state.phase[0], state.num_acted[0] = round_number, PLAN, 0
        state.plan[0], state.previous_plan[0] = NO_PLAN, self.engine.actions.parse("inactive B")
        self.engine.state = state

    def donate_round(self) -> StepResult:
        """Plays a whole round in which everybody donates; returns its last step."""
        while self.state.phase[0] == PLAN:
            self.engine.step(self.engine.legal_action_mask().argmax(axis=1))
        for _ in range(self.engine.num_players):
            result = self.play("donate")
        return result

    def finish(self) -> StepResult:
        """Plays a last round in which everybody donates; returns its last step."""
        self.begin_round(12, last=True)
        result = self.donate_round()
        assert result.finished[0]
        return result

    def scores(self, source: str) -> list[int]:
        """Returns every seat's points from one source."""
        return self.state.scores[0, :, SOURCES.index(source)].tolist()

    def winners(self) -> list[int]:
        return np.flatnonzero(winners(self.engine.tables, self.state)[0]).tolist()
