"""Proximal policy optimization in self-play (Schulman et al., 2017): rollout, advantages, update.

Two values learn the same returns: the network's own, which ships with the policy, and a critic's,
which may see what other seats know and serves as the baseline of the advantages.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Adam, Optimizer

from ..arrays import Arrays, Floats, Indices, Inputs
from ..network.agent import TrainingDefaults
from ..network.networks import TrainableNetwork

CLIP = 0.2  # of the ratio of probabilities
VALUE_WEIGHT = 0.5  # of the values' loss
MAX_GRADIENT_NORM = 0.5
_LAST_LEARNING_RATE = 0.1  # of the first
_FIGURES = (
    *("train/loss", "train/policy_gradient_loss", "train/value_loss", "train/entropy_loss"),
    *("train/approx_kl", "train/clip_fraction", "train/explained_variance"),
)
_NONE = -1  # in place of the number of a decision


class Policy(nn.Module):
    """A network, which chooses among a decision's choices, and its critic."""

    def __init__(self, parts: TrainableNetwork, sizes: object, width: int) -> None:
        """Builds untrained networks for inputs of some sizes (`Reader.sizes`)."""
        super().__init__()
        self.network = parts.network(sizes, width)
        self.critic = parts.critic(sizes, width)

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return next(self.parameters()).device

    @torch.no_grad()
    def sample(self, inputs: Inputs, random: torch.Generator) -> tuple[Indices, Floats, Floats]:
        """Returns choices, their log-probabilities and the critic's values, [M] each.

        The largest of the logits plus Gumbel noise is distributed as the softmax.
        """
        batch = self.network.batch.of(inputs, self.device)
        logits, _ = self.network(*batch[:-1])
        noise = torch.empty_like(logits).exponential_(generator=random)
        chosen = (logits - noise.log()).argmax(dim=1)
        log_probs = logits.log_softmax(dim=1).gather(1, chosen[:, None])[:, 0]
        return chosen.cpu().numpy(), log_probs.cpu().numpy(), self.critic(batch).cpu().numpy()

    def evaluate(self, batch: tuple[Tensor, ...], chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns values of network and critic [M, 2], log-probabilities [M] and entropies [M]."""
        logits, values = self.network(*batch[:-1])
        log_probs = logits.log_softmax(dim=1)
        # For padding, 0 * log(0) would be nan.
        entropy = -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(dim=1)
        both = torch.stack([values, self.critic(batch)], dim=1)
        return both, log_probs.gather(1, chosen[:, None])[:, 0], entropy


@dataclass(frozen=True)
class Decisions(Arrays):
    """Decisions at one moment, [M] each."""

    games: Indices
    seats: Indices
    inputs: Inputs
    kinds: NDArray[np.uint8]  # indices of `GameSpec.kinds`
    rounds: NDArray[np.uint8]  # from 1


@dataclass(frozen=True)
class Transitions(Arrays):
    """Decisions that the learner has made, [M] each."""

    decisions: Decisions
    chosen: Indices  # which choice of the inputs
    log_probs: Floats  # of these, when they were taken
    values: Floats  # of the critic
    rewards: Floats  # so far, up to the same seat's next decision


@dataclass(frozen=True)
class Experience(Arrays):
    """L decisions to learn from."""

    inputs: Inputs
    chosen: Indices  # [L]
    log_probs: Floats  # of these, when they were taken, [L]
    values: Floats  # of the critic, [L]
    advantages: Floats  # generalised advantages, [L]
    returns: Floats  # values + advantages, [L]
    kinds: NDArray[np.uint8]  # of the decisions, indices of `GameSpec.kinds`, [L]
    rounds: NDArray[np.uint8]  # from 1, [L]

    def __len__(self) -> int:
        return len(self.chosen)


class Rollout:
    """The learner's decisions in N games, numbered from 0 in the order in which they are made.

    Each seat has a trajectory of its own: a decision's reward is what its seat gains up to its next
    decision, whose value is the next value.
    """

    def __init__(self, shape: tuple[int, ...], size: int, pending: Transitions | None) -> None:
        """Makes room for L decisions of N games and P seats; the last rollout left some pending."""
        self._rewards = np.zeros(size, dtype=np.float32)  # [L]
        self._values = np.zeros(size, dtype=np.float32)  # [L]
        self._next = np.full(size, _NONE)  # the same seat's next decision in its game, [L]
        self._latest = np.full(shape, _NONE)  # of each seat in the running game, [N, P]
        self._moments: list[Transitions] = []
        self._size = 0
        if pending is not None:
            self.add(pending)

    def add(self, made: Transitions) -> None:
        """Adds decisions of one moment."""
        numbers = np.arange(self._size, self._size + len(made.chosen))
        at = made.decisions.games, made.decisions.seats
        before = self._latest[at]
        self._next[before[before != _NONE]] = numbers[before != _NONE]
        self._latest[at] = numbers
        self._values[numbers], self._rewards[numbers] = made.values, made.rewards
        self._moments.append(made)
        self._size += len(numbers)

    def reward(self, rewards: NDArray[np.float64]) -> None:
        """Adds rewards [N, P] to the latest decision of each seat."""
        decided = self._latest != _NONE
        self._rewards[self._latest[decided]] += rewards[decided]

    def end(self, games: Indices) -> None:
        """Ends the trajectories of games that have finished."""
        self._latest[games] = _NONE

    def close(self, next_values: Floats, gae_lambda: float) -> tuple[Experience, Transitions]:
        """Returns the decisions to learn from, and those whose next value isn't known yet.

        `next_values` are the critic's where each seat decides next, [N, P]; NaN where that can't be
        seen yet, which leaves the seat's latest decision pending.
        """
        decided = self._latest != _NONE
        bootstrap = np.zeros_like(self._values)  # 0 where the game has finished
        bootstrap[self._latest[decided]] = next_values[decided]
        is_pending = np.isnan(bootstrap)
        advantages = np.zeros_like(self._values)
        stop = self._size
        for moment in reversed(self._moments):
            rows = slice(stop - len(moment.chosen), stop)
            following = self._next[rows]
            has_next = following != _NONE
            next_value = np.where(has_next, self._values[following], bootstrap[rows])
            error = self._rewards[rows] + next_value - self._values[rows]
            advantages[rows] = error + np.float32(gae_lambda) * has_next * advantages[following]
            advantages[rows][is_pending[rows]] = 0
            stop = rows.start

        made = Transitions.concatenate(self._moments)
        made = replace(made, rewards=self._rewards[: self._size])
        known = (~is_pending[: self._size]).nonzero()[0]
        learned, advantages = made.take(known), advantages[known]
        experience = Experience(
            inputs=learned.decisions.inputs,
            chosen=learned.chosen,
            log_probs=learned.log_probs,
            values=learned.values,
            advantages=advantages,
            returns=learned.values + advantages,
            kinds=learned.decisions.kinds,
            rounds=learned.decisions.rounds,
        )
        return experience, made.take(is_pending.nonzero()[0])


class PPO:
    """Updates a policy from experience that was gathered with it.

    Attributes:
        policy: what learns.
        mean: a copy with the mean of its weights over the updates (see `average`), which plays
            better when many strategies are about equally good; `policy` itself if none is kept.
        optimizer: of its weights.
    """

    def __init__(
        self,
        policy: Policy,
        settings: TrainingDefaults,
        *,
        learning_rate: float,
        minibatch: int,
        entropy: Sequence[float] = (),
        average: bool = False,
    ) -> None:
        """Starts with a new optimizer; its learning rate falls to a tenth.

        `entropy` is the weight of the policy's entropy, at the start and at the end.
        """
        self.policy, self._settings = policy, settings
        self.mean = copy.deepcopy(policy).eval() if average else policy
        self._learning_rate, self._minibatch = learning_rate, minibatch
        self._entropy = entropy or (settings.entropy,)
        self.optimizer = Adam(policy.parameters(), lr=learning_rate, eps=1e-5, fused=True)

    def learn(self, experience: Experience, progress: float) -> dict[str, float]:
        """Updates the policy; returns figures for logs, by name.

        Progress is the share of the training that is done, 0 to 1.
        """
        policy, settings, device = self.policy, self._settings, self.policy.device
        set_learning_rate(self.optimizer, self._learning_rate, progress)
        entropy_weight = _falling(self._entropy[0], self._entropy[-1], progress)
        policy.train()
        batch = policy.network.batch.of(experience.inputs, device)
        arrays = experience.chosen, experience.log_probs, experience.advantages, experience.returns
        tensors = [torch.from_numpy(array).to(device) for array in arrays]
        num_choices = (~batch.padding).sum(dim=1)
        steps = []
        for _ in range(settings.epochs):
            for rows in minibatches(len(experience), self._minibatch, device):
                whole = tensors[2][rows]
                if settings.chunk:  # decisions with few choices together need little padding
                    rows = rows[num_choices[rows].argsort(stable=True)]
                self.optimizer.zero_grad()
                step = np.zeros(6)
                for part in rows.split(settings.chunk or len(rows)):  # type: ignore[no-untyped-call]
                    chosen, old_log_probs, advantages, returns = (array[part] for array in tensors)
                    values, log_probs, entropies = policy.evaluate(batch.take(part), chosen)

                    advantages = (advantages - whole.mean()) / (whole.std() + 1e-8)
                    change = log_probs - old_log_probs
                    ratio = change.exp()
                    clipped = torch.clamp(ratio, 1 - CLIP, 1 + CLIP)
                    policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
                    value_loss = nn.functional.mse_loss(returns[:, None].expand_as(values), values)
                    entropy_loss = -entropies.mean()
                    loss = policy_loss + entropy_weight * entropy_loss + VALUE_WEIGHT * value_loss
                    share = len(part) / len(rows)
                    (share * loss).backward()  # type: ignore[no-untyped-call]

                    approx_kl = (ratio - 1 - change).mean()  # joschu.net/blog/kl-approx.html
                    is_clipped = ((ratio - 1).abs() > CLIP).float().mean()
                    found = loss, policy_loss, value_loss, entropy_loss, approx_kl, is_clipped
                    step += [share * figure.item() for figure in found]
                nn.utils.clip_grad_norm_(policy.parameters(), MAX_GRADIENT_NORM)
                self.optimizer.step()
                steps.append(step)
        error = experience.returns - experience.values
        explained = 1 - error.var() / (experience.returns.var() or np.nan)
        figures = [*np.mean(steps, axis=0), explained]
        return dict(zip(_FIGURES, map(float, figures), strict=True))

    @torch.no_grad()
    def average(self, num_updates: float) -> None:
        """Moves the mean towards the weights after n updates; later ones count more, by n^3."""
        if self.mean is not self.policy:
            pairs = zip(self.mean.parameters(), self.policy.parameters(), strict=True)
            for mean, weights in pairs:
                mean.lerp_(weights, 4 / (num_updates + 3))


def set_learning_rate(optimizer: Optimizer, first: float, progress: float) -> None:
    """Lets the learning rate fall from the first one to a tenth, as progress goes from 0 to 1."""
    for group in optimizer.param_groups:
        group["lr"] = _falling(first, _LAST_LEARNING_RATE * first, progress)


def _falling(first: float, last: float, progress: float) -> float:
    return last + (first - last) * max(1 - progress, 0.0)


def minibatches(size: int, minibatch: int, device: torch.device) -> Iterator[Tensor]:
    """Yields the rows of one epoch in random order; a smaller last minibatch is left out."""
    order = torch.randperm(size, device=device)
    for start in range(0, max(1, size - minibatch + 1), minibatch):
        yield order[start : start + minibatch]
