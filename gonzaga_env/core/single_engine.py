"""An engine for one game: the API of `Engine`, many times as fast where games come one by one."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.arguments import Indices, as_actions, as_rows, as_seats, check_out
from gonzaga_env.core.deals import Deal, check_deal, draw_deals, game_seeds
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.engine import Engine, StepResult
from gonzaga_env.core.errors import StateError
from gonzaga_env.core.explain import explain_illegal
from gonzaga_env.core.legal import NO_SEAT
from gonzaga_env.core.resample import resample
from gonzaga_env.core.rewards import Reward, margin, outcome
from gonzaga_env.core.rules import Rules
from gonzaga_env.core.single import SingleGame
from gonzaga_env.core.single_state import read_state, write_state
from gonzaga_env.core.single_tables import single_tables_for
from gonzaga_env.core.state import END_SOURCES, PLAN, State, empty_state


class SingleEngine(Engine):
    """One game of Gonzaga, equal to `Engine(1)` in all that it shows and takes.

    Beside the arrays of `Engine` there are `seat`, `play`, `mask` and `observation`, for callers
    that want neither a game axis nor its price. `state` is made when it is asked for. Of a state
    that is assigned, the map is read from `piece` and `ring_cells`, so these and the sets of hexes
    must agree, and edits in place count only when it is assigned again.

    Attributes:
        game: the truth as plain Python; to be read, not to be written.
    """

    game: SingleGame
    _shown: State | None  # what `state` returns, until the game moves
    _record: weakref.ref[NDArray[np.void]] | None  # the memory of all its arrays

    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules = Rules(),
        seed: int | Sequence[int] | Indices = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> None:
        """Deals a game; the arguments are those of `Engine`."""
        super().__init__(1, num_players, scenario, edition, rules, seed, autoreset, reward)

    @property
    def state(self) -> State:
        """The struct of arrays, live as that of `Engine`: whoever keeps a part sees it go on.

        Raises:
            StateError: on assigning a state of another number of games or players, or another map.
        """
        if self._shown is None:
            arrays = empty_state(self.tables, 1, self.num_players).arrays()
            layout = [(name, array.dtype, array.shape[1:]) for name, array in arrays.items()]
            return self._show(np.zeros(1, np.dtype(layout, align=True)))
        return self._shown

    @state.setter
    def state(self, state: State) -> None:
        if state.num_games != 1:
            raise StateError(f"the state holds {state.num_games} games; this engine plays one")
        if not state.fits(empty_state(self.tables, 1, self.num_players)):
            raise StateError(
                f"no state of {self.num_players} players on {self.tables.num_hexes} hexes"
            )
        self._begin(read_state(self.tables, self.rules, state))

    def _start(self, seeds: NDArray[np.uint64]) -> None:
        self._shown, self._record = None, None
        self.reset(seeds)

    def _begin(self, game: SingleGame) -> None:
        self.game = game
        self._shown, self._record = None, None

    def _show(self, record: NDArray[np.void]) -> State:
        """Writes the game over a record whose fields are the state's arrays."""
        state = State(**{field.name: record[field.name] for field in fields(State)})
        write_state(self.tables, self.game, state)
        self._shown, self._record = state, weakref.ref(record)
        return state

    def _show_again(self, record: weakref.ref[NDArray[np.void]]) -> None:
        """Lets go of the state; if its arrays outlive that, somebody looks at them."""
        self._shown = self._record = None
        kept = record()
        if kept is not None:
            self._show(kept)

    def reset(
        self,
        seed: int | Sequence[int] | Indices | None = None,
        deal: Deal | None = None,
        rows: Indices | None = None,
    ) -> None:
        """Deals anew, as `Engine.reset` does."""
        if not len(as_rows(rows, 1)):
            return
        if seed is None:
            seeds, episode = np.array([self.game.seed], np.uint64), self.game.episode + 1
        else:
            seeds, episode = game_seeds(seed, 1), 0
        if deal is not None:
            check_deal(self.tables, deal, 1, self.num_players)
        self.game = self._deal(seeds, episode, deal)
        if self._record is not None:
            self._show_again(self._record)

    def _deal(
        self, seeds: NDArray[np.uint64], episode: int, deal: Deal | None = None
    ) -> SingleGame:
        episodes = np.array([episode % 2**32], np.uint32)
        if deal is None:
            deal = draw_deals(self.tables, self.num_players, self._scenarios, seeds, episodes)
        return SingleGame(
            single_tables_for(self.tables),
            self.rules,
            scenario=int(deal.scenario[0]),
            decks=deal.decks[0].tolist(),
            objectives=deal.objectives[0].tolist(),
            seed=int(seeds[0]),
            episode=int(episodes[0]),
        )

    @property
    def seat(self) -> int:
        """The seat to act; -1 where the game is over."""
        return self.game.seat

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act, [1]; -1 where the game is over."""
        return np.array([self.game.seat])

    def mask(self) -> NDArray[np.int8]:
        """Returns which actions are legal for the seat to act, [A] (1: legal)."""
        game = self.game
        if game.phase == PLAN:
            return _plan_mask(game.legal, game.tables.num_actions).copy()
        return _mask(game.legal, game.tables.num_actions)

    def num_legal(self, rows: Indices | None = None) -> NDArray[np.int64]:
        """Returns how many actions are legal, [M]."""
        return np.array([self.game.legal.bit_count()])[as_rows(rows, 1)]

    def is_legal(
        self, actions: Indices | Sequence[int], rows: Indices | None = None
    ) -> NDArray[np.bool_]:
        """Returns whether an action is legal, [M], as `Engine.is_legal` does."""
        games, over = as_rows(rows, 1), np.array([self.game.finished])
        chosen = as_actions(actions, games, over[games], self.actions.size)
        return self.mask()[chosen] == 1

    def legal_action_mask(
        self, rows: Indices | None = None, out: NDArray[np.bool_] | None = None
    ) -> NDArray[np.bool_]:
        """Returns which actions are legal, [M, A], as `Engine.legal_action_mask` does."""
        masks = self.mask().view(np.bool_)[None][as_rows(rows, 1)]
        check_out(out, masks.shape)
        return _into(out, masks)

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """Returns what a seat knows, [D]."""
        return self.game.observe(seat)

    def observe(
        self,
        seat: int | Indices | None = None,
        rows: Indices | None = None,
        out: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]:
        """Returns what a seat knows, [M, D], as `Engine.observe` does."""
        rows = as_rows(rows, 1)
        seats = self.seats[rows] if seat is None else as_seats(seat, len(rows), self.num_players)
        seen = np.zeros((len(rows), self.features.size), dtype=np.uint8)
        check_out(out, seen.shape)
        for i, looking in enumerate(seats.tolist()):
            if looking != NO_SEAT:
                seen[i] = self.observation(looking)
        return _into(out, seen)

    def sample_legal(
        self, rng: np.random.Generator, rows: Indices | None = None
    ) -> NDArray[np.int64]:
        """Returns a uniformly random legal action, [M]; 0 where the game is over."""
        rows = as_rows(rows, 1)
        legal = np.flatnonzero(self.mask().view(np.bool_))  # four times as fast as of int8
        chosen = rng.integers(max(len(legal), 1), size=len(rows))  # what `Engine` draws
        return legal[chosen] if len(legal) else chosen

    def play(self, action: SupportsIndex) -> list[float]:
        """Plays an action for the seat to act.

        Whatever `autoreset`, which is `step`'s, a game that ends waits for `reset`; its actions
        are ignored.

        Args:
            action: index in the action space.

        Returns:
            Every seat's reward, [P].

        Raises:
            ActionError: no integer, or an index outside the space.
            IllegalActionError: an action that the rules forbid; nothing has changed.
        """
        try:
            index = operator.index(action)
        except TypeError:
            index = -1  # what is wrong with it, `as_actions` says
        if not 0 <= index < self.game.tables.num_actions or isinstance(action, bool):
            over = np.array([self.game.finished])
            index = int(as_actions([action], np.arange(1), over, self.actions.size)[0])
        game, seat = self.game, self.game.seat
        if game.finished:
            return [0.0] * self.num_players
        if not game.legal >> index & 1:
            raise explain_illegal(self.tables, self.state, 0, index)
        game.play(index)
        if self._record is not None:
            self._show_again(self._record)
        if not game.finished and (self.reward == "outcome" or not game.points):
            return [0.0] * self.num_players
        return self._rewards(seat)

    def _rewards(self, seat: int) -> list[float]:
        game = self.game
        if self.reward == "outcome":
            return outcome(np.array([game.winners()]))[0].tolist()
        gained = np.zeros((1, self.num_players), dtype=np.float32)
        gained[0, seat] = game.points
        if game.finished:
            gained += game.scores[:, END_SOURCES].sum(axis=1)
        return (margin(gained) if self.reward == "margin" else gained)[0].tolist()

    def step(self, actions: Indices | Sequence[int], rows: Indices | None = None) -> StepResult:
        """Plays an action, as `Engine.step` does."""
        rows, seats, over = as_rows(rows, 1), self.seats, np.array([self.game.finished])
        chosen = as_actions(actions, rows, over[rows], self.actions.size).tolist()
        points, rewards = 0, [0.0] * self.num_players
        for action in chosen:
            rewards = self.play(action)
            points = 0 if over[0] else self.game.points
        finished = over[rows] < self.game.finished
        final = empty_state(self.tables, 0, self.num_players)
        if finished.any():
            final = self.state.copy()
            if self.autoreset:
                self.game = self._deal(final.seed, self.game.episode + 1)
                if self._record is not None:
                    self._show_again(self._record)
        return StepResult(
            seats=seats[rows],
            points=np.array([points])[rows],
            rewards=np.array([rewards], dtype=np.float32)[rows],
            finished=finished,
            final=final,
        )

    def resample(self, seat: int | Indices, rng: np.random.Generator) -> State:
        """Returns a state equal in all that a seat knows, as `Engine.resample` does."""
        seats = as_seats(seat, 1, self.num_players)
        return resample(self.tables, self.state, seats, rng)

    def copy(self) -> Self:
        """Returns an engine that goes on from here by itself; the tables are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._begin(self.game.copy())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        # What refers to tables stays out of pickles; a state has all of the game.
        return super().__getstate__() | {"game": self.state, "_shown": None, "_record": None}

    def _know_again(self) -> None:
        self._begin(read_state(self.tables, self.rules, self.__dict__["game"]))


def _mask(legal: int, num_actions: int) -> NDArray[np.int8]:
    packed = np.frombuffer(legal.to_bytes(-(-num_actions // 8), "little"), np.uint8)
    return np.unpackbits(packed, None, num_actions, "little").view(np.int8)


#: The same kept, to be copied: the cards in hand make few different sets.
_plan_mask = lru_cache(maxsize=1024)(_mask)


def _into(out: NDArray[Any] | None, values: NDArray[Any]) -> NDArray[Any]:
    """Returns the values; in `out`, where that is given."""
    if out is None:
        return values
    out[...] = values
    return out
