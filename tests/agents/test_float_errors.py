"""No agent depends on NumPy's handling of floating-point errors."""

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest
from gonzaga_agents.registry import agent_names, make_agent

from gonzaga_env import castles_of_tuscany_v0, gonzaga_v0, signorie_v0
from gonzaga_env.games import game_names, game_spec


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    with np.errstate(all="raise"):
        yield


def small(name: str) -> str:
    """Returns the spec of an agent, with a small budget for searches."""
    return f"{name}@2" if name == "search" else name


@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize("game", game_names())
def test_agents_play_engines_and_observations(game: str, num_players: int) -> None:
    """As evaluations play, in batches, and one decision at a time as a seat of an environment."""
    spec = game_spec(game)
    config = spec.config(num_players=num_players)
    for name in agent_names(game):
        agent, rng = make_agent(small(name), config), np.random.default_rng(0)
        engine = spec.engine.from_config(config, 4, seed=3)
        for _ in range(12 if name == "search" else 40):
            seen = engine.observe(), engine.legal_action_mask()
            actions = agent.act(*seen, rng)
            if hasattr(agent, "act_in"):
                actions = agent.act_in(engine, np.arange(4), engine.seats, rng)
            if hasattr(agent, "evaluate"):
                agent.evaluate(*seen)
            engine.step(actions)


@pytest.mark.parametrize("module", [gonzaga_v0, castles_of_tuscany_v0, signorie_v0])
def test_agents_play_an_environment(module: ModuleType) -> None:
    env = module.env(num_players=2)
    config = env.unwrapped.config
    for name in agent_names(config.game):
        agent, rng = make_agent(small(name), config), np.random.default_rng(0)
        env.reset(seed=1)
        for _ in range(6 if name == "search" else 30):
            if env.terminations[env.agent_selection]:
                break
            seen = env.observe(env.agent_selection)
            mask = seen["action_mask"].astype(np.bool_)
            (action,) = agent.act(seen["observation"][None], mask[None], rng)
            env.step(int(action))
