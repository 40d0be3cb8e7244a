"""Games with one seat of a learner's, as one batch, and what it shares with the single game.

The learner sees its own turns only: opponents move within its step, batched per opponent, and what
they do (the end of the game above all) reaches it as the reward of that step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.arguments import Integers, is_integer
from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.errors import GonzagaError, OptionError
from gonzaga_env.core.observation.reader import observe
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.state import State
from gonzaga_env.envs.infos import Infos, infos
from gonzaga_env.envs.opponents import Opponents, as_opponents, choose

Indices = NDArray[np.int64]

ILLEGAL_REWARD = -1.0  # as PettingZoo's environment gives it


class ResetNeededError(GonzagaError, gymnasium.error.ResetNeeded):
    """A step in a game that has not begun or is over."""


def check_seat(seat: int | None, num_players: int) -> None:
    """Raises OptionError unless a learner can have a seat; None is one that moves on."""
    if seat is not None and not (is_integer(seat) and 0 <= seat < num_players):
        raise OptionError(f"seat is {seat!r}; it takes None or 0 to {num_players - 1}")


def given_deal(options: dict[str, Any] | None) -> Deal | None:
    """Returns the deal among the options of Gymnasium's `reset`; OptionError names any other."""
    options = options or {}
    unknown = options.keys() - {"deal"}
    if unknown:
        raise OptionError(f"options hold {sorted(map(str, unknown))}; they take 'deal' only")
    return options.get("deal")


@dataclass(frozen=True)
class Ending:
    """Games that ended at once, M of them.

    Attributes:
        rows: which, [M].
        observations: the final states as the learner's seats see them, [M, D].
        infos: the infos, as `LearnerGames.infos` returns them, [M, ...].
        opponents: index in `LearnerGames.opponents` of the opponent on each seat, [M, P]; the
            learner's own seat holds one too, which does not play.
        returns: the learner's rewards over the whole game, [M].
        num_turns: the learner's actions in the whole game, [M].
    """

    rows: Indices
    observations: NDArray[np.uint8]
    infos: Infos
    opponents: Indices
    returns: NDArray[np.float64]
    num_turns: NDArray[np.int64]


class Turn:
    """What happened from one turn of the learner to its next, by game.

    Attributes:
        rewards: of the learner's seat, [N].
        done: which games ended, [N] bool.
        endings: those games, each once, in the order in which they ended.
    """

    def __init__(self, num_games: int) -> None:
        """Notes nothing yet."""
        self.rewards = np.zeros(num_games)
        self.done = np.zeros(num_games, dtype=np.bool_)
        self.endings: list[Ending] = []


class LearnerGames:
    """The N games of an engine, each with one seat of the learner's.

    Without a fixed seat, the learner's moves on by one from episode to episode. The others are
    given to opponents anew when a game starts. All opponents that are to act, of all games, act in
    batches, one an opponent.

    Attributes:
        engine: the games.
        opponents: those that opponents are drawn from; None plays any legal action.
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
            opponents: one for all seats, or some to draw from.
            probabilities: chance of each to be drawn, adding up to 1; None: all have the same.
            seat: the learner's; None lets it move on.
            forfeit: whether an illegal action of the learner's ends its game, instead of raising.

        Raises:
            OptionError: an engine that does not deal anew, opponents that can't be called, or a
                seat that does not exist.
        """
        if not engine.autoreset:
            raise OptionError("the engine of a learner's games takes autoreset=True")
        check_seat(seat, engine.num_players)
        self.engine, self.opponents = engine, as_opponents(opponents, engine.config)
        self._probabilities, self._seat, self._forfeits = probabilities, seat, forfeit
        num_games = engine.num_games
        self.seats = np.zeros(num_games, dtype=np.int64)
        self._offsets = np.zeros(num_games, dtype=np.int64)
        self._opponent = np.zeros((num_games, engine.num_players), dtype=np.int64)  # by seat
        self._returns = np.zeros(num_games)  # of the games that go on
        self._num_turns = np.zeros(num_games, dtype=np.int64)
        self._rng: np.random.Generator  # given by `start`
        self._waiting = False  # whether all games wait for the learner

    def start(self, offsets: Integers, rng: np.random.Generator) -> None:
        """Seats the players in games that were dealt, and plays up to the learner's first turns.

        Args:
            offsets: [N] of 0 or more; the learner's seat that is not fixed is `offsets + episode`,
                modulo P.
            rng: where opponents, and their choices, come from until the next start.
        """
        every, self._rng = np.arange(self.engine.num_games), rng
        self._offsets = (offsets % self.engine.num_players).astype(np.int64)
        self._take_seats(every)
        self._play_opponents(Turn(len(every)))
        self._waiting = True

    def step(self, actions: Integers | Sequence[int]) -> Turn:
        """Plays the learner's actions, then opponents up to its next turn in every game.

        Args:
            actions: [N].

        Raises:
            ResetNeededError: the games have not begun, or an opponent failed in the last step.
            ActionError: wrong shape or dtype, or an index outside the space.
            IllegalActionError: an action that the rules forbid; no game has moved, unless it was an
                opponent's. With `forfeit` the learner's do not raise.
        """
        engine = self.engine
        if not self._waiting:
            raise ResetNeededError("no game waits for an action; call reset() first")
        every, turn = np.arange(engine.num_games), Turn(engine.num_games)
        if self._forfeits:
            legal = engine.is_legal(actions)
            self._play(every[legal], np.asarray(actions)[legal], turn)
            self._forfeit(every[~legal], turn)
        else:
            self._play(every, actions, turn)
        self._waiting = False  # should an opponent fail
        self._play_opponents(turn)
        self._waiting = True
        return turn

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [N, A]; none before the start."""
        masks = self.engine.legal_action_mask()
        masks &= self._waiting
        return masks

    def infos(self) -> Infos:
        """Returns what is told of the games at the learner's turns, arrays [N, ...] by name."""
        return self._told(self.engine.state, self.seats, self.action_masks())

    def _told(
        self, state: State, seats: Indices, masks: NDArray[np.bool_], illegal: bool = False
    ) -> Infos:
        return {
            "action_mask": masks.view(np.int8),
            **infos(self.engine.tables, state, seats),
            "seat": seats.copy(),
            "illegal": np.full(len(seats), illegal, dtype=np.int64),
        }

    def _play_opponents(self, turn: Turn) -> None:
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
                actions[chosen] = choose(self.opponents[i], self.engine, self._rng, rows[chosen])
            self._play(rows, actions, turn)

    def _play(self, rows: Indices, actions: Integers | Sequence[int], turn: Turn) -> None:
        """Plays one action in some games and notes what it brings to the learner."""
        result = self.engine.step(actions, rows)
        rewards = result.rewards[np.arange(len(rows)), self.seats[rows]]
        turn.rewards[rows] += rewards
        self._returns[rows] += rewards
        self._num_turns[rows] += result.seats == self.seats[rows]
        if result.finished.any():
            self._end(rows[result.finished], result.final, turn)

    def _forfeit(self, rows: Indices, turn: Turn) -> None:
        """Ends games as they stand, lost by the learner."""
        if not len(rows):
            return
        turn.rewards[rows] += ILLEGAL_REWARD
        self._returns[rows] += ILLEGAL_REWARD
        self._num_turns[rows] += 1
        final = self.engine.state.take(rows)
        self.engine.reset(rows=rows)
        self._end(rows, final, turn, illegal=True)

    def _end(self, ended: Indices, final: State, turn: Turn, illegal: bool = False) -> None:
        """Notes how games ended, and seats the players in those that were dealt instead."""
        engine, seats = self.engine, self.seats[ended]
        masks = np.zeros((len(ended), engine.actions.size), dtype=np.bool_)
        turn.done[ended] = True
        turn.endings.append(
            Ending(
                ended,
                observe(engine.tables, engine.features, final, np.arange(len(ended)), seats),
                self._told(final, seats, masks, illegal),
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
