"""Training without a planner: `train.py --prior none`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents import evaluate
from gonzaga_agents.network.checkpoint import load_agent, read_description, read_weights
from gonzaga_agents.network.flat import FlatInputs, FlatReader
from gonzaga_agents.network.networks import FlatNetwork, trainable_network
from gonzaga_agents.registry import make_agent
from gonzaga_agents.training.ppo import PPO, Experience, Policy
from gonzaga_agents.training.setup import UNPLANNED_WIDTH

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.games import game_names, game_spec
from tests.conftest import complaint_of
from tests.marks import some_nightly

NONE: Any = {"prior": "none", "timesteps": 64}


def last_legal(inputs: FlatInputs) -> np.ndarray:
    found: np.ndarray = (inputs.actions >= 0).sum(axis=1) - 1
    return found


def inputs_of_play(num_steps: int, seed: int) -> FlatInputs:
    engine, rng = Engine.from_config(GameConfig(2), 32, seed=seed), np.random.default_rng(seed)
    reader, parts = FlatReader(engine.config), []
    for _ in range(num_steps):
        parts.append(reader.read_engine(engine, np.arange(32), engine.seats))
        engine.step(engine.sample_legal(rng))
    return FlatInputs.concatenate(parts)


def test_it_learns_which_action_is_better() -> None:
    """One choice of each decision gains 1 and the others lose 1, in positions seen and unseen."""
    reader = FlatReader(GameConfig(2))
    torch.manual_seed(0)
    policy = Policy(trainable_network(reader.config, "none"), reader.sizes, 32)
    ppo = PPO(policy, reader.training, learning_rate=3e-3, minibatch=256)
    seen, unseen, rng = (
        inputs_of_play(16, seed=1),
        inputs_of_play(8, seed=2),
        np.random.default_rng(0),
    )
    network = policy.network

    def share_of_last(inputs: FlatInputs) -> float:
        with torch.no_grad():
            logits, _ = network(*network.batch.of(inputs)[:-1])
        return float((logits.argmax(dim=1).numpy() == last_legal(inputs)).mean())

    assert share_of_last(unseen) < 0.5
    for _ in range(4):
        batch = network.batch.of(seen)
        with torch.no_grad():
            log_probs = network(*batch[:-1])[0].log_softmax(dim=1)
        chosen = (log_probs.numpy() + rng.gumbel(size=log_probs.shape)).argmax(axis=1)
        gained = np.where(chosen == last_legal(seen), 1, -1).astype(np.float32)
        taken = log_probs.numpy()[np.arange(len(seen)), chosen]
        kinds = np.zeros(len(seen), np.uint8)
        ppo.learn(
            Experience(seen, chosen, taken, np.zeros_like(taken), gained, gained, kinds, kinds), 0.0
        )
    assert share_of_last(unseen) > 0.8


@pytest.mark.parametrize("game", some_nightly(game_names(), lambda game: game != "tuscany"))
def test_every_game_is_learned_and_played(train: Any, tmp_path: Path, game: str) -> None:
    out = tmp_path / "run"
    assert train(out, **NONE, game=game)[0] == 0
    config = game_spec(game).config(num_players=2)
    found = evaluate([str(out), "random"], players=2, deals=1, game=game, seed=0)
    assert found.agents[0].name == "checkpoint:run"
    about = read_description(out / "checkpoint.zip")
    assert (about["prior"], about["opponents"]) == ("none", ["past"])
    assert about["inputs_version"] == FlatReader.version
    assert isinstance(load_agent(out, config).reader, FlatReader)


def test_a_loaded_agent_plays_what_was_learned(train: Any, tmp_path: Path) -> None:
    train(tmp_path / "run", **NONE)
    agent, engine = load_agent(tmp_path / "run", GameConfig(2)), Engine(16, 2, seed=9)
    weights = read_weights(tmp_path / "run" / "checkpoint.zip")
    network = FlatNetwork(agent.reader.sizes, UNPLANNED_WIDTH)
    network.load_state_dict(
        {k.removeprefix("network."): v for k, v in weights.items() if k.startswith("network.")}
    )
    for _ in range(5):
        inputs = agent.reader.read_engine(engine, np.arange(16), engine.seats)
        logits, _ = network(*network.batch.of(inputs)[:-1])
        best = inputs.actions[np.arange(16), logits.argmax(dim=1).numpy()]
        actions = agent.act(engine.observe(), engine.legal_action_mask(), np.random.default_rng(0))
        np.testing.assert_array_equal(actions, best)
        engine.step(actions)


def test_search_may_be_guided_by_it(train: Any, tmp_path: Path) -> None:
    train(tmp_path / "run", **NONE)
    agent, engine = make_agent(f"search@4:{tmp_path / 'run'}", GameConfig(2)), Engine(2, 2, seed=9)
    actions = agent.act(engine.observe(), engine.legal_action_mask(), np.random.default_rng(0))
    assert engine.is_legal(actions).all()


def test_opponents_with_knowledge_are_allowed_and_named(train: Any, tmp_path: Path) -> None:
    assert train(tmp_path / "run", **NONE, opponents="greedy,past")[0] == 0
    about = read_description(tmp_path / "run" / "checkpoint.zip")
    assert about["opponents"] == ["greedy", "past"]


def test_a_start_with_another_prior_is_refused(train: Any, tmp_path: Path) -> None:
    train(tmp_path / "none", **NONE)
    told = complaint_of(train(tmp_path / "other", start=tmp_path / "none"))
    assert "made for prior none, not planner" in told
