"""Games of self-play: the learner's decisions in all seats, or in one among others of its league.

A decision that all seats make before anyone knows another's (`GameSpec.sealed`) is asked of all of
them at once, so that the plans of a round of Gonzaga are one batch of the network, unless the
network's reader wants each at its turn (`Reader.reads_ahead`). All others are asked of the seats to
act, one of each game.
"""

from __future__ import annotations

import copy
import pickle
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.chance import Draws
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.state import StateArrays

from ..agent import EngineAgent
from ..arrays import Floats, Indices, Inputs
from ..network.agent import NetworkAgent, Reader
from ..network.networks import TorchForward, trainable_network
from .league import LEARNER, MOST_PAST, League, Member, new_league
from .ppo import Decisions, Experience, Policy, Rollout, Transitions
from .setup import MAPS_AT_ONCE, PAST, Setup

Weights = dict[str, Floats]
Choose = Callable[[Inputs], tuple[Indices, Floats, Floats]]
"""Returns which choice of inputs is taken, its log-probability and the critic's value, [M] each."""


@dataclass(frozen=True)
class Result:
    """A finished game of the learner."""

    score: float  # the mean of its seats
    share: float | None  # its share of the victory; None where it had all seats
    opponents: frozenset[str]  # names


class SavedSelfPlay(NamedTuple):
    """What changes between rollouts, but for the league (see `SelfPlay`)."""

    state: StateArrays
    rng: np.random.Generator
    lineups: Indices
    asked: NDArray[np.bool_]
    actions: Indices
    pending: Transitions | None


class SelfPlay:
    """Games in which the learner has all seats, or one among opponents of a league.

    Attributes:
        engine: the games.
        reader: reads the network's inputs.
        league: draws the lineups.
        results: games that finished; the caller empties it.
    """

    def __init__(self, setup: Setup, reader: Reader, league: League, seed: int) -> None:
        """Deals the games; the seed decides deals, lineups and the opponents' choices."""
        config, num_games = setup.config, setup.num_games
        spec = game_spec(config.game)
        self.engine = spec.engine.from_config(config, num_games, seed=seed, reward=setup.reward)
        self.reader, self.league, self.results = reader, league, list[Result]()
        sealed = spec.sealed if reader.reads_ahead else ()
        self._sealed = [spec.kinds.index(kind) for kind in sealed]
        self._scale = setup.reward_scale
        self._rng = np.random.default_rng(seed)
        self._games = np.arange(num_games)
        self._lineups = league.draw(num_games, self._rng)  # [N, P]
        shape = self._lineups.shape
        self._asked = np.zeros(shape, dtype=np.bool_)  # whose decision is made, or left to its turn
        self._actions = np.zeros(shape, dtype=np.int64)  # of seats that were asked
        self._next_decisions: Decisions | None = None  # where the end of a rollout has read them
        self._pending: Transitions | None = None  # from the last rollout

    def collect(self, choose: Choose, *, num_steps: int, gae_lambda: float) -> Experience:
        """Plays `num_steps` decisions in each game, by any seat; returns the learner's decisions.

        A decision is returned once the seat's next one can be seen, which shows its value.
        """
        shape = self._lineups.shape
        most = num_steps * shape[0] + 2 * self._lineups.size  # some are pending, some asked ahead
        rollout = Rollout(shape, most, self._pending)
        for _ in range(num_steps):
            self._step(choose, rollout)
        next_values = np.full(shape, np.nan, dtype=np.float32)
        if (due := self._due(self.engine.seats) & self._reading()).any():
            self._next_decisions = asked = self._read(due)
            own = asked.take((self._lineups[asked.games, asked.seats] == LEARNER).nonzero()[0])
            next_values[own.games, own.seats] = choose(own.inputs)[2]
        experience, self._pending = rollout.close(next_values, gae_lambda)
        return experience

    def save(self) -> SavedSelfPlay:
        """Returns what changes between rollouts, but for the league and without copies."""
        return SavedSelfPlay(
            state=self.engine.state,
            rng=self._rng,
            lineups=self._lineups,
            asked=self._asked,
            actions=self._actions,
            pending=self._pending,
        )

    def restore(self, saved: SavedSelfPlay) -> None:
        """Restores a saved state; the next rollout then repeats the one that followed it."""
        state, self._rng, self._lineups, self._asked, self._actions, self._pending = saved
        self.engine.set_state(state, check=False)
        self._next_decisions = None

    def _step(self, choose: Choose, rollout: Rollout) -> None:
        """Plays one decision of each game."""
        engine, games, acting = self.engine, self._games, self.engine.seats
        self._ask(acting, choose, rollout)
        actions, players = self._actions[games, acting], self._lineups[games, acting]
        for number, member in enumerate(self.league.members):
            own = (players == number).nonzero()[0]
            if len(own) and not isinstance(member.agent, EngineAgent):  # it takes observations
                seen, masks = engine.observe(rows=own), engine.legal_action_mask(own)
                actions[own] = member.agent.act(seen, masks, self._rng)
        self._asked[games, acting] = False
        result = engine.step(actions)
        rollout.reward(result.rewards * self._scale)
        ended = result.finished.nonzero()[0]
        if len(ended):
            rollout.end(ended)
            self._record(ended, result.final)
            self._lineups[ended] = self.league.draw(len(ended), self._rng)

    def _ask(self, acting: Indices, choose: Choose, rollout: Rollout) -> None:
        """Asks seats whose decision is due; agents that take observations wait for their turn."""
        due, reads = self._due(acting), self._reading()
        self._asked |= due
        if (due & reads).any():
            decisions, self._next_decisions = self._next_decisions or self._read(due & reads), None
            self._decide(decisions, choose, rollout)
        games, seats = (due & ~reads).nonzero()
        members = self._lineups[games, seats]
        for member in np.unique(members):
            agent = self.league.members[member].agent
            if isinstance(agent, EngineAgent):
                kinds = self.engine.kinds[games]
                for kind in np.unique(kinds[members == member]):
                    at = ((members == member) & (kinds == kind)).nonzero()[0]
                    asked = games[at], seats[at]
                    self._actions[asked] = agent.act_in(self.engine, *asked, self._rng)

    def _due(self, acting: Indices) -> NDArray[np.bool_]:
        """Returns whose decision is due, [N, P]: who acts and, if it is sealed, all others too."""
        due = np.zeros(self._lineups.shape, dtype=np.bool_)
        due[self._games, acting] = True
        if self._sealed:
            due[np.isin(self.engine.kinds, self._sealed)] = True
        due[self._asked[self._games, acting]] = False  # the others were asked with this seat
        return due

    def _reading(self) -> NDArray[np.bool_]:
        """Returns who reads the learner's inputs, [N, P]: the learner and its past selves."""
        agents = [member.agent for member in self.league.members]
        past = [isinstance(a, NetworkAgent) and a.reader is self.reader for a in agents]
        return np.array([*past, True])[self._lineups]  # `LEARNER` is the last index

    def _read(self, which: NDArray[np.bool_]) -> Decisions:
        """Returns the decisions of some seats that read the learner's inputs, [N, P]."""
        games, seats = which.nonzero()
        inputs = self.reader.read_engine(self.engine, games, seats)
        kinds, rounds = self.engine.kinds[games], self.engine.rounds[games]
        return Decisions(games, seats, inputs, kinds.astype(np.uint8), rounds.astype(np.uint8))

    def _decide(self, decisions: Decisions, choose: Choose, rollout: Rollout) -> None:
        """Lets the learner and its past selves decide; keeps the learner's decisions."""
        members = self._lineups[decisions.games, decisions.seats]
        for member in np.unique(members):
            rows = (members == member).nonzero()[0]
            own = decisions if len(rows) == len(members) else decisions.take(rows)
            if member == LEARNER:
                chosen, log_probs, values = choose(own.inputs)
                rollout.add(Transitions(own, chosen, log_probs, values, np.zeros_like(values)))
                actions = own.inputs.actions[np.arange(len(chosen)), chosen].astype(np.int64)
            else:
                past = cast(NetworkAgent, self.league.members[member].agent)
                actions = past.choose(own.inputs, self._rng)
            self._actions[own.games, own.seats] = actions

    def _record(self, ended: Indices, final: StateArrays) -> None:
        """Keeps the results of games that ended."""
        over = self.engine.from_state(self.engine.config, final, copy=False, check=False)
        shares, totals, members = win_shares(over.winners()), over.totals, self.league.members
        for row, lineup in enumerate(self._lineups[ended]):
            own = lineup == LEARNER
            others = [members[member] for member in np.unique(lineup[~own])]
            share = float(shares[row, own].sum()) if others else None
            for member in others:
                member.shares.append(share or 0.0)
            names = frozenset(member.name for member in others)
            self.results.append(Result(float(totals[row, own].mean()), share, names))


class Snapshot(NamedTuple):
    """The learner's network weights after a number of turns."""

    turns: int
    network: Weights


class RolloutRequest(NamedTuple):
    """What a rollout is played with."""

    policy: Weights  # of network and critic
    remember: int | None  # turns of the learner if the league should keep this policy, else None

    @property
    def network(self) -> Weights:
        """The network's weights alone."""
        start = "network."
        return {n.removeprefix(start): w for n, w in self.policy.items() if n.startswith(start)}


class RolloutResult(NamedTuple):
    """What was played: the experience, and the games that finished."""

    experience: Experience
    results: list[Result]


def weights_of(module: nn.Module) -> Weights:
    """Returns a copy of a module's weights by name."""
    return {name: tensor.cpu().numpy().copy() for name, tensor in module.state_dict().items()}


def set_weights(module: nn.Module, weights: Weights) -> None:
    """Copies weights into a module."""
    module.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})


def join(rollouts: Sequence[RolloutResult]) -> RolloutResult:
    """Returns rollouts as one that owns its arrays; a single one that does is returned."""
    first = rollouts[0]
    if len(rollouts) == 1 and first.experience.chosen.flags.writeable:
        return first
    experience = Experience.concatenate([rollout.experience for rollout in rollouts])
    return RolloutResult(experience, [result for rollout in rollouts for result in rollout.results])


def new_policy(setup: Setup, reader: Reader) -> Policy:
    """Returns an untrained policy."""
    parts = trainable_network(setup.config, setup.prior)
    return Policy(parts, reader.sizes, setup.width)


class SavedGames(NamedTuple):
    """What changes between rollouts (see `RolloutGames`)."""

    self_play: SavedSelfPlay
    random: torch.Tensor  # state of the generator
    past: list[Snapshot]  # past selves
    shares: list[deque[float]]  # of the learner against each member of the league


class RolloutGames:
    """The games of a run, its league, and a copy of the policy."""

    def __init__(self, setup: Setup, seed: int, past: Sequence[Snapshot]) -> None:
        """Deals the games; the seed decides deals, lineups and all choices."""
        self.reader = trainable_network(setup.config, setup.prior).reader(setup.config)
        self.policy = new_policy(setup, self.reader).eval()
        self.random = torch.Generator(self.policy.device).manual_seed(seed)
        self.league = new_league(setup)
        for turns, weights in past:
            self.league.remember(self._past_self(weights), turns)
        self.self_play = SelfPlay(setup, self.reader, self.league, seed)

    def load(self, request: RolloutRequest) -> None:
        """Takes over weights, and adds them to the league if requested."""
        set_weights(self.policy, request.policy)
        if request.remember is not None:
            self.league.remember(self._past_self(request.network), request.remember)

    def collect(self) -> RolloutResult:
        """Plays a rollout."""
        settings = self.reader.training
        experience = self.self_play.collect(
            partial(self.policy.sample, random=self.random),
            num_steps=settings.decisions * self.self_play.engine.num_players,
            gae_lambda=settings.gae_lambda,
        )
        results, self.self_play.results = self.self_play.results, []
        return RolloutResult(experience, results)

    def save(self) -> bytes:
        """Returns all that changes between rollouts."""
        agents: list[Any] = [member.agent for member in self.league.past]
        networks = [weights_of(agent.forward.network) for agent in agents]
        past = [Snapshot(m.born, w) for m, w in zip(self.league.past, networks, strict=True)]
        shares = [member.shares for member in self.league.members]
        return pickle.dumps(
            SavedGames(self.self_play.save(), self.random.get_state(), past, shares)
        )

    def restore(self, saved: bytes) -> None:
        """Restores what games of the same setup saved; later rollouts repeat those after it."""
        games: SavedGames = pickle.loads(saved)
        self.self_play.restore(games.self_play)
        self.random.set_state(games.random)
        league = self.league
        league.members[league.num_fixed :] = [
            Member(self._past_self(weights), PAST, born) for born, weights in games.past
        ]
        for member, own in zip(league.members, games.shares, strict=True):
            member.shares = own

    def _past_self(self, weights: Weights) -> NetworkAgent:
        """Returns the agent of a network's weights, which draws its actions."""
        network = copy.deepcopy(self.policy.network)
        set_weights(network, weights)
        return NetworkAgent(self.reader, TorchForward(network), PAST, deterministic=False)


class MapGames:
    """Plays rollouts as `RolloutGames` does, on maps that are drawn from the setup's.

    The regions and seas of each are put in a random order, so that the network learns nothing of
    their numbers.
    """

    def __init__(self, setup: Setup, seed: int, past: Sequence[Snapshot]) -> None:
        """Deals the games (see `RolloutGames`)."""
        self._setup, self._past = setup, list(past)
        self._draws = Draws(f"maps {seed}")
        self._parts = deque(self._new_part() for _ in range(MAPS_AT_ONCE))

    def _new_part(self) -> RolloutGames:
        """Returns games on a map that is drawn."""
        whole, draws, given = self._setup, self._draws, self._setup.config
        config = given.on_edition(draws.choice(whole.maps), draws)
        part = replace(whole, config=config, num_games=whole.num_games // MAPS_AT_ONCE)
        with torch.random.fork_rng(devices=[]):  # keeps the learner's RNG apart from theirs
            return RolloutGames(part, draws.below(2**62), self._past)

    def load(self, request: RolloutRequest) -> None:
        """Takes over weights, and adds them to the leagues if requested."""
        if request.remember is not None:
            latest = Snapshot(request.remember, request.network)
            self._past = [*self._past, latest][-MOST_PAST:]
        for part in self._parts:
            part.load(request)

    def collect(self) -> RolloutResult:
        """Plays a rollout on all maps, and replaces the oldest map."""
        rollout = join([part.collect() for part in self._parts])
        self._parts.popleft()
        self._parts.append(self._new_part())
        return rollout
