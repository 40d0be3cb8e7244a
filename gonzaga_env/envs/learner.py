"""A batch of games in which a learner plays one seat and opponents play the others.

The learner sees its own turns only. Opponents act within its step, in one batch per opponent, and
the rewards that their actions bring it (above all at the end of a game) are part of that step's
reward. The checks at the top are shared with the single-game environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.arguments import Indices, Integers, is_integer
from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.errors import GonzagaError, OptionError
from gonzaga_env.core.observation.reader import observe
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.generators import agent_generators
from gonzaga_env.core.state.state import State
from gonzaga_env.envs.infos import Infos, infos
from gonzaga_env.envs.opponents import Opponents, as_opponents, choose

ILLEGAL_REWARD = -1.0  # the same as in `gonzaga_v0.env`


class ResetNeededError(GonzagaError, gymnasium.error.ResetNeeded):
    """`step` was called in a game that has not begun or is over."""


def check_seat(seat: int | None, num_players: int) -> None:
    """Raises OptionError unless `seat` is None (rotate each episode) or a seat of the game."""
    if seat is not None and not (is_integer(seat) and 0 <= seat < num_players):
        raise OptionError(f"seat is {seat!r}; it takes None or 0 to {num_players - 1}")


def as_options(options: Any) -> dict[str, Any]:
    """Returns the options of `reset`, none for None; OptionError unless they are a dictionary."""
    if options is not None and not isinstance(options, dict):
        raise OptionError(f"options is {options!r}; it takes None or {{'deal': deal}}")
    return options or {}


def given_deal(options: dict[str, Any] | None) -> Deal | None:
    """Returns the deal in the options of Gymnasium's `reset`, if any.

    Raises:
        OptionError: the options are no dictionary, or hold anything else.
    """
    options = as_options(options)
    unknown = options.keys() - {"deal"}
    if unknown:
        raise OptionError(f"options hold {sorted(map(str, unknown))}; they take 'deal' only")
    return options.get("deal")


@dataclass(frozen=True)
class FinishedGames:
    """M games that ended with the same action.

    Attributes:
        rows: the games, [M].
        observations: the learner's observations of the final states, [M, D].
        infos: the infos of the final states, [M, ...] by name (see `LearnerGames.infos`).
        opponents: index in `LearnerGames.opponents` of the opponent on each seat, [M, P]; the
            learner's own seat has one too, which does not play.
        returns: the learner's rewards, summed over the whole game, [M].
        num_turns: the learner's actions in the whole game, [M].
    """

    rows: Indices
    observations: NDArray[np.uint8]
    infos: Infos
    opponents: Indices
    returns: NDArray[np.float64]
    num_turns: NDArray[np.int64]


class LearnerStep:
    """What happened in each game between one turn of the learner and its next.

    Attributes:
        rewards: rewards of the learner's seat, [N].
        done: which games ended, [N] bool.
        finished: those games, each once, in the order in which they ended.
    """

    def __init__(self, num_games: int) -> None:
        """Creates a step in which nothing has happened yet."""
        self.rewards = np.zeros(num_games)
        self.done = np.zeros(num_games, dtype=np.bool_)
        self.finished: list[FinishedGames] = []


class LearnerGames:
    """The N games of an engine, in each of which the learner plays one seat.

    Unless it is fixed, the learner's seat rotates by one each episode. At the start of each game,
    an opponent is drawn for every other seat. Each opponent chooses for all its seats that are to
    act, over all games, in one batch.

    Attributes:
        engine: the games.
        opponents: the opponents to draw from; None plays uniformly random legal actions.
        seats: the learner's seat in each game, [N].
    """

    def __init__(
        self,
        engine: Engine,
        opponents: Opponents = None,
        *,
        probabilities: Sequence[float] | None = None,
        seat: int | None = None,
        forfeit: bool = False,
    ) -> None:
        """Takes an engine; `start` seats the players.

        Args:
            engine: N games, with `autoreset`.
            opponents: one opponent for all seats, or several to draw from.
            probabilities: the probability of drawing each opponent; None: uniform.
            seat: the learner's seat; None rotates it each episode.
            forfeit: whether an illegal action of the learner ends its game instead of raising.

        Raises:
            OptionError: an engine without `autoreset`, opponents that can't be called, or a seat
                that does not exist.
        """
        if not engine.autoreset:
            raise OptionError(
                "the engine has autoreset=False; a learner's games take autoreset=True"
            )
        check_seat(seat, engine.num_players)
        self.engine, self.opponents = engine, as_opponents(opponents, engine.config)
        self._probabilities, self._seat, self._forfeits = probabilities, seat, forfeit
        num_games = engine.num_games
        self.seats = np.zeros(num_games, dtype=np.int64)
        self._offsets = np.zeros(num_games, dtype=np.int64)
        self._opponent = np.zeros((num_games, engine.num_players), dtype=np.int64)  # by seat
        self._returns = np.zeros(num_games)  # of the games in progress
        self._num_turns = np.zeros(num_games, dtype=np.int64)
        self._rng: np.random.Generator  # draws opponents; set by `start`
        self._rngs: list[np.random.Generator] = []  # each opponent's own
        self._waiting = False  # whether all games wait for the learner

    def start(self, offsets: Integers, rng: np.random.Generator) -> None:
        """Seats the players in games just dealt and plays up to the learner's first turns.

        Args:
            offsets: [N], 0 or more; unless it is fixed, the learner's seat is
                `(offsets + episode) % P`.
            rng: the generator that draws opponents. Each opponent gets one of its own, which it
                keeps until a start with another `rng`; it cannot compute the deals from it.
        """
        every = np.arange(self.engine.num_games)
        if not self._rngs or rng is not self._rng:
            self._rng = rng
            self._rngs = agent_generators(rng.bytes(32), len(self.opponents))
        self._offsets = (offsets % self.engine.num_players).astype(np.int64)
        self._take_seats(every)
        self._play_opponents(LearnerStep(len(every)))
        self._waiting = True

    def step(self, actions: Integers | Sequence[int]) -> LearnerStep:
        """Plays the learner's actions, then opponents up to its next turn in every game.

        Args:
            actions: [N].

        Raises:
            ResetNeededError: the games have not begun, or an opponent failed in the last step.
            ActionError: wrong shape or dtype, or an index outside the space.
            IllegalActionError: an illegal action of the learner (without `forfeit`), before any
                game has moved, or of an opponent.
        """
        engine = self.engine
        if not self._waiting:
            raise ResetNeededError("no game waits for an action; call reset() first")
        every, step = np.arange(engine.num_games), LearnerStep(engine.num_games)
        if self._forfeits:
            legal = engine.is_legal(actions)
            self._play(every[legal], np.asarray(actions)[legal], step)
            self._forfeit(every[~legal], step)
        else:
            self._play(every, actions, step)
        self._waiting = False  # stays so if an opponent fails
        self._play_opponents(step)
        self._waiting = True
        return step

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [N, A]; all False before `start`."""
        masks = self.engine.legal_action_mask()
        masks &= self._waiting
        return masks

    def infos(self) -> Infos:
        """Returns the infos of the learner's seats, arrays [N, ...] by name."""
        return self._infos_of(self.engine.state, self.seats, self.action_masks())

    def _infos_of(
        self, state: State, seats: Indices, masks: NDArray[np.bool_], illegal: bool = False
    ) -> Infos:
        return {
            "action_mask": masks.view(np.int8),
            **infos(self.engine.tables, state, seats),
            "seat": seats.copy(),
            "illegal": np.full(len(seats), illegal, dtype=np.int64),
        }

    def _play_opponents(self, step: LearnerStep) -> None:
        """Plays opponents until the learner is to act in every game."""
        while True:
            seats = self.engine.seats
            rows = np.flatnonzero(seats != self.seats)
            if not len(rows):
                return
            actions = np.empty(len(rows), dtype=np.int64)
            drawn = self._opponent[rows, seats[rows]]
            for i in np.unique(drawn):
                chosen = drawn == i
                opponent, rng = self.opponents[i], self._rngs[i]
                actions[chosen] = choose(opponent, self.engine, rng, rows[chosen])
            self._play(rows, actions, step)

    def _play(self, rows: Indices, actions: Integers | Sequence[int], step: LearnerStep) -> None:
        """Plays one action in some games and adds the learner's rewards."""
        result = self.engine.step(actions, rows)
        rewards = result.rewards[np.arange(len(rows)), self.seats[rows]]
        step.rewards[rows] += rewards
        self._returns[rows] += rewards
        self._num_turns[rows] += result.seats == self.seats[rows]
        if result.finished.any():
            self._end(rows[result.finished], result.final, step)

    def _forfeit(self, rows: Indices, step: LearnerStep) -> None:
        """Ends some games at once, as lost by the learner."""
        if not len(rows):
            return
        step.rewards[rows] += ILLEGAL_REWARD
        self._returns[rows] += ILLEGAL_REWARD
        self._num_turns[rows] += 1
        final = self.engine.state.take(rows)
        self.engine.reset(rows=rows)
        self._end(rows, final, step, illegal=True)

    def _end(self, ended: Indices, final: State, step: LearnerStep, illegal: bool = False) -> None:
        """Stores games that ended, and seats the players of the games that replace them."""
        engine, seats = self.engine, self.seats[ended]
        masks = np.zeros((len(ended), engine.actions.size), dtype=np.bool_)
        step.done[ended] = True
        step.finished.append(
            FinishedGames(
                ended,
                observe(engine.tables, engine.features, final, np.arange(len(ended)), seats),
                self._infos_of(final, seats, masks, illegal),
                self._opponent[ended],
                self._returns[ended],
                self._num_turns[ended],
            )
        )
        self._take_seats(ended)

    def _take_seats(self, rows: Indices) -> None:
        """Seats the learner and draws its opponents in games that start."""
        num_players = self.engine.num_players
        if self._seat is None:
            episodes = self.engine.state.episode[rows].astype(np.int64)
            self.seats[rows] = (self._offsets[rows] + episodes) % num_players
        else:
            self.seats[rows] = self._seat
        self._opponent[rows] = self._rng.choice(
            len(self.opponents), size=(len(rows), num_players), p=self._probabilities
        )
        self._returns[rows] = 0
        self._num_turns[rows] = 0
