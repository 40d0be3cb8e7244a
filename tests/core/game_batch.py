"""`Game`s behind the API of `Engine`, so that one test runs on both."""

from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import Game, GameConfig, Rules, State, StepResult
from gonzaga_env.core.base import GameBase
from gonzaga_env.core.single.conversion import from_state
from gonzaga_env.core.state.deals import Deal, check_deal
from gonzaga_env.core.state.state import empty_state
from gonzaga_env.tabletop.arguments import as_actions, as_num_games, as_rows, as_seats
from gonzaga_env.tabletop.chance import game_seeds
from gonzaga_env.tabletop.errors import IllegalActionError

DEFAULT = Rules()


class GameBatch(GameBase):
    """N games, each a `Game`, with the methods and results of `Engine`; `state` is a snapshot."""

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        scenario: str | None = None,
        edition: Any = "europe",
        rules: Rules = DEFAULT,
        seed: Any = 0,
        autoreset: bool = True,
        reward: Any = "outcome",
    ) -> None:
        num_games = as_num_games(num_games)
        super().__init__(GameConfig(num_players, scenario, edition, rules), reward)
        self.autoreset = autoreset
        seeds = game_seeds(seed, num_games).tolist()
        self.games = [Game.from_config(self.config, own, reward) for own in seeds]

    @property
    def num_games(self) -> int:
        return len(self.games)

    @property
    def state(self) -> State:
        return State.concatenate([game.state for game in self.games])

    @state.setter
    def state(self, state: State) -> None:
        self.set_state(state)

    def set_state(self, state: State, *, check: bool = True) -> None:
        self.check(state, values=False)
        games = [Game.from_config(self.config, 0, self.reward) for _ in range(state.num_games)]
        for i, game in enumerate(games):
            one = state.take(slice(i, i + 1))
            if check:
                game.state = one
            else:
                game._begin(from_state(self.tables, one))
        self.games = games

    @property
    def seats(self) -> np.ndarray:
        return np.array([game.seat for game in self.games])

    def _rows(self, rows: Any) -> list[int]:
        return as_rows(rows, self.num_games).tolist()

    def reset(self, seed: Any = None, deal: Deal | None = None, rows: Any = None) -> None:
        chosen = self._rows(rows)
        seeds = [None] * len(chosen) if seed is None else game_seeds(seed, len(chosen)).tolist()
        if deal is not None:
            check_deal(self.config, deal, len(chosen))
        for i, row in enumerate(chosen):
            own = deal and Deal(*(a[i : i + 1] for a in vars(deal).values()))
            self.games[row].reset(seeds[i], own)

    def num_legal(self, rows: Any = None) -> np.ndarray:
        return np.array([self.games[i].num_legal() for i in self._rows(rows)], dtype=np.int64)

    def legal_action_mask(self, rows: Any = None) -> np.ndarray:
        masks = [self.games[i].mask() for i in self._rows(rows)]
        return np.array(masks, np.bool_).reshape(-1, self.actions.size)

    def observe(self, seat: Any = None, rows: Any = None) -> np.ndarray:
        chosen = self._rows(rows)
        seats = [None] * len(chosen)
        if seat is not None:
            seats = as_seats(seat, len(chosen), self.num_players).tolist()
        seen = [self.games[i].observation(s) for i, s in zip(chosen, seats, strict=True)]
        return np.array(seen, np.uint8).reshape(-1, self.features.size)

    def sample_legal(self, rng: np.random.Generator, rows: Any = None) -> np.ndarray:
        masks = self.legal_action_mask(rows)
        drawn = rng.integers(np.maximum(masks.sum(axis=1), 1))  # what `Engine` draws
        actions = [np.flatnonzero(mask) for mask in masks]
        return np.array(
            [legal[i] if len(legal) else 0 for legal, i in zip(actions, drawn, strict=True)],
            dtype=np.int64,
        )

    def _chosen(self, actions: Any, rows: list[int]) -> list[int]:
        over = np.array([self.games[i].finished for i in rows], dtype=np.bool_)
        return as_actions(actions, np.array(rows, np.int64), over, self.actions.size).tolist()

    def is_legal(self, actions: Any, rows: Any = None) -> np.ndarray:
        rows = self._rows(rows)
        chosen = self._chosen(actions, rows)
        return np.array([self.games[i].is_legal(a) for i, a in zip(rows, chosen, strict=True)])

    def describe(self, action: int, game: int = 0) -> str:
        return self.games[self._rows([game])[0]].describe(action)

    def step(self, actions: Any, rows: Any = None) -> StepResult:
        rows = self._rows(rows)
        chosen = self._chosen(actions, rows)
        for row, action in zip(rows, chosen, strict=True):
            game = self.games[row]
            if not game.finished and not game.is_legal(action):
                self._refuse(row, action)
        seats = np.array([self.games[i].seat for i in rows], dtype=np.int64)
        points, rewards, finished = [], [], []
        final = [empty_state(self.tables, 0, self.num_players, self.rules)]
        for row, action in zip(rows, chosen, strict=True):
            game = self.games[row]
            over = game.finished
            rewards.append(game.play(action))
            points.append(0 if over else game.position.points)
            finished.append(game.finished and not over)
            if finished[-1]:
                final.append(game.state)
                if self.autoreset:
                    game.reset()
        return StepResult(
            seats=seats,
            points=np.array(points, dtype=np.int64),
            rewards=np.array(rewards, dtype=np.float64).reshape(-1, self.num_players),
            finished=np.array(finished, dtype=np.bool_),
            final=State.concatenate(final),
        )

    def _refuse(self, row: int, action: int) -> None:
        """Lets the game refuse; then raises the same error with the row's number."""
        with pytest.raises(IllegalActionError) as caught:
            self.games[row].play(action)
        error = caught.value
        message = str(error).replace("game 0,", f"game {row},", 1)
        raise IllegalActionError(
            message, game=row, seat=error.seat, action=error.action, rule=error.rule
        )

    def resample(self, seat: Any, rng: np.random.Generator, num_samples: int = 1) -> State:
        seats = as_seats(seat, self.num_games, self.num_players).tolist()
        return State.concatenate(
            [g.resample(s, rng, num_samples) for g, s in zip(self.games, seats, strict=True)]
        )
