"""Games whose rules are written once, on arrays: the shortest way to a game.

One game is played as a batch of one here. For a game that many train on, write an engine for one
game in plain Python too, which is much faster (`gonzaga_env.kernel.single`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gonzaga_env.kernel.arguments import Array, Indices, is_integer
from gonzaga_env.kernel.batch import BatchEngine
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.chance import event_words, stream_starts
from gonzaga_env.kernel.config import BaseConfig
from gonzaga_env.kernel.engine import ConfigT, DealT, EngineBase, resampled
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.records import GameRecorder, GameRecords, Record, Recorder, compare
from gonzaga_env.kernel.rows import RowKey, Rows, flat_rows
from gonzaga_env.kernel.single import SingleGame
from gonzaga_env.kernel.spaces import ActionTexts
from gonzaga_env.kernel.spec import GameSpec
from gonzaga_env.kernel.state import ArrayLayout, DealArrays, StateArrays, layout_of
from gonzaga_env.kernel.view import LogLine, Move, Player, View, Viewer, ViewReader

__all__ = [
    "ActionTexts",
    "ArrayEngine",
    "ArrayGame",
    "ArrayRecorder",
    "ArrayRules",
    "ArrayState",
    "ArrayView",
    "Events",
    "array_spec",
]


@dataclass(eq=False, repr=False)
class ArrayState(StateArrays):
    """The arrays of every such game; a game adds its own, and `origin` last."""

    BY_PLAYER = "scores"

    seed: NDArray[np.uint64]  # [N]; with `episode` it decides all chance. Hidden
    episode: NDArray[np.uint32]  # [N], games played before in this row
    event: NDArray[np.uint32]  # [N], the next event of chance
    moves: NDArray[np.uint32]  # [N], actions played
    round: NDArray[np.uint8]  # [N], from 1
    seat: NDArray[np.uint8]  # [N], the seat to act
    kind: NDArray[np.uint8]  # [N], what it decides, index in `KINDS`
    finished: NDArray[np.bool_]  # [N]
    scores: NDArray[np.int16]  # [N, P, S], points by source


ArrayStateT = TypeVar("ArrayStateT", bound=ArrayState)


class Events:
    """The outcomes of chance in M games.

    Attributes:
        given: outcomes that replace chance in one game, as records hold them; None for chance.
        drawn: the outcomes so far, game by game.
    """

    def __init__(self, state: ArrayState, given: Sequence[Json] | None = None) -> None:
        self._state, self.drawn = state, list[int]()
        self.given = None if given is None else list(given)

    def draw(self, places: NDArray[np.bool_], outcomes: range) -> NDArray[np.int64]:
        """Returns one of the outcomes for each place, [M, ...]; 0 at places that are False.

        Args:
            places: True where an outcome is drawn, such as the dice that are rolled, [M, ...].
            outcomes: the possible outcomes, equally likely.

        Raises:
            RecordError: the given ones are too few, or not among the outcomes.
        """
        state, flat = self._state, flat_rows(places)
        events = state.event[:, None] + flat.cumsum(axis=1) - 1
        words = event_words(stream_starts(state.seed, state.episode)[:, None], events)
        found = np.where(flat, outcomes.start + (words % len(outcomes)).astype(np.int64), 0)
        state.event += flat.sum(axis=1).astype(np.uint32)
        if self.given is not None:
            found[flat] = self._take_given(int(flat.sum()), outcomes)
        self.drawn += found[flat].tolist()
        return found.reshape(places.shape)

    def _take_given(self, number: int, outcomes: range) -> list[int]:
        assert self.given is not None
        taken, self.given = self.given[:number], self.given[number:]
        if len(taken) < number or not all(is_integer(one) and one in outcomes for one in taken):
            raise RecordError(
                f"drawn holds {short_repr(taken)}; it takes {number} numbers from "
                f"{outcomes[0]} to {outcomes[-1]}"
            )
        return taken


def put_back(state: StateArrays, rows: Indices | slice, games: StateArrays) -> None:
    """Writes games back to their rows; their arrays may have other types by now."""
    for name, array in state.arrays().items():
        array[rows] = getattr(games, name)


@dataclass(frozen=True, repr=False)
class ArrayView(View):
    """A viewer's knowledge of a game, in plain values."""

    shown: dict[str, Json] = field(hash=False)  # what the game itself shows


class ArrayRules(EngineBase[ConfigT, ArrayStateT, DealT, ArrayView]):
    """The rules of a game, for its `ArrayEngine` and its `ArrayGame`.

    A game implements what raises NotImplementedError here, and `_reason(kind, action)`: why an
    action is illegal, with the rule's number in brackets at the end. States `s` hold M games, none
    of them finished unless stated otherwise. They are copies: change arrays in place, or replace a
    field by an array of another type.

    Attributes:
        DEAL: the class of deals, whose fields are fields of the state.
        SECRET: those fields of the state, [N, P, ...], that only their player knows.
    """

    DEAL: type[DealT]
    SOURCES = ("points",)
    SECRET: ClassVar[tuple[str, ...]] = ()

    def layout(self) -> Mapping[str, ArrayLayout]:
        """Returns the layout of the state's arrays by name, in their order."""
        shapes, fills = self._arrays(self.num_players)
        scores = self.num_players, len(self.SOURCES)
        values = {"seat": (0, self.num_players - 1), "kind": (0, len(self.KINDS) - 1)}
        return layout_of(self.STATE, {"scores": scores, **shapes}, {"round": 1, **fills}, values)

    @classmethod
    def _arrays(
        cls, num_players: int
    ) -> tuple[Mapping[str, tuple[int, ...]], Mapping[str, object]]:
        """Returns shapes, without the game axis, and first values of fields (see `layout_of`)."""
        raise NotImplementedError

    def _setup(self, chance: Events, num_games: int) -> DealT:
        """Draws the deals.

        In the layout, the first value of `event` is the number of places that are drawn here.
        """
        raise NotImplementedError

    def _mask(self, s: ArrayStateT) -> NDArray[np.bool_]:
        """Returns the legal actions of the seats to act, [M, A]."""
        raise NotImplementedError

    def _move(self, s: ArrayStateT, actions: Indices, chance: Events) -> None:
        """Plays legal actions, [M], in `s`."""
        raise NotImplementedError

    def _feature_values(self, s: ArrayStateT, seats: Indices, order: Indices) -> dict[str, Array]:
        """Returns what one seat of each game knows: each feature, [M, ...], by name.

        Args:
            s: the games, which may be over.
            seats: the seats, [M].
            order: all seats, from that seat clockwise, [M, P].
        """
        raise NotImplementedError

    def _redraw(self, s: ArrayStateT, seats: Indices, rng: np.random.Generator) -> None:
        """Redraws what one seat of each game, [M], does not know, except for the seed."""

    def _view_fields(self, s: ArrayStateT, knows: Callable[[int], bool]) -> dict[str, Json]:
        """Returns what a viewer knows of one game, in plain values: by default its own arrays.

        Args:
            s: the game, which may be over.
            knows: whether the viewer knows a seat's secrets.
        """
        known = {*ArrayState.__match_args__, "origin"}
        shown: dict[str, Json] = {
            name: getattr(s, name)[0].tolist()
            for name in self.STATE.__match_args__
            if name not in known
        }
        for name in self.SECRET:
            shown[name] = [one if knows(seat) else None for seat, one in enumerate(shown[name])]
        return shown

    def _move_words(
        self, s: ArrayStateT, seat: int, action: int, knows: Callable[[int], bool]
    ) -> str:
        """Returns the last action in words, as a viewer may know it: sealed ones are hidden.

        Args:
            s: the game, after it.
            seat: who played it.
            action: its index.
            knows: whether the viewer knows a seat's secrets.
        """
        return self.actions.to_text(action)

    def _winners(self, state: ArrayStateT) -> NDArray[np.bool_]:
        """Returns who would win if the games ended now, [N, P]: who has most points."""
        totals = state.scores[..., self.TOTAL].sum(axis=2)
        return totals == totals.max(axis=1, keepdims=True)

    def _draw_deals(self, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> DealT:
        games = self._empty(len(seeds))
        games.seed[:], games.episode[:], games.event[:] = seeds, episodes, 0
        return self._setup(Events(games), len(seeds))

    def check_deal(self, deal: DealT, num_games: int) -> None:
        """Raises OptionError unless a deal is valid for so many games."""
        layout, state = self.layout(), self._empty(num_games)
        shapes = {name: (num_games, *layout[name].shape) for name in self.DEAL.__match_args__}
        self.DEAL.check_arrays(deal, shapes, kinds="iub")
        self._start_games(state, slice(None), state.seed, state.episode, deal)
        if any((getattr(state, name) != array).any() for name, array in vars(deal).items()):
            raise OptionError("deal: a number is too small or too large")

    def _first_seat(self, start: ArrayLike, where: NDArray[np.bool_]) -> Indices:
        """Returns the first seat from a start on, clockwise, where `where` [M, P] holds, [M]."""
        order = (np.asarray(start)[:, None] + np.arange(self.num_players)) % self.num_players
        first = np.take_along_axis(where, order, axis=1).argmax(axis=1)
        return np.take_along_axis(order, first[:, None], axis=1)[:, 0]

    def _write_deal(self, state: ArrayStateT, rows: RowKey, deal: DealT) -> None:
        for name, array in vars(deal).items():
            getattr(state, name)[rows] = array

    def _resample(
        self, state: ArrayStateT, seats: Indices, rng: np.random.Generator, num_samples: int
    ) -> ArrayStateT:
        def draw(games: ArrayStateT, seats: Indices, rng: np.random.Generator) -> None:
            drawn = games.copy()
            self._redraw(drawn, seats, rng)
            put_back(games, slice(None), drawn)

        return resampled(state, seats, rng, num_samples, draw)

    def _view(
        self,
        state: ArrayStateT,
        row: int,
        viewer: Viewer,
        last: tuple[int, int] | None,
        names: Sequence[str],
    ) -> ArrayView:
        reader = ViewReader[ConfigT, ArrayStateT, ArrayView].of(
            self.config, state, row, viewer, names
        )
        one = reader.state
        over = bool(one.finished[0])
        won = (self._winners(one)[0] & over).tolist()
        totals = one.scores[0, :, self.TOTAL].sum(axis=1).tolist()
        return ArrayView(
            game=self.config.game,
            edition=self.edition.name,
            digest=self.edition.digest,
            viewer=reader.viewer,
            round=int(one.round[0]),
            to_act=None if over else int(one.seat[0]),
            decision="over" if over else self.KINDS[int(one.kind[0])],
            players=tuple(
                Player(seat, reader.name(seat), totals[seat], tuple(scores), won[seat])
                for seat, scores in enumerate(one.scores[0].tolist())
            ),
            last=None
            if last is None
            else Move(last[0], self._move_words(one, *last, reader.knows)),
            shown=self._view_fields(one, reader.knows),
        )

    def _describe(self, state: ArrayStateT, action: int) -> str:
        return self.actions.to_text(action)


@dataclass
class _Legal:
    legal: NDArray[np.bool_]  # [N, A]
    num_legal: NDArray[np.int64]  # [N]


class ArrayEngine(
    ArrayRules[ConfigT, ArrayStateT, DealT], BatchEngine[ConfigT, ArrayStateT, DealT, ArrayView]
):
    """N games."""

    _drawn: list[int]  # what the last step drew, game after game
    _given: Sequence[Json] | None  # what the next step draws; None for chance

    def _derive(self) -> None:
        self._drawn, self._given = [], None
        n = self.num_games
        self._games = _Legal(np.zeros((n, self.actions.size), np.bool_), np.zeros(n, np.int64))
        self.IMMEDIATE_SOURCES = np.zeros(len(self.SOURCES), np.int64)
        self.IMMEDIATE_SOURCES[self.TOTAL] = 1
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
        known = self._feature_values(self._state.take(rows.indices), seats, order)
        for feature in self.features:
            value = np.clip(known[feature.name], 0, 255)  # a byte
            out[:, feature.slice] = flat_rows(value)


class _Position:
    """A batch of one in the place of a position in plain Python (see `BasePosition`)."""

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
        if name == "engine":  # pickle and copy ask for attributes before there is one
            raise AttributeError(name)
        return getattr(self.engine.state, name)[0].tolist()

    def copy(self) -> _Position:
        return _Position(self.engine.copy())

    def play(self, action: int) -> None:
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
