"""What comes out of a step: rewards, the result of an engine, and the infos of the environments.

Rewards: what the players' points are worth to a learner.

Rewards are float64. "outcome" and "margin" add up to exactly 0 over the players, in any order of
summation, although a third has no exact float: see `balance`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.state import StateArrays

Reward = Literal["outcome", "score", "margin"]

#: Steps of zero-sum rewards to 1: coarse enough that float64 adds rewards below 2^20 without error.
_STEPS = 2.0**32


def check_reward(reward: object) -> None:
    """Raises OptionError unless there is such a kind of reward."""
    if reward not in get_args(Reward):
        kinds = ", ".join(map(repr, get_args(Reward)))
        raise OptionError(f"reward is {reward!r}; it takes {kinds}")


def win_shares(won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns each player's share of the victory, [..., P] of [..., P]: 1 / k for k winners."""
    return won / won.sum(axis=-1, keepdims=True)


def outcome(won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns zero-sum returns [M, P] for winners [M, P].

    A sole winner gets +1 and the others -1 / (P - 1); k winners share equally what one would have
    got, which is the expected return of a fair draw among them.
    """
    num_players = won.shape[1]
    return balance((win_shares(won) * num_players - 1) / (num_players - 1))


def margin(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns points [M, P] minus the mean of the others'."""
    others = points.sum(axis=1, keepdims=True) - points
    return balance(points - others / (points.shape[1] - 1))


def balance(rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns zero-sum rewards [M, P], rounded so that each row adds up to exactly 0.

    Thirds are rounded to multiples of 2^-32; the lowest reward of the row takes the difference of
    one step (2e-10) that this leaves.
    """
    steps = np.rint(rewards * _STEPS)
    steps[np.arange(len(steps)), steps.argmin(axis=1)] -= steps.sum(axis=1)
    return steps / _STEPS


Info = dict[str, Any]  # of numpy's types, with a dtype, which TorchRL asks for
Infos = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class StepResult:
    """What one step did in the M games that were stepped (all N by default)."""

    seats: NDArray[np.int64]  #: the seat that acted, [M] int64; -1 where the game was over before
    points: NDArray[np.int64]  #: points that the action scored immediately, [M] int64
    rewards: NDArray[np.float64]  #: reward of every seat, [M, P] float64, of the engine's kind
    finished: NDArray[np.bool_]  #: which of the games ended in this step, [M] bool
    final: StateArrays  #: those games as they ended, before any autoreset, in their order

    def __repr__(self) -> str:
        return f"<StepResult of {len(self.seats)} games, {self.final.num_games} finished>"


class GameInfos:
    """The infos of a game: score, points by source, share of the victory and round.

    A game that has more to say overrides `of_seat` and `of_rows`, and the others for speed.
    """

    def of_seat(self, game: Any, seat: int) -> Info:
        """Returns the info of one seat of one game."""
        won = win_shares(np.array(game.winners()))[seat] if game.finished else 0.0
        return {
            "score": np.int64(game.totals[seat]),
            "scores": np.array(game.scores[seat], dtype=np.int16),
            "won": np.float64(won),
            "round": np.int64(game.round),
        }

    def of_seats(self, games: Sequence[Any], seats: Sequence[int]) -> Infos:
        """Returns the infos of one seat per single game, arrays [M, ...] by name."""
        infos = [self.of_seat(game, seat) for game, seat in zip(games, seats, strict=True)]
        return {name: np.array([info[name] for info in infos]) for name in infos[0]}

    def of_rows(self, engine: Any, seats: Indices, rows: Indices | None = None) -> Infos:
        """Returns the infos of one seat [M] per row of an engine, arrays [M, ...] by name."""
        games = slice(None) if rows is None else rows
        every, won = np.arange(len(seats)), np.zeros(len(seats))
        over = engine.state.finished[games]
        if over.any():
            won[over] = win_shares(engine.winners()[games])[every, seats][over]
        return {
            "score": engine.totals[games][every, seats].astype(np.int64),
            "scores": engine.scores[games][every, seats],
            "won": won,
            "round": engine.rounds[games].astype(np.int64),
        }

    def follow(self) -> Callable[[Any], list[Info]]:
        """Returns a function that gives the infos of all seats of a game, called at every step.

        It may return again what has not changed, and never changes what it has returned.
        """
        if type(self).of_seat is GameInfos.of_seat:
            return _Followed(self)
        return self.of_game  # what the game has more to say may change without the points

    def of_game(self, game: Any) -> list[Info]:
        """Returns the infos of all seats of one game."""
        return [self.of_seat(game, seat) for seat in range(game.num_players)]


class _Followed:
    """The infos of all seats of one game, made anew for the seats that they have changed for."""

    def __init__(self, infos: GameInfos) -> None:
        self._make = infos
        self._infos: list[Info] = []
        self._shared: object = None  # what the infos were made of
        self._scores: list[list[int]] = []

    def __call__(self, game: Any) -> list[Info]:
        shared, scores = (game.round, game.finished and game.winners()), game.scores
        if shared != self._shared or scores != self._scores:
            known = self._scores if shared == self._shared else [[]] * len(scores)
            self._infos = [
                self._infos[seat] if own == known[seat] else self._make.of_seat(game, seat)
                for seat, own in enumerate(scores)
            ]
            self._shared, self._scores = shared, [own.copy() for own in scores]
        return self._infos
