"""Agents by name or checkpoint."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from gonzaga_agents.baselines.greedy import GreedyAgent
from gonzaga_agents.baselines.random_agent import RandomAgent
from gonzaga_agents.network.checkpoint import CHECKPOINT_FORMAT, CheckpointError
from gonzaga_agents.registry import (
    NAMES,
    AgentError,
    checkpoint_players,
    find_checkpoint,
    make_agent,
)

from gonzaga_env.core import GameConfig
from gonzaga_env.core.editions.files import load_edition
from gonzaga_env.core.errors import GonzagaError

EDITION = load_edition("europe")


def test_names_make_their_agents() -> None:
    agents = {name: make_agent(name, GameConfig(3)) for name in NAMES}
    assert {name: agent.name for name, agent in agents.items()} == {name: name for name in NAMES}
    assert isinstance(agents["random"], RandomAgent)
    assert isinstance(agents["greedy"], GreedyAgent)


@pytest.mark.parametrize("spec", ["gready", "", "no/such/run.zip", "."])
def test_unknown_agents_are_told_the_names(spec: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(spec, GameConfig(4))
    message = str(caught.value)
    assert "\n" not in message
    assert all(name in message for name in (repr(spec), *NAMES))
    assert isinstance(caught.value, GonzagaError)


def test_a_checkpoint_is_a_file_or_in_a_runs_folder(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    assert find_checkpoint(str(run)) is None
    checkpoint = run / "checkpoint.zip"
    checkpoint.touch()
    assert find_checkpoint(str(run)) == checkpoint
    assert find_checkpoint(str(checkpoint)) == checkpoint


def test_a_checkpoint_tells_its_players(tmp_path: Path) -> None:
    description = {"format": CHECKPOINT_FORMAT, "num_players": 3}
    with zipfile.ZipFile(tmp_path / "checkpoint.zip", "w") as archive:
        archive.writestr("gonzaga.json", json.dumps(description))
    assert checkpoint_players(str(tmp_path)) == 3
    assert checkpoint_players("random") is None
    assert checkpoint_players("no/such.zip") is None


def test_a_broken_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.zip").write_text("no zip")
    with pytest.raises(CheckpointError):
        checkpoint_players(str(tmp_path))


def test_a_folder_hides_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "random").mkdir()
    (tmp_path / "random" / "checkpoint.zip").touch()
    monkeypatch.chdir(tmp_path)
    assert find_checkpoint("random") is None
    assert find_checkpoint("./random") == Path("random/checkpoint.zip")
