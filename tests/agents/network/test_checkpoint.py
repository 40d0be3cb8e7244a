"""Checkpoints: what is saved plays the same, and what does not fit is refused in one line."""

import dataclasses
import io
import json
import pickle
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.gonzaga.network.inputs import INPUTS_VERSION
from gonzaga_agents.network.agent import VALUE_UNITS
from gonzaga_agents.network.checkpoint import CheckpointError, load_agent, read_description
from gonzaga_agents.registry import make_agent
from gonzaga_agents.training.run import Run

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.features import OBSERVATIONS_VERSION
from gonzaga_env.tabletop.agent import agent_name
from gonzaga_env.tabletop.errors import GameError

EDITION = load_edition("europe")


@pytest.fixture
def path(run: Run, tmp_path: Path) -> Path:
    """Returns a checkpoint that may be spoiled."""
    shutil.copy(run.out / "checkpoint.zip", tmp_path)
    return tmp_path / "checkpoint.zip"


def edit(path: Path, member: str, change: Callable[[bytes], bytes | None]) -> None:
    """Rewrites one member of a zip, or drops it."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    changed = change(contents.pop(member))
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
        if changed is not None:
            archive.writestr(member, changed)


def describe(path: Path, **changes: Any) -> None:
    edit(path, "gonzaga.json", lambda old: json.dumps(json.loads(old) | changes).encode())


def load(path: Path, num_players: int = 2) -> Any:
    return load_agent(path, GameConfig(num_players))


def test_a_loaded_agent_plays_as_the_learner(run: Run):
    engine, rng = Engine(32, 2, seed=9), np.random.default_rng(0)
    agent, learner = load(run.out), run.learner()
    for _ in range(30):
        seen = engine.observe(), engine.legal_action_mask()
        actions = agent.act(*seen, rng)
        np.testing.assert_array_equal(actions, learner.act(*seen, rng))
        engine.step(actions)
    drawn = load_agent(run.out, GameConfig(2), deterministic=False)
    seen = engine.observe(), engine.legal_action_mask()
    several = [drawn.act(*seen, rng) for _ in range(5)]
    assert all(seen[1][np.arange(32), actions].all() for actions in several)
    assert len(np.unique(several, axis=0)) > 1


def test_a_loaded_agent_evaluates_as_the_learner_in_points(run: Run):
    engine = Engine(8, 2, seed=9)
    seen = engine.observe(), engine.legal_action_mask()
    loaded, learner = load(run.out).evaluate(*seen), run.learner().evaluate(*seen)
    np.testing.assert_array_equal(loaded.probabilities, learner.probabilities)
    np.testing.assert_array_equal(loaded.values, learner.values)
    assert loaded.unit == learner.unit == VALUE_UNITS["margin"]
    games, legal = np.arange(8), engine.legal_actions()
    player = run.learner()
    inputs = player.reader.read(engine.state, seen[0], games, engine.seats, *legal)
    _, scaled = player.forward(inputs)  # as training sees them
    np.testing.assert_allclose(loaded.values / 30, scaled, rtol=1e-4, atol=1e-6)


def test_search_may_take_its_candidates_from_a_checkpoint(run: Run):
    agent, engine = make_agent(f"search@8:{run.out}", GameConfig(2)), Engine(3, 2, seed=9)
    assert agent_name(agent) == f"search@8:{run.out}"
    rng = np.random.default_rng(0)
    for _ in range(4):
        actions = agent.act(engine.observe(), engine.legal_action_mask(), rng)
        assert engine.is_legal(actions).all()
        engine.step(actions)


def test_names_tell_checkpoints_apart(run: Run):
    assert load(run.out).name == load(run.out / "checkpoint.zip").name == "checkpoint:small"
    numbered = next((run.out / "checkpoints").iterdir())
    assert load(numbered).name == f"checkpoint:{numbered.stem}"


def test_the_description_says_what_it_fits(run: Run):
    description = read_description(run.out / "checkpoint.zip")
    assert description["num_players"] == 2
    assert description["edition"] == EDITION.name
    assert description["edition_digest"] == EDITION.digest
    assert description["rules"] == {"sea_league": "each_player", "first_check_round": 6}
    assert description["timesteps"] == run.model.num_timesteps
    assert description["seconds"] == run.seconds > 0
    assert description["network"] == {"width": 8}
    assert description["arguments"] == run.setup.arguments
    assert (description["reward"], description["reward_scale"]) == ("margin", 1 / 30)


def test_nothing_is_unpickled(path: Path):
    """A trap in the pickled part stays shut, and one in the weights is refused."""
    trap = pickle.dumps({"network.site_in.bias": Trap()})
    edit(path, "data", lambda old: trap)
    load(path)
    spoiled = io.BytesIO()
    torch.save({"network.site_in.bias": Trap()}, spoiled)
    edit(path, "policy.pth", lambda old: spoiled.getvalue())
    with pytest.raises(CheckpointError, match=r"policy\.pth holds no readable weights"):
        load(path)
    assert not Trap.sprung


class Trap:
    sprung = False

    def __reduce__(self) -> Any:
        return spring, ()


def spring() -> None:
    Trap.sprung = True


def test_a_checkpoint_for_another_game_is_refused(path: Path):
    with pytest.raises(CheckpointError, match="made for players 2, not 3"):
        load(path, num_players=3)
    renamed = dataclasses.replace(EDITION, name="Atlantis")
    with pytest.raises(CheckpointError, match="made for edition 'Europe', not 'Atlantis'"):
        load_agent(path, GameConfig(2, edition=renamed))
    other = dataclasses.replace(EDITION, barriers=EDITION.barriers[1:])
    with pytest.raises(CheckpointError, match="made for edition digest"):
        load_agent(path, GameConfig(2, edition=other))
    versions = {
        "actions_version": ACTIONS_VERSION,
        "observations_version": OBSERVATIONS_VERSION,
        "inputs_version": INPUTS_VERSION,
    }
    for key, version in versions.items():
        describe(path, **{key: 77})
        with pytest.raises(CheckpointError, match=f"{key.replace('_', ' ')} 77, not {version}"):
            load(path)
        describe(path, **{key: version})


@pytest.mark.parametrize("member", ["gonzaga.json", "policy.pth"])
def test_a_missing_member_is_named(path: Path, member: str):
    edit(path, member, lambda old: None)
    with pytest.raises(CheckpointError, match=member):
        load(path)


def test_broken_files_are_refused(path: Path, tmp_path: Path):
    content = path.read_bytes()
    for broken in (b"", b"no zip", content[: len(content) // 2]):
        path.write_bytes(broken)
        # Half a file can end in a member that is a zip itself; then the description is missing.
        with pytest.raises(CheckpointError, match=r"not a readable zip|missing"):
            load(path)
    with pytest.raises(CheckpointError, match="no such file"):
        load(tmp_path / "missing.zip")
    with pytest.raises(GameError, match="no such file"):
        load(tmp_path / "no_folder" / "checkpoint.zip")


def test_damage_inside_is_found(path: Path):
    """Flipped bytes break the zip's checksum or the weights' own."""
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("policy.pth").header_offset
    for place in range(start + 2000, start + 6000):
        content[place] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(CheckpointError):
        load(path)
