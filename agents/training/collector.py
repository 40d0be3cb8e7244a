"""Plays the games that are learned from, in parallel with the learner.

While one rollout is learned from, the next one is played by the policy as it was before: with two
cores in processes of their own, on Ray on other machines, otherwise afterwards. All ways give the
same experience.
"""

from __future__ import annotations

import copy
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import nn

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.generating import permuted
from gonzaga_env.core.editions.land import Draws
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.kernel.agent import AgentError

from ..arrays import Floats, Indices, Inputs
from ..network.agent import NetworkAgent
from ..network.parts import TorchForward, network_parts
from ..play.jobs import ProcessPool, attempt
from ..processes import WorkerError, describe, keep_freed_memory
from ..registry import make_agent
from .league import PAST, League
from .options import Setup
from .self_play import Experience, Result, SelfPlay

MOST_PAST = 8  # past selves kept

Weights = dict[str, Floats]


class Order(NamedTuple):
    """What a rollout is played with."""

    network: Weights  # the network's weights
    critic: Weights  # the critic's
    remember: int | None  # turns of the learner if the league should keep this policy, else None


def _set_weights(module: nn.Module, weights: Weights) -> None:
    module.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})


def weights_of(module: nn.Module) -> Weights:
    """Returns the weights of a module by name; on the CPU they share its memory."""
    return {name: tensor.cpu().numpy() for name, tensor in module.state_dict().items()}


class Rollout(NamedTuple):
    """What was played: the experience, and the games that finished."""

    experience: Experience
    results: list[Result]


class Past(NamedTuple):
    """A past self: the turns after which the learner was so, and its network's weights."""

    turns: int
    network: Weights


class Player(Protocol):
    """Plays rollouts somewhere."""

    def send(self, order: Any) -> None:
        """Starts a rollout."""
        ...

    def receive(self) -> Rollout:
        """Returns the rollout, once it is played."""
        ...

    def stop(self) -> None:
        """Ends without finishing."""
        ...


class Collector:
    """Collects rollouts from one or more players, each with its own games.

    Each `start` is followed by one `finish`, so that rollouts are played with the same weights by
    all of them, and are joined in the players' order: their speed changes nothing.
    """

    def __init__(self, players: Iterable[Player]) -> None:
        self._players = list(players)

    def start(self, order: Order) -> None:
        """Hands over the weights that the next rollouts are played with.

        Raises:
            WorkerError: a player failed.
        """
        with failures_named():
            shared = self._share(order)
            for player in self._players:
                player.send(shared)

    def finish(self) -> Rollout:
        """Returns the rollouts as one, once they are played.

        Raises:
            WorkerError: games could not be played on.
        """
        with failures_named():
            return joined([player.receive() for player in self._players])

    def stop(self) -> None:
        """Ends without finishing."""
        for player in self._players:
            player.stop()

    def _share(self, order: Order) -> Any:
        """Returns what is sent to each player."""
        return order


def joined(rollouts: Sequence[Rollout]) -> Rollout:
    """Returns rollouts as one that owns its arrays; a single one that does is returned."""
    first = rollouts[0]
    if len(rollouts) == 1 and first.experience.chosen.flags.writeable:
        return first
    experience = Experience.concatenate([rollout.experience for rollout in rollouts])
    return Rollout(experience, [result for rollout in rollouts for result in rollout.results])


def new_collector(setup: Setup, seed: int, past: Sequence[Past]) -> Collector:
    """Returns a collector, whose games are played as the setup says.

    Args:
        setup: of the run. On Ray, this process must be connected to a cluster.
        seed: decides deals, lineups and all choices.
        past: past selves that a resumed run has.

    Raises:
        WorkerError: a process cannot be started.
    """
    kind: Any = MapGames if setup.maps else RolloutGames
    makes = [partial(kind, setup, own, past) for own in _seeds(seed, setup.options.collectors)]
    if setup.options.executor == "ray":
        from .ray_collector import RayCollector

        return RayCollector(makes, past)
    with failures_named():
        if setup.num_processes == 1:
            return Collector(map(_Here, makes))
        return Collector([_Process(make, torch.get_num_threads()) for make in makes])


def _seeds(seed: int, number: int) -> list[int]:
    """Returns the seeds of collectors; the first one is that of a single collector."""
    more = (np.random.SeedSequence([seed, k]).generate_state(1)[0] for k in range(1, number))
    return [seed, *map(int, more)]


class RolloutGames:
    """The games of a run, its league, and a copy of the policy."""

    def __init__(self, setup: Setup, seed: int, past: Sequence[Past]) -> None:
        """Deals the games (see `new_collector`)."""
        config, device = setup.config, setup.torch_device
        parts = network_parts(config, setup.options.prior)
        self.reader = parts.reader(config)
        self.network = parts.network(self.reader.sizes, setup.width).to(device).eval()
        self.critic = parts.critic(self.reader.sizes, setup.width).to(device).eval()
        self.policy = SampledPolicy(self.network, self.critic, seed)
        self.league = new_league(setup)
        for turns, weights in past:
            self.league.remember(self._learner(), self._network_with(weights), turns)
        self.play = SelfPlay(
            config,
            self.reader,
            self.league,
            num_games=setup.num_games,
            reward=setup.options.reward,
            reward_scale=setup.reward_scale,
            seed=seed,
        )

    def load(self, order: Order) -> None:
        """Takes over weights, and adds them to the league if requested."""
        _set_weights(self.network, order.network)
        _set_weights(self.critic, order.critic)
        if order.remember is not None:
            self.league.remember(self._learner(), self.network, order.remember)

    def collect(self) -> Rollout:
        """Plays a rollout."""
        num_steps = self.reader.training.decisions * self.play.engine.num_players
        gae_lambda = self.reader.training.gae_lambda
        experience = self.play.collect(self.policy, num_steps=num_steps, gae_lambda=gae_lambda)
        results, self.play.results = self.play.results, []
        return Rollout(experience, results)

    def save(self) -> bytes:
        """Returns all that changes between rollouts, but for the networks of past selves."""
        return pickle.dumps((self.play.save(), self.policy.random.get_state(), self.league.save()))

    def restore(self, saved: bytes, past: Mapping[int, Weights]) -> None:
        """Restores what games of the same setup saved; later rollouts repeat those after it.

        Args:
            saved: by `save`.
            past: weights of the past selves, by the turns after which they joined.
        """
        play, random, members = pickle.loads(saved)
        self.play.restore(play)
        self.policy.random.set_state(random)
        self.league.restore(members, self._learner(), lambda born: self._network_with(past[born]))

    def _network_with(self, weights: Weights) -> nn.Module:
        network = copy.deepcopy(self.network)
        _set_weights(network, weights)
        return network

    def _learner(self) -> NetworkAgent:
        return NetworkAgent(self.reader, TorchForward(self.network), "learner")


class SampledPolicy:
    """Draws choices by a network, and judges positions by a critic.

    Attributes:
        random: what choices are drawn with.
    """

    def __init__(self, network: Any, critic: nn.Module, seed: int) -> None:
        self._network, self._critic = network, critic
        self._device = next(network.parameters()).device
        self.random = torch.Generator(self._device).manual_seed(seed)

    @torch.no_grad()
    def __call__(self, inputs: Inputs) -> tuple[Indices, Floats, Floats]:
        """Returns choices, their log-probabilities and the critic's values, [M] each.

        The largest of the logits plus Gumbel noise is distributed as the softmax.
        """
        batch = self._network.batch.of(inputs, self._device)
        logits, _ = self._network(*batch[:-1])
        log_probs = logits.log_softmax(dim=1)
        noise = torch.empty_like(logits).exponential_(generator=self.random)
        chosen = (logits - noise.log()).argmax(dim=1)
        found = log_probs.gather(1, chosen[:, None])[:, 0]
        values = self._critic(batch)
        return chosen.cpu().numpy(), found.cpu().numpy(), values.cpu().numpy()


def new_league(setup: Setup) -> League:
    """Returns the opponents of a run at its start.

    Raises:
        GameError: one does not exist, or does not fit the game.
    """
    config, specs = setup.config, setup.opponents
    try:
        agents = [make_agent(spec, config) for spec in specs if spec != PAST]
    except AgentError as error:
        raise AgentError(f"{error} (--opponents also takes {PAST})") from error
    return League(
        agents,
        num_players=config.num_players,
        self_play=setup.self_play,
        most_past=MOST_PAST if PAST in specs else 0,
    )


class _Here:
    """Plays in this process, when the rollout is asked for."""

    def __init__(self, make: Callable[[], RolloutGames]) -> None:
        with torch.random.fork_rng(devices=[]):  # keeps the learner's RNG apart from theirs
            games = make()
        self.send, self.receive = games.load, games.collect

    def stop(self) -> None:
        """Does nothing."""


_playing: Any = None  # the games of a process that plays


class _Process:
    """Plays in a process of its own."""

    def __init__(self, make: Callable[[], RolloutGames], num_threads: int) -> None:
        self._pool = ProcessPool(1)
        self._begun = self._pool.submit(attempt, _begin, make, num_threads)

    def send(self, order: Order) -> None:
        """Starts a rollout."""
        self._rollout = self._pool.submit(attempt, _play, order)

    def receive(self) -> Rollout:
        """Returns the rollout, once it is played."""
        self._begun.result()
        rollout: Rollout = self._rollout.result()
        del self._rollout  # its arrays are large
        return rollout

    def stop(self) -> None:
        """Ends the process at once."""
        self._pool.shutdown()


def _begin(make: Callable[[], RolloutGames], num_threads: int) -> None:
    global _playing
    keep_freed_memory()
    torch.set_num_threads(num_threads)
    _playing = make()


def _play(order: Order) -> Rollout:
    _playing.load(order)
    rollout: Rollout = _playing.collect()
    return rollout


@contextmanager
def failures_named() -> Iterator[None]:
    """Reports in one line that playing games failed; the traceback is for the opponent's author."""
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerError("a process that plays games died (is there enough memory?)") from error
    except Exception as error:
        raise WorkerError(f"playing games failed: {describe(error)}") from error


MAPS_AT_ONCE = 8
"""Maps that share the games of a batch. After each rollout the oldest one is replaced, so each is
played for eight of them, about three games in a row."""


class MapGames:
    """Plays rollouts as `RolloutGames` does, on maps that are drawn from the setup's.

    The regions and seas of each are put in a random order, so that the network learns nothing of
    their numbers.
    """

    def __init__(self, setup: Setup, seed: int, past: Sequence[Past]) -> None:
        """Deals the games (see `new_collector`)."""
        self._setup, self._past = setup, list(past)
        self._draws = Draws(f"maps {seed}")
        self._parts = deque(self._new_part() for _ in range(MAPS_AT_ONCE))

    def _new_part(self) -> RolloutGames:
        """Returns games on a map that is drawn."""
        whole, draws, given = self._setup, self._draws, self._setup.config
        edition = permuted(load_edition(draws.choice(whole.maps)), draws)
        config = GameConfig(given.num_players, edition=edition, rules=given.rules.as_dict())
        part = replace(whole, config=config, num_games=whole.num_games // MAPS_AT_ONCE)
        with torch.random.fork_rng(devices=[]):  # keeps the learner's RNG apart from theirs
            return RolloutGames(part, draws.below(2**62), self._past)

    def load(self, order: Order) -> None:
        """Takes over weights, and adds them to the leagues if requested."""
        if order.remember is not None:
            copied = {name: array.copy() for name, array in order.network.items()}
            self._past = [*self._past, Past(order.remember, copied)][-MOST_PAST:]
        for part in self._parts:
            part.load(order)

    def collect(self) -> Rollout:
        """Plays a rollout on all maps, and replaces the oldest map."""
        rollout = joined([part.collect() for part in self._parts])
        self._parts.popleft()
        self._parts.append(self._new_part())
        return rollout
