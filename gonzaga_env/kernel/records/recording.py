"""Records games; the single-game engine reports what chance drew.

Such a record is verified without a generator, and can be written by anybody who watched the game.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Integers
from gonzaga_env.kernel.batch import AnyEngine, BatchEngine
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.config import BaseConfig
from gonzaga_env.kernel.engine import ConfigT, StateT
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.records.files import Record
from gonzaga_env.kernel.result import StepResult
from gonzaga_env.kernel.single import AnyGame, SingleGame
from gonzaga_env.kernel.state import DealArrays, StateArrays
from gonzaga_env.version import __version__

RECORD_FORMAT = 1
_LONGEST = 400  # characters of a value in a message


def same(one: Json, other: Json) -> bool:
    """Returns whether two values are equal as JSON, where True and 1 are two."""
    return one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def compare(field: str, recorded: Json, expected: Json) -> None:
    """Raises RecordError unless a record says what the rules say."""
    if not same(recorded, expected):
        raise RecordError(
            f"{field}: the record says {brief(recorded)}, the rules say {brief(expected)}"
        )


def brief(value: object) -> str:
    """Returns a value as text; a record may hold long ones."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class GameRecorder(Generic[ConfigT, StateT]):
    """Plays one game and records it; a game derives its own, which its `Recorder` uses.

    Attributes:
        game: the engine for one game. Its `position` has `drawn` and `points`, what its last
            action drew and scored, and its `play` takes what is drawn.
        moves: the moves so far, as records hold them; do not change them.
    """

    GAME: ClassVar[type[AnyGame]]  #: the class of the game
    #: Keys of a record that configurations take as arguments, beside the edition.
    PLAYED: ClassVar[Sequence[str]] = ("num_players", "rules")
    NAMED: ClassVar[bool] = True  #: whether records name their game

    def __init__(self, game: AnyGame, agents: list[str]) -> None:
        """Starts recording a game that has just been dealt.

        Args:
            game: the game.
            agents: a name for every seat, [P].
        """
        self.game, self.moves = game, list[Record]()
        self._header = self._begin(agents)

    def _begin(self, agents: list[str]) -> Record:
        """Returns what a record says before the moves."""
        game = self.game
        return {
            "format": RECORD_FORMAT,
            "game": game.config.game,
            "edition": game.edition.name,
            "edition_hash": game.edition.digest,
            "num_players": game.num_players,
            "rules": game.rules.as_dict(),
            "seed": game.seed,
            "episode": game.episode,
            "agents": agents,
            "versions": self.versions(),
            "deal": self._deal(),
        }

    @classmethod
    def versions(cls) -> Record:
        """Returns the versions of the package, the actions and the observations."""
        return {"gonzaga_env": __version__, **cls.GAME.VERSIONS}

    @staticmethod
    def begun(state: StateT) -> NDArray[np.bool_]:
        """Returns which games of a state have begun, [N]."""
        raise NotImplementedError

    @staticmethod
    def read_deal(config: ConfigT, record: Record) -> DealArrays:
        """Returns the deal that a record holds."""
        raise NotImplementedError

    @staticmethod
    def check_deal(record: Record) -> None:
        """Raises RecordError for what is wrong with a record's deal in any edition."""

    def _deal(self) -> Record:
        raise NotImplementedError

    def result(self) -> Record:
        """Returns scores and winners of now; a game with more to compare adds it."""
        game = self.game
        by_source = zip(game.SOURCES, map(list, zip(*game.scores, strict=True)), strict=True)
        return {
            "scores": {**dict(by_source), "total": list(game.totals)},
            "winners": [seat for seat, won in enumerate(game.winners()) if won],
        }

    def _before(self) -> Record:
        """Returns what has to be looked up before a move is made."""
        return {"legal": self.game.num_legal()}

    def _move(self, action: int, before: Record) -> Record:
        """Returns what a record says of the move that was just made, besides its seat."""
        game = self.game
        return {
            "action": game.actions.to_text(action),
            **before,
            "points": list(game.position.points),
            "drawn": list(game.position.drawn),
        }

    def check(self, record: Record) -> None:
        """Raises RecordError if a record of this game is wrong in what is not compared anyway."""

    def recorded_outcomes(self, record: Record, move: Record) -> Sequence[Json]:
        """Returns what a recorded move drew, as `Game.play` takes it."""
        return move["drawn"]

    def play(self, action: int, drawn: Sequence[Json] | None = None) -> list[float]:
        """Plays an action (same arguments, result and errors as `Game.play`) and records it."""
        game = self.game
        if game.finished:
            return game.play(action)
        seat, before = game.seat, self._before()
        rewards = game.play(action, drawn)
        self.moves.append({"seat": seat, **self._move(int(action), before)})
        return rewards

    def record(self) -> Record:
        """Returns the record of the game; scores, holdings and winners are those of now."""
        return self._header | {"moves": self.moves} | self.result()


AnyRecorder = GameRecorder[Any, Any]  # of any game


@dataclass
class PlayedGame:
    """A game that an engine plays, and that is played again for its record."""

    recorder: type[AnyRecorder]  # records one game
    config: BaseConfig  # what is played
    first: StateArrays  # the state of the game when it had just been dealt
    agents: list[str]  # a name for every seat
    actions: list[int] = field(default_factory=list)  # those that were played since

    def record(self) -> Record:
        game = self.recorder.GAME.from_config(self.config)
        game.state = self.first
        return play_all(self.recorder(game, self.agents), self.actions)


def play_all(
    recorder: AnyRecorder, actions: Sequence[int], drawn: Sequence[Sequence[Json]] = ()
) -> Record:
    """Plays actions, with what the first ones draw, and returns the record."""
    for number, action in enumerate(actions):
        recorder.play(action, drawn[number] if number < len(drawn) else None)
    return recorder.record()


class Recorder:
    """Plays the games of an engine, or one game, and records them.

    With an engine::

        recorder = Recorder(engine, ["random"] * engine.num_players)
        while not (records := recorder.pop()):
            recorder.step(engine.sample_legal(rng))

    With one game::

        recorder = Recorder(game, ["random"] * game.num_players)
        while not game.finished:
            recorder.play(game.sample_legal(rng))
        record = recorder.record()

    A game of an engine is played again for its record, from its deal and in plain Python, which
    shows what chance drew.

    Attributes:
        GAME_RECORDER: records one game; each game derives its `Recorder` and sets this.
    """

    GAME_RECORDER: ClassVar[type[AnyRecorder]]

    def __init__(
        self, game: AnyEngine | AnyGame, agents: Sequence[str] | Sequence[Sequence[str]]
    ) -> None:
        """Starts recording games that have just been dealt.

        Args:
            game: an engine or a game; its games have not begun.
            agents: a name for every seat, [P], or for every seat of every game, [N][P].

        Raises:
            RecordError: this is no engine or game of the recorder's kind, a game has begun, or the
                number of names is wrong.
        """
        kind = self.GAME_RECORDER
        name = kind.GAME.CONFIG.game
        if not isinstance(game, BatchEngine | SingleGame) or game.config.game != name:
            raise RecordError(f"game is {short_repr(game)}; it takes an Engine or Game of {name!r}")
        self._engine = game
        self._agents = _names_by_game(agents, getattr(game, "num_games", 1), game.num_players)
        if (begun := kind.begun(game.state)).any():
            raise RecordError(f"game {begun.argmax()} has begun; records start with the deal")
        self._open: list[AnyRecorder | PlayedGame]
        if isinstance(game, SingleGame):
            self._open = [kind(game, self._agents[0])]
        else:
            self._open = [self._open_game(game, number) for number in range(game.num_games)]
        self._done: list[Record] = []

    def __repr__(self) -> str:
        return f"<Recorder of {len(self._open)} games>"

    def _open_game(self, engine: AnyEngine, number: int) -> PlayedGame:
        first = engine.state.take(slice(number, number + 1))
        return PlayedGame(self.GAME_RECORDER, engine.config, first, self._agents[number])

    def step(self, actions: Integers | Sequence[int], rows: Integers | None = None) -> StepResult:
        """Steps the engine (same arguments, result and errors) and records the moves.

        Raises:
            RecordError: one game is recorded; use `play`.
        """
        engine, games = self._engine, self._open
        if isinstance(engine, SingleGame):
            raise RecordError("this recorder plays one Game: call play(action)")
        played = np.arange(engine.num_games) if rows is None else np.asarray(rows)
        result = engine.step(actions, rows)
        for number, seat, action in zip(
            played.tolist(), result.seats.tolist(), np.asarray(actions).tolist(), strict=True
        ):
            if seat >= 0:
                games[number].actions.append(action)
        for number in played[result.finished].tolist():
            self._done.append(games[number].record())
            if engine.autoreset:
                games[number] = self._open_game(engine, number)
        return result

    def play(self, action: int, drawn: Sequence[Json] | None = None) -> list[float]:
        """Plays an action of the game (same arguments, result and errors) and records it.

        Raises:
            RecordError: an engine is recorded, use `step`; or this cannot be drawn.
        """
        recorder = self._open[0] if self._open else None
        if not isinstance(recorder, GameRecorder):
            raise RecordError("this recorder steps an Engine: call step(actions)")
        was_over = recorder.game.finished
        rewards = recorder.play(action, drawn)
        if recorder.game.finished and not was_over:
            self._done.append(recorder.record())
        return rewards

    def record(self, game: int = 0) -> Record:
        """Returns the record of a game as far as it has been played; do not change it.

        Before the end, scores, holdings and winners are those of now.
        """
        return self._open[game].record()

    def pop(self) -> list[Record]:
        """Returns the records of games that ended since the last call."""
        done, self._done = self._done, []
        return done


def _names_by_game(agents: object, num_games: int, num_players: int) -> list[list[str]]:
    """Returns a name for every seat of every game; RecordError if there is not one for each."""
    for_all = isinstance(agents, Sequence) and all(isinstance(name, str) for name in agents)
    by_game = [agents] * num_games if for_all else agents
    if not isinstance(by_game, Sequence) or len(by_game) != num_games:
        by_game = [()]
    if not all(
        isinstance(names, Sequence)
        and len(names) == num_players
        and all(isinstance(name, str) for name in names)
        for names in by_game
    ):
        raise RecordError(f"agents take {num_players} names, or {num_players} for each game")
    return [list(names) for names in by_game]
