"""Collects experience from every seat of many games.

Games are in lockstep: a round is one decision of all N * P seats, who plan at the same time, and
then P placements. So all plans of a round are one batch of the network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.state import State
from gonzaga_env.tabletop.agent import Agent
from gonzaga_env.tabletop.rewards import Reward, win_shares

from ..agent import EngineAgent
from ..common.arrays import Arrays
from ..gonzaga.candidates import Indices
from ..gonzaga.network.inputs import Floats, Inputs
from ..gonzaga.network.reader import InputReader
from ..network.agent import NetworkAgent
from .league import LEARNER, League

Policy = Callable[[Inputs], tuple[Indices, Floats, Floats]]
"""Returns which choice is taken, its log-probability and the value, [M] each."""


@dataclass(frozen=True)
class Experience(Arrays):
    """L decisions of the learner.

    Attributes:
        inputs: what it saw.
        chosen: which choice it took, [L].
        log_probs: of these, when they were taken, [L].
        values: what the critic expected, [L].
        advantages: how much better it went than expected (generalised advantage), [L].
        returns: what was gained from there on, as far as it was waited for, [L].
        placing: whether it placed, [L]; otherwise it planned.
        rounds: from 1, [L].
    """

    inputs: Inputs
    chosen: Indices
    log_probs: Floats
    values: Floats
    advantages: Floats
    returns: Floats
    placing: NDArray[np.bool_]
    rounds: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.chosen)


@dataclass(frozen=True)
class Result:
    """A finished game of the learner.

    Attributes:
        score: the mean of its seats.
        share: its share of the victory; None where it had all seats.
        opponents: names.
    """

    score: float
    share: float | None
    opponents: frozenset[str]


@dataclass(frozen=True)
class _Decisions:
    """Decisions of the learner and its past selves at one moment, [M] each.

    `members` says who decides, `learns` which decisions to learn from.
    """

    games: Indices
    seats: Indices
    inputs: Inputs
    members: Indices
    learns: NDArray[np.bool_]
    rounds: NDArray[np.uint8]

    def of(self, member: int) -> tuple[Indices, _Decisions]:
        """Returns the rows of a member's decisions, and these decisions."""
        rows = (self.members == member).nonzero()[0]
        if len(rows) == len(self.members):
            return rows, self
        arrays = self.games, self.seats, self.members, self.learns, self.rounds
        games, seats, members, learns, rounds = (array[rows] for array in arrays)
        return rows, _Decisions(games, seats, self.inputs.take(rows), members, learns, rounds)


class _Rollout:
    """T = 2 R steps of N games of P seats; step 2 r is the plan of round r, then comes its place.

    Attributes:
        values: what the critic expects, [T + 1, N, P].
        done: whether a game ended in a step, [T, N].
    """

    def __init__(self, num_steps: int, num_games: int, num_players: int) -> None:
        self._rewards = np.zeros((num_steps, num_games, num_players), dtype=np.float32)
        self.values = np.zeros((num_steps + 1, num_games, num_players), dtype=np.float32)
        self.done = np.zeros((num_steps, num_games), dtype=np.bool_)
        self._added: list[tuple[int, _Decisions, Indices, Floats]] = []

    def add(self, step: int, decisions: _Decisions, policy: Policy) -> Indices:
        """Lets the policy decide, keeps what it chose and returns the actions."""
        chosen, log_probs, values = policy(decisions.inputs)
        self.values[step, decisions.games, decisions.seats] = values
        self._added.append((step, decisions, chosen, log_probs))
        return decisions.inputs.actions[np.arange(len(chosen)), chosen].astype(np.int64)

    def reward(self, last: Indices, rewards: NDArray[np.float64]) -> None:
        """Adds rewards [N, P] to the last step [N, P] in which each seat decided."""
        games, seats = np.indices(last.shape)
        self._rewards[last, games, seats] += rewards

    def experience(self, gae_lambda: float) -> Experience:
        """Returns the decisions to learn from, with advantages (Schulman et al., 2016)."""
        advantages, ahead = np.zeros_like(self._rewards), np.zeros_like(self._rewards[0])
        for step in reversed(range(len(advantages))):
            goes_on = ~self.done[step, :, None]
            error = self._rewards[step] + goes_on * self.values[step + 1] - self.values[step]
            ahead = error + np.float32(gae_lambda) * goes_on * ahead
            advantages[step] = ahead
        parts = [_learned(*added, self.values, advantages) for added in self._added]
        return Experience.concatenate(parts)


def _learned(
    step: int,
    decisions: _Decisions,
    chosen: Indices,
    log_probs: Floats,
    values: Floats,
    advantages: Floats,
) -> Experience:
    """Returns those decisions of a step that are to be learned from."""
    rows = decisions.learns.nonzero()[0]
    every = len(rows) == len(decisions.learns)
    at = step, decisions.games[rows], decisions.seats[rows]
    expected, advantage = values[at], advantages[at]
    return Experience(
        inputs=decisions.inputs if every else decisions.inputs.take(rows),
        chosen=chosen[rows],
        log_probs=log_probs[rows],
        values=expected,
        advantages=advantage,
        returns=expected + advantage,
        placing=np.full(len(rows), step % 2 == 1),
        rounds=decisions.rounds[rows],
    )


class SelfPlay:
    """Games in which the learner has all seats, or one among opponents of a league.

    Attributes:
        engine: the games.
        reader: reads the network's inputs.
        league: draws the lineups.
        results: games that finished; the caller empties it.
    """

    def __init__(
        self,
        config: GameConfig,
        reader: InputReader,
        league: League,
        *,
        num_games: int,
        reward: Reward,
        reward_scale: float,
        seed: int,
        every_seat: bool = True,
    ) -> None:
        """Deals the games.

        Args:
            config: what is played.
            reader: reads the network's inputs.
            league: draws the lineups.
            num_games: N.
            reward: what is learned.
            reward_scale: what rewards are multiplied by.
            seed: decides deals, lineups and the opponents' choices.
            every_seat: whether the learner learns from all its seats, or from one in each game.
        """
        self.engine = Engine.from_config(config, num_games, seed=seed, reward=reward)
        self.reader, self.league, self.results = reader, league, list[Result]()
        self._scale, self._every_seat = reward_scale, every_seat
        self._rng = np.random.default_rng(seed)
        self._games = np.arange(num_games)
        shape = num_games, config.num_players
        self._lineups, self._learns = np.empty(shape, dtype=np.int64), np.empty(shape, np.bool_)
        self._seat(self._games)
        self._ahead: _Decisions | None = None  # the next plans, which were read already

    def collect(self, policy: Policy, *, num_rounds: int, gae_lambda: float) -> Experience:
        """Plays some rounds and returns the learner's decisions.

        Args:
            policy: chooses for the learner.
            num_rounds: R.
            gae_lambda: how far advantages look ahead before they trust the value, 0 to 1.
        """
        rollout = _Rollout(2 * num_rounds, *self._lineups.shape)
        for step in range(0, 2 * num_rounds, 2):
            self._plan(policy, rollout, step)
            self._place(policy, rollout, step)
        self._ahead = self._read_plans()
        _, own = self._ahead.of(LEARNER)
        rollout.values[-1, own.games, own.seats] = policy(own.inputs)[2]
        return rollout.experience(gae_lambda)

    def _plan(self, policy: Policy, rollout: _Rollout, step: int) -> None:
        """Plays the plans of a round."""
        decisions = self._ahead or self._read_plans()
        self._ahead, plans = None, np.zeros(self._lineups.shape, dtype=np.int64)
        plans[decisions.games, decisions.seats] = self._decide(decisions, policy, rollout, step)
        apart = np.unique(self._lineups[~self._is_read(self._lineups)])
        for member in apart:
            agent = self.league.members[member].agent
            if isinstance(agent, EngineAgent):
                games, seats = (self._lineups == member).nonzero()
                plans[games, seats] = agent.act_in(self.engine, games, seats, self._rng)
        for seat, lineup in enumerate(self._lineups.T):
            for member in apart:
                agent, games = self.league.members[member].agent, (lineup == member).nonzero()[0]
                if len(games) and not isinstance(agent, EngineAgent):
                    plans[games, seat] = self._act(agent, games)
            self.engine.step(plans[:, seat])

    def _place(self, policy: Policy, rollout: _Rollout, step: int) -> None:
        """Plays the placements of a round; rewards go to the last decision of each seat."""
        engine, last = self.engine, np.full(self._lineups.shape, step)
        for _ in range(engine.num_players):
            seats, actions = engine.seats, np.zeros(len(self._games), dtype=np.int64)
            members = self._lineups[self._games, seats]
            is_read = self._is_read(members)
            if is_read.any():
                games = is_read.nonzero()[0]
                decisions = self._read(games, seats[games])
                actions[games] = self._decide(decisions, policy, rollout, step + 1)
            for member in np.unique(members[~is_read]):
                agent, games = self.league.members[member].agent, (members == member).nonzero()[0]
                if isinstance(agent, EngineAgent):
                    actions[games] = agent.act_in(engine, games, seats[games], self._rng)
                else:
                    actions[games] = self._act(agent, games)
            last[self._games, seats] = step + 1
            result = engine.step(actions)
            rollout.reward(last, result.rewards * self._scale)
            ended = result.finished.nonzero()[0]
            if len(ended):
                rollout.done[step + 1, ended] = True
                self._end(ended, result.final)

    def _is_read(self, members: Indices) -> NDArray[np.bool_]:
        """Returns which members see what the learner sees: it and its past selves."""
        agents = [member.agent for member in self.league.members]
        shared = [isinstance(a, NetworkAgent) and a.reader is self.reader for a in agents]
        return np.array([*shared, True])[members]  # the learner's number is -1

    def _read_plans(self) -> _Decisions:
        """Returns what the learner and its past selves see before they plan, all seats at once."""
        return self._read(*self._is_read(self._lineups).nonzero())

    def _read(self, games: Indices, seats: Indices) -> _Decisions:
        """Returns decisions of one phase with what is seen."""
        return _Decisions(
            games,
            seats,
            self.reader.read_engine(self.engine, games, seats),
            self._lineups[games, seats],
            self._learns[games, seats],
            self.engine.state.round[games],
        )

    def _decide(
        self, decisions: _Decisions, policy: Policy, rollout: _Rollout, step: int
    ) -> Indices:
        """Returns the actions of the learner, which are kept, and of its past selves."""
        actions = np.empty(len(decisions.games), dtype=np.int64)
        for member in np.unique(decisions.members):
            rows, own = decisions.of(member)
            if member == LEARNER:
                actions[rows] = rollout.add(step, own, policy)
            else:
                past = cast(NetworkAgent, self.league.members[member].agent)
                actions[rows] = past.choose(own.inputs, self._rng)
        return actions

    def _act(self, agent: Agent, games: Indices) -> Indices:
        """Returns the actions of an agent that takes observations, for the seats to act."""
        engine = self.engine
        masks = engine.legal_action_mask(games)
        return np.asarray(agent.act(engine.observe(rows=games), masks, self._rng))

    def _end(self, ended: Indices, final: State) -> None:
        """Keeps the results of games that ended, and seats the players of the next ones."""
        shares, members = win_shares(winners(self.engine.tables, final)), self.league.members
        for row, lineup in enumerate(self._lineups[ended]):
            own = lineup == LEARNER
            others = [members[member] for member in np.unique(lineup[~own])]
            share = float(shares[row, own].sum()) if others else None
            for member in others:
                member.record(share or 0.0)
            names = frozenset(member.name for member in others)
            self.results.append(Result(float(final.totals[row, own].mean()), share, names))
        self._seat(ended)

    def _seat(self, games: Indices) -> None:
        """Draws who plays in games that start."""
        lineups = self.league.draw(len(games), self._rng)
        self._lineups[games] = lineups
        self._learns[games] = lineups == LEARNER
        if not self._every_seat:
            chosen = self._rng.random(lineups.shape) * self._learns[games]
            self._learns[games] = chosen == chosen.max(axis=1, keepdims=True)
