"""Policies of networks of places, which are exported as weights and played in numpy."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.common.array_files import arrays_content, parse_arrays
from gonzaga_agents.network.checkpoint import load_agent
from gonzaga_agents.network.geometry.network import GeometryNetwork
from gonzaga_agents.network.geometry.plain import _shapes
from gonzaga_agents.network.geometry.reader import GeometryReader
from gonzaga_agents.policies.learned import load_learned, load_plain
from gonzaga_agents.policies.shipped import read_description
from gonzaga_agents.training.command import setup_of
from gonzaga_agents.training.export import export
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.run import Run

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.agent import AgentError

ALL = game_names()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Returns checkpoints of random networks of places for three players, by game."""
    found = {}
    for game in ALL:
        out = tmp_path_factory.mktemp(game)
        arguments = Arguments(out, game=game, players=3, num_games=4, width=16, prior="geometry")
        run = Run(setup_of(arguments), out, resume=False)
        for parameter in run.network.parameters():
            torch.nn.init.normal_(parameter, std=0.2)
        found[game] = run.save()
    return found


@pytest.fixture
def exported(runs: dict[str, Path], tmp_path: Path) -> Path:
    """Returns a folder with a policy for The Castles of Tuscany, which may be spoiled."""
    export(runs["tuscany"], tmp_path, "python train.py", "abc")
    return tmp_path


CONFIG = game_spec("tuscany").config(num_players=3)


@pytest.mark.parametrize("game", ALL)
def test_the_export_plays_as_the_checkpoint(
    game: str, runs: dict[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "players_3.onnx").write_bytes(b"what it replaces")
    export(runs[game], tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"players_3.weights.npz", "players_3.json"}
    spec, rng = game_spec(game), np.random.default_rng(0)
    engine = spec.engine.from_config(spec.config(num_players=3), 16, seed=5)
    checkpoint = load_agent(runs[game], engine.config)
    for agent in (load_learned(engine.config, tmp_path), load_plain(engine.config, tmp_path)):
        assert agent is not None
        for _ in range(12):
            seen = engine.observe(), engine.legal_action_mask()
            own, other = agent.evaluate(*seen), checkpoint.evaluate(*seen)
            np.testing.assert_allclose(own.probabilities, other.probabilities, rtol=0, atol=1e-4)
            np.testing.assert_allclose(own.values, other.values, rtol=1e-4, atol=1e-2)  # points
            engine.step(agent.act(*seen, rng))


@pytest.mark.parametrize("game", ALL)
def test_the_shapes_are_those_of_the_network(game: str) -> None:
    sizes = GeometryReader(game_spec(game).config(num_players=2)).sizes
    state = GeometryNetwork(sizes, 24).state_dict()
    assert _shapes(sizes, 24) == {name: tuple(tensor.shape) for name, tensor in state.items()}


def test_the_description_names_the_prior(exported: Path) -> None:
    about = read_description(exported / "players_3.json")
    content = (exported / "players_3.weights.npz").read_bytes()
    assert about["sha256"] == sha256(content).hexdigest()
    assert (about["prior"], about["command"]) == ("geometry", "python train.py")
    assert "opset" not in about


def _without(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arrays: {key: array for key, array in arrays.items() if key != name}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without("opened_weight"), "weights of another network"),
        (_without("context.0.weight"), "weights of another network"),
        (lambda arrays: arrays | {"more": np.zeros(1, np.float32)}, "weights of another network"),
        (lambda _: {}, "weights of another network"),
        (lambda arrays: {k: a.astype(np.float64) for k, a in arrays.items()}, "another network"),
        (lambda arrays: arrays | {"context.0.weight": np.zeros((), np.float32)}, "another network"),
        (lambda arrays: arrays | {"value.2.bias": np.zeros(2, np.float32)}, "another network"),
        (
            lambda arrays: arrays | {"value.2.bias": np.array([np.nan], np.float32)},
            "value.2.bias holds NaN",
        ),
    ],
)
def test_other_weights_are_refused(
    exported: Path, change: Callable[[dict[str, Any]], dict[str, Any]], words: str
) -> None:
    path, about = exported / "players_3.weights.npz", exported / "players_3.json"
    content = arrays_content(change(parse_arrays(path.read_bytes())))
    path.write_bytes(content)
    described = json.loads(about.read_text()) | {"sha256": sha256(content).hexdigest()}
    about.write_text(json.dumps(described))
    with pytest.raises(AgentError, match=rf"players_3\.weights\.npz: .*{words}") as caught:
        load_learned(CONFIG, exported)
    assert "\n" not in str(caught.value)


def test_a_prior_that_is_not_exported_is_refused(exported: Path) -> None:
    about = exported / "players_3.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"prior": "none"}))
    with pytest.raises(AgentError, match="prior is 'none'; an exported policy has one of planner"):
        load_learned(CONFIG, exported)
