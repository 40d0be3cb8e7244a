"""N games in which a learner plays one seat and opponents play the others.

The learner sees its own turns only. Opponents act within its step, and the rewards that their
actions bring it (above all at the end of a game) are part of that step's reward.

`BatchGames` plays them on arrays with one engine. An engine has the overhead of its numpy calls at
every step; below some tens of games that is more than the games themselves cost, so `SingleGames`
plays those in plain Python. Both are equal at every step.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.envs.environment import ILLEGAL_REWARD, ResetNeededError, check_seat
from gonzaga_env.envs.opponents import Opponents, as_opponents, choose, choose_one
from gonzaga_env.kernel.agent import is_uniform
from gonzaga_env.kernel.arguments import Indices, Integers, as_actions, as_rows
from gonzaga_env.kernel.chance import agent_generators, game_seeds
from gonzaga_env.kernel.errors import IllegalActionError
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.single import sample_sets
from gonzaga_env.kernel.spec import Config, Engine, GameSpec, Infos
from gonzaga_env.kernel.state import DealArrays
from gonzaga_env.kernel.view import View, Viewer


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
        """Makes the games; `deal` deals them and `start` seats the players."""
        check_seat(seat, config.num_players)
        self.spec, self.config, self.num_games = spec, config, num_games
        self.opponents, self._seat = as_opponents(opponents, config), seat
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

        `rng` draws the opponents. Each opponent gets a generator of its own, which it keeps until a
        start with another `rng`; it cannot compute the deals from it.
        """
        dealt = self._every if rows is None else as_rows(rows, self.num_games)
        if not self._rngs or rng is not self._rng:
            self._rng = rng
            self._rngs = agent_generators(rng.bytes(32), len(self.opponents))
        self.over[dealt] = self.illegal[dealt] = False
        self.seats[dealt] = self._rotated(dealt) if self._seat is None else self._seat
        size = len(dealt), self.config.num_players
        self._drawn[dealt] = self._rng.choice(len(self.opponents), size=size)
        self._waiting = False  # stays so if an opponent fails
        self._play_opponents(np.zeros(self.num_games))
        self._waiting = True

    def step(
        self, actions: Integers | Sequence[int], skipped: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float64]:
        """Plays the learner's actions [N], then opponents up to its next turn in every game.

        An illegal action loses its game; games that are `skipped` are left as they are. Returns the
        rewards of the learner's seats, [N] (errors: `LearnerVectorEnv.step`).
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
        chosen = as_actions(actions, self._every, ignored, self.config.actions.size)
        rows = self._every if skipped is None else self._every[~skipped]
        rewards = np.zeros(self.num_games)
        self._play_learner(rows, chosen, rewards)
        self._waiting = False  # stays so if an opponent fails
        self._play_opponents(rewards)
        self._waiting = True
        return rewards

    @abstractmethod
    def _make(self, seed: int, reward: Reward) -> None:
        """Makes the engines of the games."""

    @abstractmethod
    def _deal(
        self, seed: int | Sequence[int] | Integers | None, deal: DealArrays | None, rows: Indices
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
    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> View:
        """Returns what a viewer knows of one game (see `Engine.view`)."""


class BatchGames(LearnerGames):
    """N games on one engine (contract and attributes: `LearnerGames`)."""

    def _make(self, seed: int, reward: Reward) -> None:
        self._engine = self.spec.engine.from_config(
            self.config, self.num_games, seed, autoreset=False, reward=reward
        )

    @property
    def engine(self) -> Engine:
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

    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> View:
        """Returns what a viewer knows of one game (see `Engine.view`)."""
        return self._engine.view(game, viewer, names=names)

    def _deal(
        self, seed: int | Sequence[int] | Integers | None, deal: DealArrays | None, rows: Indices
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
        result = self._engine.step(actions, self._some(rows))
        rewards[rows] += result.rewards[np.arange(len(rows)), self.seats[rows]]
        self.over[rows[result.finished]] = True


class SingleGames(LearnerGames):
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

    def view(self, game: int, viewer: Viewer, names: Sequence[str] = ()) -> View:
        """Returns what a viewer knows of one game (see `Engine.view`)."""
        return self._games[game].view(viewer, names=names)

    def _deal(
        self, seed: int | Sequence[int] | Integers | None, deal: DealArrays | None, rows: Indices
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
        games, seats, drawn = self._games, self.seats.tolist(), self._drawn.tolist()
        if self.num_games == 1:  # without collecting what to choose for
            while not self.over[0] and (seat := games[0].seat) != seats[0]:
                i = drawn[0][seat]
                action = choose_one(self.opponents[i], games[0], self._rngs[i])
                self._play(0, seats[0], action, rewards)
            return
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
            drawn = sample_sets([game.legal_set for game in games], self.config.actions.size, rng)
            return list(zip(rows, drawn.tolist(), strict=True))
        assert opponent is not None
        observations = np.array([game.observation() for game in games])
        masks = np.array([game.mask() for game in games]).view(np.bool_)
        none_over = np.zeros(len(rows), dtype=np.bool_)
        actions = as_actions(
            opponent(observations, masks, rng), np.array(rows), none_over, self.config.actions.size
        )
        return list(zip(rows, actions.tolist(), strict=True))

    def _play(self, row: int, seat: int, action: int, rewards: NDArray[np.float64]) -> None:
        game = self._games[row]
        reward = game.play(action)[seat]
        if reward:
            rewards[row] += reward
        if game.finished:
            self.over[row] = True
