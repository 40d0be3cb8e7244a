"""The VecEnv against an independent replay of every game by the engine's own bookkeeping."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gonzaga_agents.agent import Agent
from gonzaga_agents.baselines.greedy import GreedyAgent
from gonzaga_agents.baselines.random_agent import RandomAgent, choose_among
from gonzaga_agents.training.policy import BoolMaskBuffer, GonzagaPolicy
from gonzaga_agents.training.vec_env import GonzagaVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from gonzaga_env.core import Engine, FeatureTable, GameConfig
from gonzaga_env.core.batch.engine import StepResult
from gonzaga_env.core.errors import IllegalActionError, OptionError
from gonzaga_env.core.observation.reader import observe
from gonzaga_env.core.rules.rewards import Reward

NUM_GAMES, NUM_TURNS = 6, 130  # five episodes or more a game


class Witness(Engine):
    """An engine that writes down every action: (game, episode, seat, action, rewards of all)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.log: list[tuple[int, int, int, int, np.ndarray]] = []
        super().__init__(*args, **kwargs)

    def step(self, actions: Any, rows: Any = None) -> StepResult:
        games = np.arange(self.num_games) if rows is None else rows
        episodes = self.state.episode[games].tolist()
        result = super().step(actions, rows)
        self.log += zip(
            games.tolist(),
            episodes,
            result.seats.tolist(),
            np.asarray(actions).tolist(),
            result.rewards,
            strict=True,
        )
        return result


def make(
    num_players: int = 3,
    reward: Reward = "margin",
    seed: int = 3,
    opponents: tuple[Agent, ...] | None = None,
    **kwargs: Any,
) -> GonzagaVecEnv:
    engine = Witness(NUM_GAMES, num_players, seed=seed, reward=reward)
    if opponents is None:
        opponents = (RandomAgent(engine.config), GreedyAgent(engine.config))
    return GonzagaVecEnv(engine, opponents, seed=seed, **kwargs)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_learner_sees_its_own_turns_only_and_its_masks_are_the_engines(num_players: int):
    env, rng = make(num_players), np.random.default_rng(0)
    observations = env.reset()
    seats = set()
    for _ in range(NUM_TURNS):
        assert (env.engine.seats == env.seats).all()
        seats |= set(zip(range(NUM_GAMES), env.seats.tolist(), strict=True))
        relative = env.engine.features.view(observations, "seat")  # one-hot
        np.testing.assert_array_equal(relative.argmax(axis=1), env.seats)
        np.testing.assert_array_equal(observations, env.engine.observe())
        masks = np.stack(env.env_method("action_masks"))
        np.testing.assert_array_equal(masks, env.engine.legal_action_mask())
        assert masks.any(axis=1).all()
        observations, _, _, _ = env.step(choose_among(masks, rng))
    assert len(seats) == NUM_GAMES * num_players, "the learner plays every seat of every game"


@pytest.mark.parametrize("reward", ["outcome", "score", "margin"])
def test_rewards_are_the_engines_for_the_learners_seat(reward: Reward):
    """Sums the witness's rewards by episode, and compares with what the learner was given."""
    env, rng = make(reward=reward, reward_scale=0.5), np.random.default_rng(1)
    env.reset()
    given: dict[tuple[int, int], float] = {}
    told: dict[tuple[int, int], dict[str, Any]] = {}
    for _ in range(NUM_TURNS):
        episodes = env.engine.state.episode.tolist()
        _, rewards, done, infos = env.step(choose_among(env.action_masks(), rng))
        for game, episode in enumerate(episodes):
            key = game, episode
            given[key] = given.get(key, 0.0) + float(rewards[game])
            assert bool(infos[game]) == done[game] == (env.engine.state.episode[game] != episode)
            if done[game]:
                told[key] = infos[game]
    assert len(told) >= 4 * NUM_GAMES
    for (game, episode), info in told.items():
        seat = info["seat"]
        assert seat == (game + episode) % env.engine.num_players
        log = [entry for entry in env.engine.log if entry[:2] == (game, episode)]
        assert info["episode"]["r"] == pytest.approx(sum(entry[4][seat] for entry in log), abs=1e-4)
        assert info["episode"]["l"] == sum(entry[2] == seat for entry in log)
        assert len(info["opponents"]) == env.engine.num_players - 1
        assert given[game, episode] == pytest.approx(0.5 * info["episode"]["r"], abs=1e-4)


def test_the_end_of_a_game_is_seen_from_the_learners_seat():
    env, rng = make(num_players=2, reward="score"), np.random.default_rng(2)
    env.reset()
    wins = []
    for _ in range(NUM_TURNS):
        seats, episodes = env.seats.copy(), env.engine.state.episode.copy()
        _, _, done, infos = env.step(choose_among(env.action_masks(), rng))
        for game in np.flatnonzero(done):
            info = infos[game]
            replayed = Engine(1, 2, seed=env.engine.state.seed[game : game + 1], autoreset=False)
            for _ in range(episodes[game]):
                replayed.reset()
            for entry in env.engine.log:
                if entry[:2] == (game, episodes[game]):
                    replayed.step([entry[3]])
            final, seat = replayed.state, seats[game : game + 1]
            assert final.finished[0]
            seen = observe(replayed.tables, replayed.features, final, np.array([0]), seat)
            np.testing.assert_array_equal(info["terminal_observation"], seen[0])
            assert info["score"] == final.totals[0, seat[0]] == info["episode"]["r"]
            best = final.totals[0].argmax()
            assert info["won"] in (0.0, 0.5, 1.0)
            if final.totals[0, 0] != final.totals[0, 1]:
                assert info["won"] == (best == seat[0])
            wins.append(info["won"])
    assert 0 < np.mean(wins) < 1


class Counting(RandomAgent):
    """Random, and counts its decisions."""

    calls = 0

    def act(self, observations: Any, masks: Any, rng: Any) -> Any:
        self.calls += len(masks)
        return super().act(observations, masks, rng)


def test_opponents_are_drawn_with_their_probabilities():
    often, rarely, never = (Counting(GameConfig(4)) for _ in range(3))
    env = make(4, opponents=(often, rarely, never), probabilities=(0.75, 0.25, 0))
    rng = np.random.default_rng(0)
    env.reset()
    for _ in range(NUM_TURNS):
        env.step(choose_among(env.action_masks(), rng))
    assert never.calls == 0
    assert 0.6 < often.calls / (often.calls + rarely.calls) < 0.9


class Named(RandomAgent):
    """Random, and notes the seats that it plays."""

    def __init__(self, name: str) -> None:
        super().__init__(GameConfig(3))
        self.name, self.seat = name, FeatureTable(316, 3)["seat"].slice
        self.seats: list[int] = []

    def act(self, observations: Any, masks: Any, rng: Any) -> Any:
        self.seats += observations[:, self.seat].argmax(axis=1).tolist()
        return super().act(observations, masks, rng)


def test_the_end_of_a_game_names_the_opponents_clockwise():
    agents = {name: Named(name) for name in ("first", "second")}
    env = GonzagaVecEnv(Engine(1, 3, seed=0), list(agents.values()), seed=1)
    rng, seen = np.random.default_rng(0), set()
    env.reset()
    for _ in range(NUM_TURNS):
        _, _, done, (info,) = env.step(choose_among(env.action_masks(), rng))
        if done[0]:  # the opponents may have played the next game's first turns already
            for i, name in enumerate(info["opponents"], start=1):
                assert (info["seat"] + i) % 3 in agents[name].seats
            seen.add(info["opponents"])
            for agent in agents.values():
                agent.seats.clear()
    assert len(seen) > 1


def test_seeds_decide_everything():
    def play(seed: int) -> list[np.ndarray]:
        env, rng = make(seed=0), np.random.default_rng(0)
        env.seed(seed)
        first = env.reset()
        return [first] + [env.step(choose_among(env.action_masks(), rng))[0] for _ in range(40)]

    np.testing.assert_array_equal(play(5), play(5))
    assert not np.array_equal(play(5), play(6))


def test_a_second_reset_deals_the_next_games():
    env = make()
    first, second = env.reset(), env.reset()
    assert not np.array_equal(first, second)
    env.seed(1)
    again = env.reset()
    env.seed(1)
    np.testing.assert_array_equal(again, env.reset())


def test_it_says_what_it_has_and_has_not():
    env = make()
    assert is_masking_supported(env)
    env.reset()
    assert get_action_masks(env).shape == (NUM_GAMES, env.action_space.n)
    assert len(env.env_method("action_masks", indices=[1, 2])) == 2
    assert not env.has_attr("no_such_thing")
    with pytest.raises(AttributeError):
        env.get_attr("no_such_thing")
    with pytest.raises(AttributeError):
        env.env_method("no_such_thing")
    with pytest.raises(AttributeError):
        env.set_attr("seats", 0)
    assert env.env_is_wrapped(gymnasium.Wrapper, indices=0) == [False]
    assert env.observation_space.contains(env.engine.observe()[0])
    env.close()


def test_an_illegal_action_is_named_and_changes_nothing():
    env = make()
    before = env.reset()
    with pytest.raises(IllegalActionError):
        env.step(env.action_masks().argmin(axis=1))
    np.testing.assert_array_equal(before, env.engine.observe())


def test_unusable_engines_and_opponents_are_refused():
    with pytest.raises(OptionError, match="autoreset"):
        GonzagaVecEnv(Engine(2, 2, autoreset=False), [RandomAgent()])
    with pytest.raises(OptionError, match="one opponent"):
        GonzagaVecEnv(Engine(2, 2), [])


def test_the_buffer_and_policy_agree_with_sb3s_own_distribution():
    """Log-probabilities and entropies over legal actions are those of the whole masked space."""
    env = make(2)
    model = MaskablePPO(
        GonzagaPolicy,
        env,
        n_steps=4,
        batch_size=8,
        n_epochs=1,
        rollout_buffer_class=BoolMaskBuffer,
        policy_kwargs={
            "config": env.engine.config,
            "network": {"width": 16},
        },
        device="cpu",
    )
    model.learn(24)
    assert model.rollout_buffer.action_masks.dtype == np.bool_
    masks = env.action_masks()
    observations = torch.as_tensor(env.engine.observe())
    with torch.no_grad():
        choices, _ = model.policy.network(observations, torch.as_tensor(masks))
        actions, values, log_probs = model.policy(observations, action_masks=masks)
        again = model.policy.evaluate_actions(observations, actions, action_masks=masks)
        dense = torch.zeros(masks.shape)
        for row, legal in enumerate(choices.actions):
            dense[row, legal[legal >= 0]] = choices.logits[row, legal >= 0]
    expected = MaskableCategorical(logits=dense, masks=masks)
    assert masks[np.arange(NUM_GAMES), actions].all()
    torch.testing.assert_close(log_probs, expected.log_prob(actions))
    torch.testing.assert_close(again[1], expected.log_prob(actions))
    torch.testing.assert_close(again[2], expected.entropy())
    torch.testing.assert_close(again[0], values)
    torch.testing.assert_close(model.policy.predict_values(observations), values)
    best, _ = model.predict(observations.numpy(), action_masks=masks, deterministic=True)
    np.testing.assert_array_equal(best, expected.logits.argmax(dim=1))
