"""Replays records, one by one, and compares them with the rules."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.config import BaseConfig
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import ActionError, EditionError, GameError, RecordError
from gonzaga_env.kernel.messages import short
from gonzaga_env.kernel.records.files import Entry, Record
from gonzaga_env.kernel.records.recording import (
    RECORD_FORMAT,
    AnyRecorder,
    Recorder,
    brief,
    compare,
    play_all,
    same,
)
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.state import DealArrays, StateArrays

#: What replaying a record raises where it is not one: a typed error, or a field of another type.
REPLAY_ERRORS = (
    *(GameError, KeyError, TypeError, IndexError, AttributeError, ValueError),
    *(OverflowError, RecursionError),
)
Fault = RecordError | EditionError
# The tables of an edition take far longer to make than to name, so a file may have them made only
# so often. Those of the last few editions are still there (`core.board.tables.KEPT`).
MOST_MADE, _KEPT = 128, 16


def with_few_editions(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yields lines of a file, with errors for records that change its edition once too often."""
    last: dict[str, None] = {}  # editions by their last use, the most recent at the end
    num_made = 0
    for entry in entries:
        if isinstance(entry.record, dict):
            name = repr(entry.record.get("edition"))
            is_new = name not in last
            if is_new and num_made == MOST_MADE:
                many = (
                    f"edition: the file goes to another more than {MOST_MADE} times; "
                    "sort its games by edition, or divide it into several"
                )
                entry = replace(entry, record=RecordError(many))
            else:
                num_made += is_new
                last.pop(name, None)
                last[name] = None
                if len(last) > _KEPT:
                    del last[next(iter(last))]
        yield entry


class Replayed:
    """One game with the deal of a record, which records itself again."""

    def __init__(self, recorder: AnyRecorder, record: Record) -> None:
        self.game = recorder.game  #: the engine that plays it
        self.moves = recorder.moves  #: the moves so far, as records hold them
        self._recorder, self._record = recorder, record

    def play(self, move: Record) -> Sequence[Json]:
        """Plays a move of the record and returns what it drew, as `Game.play` takes it.

        Raises:
            ActionError, RecordError: the rules say something else.
        """
        drawn = self._recorder.recorded_outcomes(self._record, move)
        self._recorder.play(self.game.actions.parse(move["action"]), drawn)
        return drawn

    def result(self) -> Record:
        """Returns what the record must say about the finished game."""
        self._recorder.check(self._record)
        played = {"num_players": self.game.num_players, "rules": self.game.rules.as_dict()}
        return played | self._recorder.result()


def _play(replayed: Replayed, number: int, move: Record) -> None:
    if replayed.game.finished:
        raise RecordError(f"move {number}: the game is over before it")
    try:
        replayed.play(move)
    except (ActionError, RecordError) as error:
        raise RecordError(f"move {number}: {error}") from error


@dataclass(frozen=True)
class GameRecords:
    """Records, replays and verifies the games of one kind."""

    recorder: type[Recorder]  #: plays the games of an engine, or one game, and records them

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
            drawn: what the first actions drew, where chance does not decide it.
        """
        kind = self.recorder.GAME_RECORDER
        game = kind.GAME.from_config(config, seed)
        if deal is not None:
            game.reset(seed, deal)
        return play_all(kind(game, list(agents)), actions, drawn)

    def read_deal(self, config: BaseConfig, record: Record) -> DealArrays:
        """Returns the deal that a record holds."""
        return self.recorder.GAME_RECORDER.read_deal(config, record)

    def game(self, record: Record, edition: EditionSource | None = None) -> AnyGame:
        """Returns a game with the deal of a record, before the first move.

        Raises:
            GameError: the record has another version or edition, or an invalid deal.
            KeyError, TypeError: something is missing or has another type.
        """
        self._check_header(record)
        kind = self.recorder.GAME_RECORDER
        make = kind.GAME.CONFIG
        played = {name: record[name] for name in kind.PLAYED}
        config = make(edition=record["edition"] if edition is None else edition, **played)
        compare("edition_hash", record["edition_hash"], config.edition.digest)
        game = kind.GAME.from_config(config)
        game.reset(0, kind.read_deal(config, record))
        return game

    def _check_header(self, record: Record) -> None:
        """Checks what takes no edition."""
        kind = self.recorder.GAME_RECORDER
        compare("format", record["format"], RECORD_FORMAT)
        if kind.NAMED:
            compare("game", record["game"], kind.GAME.CONFIG.game)
        right = kind.GAME.VERSIONS["actions"]
        compare("version of the actions", record["versions"].get("actions", right), right)
        if not re.fullmatch("[0-9a-f]{64}", record["edition_hash"]):
            found = brief(record["edition_hash"])
            raise RecordError(f"edition_hash: the record says {found}; it takes a SHA-256")
        kind.check_deal(record)

    def start(self, record: Record, edition: EditionSource | None = None) -> Replayed:
        """Returns a game with the deal of a record, which records itself again."""
        agents, num_players = record["agents"], record["num_players"]
        if not isinstance(agents, list) or not all(isinstance(name, str) for name in agents):
            raise RecordError("agents: they take a list of names")
        if len(agents) != num_players:
            raise RecordError(f"agents: {len(agents)} names for {brief(num_players)} players")
        return Replayed(self.recorder.GAME_RECORDER(self.game(record, edition), agents), record)

    def follow(self, record: Record, edition: EditionSource | None = None) -> Iterator[Replayed]:
        """Yields a recorded game before every move and at its end, and verifies it as it goes.

        It is the same object each time, and goes on with the next.

        Raises:
            RecordError: something is missing, unknown or different; the positions before it have
                been yielded.
            EditionError: the edition cannot be found or has faults.
        """
        try:
            # Whatever takes no edition comes first: generating one takes longer than a game.
            if not [move["action"] for move in record["moves"]]:
                raise RecordError("the game is not over after 0 moves")
            if len(record["scores"]["total"]) != record["num_players"] or not record["winners"]:
                raise RecordError(
                    "scores, winners: they take the points of all players, and who won"
                )
            replayed = self.start(record, edition)
            for number, move in enumerate(record["moves"], start=1):
                yield replayed
                _play(replayed, number, move)
                ours = replayed.moves[-1]
                if not same(move, ours):
                    for key in ours | move:
                        compare(f"move {number}, {short(key)}", move.get(key), ours.get(key))
            if not replayed.game.finished:
                raise RecordError(f"the game is not over after {len(replayed.moves)} moves")
            for key, value in replayed.result().items():
                compare(key, record[key], value)
        except (EditionError, RecordError):
            raise
        except GameError as error:
            raise RecordError(str(error)) from error
        except REPLAY_ERRORS as error:
            raise _wrong_field(error) from error
        yield replayed

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
        (replayed,) = deque(self.follow(record, edition), maxlen=1)
        return replayed.game

    def positions(
        self, record: Record, edition: EditionSource | None = None
    ) -> Generator[StateArrays, None, AnyGame]:
        """Yields the state before every move of a record and verifies the record like `replay`.

        Yields:
            A state of one game for each of `record["moves"]`.

        Returns:
            The finished game.
        """
        for number, replayed in enumerate(self.follow(record, edition)):
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
        if isinstance(edition, str | Path):
            edition = self.recorder.GAME_RECORDER.GAME.CONFIG.load_edition(edition)
        for entry in with_few_editions(entries) if edition is None else entries:
            yield entry, self._fault(entry.record, edition)

    def _fault(self, record: Record | RecordError, edition: EditionSource | None) -> Fault | None:
        """Returns what is wrong with the game on one line of a file, if anything."""
        if isinstance(record, RecordError):
            return record
        try:
            self.replay(record, edition)
        except (RecordError, EditionError) as error:
            return error
        except REPLAY_ERRORS as error:
            return _wrong_field(error)
        return None


def _wrong_field(error: Exception) -> RecordError:
    return RecordError(f"a field is missing or has the wrong type: {brief(error)}")
