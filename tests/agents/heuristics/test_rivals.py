"""Rivals: expected numbers that follow from the turn order of the engine."""

from dataclasses import replace

import numpy as np
import pytest
from gonzaga_agents.heuristics.gonzaga import Rivals
from gonzaga_agents.heuristics.gonzaga_scores import IMMEDIATE, Heuristic

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
