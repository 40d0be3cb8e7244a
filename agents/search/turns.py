"""Search of games in which seats take turns: a guide picks candidates and plays on.

The value of a position, each player's expected share of the victory, was fitted to positions of the
planner's games and how these games ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.agent import AgentError, Considered
from gonzaga_env.kernel.bounded import VALUE_BYTES
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Config, Engine, GameSpec
from gonzaga_env.kernel.state import StateArrays

from ..agent import HeuristicAgent
from ..arrays import Floats as Scores
from ..arrays import Indices, Masks, Observations, read_arrays
from ..network.agent import NetworkAgent
from ..network.learned import load_learned, ships_for
from .sequential_halving import (
    DEFAULT_BUDGET,
    Budget,
    Floats,
    Root,
    SequentialHalving,
    best_candidates,
)

Features = Callable[[Any, Any], tuple[Scores, Scores]]
"""A function of configuration and state: what each player has, [N, P, F], and how far the game has
come, [N], from 0 to 1."""


class ValueFunction:
    """Each player's expected share of the victory: a softmax of scores linear in their features.

    The weight of a feature is a parabola in how far the game has come, since things are worth less
    the fewer turns are left.
    """

    def __init__(self, config: Config, features: Features, weights: NDArray[np.floating]) -> None:
        """Takes the weights, [3, F]."""
        self._config, self._features = config, features
        self._weights = weights.astype(np.float32)

    @classmethod
    def load(cls, config: Config, features: Features, path: Path) -> Self:
        """Returns the value of a file for the number of players.

        Raises:
            AgentError: it cannot be read, or has none for this number.
        """
        arrays, name = read_arrays(path, VALUE_BYTES), f"players_{config.num_players}"
        if name not in arrays:
            raise AgentError(f"{path}: {name} is missing")
        return cls(config, features, arrays[name])

    def shares(self, engine: Engine) -> Scores:
        """Returns the share of the victory that each player may expect, [N, P].

        Those of finished games are the winners'.
        """
        scores = by_progress(*self._features(self._config, engine.state)) @ self._weights.ravel()
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        over = engine.state.finished
        shares[over] = win_shares(engine.winners()[over])
        return shares.astype(np.float32)


def by_progress(own: Scores, progress: Scores) -> Scores:
    """Returns features [N, P, F] times 1, progress [N] and its square, [N, P, 3 * F]."""
    times = np.stack([np.ones_like(progress), progress, progress**2], axis=1)
    product = times[:, None, :, None] * own[:, :, None]
    return product.reshape(*own.shape[:2], 3 * own.shape[2]).astype(np.float32)


@dataclass(frozen=True)
class TurnGame:
    """A game of turns, as its search takes it.

    Observations have a feature "kind", one-hot over `GameSpec.kinds`.
    """

    spec: GameSpec  # the game; it has `from_observations`
    # picks candidates and plays on in playouts where there is no policy, or playouts are short
    planner: Callable[[Any], HeuristicAgent]
    # kinds of decisions that are worth a search; all others are left to the policy
    searched: tuple[int, ...]
    features: Features  # what the value of positions sees of them (see `ValueFunction`)
    weights: Path  # the file of that value
    points_per_logit: float = 7.0  # margin of points at which the odds of winning change by e
    num_candidates: int = 4  # C; playouts are noisy, so few candidates are compared more precisely
    share_per_point: float = (
        0.03  # share of the victory that a point of the planner's score stands for
    )
    share_per_logit: float = 0.05  # share of the victory that a policy's odds of e to 1 stand for
    # whether playouts with a policy end with the turn, too, because turns of others take many
    # decisions; positions are then rated by the value
    short_playouts: bool = False

    def draw(self, *seen: object) -> StateArrays:
        """Returns states from observations (see `GameSpec.from_observations`)."""
        assert self.spec.from_observations is not None
        return self.spec.from_observations(*seen)


class TurnSearch(SequentialHalving):
    """Tries candidates on deals of what is hidden, and plays on.

    With a policy, it plays on until it is the seat's turn again, and says what the position is
    worth. Without one, and in games with `short_playouts`, the planner plays on to the end of the
    turn, and a `ValueFunction` says it.
    """

    game: ClassVar[TurnGame]  # what the game brings

    def __init__(
        self,
        config: Config | None = None,
        budget: Budget = DEFAULT_BUDGET,
        *,
        policy: NetworkAgent | None = None,
        value: ValueFunction | None = None,
        num_rounds: int = 1,
        num_candidates: int | None = None,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played; by default, that of the game.
            budget: of each decision.
            policy: by default the shipped one, if one was trained on this game.
            value: of positions where playouts end with the turn; by default, that of the game,
                where no policy ships or its playouts are short.
            num_rounds: how many turns playouts last.
            num_candidates: C, candidates of each decision.
        """
        game = self.game
        config = game.spec.config() if config is None else config
        if policy is None and value is None:
            policy = load_learned(config) if ships_for(config) else None
        if policy is not None and value is None and not game.short_playouts:
            self._guide: _Guide = _PolicyGuide(game, config, policy)
        else:
            value = value or ValueFunction.load(config, game.features, game.weights)
            self._guide = _ValueGuide(game, config, value, policy)
        size = num_candidates or game.num_candidates
        super().__init__(config, self._guide, budget, num_rounds=num_rounds, num_candidates=size)

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        """Returns the candidates with their values, or the guide's choices without a search."""
        if self._guide.kinds(observation[None])[0] in self.game.searched:
            return super()._consider(observation, mask, rng)
        return self._guide.agent.consider(observation, mask, rng)


class _Guide:
    """Picks candidates, and says what positions at the end of playouts are worth (see `Model`)."""

    agent: HeuristicAgent | NetworkAgent  # who decides what is not searched
    player: HeuristicAgent | NetworkAgent  # who plays on in playouts

    def __init__(self, game: TurnGame, config: Config) -> None:
        self._game, self._config, self._planner = game, config, game.planner(config)
        self.player = self._planner

    def kinds(self, observations: Observations) -> Indices:
        """See `Model.kinds`."""
        return self._config.features.view(observations, "kind").argmax(axis=1)

    def candidates(
        self, seen: Observations, masks: Masks, kind: int, size: int, rng: np.random.Generator
    ) -> tuple[Indices, Floats]:
        """See `Model.candidates`."""
        rows, actions, scores = self._priors(seen, masks, rng)
        size = size if kind in self._game.searched else 1
        return best_candidates(rows, actions, scores, len(masks), size, 1.0)

    def play(
        self,
        root: Root,
        decisions: Indices,
        candidates: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> Floats:
        """See `Model.play`."""
        distinct, row = np.unique(decisions, return_inverse=True)
        deals = self._game.draw(self._config, root.observations[distinct], rng, num_deals)
        games = (row[:, None] * num_deals + np.arange(num_deals)).reshape(-1)
        engine = self._game.spec.engine.from_state(
            self._config, deals.take(games), autoreset=False, copy=False, check=False
        )
        own = engine.seats.copy()
        engine.step(root.actions[decisions, candidates].repeat(num_deals))
        left = root.num_rounds - self._ended(own, engine.seats, own)
        while len(running := ((engine.seats >= 0) & (left > 0)).nonzero()[0]):
            seats = engine.seats[running]
            seen, masks = engine.observe(rows=running), engine.legal_action_mask(running)
            engine.step(self.player.act(seen, masks, rng), running)
            left[running] -= self._ended(seats, engine.seats[running], own[running])
        return self._shares(engine, own).astype(np.float64).reshape(-1, num_deals)

    def chances(self, state: StateArrays, num_playouts: int, rng: np.random.Generator) -> Floats:
        """See `Model.chances`; with a policy too, the value function rates the ends of turns."""
        game, num_games = self._game, len(state.finished)
        games = np.arange(num_games).repeat(num_playouts)
        engine = game.spec.engine.from_state(
            self._config, state.take(games), autoreset=False, copy=False, check=False
        )
        began = engine.seats.copy()
        while len(running := ((engine.seats >= 0) & (engine.seats == began)).nonzero()[0]):
            seen, masks = engine.observe(rows=running), engine.legal_action_mask(running)
            engine.step(self._planner.act(seen, masks, rng), running)
        shares = ValueFunction.load(self._config, game.features, game.weights).shares(engine)
        found = shares.astype(np.float64).reshape(num_games, num_playouts, -1)
        return found.mean(axis=1)

    def _priors(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Scores]:
        """Returns rows, actions, and what each is worth before a search in shares, all [L]."""
        raise NotImplementedError

    def _ended(self, before: Indices, now: Indices, own: Indices) -> NDArray[np.bool_]:
        """Returns where a turn of a playout has ended, given who acts, and whose playout it is."""
        raise NotImplementedError

    def _shares(self, engine: Engine, own: Indices) -> Scores:
        """Returns what share of the victory the seats `own` may expect, [N]."""
        raise NotImplementedError


class _ValueGuide(_Guide):
    """The planner's candidates, or a policy's; playouts end with a seat's turn."""

    def __init__(
        self,
        game: TurnGame,
        config: Config,
        value: ValueFunction,
        policy: NetworkAgent | None = None,
    ) -> None:
        super().__init__(game, config)
        self.agent, self._value, self._policy = policy or self._planner, value, policy

    def _priors(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Scores]:
        if self._policy is not None:
            return _policy_priors(self._policy, observations, masks, self._game.share_per_logit)
        rows, actions, scores = self._planner.score(observations, masks, rng)
        return rows, actions, scores * np.float32(self._game.share_per_point)

    def _ended(self, before: Indices, now: Indices, own: Indices) -> NDArray[np.bool_]:
        return now != before

    def _shares(self, engine: Engine, own: Indices) -> Scores:
        return self._value.shares(engine)[np.arange(len(own)), own]


class _PolicyGuide(_Guide):
    """A policy's candidates and play, and what it expects when it is the seat's turn again."""

    def __init__(self, game: TurnGame, config: Config, policy: NetworkAgent) -> None:
        super().__init__(game, config)
        self.agent = self.player = self._policy = policy

    def _priors(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Scores]:
        return _policy_priors(self._policy, observations, masks, self._game.share_per_logit)

    def _ended(self, before: Indices, now: Indices, own: Indices) -> NDArray[np.bool_]:
        return (now == own) & (before != own)

    def _shares(self, engine: Engine, own: Indices) -> Scores:
        shares = win_shares(engine.winners())[np.arange(len(own)), own].astype(np.float32)
        if len(rows := (engine.seats >= 0).nonzero()[0]):
            totals, seat = engine.totals[rows].astype(np.float32), own[rows]
            points, p = totals[np.arange(len(rows)), seat], totals.shape[1]
            ahead = points - (totals.sum(axis=1) - points) / (p - 1)
            seen = engine.observe(seat, rows), engine.legal_action_mask(rows)
            odds = np.exp(
                (ahead + self._policy.evaluate(*seen).values) / self._game.points_per_logit
            ) / (p - 1)
            shares[rows] = odds / (1 + odds)
        return shares


def _policy_priors(
    policy: NetworkAgent, observations: Observations, masks: Masks, share_per_logit: float
) -> tuple[Indices, Indices, Scores]:
    """Returns what `_Guide._priors` does, by a policy's odds."""
    shares = policy.evaluate(observations, masks).probabilities
    rows, actions = masks.nonzero()
    logarithms = np.log(shares[rows, actions] + np.float32(1e-9))
    return rows, actions, logarithms * np.float32(share_per_logit)
