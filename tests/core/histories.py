"""Games whose past is made up: every turn was a donation, or what a test makes of it."""

from collections.abc import Callable

import numpy as np

from gonzaga_env.core import Engine, State
from gonzaga_env.core.board.actions import NO_PLAN, plan_action, plan_cards
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.constants import CITIES, INACTIVE_CARD, NUM_FIEFS
from gonzaga_env.core.state.derive import write_derived
from gonzaga_env.core.state.state import PLACE, SOURCES

DONATIONS = SOURCES.index("donations")
INACTIVE_B = plan_action(INACTIVE_CARD, CITIES)


def after_donations(engine: Engine, round_number: int) -> State:
    """Returns the first game in the planning phase of a round; all turns before were donations."""
    state = engine.state.copy()
    state.round[:], state.last_round[:] = round_number, round_number == NUM_FIEFS
    state.scores[..., DONATIONS] = 3 * (round_number - 1)
    state.previous_plan[:] = NO_PLAN if round_number == 1 else INACTIVE_B
    return state


def turn_order(state: State) -> list[int]:
    """Returns the seats of the first game in the order of their turns (R3.5)."""

    def priority(seat: int) -> tuple[int, ...]:
        _, action, privilege = plan_cards(int(state.plan[0, seat]))
        return -privilege, action, int(state.deck[0, seat, state.round[0] - 1]), seat

    return sorted(range(state.num_players), key=priority)


def revealed(state: State, plan: int = INACTIVE_B) -> None:
    """Goes on to the second phase of the round, everybody with the same plan."""
    state.plan[:], state.previous_plan[:] = plan, NO_PLAN
    state.phase[:] = PLACE
    state.order[0] = turn_order(state)


def donate(state: State, seat: int, count: int = 1) -> None:
    """Adds donations of a seat in the first game, or takes some back."""
    points = int(state.scores[0, seat, DONATIONS]) + 3 * count
    state.scores[0, seat, DONATIONS] = np.clip(points, -(2**15), 2**15 - 1)


def wed(state: State, seat: int, *cells: int) -> None:
    """Turns a donation into a wedding; `settle` writes what follows."""
    for cell in cells:
        slot = 6 - int(state.ring_stock[0, seat])
        state.ring_cells[0, seat, slot], state.piece[0, seat, cell] = cell, 13 + slot
        state.ring_stock[0, seat] -= 1
    donate(state, seat, -1)


def place(
    engine: Engine,
    state: State,
    seat: int,
    turn: int,
    where: Callable[[int], object] = lambda row: True,
) -> int:
    """Turns the donation of a turn, from 1, into the fief; returns the placement's row."""
    tables, fief = engine.tables, int(state.deck[0, seat, turn - 1])
    rows = np.arange(6 * tables.num_hexes) + fief * 6 * tables.num_hexes
    for row in rows[tables.placements.fault[rows] == PlacementFault.NONE].tolist():
        cells = tables.placements.cells[row]
        cells = cells[cells < tables.num_hexes]
        if where(row) and not state.piece[0][:, cells].any():
            state.piece[0, seat, cells] = fief + 1
            donate(state, seat, -1)
            return row
    raise AssertionError("the fief lies nowhere so")


def settle(engine: Engine, state: State) -> State:
    """Returns the state with all that follows from the map."""
    write_derived(engine.tables, state)
    state.leagues[:] = state.sea_harbors >= 3
    write_derived(engine.tables, state)
    return state
