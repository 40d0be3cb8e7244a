"""Self-play of a game whose seats decide in no fixed order, against plain loops."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pytest
from gonzaga_agents.common.arrays import Indices, Inputs
from gonzaga_agents.training.league import LEARNER, League
from gonzaga_agents.training.self_play import SelfPlay

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Agent
from gonzaga_env.tabletop.spec import Config, Engine
from tests.agents.training.toys import LastAgent

GAME, NUM_GAMES, NUM_CHOICES, SCALE, LAMBDA = "tuscany", 5, 64, 0.1, 0.7


@dataclass(frozen=True)
class Seen(Inputs):
    """The observation, and the first legal actions."""

    numbers: np.ndarray
    actions: np.ndarray


class Reader:
    """Reads observations and masks."""

    reads_ahead = True

    def __init__(self, config: Config) -> None:
        self.config, self.sizes = config, None

    def read_engine(self, engine: Engine, games: Indices, seats: Indices) -> Seen:
        assert engine.seats[games].tolist() == seats.tolist()
        return self.read_observations(engine.observe(rows=games), engine.legal_action_mask(games))

    def read_observations(self, observations: np.ndarray, masks: np.ndarray) -> Seen:
        actions = np.full((len(masks), NUM_CHOICES), -1, np.int16)
        for row, mask in zip(actions, masks, strict=True):
            legal = mask.nonzero()[0][:NUM_CHOICES]
            row[: len(legal)] = legal
        return Seen(observations, actions)


class RandomPolicy:
    """Chooses at random; a log-probability occurs once, so that it names a decision."""

    def __init__(self) -> None:
        self.rng, self.calls = np.random.default_rng(1), list[list[tuple[float, float]]]()

    def __call__(self, inputs: Seen) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        chosen = self.rng.integers((inputs.actions >= 0).sum(axis=1))
        log_probs, values = self.rng.normal(size=(2, len(inputs))).astype(np.float32)
        self.calls.append(list(zip(log_probs.tolist(), values.tolist(), strict=True)))
        return chosen, log_probs, values


@dataclass
class Decision:
    """A decision of the learner."""

    log_prob: float
    value: float
    kind: int
    round: int
    seen: np.ndarray
    reward: float = 0.0
    advantage: float = field(default=float("nan"))


class Replay:
    """Plays recorded actions again and follows each seat with a list."""

    def __init__(self, config: Config) -> None:
        self.engine = game_spec(GAME).engine.from_config(config, NUM_GAMES, seed=3, reward="score")
        self.running: defaultdict[tuple[int, int], list[Decision]] = defaultdict(list)
        self.num_left_open = 0

    def rollout(self, steps: list, calls: list, lineups: np.ndarray) -> dict[float, Decision]:
        """Returns the decisions to learn from, by log-probability."""
        engine, rows = self.engine, iter(calls)
        found: list[Decision] = []
        for lineup, actions in steps:
            seats, kinds, rounds = engine.seats, engine.kinds, engine.rounds
            own = [g for g in range(NUM_GAMES) if lineup[g, seats[g]] == LEARNER]
            judged = iter(next(rows) if own else [])
            for game in own:
                seen = engine.observe(rows=[game])[0]
                decision = Decision(*next(judged), kinds[game], rounds[game], seen)
                self.running[game, seats[game]].append(decision)
            result = engine.step(actions)
            for (game, seat), decisions in self.running.items():
                if decisions:
                    decisions[-1].reward += result.rewards[game, seat] * SCALE
            for key in [key for key in self.running if result.finished[key[0]]]:
                found += _judge(self.running.pop(key), 0.0)
        seats = engine.seats
        own = [g for g in range(NUM_GAMES) if lineups[g, seats[g]] == LEARNER]
        judged = iter(next(rows) if own else [])
        ahead = {(game, seats[game]): next(judged)[1] for game in own}
        assert next(rows, None) is None
        for key, decisions in self.running.items():
            if not decisions:
                continue
            left = [] if key in ahead else [decisions.pop()]
            found += _judge(decisions, ahead[key] if key in ahead else left[0].value)
            self.running[key] = left
            self.num_left_open += len(left)
        return {decision.log_prob: decision for decision in found}


def _judge(decisions: list[Decision], following: float) -> list[Decision]:
    """Computes generalised advantages of decisions with what the critic expects after them."""
    advantage = 0.0
    for decision in reversed(decisions):
        advantage = decision.reward + following - decision.value + LAMBDA * advantage
        decision.advantage, following = advantage, decision.value
    return decisions


@pytest.mark.parametrize("num_players", [2, 4])
def test_experience_equals_a_replay(num_players: int) -> None:
    config = game_spec(GAME).config(num_players=num_players, rules={"max_laps": 3})
    opponents: list[Agent] = [LastAgent()]
    league = League(opponents, num_players=num_players, self_play=0.5, most_past=0)
    options = {"reward": "score", "reward_scale": SCALE, "seed": 3}
    play = SelfPlay(config, Reader(config), league, num_games=NUM_GAMES, **options)  # type: ignore[arg-type]
    steps, real_step = list[tuple[np.ndarray, np.ndarray]](), play.engine.step

    def step(actions: np.ndarray) -> object:
        steps.append((play._lineups.copy(), actions.copy()))
        return real_step(actions)

    play.engine.step = step
    replay, kinds = Replay(config), set[int]()
    for _ in range(6):
        policy = RandomPolicy()
        policy.rng = np.random.default_rng(len(play.results) + len(kinds))
        steps.clear()
        found = play.collect(policy, num_steps=20, gae_lambda=LAMBDA)
        wanted = replay.rollout(steps, policy.calls, play._lineups)
        decisions = [wanted.pop(log_prob) for log_prob in found.log_probs.tolist()]
        assert not wanted
        np.testing.assert_allclose(found.advantages, [d.advantage for d in decisions], atol=1e-4)
        np.testing.assert_array_equal(found.values, np.float32([d.value for d in decisions]))
        np.testing.assert_allclose(found.returns, found.values + found.advantages)
        assert found.kinds.tolist() == [d.kind for d in decisions]
        assert found.rounds.tolist() == [d.round for d in decisions]
        np.testing.assert_array_equal(found.inputs.numbers, [d.seen for d in decisions])  # type: ignore[attr-defined]
        kinds |= set(found.kinds.tolist())
    assert play.results
    assert replay.num_left_open
    assert len(kinds) > 2
