"""States from outside: those of games pass, and every contradiction is refused by its field."""

import dataclasses
from functools import partial

import numpy as np
import pytest

from gonzaga_env.core import Engine, Game, State, StateError, load_edition
from gonzaga_env.core.board.actions import NO_PLAN, plan_action
from gonzaga_env.core.constants import ALLIANCE, INACTIVE_CARD
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.check import check_state
from gonzaga_env.core.state.derive import write_derived
from gonzaga_env.core.state.state import PLACE, PLAN, SOURCES
from tests.conftest import played
from tests.core.histories import after_donations, settle, wed


def engine_after(num_steps: int, num_players: int = 3, rules: Rules = Rules()) -> Engine:
    return played(Engine(8, num_players, seed=3, rules=rules, autoreset=False), num_steps)


def after(num_steps: int, num_players: int = 3) -> tuple[Engine, State]:
    """Returns games after random steps, and a copy of their state to spoil."""
    engine = engine_after(num_steps, num_players)
    return engine, engine.state.copy()


def refused(engine: Engine, state: State, match: str) -> None:
    before = engine.state.copy()
    with pytest.raises(StateError, match=match):
        engine.state = state
    assert engine.state == before


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", [Rules(), Rules("first_only", 1)])
def test_every_state_of_a_game_passes(num_players: int, rules: Rules) -> None:
    engine = Engine(6, num_players, seed=1, rules=rules, autoreset=False)
    rng = np.random.default_rng(2)
    while not engine.state.finished.all():
        engine.step(engine.sample_legal(rng))
        check_state(engine.tables, rules, engine.state)
        samples = engine.resample(0, rng)
        check_state(engine.tables, rules, samples)


@pytest.mark.parametrize(
    ("num_steps", "field", "at", "value"),
    [
        (20, "piece", (0, 0, 316), 1),
        (20, "plan", (0, 0), 42),
        (20, "previous_plan", (0, 0), 100),
        (23, "previous_plan", (0, 1), 0),
        (20, "sea_harbors", (0, 1, 1), 9),
        (20, "scores", (0, 0, 0), 77),
        (20, "scores", (0, 0, 3), 2),
        (20, "scores", (0, 0, 4), 15),
        (20, "blocked", (0, 3, 0), 12345),
        (20, "ring_blocked", (0, 1, 0), 12345),
        (20, "group", (0, 0, 17), 1),
        (20, "largest_group", (0, 0), 9),
        (20, "fiefs", (0, 0, 0), 12345),
        (20, "rings", (0, 0, 0), 12345),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_by_its_field(
    num_steps: int, field: str, at: tuple[int, ...], value: int
) -> None:
    engine, state = after(num_steps)
    assert getattr(state, field)[at] != value
    getattr(state, field)[at] = value
    refused(engine, state, rf"game 0: ({field}|piece) ")


def test_the_game_is_named() -> None:
    engine, state = after(20)
    state.deck[5, 2, 3] = state.deck[5, 2, 4]
    refused(engine, state, "game 5: deck takes each fief, 0 to 11, once")
    state = engine.state.copy()
    state.objective[6] = 4
    refused(engine, state, "game 6: objective takes another one for each player")


def test_pieces_that_no_game_has_are_refused() -> None:
    engine = engine_after(40)
    moves = [partial(move_a_hex, seat=seat) for seat in range(3)]
    for change, reason in (
        *((move, "piece holds fiefs in shapes that") for move in moves),
        (share_a_hex, "one fief on a hex|shapes"),
        (add_a_ring, "ring_cells is empty|shows the rings"),
    ):
        state = engine.state.copy()
        change(state)
        refused(engine, state, f"game 0: .*({reason})")


@pytest.mark.parametrize("fief", range(1, 13))
def test_fiefs_of_each_number_are_looked_at(fief: int) -> None:
    engine = Engine(1, 2)
    state = engine.state.copy()
    state.piece[0, 0, [0, engine.tables.num_hexes - 1]] = fief
    write_derived(engine.tables, state)
    refused(engine, state, "game 0: piece holds fiefs in shapes that they have")


def move_a_hex(state: State, seat: int = 0) -> None:
    piece = state.piece[0, seat]
    held = np.flatnonzero((piece > 0) & (piece <= 12))
    cell = held[piece[held].argmin()]  # of the fief that is looked at first
    free = np.flatnonzero((state.piece[0] == 0).all(axis=0))[:-1]
    piece[free[-1]], piece[cell] = piece[cell], 0


def share_a_hex(state: State) -> None:
    held = (state.piece[0, 0] > 0) & (state.piece[0, 0] <= 12)
    state.piece[0, 1][held] = state.piece[0, 0][held]


def add_a_ring(state: State) -> None:
    state.ring_cells[0, 0, 5] = 3


def test_bytes_of_bools_are_zeros_and_ones() -> None:
    engine = engine_after(20)
    for name in ("last_round", "finished", "leagues"):
        state = engine.state.copy()
        getattr(state, name).view(np.uint8).flat[0] = 2
        refused(engine, state, f"game 0: {name} takes 0 or 1")


def test_leagues_follow_from_harbors() -> None:
    for rules in (Rules(), Rules("first_only")):
        engine = engine_after(70, rules=rules)
        game, seat, sea = np.argwhere(engine.state.leagues)[0]
        state = engine.state.copy()
        state.leagues[game, seat, sea] = False
        state.scores[game, seat, SOURCES.index("leagues")] -= 10
        refused(engine, state, f"game {game}: leagues does not follow")


def test_a_finished_game_has_its_final_points() -> None:
    engine = engine_after(80, 2)
    assert engine.state.finished.all()
    state = engine.state.copy()
    state.scores[3, 1, SOURCES.index("objective")] += 1
    refused(engine, state, "game 3: scores differs from a recount")
    state = engine.state.copy()
    state.last_round[2] = False
    refused(engine, state, r"game 2: finished comes after the last round")


def test_plans_are_there_for_the_seats_that_have_planned() -> None:
    engine = engine_after(1)  # seat 0 alone
    plan = engine.state.plan[0, 0]
    for plans in ([NO_PLAN, NO_PLAN], [plan, plan]):
        state = engine.state.copy()
        state.plan[0, :2] = plans
        refused(engine, state, "game 0: plan is there for the seats that have")


def test_r3_3_previous_plans_are_over_while_fiefs_are_placed() -> None:
    engine, state = after(23)
    assert (state.phase == PLACE).all()
    state.previous_plan[0, 1] = state.plan[0, 1]
    refused(engine, state, "game 0: previous_plan is 255 in the second phase")


@pytest.mark.parametrize(("phase", "num_acted"), [(PLACE, 0), (PLAN, 1)])
def test_a_game_ends_with_a_round(phase: int, num_acted: int) -> None:
    """R7: not before a seat to act has acted."""
    engine, state = after(26, 2)
    while state.phase[0] != phase or state.num_acted[0] != num_acted:
        engine.step(engine.sample_legal(np.random.default_rng(0)))
        state = engine.state.copy()
    state.last_round[0] = state.finished[0] = True
    refused(engine, state, "game 0: finished comes at the end of a round")


def test_two_seats_have_no_ring_on_one_hex() -> None:
    """R5.4, in a state that contradicts nothing else."""
    engine = Engine(1, 2)
    state = engine.state.copy()
    for seat in range(2):
        state.ring_cells[0, seat, 0], state.ring_stock[0, seat] = 7, 5
        state.piece[0, seat, 7] = 13
    write_derived(engine.tables, state)
    refused(engine, state, "game 0: ring_cells takes one ring on a hex")


def test_states_of_other_editions_and_options_are_refused() -> None:
    engine = engine_after(20)
    other = Engine(1, 3, rules=Rules("first_only"))
    with pytest.raises(
        StateError, match=r"the game's options are Options\(sea_league='first_only'"
    ):
        other.state = engine.state
    edition = load_edition("europe")
    one_less = dataclasses.replace(edition, barriers=edition.barriers[1:])
    twin = Engine(1, 3, edition=one_less)
    with pytest.raises(StateError, match="the state is of another edition"):
        twin.state = engine.state
    with pytest.raises(StateError, match="another edition"):
        Game(3, edition=one_less).state = engine.state.take(slice(0, 1))
    with pytest.raises(StateError, match="different editions or options"):
        State.concatenate([engine.state, engine_after(20, rules=Rules("first_only")).state])


def test_a_ring_on_the_map_is_not_in_stock() -> None:
    """R5.1, R5.6: the last ring spent, counted back into the stock."""
    engine, state = after(70)
    game, seat, _ = np.argwhere(state.ring_cells < engine.tables.num_hexes)[0]
    lying = state.ring_cells[game, seat] < engine.tables.num_hexes
    state.ring_stock[game, seat] = 6 - np.flatnonzero(lying)[-1]
    refused(engine, state, f"game {game}: ring_cells is empty for rings in stock")


@pytest.mark.parametrize(("num_steps", "field"), [(23, "plan"), (26, "previous_plan")])
def test_plans_take_cards_of_the_scenario(num_steps: int, field: str) -> None:
    """R2.1: the cards of inactive regions are removed."""
    engine, state = after(num_steps)
    assert getattr(state, field)[0, 0] != NO_PLAN
    inactive = np.flatnonzero(~engine.tables.flourishing[state.scenario[0]])
    getattr(state, field)[0, 0] = 6 * inactive[0]  # region card x 6, action A
    refused(engine, state, f"game 0: {field} takes cards of the scenario")


@pytest.mark.parametrize(
    ("field", "beyond"),
    [
        ("scenario", 16), ("objective", 16), ("round", 0), ("round", 13), ("phase", 2),
        ("num_acted", 3), ("order", 3), ("ring_stock", 7), ("ring_cells", None), ("piece", 19),
    ],
)  # fmt: skip
def test_the_first_value_out_of_range_is_refused(field: str, beyond: int | None) -> None:
    engine = engine_after(18)  # the fourth round's plans
    state = engine.state.copy()
    values = getattr(state, field)
    values.flat[0] = engine.tables.num_hexes + 1 if beyond is None else beyond
    refused(engine, state, f"game 0: {field} takes ")


def test_no_two_fiefs_share_a_hex_whatever_their_numbers() -> None:
    """R4.3, in a state that contradicts nothing else."""
    engine = Engine(1, 2)
    placements = engine.tables.placements
    possible = placements.number[: -4 * engine.tables.num_hexes - 1].reshape(12, -1) == 0
    for fief, row in zip(*possible.nonzero(), strict=True):
        cells = placements.cells[fief * possible.shape[1] + row]
        state = engine.state.copy()
        state.piece[0][:, cells[cells < engine.tables.num_hexes]] = fief + 1
        write_derived(engine.tables, state)
        refused(engine, state, "game 0: piece takes one fief on a hex")


def test_rings_on_the_first_and_the_last_hex_pass() -> None:
    """They are at sea on the shipped map, so this one has land there."""
    edition = load_edition("europe")
    marks = [list(line) for line in edition.marks]
    land = next(iter(edition.regions))
    for row, col in (edition.grid.cells[0], edition.grid.cells[-1]):
        marks[row][col] = land
    engine = Engine(1, 2, edition=dataclasses.replace(edition, marks=tuple(map(tuple, marks))))
    state = after_donations(engine, 4)
    state.previous_plan[0, 0] = plan_action(INACTIVE_CARD, ALLIANCE)
    wed(state, 0, 0)
    wed(state, 0, engine.tables.num_hexes - 1)
    engine.state = settle(engine, state)
    assert engine.state == state
