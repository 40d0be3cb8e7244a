"""Records games, whose engine for one game tells what chance turned up.

Such a record is verified without a generator, and can be written by anybody who watched the game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Integers
from gonzaga_env.kernel.batch import AnyEngine, BatchEngine
from gonzaga_env.kernel.bounded import Json, short_repr
from gonzaga_env.kernel.config import BaseConfig
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import EditionError, RecordError
from gonzaga_env.kernel.records.files import Entry, Record
from gonzaga_env.kernel.records.replaying import (
    WRONG,
    Fault,
    Replayed,
    brief,
    compare,
    replay_moves,
)
from gonzaga_env.kernel.result import StepResult
from gonzaga_env.kernel.single import AnyGame, SingleGame
from gonzaga_env.kernel.state import DealArrays, StateArrays
from gonzaga_env.version import __version__

RECORD_FORMAT = 1


class GameRecorder:
    """Plays one game and records it; a game derives its own, which its `Recorder` uses.

    Attributes:
        game: the engine for one game. Its `position` has `drawn` and `points`, what its last
            action turned up and scored, and its `play` takes what is turned up.
        moves: the moves so far, as records hold them; do not change them.
    """

    CONFIG: ClassVar[type[BaseConfig]]  #: makes a configuration
    GAME: ClassVar[type[AnyGame]]  #: the class of the game
    #: Keys of a record that `CONFIG` takes as arguments, beside the edition.
    PLAYED: ClassVar[Sequence[str]] = ("num_players", "rules")
    NAMED: ClassVar[bool] = True  #: whether records name their game
    SOURCES: ClassVar[Sequence[str]]  #: the sources of points
    VERSIONS: ClassVar[Mapping[str, int]]  #: of actions and observations

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
        return {"gonzaga_env": __version__, **cls.VERSIONS}

    @staticmethod
    def begun(state: Any) -> NDArray[np.bool_]:
        """Returns which games of a state have begun, [N]."""
        raise NotImplementedError

    @staticmethod
    def read_deal(config: Any, record: Record) -> DealArrays:
        """Returns the deal that a record holds."""
        raise NotImplementedError

    def _deal(self) -> Record:
        """Returns the deal as records hold it."""
        raise NotImplementedError

    def result(self) -> Record:
        """Returns scores and winners of now; a game with more to compare adds it."""
        game = self.game
        by_source = zip(self.SOURCES, map(list, zip(*game.scores, strict=True)), strict=True)
        return {
            "scores": {**dict(by_source), "total": list(game.totals)},
            "winners": [seat for seat, won in enumerate(game.winners()) if won],
        }

    def _legal(self) -> Record:
        """Returns what a move says of the legal actions."""
        return {"legal": self.game.num_legal()}

    def _before(self) -> Any:
        """Returns what has to be looked up before a move is made."""
        return self._legal()

    def _move(self, action: int, before: Any) -> Record:
        """Returns what a record says of the move that was just made, beside its seat."""
        game = self.game
        return {
            "action": game.actions.to_text(action),
            **before,
            "points": list(game.position.points),
            "drawn": list(game.position.drawn),
        }

    def check(self, record: Record) -> None:
        """Raises RecordError if a record of this game is wrong in what is not compared anyway."""

    def given(self, record: Record, move: Record) -> Sequence[Json]:
        """Returns what a recorded move turned up, as `Game.play` takes it."""
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


@dataclass
class PlayedGame:
    """A game that an engine plays, and that is played again for its record."""

    recorder: type[GameRecorder]  # records one game
    config: BaseConfig  # what is played
    first: StateArrays  # the state of the game when it had just been dealt
    agents: list[str]  # a name for every seat
    actions: list[int] = field(default_factory=list)  # those that were played since

    def record(self) -> Record:
        """Returns the record of the game as far as it has been played."""
        game = self.recorder.GAME.from_config(self.config)
        game.state = self.first
        return _played(self.recorder(game, self.agents), self.actions)


def _played(
    recorder: GameRecorder, actions: Sequence[int], drawn: Sequence[Sequence[Json]] = ()
) -> Record:
    for number, action in enumerate(actions):
        recorder.play(action, drawn[number] if number < len(drawn) else None)
    return recorder.record()


@dataclass(frozen=True)
class GameRecords:
    """What a `GameSpec` does with the records of a game."""

    recorder: type[GameRecorder]  #: records one game

    def for_spec(self) -> dict[str, Any]:
        """Returns by name the arguments of a `GameSpec` that records and their recorder decide."""
        kind = self.recorder
        return {
            "name": kind.CONFIG.game,
            "players": tuple(kind.CONFIG.PLAYERS[0]),
            "sources": kind.SOURCES,
            "config": kind.CONFIG,
            "game": kind.GAME,
            "versions": kind.VERSIONS,
            "record": self.record,
            "read_deal": kind.read_deal,
            "replay": self.replay,
            "positions": self.positions,
            "replayed": self.start,
            "verify": self.verify,
        }

    def record(
        self,
        config: BaseConfig,
        seed: int,
        agents: Sequence[str],
        actions: Sequence[int],
        deal: DealArrays | None = None,
        drawn: Sequence[Sequence[Json]] = (),
    ) -> Record:
        """Plays actions from the deal of a seed and returns the record, as far as it goes.

        Args:
            config: what is played.
            seed: decides chance.
            agents: a name for every seat.
            actions: the actions.
            deal: a deal to play instead of the drawn one.
            drawn: what the first actions turned up, where chance does not decide it.
        """
        game = self.recorder.GAME.from_config(config, seed)
        if deal is not None:
            game.reset(seed, deal)
        return _played(self.recorder(game, list(agents)), actions, drawn)

    def game(self, record: Record, edition: EditionSource | None = None) -> AnyGame:
        """Returns a game with the deal of a record, before the first move.

        Raises:
            GameError: the record has another version or edition, or an invalid deal.
            KeyError, TypeError: something is missing or has another type.
        """
        kind = self.recorder
        compare("format", record["format"], RECORD_FORMAT)
        if kind.NAMED:
            compare("game", record["game"], kind.CONFIG.game)
        right = kind.VERSIONS["actions"]
        compare("version of the actions", record["versions"].get("actions", right), right)
        played = {name: record[name] for name in kind.PLAYED}
        config = kind.CONFIG(edition=record["edition"] if edition is None else edition, **played)
        compare("edition_hash", record["edition_hash"], config.edition.digest)
        game = kind.GAME.from_config(config)
        game.reset(0, kind.read_deal(config, record))
        return game

    def start(self, record: Record, edition: EditionSource | None = None) -> Replayed:
        """Returns a game with the deal of a record, which records itself again."""
        game, agents = self.game(record, edition), record["agents"]
        if not isinstance(agents, list) or not all(isinstance(name, str) for name in agents):
            raise RecordError("agents: they take a list of names")
        if len(agents) != game.num_players:
            raise RecordError(f"agents: {len(agents)} names for {game.num_players} players")
        return Replayed(self.recorder(game, agents), record)

    def replay(self, record: Record, edition: EditionSource | None = None) -> AnyGame:
        """Replays a record and compares edition, deal, moves, scores and holdings with the rules.

        Args:
            record: a record, as from a recorder or `read_records`.
            edition: the edition; None for that of the record.

        Returns:
            The finished game.

        Raises:
            RecordError: something is missing, unknown or different; the message names the first.
            EditionError: the edition cannot be found or has faults.
        """
        (replayed,) = deque(replay_moves(self.start, record, edition), maxlen=1)
        return replayed.game

    def positions(
        self, record: Record, edition: EditionSource | None = None
    ) -> Generator[Any, None, AnyGame]:
        """Yields the state before every move of a record and verifies the record like `replay`.

        Yields:
            A state of one game for each of `record["moves"]`.

        Returns:
            The finished game.
        """
        for number, replayed in enumerate(replay_moves(self.start, record, edition)):
            if number < len(record["moves"]):
                yield replayed.game.state
        return replayed.game

    def verify(
        self, entries: Iterable[Entry], edition: EditionSource | None = None
    ) -> Iterator[tuple[Entry, Fault | None]]:
        """Yields each line of a file of records with what is wrong with its game.

        Args:
            entries: lines, as from `read_entries`.
            edition: the edition; None for that of each record.

        Yields:
            The line, and None if all that it says agrees with the rules; else the first fault, as
            `replay` raises it.

        Raises:
            EditionError: the edition given cannot be found or has faults.
        """
        # Checking an edition takes longer than replaying a game.
        load = lru_cache(maxsize=8)(self.recorder.CONFIG.load_edition)
        given = load(edition) if isinstance(edition, str | Path) else edition

        for entry in entries:
            yield entry, self._fault(entry.record, given, load)

    def _fault(
        self,
        record: Record | RecordError,
        given: EditionSource | None,
        load: Callable[[str], EditionSource],
    ) -> Fault | None:
        """Returns what is wrong with the game on one line of a file, if anything."""
        if isinstance(record, RecordError):
            return record
        try:
            named = given is None and isinstance(record["edition"], str)
            self.replay(record, load(record["edition"]) if named else given)
        except (RecordError, EditionError) as error:
            return error
        except WRONG as error:  # of the edition's name
            return RecordError(f"a field is missing or has the wrong type: {brief(error)}")
        return None


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
    shows what chance turned up.

    Attributes:
        GAME_RECORDER: records one game; each game derives its `Recorder` and sets this.
    """

    GAME_RECORDER: ClassVar[type[GameRecorder]]

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
        name = kind.CONFIG.game
        if not isinstance(game, BatchEngine | SingleGame) or game.config.game != name:
            raise RecordError(f"game is {short_repr(game)}; it takes an Engine or Game of {name!r}")
        self._engine: Any = game
        self._agents = _names_by_game(agents, getattr(game, "num_games", 1), game.num_players)
        if (begun := kind.begun(self._engine.state)).any():
            raise RecordError(f"game {begun.argmax()} has begun; records start with the deal")
        if isinstance(game, SingleGame):
            self._open: list[Any] = [kind(game, self._agents[0])]
        else:
            self._open = [self._open_game(number) for number in range(game.num_games)]
        self._done: list[Record] = []

    def __repr__(self) -> str:
        return f"<Recorder of {len(self._open)} games>"

    def _open_game(self, number: int) -> PlayedGame:
        engine = self._engine
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
                games[number] = self._open_game(number)
        return result

    def play(self, action: int, drawn: Sequence[Json] | None = None) -> list[float]:
        """Plays an action of the game (same arguments, result and errors) and records it.

        Raises:
            RecordError: an engine is recorded, use `step`; or this cannot be drawn.
        """
        game = self._engine
        if not isinstance(game, SingleGame):
            raise RecordError("this recorder steps an Engine: call step(actions)")
        was_over = game.finished
        rewards = self._open[0].play(action, drawn)
        if game.finished and not was_over:
            self._done.append(self._open[0].record())
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
