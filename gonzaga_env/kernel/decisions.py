"""Engines of games that wait for one decision at a time, whose states say which (`seat`, `kind`).

A game's `Engine` and `Game` derive from these and from its `GameBase`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Integers, as_action, checks_names
from gonzaga_env.kernel.batch import BatchEngine
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.chance import game_seeds
from gonzaga_env.kernel.config import DEFAULT_RULES
from gonzaga_env.kernel.engine import ConfigT, DealT, EditionSource, EngineBase, StateT, ViewT
from gonzaga_env.kernel.errors import IllegalActionError
from gonzaga_env.kernel.options import RuleOptions
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.rows import RowKey, Rows
from gonzaga_env.kernel.single import SingleGame
from gonzaga_env.kernel.state import DecisionArrays
from gonzaga_env.kernel.view import Viewer

DecisionT = TypeVar("DecisionT", bound=DecisionArrays)


class DecisionBase(EngineBase[ConfigT, StateT, DealT, ViewT]):
    """What both engines of such a game have in common; its `GameBase` derives from this.

    Attributes:
        CONFIG: makes a configuration from a number of players, an edition and options.
        KINDS: the kinds of decisions.
        TOTAL: the sources of points that decide the game.
        EMPTY_STATE, START_GAMES, layout, DRAW_DEALS, CHECK_DEAL, DRAW_HIDDEN, VIEW_GAME: the
            game's functions of these names; each takes the configuration first. A game may
            override the methods that call them instead.
    """

    CONFIG: ClassVar[Any]
    KINDS: ClassVar[tuple[str, ...]]
    TOTAL: ClassVar[slice] = slice(None)

    EMPTY_STATE: ClassVar[Any]
    START_GAMES: ClassVar[Any]
    layout: ClassVar[Any]
    DRAW_DEALS: ClassVar[Any]
    CHECK_DEAL: ClassVar[Any]
    DRAW_HIDDEN: ClassVar[Any]
    VIEW_GAME: ClassVar[Any]

    def _empty(self, num_games: int) -> StateT:
        return self.EMPTY_STATE(self.config, num_games)

    def _start_games(
        self,
        state: StateT,
        rows: RowKey,
        seeds: NDArray[np.uint64],
        episodes: NDArray[np.uint32],
        deal: DealT,
    ) -> None:
        self.START_GAMES(self.config, state, rows, seeds, episodes, deal)

    def _check_values(self, state: StateT) -> None:
        state.check_values(self.layout(self.config))

    def _draw_deals(self, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> DealT:
        return self.DRAW_DEALS(self.config, seeds, episodes)

    def _check_deal(self, deal: DealT, num_games: int) -> None:
        self.CHECK_DEAL(self.config, deal, num_games)

    def _redraw(self, games: StateT, seats: NDArray[np.int64], rng: np.random.Generator) -> None:
        self.DRAW_HIDDEN(self.config, games, seats, rng)

    def _view(
        self,
        state: StateT,
        row: int,
        viewer: Viewer,
        last: tuple[int, int] | None,
        names: Sequence[str],
    ) -> ViewT:
        return self.VIEW_GAME(self.config, state, row, viewer, last=last, names=names)

    def _reason(self, kind: int, action: int) -> str:
        """Returns why an action is illegal, with the rule's number in brackets at the end."""
        raise NotImplementedError

    def _illegal_action(self, state: Any, game: int, action: int) -> IllegalActionError:
        seat, kind = int(state.seat[game]), int(state.kind[game])
        reason, text = self._reason(kind, action), self.actions.to_text(action)
        rule = reason.rpartition("(")[2][:-1].split(",")[0]
        return IllegalActionError(
            f"game {game}, seat {seat}: {text!r} is illegal ({self.KINDS[kind]}): {reason}",
            game=game,
            seat=seat,
            action=action,
            rule=rule,
        )


class DecisionEngine(
    DecisionBase[ConfigT, DecisionT, DealT, ViewT], BatchEngine[ConfigT, DecisionT, DealT, ViewT]
):
    """N games; `_games` keeps the state by seat, and what follows from it.

    Attributes:
        AT_ONCE: what points of each source count as points of the answer itself, [S].
        _games: has `legal` [N, A or more] and `num_legal` [N], the legal actions; `seats(rows)`,
            the rows of the seats to act in arrays by seat; and `scores` by seat, [N * P, S].
    """

    LOOKED_UP = (*EngineBase.LOOKED_UP, "_all", "_games")
    TOTAL = slice(None)
    AT_ONCE: ClassVar[NDArray[np.int64]]
    _games: Any

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

    def _update(self, rows: Rows) -> None:
        """Derives what follows from the state of some games that were dealt."""
        raise NotImplementedError

    def _apply(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Plays legal actions in some games."""
        raise NotImplementedError

    def _observe_into(self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8]) -> None:
        """Writes what seats know, [M, D]."""
        raise NotImplementedError

    def _deal(
        self, rows: Rows, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32], deal: DealT
    ) -> None:
        self._start_games(self._state, rows.indices, seeds, episodes, deal)
        self._update(rows)

    @property
    def kinds(self) -> NDArray[np.int64]:
        """Which kind of decision each game waits for, [N] (`KINDS`); -1 where the game is over."""
        return np.where(self._state.finished, -1, self._state.kind.astype(np.int64))

    def _seats(self, rows: Rows) -> NDArray[np.int64]:
        state = self._state
        return np.where(state.finished[rows.key], -1, state.seat[rows.key].astype(np.int64))

    def _num_legal(self, rows: Rows) -> NDArray[np.int64]:
        return self._games.num_legal.take(rows.indices)

    def _write_masks(self, rows: Rows, out: NDArray[np.bool_]) -> None:
        out[...] = self._games.legal[rows.key, : self.actions.size]

    def _are_legal(self, rows: Rows, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        return self._games.legal[rows.indices, actions]

    def _observe(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        if out is None:
            out = np.empty((len(rows), self.features.size), np.uint8)
        self._observe_into(rows, seats.clip(0), out)
        if not self.autoreset:
            out[seats < 0] = 0
        return out

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

    def _play(
        self,
        rows: Rows,
        playing: NDArray[np.bool_],
        seats: NDArray[np.int64],
        actions: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        games, acting = self._games, self._games.seats(rows.indices)
        before = games.scores.take(acting, axis=0)
        moved = rows.indices[playing]
        seats, actions = seats[playing], actions[playing]
        self._last[:, 0][moved], self._last[:, 1][moved] = seats, actions
        self._apply(moved, actions)
        return (games.scores.take(acting, axis=0) - before) @ self.AT_ONCE


class DecisionGame(
    DecisionBase[ConfigT, StateT, DealT, ViewT], SingleGame[ConfigT, StateT, DealT, ViewT]
):
    """One game: equal to one row of an engine for batches at every step.

    Attributes:
        POSITION: makes a position from a configuration and a state of one game. It has the
            state's fields, `to_state()`, `copy()` and `outcomes`, what is turned up in place of
            chance.
    """

    POSITION: ClassVar[Any]

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        edition: EditionSource | None = None,
        rules: RuleOptions | Mapping[str, object] | str = DEFAULT_RULES,
        seed: int = 0,
        reward: Reward = "outcome",
    ) -> None:
        """Deals a game; the arguments are those of `Engine`.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        EngineBase.__init__(self, self.CONFIG(num_players, edition, rules), reward)
        self.reset(game_seeds(seed, 1))

    def _apply(self, position: Any, action: int) -> int | None:
        """Plays a legal action; returns the legal actions of the next decision, as a set.

        None leaves them to be computed when somebody asks for them.
        """
        raise NotImplementedError

    def _gained(self) -> list[int]:
        """Returns what every player gained by the last action, [P]."""
        raise NotImplementedError

    def _given(self, drawn: Sequence[Json]) -> Any:
        """Returns a position to play in, where this is turned up in place of chance."""
        position = self.position.copy()
        position.outcomes = list(drawn)
        return position

    def _set_last(self, seat: int, action: int) -> None:
        """Keeps a move as the last one, if all have seen it."""
        self._last = seat, action

    def _dealt(self, deal: DealT, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Any:
        state = self._empty(1)
        self._start_games(state, slice(None), seeds, episodes, deal)
        return self._from_state(state)

    def _to_state(self) -> StateT:
        return self.position.to_state()

    def _from_state(self, state: StateT) -> Any:
        return self.POSITION(self.config, state)

    @property
    def seat(self) -> int:
        """The seat to act; -1 where the game is over."""
        return -1 if self.position.finished else self.position.seat

    @property
    def kind(self) -> int:
        """What it decides, an index in `KINDS`; -1 where the game is over."""
        return -1 if self.position.finished else self.position.kind

    @property
    def scores(self) -> list[list[int]]:
        """Points by source (`SOURCES`), [P][S]; do not change them."""
        return self.position.scores

    @property
    def totals(self) -> list[int]:
        """The points that decide the game, [P]."""
        return [sum(scores[self.TOTAL]) for scores in self.position.scores]

    @property
    def round(self) -> int:
        """The running round, from 1; the last one where the game is over."""
        return self.position.round

    def play(self, action: SupportsIndex, drawn: Sequence[Json] | None = None) -> list[float]:
        """Plays an action for the seat to act; where the game is over, the action is ignored.

        Args:
            action: index in the action space.
            drawn: what is turned up in place of chance, as records hold it.

        Returns:
            The reward of every seat, [P].

        Raises:
            ActionError: the action is not in the space.
            IllegalActionError: the rules forbid the action; nothing has changed.
            RecordError: this cannot be drawn; nothing has changed.
        """
        position = self.position
        if position.finished:
            return [0.0] * self.num_players
        index = as_action(action, self.actions.size)
        if not self.legal_set >> index & 1:
            raise self._illegal_action(self.state, 0, index)
        seat = position.seat
        if drawn is not None:
            position = self._given(drawn)
        self._legal = self._apply(position, index)
        if drawn is not None:
            position.outcomes = None
        self.position = position
        self._set_last(seat, index)
        if not position.finished and (self.reward == "outcome" or not any(self._gained())):
            return [0.0] * self.num_players
        return self._rewards(lambda: np.array([self._gained()], np.float64))


AnyGame = DecisionGame[Any, Any, Any, Any]  # one game in plain Python, of any game
