"""Checkpoints: what is saved plays the same, and what does not fit is refused in one line."""

import dataclasses
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.commands.train import TrainOptions, setup_of
from gonzaga_agents.network.agent import VALUE_UNITS
from gonzaga_agents.network.checkpoint import CheckpointError, load_agent, read_description
from gonzaga_agents.network.learned import load_learned
from gonzaga_agents.registry import make_agent
from gonzaga_agents.training.run import Run

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.config import OBSERVATIONS_VERSION
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.kernel.agent import agent_name
from tests.agents.mixed import decisions, seen
from tests.agents.networks import NETWORKS

EDITION = load_edition("europe")


@pytest.fixture
def path(run: Run, tmp_path: Path) -> Path:
    """Returns a checkpoint that may be spoiled."""
    shutil.copy(run.out / "checkpoint.zip", tmp_path)
    return tmp_path / "checkpoint.zip"


def edit(path: Path, member: str, change: Callable[[bytes], bytes]) -> None:
    """Rewrites one member of a zip."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    changed = change(contents.pop(member))
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
        archive.writestr(member, changed)


def describe(path: Path, **changes: Any) -> None:
    edit(path, "gonzaga.json", lambda old: json.dumps(json.loads(old) | changes).encode())


def load(path: Path, num_players: int = 2) -> Any:
    return load_agent(path, GameConfig(num_players))


def test_a_loaded_agent_plays_as_the_learner(run: Run):
    engine, rng = Engine(32, 2, seed=9), np.random.default_rng(0)
    agent, learner = load(run.out), run.learner()
    for _ in range(30):
        shown = engine.observe(), engine.legal_action_mask()
        actions = agent.act(*shown, rng)
        chances = learner.evaluate(*shown).probabilities
        own = chances[np.arange(32), actions]
        np.testing.assert_allclose(own, chances.max(axis=1), atol=1e-4)  # but for ties
        engine.step(actions)
    drawn = load_agent(run.out, GameConfig(2), deterministic=False)
    shown = engine.observe(), engine.legal_action_mask()
    several = [drawn.act(*shown, rng) for _ in range(5)]
    assert all(shown[1][np.arange(32), actions].all() for actions in several)
    assert len(np.unique(several, axis=0)) > 1


def test_a_loaded_agent_evaluates_as_the_learner_in_points(run: Run):
    engine = Engine(8, 2, seed=9)
    shown = engine.observe(), engine.legal_action_mask()
    loaded, learner = load(run.out).evaluate(*shown), run.learner().evaluate(*shown)
    np.testing.assert_allclose(loaded.probabilities, learner.probabilities, atol=1e-5)
    np.testing.assert_allclose(loaded.values, learner.values, rtol=1e-4, atol=1e-3)
    assert loaded.unit == learner.unit == VALUE_UNITS["margin"]
    games, legal = np.arange(8), engine.legal_actions()
    player = run.learner()
    inputs = player.reader.read(engine.state, shown[0], games, engine.seats, *legal)
    _, scaled = player.forward(inputs)  # as training sees them
    np.testing.assert_allclose(loaded.values / 30, scaled, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("spec", ["search@8:{}", "search@8:{}/policy", "{}/policy"])
def test_specs_name_the_checkpoint_and_the_policy_beside_it(run: Run, spec: str):
    named = spec.format(run.out)
    agent, engine = make_agent(named, GameConfig(2)), Engine(3, 2, seed=9)
    assert agent_name(agent) == named
    rng = np.random.default_rng(0)
    for _ in range(4):
        actions = agent.act(engine.observe(), engine.legal_action_mask(), rng)
        assert engine.is_legal(actions).all()
        engine.step(actions)


@pytest.mark.parametrize(("game", "prior"), NETWORKS)
def test_networks_of_numpy_are_those_that_train(game: str, prior: Any, tmp_path: Path):
    """The policy that training writes, and its checkpoint, judge as the network in torch."""
    out = tmp_path / "run"
    arguments = TrainOptions(out, game=game, players=3, num_games=4, prior=prior)
    run = Run(dataclasses.replace(setup_of(arguments), width=16), out, resume=False)
    for parameter in run.network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    run.save()
    engine = decisions(game, 3)
    observations, masks = seen(engine, np.arange(0, 256, 5))
    wanted = run.learner().evaluate(observations, masks)
    assert wanted.probabilities.max(axis=1).std() > 0.01
    for agent in (load_agent(out, engine.config), load_learned(engine.config, out / "policy")):
        found = agent.evaluate(observations, masks)
        np.testing.assert_allclose(found.probabilities, wanted.probabilities, atol=1e-4)
        np.testing.assert_allclose(found.values, wanted.values, rtol=1e-3, atol=1e-2)  # points


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
    assert description["timesteps"] == run.turns
    assert description["seconds"] == run.seconds > 0
    assert description["network"] == {"width": 8}
    assert description["arguments"] == run.setup.arguments
    assert (description["reward"], description["reward_scale"]) == ("margin", 1 / 30)


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
        "inputs_version": 1,
    }
    for key, version in versions.items():
        describe(path, **{key: 77})
        with pytest.raises(CheckpointError, match=f"{key.replace('_', ' ')} 77, not {version}"):
            load(path)
        describe(path, **{key: version})


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
