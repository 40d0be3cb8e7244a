"""`tools/policy_checkpoint.py` writes the checkpoint of a shipped policy."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.network.checkpoint import read_description
from gonzaga_agents.policies.shipped import policy_folder, policy_path
from gonzaga_agents.policies.shipped import read_description as read_policy

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.errors import OptionError

TOOL = Path(__file__).parents[3] / "tools" / "policy_checkpoint.py"


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("policy_checkpoint", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("game", "players"),
    [*(("gonzaga", players) for players in (2, 3, 4)), ("tuscany", 2), ("signorie", 3)],
)
def test_the_checkpoint_plays_as_the_policy(
    tool: Any, game: str, players: int, tmp_path: Path
) -> None:
    tool.main(tool.Arguments(out=tmp_path, game=game, players=players))
    shipped = read_policy(policy_path(policy_folder(game), players, "json"))
    found = read_description(tmp_path / "checkpoint.zip")
    assert (found["timesteps"], found["network"]) == (shipped["turns"], shipped["network"])
    spec = game_spec(game)
    config = spec.config(num_players=players)
    engine, rng = spec.engine.from_config(config, 16, 1), np.random.default_rng(1)
    agents = [make_agent(spec, config) for spec in ("learned", str(tmp_path))]
    for _ in range(30):
        seen = engine.observe(), engine.legal_action_mask()
        thoughts = [agent.evaluate(*seen).probabilities for agent in agents]
        np.testing.assert_allclose(*thoughts, atol=1e-4)
        engine.step(engine.sample_legal(rng))


def test_only_policies_that_ship_are_written(tool: Any, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no policy of tuscany ships for 5 players"):
        tool.main(tool.Arguments(out=tmp_path, game="tuscany", players=5))
