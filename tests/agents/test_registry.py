"""Agents by name, checkpoint, class or object."""

import sys
import zipfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import gonzaga_agents
import numpy as np
import pytest
from gonzaga_agents.agent import RandomAgent
from gonzaga_agents.heuristics.gonzaga import GreedyAgent
from gonzaga_agents.network.description import write_description
from gonzaga_agents.registry import (
    BASELINES,
    NAMES,
    absolute_spec,
    checkpoint_players,
    find_checkpoint,
    for_any_edition,
    is_builtin,
    make_agent,
    plays_shipped,
)

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.kernel.agent import AgentError, agent_name
from gonzaga_env.kernel.errors import GameError

CONFIG = GameConfig(3)
MODULE = """
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Mine:
    config: object
    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)

class Broken:
    def __init__(self, config):
        raise RuntimeError("no luck\\nwith cards")
    def act(self, observations, masks, rng): ...

class NoArguments:
    def act(self, observations, masks, rng): ...

class Silent:
    def __init__(self, config): ...

def factory(config):
    return Mine(config)

instance = Mine(None)
number = 7
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "registry_example.py"
    path.write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return path


def test_names_make_their_agents() -> None:
    agents = {name: make_agent(name, CONFIG) for name in BASELINES}
    assert [agent_name(agents[name]) for name in BASELINES] == list(BASELINES)
    assert isinstance(agents["random"], RandomAgent)
    assert isinstance(agents["greedy"], GreedyAgent)


@pytest.mark.parametrize("spec", ["gready", "", "no/such/run.zip", ":Mine", "mine:"])
def test_unknown_agents_are_told_the_names(spec: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(spec, GameConfig(4))
    message = str(caught.value)
    assert "\n" not in message
    assert all(name in message for name in (repr(spec), *NAMES))
    assert isinstance(caught.value, GameError)


@pytest.mark.parametrize("name", ["Mine", "factory"])
def test_a_class_of_a_module_or_a_file_is_built_from_the_config(file: Path, name: str) -> None:
    for source in ("registry_example", str(file)):
        agent: Any = make_agent(f"{source}:{name}", CONFIG)
        assert agent.config is CONFIG
        assert agent_name(agent) == "Mine"


def test_classes_and_objects_are_agents_too(file: Path) -> None:
    assert make_agent(f"{file}:instance", CONFIG).config is None  # type: ignore[attr-defined]
    agent = GreedyAgent(CONFIG)
    assert make_agent(agent, CONFIG) is agent
    assert isinstance(make_agent(RandomAgent, CONFIG), RandomAgent)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Nobody", "has no 'Nobody'; it has Mine, Broken, NoArguments, instance"),
        ("Broken", r"RuntimeError: no luck with cards \(registry_example\.py, line \d+\)"),
        ("NoArguments", "cannot be built from a GameConfig: TypeError"),
        ("Silent", "is not an agent: it has no method act"),
        ("number", "is not an agent: it has no method act"),
    ],
)
def test_what_cannot_be_built_says_why(file: Path, name: str, words: str) -> None:
    for source in ("registry_example", str(file)):
        with pytest.raises(AgentError, match=words) as caught:
            make_agent(f"{source}:{name}", CONFIG)
        assert source in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", [object(), 7, None])
def test_objects_without_act_are_refused(spec: Any) -> None:
    with pytest.raises(AgentError, match="has no method act"):
        make_agent(spec, CONFIG)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("class Mine(:", "SyntaxError: .*line 1"),
        ("import no_such_library_of_ours", "No module named 'no_such_library_of_ours'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_file_that_fails_says_why(tmp_path: Path, code: str, words: str) -> None:
    path = tmp_path / "failing.py"
    path.write_text(code)
    with pytest.raises(AgentError, match=f"cannot be imported: .*{words}") as caught:
        make_agent(f"{path}:Mine", CONFIG)
    assert "\n" not in str(caught.value)
    assert not [name for name in sys.modules if "failing" in name]


def test_a_file_hides_no_module(tmp_path: Path) -> None:
    path = tmp_path / "colorsys.py"
    path.write_text(MODULE)
    make_agent(f"{path}:Mine", CONFIG)
    assert hasattr(import_module("colorsys"), "rgb_to_hsv")


def test_missing_modules_and_files_are_named() -> None:
    with pytest.raises(AgentError, match="no module 'no_such_module'"):
        make_agent("no_such_module:Mine", CONFIG)
    with pytest.raises(AgentError, match=r"no module 'no_such_module\.inner'"):
        make_agent("no_such_module.inner:Mine", CONFIG)
    with pytest.raises(AgentError, match=r"no/such\.py cannot be imported: .*no such file"):
        make_agent("no/such.py:Mine", CONFIG)


def test_a_checkpoint_is_a_file_or_in_a_runs_folder(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    with pytest.raises(AgentError, match="holds no checkpoint"):
        find_checkpoint(str(run))
    checkpoint = run / "checkpoint.zip"
    checkpoint.touch()
    assert find_checkpoint(str(run)) == find_checkpoint(run) == checkpoint
    assert find_checkpoint(str(checkpoint)) == checkpoint


def test_a_checkpoint_knows_its_players(tmp_path: Path) -> None:
    description = {
        **{"num_players": 3, "edition": "Europe", "rules": {}, "network": {"width": 8}},
        **{"reward": "margin", "reward_scale": 1, "timesteps": 0, "seconds": 0, "arguments": {}},
    }
    with zipfile.ZipFile(tmp_path / "checkpoint.zip", "w") as archive:
        archive.writestr("gonzaga.json", write_description(description))
    assert checkpoint_players(str(tmp_path)) == 3
    assert checkpoint_players("random") is None
    assert checkpoint_players("no/such.zip") is None
    assert checkpoint_players(RandomAgent(CONFIG)) is None


@pytest.mark.parametrize("name", ["random", "learned"])
def test_a_folder_hides_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "checkpoint.zip").touch()
    monkeypatch.chdir(tmp_path)
    assert find_checkpoint(name) is find_checkpoint(f"search:{name}") is checkpoint_players(name)
    assert find_checkpoint(f"./{name}") == Path(name, "checkpoint.zip")


def test_files_of_one_name_are_modules_of_their_own(tmp_path: Path) -> None:
    agents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        code = f"""
class Mine:
    name = {name!r}

    def __init__(self, config):
        pass

    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)
"""
        (tmp_path / name / "mine.py").write_text(code)
        agents.append(make_agent(f"{tmp_path}/{name}/mine.py:Mine", CONFIG))
    one, two = (sys.modules[type(agent).__module__] for agent in agents)
    assert one is not two
    assert [agent_name(agent) for agent in agents] == ["one", "two"]
    assert vars(one)["Mine"] is type(agents[0])


def test_a_spec_that_is_no_path_is_refused() -> None:
    with pytest.raises(AgentError, match=r"^agent 'aaa.*: File name too long$") as refused:
        make_agent("a" * 5000, GameConfig(2))
    assert len(str(refused.value)) < 200


def test_a_policy_plays_an_edition_that_it_does_not_know_if_asked_to() -> None:
    europe = GameConfig(2)
    stranger = replace(europe.edition, name="Elsewhere")
    elsewhere = GameConfig(2, edition=stranger)
    with pytest.raises(AgentError, match="made for edition 'Europe', not 'Elsewhere'"):
        make_agent("learned", elsewhere)
    name = agent_name(make_agent("any-edition:learned", elsewhere))
    assert name == "learned (made for Europe)"
    assert agent_name(make_agent("any-edition:learned", europe)) == "learned"
    found = make_agent("any-edition:search@1:learned", elsewhere)
    assert agent_name(found) == "any-edition:search@1:learned"
    specs = ("greedy", "learned", "search@1:learned", "any-edition:learned")
    assert for_any_edition(specs) == (
        *("greedy", "any-edition:learned", "any-edition:search@1:learned"),
        "any-edition:learned",
    )


def test_a_policy_may_be_sampled() -> None:
    engine, rng = Engine(200, 3, seed=np.full(200, 3, np.uint64)), np.random.default_rng(0)
    seen = engine.observe(), engine.legal_action_mask()
    sampled = make_agent("sampled:learned", CONFIG)
    assert agent_name(sampled) == "sampled:learned"
    assert len({*make_agent("learned", CONFIG).act(*seen, rng)}) == 1
    assert len({*sampled.act(*seen, rng)}) > 1
    assert plays_shipped("sampled:learned")
    assert is_builtin("any-edition:sampled:learned")
    assert absolute_spec("sampled:tests") == f"sampled:{Path('tests').absolute()}"
    policy = Path(gonzaga_agents.__file__).parent / "policies" / "gonzaga"
    searches = "sampled:search@4:learned", f"sampled:search@4:{policy}"
    for spec in ("sampled:planner", *searches, "sampled:"):
        with pytest.raises(AgentError, match="can be sampled"):
            make_agent(spec, CONFIG)
