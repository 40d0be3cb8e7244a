"""Illegal actions: the error names seat, action, reason and rule, and nothing changes."""

from collections.abc import Callable

import numpy as np
import pytest

from gonzaga_env.core.state.state import current_fiefs
from tests.core.positions import (
    BOARD,
    SITES,
    Placement,
    Position,
    cells_where,
    find,
    fitting,
    placements,
    ring_text,
)

Refused = tuple[Position, str | int]  # a position, and an action that is illegal there

ITALIAN = cells_where(lambda cell: BOARD.region_of[cell] == "Italia" and cell not in SITES)
RING = ring_text(ITALIAN[0])
RING_AT_SEA = ring_text(cells_where(lambda cell: not BOARD.region_of[cell])[0])
TWO_RINGS = ring_text(*next(p for p in BOARD.ring_pairs if {*p} <= {*ITALIAN}))
KEPT = set(fitting())


def later(reach: Callable[..., Refused]) -> Callable[..., Callable[[], Refused]]:
    """Lets a function be called with its arguments when a test runs, on the engine under test."""
    return lambda *given: lambda: reach(*given)


@later
def at_start(text: str) -> Refused:
    return Position(), text


@later
def at_turn(plan: str, text: str) -> Refused:
    position = Position()
    position.turn(0, plan)
    return position, text


@later
def at_placement(condition: Callable[[Placement], object], plan: str | None = None) -> Refused:
    """Returns the turn of seat 0 to place the first placement of all that meets a condition."""
    placement = find(placements(), condition)
    position = Position()
    position.turn(0, plan or position.plan_for(placement), placement.fief)
    return position, placement.text


@later
def after_plans(text: str) -> Refused:
    position = Position()
    position.plans("Francia B + privilege", "Italia C", "Italia C")
    position.donate_round()
    return position, text


@later
def with_rings(stock: int, plan: str, text: str) -> Refused:
    """Returns the turn of seat 0 with a stock of rings; it is to plan if `plan` is empty."""
    position = Position()
    inactive = cells_where(lambda cell: BOARD.region_of[cell] == "Germania")
    for cell in inactive[: 6 - stock]:
        position.wed(0, cell)
    if plan:
        position.turn(0, plan)
    else:
        position.begin_round(2)
    return position, text


def on_a_fief() -> Refused:
    placement = fitting()[0]
    position = Position()
    position.place(1, placement)
    position.turn_to(0, placement)
    return position, placement.text


def on_an_own_ring() -> Refused:
    placement = find(fitting(), lambda p: p.regions == {"Italia"})
    position = Position()
    position.wed(0, find(placement.cells, lambda cell: BOARD.region_of[cell]))
    position.turn_to(0, placement)
    return position, placement.text


@later
def ring_on(what: str) -> Refused:
    position = Position()
    placement = find(fitting(), lambda p: p.regions == {"Italia"})
    cell = find(placement.cells, lambda cell: BOARD.region_of[cell])
    if what == "own fief":
        position.place(0, placement)
    else:
        position.wed(1, cell)
    position.turn(0, "Italia C")
    return position, ring_text(cell)


def second_ring_off_the_map() -> Refused:
    position = Position()
    position.turn(0, "Italia C")
    actions, grid = position.engine.actions, position.engine.tables.edition.grid
    edge = int(np.flatnonzero(grid.neighbors[:, 0] == len(grid))[0])
    return position, actions.rings.start + edge


def on_water(placement: Placement) -> bool:
    return bool(placement.regions) and placement.on_map and not placement.castles_on_land


def across_a_barrier(placement: Placement) -> bool:
    return placement.on_map and placement.castles_on_land and bool(placement.barred)


def another_rotation(placement: Placement) -> bool:
    return placement.fits and placement not in KEPT


def covering(cities: int, harbors: int) -> Callable[[Placement], object]:
    return lambda p: p.fits and p.covers == (cities, harbors) and p.regions == {"Italia"}


# name: (how to get there, rule, words of the message)
REASONS: dict[str, tuple[Callable[[], Refused], str, str]] = {
    "plan when placing": (at_turn("Italia C", "Italia C"), "R3.6", "already revealed"),
    "fief when planning": (at_start(fitting()[0].text), "R3.2", "time to plan"),
    "ring when planning": (at_start(RING), "R3.2", "time to plan"),
    "donation when planning": (at_start("donate"), "R3.2", "time to plan"),
    "inactive region": (at_start("Germania B"), "R2.1", "Germania is inactive"),
    "locked region": (after_plans("Francia A"), "R3.3", "card Francia was played"),
    "locked action": (after_plans("Italia B"), "R3.3", "card B was played"),
    "locked privilege": (after_plans("Italia A + privilege"), "R3.3", "Privilege was played"),
    "no ring to pay": (with_rings(0, "", "Italia A + privilege"), "R3.4", "no ring is left"),
    "off the map": (at_placement(lambda p: p.regions and not p.on_map), "R4.3", "off the"),
    "castle on water": (at_placement(on_water), "R4.4", "a castle is on water"),
    "barrier": (at_placement(across_a_barrier), "R4.5", "barrier"),
    "lower rotation": (at_placement(another_rotation), "R4", "same hexes"),
    "on a fief": (on_a_fief, "R4.3", "holds a fief"),
    "on an own ring": (on_an_own_ring, "R4.3", "holds an own ring"),
    "A without harbor": (at_placement(covering(0, 0), "Italia A"), "R4.2", "action A"),
    "A with a city": (at_placement(covering(1, 1), "Italia A"), "R4.2", "action A"),
    "B with a harbor": (at_placement(covering(0, 1), "Italia B"), "R4.2", "action B"),
    "B with both": (at_placement(covering(1, 1), "Italia B"), "R4.2", "action B"),
    "C without harbor": (at_placement(covering(1, 0), "Italia C"), "R4.2", "action C"),
    "C without city": (at_placement(covering(0, 1), "Italia C"), "R4.2", "action C"),
    "elsewhere": (at_placement(covering(0, 0), "Francia B"), "R4.1", "(Francia)"),
    "elsewhere, inactive": (at_placement(covering(0, 0), "inactive B"), "R4.1", "(inactive)"),
    "wedding without C": (at_turn("Italia B", RING), "R5.1", "needs action C; B is planned"),
    "no ring": (with_rings(0, "Italia C", RING), "R5.1", "left"),
    "one ring for two": (with_rings(1, "Italia C", TWO_RINGS), "R5.1", "needed: 2"),
    "second ring off the map": (second_ring_off_the_map, "R5.2", "second ring"),
    "ring on an own fief": (ring_on("own fief"), "R5.4", "own fief"),
    "ring on a ring": (ring_on("ring"), "R5.4", "already holds a ring"),
    "ring elsewhere": (at_turn("Francia C", RING), "R5.2", "planned region (Francia)"),
    "ring on the sea": (at_turn("Italia C", RING_AT_SEA), "R5.2", "planned region (Italia)"),
}


@pytest.mark.parametrize("reason", REASONS)
def test_every_error_names_seat_action_reason_and_rule(reason: str) -> None:
    reach, rule, why = REASONS[reason]
    position, action = reach()
    actions, seat = position.engine.actions, int(position.engine.seats[0])
    index = actions.parse(action) if isinstance(action, str) else action
    error = position.refusal(index)  # it also sees to it that nothing changed
    assert (error.game, error.seat, error.action, error.rule) == (0, seat, index, rule)
    message = str(error)
    fief = int(current_fiefs(position.engine.state)[0, seat]) + 1
    text = actions.to_text(index, fief) if isinstance(action, str) else "two rings"
    for part in (f"game 0, seat {seat}", f"action {index} ({text}", why, f"({rule})"):
        assert part in message
