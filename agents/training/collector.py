"""Plays the games that are learned from, in parallel with the learner.

While one rollout is learned from, the next one is played by the policy as it was before: with two
cores in a process of its own, otherwise afterwards. Both ways give the same experience.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import GameError

from ..common.arrays import Floats, Indices, Inputs
from ..common.processes import Channel, Worker, describe
from ..network.agent import NetworkAgent
from ..network.checkpoint import load_network
from ..network.parts import TorchForward, network_parts
from ..registry import make_agent
from .league import PAST, League
from .self_play import Experience, Result, SelfPlay
from .setup import Setup

_DECISIONS = 8  # of each seat in a rollout, if all have equally many
_GAE_LAMBDA = 0.8
MOST_PAST = 8  # past selves kept

Weights = dict[str, Floats]


class CollectingError(GameError, RuntimeError):
    """Games could not be played on."""


class Order(NamedTuple):
    """What a rollout is played with.

    Attributes:
        network: the network's weights.
        critic: the critic's.
        remember: turns of the learner if the league is to keep this policy, else None.
    """

    network: Weights
    critic: Weights
    remember: int | None


def weights_of(module: nn.Module) -> Weights:
    """Returns the weights of a module by name; on the processor they are no copies."""
    return {name: tensor.cpu().numpy() for name, tensor in module.state_dict().items()}


class Rollout(NamedTuple):
    """What was played: the experience, and the games that finished."""

    experience: Experience
    results: list[Result]


class Collector:
    """Plays rollouts, here or in a process of its own; each `start` is followed by one `finish`."""

    def __init__(self, make: Callable[[], Games], *, apart: bool) -> None:
        """Makes the games.

        Args:
            make: makes them where they are played; if that is `apart`, it must pickle.
            apart: whether they are played in another process, which ends with this one.

        Raises:
            CollectingError: the process cannot be started.
        """
        self._games: Worker | _Here
        if apart:
            with _failures_named():
                threads = torch.get_num_threads()
                self._games = Worker(_serve, make, threads, name="the process that plays them")
        else:
            with torch.random.fork_rng(devices=[]):  # keeps the learner's RNG apart from theirs
                self._games = _Here(make())

    def start(self, order: Order) -> None:
        """Hands over the weights that the next rollout is played with.

        Raises:
            CollectingError: the other process failed.
        """
        with _failures_named():
            self._games.send(order)

    def finish(self) -> Rollout:
        """Returns the rollout, once it is played.

        Raises:
            CollectingError: games could not be played on.
        """
        with _failures_named():
            return Rollout(*self._games.receive())

    def stop(self) -> None:
        """Ends without finishing."""
        self._games.stop()


def new_collector(setup: Setup, seed: int, past: Sequence[Path]) -> Collector:
    """Returns a collector, which plays in this process or in another one.

    Args:
        setup: of the run.
        seed: decides deals, lineups and all choices.
        past: checkpoints of past selves that a resumed run has.
    """
    return Collector(partial(Games, setup, seed, past), apart=setup.num_processes == 2)


class Games:
    """The games of a run, its league, and a copy of the policy."""

    def __init__(self, setup: Setup, seed: int, past: Sequence[Path]) -> None:
        """Deals the games (see `new_collector`)."""
        config, device = setup.config, setup.torch_device
        parts = network_parts(config)
        self.reader = parts.reader(config)
        self.network = parts.network(self.reader.sizes, setup.width).to(device).eval()
        self.critic = parts.critic(self.reader.sizes, setup.width).to(device).eval()
        self.policy = SampledPolicy(self.network, self.critic, seed)
        self.league = new_league(setup)
        for path in past:
            network = load_network(path, self.reader)
            self.league.remember(self._learner(), network, int(path.stem))
        self.play = SelfPlay(
            config,
            self.reader,
            self.league,
            num_games=setup.num_games,
            reward=setup.reward,
            reward_scale=setup.reward_scale,
            seed=seed,
            every_seat=setup.every_seat,
        )

    def load(self, order: Order) -> None:
        """Takes over weights, and adds them to the league if requested."""
        for module, weights in ((self.network, order.network), (self.critic, order.critic)):
            tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
            module.load_state_dict(tensors)
        if order.remember is not None:
            self.league.remember(self._learner(), self.network, order.remember)

    def collect(self) -> Rollout:
        """Plays a rollout."""
        num_steps = _DECISIONS * self.play.engine.num_players
        experience = self.play.collect(self.policy, num_steps=num_steps, gae_lambda=_GAE_LAMBDA)
        results, self.play.results = self.play.results, []
        return Rollout(experience, results)

    def _learner(self) -> NetworkAgent:
        return NetworkAgent(self.reader, TorchForward(self.network), "learner")


class SampledPolicy:
    """Draws choices by a network, and judges positions by a critic."""

    def __init__(self, network: Any, critic: nn.Module, seed: int) -> None:
        self._network, self._critic = network, critic
        self._device = next(network.parameters()).device
        self._random = torch.Generator(self._device).manual_seed(seed)

    @torch.no_grad()
    def __call__(self, inputs: Inputs) -> tuple[Indices, Floats, Floats]:
        """Returns choices, their log-probabilities and the critic's values, [M] each.

        The largest of the logits plus Gumbel noise is distributed as the softmax.
        """
        batch = self._network.batch.of(inputs, self._device)
        logits, _ = self._network(*batch[:-1])
        log_probs = logits.log_softmax(dim=1)
        noise = torch.empty_like(logits).exponential_(generator=self._random)
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
    """Stands in for a `Worker`: plays in this process, when the rollout is asked for."""

    def __init__(self, games: Games) -> None:
        self.send, self.receive = games.load, games.collect

    def stop(self) -> None:
        """Does nothing."""


def _serve(channel: Channel, make: Callable[[], Games], num_threads: int) -> None:
    """Plays rollouts as they are ordered."""
    torch.set_num_threads(num_threads)
    games = make()
    while True:
        games.load(channel.receive())
        channel.send(games.collect())


@contextmanager
def _failures_named() -> Iterator[None]:
    """Says that playing games failed, in one line; where, is shown for who wrote the opponent."""
    try:
        yield
    except Exception as error:
        raise CollectingError(f"playing games failed: {describe(error)}") from error
