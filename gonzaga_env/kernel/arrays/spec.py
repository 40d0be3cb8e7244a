"""The spec of a game whose rules are written once, on arrays, and its records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.arrays.rules import (
    ArrayRules,
    ArrayState,
    ArrayStateT,
    ArrayView,
    Events,
    put_back,
)
from gonzaga_env.kernel.batch import BatchEngine
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.config import BaseConfig
from gonzaga_env.kernel.engine import ConfigT, DealT
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import GameRecorder, GameRecords, Record, Recorder, compare
from gonzaga_env.kernel.rows import Rows, flat_rows
from gonzaga_env.kernel.single import SingleGame
from gonzaga_env.kernel.spec import GameSpec
from gonzaga_env.kernel.state import DealArrays
from gonzaga_env.kernel.view import LogLine, View


class _Legal:
    """The legal actions of N games: `legal` [N, A] and `num_legal` [N]."""

    def __init__(self, num_games: int, num_actions: int) -> None:
        self.legal = np.zeros((num_games, num_actions), np.bool_)
        self.num_legal = np.zeros(num_games, np.int64)


class ArrayEngine(
    ArrayRules[ConfigT, ArrayStateT, DealT], BatchEngine[ConfigT, ArrayStateT, DealT, ArrayView]
):
    """N games."""

    _drawn: list[int]  # what the last step turned up, game after game
    _given: Sequence[Json] | None  # what the next step turns up; None for chance

    def _derive(self) -> None:
        self._drawn, self._given = [], None
        self._games = _Legal(self.num_games, self.actions.size)
        self.AT_ONCE = np.zeros(len(self.SOURCES), np.int64)
        self.AT_ONCE[self.TOTAL] = 1
        self._update(self._all)

    def _update(self, rows: Rows) -> None:
        state = self._state
        going_on = rows.indices[~state.finished[rows.indices]]
        self._games.legal[rows.key] = False
        if len(going_on):
            self._games.legal[going_on] = self._mask(state.take(going_on))
        self._games.num_legal[rows.key] = self._games.legal[rows.key].sum(axis=1)

    def _apply(self, rows: Indices, actions: Indices) -> None:
        if len(rows):
            games = self._state.take(rows)
            events = Events(games, self._given)
            games.moves += np.uint32(1)
            self._move(games, actions, events)
            if events.given:
                raise RecordError(f"drawn holds {len(events.given)} numbers too many")
            put_back(self._state, rows, games)
            self._drawn = events.drawn
            self._update(Rows.some(rows))

    def _observe_into(self, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
        order = (seats[:, None] + np.arange(self.num_players)) % self.num_players
        known = self._known(self._state.take(rows.indices), seats, order)
        for feature in self.features:
            value = np.clip(known[feature.name], 0, 255)  # a byte
            out[:, feature.slice] = flat_rows(value)


class _Position:
    """A batch of one in the place of a position in plain Python (see `BasePosition`).

    Attributes:
        engine: plays the game.
        outcomes: what is turned up in place of chance.
        drawn: what the last action turned up.
        points: what the seat that acted gained by it, in a list.
        gained: what every player gained by it, [P].
    """

    def __init__(self, engine: ArrayEngine[Any, Any, Any]) -> None:
        self.engine = engine
        self.outcomes: list[Json] | None = None
        self.drawn: list[int] = []
        self.points: list[int] = [0]
        self.gained: list[int] = [0] * engine.num_players

    if TYPE_CHECKING:
        seed: int
        episode: int
        round: int
        finished: bool
        seat: int
        kind: int
        scores: list[list[int]]

    def __getattr__(self, name: str) -> Json:
        """Returns a field of the state."""
        if name == "engine":  # pickle and copy ask for attributes before there is one
            raise AttributeError(name)
        return getattr(self.engine.state, name)[0].tolist()

    def copy(self) -> _Position:
        """Returns an independent copy."""
        return _Position(self.engine.copy())

    def play(self, action: int) -> None:
        """Plays a legal action."""
        before, self.engine._given = self.engine.totals[0], self.outcomes
        result = self.engine.step([action])
        self.engine._given = None
        self.drawn, self.points = self.engine._drawn, result.points.tolist()
        self.gained = (self.engine.totals[0] - before).tolist()

    def legal_set(self) -> int:
        """Returns the legal actions as a set: bit i stands for action i."""
        packed = np.packbits(self.engine.legal_action_mask()[0], bitorder="little")
        return int.from_bytes(packed.tobytes(), "little")


class ArrayGame(
    ArrayRules[ConfigT, ArrayStateT, DealT],
    SingleGame[ConfigT, ArrayStateT, DealT, ArrayView, _Position],
):
    """One game, played by the game's engine for batches.

    Attributes:
        ENGINE: that engine.
    """

    ENGINE: ClassVar[type[ArrayEngine[Any, Any, Any]]]

    def _to_state(self) -> ArrayStateT:
        return self.position.engine.state.copy()

    def _from_state(self, state: ArrayStateT) -> _Position:
        return _Position(self.ENGINE.from_state(self.config, state, check=False, autoreset=False))

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P]."""
        return self.position.engine.winners()[0].tolist()

    def _legal_actions(self) -> int:
        return self.position.legal_set()

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return self.position.engine.observe(int(seat))[0]

    def _apply(self, position: _Position, action: int) -> int:
        position.play(action)
        return position.legal_set()

    def _gained(self) -> list[int]:
        return self.position.gained


class ArrayRecorder(GameRecorder[BaseConfig, ArrayState]):
    """Plays an `ArrayGame` and records it; deals are recorded as their arrays."""

    GAME: ClassVar[type[ArrayGame[Any, Any, Any]]]

    @staticmethod
    def begun(state: ArrayState) -> NDArray[np.bool_]:
        """Returns which games of a state have begun, [N]."""
        return np.asarray(state.moves > 0)

    @classmethod
    def read_deal(cls, config: BaseConfig, record: Record) -> DealArrays:
        """Returns the deal that a record holds."""
        deal = record["deal"]
        return cls.GAME.DEAL(
            **{name: np.array([deal[name]]) for name in cls.GAME.DEAL.__match_args__}
        )

    def _deal(self) -> Record:
        return {name: getattr(self.game.position, name) for name in self.GAME.DEAL.__match_args__}

    def check(self, record: Record) -> None:
        """Raises RecordError unless the deal of a record equals the one that is played."""
        compare("deal", record["deal"], self._header["deal"])


def move_lines(before: View, after: View) -> tuple[LogLine, ...]:
    """Returns the line of a log that says which action was played."""
    move = after.last
    return () if move is None else (LogLine(move.seat, f"plays {move.action}"),)


def array_spec(
    engine: type[ArrayEngine[Any, Any, Any]],
    game: type[ArrayGame[Any, Any, Any]],
    *,
    title: str,
    sealed: tuple[str, ...] = (),
) -> GameSpec:
    """Returns the spec of a game on arrays.

    Args:
        engine: the game's `ArrayEngine`.
        game: the game's `ArrayGame`.
        title: as people write it.
        sealed: kinds of decisions that all seats make before anyone knows another's, each once a
            round.
    """
    game_recorder = type("GameRecorder", (ArrayRecorder,), {"GAME": game})
    recorder = type("Recorder", (Recorder,), {"GAME_RECORDER": game_recorder})
    return GameSpec(
        title=title,
        engine=engine,
        game=game,
        records=GameRecords(recorder),
        lines=move_lines,
        sealed=sealed,
    )
