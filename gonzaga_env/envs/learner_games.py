"""Many games with a learner, played on arrays by one engine.

Few games with a learner, each played in plain Python.

An engine has the overhead of its numpy calls at every step; below some tens of games that is more
than the games themselves cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.envs.opponents import ILLEGAL_REWARD, LearnerGames, choose, choose_one
from gonzaga_env.kernel.agent import is_uniform
from gonzaga_env.kernel.arguments import Indices, Integers, as_actions
from gonzaga_env.kernel.chance import game_seeds
from gonzaga_env.kernel.errors import IllegalActionError
from gonzaga_env.kernel.result import Infos, Reward
from gonzaga_env.kernel.single import sample_sets
from gonzaga_env.kernel.spec import Engine
from gonzaga_env.kernel.state import DealArrays
from gonzaga_env.kernel.view import Viewer


class BatchGames(LearnerGames):
    """N games on one engine (contract and attributes: `LearnerGames`)."""

    def _make(self, seed: int, reward: Reward) -> None:
        self._engine = self.spec.engine.from_config(
            self.config, self.num_games, seed, autoreset=False, reward=reward
        )

    @property
    def engine(self) -> Engine:
        """The engine itself."""
        return self._engine

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seed of each game, [N]."""
        return self._engine.state.seed

    def observe(self, rows: Indices) -> NDArray[np.uint8]:
        """Returns what the learner knows of some games, [M, D]."""
        return self._engine.observe(self.seats[rows], self._some(rows))

    def _legal_masks(self, rows: Indices) -> NDArray[np.bool_]:
        return self._engine.legal_action_mask(self._some(rows))

    def _infos(self, rows: Indices) -> Infos:
        return self.spec.infos.of_rows(self._engine, self.seats[rows], self._some(rows))

    def _some(self, rows: Indices) -> Indices | None:
        """Returns None for all games, which engines serve faster."""
        return None if len(rows) == self.num_games else rows

    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> Any:
        """Returns what a viewer knows of one game (see `Engine.view`)."""
        return self._engine.view(game, viewer, names=names)

    def _deal(
        self,
        seed: int | Sequence[int] | Integers | None,
        deal: DealArrays | None,
        rows: Indices,
    ) -> None:
        self._engine.reset(seed, deal, rows)

    def _rotated(self, rows: Indices) -> Indices:
        state, num_players = self._engine.state, self.config.num_players
        offsets = (state.seed[rows] % np.uint64(num_players)).astype(np.int64)
        return (offsets + state.episode[rows]) % num_players

    def _play_learner(self, rows: Indices, actions: Indices, rewards: NDArray[np.float64]) -> None:
        chosen = actions[rows]
        try:
            self._play(rows, chosen, rewards)  # plays nothing if an action is illegal
        except IllegalActionError:
            legal = self._engine.is_legal(chosen, rows)
            self._play(rows[legal], chosen[legal], rewards)
            forfeited = rows[~legal]
            rewards[forfeited] += ILLEGAL_REWARD
            self.illegal[forfeited] = self.over[forfeited] = True

    def _play_opponents(self, rewards: NDArray[np.float64]) -> None:
        while True:
            seats = self._engine.seats
            rows = ((seats != self.seats) & ~self.over).nonzero()[0]
            if not len(rows):
                return
            actions = np.empty(len(rows), dtype=np.int64)
            drawn = self._drawn[rows, seats[rows]]
            for i, opponent in enumerate(self.opponents):
                chosen = (drawn == i).nonzero()[0]
                if len(chosen):
                    asked = rows[chosen]
                    actions[chosen] = choose(opponent, self._engine, self._rngs[i], asked)
            self._play(rows, actions, rewards)

    def _play(self, rows: Indices, actions: Indices, rewards: NDArray[np.float64]) -> None:
        """Plays one action in some games and adds the learner's rewards."""
        result = self._engine.step(actions, self._some(rows))
        rewards[rows] += result.rewards[np.arange(len(rows)), self.seats[rows]]
        self.over[rows[result.finished]] = True


class FewGames(LearnerGames):
    """N games, one single game each (contract and attributes: `LearnerGames`)."""

    def _make(self, seed: int, reward: Reward) -> None:
        seeds = game_seeds(seed, self.num_games)
        self._games = [self.spec.game.from_config(self.config, seed, reward) for seed in seeds]
        self._reward: Reward = reward

    @property
    def engine(self) -> Engine:
        """An engine at the same positions, which does not follow the games."""
        states = [game.state for game in self._games]
        return self.spec.engine.from_state(
            self.config,
            type(states[0]).concatenate(states),
            copy=False,
            autoreset=False,
            reward=self._reward,
        )

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seed of each game, [N]."""
        return np.array([game.seed for game in self._games], dtype=np.uint64)

    def observe(self, rows: Indices) -> NDArray[np.uint8]:
        """Returns what the learner knows of some games, [M, D]."""
        seats = self.seats.tolist()
        return np.array([self._games[row].observation(seats[row]) for row in rows.tolist()])

    def _legal_masks(self, rows: Indices) -> NDArray[np.bool_]:
        return np.array([self._games[row].mask() for row in rows.tolist()]).view(np.bool_)

    def _infos(self, rows: Indices) -> Infos:
        seats = self.seats.tolist()
        chosen = rows.tolist()
        games = [self._games[row] for row in chosen]
        return self.spec.infos.of_seats(games, [seats[row] for row in chosen])

    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> Any:
        """Returns what a viewer knows of one game (see `Engine.view`)."""
        return self._games[game].view(viewer, names=names)

    def _deal(
        self,
        seed: int | Sequence[int] | Integers | None,
        deal: DealArrays | None,
        rows: Indices,
    ) -> None:
        seeds = [None] * len(rows) if seed is None else game_seeds(seed, len(rows)).tolist()
        if deal is not None:
            self.spec.check_deal(self.config, deal, len(rows))
        for i, row in enumerate(rows.tolist()):
            self._games[row].reset(seeds[i], deal and deal.take([i]))

    def _rotated(self, rows: Indices) -> Indices:
        games, num_players = [self._games[row] for row in rows.tolist()], self.config.num_players
        return np.array([(g.seed + g.episode) % num_players for g in games], dtype=np.int64)

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
        while not self.over[0] and (seat := game.seat) != own:
            i = drawn[seat]
            self._play(0, own, choose_one(self.opponents[i], game, self._rngs[i]), rewards)

    def _play_opponents_together(self, rewards: NDArray[np.float64]) -> None:
        """Plays opponents in all games, each in one batch at a time."""
        games, seats, drawn = self._games, self.seats.tolist(), self._drawn.tolist()
        waiting = [row for row, over in enumerate(self.over.tolist()) if not over]
        while waiting:
            rows_of: dict[int, list[int]] = {}
            for row in waiting:
                seat = games[row].seat
                if seat not in (seats[row], -1):
                    rows_of.setdefault(drawn[row][seat], []).append(row)
            chosen = [(row, a) for i in sorted(rows_of) for row, a in self._choose(i, rows_of[i])]
            for row, action in chosen:
                self._play(row, seats[row], action, rewards)
            waiting = sorted(row for row, _ in chosen)

    def _choose(self, i: int, rows: list[int]) -> list[tuple[int, int]]:
        """Returns pairs of a game and an opponent's action in it."""
        opponent, rng = self.opponents[i], self._rngs[i]
        games = [self._games[row] for row in rows]
        if is_uniform(opponent):  # draws the same numbers as `Engine.sample_legal`
            drawn = sample_sets([game.legal_set for game in games], self.num_actions, rng)
            return list(zip(rows, drawn.tolist(), strict=True))
        assert opponent is not None
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
        if game.finished:
            self.over[row] = True
