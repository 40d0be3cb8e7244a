"""Collects experience from every seat of many games.

A decision that all seats make before anyone knows another's (`GameSpec.sealed`) is asked of all of
them at once, so that the plans of a round of Gonzaga are one batch of the network, unless the
network's reader wants each at its turn (`Reader.reads_ahead`). All others are asked of the seats to
act, one of each game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent
from gonzaga_env.kernel.result import Reward, win_shares
from gonzaga_env.kernel.spec import Config

from ..agent import EngineAgent
from ..arrays import Arrays, Floats, Indices, Inputs
from ..network.agent import NetworkAgent, Reader
from .league import LEARNER, League

Policy = Callable[[Any], tuple[Indices, Floats, Floats]]
"""Returns which choice of inputs is taken, its log-probability and the value, [M] each."""
_NONE = -1  # in place of the number of a decision
# Of self-play, besides the engine.
_KEPT = ("_rng", "_lineups", "_learns", "_asked", "_actions", "_open")


@dataclass(frozen=True)
class Experience(Arrays):
    """L decisions of the learner."""

    inputs: Inputs  # what it saw
    chosen: Indices  # which choice it took, [L]
    log_probs: Floats  # of these, when they were taken, [L]
    values: Floats  # what the critic expected, [L]
    advantages: Floats  # how much better it went than expected (generalised advantage), [L]
    returns: Floats  # what was gained from there on, as far as it is known yet, [L]
    kinds: NDArray[np.uint8]  # of the decisions, indices of `GameSpec.kinds`, [L]
    rounds: NDArray[np.uint8]  # from 1, [L]

    def __len__(self) -> int:
        return len(self.chosen)


@dataclass(frozen=True)
class Result:
    """A finished game of the learner."""

    score: float  # the mean of its seats
    share: float | None  # its share of the victory; None where it had all seats
    opponents: frozenset[str]  # names


@dataclass(frozen=True)
class _Decisions(Arrays):
    """Decisions of the learner and its past selves at one moment, [M] each.

    `members` says who decides, `learns` which decisions to learn from.
    """

    games: Indices
    seats: Indices
    inputs: Inputs
    members: Indices
    learns: NDArray[np.bool_]
    kinds: NDArray[np.uint8]
    rounds: NDArray[np.uint8]

    def of(self, member: int) -> tuple[Indices, _Decisions]:
        """Returns the rows of a member's decisions, and these decisions."""
        rows = (self.members == member).nonzero()[0]
        return rows, self if len(rows) == len(self.members) else self.take(rows)


@dataclass(frozen=True)
class _Taken(Arrays):
    """Decisions that the learner took at one moment, [M] each, and what they have gained."""

    decisions: _Decisions
    chosen: Indices
    log_probs: Floats
    values: Floats
    rewards: Floats


class _Rollout:
    """The learner's decisions, numbered from 0 in the order of their moments, at most L.

    All arrays but `latest` are indexed by these numbers, [L].
    """

    def __init__(self, num_decisions: int, shape: tuple[int, ...], open_: _Taken | None) -> None:
        """Starts with the decisions that the previous rollout left open."""
        self._rewards = np.zeros(num_decisions, dtype=np.float32)
        self._values = np.zeros(num_decisions, dtype=np.float32)
        self._next = np.full(num_decisions, _NONE)  # the same seat's next decision in its game
        self._latest = np.full(shape, _NONE)  # of each seat in the running game, [N, P]
        self._taken: list[_Taken] = []
        self._size = 0
        if open_ is not None:
            self._add(open_)

    def decide(self, decisions: _Decisions, policy: Policy) -> Indices:
        """Lets the policy decide, keeps what it chose and returns the actions."""
        chosen, log_probs, values = policy(decisions.inputs)
        self._add(_Taken(decisions, chosen, log_probs, values, np.zeros_like(values)))
        return decisions.inputs.actions[np.arange(len(chosen)), chosen].astype(np.int64)

    def _add(self, taken: _Taken) -> None:
        numbers = np.arange(self._size, self._size + len(taken.chosen))
        at = taken.decisions.games, taken.decisions.seats
        before = self._latest[at]
        self._next[before[before != _NONE]] = numbers[before != _NONE]
        self._latest[at] = numbers
        self._values[numbers], self._rewards[numbers] = taken.values, taken.rewards
        self._taken.append(taken)
        self._size += len(numbers)

    def reward(self, rewards: NDArray[np.float64]) -> None:
        """Adds rewards [N, P] to the latest decision of each seat."""
        decided = self._latest != _NONE
        self._rewards[self._latest[decided]] += rewards[decided]

    def end(self, games: Indices) -> None:
        """Notes that games have ended: later decisions in these rows belong to other games."""
        self._latest[games] = _NONE

    def close(self, expected: Floats, gae_lambda: float) -> tuple[Experience, _Taken]:
        """Returns the decisions to learn from, and those left open for the next rollout.

        Args:
            expected: of the critic, where each seat decides next, [N, P]; NaN for those whose
                next decision can't be seen yet, which leaves their latest one open.
            gae_lambda: see `SelfPlay.collect`.
        """
        decided = self._latest != _NONE
        beyond = np.zeros_like(self._values)  # nothing, where the game has ended
        beyond[self._latest[decided]] = expected[decided]
        is_open, stop = np.isnan(beyond), self._size
        advantages = np.zeros_like(self._values)
        learned, left = [], []
        for taken in reversed(self._taken):
            at = slice(stop - len(taken.chosen), stop)
            self._advance(at, beyond[at], advantages, np.float32(gae_lambda))
            advantages[at][is_open[at]] = 0
            taken = replace(taken, rewards=self._rewards[at])
            learned.append(_learned(taken, advantages[at], ~is_open[at]))
            left.append(taken.take(is_open[at].nonzero()[0]))
            stop = at.start
        return Experience.concatenate(learned[::-1]), _Taken.concatenate(left[::-1])

    def _advance(self, at: slice, beyond: Floats, advantages: Floats, gae_lambda: Any) -> None:
        """Sets the advantages of decisions, which those after them have (Schulman et al., 2016)."""
        following = self._next[at]
        goes_on = following != _NONE
        expected = np.where(goes_on, self._values[following], beyond)
        error = self._rewards[at] + expected - self._values[at]
        advantages[at] = error + gae_lambda * goes_on * advantages[following]


def _learned(taken: _Taken, advantages: Floats, is_closed: NDArray[np.bool_]) -> Experience:
    """Returns the decisions of a step to learn from."""
    rows = (taken.decisions.learns & is_closed).nonzero()[0]
    some = taken if len(rows) == len(taken.chosen) else taken.take(rows)
    return Experience(
        inputs=some.decisions.inputs,
        chosen=some.chosen,
        log_probs=some.log_probs,
        values=some.values,
        advantages=advantages[rows],
        returns=some.values + advantages[rows],
        kinds=some.decisions.kinds,
        rounds=some.decisions.rounds,
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
        config: Config,
        reader: Reader,
        league: League,
        *,
        num_games: int,
        reward: Reward,
        reward_scale: float,
        seed: int,
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
        """
        spec = game_spec(config.game)
        self.engine = spec.engine.from_config(config, num_games, seed=seed, reward=reward)
        self.reader, self.league, self.results = reader, league, list[Result]()
        sealed = spec.sealed if reader.reads_ahead else ()
        self._sealed = [spec.kinds.index(kind) for kind in sealed]
        self._scale = reward_scale
        self._rng = np.random.default_rng(seed)
        self._games = np.arange(num_games)
        shape = num_games, config.num_players
        self._lineups, self._learns = np.empty(shape, dtype=np.int64), np.empty(shape, np.bool_)
        self._seat(self._games)
        self._asked = np.zeros(shape, dtype=np.bool_)  # whose decision is made, or left to its turn
        self._actions = np.zeros(shape, dtype=np.int64)  # of seats that were asked
        self._seen: _Decisions | None = None  # what is decided next, if a rollout's end has read it
        self._open: _Taken | None = None  # decisions whose gain the last rollout did not see

    def collect(self, policy: Policy, *, num_steps: int, gae_lambda: float) -> Experience:
        """Plays some steps of all games and returns the learner's decisions.

        A decision is returned once the seat's next one can be seen, which shows what it is worth.

        Args:
            policy: chooses for the learner.
            num_steps: decisions in each game, by any seat.
            gae_lambda: how far advantages look ahead before they trust the value, 0 to 1.
        """
        shape = self._lineups.shape
        most = num_steps * shape[0] + 2 * self._lineups.size  # some are open, some asked ahead
        rollout = _Rollout(most, shape, self._open)
        for _ in range(num_steps):
            self._step(policy, rollout)
        expected = np.full(shape, np.nan, dtype=np.float32)
        if (due := self._due() & self._reading()).any():
            self._seen = self._read(due)
            _, own = self._seen.of(LEARNER)
            expected[own.games, own.seats] = policy(own.inputs)[2]
        experience, self._open = rollout.close(expected, gae_lambda)
        return experience

    def save(self) -> tuple[Any, ...]:
        """Returns what changes between rollouts, but for the league and without copies."""
        return (self.engine.state, *(getattr(self, name) for name in _KEPT))

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Restores a saved state; the next rollout then repeats the one that followed it."""
        state, *kept = saved
        self.engine.set_state(state, check=False)
        for name, value in zip(_KEPT, kept, strict=True):
            setattr(self, name, value)
        self._seen = None

    def _step(self, policy: Policy, rollout: _Rollout) -> None:
        """Plays one decision of each game."""
        engine, games, acting = self.engine, self._games, self.engine.seats
        self._ask(policy, rollout)
        actions, players = self._actions[games, acting], self._lineups[games, acting]
        for number, member in enumerate(self.league.members):
            own = (players == number).nonzero()[0]
            if len(own) and not isinstance(member.agent, EngineAgent):
                actions[own] = self._act(member.agent, own)
        self._asked[games, acting] = False
        result = engine.step(actions)
        rollout.reward(self._rewards(result))
        ended = result.finished.nonzero()[0]
        if len(ended):
            rollout.end(ended)
            self._end(ended, result.final)

    def _rewards(self, result: Any) -> NDArray[np.float64]:
        """Returns what each seat gains by a step of the engine, [N, P]."""
        return result.rewards * self._scale

    def _ask(self, policy: Policy, rollout: _Rollout) -> None:
        """Asks seats whose decision is due; agents that take observations wait for their turn."""
        due, reads = self._due(), self._reading()
        self._asked |= due
        if (due & reads).any():
            decisions, self._seen = self._seen or self._read(due & reads), None
            actions = self._decide(decisions, policy, rollout)
            self._actions[decisions.games, decisions.seats] = actions
        games, seats = (due & ~reads).nonzero()
        members, kinds = self._lineups[games, seats], self.engine.kinds[games]
        for member in np.unique(members):
            agent = self.league.members[member].agent
            if isinstance(agent, EngineAgent):
                for kind in np.unique(kinds[members == member]):
                    at = ((members == member) & (kinds == kind)).nonzero()[0]
                    asked = games[at], seats[at]
                    self._actions[asked] = agent.act_in(self.engine, *asked, self._rng)

    def _due(self) -> NDArray[np.bool_]:
        """Returns whose decision is due, [N, P]: who acts and, if it is sealed, all others too."""
        acting, due = self.engine.seats, np.zeros(self._lineups.shape, dtype=np.bool_)
        due[self._games, acting] = True
        due[np.isin(self.engine.kinds, self._sealed)] = True
        due[self._asked[self._games, acting]] = False  # the others were asked with this seat
        return due

    def _reading(self) -> NDArray[np.bool_]:
        """Returns who sees what the learner sees, [N, P]: the learner and its past selves."""
        agents = [member.agent for member in self.league.members]
        past = [isinstance(a, NetworkAgent) and a.reader is self.reader for a in agents]
        return np.array([*past, True])[self._lineups]  # `LEARNER` is the last index

    def _read(self, which: NDArray[np.bool_]) -> _Decisions:
        """Returns what the learner and its past selves see, for some of the seats [N, P]."""
        games, seats = which.nonzero()
        return _Decisions(
            games,
            seats,
            self.reader.read_engine(self.engine, games, seats),
            self._lineups[games, seats],
            self._learns[games, seats],
            self.engine.kinds[games].astype(np.uint8),
            self.engine.rounds[games].astype(np.uint8),
        )

    def _decide(self, decisions: _Decisions, policy: Policy, rollout: _Rollout) -> Indices:
        """Returns the actions of the learner, which are kept, and of its past selves."""
        actions = np.empty(len(decisions.games), dtype=np.int64)
        for member in np.unique(decisions.members):
            rows, own = decisions.of(member)
            if member == LEARNER:
                actions[rows] = rollout.decide(own, policy)
            else:
                past = cast(NetworkAgent, self.league.members[member].agent)
                actions[rows] = past.choose(own.inputs, self._rng)
        return actions

    def _act(self, agent: Agent, games: Indices) -> Indices:
        """Returns the actions of an agent that takes observations, for the seats to act."""
        engine = self.engine
        masks = engine.legal_action_mask(games)
        return np.asarray(agent.act(engine.observe(rows=games), masks, self._rng))

    def _end(self, ended: Indices, final: Any) -> None:
        """Keeps the results of games that ended, and seats the players of the next ones."""
        over = self.engine.from_state(self.engine.config, final, copy=False, check=False)
        shares, totals, members = win_shares(over.winners()), over.totals, self.league.members
        for row, lineup in enumerate(self._lineups[ended]):
            own = lineup == LEARNER
            others = [members[member] for member in np.unique(lineup[~own])]
            share = float(shares[row, own].sum()) if others else None
            for member in others:
                member.record(share or 0.0)
            names = frozenset(member.name for member in others)
            self.results.append(Result(float(totals[row, own].mean()), share, names))
        self._seat(ended)

    def _seat(self, games: Indices) -> None:
        """Draws the players of games that start."""
        lineups = self.league.draw(len(games), self._rng)
        self._lineups[games] = lineups
        self._learns[games] = lineups == LEARNER
