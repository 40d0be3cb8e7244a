"""The engine for batches: N games on numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.base import GameBase
from gonzaga_env.core.batch.cache import EngineCache
from gonzaga_env.core.batch.rewards import step_rewards
from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.batch.transitions import apply_placements, apply_plans
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.deals import Deal, check_deal, draw_deals
from gonzaga_env.core.state.resample import resample
from gonzaga_env.core.state.state import PLACE, State, empty_state, state_layout
from gonzaga_env.core.view.describe import describe_action
from gonzaga_env.core.view.game_view import GameView, Viewer
from gonzaga_env.core.view.illegal import explain_illegal
from gonzaga_env.core.view.read import view_game
from gonzaga_env.tabletop.arguments import (
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
from gonzaga_env.tabletop.rewards import Reward
from gonzaga_env.tabletop.rows import Rows, key_of
from gonzaga_env.tabletop.state import Origin


class Engine(GameBase):
    """N games of Gonzaga.

    Every round takes P sealed plans and then P placements, so games that are stepped together stay
    in lockstep: all in the same phase, which is fast. Lockstep is not required: any subset of rows
    may be stepped, and a state may hold games of any phase. Game i depends on its own seed only.

    Rewards: "outcome" is zero-sum at the end of a game, +1 for a sole winner and -1 / (P - 1) for
    the others (see `rewards.outcome` for shared victories); "score" is a player's own points as
    they are scored; "margin" is those less the mean of the others'.

    `rows` always means distinct indices of games [M]; None selects all games.

    After N * P observations the engine caches every seat's observation: P * D bytes a game, 15 kB
    with four players, on top of 4 kB.

    Attributes:
        num_games: N.
        autoreset: True (the default of every constructor) resets a finished game immediately,
            with `episode` + 1, so that no game is ever over. With False it waits: its seat is -1,
            its mask is empty and its actions are ignored. Loops such as
            `while (engine.seats >= 0).any()` take False.
    """

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules | Mapping[str, Any] = Rules(),
        seed: int | Sequence[int] | Integers = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> None:
        """Deals N games.

        Args:
            num_games: N, 1 or more.
            num_players: P, 2 to 4 (R1.1).
            scenario: a scenario's name; None draws one for P players in every game (R2.1).
            edition: the name of a shipped edition, a folder, or an edition.
            rules: the options.
            seed: one integer, which gives game i the seed `seed + i`, or one integer per game.
            autoreset: whether finished games are reset immediately.
            reward: "outcome", "score" or "margin".

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        num_games = as_num_games(num_games)
        super().__init__(GameConfig(num_players, scenario, edition, rules), reward)
        self.autoreset = autoreset
        self._start(empty_state(self.tables, num_games, self.num_players, self.rules))
        self.reset(game_seeds(seed, num_games))

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
        return cls(
            num_games,
            config.num_players,
            config.scenario,
            config.edition,
            config.rules,
            seed,
            autoreset,
            reward,
        )

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
            state: N games of any phase.
            copy: False hands the arrays over to the engine, which then changes them. Arrays that
                are read-only or not C-contiguous are copied all the same.
            check: False trusts the values, which saves time with states that engines made.
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
        self._state, self.num_games = state, state.num_games
        #: Seat and action of each game's last placement, wedding or donation, [N, 2]; else -1.
        self._last = np.full((state.num_games, 2), -1, np.int64) if last is None else last
        self._cache = EngineCache(self.tables, self.features, state)

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
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self.set_state(state)

    def set_state(self, state: State, *, copy: bool = True, check: bool = True) -> None:
        """Replaces all games.

        Args:
            state: any number of games, of any phase.
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
            own.origin = Origin(self.tables.edition.digest, self.rules)
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
        chosen, state = self._rows(rows), self._state
        if seed is None:
            seeds = state.seed[chosen.indices]
            episodes = state.episode[chosen.indices] + np.uint32(1)
        else:
            seeds = game_seeds(seed, len(chosen))
            episodes = np.zeros(len(chosen), dtype=np.uint32)
        if deal is None:
            deal = draw_deals(self.tables, self.num_players, self._scenarios, seeds, episodes)
        else:
            check_deal(self.tables, deal, len(chosen), self.num_players)
        key = chosen.key
        state.clear(key, state_layout(self.tables, self.num_players))
        state.seed[key], state.episode[key] = seeds, episodes
        state.scenario[key], state.deck[key] = deal.scenario, deal.decks
        state.objective[key] = deal.objectives
        self._last[key] = -1
        self._cache.on_deal(chosen)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act in each game, [N]; -1 where the game is over."""
        return self._cache.decisions(self._cache.all).seats.copy()

    @property
    def kinds(self) -> NDArray[np.int64]:
        """Which kind of decision each game waits for, [N] (`KINDS`); -1 where the game is over."""
        return np.where(self._state.finished, -1, self._state.phase.astype(np.int64))

    @property
    def rounds(self) -> NDArray[np.int64]:
        """The round of each game, from 1, [N] (R3)."""
        return self._state.round.astype(np.int64)

    @property
    def scores(self) -> NDArray[np.int16]:
        """Points by source (`SOURCES`), [N, P, 6]."""
        return self._state.scores.copy()

    @property
    def totals(self) -> NDArray[np.int16]:
        """Points over all sources, [N, P]."""
        return self._state.totals

    def winners(self) -> NDArray[np.bool_]:
        """Returns who would win if the games ended now, [N, P] (R8.3)."""
        return winners(self.tables, self._state)

    def _rows(self, rows: Integers | None) -> Rows:
        return self._cache.all if rows is None else Rows.some(as_rows(rows, self.num_games))

    def num_legal(self, rows: Integers | None = None) -> NDArray[np.int64]:
        """Returns the number of legal actions, [M]."""
        return bits.count(self._cache.decisions(self._rows(rows)).legal)

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
        check_out(out, (len(games), self.actions.size))
        if out is None:
            out = np.empty((len(games), self.actions.size), dtype=np.bool_)
        decisions = self._cache.decisions(games)
        self.tables.legal_sets.write_masks(decisions.legal, decisions.fiefs, out)
        return out

    def legal_actions(
        self, rows: Integers | None = None, among: Words | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the legal actions without a dense mask.

        Args:
            rows: the games.
            among: leaves out actions that are not in this set (see `LegalSets.pack`), [words].

        Returns:
            Positions among the M rows and actions, two arrays [L], sorted by row.

        Raises:
            OptionError: invalid rows.
        """
        decisions = self._cache.decisions(self._rows(rows))
        legal = decisions.legal if among is None else decisions.legal & among
        return self.tables.legal_sets.list_actions(legal, decisions.fiefs)

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
        if seat is None:
            seats = self._cache.decisions(games).seats
        else:
            seats = as_seats(seat, len(games), self.num_players)
        return self._cache.observe(games, seats, out)

    def sample_legal(
        self, rng: np.random.Generator, rows: Integers | None = None
    ) -> NDArray[np.int64]:
        """Returns a uniformly random legal action of each game, [M]; 0 where the game is over."""
        check_rng(rng)
        decisions = self._cache.decisions(self._rows(rows))
        return self.tables.legal_sets.sample(decisions.legal, decisions.fiefs, rng)

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
        return self._are_legal(as_actions(actions, games.indices, over, self.actions.size), games)

    def _are_legal(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.bool_]:
        decisions = self._cache.decisions(rows)
        return self.tables.legal_sets.contain(decisions.legal, decisions.fiefs, actions)

    def describe(self, action: int, game: int = 0) -> str:
        """Returns an action of the seat to act in words (see `describe_action`).

        Raises:
            OptionError: there is no such game.
            ActionError: the action is not in the space.
        """
        row = int(as_rows(np.array([game]), self.num_games)[0])
        return describe_action(
            self.tables, self.rules, self._state.take(slice(row, row + 1)), action
        )

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
        return view_game(self.tables, self._state, row, viewer, last=last, names=names)

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
        going_on = ~over
        illegal = (~self._are_legal(chosen, games) & going_on).nonzero()[0]
        if len(illegal):
            game, action = games.indices[illegal[0]], chosen[illegal[0]]
            raise explain_illegal(self.tables, state, int(game), int(action))
        seats = self._cache.decisions(games).seats.copy()
        points = np.zeros(len(games), dtype=np.int64)
        placing = state.phase[games.key] == PLACE
        plans, places = key_of(~placing & going_on), key_of(placing & going_on)
        self._plan(games[plans], seats[plans], chosen[plans])
        points[places] = self._place(games[places], seats[places], chosen[places])
        finished = state.finished[games.key] & going_on
        ended = finished.nonzero()[0]
        final = state.take(games.indices[ended]) if len(ended) else self._no_games
        rewards = step_rewards(self.reward, self.tables, seats, points, ended, final)
        if self.autoreset and len(ended):
            self.reset(rows=games.indices[ended])
        return StepResult(seats, points, rewards, finished, final)

    def _plan(self, rows: Rows, seats: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        if len(rows):
            self._cache.on_plans(rows, seats, apply_plans(self._state, rows, seats, actions))

    def _place(
        self, rows: Rows, seats: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> NDArray[np.int64] | int:
        """Returns the points that were scored."""
        if not len(rows):
            return 0
        result = apply_placements(self.tables, self.rules, self._state, rows, seats, actions)
        self._cache.on_placements(result)
        self._last[rows.key, 0], self._last[rows.key, 1] = seats, actions
        return result.points

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
        return resample(self.tables, self._state, seats, rng, num_samples)

    def __repr__(self) -> str:
        return f"<Engine, {self.num_games} games, {self.config.summary}>"

    def copy(self) -> Self:
        """Returns an independent copy of the engine; the tables are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._start(self._state.copy(), self._last.copy())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_cache": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._start(self._state, self._last)
