"""Facts of choices in Signorie, computed by hand for one position."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.heuristics.facts import Choices, LinearPolicy
from gonzaga_agents.heuristics.signorie_facts import SignorieFacts

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.engine import Engine

NAMES, NUM_BASES = SignorieFacts.NAMES, len(SignorieFacts.BASES)
YELLOW, TURQUOISE = 0, 4
FAME, TWO_PER_MEEPLE = 6, 2  # a bonus tile, a VP tile


def first_die() -> Engine:
    """Returns a game in which the seat to act can take a yellow 1 or a turquoise 3."""
    engine = Engine(1, 2, seed=1)
    state, seat = engine.state, int(engine.seats[0])
    rival = 1 - seat
    state.boards[0, [seat, rival]] = 0, 1  # a a b d and b b a c in the political row
    state.pool[:] = 0
    state.pool[0, [YELLOW, TURQUOISE], [0, 2]] = 1
    state.florins[0, seat] = 5
    state.supply[0, seat] = 3, 3
    state.careers[0, seat, 0, 4] = 1  # 9 VP, rank 4
    state.city_tiles[:, :, c.MISSION_TILE] = np.where(state.cities, 3, c.NUM_TILES)  # a5
    state.held[0, seat, 0, [0, 1]] = 1  # a3, b4
    state.row_vp[0, seat, 0] = 7
    state.bonus_tiles[0, 0], state.vp_tiles[:] = FAME, (0, TWO_PER_MEEPLE)
    state.assignments[0] = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)  # yellow: initiative, threshold
    engine.state = state
    return engine


def facts_of(engine: Any, weights: dict[str, float] | None = None) -> dict[str, dict[str, float]]:
    """Returns the facts that are not 0 of each legal action, by its text."""
    policy = np.zeros((len(NAMES), NUM_BASES), np.float32)
    for name, weight in (weights or {}).items():
        policy[NAMES.index(name), 0] = weight
    reader = SignorieFacts(engine.config)
    (found,) = reader.read_engine(engine, np.arange(1), engine.seats, LinearPolicy(policy))
    assert isinstance(found, Choices)
    return {
        engine.actions.to_text(action): {
            name: pytest.approx(value)
            for name, value in zip(NAMES, row.tolist(), strict=True)
            if value
        }
        for action, row in zip(found.actions, found.facts, strict=True)
    }


def kept(room: float) -> dict[str, float]:
    """Returns the facts of the threshold with 3 dice to come, by the room in parts of 9."""
    much = {"the threshold kept with much room, 3 dice to come": room / 9 - 1} if room > 9 else {}
    return much | {
        "the threshold kept, 3 dice to come": 1,
        "the threshold kept with room, 3 dice to come": min(room / 9, 1),
    }


def test_a_helper_is_told_by_what_it_gives() -> None:
    assert facts_of(first_die())["yellow 1 hire 1"] == {  # S6.1, S6.2
        "a Florin": -2,
        "a Florin, up to 8 in all": -2,
        "a helper": 1,
        "a helper: initiative points at each use": 2,
        "a helper in column 5": 1,
        "a point of VP tiles to come": 2,  # S11.5
        **kept(12),
    }


def test_a_mission_is_told_by_male_city_and_tile() -> None:
    assert facts_of(first_die())["turquoise 3 signoria"] == {  # S5.3, S8.2
        "a point": 9,
        "a Florin": -2,
        "a Florin, up to 8 in all": -2,
        "a male on a career": -1,
        "a point of a career slot": -9,
        **{f"a male of rank {rank} or more": -1 for rank in (2, 3, 4)},
        "a point in rows of 2 tiles": -7,  # S12.2
        "a point in rows of 3 or more tiles": 12,
        "a tile": 1,
        "a point of a tile that a rival lacks": 5,
        "a meeple in a city": 1,
        "a point of VP tiles to come": 2,
        **kept(10),
    }


def test_passing_keeps_the_reward() -> None:
    found = facts_of(first_die(), {"a point": 1, "a Florin": 0.5})
    assert found["pass"] == {  # S11.3: 4 VP rather than 3 Florins; no VP for the first bride
        "the threshold kept, no dice to come": 1,
        "the reward in points, kept, no dice to come": 4,
        "passing": 1,
    }


def test_meeples_are_spent_as_often_as_it_pays() -> None:
    found = facts_of(first_die(), {"an initiative point": 1, "a male in the supply": -0.5})
    assert found["yellow 1 assign 1"]["a male in the supply"] == -3  # S7.2
    assert found["yellow 1 assign 1"]["an initiative point"] == 6
    found = facts_of(first_die(), {"an initiative point": 0.1, "a male in the supply": 1})
    assert found["yellow 1 assign 1"]["an initiative point"] == 2


def test_later_decisions_have_the_facts_of_what_they_do() -> None:
    engine = first_die()
    engine.step([engine.actions.parse("yellow 1 assign 1")])
    found = facts_of(engine)
    assert found["spend 2"]["a male in the supply"] == -2
    assert found["spend 2"]["an initiative point"] == 4
    assert found["spend 2"]["a point of the initiative slot"] == 2  # S11.1
