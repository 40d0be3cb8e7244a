"""Learning from search: it plays games, and the network imitates what it finds.

The expert is search with the network's own policy as its prior, so that both improve in turn
(expert iteration, Anthony et al., 2017).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.optim import Optimizer

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import OptionError

from ..arrays import Arrays, Floats, Indices, Inputs
from ..network.agent import NetworkAgent, softmax
from ..registry import agent_factory, agent_names
from ..search.sequential_halving import NAME as SEARCH
from ..search.sequential_halving import Budget, Root
from .ppo import Policy, set_learning_rate
from .setup import Setup

_NUM_GAMES, _PLAYOUTS = 64, 64  # of a batch, and of each decision
_EXPLORATION = 0.1  # share of decisions in which the expert plays one of its best four at random
_TEMPERATURE = 0.02  # of the softmax over estimates, in shares of the victory
_WINDOW = 40  # batches of games that are learned from
_PASSES, _MINIBATCH = 4, 512
_MAX_GRADIENT_NORM = 1.0
_VALUE_WEIGHT = 0.1  # the positions of a game share one outcome, so few outcomes are soon learned


@dataclass(frozen=True)
class Demonstrations(Arrays):
    """L decisions of the expert."""

    inputs: Inputs  # what it saw
    targets: Floats  # how probable each choice should be, [L, K]
    returns: Floats  # what was gained from there to the end, [L]

    def __len__(self) -> int:
        return len(self.returns)


class Expert:
    """Plays games by search and keeps all their decisions as demonstrations."""

    def __init__(self, setup: Setup, learner: NetworkAgent, seed: int) -> None:
        """Sets up the search, for which the learner's policy picks the candidates.

        Raises:
            OptionError: the game has no search.
        """
        self._setup, self._spec = setup, game_spec(setup.config.game)
        if SEARCH not in agent_names(setup.config.game):
            raise OptionError(f"{self._spec.title} has no search to imitate")
        make = agent_factory(SEARCH, setup.config.game)
        self._search = make(setup.config, Budget(_PLAYOUTS), policy=learner)
        self._reader, self._rng = learner.reader, np.random.default_rng(seed)

    def play(self) -> Demonstrations:
        """Plays a batch of games from beginning to end."""
        setup, rng = self._setup, self._rng
        seeds = rng.integers(2**53, size=_NUM_GAMES, dtype=np.uint64)
        engine = self._spec.engine.from_config(
            setup.config, _NUM_GAMES, seed=seeds, autoreset=False, reward=setup.reward
        )
        gained = np.zeros((_NUM_GAMES, setup.config.num_players))
        decided = []
        while not engine.state.finished.all():
            seats, actions = engine.seats, np.zeros(_NUM_GAMES, dtype=np.int64)
            games = (seats >= 0).nonzero()[0]
            seen, masks = engine.observe(rows=games), engine.legal_action_mask(games)
            for rows, root in self._search.search(seen, masks, rng):
                at = games[rows], seats[games[rows]]
                inputs = self._reader.read_engine(engine, *at)
                decided.append((inputs, _targets(root, inputs), at, gained[at]))
                actions[at[0]] = _explore(root, rng)
            gained += engine.step(actions).rewards * setup.reward_scale
        return Demonstrations.concatenate(
            [
                Demonstrations(inputs, targets, (gained[at] - before).astype(np.float32))
                for inputs, targets, at, before in decided
            ]
        )


def _targets(root: Root, inputs: Inputs) -> Floats:
    """Returns how probable the search makes each choice, [M, K]: half of it for the best one."""
    estimates = root.estimates()
    soft = softmax((estimates / _TEMPERATURE).astype(np.float32))
    best = np.zeros_like(soft)
    np.put_along_axis(best, root.ranking()[:, :1], 1, axis=1)
    wanted = (soft + best) / 2
    same = inputs.actions[:, :, None] == root.actions[:, None]  # [M, K, C]
    same &= root.actions[:, None] >= 0
    return (same * wanted[:, None]).sum(axis=2, dtype=np.float32)


def _explore(root: Root, rng: np.random.Generator) -> Indices:
    """Returns the actions to play, [M]."""
    num_best = np.minimum((root.actions >= 0).sum(axis=1), 4)
    place = rng.integers(num_best) * (rng.random(len(num_best)) < _EXPLORATION)
    each = np.arange(len(place))
    return root.actions[each, root.ranking()[each, place]]


class Imitation:
    """Fits a policy to the most recent demonstrations."""

    def __init__(self, policy: Policy, optimizer: Optimizer, learning_rate: float) -> None:
        """Takes what learns, and the learning rate at the start; it falls to a tenth."""
        self._policy, self._optimizer, self._learning_rate = policy, optimizer, learning_rate
        self._window: deque[Demonstrations] = deque(maxlen=_WINDOW)

    def learn(self, demonstrations: Demonstrations, progress: float) -> dict[str, float]:
        """Adds demonstrations and passes over them `_PASSES` times; returns figures for logs.

        Progress is the share of the imitation that is done, 0 to 1.
        """
        self._window.append(demonstrations)
        known, policy = Demonstrations.concatenate(tuple(self._window)), self._policy
        set_learning_rate(self._optimizer, self._learning_rate, progress)
        policy.train()
        steps = []
        for _ in range(_PASSES * len(demonstrations) // _MINIBATCH + 1):
            rows = torch.randint(len(known), (_MINIBATCH,)).numpy()
            batch = policy.network.batch.of(known.inputs.take(rows), policy.device)
            targets = torch.from_numpy(known.targets[rows]).to(policy.device)
            returns = torch.from_numpy(known.returns[rows]).to(policy.device)
            logits, values = policy.network(*batch[:-1])
            loss = -(targets * logits.log_softmax(dim=1).clamp(min=-50)).sum(dim=1).mean()
            value_loss = ((values - returns) ** 2).mean()
            critic_loss = ((policy.critic(batch) - returns) ** 2).mean()
            self._optimizer.zero_grad()
            (loss + _VALUE_WEIGHT * (value_loss + critic_loss)).backward()
            nn.utils.clip_grad_norm_(policy.parameters(), _MAX_GRADIENT_NORM)
            self._optimizer.step()
            agreement = (logits.argmax(dim=1) == targets.argmax(dim=1)).float().mean()
            steps.append([loss.item(), agreement.item(), critic_loss.item()])
        names = ("imitation/loss", "imitation/agreement", "imitation/value_loss")
        return dict(zip(names, np.mean(steps, axis=0).tolist(), strict=True))
