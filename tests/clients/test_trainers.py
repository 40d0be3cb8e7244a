"""The examples of trainers: doors for searches run here, recipes where their library is."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.data import load, write_games
from gonzaga_agents.network.checkpoint import load_agent, read_description

from gonzaga_env import GameConfig
from gonzaga_env.envs.registration import learner_id
from gonzaga_env.games import game_names, game_spec
from tests.clients.client import QUIET, need

FOLDER = Path(__file__).parent.parent.parent / "examples" / "trainers"
pytestmark = QUIET


def example(name: str) -> Any:
    """Returns an example as a module, imported by its path."""
    spec = importlib.util.spec_from_file_location(f"trainers_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["lightzero_door", "mctx_door"])
def test_doors_are_short(name: str) -> None:
    assert len((FOLDER / f"{name}.py").read_text().splitlines()) <= 65


@pytest.mark.parametrize("game", game_names())
def test_lightzeros_door_plays_whole_games(game: str) -> None:
    cfg = {"id": learner_id(game), "num_players": 2, "opponents": "random"}
    env = example("lightzero_door").GonzagaLightZeroEnv(cfg)
    env.seed(3)
    first = env.reset()
    assert env.observation_space.contains(first["observation"])
    assert first["to_play"] == -1
    turns, done, total = 0, False, 0.0
    seen = first
    while not done:
        assert np.flatnonzero(seen["action_mask"]).tolist() == env.legal_actions
        seen, reward, done, info = env.step(env.legal_actions[0])
        assert reward.shape == env.reward_space.shape
        total, turns = total + float(reward[0]), turns + 1
    assert 14 <= turns <= (24 if game == "gonzaga" else 400)
    assert info["eval_episode_return"] == pytest.approx(total)
    assert not env.legal_actions
    env.seed(3)
    assert np.array_equal(env.reset()["observation"], first["observation"])


@pytest.mark.parametrize("game", game_names())
def test_mctxs_door_searches_to_the_end_of_the_game(game: str) -> None:
    spec, rng = game_spec(game), np.random.default_rng(0)
    config = spec.config(num_players=2)
    engine = spec.engine.from_config(config, 1, seed=5)
    seat = int(engine.seats[0])
    door = example("mctx_door").Door(config, seat)
    output, samples = door.root(engine, rng, 4), 4
    assert output.prior_logits.shape == (samples, config.actions.size)
    assert np.allclose(np.exp(output.prior_logits).sum(axis=1), 1, atol=1e-4)
    legal = engine.legal_action_mask()[0]
    assert np.isneginf(output.prior_logits[:, ~legal]).all()
    returns, turns = np.zeros(samples), 0
    while output.discount.any():
        before = output
        output = door.recurrent(rng, before.prior_logits.argmax(axis=1), before.embedding)
        over = before.discount == 0
        assert not output.reward[over].any(), "nothing happens after the end"
        returns, turns = returns + output.reward, turns + 1
    totals = spec.engine.from_state(config, output.embedding, autoreset=False).totals
    assert np.allclose(returns, totals[:, seat] - totals[:, 1 - seat])
    assert 14 <= turns <= (24 if game == "gonzaga" else 400)
    assert not output.value.any()


def test_sb3s_recipe_trains_against_past_selves() -> None:
    need("sb3_contrib")
    module = example("sb3_self_play")
    model = module.main(module.Arguments(turns=32, games=2, steps=8, deals=1))
    assert model.num_timesteps == 32
    assert len(model.get_env().unwrapped.envs._games.opponents) == 5


def test_torchrls_recipe_trains() -> None:
    need("torchrl")
    module = example("torchrl_ppo")
    network = module.main(module.Arguments(turns=96, games=4, steps=24, minibatch=32, deals=1))
    assert all(parameter.isfinite().all() for parameter in network.parameters())


def test_rllibs_recipe_trains_with_a_league() -> None:
    need("ray.rllib")
    module = example("rllib_league")
    arguments = module.Arguments(iterations=2, turns=128, deals=1)
    try:
        algorithm, past = module.main(arguments)
        assert past == ["past_1", "past_2"]
        newest, learner = (algorithm.get_module(name).get_state() for name in ("past_2", "learner"))
        assert all(np.array_equal(newest[key], learner[key]) for key in newest), "it plays this"
        older = algorithm.get_module("past_1").get_state()
        assert any(not np.array_equal(older[key], learner[key]) for key in older)
        algorithm.train()  # with both past selves in the games
        again = algorithm.get_module("past_2").get_state()
        assert all(np.array_equal(newest[key], again[key]) for key in newest), "it does not learn"
        algorithm.stop()
    finally:
        module.ray.shutdown()  # its processes


def test_a_clone_guesses_what_was_played_and_continues(tmp_path: Path) -> None:
    for name in ("stable_baselines3", "tensorboard"):  # of the extra `train`
        need(name)
    module, config = example("clone_games"), GameConfig(2)
    games, out = tmp_path / "games", tmp_path / "run"
    write_games(config, ["greedy"], games, 12, seed=0)
    sizes = {"games": games, "out": out, "minibatch": 32}
    first = module.main(module.Arguments(passes=1, **sizes))
    second = module.main(module.Arguments(passes=6, **sizes))
    assert second.turns == 6 * first.turns > 0
    assert module.main(module.Arguments(passes=6, **sizes)) is None, "all passes are done"
    about = read_description(out / "checkpoint.zip")
    assert (about["prior"], about["opponents"]) == ("none", [])
    assert about["arguments"]["algorithm"] == "clone"
    batch = next(load(games, columns=["observation", "action_mask", "action"]))
    chances = batch["action_mask"].sum(axis=1)
    found = load_agent(out, config).evaluate(batch["observation"], batch["action_mask"])
    given = found.probabilities[np.arange(len(chances)), batch["action"]]
    assert np.log(given).mean() > -np.log(chances).mean() + 0.3
