"""The public names of gonzaga_agents, and what each of them needs installed."""

import subprocess
import sys

import gonzaga_agents
import pytest

HEAVY = (
    *("rich", "sb3_contrib"),
    *("scipy", "stable_baselines3", "torch", "tyro"),
)
BLOCK = f"""
import sys
for name in {HEAVY}:
    sys.modules[name] = None  # as if it were not installed
import numpy as np
import gonzaga_agents
from gonzaga_env.core import Engine, GameConfig
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCK + code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_public_names_are_sorted_and_there() -> None:
    assert gonzaga_agents.__all__ == sorted(gonzaga_agents.__all__)
    for name in gonzaga_agents.__all__:
        assert getattr(gonzaga_agents, name).__name__ == name
    assert set(gonzaga_agents.__all__) <= set(dir(gonzaga_agents))
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = gonzaga_agents.no_such_name


@pytest.mark.parametrize(
    ("code", "most"),
    [
        ("import gonzaga_agents", 10),
        ("from gonzaga_agents import make_agent", 160),
        ("from gonzaga_agents import evaluate", 170),
    ],
)
def test_imports_are_few(code: str, most: int) -> None:
    """Counts modules, whose number does not depend on the machine as seconds do."""
    counted = (
        f"import sys, numpy, gymnasium, pettingzoo; before = {{*sys.modules}}; {code}\n"
        "new = {*sys.modules} - before\n"
        "print(sum(name.startswith('gonzaga') for name in new), len(new))"
    )
    command = [sys.executable, "-c", counted]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    own, both = map(int, done.stdout.split())
    assert own <= most
    assert both <= most + 60, "modules of others are loaded when they are needed"


def test_baselines_need_no_extra() -> None:
    done = run(
        "agent = gonzaga_agents.make_agent('greedy', GameConfig(2)); engine = Engine(3, 2)\n"
        "rng = np.random.default_rng(0)\n"
        "print(len(agent.act(engine.observe(), engine.legal_action_mask(), rng)))"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("3\n", "", 0)


def test_a_network_agent_needs_torch_only_for_a_torch_network() -> None:
    done = run(
        "from gonzaga_agents.network.agent import NetworkAgent\n"
        "from gonzaga_agents.network.gonzaga import GonzagaReader\n"
        "engine = Engine(3, 2); rng = np.random.default_rng(0)\n"
        "def first(inputs): return -np.arange(16.)[None].repeat(3, 0), np.zeros(3)\n"
        "agent = NetworkAgent(GonzagaReader(engine.config), first, 'first')\n"
        "print(len(agent.act(engine.observe(), engine.legal_action_mask(), rng)))"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("3\n", "", 0)


def test_a_missing_extra_is_named() -> None:
    done = run("from gonzaga_agents import load_agent")
    assert done.returncode == 1
    hint = 'torch is not installed; run: pip install "gonzaga-env[train]"'
    assert done.stderr.splitlines()[-1].startswith(f"ModuleNotFoundError: {hint}")


def test_a_checkpoint_without_torch_names_the_extra() -> None:
    done = run(
        "import pathlib, tempfile\n"
        "path = pathlib.Path(tempfile.mkdtemp()) / 'checkpoint.zip'; path.touch()\n"
        "gonzaga_agents.make_agent(path, GameConfig(2))"
    )
    assert 'pip install "gonzaga-env[train]"' in done.stderr.splitlines()[-1]
