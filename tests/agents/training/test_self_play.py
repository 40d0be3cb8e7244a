"""Self-play against a replay, step by step, on a second engine with plain loops."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.gonzaga.network.inputs import Inputs
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.training.league import LEARNER, League
from gonzaga_agents.training.self_play import Experience, SelfPlay

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state.state import PLACE, PLAN
from gonzaga_env.tabletop.agent import Agent
from gonzaga_env.tabletop.rewards import Reward
from tests.agents.training.toys import LastAgent, network_agent

NUM_GAMES, NUM_ROUNDS, SCALE, LAMBDA, SEED = 4, 7, 0.1, 0.7, 11
Row = tuple[Inputs, int, float, float]  # what the policy was given, and what it returned


class RandomPolicy:
    """Chooses at random, expects anything, and remembers all of it."""

    def __init__(self) -> None:
        self.rng, self.calls = np.random.default_rng(1), list[list[Row]]()

    def __call__(self, inputs: Inputs) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        chosen = self.rng.integers((inputs.actions >= 0).sum(axis=1))
        log_probs, values = self.rng.normal(size=(2, len(inputs))).astype(np.float32)
        rows = zip(chosen.tolist(), log_probs.tolist(), values.tolist(), strict=True)
        self.calls.append([(inputs.take([i]), *row) for i, row in enumerate(rows)])  # type: ignore[arg-type]
        return chosen, log_probs, values


@dataclass
class Step:
    """A step of the engine: who had which seat, and what was played."""

    lineups: np.ndarray
    learns: np.ndarray
    actions: np.ndarray


@dataclass
class Decision:
    """A decision of the learner, as it should be learned from."""

    row: Row
    learns: bool
    placing: bool
    round: int
    reward: float = 0.0
    ends: bool = False
    advantage: float = field(default=float("nan"))


def make(
    config: GameConfig, agents: list[Agent], reward: Reward, **options: Any
) -> tuple[SelfPlay, list[Step]]:
    """Returns self-play and the list in which its steps will stand."""
    reader = InputReader(config)
    league = League(agents, num_players=config.num_players, self_play=0.4, most_past=0)
    play = SelfPlay(
        config,
        reader,
        league,
        num_games=NUM_GAMES,
        reward=reward,
        reward_scale=SCALE,
        seed=SEED,
        **options,
    )
    steps: list[Step] = []
    real_step = play.engine.step

    def step(actions: np.ndarray) -> Any:
        steps.append(Step(play._lineups.copy(), play._learns.copy(), np.array(actions)))
        return real_step(actions)

    play.engine.step = step  # type: ignore[method-assign, assignment]
    return play, steps


class Replay:
    """Plays recorded steps again and keeps each learner's trajectories."""

    def __init__(self, play: SelfPlay, reward: Reward) -> None:
        config = play.reader.config
        self.engine = Engine.from_config(config, NUM_GAMES, seed=SEED, reward=reward)
        self.agents = [member.agent for member in play.league.members]
        self.reader, self.finished = InputReader(config), list[tuple[np.ndarray, np.ndarray]]()

    def rollout(self, steps: list[Step], calls: list[list[Row]]) -> list[Decision]:
        """Returns the decisions of one rollout, in the order of the policy's calls."""
        self.in_order: list[Decision] = []
        self.trajectories: defaultdict[tuple[int, int], list[Decision]] = defaultdict(list)
        self.calls = iter(calls)
        while steps:
            self._round(steps)
        last = iter(next(self.calls))
        assert next(self.calls, None) is None
        ahead = {
            (game, seat): next(last)[3]
            for game in range(NUM_GAMES)
            for seat in range(self.engine.num_players)
            if self.lineups_after[game, seat] == LEARNER
        }
        for key, trajectory in self.trajectories.items():
            _advantages(trajectory, ahead.get(key, float("nan")))
        return self.in_order

    def _round(self, steps: list[Step]) -> None:
        """Plays the plans and placements of a round."""
        lineups, learns = steps[0].lineups, steps[0].learns
        rows, num_players = iter(next(self.calls)), self.engine.num_players
        plans = {
            (game, seat): self._decision(next(rows), learns[game, seat])
            for game in range(NUM_GAMES)
            for seat in range(num_players)
            if lineups[game, seat] == LEARNER
        }
        assert next(rows, None) is None
        for _ in range(num_players):
            self._step(steps.pop(0), plans)
        for _ in range(num_players):
            step, seats = steps.pop(0), self.engine.seats
            learner = [g for g in range(NUM_GAMES) if step.lineups[g, seats[g]] == LEARNER]
            rows = iter(next(self.calls)) if learner else iter(())
            places = {
                (game, int(seats[game])): self._decision(next(rows), step.learns[game, seats[game]])
                for game in learner
            }
            self._step(step, places)

    def _decision(self, row: Row, learns: bool) -> Decision:
        placing = bool(self.engine.state.phase[0] != PLAN)
        found = Decision(row, bool(learns), placing, round=-1)
        self.in_order.append(found)
        return found

    def _step(self, step: Step, decisions: dict[tuple[int, int], Decision]) -> None:
        """Checks who decided what, plays it, and shares out the rewards."""
        engine, placing = self.engine, bool(self.engine.state.phase[0] != PLAN)
        seats, rounds = engine.seats.copy(), engine.state.round.copy()
        for game, seat in enumerate(seats.tolist()):
            member = step.lineups[game, seat]
            if member == LEARNER:
                decision = decisions[game, seat]
                decision.round = int(rounds[game])
                self._check_inputs(decision.row, game, seat)
                inputs, chosen, *_ = decision.row
                assert inputs.actions[0, chosen] == step.actions[game]
                if not placing:
                    self.trajectories[game, seat].append(decision)
            else:
                seen = engine.observe(rows=[game]), engine.legal_action_mask([game])
                action = self.agents[member].act(*seen, np.random.default_rng(0))[0]
                assert action == step.actions[game]
        if placing:
            for key, decision in decisions.items():
                self.trajectories[key].append(decision)
        result = engine.step(step.actions)
        for (game, seat), trajectory in self.trajectories.items():
            if trajectory and step.lineups[game, seat] == LEARNER:
                trajectory[-1].reward += result.rewards[game, seat] * SCALE
        for place, game in enumerate(result.finished.nonzero()[0].tolist()):
            for seat in range(engine.num_players):
                if step.lineups[game, seat] == LEARNER:
                    self.trajectories[game, seat][-1].ends = True
            self.finished.append((step.lineups[game], result.final.totals[place]))

    def _check_inputs(self, row: Row, game: int, seat: int) -> None:
        """Holds what the policy was given to what that seat sees now."""
        engine, games, seats = self.engine, np.array([game]), np.array([seat])
        seen, legal = engine.observe(rows=games), engine.legal_actions(games)
        wanted = self.reader.read(engine.state, seen, games, seats, *legal)
        for name, array in wanted.arrays().items():
            np.testing.assert_allclose(getattr(row[0], name), array, atol=1e-5, err_msg=name)


def _advantages(trajectory: list[Decision], ahead: float) -> None:
    """Computes generalised advantages by the recursion (Schulman et al., 2016, eq. 16)."""
    following, advantage = ahead, 0.0
    for decision in reversed(trajectory):
        value = decision.row[3]
        if decision.ends:
            following = advantage = 0.0
        advantage = decision.reward + following - value + LAMBDA * advantage
        decision.advantage, following = advantage, value


def check(found: Experience, decisions: list[Decision]) -> None:
    wanted = [decision for decision in decisions if decision.learns]
    assert len(found) == len(wanted) == len(found.inputs)
    assert found.chosen.tolist() == [d.row[1] for d in wanted]
    assert found.kinds.tolist() == [PLACE if d.placing else PLAN for d in wanted]
    assert found.rounds.tolist() == [d.round for d in wanted]
    np.testing.assert_allclose(found.log_probs, [d.row[2] for d in wanted])
    np.testing.assert_allclose(found.values, [d.row[3] for d in wanted])
    np.testing.assert_allclose(found.advantages, [d.advantage for d in wanted], atol=1e-4)
    returns = [d.row[3] + d.advantage for d in wanted]
    np.testing.assert_allclose(found.returns, returns, atol=1e-4)
    for name, array in Inputs.concatenate([d.row[0] for d in wanted]).arrays().items():
        np.testing.assert_array_equal(getattr(found.inputs, name), array)


def play_and_check(
    num_players: int, *, with_opponents: bool, reward: Reward = "margin", every_seat: bool = True
) -> tuple[SelfPlay, list[list[Decision]], Replay]:
    """Collects two rollouts, holds them to the replay, and returns all of it."""
    config = GameConfig(num_players, rules=Rules(first_check_round=1))
    agents: list[Agent] = [LastAgent()] if with_opponents else []
    play, steps = make(config, agents, reward, every_seat=every_seat)
    if with_opponents:  # one that shares the reader is asked without observations
        play.league.members += League(
            [network_agent(play.reader)], num_players=num_players, self_play=0, most_past=0
        ).members
        play.league._num_fixed = 2
        play._seat(play._games)
    replay, found = Replay(play, reward), []
    for _ in range(2):
        policy = RandomPolicy()
        experience = play.collect(policy, num_steps=2 * num_players * NUM_ROUNDS, gae_lambda=LAMBDA)
        assert len(steps) == 2 * num_players * NUM_ROUNDS
        replay.lineups_after = play._lineups.copy()
        found.append(replay.rollout(steps, policy.calls))
        check(experience, found[-1])
    return play, found, replay


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("with_opponents", [False, True])
def test_experience_equals_a_replay(num_players: int, with_opponents: bool) -> None:
    play, found, replay = play_and_check(num_players, with_opponents=with_opponents)
    assert replay.finished  # games ended within a rollout
    decisions = [decision for part in found for decision in part]
    assert {decision.placing for decision in decisions} == {False, True}
    if not with_opponents:
        assert len(decisions) == 2 * 2 * NUM_GAMES * num_players * NUM_ROUNDS
        assert all(decision.learns for decision in decisions)
    assert len(play.results) == len(replay.finished)
    for result, (lineup, totals) in zip(play.results, replay.finished, strict=True):
        assert result.score == pytest.approx(totals[lineup == LEARNER].mean())
        names = {play.league.members[member].name for member in lineup if member != LEARNER}
        assert result.opponents == names
        assert (result.share is None) == (not names)
        if result.share is not None:
            assert 0 <= result.share <= 1
            if totals[lineup == LEARNER].max() < totals.max():
                assert result.share == 0


@pytest.mark.parametrize("reward", ["score", "outcome"])
def test_other_rewards_equal_a_replay(reward: Reward) -> None:
    play_and_check(2, with_opponents=True, reward=reward)


def test_one_seat_of_each_game_may_learn() -> None:
    _, found, replay = play_and_check(3, with_opponents=False, every_seat=False)
    decisions = [decision for part in found for decision in part]
    assert replay.finished
    assert sum(decision.learns for decision in decisions) == 2 * 2 * NUM_GAMES * NUM_ROUNDS
    assert len(decisions) == 3 * 2 * 2 * NUM_GAMES * NUM_ROUNDS


def test_rewards_of_a_game_add_up_to_the_margin() -> None:
    """Nothing is lost between decisions: a game's rewards are its final margin."""
    play, steps = make(GameConfig(3), [], "margin")
    replay, total = Replay(play, "margin"), defaultdict(float)
    policy = RandomPolicy()
    play.collect(policy, num_steps=2 * 3 * 13, gae_lambda=LAMBDA)
    replay.lineups_after = play._lineups.copy()
    replay.rollout(steps, policy.calls)
    for (game, seat), trajectory in replay.trajectories.items():
        for decision in trajectory:
            total[game, seat] += decision.reward / SCALE
            if decision.ends:
                break
    assert len(replay.finished) == NUM_GAMES
    for (lineup, totals), game in zip(replay.finished, range(NUM_GAMES), strict=True):
        assert (lineup == LEARNER).all()
        for seat in range(3):
            others = [totals[other] for other in range(3) if other != seat]
            assert total[game, seat] == pytest.approx(totals[seat] - np.mean(others), abs=1e-3)


def test_the_seed_decides_deals_and_lineups() -> None:
    config, found = GameConfig(3), []
    for _ in range(2):
        play, _ = make(config, [LastAgent()], "margin")
        found.append(play.collect(RandomPolicy(), num_steps=2 * 3 * 2, gae_lambda=LAMBDA))
    for name, array in found[0].inputs.arrays().items():
        np.testing.assert_array_equal(array, getattr(found[1].inputs, name))
    np.testing.assert_array_equal(found[0].advantages, found[1].advantages)
