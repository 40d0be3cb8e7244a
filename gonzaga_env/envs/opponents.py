"""Games in which a learner plays one seat and opponents play the others.

The learner sees its own turns only. Opponents act within its step, and the rewards that their
actions bring it (above all at the end of a game) are part of that step's reward.

`LearnerGames` is the contract; `batch` plays many games on arrays, `few` plays few in plain Python.
Both are equal at every step. `one` is the environment of a single game and shares the checks.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gonzaga_env.envs.sb3_agent import SB3Agent
from gonzaga_env.kernel.agent import Agent, is_sb3_model, is_uniform, make_agent
from gonzaga_env.kernel.arguments import Indices, Integers, as_actions, as_rows, is_integer
from gonzaga_env.kernel.chance import agent_generators
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.result import Infos, Reward
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config, Engine, GameSpec
from gonzaga_env.kernel.state import DealArrays
from gonzaga_env.kernel.view import Viewer

Act = Callable[[NDArray[np.uint8], NDArray[np.bool_], np.random.Generator], NDArray[np.integer]]
"""Chooses for M seats: `(observations [M, D], masks [M, A], rng) -> actions [M]`."""

Opponent = str | Path | type | Agent | Act | Any | None
"""An agent's name or class (as `gonzaga_agents.make_agent` takes it), an agent, a model of
Stable-Baselines3, or a function of `(observations, masks, rng)`; None plays uniformly random legal
actions."""
Opponents = Opponent | Sequence[Opponent]
"""One for all seats, or several to draw from."""


@dataclass(frozen=True)
class EngineOpponent:
    """An agent of an installed package that can choose straight from an engine.

    In batches this saves rebuilding states from observations. It gets the engine, hidden
    information included, so only agents that are given by name are asked this way: those look at
    nothing but what the deciding seats know, which tests show. Ties may be broken by other draws.
    """

    agent: Any

    def __call__(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Chooses from observations, as every opponent does."""
        return self.agent.act(observations, masks, rng)

    def choose(
        self, engine: Engine, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Chooses for the seats to act in some games, [M]."""
        return self.agent.act_in(engine, rows, engine.seats[rows], rng)


def as_opponents(opponents: Opponents, config: Config) -> tuple[Act | None, ...]:
    """Returns the functions of one or more opponents.

    Raises:
        OptionError: something that is not an opponent.
        GameError: a name that is not an agent's (see `gonzaga_agents.make_agent`).
    """
    given: Any = opponents
    if opponents is None or isinstance(opponents, str) or not isinstance(opponents, Sequence):
        given = [opponents]
    if not given:
        raise OptionError("opponents are empty; they take one opponent or more")
    return tuple(_as_act(opponent, config) for opponent in given)


def _as_act(opponent: Any, config: Config) -> Act | None:
    if isinstance(opponent, str | Path | type):
        named = isinstance(opponent, str) and ":" not in opponent  # not "module:Class"
        opponent = make_agent(opponent, config)
        if named and hasattr(opponent, "act_in"):
            return EngineOpponent(opponent)
    if is_sb3_model(opponent):
        opponent = SB3Agent(opponent, config)
    act: Act | None = getattr(opponent, "act", opponent)
    if act is not None and not callable(act):
        raise OptionError(
            f"opponent is {opponent!r}; it takes an agent's name, an agent, None, a model of "
            "Stable-Baselines3, or a function of (observations, masks, rng)"
        )
    return act


def choose(
    opponent: Act | None, engine: Engine, rng: np.random.Generator, rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Returns an opponent's actions for the seats to act in some games, [M].

    Raises:
        ActionError: the actions have a wrong shape or dtype, or one is outside the space.
    """
    if is_uniform(opponent):
        return engine.sample_legal(rng, rows)
    assert opponent is not None
    if isinstance(opponent, EngineOpponent):
        actions = opponent.choose(engine, rows, rng)
    else:
        actions = opponent(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
    return as_actions(
        actions, rows, np.zeros(len(rows), dtype=np.bool_), engine.config.actions.size
    )


def choose_one(opponent: Act | None, game: AnyGame, rng: np.random.Generator) -> int:
    """Returns an opponent's action for the seat to act in one game (errors as `choose`)."""
    if opponent is None:
        return game.sample_legal(rng)
    actions = opponent(game.observation()[None], game.mask().view(np.bool_)[None], rng)
    return int(as_actions(actions, np.zeros(1, np.int64), np.array([False]), game.actions.size)[0])


ILLEGAL_REWARD = -1.0  # the same as in `gonzaga_v0.env`


class ResetNeededError(GameError, gymnasium.error.ResetNeeded, AttributeError):
    """A game has not begun or is over, so it has no agent that acts.

    It is an AttributeError, too: before the first `reset`, `hasattr(env, "agent_selection")` is
    False.
    """


def check_seat(seat: int | None, num_players: int) -> None:
    """Raises OptionError unless `seat` is None (rotate each episode) or a seat of the game."""
    if seat is not None and not (is_integer(seat) and 0 <= seat < num_players):
        raise OptionError(f"seat is {seat!r}; it takes None or 0 to {num_players - 1}")


class LearnerGames(ABC):
    """N games, in each of which the learner plays one seat.

    Unless it is fixed, the learner's seat rotates by one each episode. At the start of each game,
    an opponent is drawn for every other seat. Each opponent chooses for all its seats that are to
    act, over all games, in one batch. A game that has ended waits for `reset`.

    Attributes:
        spec: the game.
        config: what is played.
        num_games: N.
        opponents: the opponents to draw from; None plays uniformly random legal actions.
        seats: the learner's seat in each game, [N].
        over: which games have ended, or have not begun, [N] bool.
        illegal: which games an illegal action of the learner ended, [N] bool.
    """

    def __init__(
        self,
        spec: GameSpec,
        config: Config,
        num_games: int,
        opponents: Opponents = None,
        seat: int | None = None,
        reward: Reward = "outcome",
    ) -> None:
        """Makes the games; `deal` deals them and `start` seats the players.

        Args:
            spec: the game.
            config: what is played.
            num_games: N.
            opponents: one opponent for all seats, or several to draw from.
            seat: the learner's seat; None rotates it each episode.
            reward: "outcome", "score" or "margin".

        Raises:
            OptionError: opponents that can't be called, or a seat that does not exist.
        """
        check_seat(seat, config.num_players)
        self.spec, self.config, self.num_games = spec, config, num_games
        self.opponents, self._seat = as_opponents(opponents, config), seat
        self.num_actions = config.actions.size
        self.seats = np.zeros(num_games, dtype=np.int64)
        self.over = np.ones(num_games, dtype=np.bool_)
        self.illegal = np.zeros(num_games, dtype=np.bool_)
        self._every: Indices = np.arange(num_games)
        self._drawn = np.zeros((num_games, config.num_players), dtype=np.int64)  # by seat
        self._rng: np.random.Generator  # draws opponents; set by `reset`
        self._rngs: list[np.random.Generator] = []  # each opponent's own
        self._waiting = False  # whether the games in progress wait for the learner
        self._seeded = False  # the seed is drawn at the first deal, so that copies differ
        self._make(0, reward)

    def deal(
        self,
        seed: int | Sequence[int] | Integers | None = None,
        deal: DealArrays | None = None,
        rows: Integers | None = None,
    ) -> None:
        """Deals games; call `start` next. Arguments and errors are those of `Engine.reset`."""
        if not self._seeded and (seed is None or rows is not None):
            self._deal(secrets.randbits(63), None, self._every)
        self._deal(seed, deal, self._every if rows is None else as_rows(rows, self.num_games))
        self._seeded = True

    def start(self, rng: np.random.Generator, rows: Integers | None = None) -> None:
        """Seats the players in games just dealt and plays up to the learner's first turns.

        Args:
            rng: the generator that draws opponents. Each opponent gets one of its own, which it
                keeps until a start with another `rng`; it cannot compute the deals from it.
            rows: the games that were dealt; all of them for None.
        """
        dealt = self._every if rows is None else as_rows(rows, self.num_games)
        if not self._rngs or rng is not self._rng:
            self._rng = rng
            self._rngs = agent_generators(rng.bytes(32), len(self.opponents))
        self.over[dealt] = self.illegal[dealt] = False
        self._take_seats(dealt)
        self._waiting = False  # stays so if an opponent fails
        self._play_opponents(np.zeros(self.num_games))
        self._waiting = True

    def step(
        self, actions: Integers | Sequence[int], skipped: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float64]:
        """Plays the learner's actions, then opponents up to its next turn in every game.

        Args:
            actions: [N]; an illegal action loses its game.
            skipped: [N], games that are left as they are; None skips none.

        Returns:
            The rewards of the learner's seats, [N].

        Raises:
            ResetNeededError: a game that is not skipped has not begun or is over, or an opponent
                failed in the last step.
            ActionError: wrong shape or dtype, or an index outside the space.
            IllegalActionError: an illegal action of an opponent.
        """
        if not self._waiting:
            raise ResetNeededError("no game waits for an action; call reset() first")
        over = self.over if skipped is None else self.over & ~skipped
        if over.any():
            raise ResetNeededError(
                f"game {over.argmax()} has not begun or is over; "
                "reset it first, with options={'reset_mask': ...}"
            )
        ignored = over if skipped is None else skipped
        chosen = as_actions(actions, self._every, ignored, self.num_actions)
        rows = self._every if skipped is None else self._every[~skipped]
        rewards = np.zeros(self.num_games)
        self._play_learner(rows, chosen, rewards)
        self._waiting = False  # stays so if an opponent fails
        self._play_opponents(rewards)
        self._waiting = True
        return rewards

    def _take_seats(self, rows: Indices) -> None:
        """Seats the learner and draws its opponents in games that start."""
        num_players = self.config.num_players
        self.seats[rows] = self._rotated(rows) if self._seat is None else self._seat
        self._drawn[rows] = self._rng.choice(len(self.opponents), size=(len(rows), num_players))

    @abstractmethod
    def _make(self, seed: int, reward: Reward) -> None:
        """Makes the engines of the games."""

    @abstractmethod
    def _deal(
        self,
        seed: int | Sequence[int] | Integers | None,
        deal: DealArrays | None,
        rows: Indices,
    ) -> None:
        """Deals some games."""

    @abstractmethod
    def _rotated(self, rows: Indices) -> Indices:
        """Returns `(seed + episode) % P` of some games, [M]."""

    @abstractmethod
    def _play_learner(self, rows: Indices, actions: Indices, rewards: NDArray[np.float64]) -> None:
        """Plays the learner's actions [N] in some games and adds its rewards [N]."""

    @abstractmethod
    def _play_opponents(self, rewards: NDArray[np.float64]) -> None:
        """Plays opponents until the learner is to act in every game that is not over."""

    @property
    @abstractmethod
    def engine(self) -> Engine:
        """The games as an engine; their full state, hidden information included."""

    @property
    @abstractmethod
    def seeds(self) -> NDArray[np.uint64]:
        """The seed of each game, [N]."""

    @abstractmethod
    def observe(self, rows: Indices) -> NDArray[np.uint8]:
        """Returns what the learner knows of some games, [M, D]."""

    def action_masks(self, rows: Indices) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner in some games, [M, A].

        All are False where the game has not begun or is over, or an opponent has failed.
        """
        masks = self._legal_masks(rows)
        if self.over.any() or not self._waiting:
            masks &= (self._waiting & ~self.over[rows])[:, None]
        return masks

    def infos(self, rows: Indices) -> Infos:
        """Returns the infos of the learner's seats in some games, arrays [M, ...] by name."""
        own = {"seat": self.seats[rows], "illegal": self.illegal[rows].astype(np.int64)}
        return self._infos(rows) | own

    @abstractmethod
    def _legal_masks(self, rows: Indices) -> NDArray[np.bool_]:
        """Returns which actions are legal for the seats to act in some games, [M, A]."""

    @abstractmethod
    def _infos(self, rows: Indices) -> Infos:
        """Returns what `spec.infos` says of the learner's seats in some games."""

    @abstractmethod
    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> Any:
        """Returns what a viewer knows of one game (see `Engine.view`)."""
