"""Rivals: expected numbers that follow from the turn order of the engine."""

from dataclasses import replace

import numpy as np
import pytest
from gonzaga_agents.gonzaga.heuristic import IMMEDIATE, Heuristic
from gonzaga_agents.gonzaga.rivals import Rivals

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.board.actions import PLAN_CARDS
from tests.conftest import played

TEMPERATURE = 2.0


def planning(num_players: int, num_rounds: int) -> Engine:
    """Returns games in which everybody is to plan."""
    engine = Engine.from_config(GameConfig(num_players), 3, seed=13)
    return played(engine, 2 * num_players * num_rounds, 13)


def without_objectives(engine: Engine) -> Heuristic:
    return Heuristic(engine.tables, engine.rules, replace(IMMEDIATE, objective=None))


def legal_plans_of(engine: Engine, game: int, seat: int) -> np.ndarray:
    """Returns the plans of a seat, found by letting the seats before it plan."""
    return played(engine.copy(), seat).legal_action_mask()[game].nonzero()[0]


def places_first(engine: Engine, game: int, seats: list[int], plans: list[int]) -> bool:
    """Returns whether the first of two seats places before the other, by the engine."""
    rng = np.random.default_rng(0)
    only = Engine.from_state(engine.config, engine.state.take(np.array([game])))
    for seat in range(engine.num_players):
        action = plans[seats.index(seat)] if seat in seats else int(only.sample_legal(rng)[0])
        only.step(np.array([action]))
    order = only.state.order[0].tolist()
    return order.index(seats[0]) < order.index(seats[1])


@pytest.mark.parametrize("num_rounds", [0, 5])
def test_rivals_are_those_of_the_turn_order(num_rounds: int) -> None:
    engine, seat, other = planning(2, num_rounds), 1, 0
    heuristic, games = without_objectives(engine), np.arange(3)
    found = Rivals(heuristic, engine.state, games, np.full(3, seat), TEMPERATURE).before()
    values = heuristic.values(engine.state, games, np.full(3, other))
    scores = heuristic.plans(engine.state, values)
    for game in games.tolist():
        theirs = legal_plans_of(engine, game, other)
        chances = np.exp((scores[game, theirs] - scores[game, theirs].max()) / TEMPERATURE)
        chances /= chances.sum()
        for mine in legal_plans_of(engine, game, seat)[::3].tolist():
            wanted = sum(
                chance
                for plan, chance in zip(theirs.tolist(), chances, strict=True)
                if PLAN_CARDS[plan][0] == PLAN_CARDS[mine][0]
                and places_first(engine, game, [other, seat], [plan, mine])
            )
            assert found[game, mine] == pytest.approx(wanted, abs=1e-4)
    assert found.max() > 0.2


def test_rivals_of_several_seats_add_up() -> None:
    engine = planning(4, 3)
    heuristic, games, seats = without_objectives(engine), np.arange(3), np.array([0, 2, 3])
    found = Rivals(heuristic, engine.state, games, seats, TEMPERATURE).before()
    assert (found >= 0).all()
    assert (found <= 3 + 1e-5).all()
    privilege = PLAN_CARDS[:, 2] == 1
    assert (found[:, privilege] <= found[:, ~privilege] + 1e-5).all()  # it goes first (R3.5)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_expectations_equal_sums_over_single_plans(num_players: int) -> None:
    """With games listed for several seats, once, and not at all."""
    engine = planning(num_players, 3)
    games = np.array([0] * num_players + [2])
    seats = np.array([*range(num_players), 1])
    heuristic = without_objectives(engine)
    found = Rivals(heuristic, engine.state, games, seats, TEMPERATURE)
    before, regions = found.before(), found.regions()
    chances = {
        (game, seat): chances_of(heuristic, engine, game, seat)
        for game in (0, 2)
        for seat in range(num_players)
    }
    for row, (game, seat) in enumerate(zip(games.tolist(), seats.tolist(), strict=True)):
        others = [other for other in range(num_players) if other != seat]
        theirs = [(o, plan, c) for o in others for plan, c in chances[game, o].items()]
        for region in range(7):
            wanted = sum(chance for _, plan, chance in theirs if PLAN_CARDS[plan][0] == region)
            assert regions[row, region] == pytest.approx(wanted, abs=1e-4)
        for mine in range(42):
            wanted = sum(
                chance
                for other, plan, chance in theirs
                if PLAN_CARDS[plan][0] == PLAN_CARDS[mine][0]
                and turn_key(engine, game, other, plan) < turn_key(engine, game, seat, mine)
            )
            assert before[row, mine] == pytest.approx(wanted, abs=1e-4)


def chances_of(heuristic: Heuristic, engine: Engine, game: int, seat: int) -> dict[int, float]:
    """Returns how likely each legal plan of a seat is."""
    values = heuristic.values(engine.state, np.array([game]), np.array([seat]))
    scores = heuristic.plans(engine.state, values)[0].astype(np.float64)
    legal = legal_plans_of(engine, game, seat)
    odds = np.exp((scores[legal] - scores[legal].max()) / TEMPERATURE)
    return dict(zip(legal.tolist(), (odds / odds.sum()).tolist(), strict=True))


def turn_key(engine: Engine, game: int, seat: int, plan: int) -> tuple[int, ...]:
    """Returns what the turn order sorts by: privilege, action, number of the fief card (R3.5)."""
    _, action, privilege = PLAN_CARDS[plan].tolist()
    fief = int(engine.state.deck[game, seat, engine.state.round[game] - 1])
    return 1 - privilege, action, 10 * fief + seat


def test_secret_objectives_change_nothing() -> None:
    engine = planning(3, 4)
    heuristic, games, seats = without_objectives(engine), np.arange(3), np.array([0, 1, 2])
    before = Rivals(heuristic, engine.state, games, seats, TEMPERATURE).before()
    state = engine.state.copy()
    state.objective[:] = np.roll(state.objective, 1, axis=1)
    after = Rivals(heuristic, state, games, seats, TEMPERATURE).before()
    np.testing.assert_array_equal(before, after)
