"""What an agent may not know changes nothing that it plays or considers."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.registry import NAMES, agent_names, make_agent

from gonzaga_env.core import GameConfig, Rules
from gonzaga_env.core.state import PLACE, PLAN
from gonzaga_env.kernel.agent import Agent
from tests.agents.mixed import decisions, positions, resampled, seen
from tests.marks import some_nightly

LEAGUES = ("each_player", "first_only")
ROUNDS = (2, 8)  # an early one and a late one
HIDDEN = {
    "gonzaga": {"seed", "objective", "deck", "plan"},
    "tuscany": {"boards", "covered", "deck", "hand", "layout", "seed"},
    "signorie": {"deck", "seed"},
}


def answers(agent: Agent, engine: Any) -> dict[str, Any]:
    """Returns what an agent sees, plays and considers in all games."""
    observations, masks = seen(engine)
    found = {"observations": observations, "masks": masks}
    found["actions"] = agent.act(observations, masks, np.random.default_rng(1))
    if hasattr(agent, "consider"):
        considered = agent.consider(observations[0], masks[0], np.random.default_rng(1))
        found |= {"considered": considered.actions, "values": considered.values}
    return found


def changed_without_effect(agent: Agent, engine: Any) -> set[str]:
    """Returns what an agent does not know, and checks that it plays the same if that differs."""
    twin = resampled(engine)
    before, after = answers(agent, engine), answers(agent, twin)
    for what, value in before.items():
        np.testing.assert_array_equal(value, after[what], err_msg=what)
    fields = engine.state.arrays().items()
    return {field for field, array in fields if (getattr(twin.state, field) != array).any()}


@pytest.mark.parametrize(
    ("name", "num_players", "sea_league"),
    some_nightly(
        [(n, p, league) for n in NAMES for p in (2, 3, 4) for league in LEAGUES],
        lambda case: case[0] != "search" or case[1:] == (3, "each_player"),
    ),
)
def test_what_is_hidden_changes_nothing(name: str, num_players: int, sea_league: Any) -> None:
    config = GameConfig(num_players, rules=Rules(sea_league))
    agent, changed, phases = make_agent(name, config), set[str](), set[int]()
    for engine in positions(config, 4, ROUNDS):
        changed |= changed_without_effect(agent, engine)
        phases |= {*engine.state.phase.tolist()}
    assert changed == HIDDEN["gonzaga"]
    assert phases == {PLAN, PLACE}


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game in ("tuscany", "signorie") for name in agent_names(game)],
)
def test_what_is_hidden_changes_nothing_in_other_games(game: str, name: str) -> None:
    whole = decisions(game, 3)
    engine = whole.from_state(whole.config, whole.state.take(np.arange(0, 256, 3)))
    assert changed_without_effect(make_agent(name, engine.config), engine) == HIDDEN[game]
