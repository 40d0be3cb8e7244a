"""Few games with a learner, each played in plain Python.

An engine pays the price of its numpy calls at every step; below some tens of games that is more
than the games themselves cost.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.legal import NO_SEAT
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state.deals import Deal, check_deal
from gonzaga_env.core.state.state import State
from gonzaga_env.core.view.game_view import GameView, Viewer
from gonzaga_env.envs.infos import Infos, few_infos
from gonzaga_env.envs.learner import ILLEGAL_REWARD, LearnerGames
from gonzaga_env.envs.opponents import Opponents, choose_one
from gonzaga_env.tabletop.arguments import Indices, Integers, as_actions
from gonzaga_env.tabletop.chance import game_seeds
from gonzaga_env.tabletop.errors import IllegalActionError
from gonzaga_env.tabletop.rewards import Reward


class FewGames(LearnerGames):
    """N games, one `Game` each (contract and attributes: `LearnerGames`)."""

    def __init__(
        self,
        config: GameConfig,
        num_games: int,
        opponents: Opponents = None,
        seat: int | None = None,
        reward: Reward = "outcome",
    ) -> None:
        """Deals games that nobody has seen yet (arguments and errors: `LearnerGames`)."""
        super().__init__(config, num_games, opponents, seat)
        seeds = game_seeds(secrets.randbits(63), num_games)
        self._games = [Game.from_config(config, seed, reward) for seed in seeds]
        self._reward: Reward = reward

    @property
    def engine(self) -> Engine:
        """An engine at the same positions, which does not follow the games."""
        state = State.concatenate([game.state for game in self._games])
        return Engine.from_state(
            self.config, state, copy=False, autoreset=False, reward=self._reward
        )

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seed of each game, [N]."""
        return np.array([game.position.seed for game in self._games], dtype=np.uint64)

    def observe(self, rows: Indices) -> NDArray[np.uint8]:
        """Returns what the learner knows of some games, [M, D]."""
        seats = self.seats.tolist()
        return np.array([self._games[row].observation(seats[row]) for row in rows.tolist()])

    def _legal_masks(self, rows: Indices) -> NDArray[np.bool_]:
        return np.array([self._games[row].mask() for row in rows.tolist()]).view(np.bool_)

    def _infos(self, rows: Indices) -> Infos:
        seats = self.seats.tolist()
        chosen = rows.tolist()
        positions = [self._games[row].position for row in chosen]
        return few_infos(positions, [seats[row] for row in chosen])

    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> GameView:
        """Returns what a viewer knows of one game (see `Engine.view`)."""
        return self._games[game].view(viewer, names=names)

    def _deal(
        self, seed: int | Sequence[int] | Integers | None, deal: Deal | None, rows: Indices
    ) -> None:
        seeds = [None] * len(rows) if seed is None else game_seeds(seed, len(rows)).tolist()
        if deal is not None:
            check_deal(self.config.tables, deal, len(rows), self.config.num_players)
        for i, row in enumerate(rows.tolist()):
            self._games[row].reset(seeds[i], deal and deal.take([i]))

    def _rotated(self, rows: Indices) -> Indices:
        positions = [self._games[row].position for row in rows.tolist()]
        num_players = self.config.num_players
        return np.array([(p.seed + p.episode) % num_players for p in positions], dtype=np.int64)

    def _play_learner(self, rows: Indices, actions: Indices, rewards: NDArray[np.float64]) -> None:
        chosen, seats = actions.tolist(), self.seats.tolist()
        for row in rows.tolist():
            try:
                self._play(row, seats[row], chosen[row], rewards)
            except IllegalActionError:
                rewards[row] += ILLEGAL_REWARD
                self.illegal[row] = self.over[row] = True

    def _play_opponents(self, rewards: NDArray[np.float64]) -> None:
        if self.num_games == 1:
            self._play_opponents_alone(rewards)
        else:
            self._play_opponents_together(rewards)

    def _play_opponents_alone(self, rewards: NDArray[np.float64]) -> None:
        """Plays the opponents of the only game, without collecting what to choose for."""
        game, own, drawn = self._games[0], int(self.seats[0]), self._drawn[0].tolist()
        while not self.over[0] and (seat := game.position.seat) != own:
            i = drawn[seat]
            self._play(0, own, choose_one(self.opponents[i], game, self._rngs[i]), rewards)

    def _play_opponents_together(self, rewards: NDArray[np.float64]) -> None:
        """Plays opponents in all games, each in one batch at a time."""
        games, seats, drawn = self._games, self.seats.tolist(), self._drawn.tolist()
        waiting = [row for row, over in enumerate(self.over.tolist()) if not over]
        while waiting:
            rows_of: dict[int, list[int]] = {}
            for row in waiting:
                seat = games[row].position.seat
                if seat not in (seats[row], NO_SEAT):
                    rows_of.setdefault(drawn[row][seat], []).append(row)
            chosen = [(row, a) for i in sorted(rows_of) for row, a in self._choose(i, rows_of[i])]
            for row, action in chosen:
                self._play(row, seats[row], action, rewards)
            waiting = sorted(row for row, _ in chosen)

    def _choose(self, i: int, rows: list[int]) -> list[tuple[int, int]]:
        """Returns pairs of a game and an opponent's action in it."""
        opponent, rng = self.opponents[i], self._rngs[i]
        games = [self._games[row] for row in rows]
        if opponent is None:  # draws the same numbers as `Engine.sample_legal`
            return [(row, game.sample_legal(rng)) for row, game in zip(rows, games, strict=True)]
        observations = np.array([game.observation() for game in games])
        masks = np.array([game.mask() for game in games]).view(np.bool_)
        none_over = np.zeros(len(rows), dtype=np.bool_)
        actions = as_actions(
            opponent(observations, masks, rng), np.array(rows), none_over, self.num_actions
        )
        return list(zip(rows, actions.tolist(), strict=True))

    def _play(self, row: int, seat: int, action: int, rewards: NDArray[np.float64]) -> None:
        """Plays one action in one game and adds the learner's reward."""
        game = self._games[row]
        reward = game.play(action)[seat]
        if reward:
            rewards[row] += reward
        if game.position.finished:
            self.over[row] = True
