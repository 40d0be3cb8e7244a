"""What the environments of all games have in common, game by game."""

import copy
import pickle
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, parallel_api_test, seed_test

from gonzaga_env.envs import learner_vector as many
from gonzaga_env.envs.environment import ActionSpace
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import make_agent
from gonzaga_env.kernel.errors import ActionError, GameError, IllegalActionError, OptionError
from gonzaga_env.kernel.spec import GameSpec
from tests.envs.games import EVERY_GAME, EVERY_TABLE, EnvironmentsOfAGame
from tests.envs.opponents import canny, random_legal
from tests.marks import nightly

Game = EnvironmentsOfAGame


def test_action_spaces_draw_as_discrete_does() -> None:
    space, plain = ActionSpace(50, seed=3), spaces.Discrete(50, seed=3)
    rng = np.random.default_rng(0)
    for legal in (1.0, 0.5, 0.1, 0.0):
        mask = (rng.random(50) < legal).astype(np.int8)
        drawn = [space.sample(mask) for _ in range(20)]
        assert drawn == [plain.sample(mask) for _ in range(20)]
        assert type(drawn[0]) is type(plain.sample(mask)) is type(space.sample(mask))
    assert space.sample() == plain.sample()
    assert space == plain
    assert repr(space) == repr(plain)


@pytest.mark.parametrize("mask", [np.ones(49, np.int8), np.ones(50), np.full(50, -1, np.int8)])
def test_action_spaces_refuse_what_discrete_refuses(mask: np.ndarray) -> None:
    with pytest.raises(AssertionError):
        ActionSpace(50).sample(mask)


@EVERY_GAME
def test_random_opponents_draw_the_same_whoever_draws(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(opponents: Any, min_batch: int) -> list[Any]:
        monkeypatch.setattr(many, "MIN_BATCH", min_batch)
        envs = game.many(5, num_players=3, opponents=opponents, **game.options)
        (_, infos), rng = envs.reset(seed=4), np.random.default_rng(0)
        masks, outputs = infos["action_mask"], []
        for _ in range(40):
            outputs.append(copy.deepcopy(envs.step(random_legal(masks, rng))))
            masks = outputs[-1][4]["action_mask"]
        return outputs

    asked = make_agent("random", game.spec.config(num_players=3, **game.options)).act
    expected = played(lambda *given: asked(*given), 1)
    for opponents in (None, "random"):
        for min_batch in (1, 10**9):
            assert data_equivalence(played(opponents, min_batch), expected)


class Driver:
    """Drives any environment with random legal actions."""

    def __init__(self, game: Game, kind: str, num_players: int = 3) -> None:
        options: dict[str, Any] = {"num_players": num_players, **game.options}
        if kind in ("one", "many"):
            options["opponents"] = [canny, None]
        make = {"many": game.many, "one": game.one}.get(kind) or getattr(game.seated, kind)
        self.env = make(2, **options) if kind == "many" else make(**options)
        self.kind = kind

    def reset(self, **options: Any) -> Any:
        given = self.env.reset(**options)
        if self.kind == "parallel_env":
            self.masks = {agent: seen["action_mask"] for agent, seen in given[0].items()}
        return given

    def position(self) -> Any:
        env = self.env.unwrapped
        return (env.engine if self.kind == "many" else env.game).state

    def play(self, steps: int) -> list[Any]:
        """Plays on, game after game; returns all that comes out."""
        rng = np.random.default_rng(0)
        return [copy.deepcopy(self._step(rng)) for _ in range(steps)]

    def _step(self, rng: np.random.Generator) -> Any:
        env = self.env
        if self.kind in ("one", "many"):
            masks = np.atleast_2d(env.action_masks())
            chosen = random_legal(masks, rng)
            given = env.step(chosen if self.kind == "many" else int(chosen[0]))
            return given if self.kind == "many" or not given[2] else (given, env.reset())
        if self.kind == "parallel_env":
            given = env.step({a: int(rng.choice(m.nonzero()[0])) for a, m in self.masks.items()})
            self.masks = {agent: seen["action_mask"] for agent, seen in given[0].items()}
            return given if env.agents else (given, self.reset())
        given = env.last()
        if given[2]:
            env.reset()
        else:
            env.step(int(rng.choice(given[0]["action_mask"].nonzero()[0])))
        return env.agent_selection, given, env.rewards


KINDS = pytest.mark.parametrize("kind", ["env", "raw_env", "parallel_env", "one", "many"])


@EVERY_GAME
@EVERY_TABLE
@pytest.mark.filterwarnings(  # PettingZoo warns of every Dict observation
    "ignore:Observation space for each agent:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
def test_checks_of_pettingzoo_pass(game: Game, num_players: int) -> None:
    options: dict[str, Any] = {"num_players": num_players, **game.options}
    for make in (game.seated.env, game.seated.raw_env):
        api_test(make(**options), num_cycles=400)
    seed_test(lambda: game.seated.env(**options), num_cycles=60)
    for mask in ("observation", "info"):  # without its mask in sight, it plays illegal actions
        parallel_api_test(game.seated.parallel_env(mask=mask, **options), num_cycles=60)


@EVERY_GAME
@pytest.mark.parametrize(
    ("num_players", "reward"), [(3, "score"), *nightly((2, "outcome"), (4, "margin"))]
)
def test_checks_of_gymnasium_pass(game: Game, num_players: int, reward: str) -> None:
    options: dict[str, Any] = {"num_players": num_players, "reward": reward, **game.options}
    check_env(gymnasium.make(game.id, opponents=[canny, None], **options).unwrapped)
    envs = gymnasium.make_vec(game.id, num_envs=2, **options)
    assert envs.reset(seed=1)[0] in envs.observation_space


@KINDS
@EVERY_GAME
@pytest.mark.parametrize("steps", [0, 50, *nightly(3)])
@pytest.mark.parametrize(
    "twin", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))], ids=["deepcopy", "pickle"]
)
def test_copies_in_mid_game_continue_alike_and_independently(
    twin: Any, steps: int, game: Game, kind: str
) -> None:
    driver = Driver(game, kind)
    driver.reset(seed=steps)
    driver.play(steps)
    other, before = twin(driver), driver.position().copy()
    ahead = other.play(40)
    assert driver.position() == before
    assert data_equivalence(driver.play(40), ahead, exact=True)


@KINDS
@EVERY_GAME
def test_what_is_handed_out_does_not_change_later(game: Game, kind: str) -> None:
    driver = Driver(game, kind)
    given = [driver.reset(seed=2)]
    kept = copy.deepcopy(given)
    for _ in range(60):
        step = driver._step(np.random.default_rng(1))
        given.append(step)
        kept.append(copy.deepcopy(step))
    assert data_equivalence(given, kept, exact=True)


@KINDS
@EVERY_GAME
def test_seeds_and_deals_decide_games(game: Game, kind: str) -> None:
    """Without a seed, two environments differ; afterwards the next game of a seed is dealt."""
    drivers = [Driver(game, kind) for _ in range(2)]
    for driver in drivers:
        driver.reset()
    first, second = (driver.position() for driver in drivers)
    assert first != second
    driver = drivers[0]
    driver.reset(seed=4)
    state, later = driver.position().copy(), driver.play(30)
    driver.reset()
    assert driver.position() != state
    driver.reset(seed=4)
    assert driver.position() == state
    assert data_equivalence(driver.play(30), later, exact=True)
    with pytest.raises(OptionError, match="deal is 3"):
        driver.env.reset(options={"deal": 3})
    with pytest.raises(OptionError, match="seed is -1"):
        driver.env.reset(seed=-1)


@EVERY_GAME
@pytest.mark.parametrize(("num_players", "reward"), [(2, "margin"), (3, "outcome"), (4, "score")])
def test_agents_get_what_the_batch_engine_returns(
    game: Game, num_players: int, reward: Any
) -> None:
    env = game.seated.raw_env(num_players=num_players, reward=reward, **game.options)
    engine, rng = game.engine(1, num_players, 6, reward), np.random.default_rng(0)
    env.reset(seed=6)
    finished = False
    while not finished:
        for seat, agent in enumerate(env.possible_agents):
            given, acts = env.observe(agent), seat == engine.seats[0]
            assert (given["observation"] == engine.observe(seat)[0]).all()
            assert (given["action_mask"] == engine.legal_action_mask()[0] * acts).all()
            check_info(env.infos[agent], engine, seat)
        action = engine.sample_legal(rng)
        env.step(action[0])
        result = engine.step(action)
        assert list(env.rewards.values()) == result.rewards[0].tolist()
        finished = result.finished[0]
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    for seat, agent in enumerate(env.possible_agents):
        check_info(env.infos[agent], engine, seat)


def check_info(info: dict[str, Any], engine: Any, seat: int) -> None:
    """Checks what all games say, and that a batch says the same of everything."""
    won = engine.winners()[0]
    expected = {
        "score": np.int64(engine.totals[0, seat]),
        "scores": engine.scores[0, seat],
        "won": np.float64(won[seat] / won.sum() if engine.state.finished[0] else 0.0),
        "round": np.int64(engine.rounds[0]),
    }
    assert data_equivalence({key: info[key] for key in expected}, expected, exact=True)
    many = game_spec(engine.config.game).infos.of_rows(engine, np.array([seat]))
    assert data_equivalence(info, {key: values[0] for key, values in many.items()}, exact=True)


@EVERY_GAME
@EVERY_TABLE
def test_a_policy_plays_alike_in_the_parallel_environment(game: Game, num_players: int) -> None:
    """Those that act see what they see at their turn; those that wait have one action."""
    options: dict[str, Any] = {"num_players": num_players, "reward": "score", **game.options}
    turns, together = game.seated.raw_env(**options), game.seated.parallel_env(**options)
    turns.reset(seed=3)
    given, infos = together.reset(seed=3)
    total, most = np.zeros(num_players), 0
    while together.agents:
        actions, earned, acted = {}, np.zeros(num_players), 0
        waiting = {
            a
            for a in turns.agents
            if given[a]["action_mask"].nonzero()[0].tolist() == [together.actions.size - 1]
        }
        assert data_equivalence(infos, turns.infos, exact=True)
        while turns.agent_selection not in actions and not any(turns.terminations.values()):
            agent = turns.agent_selection
            seen = turns.observe(agent)
            if not data_equivalence(given[agent], seen, exact=True):
                break
            actions[agent] = int(canny(seen["observation"][None], seen["action_mask"][None], 0)[0])
            turns.step(actions[agent])
            earned += list(turns.rewards.values())
            acted += 1
            if game.spec.kinds[max(turns.game.kind, 0)] not in game.spec.sealed or (
                len(actions) == num_players
            ):
                break
        assert acted + len(waiting - actions.keys()) == num_players
        given, rewards, over, cut, infos = together.step(actions)
        assert list(rewards.values()) == earned.tolist()
        total, most = total + earned, max(most, acted)
    assert together.game.state == turns.game.state
    assert set(over.values()) == {True}
    assert set(cut.values()) == {False}
    assert most == (num_players if game.spec.sealed else 1)


@EVERY_GAME
def test_wrong_actions_are_refused_and_change_nothing(game: Game) -> None:
    env = game.seated.raw_env(**game.options)
    env.reset(seed=1)
    before = env.game.state.copy()
    for action in (np.array([3]), 1.0, "donate", 10**6, -1):
        with pytest.raises(ActionError, match=re.escape(f"action is {action!r}")):
            env.step(action)
    with pytest.raises(IllegalActionError):
        env.step(int(env.game.mask().argmin()))
    assert env.game.state == before
    assert env.agent_selection == env.possible_agents[env.game.seat]
    with pytest.raises(OptionError, match="'player_4'; known: 'player_0', 'player_1'"):
        env.observe("player_4")
    with pytest.raises(OptionError, match=r"agent is \[\]"):
        env.observe([])


@EVERY_GAME
def test_wrong_actions_in_the_parallel_environment(game: Game) -> None:
    env = game.seated.parallel_env(num_players=2, **game.options)
    given, _ = env.reset(seed=1)
    before, first = env.game.state.copy(), env.possible_agents[env.game.seat]
    with pytest.raises(ActionError, match=f"no entry for {first}"):
        env.step({})
    with pytest.raises(ActionError, match="actions is None"):
        env.step(None)
    legal = {agent: int(seen["action_mask"].argmax()) for agent, seen in given.items()}
    with pytest.raises(ActionError, match=r"action is 1\.0"):
        env.step({**legal, first: 1.0})
    assert env.game.state == before
    illegal = {**legal, first: int(given[first]["action_mask"].argmin())}
    _, rewards, over, cut, _ = env.step(illegal)
    assert rewards == {agent: -1.0 * (agent == first) for agent in env.possible_agents}
    assert set(over.values()) == set(cut.values()) == {True}
    assert env.agents == []
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"reset\(\)"):
        env.step(legal)


@EVERY_GAME
def test_spaces_are_the_same_objects_each_time_and_versions_are_told(game: Game) -> None:
    env = game.seated.env(**game.options)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    mask = np.zeros(env.action_space("player_0").n, dtype=np.int8)
    mask[17] = 1
    assert env.action_space("player_0").sample(mask) == 17
    env.reset(seed=0)
    assert env.state() in env.state_space
    for each in (env, game.seated.parallel_env(), game.one(), game.many()):
        assert each.metadata["versions"] == game.spec.versions


WRONG_OF_GONZAGA = [
    ({"scenario": "Nobody"}, "no scenario 'Nobody'"),
    ({"scenario": "Colombo", "num_players": 4}, "no scenario 'Colombo' for 4"),
]
WRONG = [
    ({"num_players": 5}, "num_players is 5"),
    ({"num_players": 1}, "num_players is 1"),
    ({"edition": "atlantis"}, "'atlantis'"),
    ({"edition": 3}, "edition is 3"),
    ({"reward": "money"}, "reward is 'money'"),
    ({"rules": GameSpec}, "rules is .* such as"),
    ({"render_mode": "window"}, "render_mode is 'window'; it takes None, 'ansi'"),
    ({"mask": "infos"}, "mask is 'infos'"),
]
WRONG_LEARNERS = [
    ({"seat": 2, "num_players": 2}, "seat is 2; it takes None or 0 to 1"),
    ({"seat": -1}, "seat is -1"),
    ({"seat": True}, "seat is True"),
    ({"opponents": []}, "opponents are empty"),
    ({"opponents": "bold"}, "no agent 'bold'"),
    ({"opponents": 3}, "opponent is 3; it takes an agent's name, an agent, None"),
    ({"opponents": [canny, 3]}, "or a function of"),
]


@KINDS
@EVERY_GAME
def test_wrong_arguments_are_named(game: Game, kind: str) -> None:
    make = {"many": game.many, "one": game.one}.get(kind) or getattr(game.seated, kind)
    wrong = WRONG + WRONG_LEARNERS * (kind in ("one", "many"))
    for options, says in wrong + WRONG_OF_GONZAGA * (game.name == "Gonzaga"):
        with pytest.raises(GameError, match=says):
            make(**options)
