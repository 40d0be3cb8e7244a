"""Records of games whose engine for one game tells what chance turned up.

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

from gonzaga_env.tabletop.bounded import Json
from gonzaga_env.tabletop.config import BaseConfig
from gonzaga_env.tabletop.engines.base import EditionSource
from gonzaga_env.tabletop.engines.decisions import AnyGame
from gonzaga_env.tabletop.errors import EditionError, RecordError
from gonzaga_env.tabletop.records.files import Entry, Record
from gonzaga_env.tabletop.records.replaying import (
    WRONG,
    Fault,
    Replayed,
    brief,
    compare,
    replay_moves,
)
from gonzaga_env.tabletop.state import DealArrays, StateArrays
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
        config = self.recorder.CONFIG

        @lru_cache(maxsize=8)  # checking an edition takes longer than replaying a game
        def load(name: str | Path) -> EditionSource:
            return name if config.load_edition is None else config.load_edition(name)

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
