"""What an agent may not know changes nothing that it plays or considers."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.policies.shipped import shipped_players
from gonzaga_agents.registry import BASELINES, make_agent

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state.state import PLACE, PLAN
from gonzaga_env.tabletop.agent import Agent
from tests.agents.mixed import positions
from tests.marks import some_nightly

PLAYERS = {name: [2, 3, 4] for name in sorted(BASELINES)} | {"learned": shipped_players()}
AGENTS = [(name, num_players) for name, numbers in PLAYERS.items() for num_players in numbers]
ROUNDS = (2, 8)  # an early one and a late one
LEAGUES = ("each_player", "first_only")


def with_other_secrets(engine: Engine) -> Engine:
    """Returns the same games to the seats to act; all that they do not know is drawn anew."""
    state = engine.resample(engine.seats, np.random.default_rng(0))
    return Engine.from_state(engine.config, state)


def answers(agent: Agent, engine: Engine) -> dict[str, Any]:
    """Returns what an agent sees, plays and considers in all games."""
    observations, masks = engine.observe(), engine.legal_action_mask()
    found = {"observations": observations, "masks": masks}
    found["actions"] = agent.act(observations, masks, np.random.default_rng(1))
    if hasattr(agent, "consider"):
        considered = agent.consider(observations[0], masks[0], np.random.default_rng(1))
        found |= {"considered": considered.actions, "values": considered.values}
    return found


@pytest.mark.parametrize(
    ("name", "num_players", "sea_league"),
    some_nightly(
        [(*agent, league) for agent in AGENTS for league in LEAGUES],
        lambda case: case[0] != "search" or case[2] == "each_player",
    ),
)
def test_what_is_hidden_changes_nothing(name: str, num_players: int, sea_league: Any) -> None:
    config = GameConfig(num_players, rules=Rules(sea_league))
    agent, changed, phases = make_agent(name, config), set(), set()
    for engine in positions(config, 4, ROUNDS):
        twin = with_other_secrets(engine)
        before, after = answers(agent, engine), answers(agent, twin)
        for what, value in before.items():
            np.testing.assert_array_equal(value, after[what], err_msg=what)
        fields = engine.state.arrays().items()
        changed |= {field for field, array in fields if (getattr(twin.state, field) != array).any()}
        phases |= {*engine.state.phase.tolist()}
    assert changed == {"seed", "objective", "deck", "plan"}
    assert phases == {PLAN, PLACE}


@pytest.mark.parametrize("name", [name for name, number in AGENTS if number == 3])
def test_a_choice_does_not_depend_on_the_other_rows(name: str) -> None:
    """The batch plays one of the best choices of each position considered alone."""
    agent: Any = make_agent(name, GameConfig(3))
    for engine in positions(GameConfig(3), 4, ROUNDS):
        observations, masks = engine.observe(), engine.legal_action_mask()
        alone = [
            [agent.consider(*seen, np.random.default_rng(seed)) for seed in (2, 3)]
            for seen in zip(observations, masks, strict=True)
        ]
        if any(not np.array_equal(one.values, other.values) for one, other in alone):
            pytest.skip(f"{name} draws numbers while it considers, so rows share a stream of them")
        actions = agent.act(observations, masks, np.random.default_rng(4))
        for (found, _), action in zip(alone, actions, strict=True):
            value = found.values[found.actions == action]
            assert value == pytest.approx(found.values[0], abs=1e-4)
