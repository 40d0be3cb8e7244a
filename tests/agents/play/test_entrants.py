"""Who takes part: files are told apart by their content."""

from pathlib import Path

import pytest
from gonzaga_agents.network.learned import shipped_files
from gonzaga_agents.play import games
from gonzaga_agents.play.games import Entrant, agent_files, identify, identify_all

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import OptionError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the current folder, with a run and a file of agents."""
    (tmp_path / "runs" / "first").mkdir(parents=True)
    (tmp_path / "runs" / "first" / "checkpoint.zip").write_bytes(b"weights")
    (tmp_path / "mine.py").write_text("class Mine: ...")
    (tmp_path / "Mine").mkdir()  # named like a class, and no run
    (tmp_path / "random").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "file"),
    [
        ("random", None),
        ("greedy", None),
        ("some.module:Mine", None),
        ("search@64", None),
        ("runs/first", "runs/first/checkpoint.zip"),
        ("runs/first/checkpoint.zip", "runs/first/checkpoint.zip"),
        ("search@64:runs/first", "runs/first/checkpoint.zip"),
        ("mine.py:Mine", "mine.py"),
    ],
)
def test_the_file_behind_a_spec_is_found(folder: Path, spec: str, file: str | None) -> None:
    assert agent_files(spec) == ([] if file is None else [Path(file)])


def test_a_folder_without_a_checkpoint_is_no_agent(folder: Path) -> None:
    with pytest.raises(AgentError, match="holds no checkpoint"):
        identify("runs")


def test_a_file_that_changes_is_another_agent(folder: Path) -> None:
    before = identify("runs/first")
    assert before == identify("runs/first")
    assert before.key.startswith("runs/first#")
    (folder / "runs/first/checkpoint.zip").write_bytes(b"trained on")
    assert identify("runs/first") != before
    assert identify("random").key == "random"


def test_the_same_twice_is_refused(folder: Path) -> None:
    with pytest.raises(OptionError, match="is the same checkpoint as runs/first"):
        identify_all(["runs/first", "runs/first/checkpoint.zip"])


def test_one_checkpoint_may_play_in_two_ways(folder: Path) -> None:
    specs = ["runs/first", "search@64:runs/first", "search@128:runs/first"]
    found = identify_all(specs)
    assert [entrant.spec for entrant in found] == specs
    assert len({entrant.digest for entrant in found}) == 1
    assert identify_all(["random", "greedy"]) == [Entrant("random"), Entrant("greedy")]


def test_a_module_that_changes_is_another_agent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(folder)
    module = folder / "a_module_of_agents.py"
    module.write_text("class Mine: ...")
    before = identify("a_module_of_agents:Mine")
    assert before.digest is not None
    module.write_text("class Mine: 'another'")
    assert identify("a_module_of_agents:Mine").digest not in (None, before.digest)
    (folder / "broken_package").mkdir()
    (folder / "broken_package" / "__init__.py").write_text("1 / 0")
    assert agent_files("broken_package.agents:Mine") == []


@pytest.mark.parametrize("spec", ["learned", "search:learned", "search@64:learned"])
def test_a_shipped_policy_that_changes_is_another_agent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    policies = folder / "policies"
    policies.mkdir()
    monkeypatch.setattr(games, "shipped_files", lambda: shipped_files(policies))
    assert identify(spec) == Entrant(spec)
    digests = set()
    for model in (b"one", b"another"):
        (policies / "players_2.weights.npz").write_bytes(model)
        (policies / "players_2.json").write_text("{}")
        digests.add(identify(spec).digest)
    assert len(digests - {None}) == 2
