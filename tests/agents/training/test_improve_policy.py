"""What `tools/improve_policy.py` saves can be exported."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.network.checkpoint import read_description
from gonzaga_agents.policies.shipped import read_description as read_policy
from gonzaga_agents.training.export import export

TOOL = Path(__file__).parents[3] / "tools" / "improve_policy.py"


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("improve_policy", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
