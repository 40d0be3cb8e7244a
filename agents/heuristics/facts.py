"""Facts of choices: all that a linear policy knows of a game, and nothing of what they are worth.

A choice is an action that a policy considers in a decision. Its score is a product::

    score = sum over facts f and bases b of  weight[f, b] * fact[f] * base[b]

Facts describe the choice ("harbors covered"), bases the decision ("1", "how late it is"). All
scores, and so all weights, are in points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Config, Engine

from ..arrays import Floats, Indices, Masks, Observations


@dataclass(frozen=True)
class LinearPolicy:
    """Weights, and how sharply self-play chooses with them."""

    weights: Floats  # in points, [F, B]
    temperature: float = 1.0  # of the softmax of scores, in points

    def __post_init__(self) -> None:
        self.weights.flags.writeable = False


@dataclass(frozen=True)
class Critic:
    """What a seat that sees everything expects where periods open, of itself and the others."""

    weights: Floats  # in points ahead of the mean of the others, [D']; see `critic_inputs`
    # of the softmax that turns these points into shares of the victory: a parabola in how far the
    # game has come, since the same lead is worth more later, [3]
    sharpness: Floats

    def __post_init__(self) -> None:
        self.weights.flags.writeable = self.sharpness.flags.writeable = False

    def shares(self, reader: FactReader, engine: Engine, policy: LinearPolicy) -> Floats:
        """Returns the share of the victory that each seat may expect, [N, P].

        Those of finished games are the winners'. In the others periods open, and choices count by
        what they are worth to a policy.
        """
        shares = win_shares(engine.winners()).astype(np.float32)
        if len(live := np.flatnonzero(engine.seats >= 0)):
            worth = reader.no_worth(len(live))
            rows, seats = np.arange(len(live)), engine.seats[live]
            if reader.TOGETHER:
                rows, seats = np.indices(worth.shape[:2]).reshape(2, -1)
            for choices in reader.read_engine(engine, live[rows], seats, policy):
                at = rows[choices.decisions], seats[choices.decisions]
                worth[at] = choices.worth(choices.scores(policy), policy)
            seen, progress = reader.critic_inputs(engine, live, worth)
            shares[live] = self.chances(seen @ self.weights, progress)
        return shares

    @np.errstate(under="ignore")
    def chances(self, margins: Floats, progress: Floats) -> Floats:
        """Returns the shares that margins [M, P] stand for, by how far games have come, [M]."""
        logits = margins * (self.sharpness @ parabola(progress))[:, None]
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        found: Floats = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
        return found


def parabola(progress: Floats) -> Floats:
    """Returns 1, numbers [M] and their squares, [3, M]."""
    return np.stack([np.ones_like(progress), progress, progress**2])


@dataclass(frozen=True)
class Choices:
    """The choices of m of the decisions that were asked about, which share a list of facts."""

    decisions: Indices  # which ones they are, ascending, [m]
    columns: slice  # the names of these facts among all of the game; F' of them
    rows: Indices  # the decision of each choice, 0 to m - 1, ascending, [L]; each has some
    actions: Indices  # [L]
    facts: Floats  # [L, F']
    bases: Floats  # [m, B]

    def scores(self, policy: LinearPolicy) -> Floats:
        """Returns the score of each choice, [L]."""
        weights = self.bases @ policy.weights[self.columns].T  # [m, F']
        scores: Floats = np.einsum("lf,lf->l", self.facts, weights.take(self.rows, axis=0))
        return scores

    def probabilities(self, scores: Floats, temperature: float) -> Floats:
        """Returns how likely each choice is, [L]: a softmax of the scores of each decision's."""
        logits = scores / np.float32(temperature)
        chances = np.exp(logits - np.maximum.reduceat(logits, self.starts)[self.rows])
        found: Floats = chances / np.add.reduceat(chances, self.starts)[self.rows]
        return found

    def worth(self, scores: Floats, policy: LinearPolicy) -> Floats:
        """Returns what each decision is worth by its scores: the best and the mean, [m, 2 B]."""
        chances = self.probabilities(scores, policy.temperature)
        best = np.maximum.reduceat(scores, self.starts)[:, None] / 10
        expected = np.add.reduceat(scores * chances, self.starts)[:, None] / 10
        return np.hstack([best * self.bases, expected * self.bases])

    @property
    def starts(self) -> Indices:
        """Where the choices of each decision start, [m]."""
        return np.searchsorted(self.rows, np.arange(len(self.bases)))


class FactReader:
    """Reads the facts of choices in one game; a game's subclass says which.

    Facts hold nothing that the deciding seat does not know. They may depend on the policy, as those
    of a plan do that say how good the best placement is that it allows.

    Attributes:
        NAMES: what the facts are called, in words, all different, [F].
        BASES: what the bases are called, [B]; the first is always 1.
        MOMENTS: what the bases are at some moments, by name, [B] each, for tables of weights.
        START: weights of the first base to begin with, by name; the others are 0.
        OPENING: kinds of decisions that open a period of a seat, such as its turn. A period is what
            learning gives credit to as a whole, and lasts until the seat's next one opens.
        TOGETHER: whether periods of all seats open at the same time.
        TRACE: which part of what later periods of a seat bring is credited to one (lambda).
        TEMPERATURES: of self-play, first and last, as shares of the spread of advantages. A game of
            many small decisions takes lower ones: each of them moves the end less.
    """

    NAMES: ClassVar[tuple[str, ...]]
    BASES: ClassVar[tuple[str, ...]]
    MOMENTS: ClassVar[Mapping[str, tuple[float, ...]]] = {}
    START: ClassVar[Mapping[str, float]] = {}
    OPENING: ClassVar[tuple[str, ...]]
    TOGETHER: ClassVar[bool] = False
    TRACE: ClassVar[float]
    TEMPERATURES: ClassVar[tuple[float, float]] = 0.6, 0.12

    def __init__(self, config: Config) -> None:
        """Takes what is played."""
        self.config: Any = config

    def read(
        self,
        observations: Observations,
        masks: Masks,
        policy: LinearPolicy,
        rng: np.random.Generator,
    ) -> list[Choices]:
        """Returns the choices of M decisions, each in exactly one item.

        They do not depend on `rng`, which is for readers that draw what is hidden to build a state.
        """
        raise NotImplementedError

    def read_engine(
        self, engine: Any, games: Indices, seats: Indices, policy: LinearPolicy
    ) -> list[Choices]:
        """Returns what `read` returns, for M decisions in an engine (see `EngineAgent.act_in`)."""
        rng = np.random.default_rng(0)
        seen = engine.observe(seats, games)
        return self.read(seen, engine.legal_action_mask(games), policy, rng)

    def situations(self, engine: Any, games: Indices) -> tuple[Floats, Floats]:
        """Returns what a critic who sees everything knows of all seats of M games that go on.

        Returns:
            What it predicts the points ahead from, [M, P, D], and how far each game has come, from
            0 to 1, [M].
        """
        raise NotImplementedError

    def no_worth(self, num_games: int) -> Floats:
        """Returns the worth of choices where nobody decides, [M, P, 2 B]."""
        return np.zeros((num_games, self.config.num_players, 2 * len(self.BASES)), np.float32)

    def critic_inputs(self, engine: Any, games: Indices, worth: Floats) -> tuple[Floats, Floats]:
        """Returns `situations` with how long seats wait and what choices are worth.

        Args:
            engine: N games.
            games: those that are asked about, [M].
            worth: what the choices of seats that decide are worth to them, [M, P, 2 B].
        """
        seen, progress = self.situations(engine, games)
        num_players = seen.shape[1]
        waits = (np.arange(num_players) - engine.seats[games][:, None]) % num_players
        turns = np.eye(num_players, dtype=np.float32)[waits]
        others = (worth.sum(axis=1, keepdims=True) - worth) / np.float32(num_players - 1)
        return np.concatenate([seen, turns, worth, others], axis=2), progress
