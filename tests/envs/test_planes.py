"""Observations as planes: what each place shows, and that all environments hand out the same."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from sb3_contrib import MaskablePPO

from gonzaga_env import Engine, GameConfig, gonzaga_v0
from gonzaga_env.envs.sb3 import make_sb3_vec
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.tuscany import GameConfig as TuscanyConfig

ID, PLANES = "gonzaga/Gonzaga-v0", {"num_players": 2, "observation": "planes"}


def observations_of(config: GameConfig, num_games: int = 20) -> Any:
    """Returns observations of random positions, of any phase, [M, D]."""
    engine, rng = Engine.from_config(config, num_games, seed=1), np.random.default_rng(0)
    seen = []
    for step in range(60):
        if step % 7 == 0:
            seen.append(engine.observe())
        engine.step(engine.sample_legal(rng))
    return np.concatenate(seen)


@pytest.mark.parametrize(
    "config", [GameConfig(2), GameConfig(4), GameConfig(2, edition="mini-a2")], ids=str
)
def test_planes_show_all_of_an_observation(config: GameConfig) -> None:
    table, features, seen = config.planes, config.features, observations_of(config)
    planes, cells = table.read(seen), table.cells
    assert planes.shape == (len(seen), *table.shape)
    flat = dict(zip(table.names, planes.reshape(*planes.shape[:2], -1).swapaxes(0, 1), strict=True))
    for name in ("value", "objective", "fief_number"):
        assert np.array_equal(flat[name][:, cells], features.view(seen, name))
    for name in ("fiefs", "rings"):
        by_player = np.stack([flat[f"{name} {i}"][:, cells] for i in range(config.num_players)], 1)
        assert np.array_equal(by_player, features.view(seen, name))
    numbers = table.numbers_of(planes)
    for feature in table.numbers:
        expected = features.view(seen, feature.name)
        assert np.array_equal(table.numbers.view(numbers, feature.name), expected)
    of_hexes = (2 * config.num_players + 3) * len(cells)
    assert of_hexes + table.numbers.size == features.size, "nothing is left out"
    off_map = flat["map"][0] == 0
    assert not any(flat[name][:, off_map].any() for name in flat if "numbers" not in name)
    assert np.allclose(table.normalise(planes) * table.scales, planes)


def test_the_printed_map_is_shown() -> None:
    config = GameConfig(2)
    planes = dict(
        zip(config.planes.names, config.planes.read(observations_of(config, 1))[0], strict=True)
    )
    edition = config.edition
    for row, marks in enumerate(edition.marks):
        for col, mark in enumerate(marks):
            assert planes["map"][row, col] == (mark != ".")
            for letter, name in edition.regions.items():
                assert planes[f"region {name}"][row, col] == (mark == letter)
    cities = sorted(city.at for city in edition.cities)
    assert [*map(tuple, np.argwhere(planes["city"]).tolist())] == cities
    for harbor in edition.harbors:
        assert planes[f"harbor of {harbor.group}"][harbor.at] == 1
    assert planes["barrier east"][6, 13] == 1, "Sudetes, between 6,13 and 6,14"


def test_spatial_actions_are_planes_over_the_same_map() -> None:
    config = GameConfig(2)
    actions, (_, rows, columns) = config.actions, config.planes.shape
    logits = np.arange(10 * rows * columns).reshape(10, -1)[:, config.planes.cells].ravel()
    assert len(logits) == actions.donate - actions.fief.start
    block, place = divmod(
        int(logits[actions.parse("fief r2 @ 12,7") - actions.fief.start]), rows * columns
    )
    assert (block, divmod(place, columns)) == (2, (12, 7))


def test_all_environments_hand_out_the_same() -> None:
    config = GameConfig(2)
    plain, given = gonzaga_v0.env(num_players=2), gonzaga_v0.env(**PLANES)
    plain.reset(seed=3)
    given.reset(seed=3)
    for agent in ("player_0", "player_1"):
        expected = config.planes.read(plain.observe(agent)["observation"])
        assert np.array_equal(given.observe(agent)["observation"], expected)
        assert given.observation_space(agent).contains(given.observe(agent))
    assert np.array_equal(given.unwrapped.state(), plain.unwrapped.state())
    seen, _ = gonzaga_v0.parallel_env(**PLANES).reset(seed=3)
    assert np.array_equal(seen["player_0"]["observation"], given.observe("player_0")["observation"])
    one, _ = gymnasium.make(ID, **PLANES).reset(seed=3)
    for num_envs in (2, 64):
        many = gymnasium.make_vec(ID, num_envs, **PLANES)
        assert np.array_equal(many.reset(seed=3)[0][0], one)
        assert many.single_observation_space.contains(one)
    games = make_sb3_vec(2, seed=3, normalised=True, **PLANES)
    assert np.allclose(games.reset()[0], config.planes.normalise(one))


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent:UserWarning")
def test_checkers_pass_and_a_model_that_learned_from_planes_plays() -> None:
    check_env(gymnasium.make(ID, **PLANES).unwrapped)
    api_test(gonzaga_v0.env(**PLANES), num_cycles=100)
    envs = make_sb3_vec(2, normalised=True, **PLANES)
    model = MaskablePPO("MlpPolicy", envs, n_steps=8, batch_size=8, n_epochs=1, device="cpu")
    model.learn(16)
    env = gymnasium.make(ID, num_players=2, opponents=model)
    _, info = env.reset(seed=0)
    env.step(int(info["action_mask"].argmax()))


def test_wrong_forms_are_refused() -> None:
    with pytest.raises(
        OptionError, match="observation is 'plane'; it takes 'features' or 'planes'"
    ):
        gonzaga_v0.env(observation="plane")
    with pytest.raises(OptionError, match="tuscany takes 'features' only"):
        _ = TuscanyConfig(2).planes
