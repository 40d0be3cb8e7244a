"""The engine for batches: N games on numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import (
    Indices,
    Integers,
    as_actions,
    as_num_games,
    as_rows,
    as_seats,
    check_out,
    check_rng,
)
from gonzaga_env.tabletop.chance import game_seeds
from gonzaga_env.tabletop.result import StepResult
from gonzaga_env.tabletop.rewards import Reward, step_rewards
from gonzaga_env.tuscany.base import GameBase, illegal_action
from gonzaga_env.tuscany.batch import legal
from gonzaga_env.tuscany.batch.games import Games
from gonzaga_env.tuscany.batch.observations import observe
from gonzaga_env.tuscany.batch.transitions import apply_actions
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import SOURCES
from gonzaga_env.tuscany.editions.edition import Edition
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.state.deals import Deal, check_deal, draw_deals
from gonzaga_env.tuscany.state.resample import resample
from gonzaga_env.tuscany.state.state import (
    END_TILES,
    ROUND_1,
    YIELD_RED,
    State,
    empty_state,
    origin_of,
    start_games,
    winners,
)
from gonzaga_env.tuscany.view.game_view import GameView, Viewer, view_game

_SOURCES = np.arange(len(SOURCES))
#: Sources of points that an answer itself brings, green or red: all but those of T11, [15].
_AT_ONCE = ((_SOURCES < ROUND_1) | (_SOURCES >= YIELD_RED) & (_SOURCES < END_TILES)).astype(int)


class Engine(GameBase):
    """N games of The Castles of Tuscany.

    Games that are stepped together may wait for different kinds of decisions. Game i depends on
    its own seed only. An answer that has no alternative is not asked for: the step that leads to
    it plays it too.

    Rewards: "outcome" is zero-sum at the end of a game, +1 for a sole winner and -1 / (P - 1) for
    the others; "score" is a player's own red points as they come, T11 included; "margin" is those
    less the mean of the others'. `StepResult.points` are the acting seat's green and red points
    from the answer itself, without T11.

    `rows` always means distinct indices of games [M]; None selects all games.

    Attributes:
        num_games: N.
        autoreset: True (the default of every constructor) resets a finished game immediately,
            with `episode` + 1, so that no game is ever over. With False it waits: its seat is -1,
            its mask is empty and its actions are ignored.
    """

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Options | Mapping[str, Any] = Options(),
        seed: int | Sequence[int] | Integers = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> None:
        """Deals N games.

        Args:
            num_games: N, 1 or more.
            num_players: P, 2 to 4 (T1.1).
            edition: the name of a shipped edition, a file, or an edition.
            rules: the options.
            seed: one integer, which gives game i the seed `seed + i`, or one integer per game.
            autoreset: whether finished games are reset immediately.
            reward: "outcome", "score" or "margin".

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        num_games = as_num_games(num_games)
        super().__init__(GameConfig(num_players, edition, rules), reward)
        self.autoreset = autoreset
        seeds = game_seeds(seed, num_games)
        self._start(empty_state(self.config, num_games))
        self.reset(seeds)

    @classmethod
    def from_config(
        cls,
        config: GameConfig,
        num_games: int = 1,
        seed: int | Sequence[int] | Integers = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> Self:
        """Returns an engine that plays what a configuration says (arguments as above)."""
        players, edition, rules = config.num_players, config.edition, config.rules
        return cls(num_games, players, edition, rules, seed, autoreset, reward)

    @classmethod
    def from_state(
        cls,
        config: GameConfig,
        state: State,
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
        GameBase.__init__(engine, config, reward)
        engine.autoreset = autoreset
        engine.set_state(state, copy=copy, check=check)
        return engine

    def _start(self, state: State, last: NDArray[np.int64] | None = None) -> None:
        self._games, self.num_games = Games(self.config, state), state.num_games
        self._all = np.arange(state.num_games)
        #: Seat and action of each game's last answer, [N, 2]; else -1.
        self._last = np.full((state.num_games, 2), -1, np.int64) if last is None else last
        legal.update(self._games, self._all)

    @property
    def state(self) -> State:
        """The struct of arrays, live: it changes with every step.

        `engine.state.copy()` keeps a moment, and assigning a state goes back to one (the state is
        copied). After editing an array in place, assign `engine.state` again, so that legality and
        observations are updated.

        Raises:
            StateError: on assigning a state of another edition, number of players or options, or
                one whose values contradict the rules or each other.
        """
        return self._games.state

    @state.setter
    def state(self, state: State) -> None:
        self.set_state(state)

    def set_state(self, state: State, *, copy: bool = True, check: bool = True) -> None:
        """Replaces all games.

        Args:
            state: any number of games, each at any decision.
            copy: False hands the arrays over to the engine, which then changes them. Arrays that
                are read-only or not C-contiguous are copied all the same.
            check: False trusts the values, which saves time with states that engines made.

        Raises:
            StateError: the state is of another edition, number of players or options, or has
                values that contradict the rules or each other.
        """
        self.check(state, values=check)
        own = state.copy() if copy else state.owned()
        if own.origin is None:  # it was put together by hand
            own.origin = origin_of(self.config)
        self._start(own)

    def reset(
        self,
        seed: int | Sequence[int] | Integers | None = None,
        deal: Deal | None = None,
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
        chosen, state = self._rows(rows), self.state
        if seed is None:
            seeds, episodes = state.seed[chosen], state.episode[chosen] + np.uint32(1)
        else:
            seeds = game_seeds(seed, len(chosen))
            episodes = np.zeros(len(chosen), np.uint32)
        if deal is None:
            deal = draw_deals(self.edition, self.num_players, seeds, episodes)
        else:
            check_deal(self.edition, deal, len(chosen), self.num_players)
        start_games(self.config, state, chosen, seeds, episodes, deal)
        self._last[chosen] = -1
        self._games.derive(chosen)
        legal.update(self._games, chosen)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act in each game, [N]; -1 where the game is over."""
        return self._seats(self._all)

    def _seats(self, rows: Indices) -> NDArray[np.int64]:
        state = self.state
        return np.where(state.finished.take(rows), -1, state.seat.take(rows).astype(np.int64))

    @property
    def kinds(self) -> NDArray[np.int64]:
        """Which kind of decision each game waits for, [N] (`KINDS`); -1 where the game is over."""
        return np.where(self.state.finished, -1, self.state.kind.astype(np.int64))

    @property
    def rounds(self) -> NDArray[np.int64]:
        """The running round of each game, from 1, [N] (T10)."""
        return self.state.round.astype(np.int64)

    @property
    def scores(self) -> NDArray[np.int16]:
        """Points by source (`SOURCES`), [N, P, 15]."""
        return self.state.scores.copy()

    @property
    def totals(self) -> NDArray[np.int16]:
        """Red points, [N, P]."""
        return self.state.totals

    def winners(self) -> NDArray[np.bool_]:
        """Returns who would win if the games ended now, [N, P] (T11.3)."""
        return winners(self.state)

    def _rows(self, rows: Integers | None) -> Indices:
        return self._all if rows is None else as_rows(rows, self.num_games)

    def num_legal(self, rows: Integers | None = None) -> NDArray[np.int64]:
        """Returns the number of legal actions, [M]."""
        return self._games.num_legal[self._rows(rows)]

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
        chosen = self._rows(rows)
        check_out(out, (len(chosen), ACTIONS.size))
        masks = self._games.legal.take(chosen, axis=0)
        if out is None:
            return masks
        out[...] = masks
        return out

    def legal_actions(
        self, rows: Integers | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the legal actions without a dense mask.

        Args:
            rows: the games.

        Returns:
            Positions among the M rows and actions, two arrays [L], sorted by row.

        Raises:
            OptionError: invalid rows.
        """
        places = self._games.legal.take(self._rows(rows), axis=0).ravel().nonzero()[0]
        return places // ACTIONS.size, places % ACTIONS.size

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
        chosen = self._rows(rows)
        shape = len(chosen), self.features.size
        check_out(out, shape)
        if out is None:
            out = np.empty(shape, np.uint8)
        if seat is None:
            observe(self._games, chosen, self.state.seat.take(chosen).astype(np.int64), out)
            out[self.state.finished.take(chosen)] = 0
        else:
            observe(self._games, chosen, as_seats(seat, len(chosen), self.num_players), out)
        return out

    def sample_legal(
        self, rng: np.random.Generator, rows: Integers | None = None
    ) -> NDArray[np.int64]:
        """Returns a uniformly random legal action of each game, [M]; 0 where the game is over."""
        check_rng(rng)
        chosen = self._rows(rows)
        places = self._games.legal.take(chosen, axis=0).ravel().nonzero()[0]
        counts = self._games.num_legal.take(chosen)
        over = counts == 0
        which = counts.cumsum() - counts + rng.integers(counts + over)
        actions = np.zeros(len(chosen), np.int64)
        actions[~over] = places[which[~over]] % ACTIONS.size
        return actions

    def is_legal(
        self, actions: Integers | Sequence[int], rows: Integers | None = None
    ) -> NDArray[np.bool_]:
        """Returns whether one action in each game is legal, [M]; False where the game is over.

        Raises:
            OptionError: invalid rows.
            ActionError: wrong shape or dtype, or an index outside the space.
        """
        chosen = self._rows(rows)
        over = self.state.finished[chosen]
        return self._games.legal[chosen, as_actions(actions, chosen, over, ACTIONS.size)]

    def describe(self, action: int, game: int = 0) -> str:
        """Returns an action of the seat to act in words.

        Raises:
            OptionError: there is no such game.
            ActionError: the action is not in the space.
        """
        as_rows(np.array([game]), self.num_games)
        return ACTIONS.to_text(action)

    def view(
        self, game: int = 0, viewer: Viewer = "spectator", *, names: Sequence[str] = ()
    ) -> GameView:
        """Returns what a viewer knows of one game, in plain values (see `GameView`).

        Args:
            game: the game.
            viewer: a seat; "public", who knows only what lies open; or "spectator", who knows
                everything.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such game or viewer, or the number of names is wrong.
        """
        row = int(as_rows(np.array([game]), self.num_games)[0])
        seat, action = self._last[row].tolist()
        last = None if seat < 0 else (seat, action)
        return view_game(self.config, self.state, row, viewer, last=last, names=names)

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
        stepped, games, state = self._rows(rows), self._games, self.state
        over = state.finished[stepped]
        chosen = as_actions(actions, stepped, over, ACTIONS.size)
        playing = ~over
        illegal = (playing & ~games.legal[stepped, chosen]).nonzero()[0]
        if len(illegal):
            game = int(stepped[illegal[0]])
            seat, kind = int(state.seat[game]), int(state.kind[game])
            raise illegal_action(game, seat, kind, int(chosen[illegal[0]]))
        seats = self._seats(stepped)
        acting = games.seats(stepped)
        before = games.scores.take(acting, axis=0)
        red = 0 if self.reward == "outcome" else state.totals[stepped]
        moved = stepped[playing]
        self._last[moved, 0], self._last[moved, 1] = seats[playing], chosen[playing]
        apply_actions(games, moved, chosen[playing])
        finished = state.finished.take(stepped) & playing
        ended = stepped[finished]
        final = state.take(ended) if len(ended) else self._no_games
        points = (games.scores.take(acting, axis=0) - before) @ _AT_ONCE
        rewards = step_rewards(
            self.reward,
            (len(stepped), self.num_players),
            finished.nonzero()[0],
            lambda: winners(final),
            lambda: (state.totals[stepped] - red).astype(np.float64),
        )
        result = StepResult(seats, points, rewards, finished, final)
        if self.autoreset and len(ended):
            self.reset(rows=ended)
        return result

    def resample(
        self, seat: int | Integers, rng: np.random.Generator, num_samples: int = 1
    ) -> State:
        """Returns states that equal the games in all that a seat knows; the rest is drawn.

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
        return resample(self.config, self.state, seats, rng, num_samples)

    def __repr__(self) -> str:
        return f"<Engine, {self.num_games} games, {self.config.summary}>"

    def copy(self) -> Self:
        """Returns an independent copy of the engine; the tables are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._start(self.state.copy(), self._last.copy())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_games": None, "state": self.state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        games = state.pop("state")
        super().__setstate__(state)
        self._start(games, self._last)
