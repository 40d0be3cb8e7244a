"""`tools/improve_policy.py` begins with the shipped policy, and what it saves can be exported."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.checkpoint import read_description
from gonzaga_agents.network.parts import TorchForward, network_parts
from gonzaga_agents.policies.learned import load_learned
from gonzaga_agents.policies.shipped import read_description as read_policy
from gonzaga_agents.training.export import export

from gonzaga_env.core import Engine, GameConfig

TOOL = Path(__file__).parents[3] / "tools" / "improve_policy.py"


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("improve_policy", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_begins_with_the_shipped_policy(tool: Any, players: int) -> None:
    config = GameConfig(players)
    shipped, parts = load_learned(config), network_parts(config, "planner")
    network = parts.network(parts.reader(config).sizes, 64)
    network.load_state_dict(tool.shipped_weights(players))
    forward = TorchForward(network.eval())
    own = NetworkAgent(parts.reader(config), forward, "own", True, "margin", 1 / 30)
    engine, rng = Engine(8, players, seed=1), np.random.default_rng(1)
    for _ in range(3 * players):
        seen = engine.observe(), engine.legal_action_mask()
        found, wanted = own.evaluate(*seen), shipped.evaluate(*seen)
        np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-4)
        np.testing.assert_allclose(found.values, wanted.values, atol=1e-2)  # points
        engine.step(engine.sample_legal(rng))


@pytest.mark.nightly
def test_a_toy_run_is_saved_and_exported(tool: Any, tmp_path: Path) -> None:
    sizes = {"players": 2, "turns": 3000, "warm_up": 1000, "games": 32, "minibatch": 512}
    tool.STEPS = 1024
    tool.main(tool.Arguments(out=tmp_path, opponents=("greedy",), **sizes))
    before = read_policy(Path(tool.FOLDER) / "players_2.json")["turns"]
    after = read_description(tmp_path / "checkpoint.zip")["timesteps"]
    assert 3000 <= after - before < 5000
    model, about = export(tmp_path / "checkpoint.zip", tmp_path / "policy", "as tested")
    assert model.is_file()
    assert read_policy(about)["turns"] == after
