"""The engine for N games, as far as it is the same in every game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import (
    Indices,
    Integers,
    as_actions,
    as_num_games,
    as_rows,
    as_seats,
    check_out,
    check_rng,
    checks_names,
)
from gonzaga_env.kernel.chance import game_seeds
from gonzaga_env.kernel.config import DEFAULT_RULES, RuleOptions
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.engine import CONTRADICTIONS, ConfigT, DealT, EngineBase, StateT, ViewT
from gonzaga_env.kernel.errors import StateError
from gonzaga_env.kernel.result import Reward, StepResult, margin, outcome
from gonzaga_env.kernel.rows import Rows, merge_seats
from gonzaga_env.kernel.state import Origin, StateArrays
from gonzaga_env.kernel.view import Viewer


class LegalActions(Protocol):
    """The legal actions of N games, for the seats to act."""

    legal: NDArray[np.bool_]  # [N, A or more]
    num_legal: NDArray[np.int64]  # [N]


class SeatArrays:
    """Games of a batch whose arrays of players have one row for each seat, game * P + seat.

    Attributes:
        state: the state, [N].
        num_players: P.
        acting: the row of the seat to act, [N].
    """

    state: StateArrays
    num_players: int
    acting: Indices

    def seats(self, rows: Indices) -> Indices:
        """Returns the rows of the seats to act in arrays by seat, [M]."""
        return self.acting.take(rows)

    def all_seats(self, rows: Indices) -> Indices:
        """Returns the rows of all seats of some games in arrays by seat, [M, P]."""
        return rows[:, None] * self.num_players + np.arange(self.num_players)

    def set_seats(self, rows: Indices, seats: NDArray[np.uint8]) -> None:
        """Makes other seats act, [M]."""
        self.state.seat[rows] = seats
        self.acting[rows] = rows * self.num_players + seats


class BatchEngine(EngineBase[ConfigT, StateT, DealT, ViewT]):
    """N games on a struct of arrays; a game's `Engine` derives from this and its `GameBase`.

    `rows` always means distinct indices of games [M]; None selects all games.

    A game implements `_derive`, `_update`, `_winners`, `_apply` and `_observe_into`. Gonzaga stores
    legal actions as packed sets instead of `_games`, and overrides the methods that read them,
    `_play` and `_observe`.

    Attributes:
        num_games: N.
        autoreset: True (the default of every constructor) resets a finished game immediately,
            with `episode` + 1, so that no game is ever over. With False it waits: its seat is -1,
            its mask is empty and its actions are ignored. Loops such as
            `while (engine.seats >= 0).any()` take False.
        IMMEDIATE_SOURCES: 1 for sources that `StepResult.points` counts, else 0, [S].
    """

    NOT_PICKLED = (*EngineBase.NOT_PICKLED, "_all", "_games")
    IMMEDIATE_SOURCES: NDArray[np.int64]

    num_games: int
    autoreset: bool
    _state: StateT
    _all: Rows
    _last: NDArray[np.int64]  # seat and action of each game's last public move, [N, 2]; else -1
    _next_deals: DealT | None  # deals of the next episodes, as far as `_is_next` says, [N]
    _is_next: NDArray[np.bool_]
    _games: LegalActions  # with what else follows from the state

    @checks_names
    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        edition: EditionSource | None = None,
        rules: RuleOptions | Mapping[str, object] | str = DEFAULT_RULES,
        seed: int | Sequence[int] | Integers = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> None:
        """Deals N games.

        Args:
            num_games: N, 1 or more.
            num_players: P.
            edition: the name of a shipped edition, a file, or an edition; None for the default one.
            rules: the options, a mapping of some of them, or text (`RuleOptions.of`).
            seed: one integer, which gives game i the seed `seed + i`, or one integer per game.
            autoreset: whether finished games are reset immediately.
            reward: "outcome", "score" or "margin".

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        config = self.CONFIG(num_players, edition, rules)
        self._begin(config, num_games, seed, autoreset, reward)

    def _begin(
        self,
        config: ConfigT,
        num_games: int,
        seed: int | Sequence[int] | Integers,
        autoreset: bool,
        reward: Reward,
    ) -> None:
        """Deals N games."""
        num_games = as_num_games(num_games)
        EngineBase.__init__(self, config, reward)
        self.autoreset = autoreset
        self._start(self._empty(num_games))
        self.reset(game_seeds(seed, num_games))

    @classmethod
    def from_config(
        cls,
        config: ConfigT,
        num_games: int = 1,
        seed: int | Sequence[int] | Integers = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> Self:
        """Returns an engine for a configuration (arguments as above)."""
        engine = object.__new__(cls)
        engine._begin(config, num_games, seed, autoreset, reward)
        return engine

    @classmethod
    def from_state(
        cls,
        config: ConfigT,
        state: StateT,
        *,
        copy: bool = True,
        check: bool = True,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> Self:
        """Returns an engine that starts from a state, without dealing games first.

        Args:
            config: what is played.
            state: N games, each at any decision.
            copy: as in `set_state`.
            check: as in `set_state`.
            autoreset: as in the constructor.
            reward: as in the constructor.

        Raises:
            StateError: the state is of another edition, number of players or options, or has
                values that contradict the rules or each other.
        """
        engine = object.__new__(cls)
        EngineBase.__init__(engine, config, reward)
        engine.autoreset = autoreset
        engine.set_state(state, copy=copy, check=check)
        return engine

    def _start(self, state: StateT, last: NDArray[np.int64] | None = None) -> None:
        self._state, self.num_games = state, state.num_games
        self._all = Rows.all(state.num_games)
        self._last = np.full((state.num_games, 2), -1, np.int64) if last is None else last
        self._next_deals, self._is_next = None, np.zeros(state.num_games, np.bool_)
        self._derive()

    def _derive(self) -> None:
        """Computes what follows from the state of all games."""
        raise NotImplementedError

    @property
    def state(self) -> StateT:
        """The live struct of arrays, which changes with every step.

        `engine.state.copy()` keeps a moment, and assigning a state goes back to one (the state is
        copied). After editing an array in place, assign `engine.state` again, so that legality and
        observations are updated.

        Raises:
            StateError: on assigning a state of another edition, number of players or options, or
                one whose values contradict the rules or each other.
        """
        return self._state

    @state.setter
    def state(self, state: StateT) -> None:
        self.set_state(state)

    def set_state(self, state: StateT, *, copy: bool = True, check: bool = True) -> None:
        """Replaces all games.

        Args:
            state: any number of games, each at any decision.
            copy: False hands the arrays over to the engine, which then changes them. Arrays that
                are read-only or not C-contiguous are copied all the same.
            check: False trusts the values, which saves time with states that engines made.

        Raises:
            StateError: the state is of another edition, number of players or options, or has
                values that are out of range.
        """
        self.check(state, values=check)
        own = state.copy() if copy else state.owned()
        if own.origin is None:  # it was put together by hand
            own.origin = Origin(self.edition.digest, self.rules)
        before = vars(self).copy()
        try:
            self._start(own)
        except CONTRADICTIONS as error:
            vars(self).update(before)
            raise StateError(f"values of the state contradict each other: {error}") from error

    def reset(
        self,
        seed: int | Sequence[int] | Integers | None = None,
        deal: DealT | None = None,
        rows: Integers | None = None,
    ) -> None:
        """Deals games.

        Args:
            seed: as in the constructor; None deals the next episode of each game.
            deal: deals to play instead of drawn ones, one per game.
            rows: the games to deal; seeds and deals are theirs.

        Raises:
            OptionError: invalid seeds or deals, not one per game, or invalid rows.
        """
        chosen, state = self._rows(rows), self._state
        if seed is None:
            seeds = state.seed[chosen.indices]
            episodes = state.episode[chosen.indices] + np.uint32(1)
        else:
            seeds = game_seeds(seed, len(chosen))
            episodes = np.zeros(len(chosen), dtype=np.uint32)
        if deal is not None:
            self.check_deal(deal, len(chosen))
        elif seed is None:
            deal = self._take_next_deals(chosen.indices)
        else:
            deal = self._draw_deals(seeds, episodes)
        self._deal(chosen, seeds, episodes, deal)
        self._last[chosen.key], self._is_next[chosen.key] = -1, False

    def _take_next_deals(self, rows: NDArray[np.int64]) -> DealT:
        """Returns the deals of the next episodes of some games, [M].

        Games end one by one, and to draw many deals takes hardly longer than one: where one is
        missing, the missing ones of all games are drawn.
        """
        deals = self._next_deals
        if deals is None or not self._is_next[rows].all():
            missing, state = (~self._is_next).nonzero()[0], self._state
            drawn = self._draw_deals(state.seed[missing], state.episode[missing] + np.uint32(1))
            if deals is None or len(missing) == self.num_games:
                self._next_deals = deals = drawn
            for name, array in vars(drawn).items():
                getattr(deals, name)[missing] = array
            self._is_next[missing] = True
        return deals.take(rows)

    def _deal(
        self, rows: Rows, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32], deal: DealT
    ) -> None:
        self._start_games(self._state, rows.key, seeds, episodes, deal)
        self._update(rows)

    def _update(self, rows: Rows) -> None:
        """Derives what follows from the state of some games that were dealt."""
        raise NotImplementedError

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act in each game, [N]; -1 where the game is over."""
        return self._seats(self._all).copy()

    def _seats(self, rows: Rows) -> NDArray[np.int64]:
        """Returns the seats to act, [M], not to be changed; -1 where the game is over."""
        state = self._state
        return np.where(state.finished[rows.key], -1, state.seat[rows.key].astype(np.int64))

    @property
    def kinds(self) -> NDArray[np.int64]:
        """The kind of decision that each game waits for, [N] (`KINDS`); -1 where it is over."""
        return np.where(self._state.finished, -1, self._state.kind.astype(np.int64))

    @property
    def rounds(self) -> NDArray[np.int64]:
        """The round of each game, from 1, [N]."""
        return self._state.round.astype(np.int64)

    @property
    def scores(self) -> NDArray[np.int16]:
        """Points by source (`SOURCES`), [N, P, S]."""
        return self._state.scores.copy()

    @property
    def totals(self) -> NDArray[np.int16]:
        """The points that decide the game, [N, P]."""
        return self._totals(self._all)

    def _totals(self, rows: Rows) -> NDArray[np.int16]:
        # Six times as fast as `sum` over a short axis.
        return np.einsum("ijk->ij", self._state.scores[rows.key][..., self.TOTAL])

    def winners(self) -> NDArray[np.bool_]:
        """Returns who would win if the games ended now, [N, P]."""
        return self._winners(self._state)

    def _winners(self, state: StateT) -> NDArray[np.bool_]:
        raise NotImplementedError

    def _rows(self, rows: Integers | None) -> Rows:
        return self._all if rows is None else Rows.some(as_rows(rows, self.num_games))

    def num_legal(self, rows: Integers | None = None) -> NDArray[np.int64]:
        """Returns the number of legal actions, [M]."""
        return self._num_legal(self._rows(rows))

    def _num_legal(self, rows: Rows) -> NDArray[np.int64]:
        return self._games.num_legal.take(rows.indices)

    def legal_action_mask(
        self, rows: Integers | None = None, out: NDArray[np.bool_] | None = None
    ) -> NDArray[np.bool_]:
        """Returns which actions are legal for the seats to act, [M, A] (True: legal).

        Args:
            rows: the games.
            out: array to write to and return, [M, A].

        Raises:
            OptionError: invalid rows, or `out` has another shape.
        """
        games = self._rows(rows)
        shape = len(games), self.actions.size
        check_out(out, shape)
        if out is None:
            out = np.empty(shape, dtype=np.bool_)
        self._write_masks(games, out)
        return out

    def _write_masks(self, rows: Rows, out: NDArray[np.bool_]) -> None:
        out[...] = self._games.legal[rows.key, : self.actions.size]

    def legal_actions(
        self, rows: Integers | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the legal actions.

        Args:
            rows: the games.

        Returns:
            Positions among the M rows and actions, two arrays [L], sorted by row.

        Raises:
            OptionError: invalid rows.
        """
        places = self.legal_action_mask(rows).ravel().nonzero()[0]
        return places // self.actions.size, places % self.actions.size

    def observe(
        self,
        seat: int | Integers | None = None,
        rows: Integers | None = None,
        out: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]:
        """Returns what one seat of each game knows, [M, D] uint8 (layout: `features`).

        Args:
            seat: one seat, or one per game [M]; None for the seats to act (zeros where the game is
                over).
            rows: the games.
            out: array to write to and return, [M, D].

        Raises:
            OptionError: invalid seats or rows, or `out` has another shape.
        """
        games = self._rows(rows)
        check_out(out, (len(games), self.features.size))
        seats = self._seats(games) if seat is None else as_seats(seat, len(games), self.num_players)
        return self._observe(games, seats, out)

    def _observe(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        """Returns what seats know, [M, D]; zeros for seat -1."""
        if out is None:
            out = np.empty((len(rows), self.features.size), np.uint8)
        self._observe_into(rows, seats.clip(0), out)
        if not self.autoreset:
            out[seats < 0] = 0
        return out

    def _observe_into(self, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
        """Writes what seats know, [M, D]."""
        raise NotImplementedError

    def sample_legal(
        self, rng: np.random.Generator, rows: Integers | None = None
    ) -> NDArray[np.int64]:
        """Returns a uniformly random legal action of each game, [M]; 0 where the game is over."""
        check_rng(rng)
        return self._sample(self._rows(rows), rng)

    def _sample(self, rows: Rows, rng: np.random.Generator) -> NDArray[np.int64]:
        masks = self._games.legal[rows.key]
        places, counts = masks.ravel().nonzero()[0], self._num_legal(rows)
        if counts.all():
            which = counts.cumsum() - counts + rng.integers(counts)
            return places.take(which) % masks.shape[1]
        actions, running = np.zeros(len(rows), np.int64), counts > 0
        which = counts.cumsum() - counts + rng.integers(counts + ~running)
        actions[running] = places[which[running]] % masks.shape[1]
        return actions

    def is_legal(
        self, actions: Integers | Sequence[int], rows: Integers | None = None
    ) -> NDArray[np.bool_]:
        """Returns whether one action in each game is legal, [M]; False where the game is over.

        Raises:
            OptionError: invalid rows.
            ActionError: wrong shape or dtype, or an index outside the space.
        """
        games = self._rows(rows)
        over = self._state.finished[games.key]
        return self._are_legal(games, as_actions(actions, games.indices, over, self.actions.size))

    def _are_legal(self, rows: Rows, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._games.legal[rows.indices, actions]

    def _row(self, game: int) -> int:
        return int(as_rows(np.array([game]), self.num_games)[0])

    def describe(self, action: int, game: int = 0) -> str:
        """Returns an action of the seat to act in words.

        Raises:
            OptionError: there is no such game.
            ActionError: the action is not in the space.
        """
        row = self._row(game)
        return self._describe(self._state.take(slice(row, row + 1)), action)

    def view(
        self, game: int = 0, viewer: Viewer = "spectator", *, names: Sequence[str] = ()
    ) -> ViewT:
        """Returns what a viewer knows of one game, in plain values (see `GameView`).

        Args:
            game: the game.
            viewer: a seat; "public", who knows only what lies open; or "spectator", who knows
                everything.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such game or viewer, or the number of names is wrong.
        """
        row = self._row(game)
        seat, action = self._last[row].tolist()
        return self._view(self._state, row, viewer, None if seat < 0 else (seat, action), names)

    def step(self, actions: Integers | Sequence[int], rows: Integers | None = None) -> StepResult:
        """Plays one action in each game.

        Args:
            actions: indices in the action space, [M], `actions[i]` for game `rows[i]`; ignored
                where a game is over.
            rows: the games.

        Returns:
            What the step did. `legal_action_mask` and `observe` then describe the next decisions.

        Raises:
            OptionError: invalid rows.
            ActionError: wrong shape or dtype, or an index outside the space.
            IllegalActionError: an action that the rules forbid; no game has moved.
        """
        games, state = self._rows(rows), self._state
        over = state.finished[games.key].copy()  # the array itself changes below
        chosen = as_actions(actions, games.indices, over, self.actions.size)
        playing = ~over
        illegal = (~self._are_legal(games, chosen) & playing).nonzero()[0]
        if len(illegal):
            game, action = games.indices[illegal[0]], chosen[illegal[0]]
            raise self._illegal_action(state, int(game), int(action))
        seats = self._seats(games).copy()
        before = 0 if self.reward == "outcome" else self._totals(games)
        points = self._play(games, playing, seats, chosen)
        finished = state.finished[games.key] & playing
        ended = finished.nonzero()[0]
        final = state.take(games.indices[ended]) if len(ended) else self._no_games
        if self.reward == "outcome":
            rewards = np.zeros((len(games), self.num_players))
            if len(ended):
                rewards[ended] = outcome(self._winners(final))
        else:
            gained = (self._totals(games) - before).astype(np.float64)
            rewards = margin(gained) if self.reward == "margin" else gained
        if self.autoreset and len(ended):
            self.reset(rows=games.indices[ended])
        return StepResult(seats, points, rewards, finished, final)

    def _play(
        self,
        rows: Rows,
        playing: NDArray[np.bool_],
        seats: NDArray[np.int64],
        actions: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Plays legal actions in the games that are not over and returns their points, [M]."""
        scores = merge_seats(self._state.scores)
        acting = rows.seat_rows(seats if self.autoreset else seats.clip(0), self.num_players)
        before = scores.take(acting, axis=0)
        moved, actions = rows.indices[playing], actions[playing]
        self._last[:, 0][moved], self._last[:, 1][moved] = seats[playing], actions
        self._apply(moved, actions)
        return (scores.take(acting, axis=0) - before) @ self.IMMEDIATE_SOURCES

    def _apply(self, rows: Indices, actions: Indices) -> None:
        """Plays legal actions in some games."""
        raise NotImplementedError

    def resample(
        self, seat: int | Integers, rng: np.random.Generator, num_samples: int = 1
    ) -> StateT:
        """Returns states that equal the games in all that a seat knows; the rest is drawn.

        Drawn, uniformly among what agrees with the seat's observation, is what is hidden (hands,
        secret choices, orders of piles) and what chance has yet to decide: the seed is drawn too,
        so that no later event follows from the true one. The seat's observation and mask, what is
        public and whose turn it is stay the same; every state can be played. Finished games stay
        as they are. States from observations, where a game has them, are drawn in the same way.

        Args:
            seat: one seat, or one per game [N].
            rng: source of randomness.
            num_samples: K, states drawn for each game.

        Returns:
            A state of N * K games; those of game i are rows i * K to i * K + K - 1.

        Raises:
            OptionError: there is no such seat, or K is less than 1.
        """
        seats = as_seats(seat, self.num_games, self.num_players)
        return self._resample(self._state, seats, rng, num_samples)

    def __repr__(self) -> str:
        return f"<Engine, {self.num_games} games, {self.config.summary}>"

    def copy(self) -> Self:
        """Returns an independent copy of the engine; the tables are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._start(self._state.copy(), self._last.copy())
        return twin

    def __getstate__(self) -> dict[str, object]:
        return super().__getstate__() | {"_next_deals": None, "_is_next": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        super().__setstate__(state)
        self._start(self._state, self._last)


AnyEngine = BatchEngine[Any, Any, Any, Any]  # N games on arrays, of any game
