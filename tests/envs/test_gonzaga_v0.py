"""The PettingZoo environment."""

from __future__ import annotations

import copy
import pickle
import re
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

import gonzaga_env
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine
from gonzaga_env.core.batch.scoring import open_sites, winners
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.tabletop.errors import ActionError, GameError, IllegalActionError, OptionError

PLAYERS = [2, 3, 4]


def choose(observation: dict[str, np.ndarray], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def play(env, steps: int, seed: int = 0) -> list[object]:
    """Plays random legal actions and returns everything that the agents get."""
    rng, seen = np.random.default_rng(seed), []
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, info = env.last()
        info = {k: v.tolist() if k == "scores" else v for k, v in info.items()}
        raw = [observation["observation"].tobytes(), observation["action_mask"].tobytes()]
        seen.append((agent, raw, reward, terminated, truncated, info))
        env.step(None if terminated or truncated else choose(observation, rng))
    return seen


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("make", [gonzaga_v0.env, gonzaga_v0.raw_env])
@pytest.mark.filterwarnings(  # PettingZoo warns of every Dict observation
    "ignore:Observation space for each agent:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
def test_pettingzoo_api(make, num_players: int) -> None:
    api_test(make(num_players=num_players), num_cycles=400)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_pettingzoo_seeds(num_players: int) -> None:
    seed_test(lambda: gonzaga_v0.env(num_players=num_players), num_cycles=60)


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("steps", [0, 3, 50, 10_000])
@pytest.mark.parametrize(
    "twin", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))], ids=["deepcopy", "pickle"]
)
def test_copies_in_mid_game_continue_alike_and_independently(
    twin, steps: int, num_players: int
) -> None:
    env = gonzaga_v0.env(num_players=num_players)
    env.reset(seed=steps)
    play(env, steps)
    other = twin(env)
    state = env.unwrapped.game.state.copy()
    ahead = play(other, 40)
    assert env.unwrapped.game.state == state
    assert play(env, 40) == ahead


def test_rewards_reach_every_agent_and_infos_keep_their_keys() -> None:
    env = gonzaga_v0.env(num_players=3, reward="outcome")
    env.reset(seed=2)
    seen = play(env, 10_000)
    ends = seen[-3:]
    assert {agent for agent, *_ in ends} == {"player_0", "player_1", "player_2"}
    assert all(terminated for _, _, _, terminated, _, _ in ends)
    assert sum(reward for _, _, reward, *_ in ends) == 0
    best = max(ends, key=lambda end: end[-1]["score"])
    assert best[2] > 0
    assert best[-1]["won"] > 0
    assert all(reward == 0 for _, _, reward, *_ in seen[:-3])
    keys = {tuple(info) for *_, info in seen}
    assert len(keys) == 1
    assert {type(value) for *_, info in seen for value in info.values()} == {
        np.int64,
        np.float64,
        list,
    }
    for _, _, _, _, _, info in ends:
        assert sum(info["scores"]) == info["score"]


@pytest.mark.parametrize("reward", ["score", "margin"])
def test_points_as_rewards_add_up_to_the_score(reward: str) -> None:
    env = gonzaga_v0.raw_env(num_players=4, reward=reward)
    env.reset(seed=8)
    returns = dict.fromkeys(env.agents, 0.0)
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        env.step(choose(env.observe(env.agent_selection), rng))
        for agent, value in env.rewards.items():
            returns[agent] += value
    scores = np.array([env.infos[agent]["score"] for agent in env.possible_agents])
    others = (scores.sum() - scores) / 3
    expected = scores if reward == "score" else scores - others
    assert np.allclose(list(returns.values()), expected, atol=1e-3)


def test_a_sealed_plan_changes_nothing_that_later_seats_see() -> None:
    seen = []
    for action in (0, 3, 8, 40):
        env = gonzaga_v0.env(num_players=4, scenario=None, render_mode="ansi")
        env.reset(seed=3)
        mask = env.observe("player_0")["action_mask"]
        env.step(int(np.flatnonzero(mask)[action % mask.sum()]))
        later = []
        for agent in ("player_1", "player_2", "player_3"):
            given = env.observe(agent)
            info = {k: v.tolist() if k == "scores" else v for k, v in env.infos[agent].items()}
            later += [given["observation"].tobytes(), given["action_mask"].tobytes(), info]
        seen.append([*later, env.render(), env.rewards, env.agent_selection])
    assert all(other == seen[0] for other in seen[1:])


def test_observing_off_turn_shows_the_same_with_an_empty_mask() -> None:
    env = gonzaga_v0.env(num_players=3)
    env.reset(seed=1)
    play(env, 4)
    for agent in env.agents:
        observation = env.observe(agent)
        assert env.observation_space(agent).contains(observation)
        assert observation["action_mask"].any() == (agent == env.agent_selection)


def test_spaces_are_the_same_objects_each_time() -> None:
    env = gonzaga_v0.env()
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    mask = np.zeros(env.action_space("player_0").n, dtype=np.int8)
    mask[17] = 1
    assert env.action_space("player_0").sample(mask) == 17


def test_raw_env_refuses_an_illegal_action_and_does_not_change() -> None:
    env = gonzaga_v0.raw_env()
    env.reset(seed=1)
    before = env.game.state.copy()
    with pytest.raises(IllegalActionError, match=r"R3\.2"):
        env.step(env.actions.donate)
    assert env.game.state == before
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize("action", [np.array([3]), 1.0, "donate", 10**6])
def test_raw_env_names_an_action_outside_the_space(action: object) -> None:
    env = gonzaga_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(ActionError, match=re.escape(f"action is {action!r}")):
        env.step(action)
    assert env.agent_selection == "player_0"


@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # the wrapper logs the illegal move
def test_env_turns_an_illegal_action_into_a_loss() -> None:
    env = gonzaga_v0.env(num_players=3)
    env.reset(seed=1)
    play(env, 5)
    loser = env.agent_selection
    env.step(int(np.flatnonzero(env.observe(loser)["action_mask"] == 0)[0]))
    assert env.rewards == {agent: -1.0 * (agent == loser) for agent in env.possible_agents}
    assert all(env.terminations.values())
    assert not env.observe(loser)["action_mask"].any()
    while env.agents:
        env.step(None)


def test_the_last_picture_names_winner_and_sources() -> None:
    env = gonzaga_v0.env(num_players=2, render_mode="ansi")
    env.reset(seed=1)
    while not any(env.terminations.values()):
        play(env, 1)
    text = env.render()
    assert "won by player" in text
    assert "objective" in text


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has it from 1.27 on")
def test_the_registry_knows_it() -> None:
    env = pettingzoo.make("aec", "gonzaga/gonzaga-v0", num_players=2)
    env.reset(seed=0)
    assert env.metadata["name"] == "gonzaga_v0"
    assert len(env.agents) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # registering twice is not an override
        gonzaga_env.envs.registration.register_all()


def test_the_picture_fits_a_terminal_and_names_edition_and_round() -> None:
    env = gonzaga_v0.env(num_players=4, render_mode="ansi")
    env.reset(seed=1)
    play(env, 60)
    text = env.render()
    assert max(map(len, text.splitlines())) <= 80
    assert "reconstruction" in text
    assert "Round 8" in text
    with pytest.raises(OptionError, match="window"):
        gonzaga_v0.env(render_mode="window")


def test_rendering_without_a_mode_warns() -> None:
    env = gonzaga_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="ansi"):
        assert env.render() is None


def test_resets_follow_seeds_and_deals() -> None:
    env = gonzaga_v0.raw_env(num_players=2)
    env.reset()
    env.reset(seed=4)
    state = env.game.state.copy()
    env.reset()
    assert env.game.state != state
    env.reset(seed=4)
    assert env.game.state == state
    source = Engine(1, 2, seed=99).state
    env.reset(options={"deal": Deal(source.scenario, source.deck, source.objective)})
    assert (env.game.state.deck == source.deck).all()


def test_fresh_environments_without_a_seed_differ() -> None:
    decks = []
    for _ in range(2):
        env = gonzaga_v0.raw_env()
        env.reset()
        decks.append(env.game.state.deck.tolist())
    assert decks[0] != decks[1]


@pytest.mark.parametrize(
    ("kwargs", "says"),
    [
        ({"num_players": 5}, "num_players is 5"),
        ({"scenario": "Nobody"}, "no scenario 'Nobody'"),
        ({"scenario": "Colombo", "num_players": 4}, "no scenario 'Colombo' for 4"),
        ({"edition": "atlantis"}, "'atlantis'"),
        ({"edition": None}, "edition is None"),
        ({"reward": "money"}, "reward is 'money'"),
        ({"rules": Rules}, "rules is .* such as Rules"),
    ],
)
def test_wrong_arguments_are_named(kwargs: dict[str, object], says: str) -> None:
    with pytest.raises(GameError, match=says):
        gonzaga_v0.env(**kwargs)


@pytest.mark.parametrize("deal", [3, Deal([0], [[0]], [[0]])])
def test_an_invalid_deal_is_refused(deal: object) -> None:
    env = gonzaga_v0.env()
    with pytest.raises(OptionError, match="deal"):
        env.reset(options={"deal": deal})


@pytest.mark.parametrize("reward", ["outcome", "score", "margin"])
@pytest.mark.parametrize("num_players", PLAYERS)
def test_agents_get_what_the_batch_engine_returns(num_players: int, reward: str) -> None:
    env = gonzaga_v0.raw_env(num_players=num_players, reward=reward)
    engine = Engine(1, num_players, seed=6, reward=reward, autoreset=False)
    env.reset(seed=6)
    rng, finished = np.random.default_rng(0), False
    while not finished:
        for seat, agent in enumerate(env.possible_agents):
            given, acts = env.observe(agent), seat == engine.seats[0]
            assert (given["observation"] == engine.observe(seat)[0]).all()
            assert (given["action_mask"] == engine.legal_action_mask()[0] * acts).all()
            _check_info(env.infos[agent], engine, seat)
        action = engine.sample_legal(rng)
        env.step(action[0])
        result = engine.step(action)
        assert list(env.rewards.values()) == result.rewards[0].tolist()
        finished = result.finished[0]
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    for seat, agent in enumerate(env.possible_agents):
        _check_info(env.infos[agent], engine, seat)


def _check_info(info: dict[str, object], engine: Engine, seat: int) -> None:
    state = engine.state
    won = winners(engine.tables, state)[0]
    assert list(info) == ["score", "scores", "rings", "won", "round", "last_round", "open_sites"]
    assert info["scores"].tolist() == state.scores[0, seat].tolist()
    assert {name: value for name, value in info.items() if name != "scores"} == {
        "score": state.totals[0, seat],
        "rings": state.ring_stock[0, seat],
        "won": won[seat] / won.sum() if state.finished[0] else 0.0,
        "round": state.round[0],
        "last_round": state.last_round[0],
        "open_sites": open_sites(engine.tables, state)[0],
    }


def test_what_agents_got_does_not_change_later() -> None:
    env = gonzaga_v0.raw_env(num_players=4)
    env.reset(seed=2)
    play(env, 20)
    observation, *_, info = env.last()
    kept = [observation, info, env.rewards, env.terminations]
    before = copy.deepcopy(kept)
    play(env, 1000)
    assert str(kept) == str(before)
    assert observation["observation"].flags.writeable
    assert observation["action_mask"].flags.writeable


def test_an_unknown_agent_is_named() -> None:
    env = gonzaga_v0.env(num_players=2)
    env.reset(seed=2)
    with pytest.raises(OptionError, match="'player_2'; there are 'player_0', 'player_1'"):
        env.observe("player_2")


def test_infos_and_rewards_follow_an_assigned_state() -> None:
    env, other = gonzaga_v0.raw_env(num_players=3), gonzaga_v0.raw_env(num_players=3)
    for one in (env, other):
        one.reset(seed=4)
        for _ in range(3 + 6 * 3):
            one.step(int(np.flatnonzero(one.observe(one.agent_selection)["action_mask"])[-1]))
    later = other.game.state.copy()
    env.reset(seed=5)
    env.game.state = later
    env.agent_selection = other.agent_selection
    for one in (env, other):
        one.rewards["player_0"] = 5.0  # set by the caller; the next step overwrites it
        one.step(int(np.flatnonzero(one.observe(one.agent_selection)["action_mask"])[-1]))
    assert env.rewards == other.rewards == dict.fromkeys(env.agents, 0.0)
    for agent in env.agents:
        for key, value in other.infos[agent].items():
            assert np.array_equal(env.infos[agent][key], value), key
