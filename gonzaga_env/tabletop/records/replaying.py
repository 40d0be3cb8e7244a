"""Replays records: plays their moves again and compares all that they say with the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from gonzaga_env.tabletop.bounded import Json
from gonzaga_env.tabletop.engines.base import EditionSource
from gonzaga_env.tabletop.errors import ActionError, EditionError, GameError, RecordError
from gonzaga_env.tabletop.records.files import Record

if TYPE_CHECKING:
    from gonzaga_env.tabletop.records.games import GameRecorder

#: What replaying a record raises where it is not one: a typed error, or a field of another type.
WRONG = (
    *(GameError, KeyError, TypeError, IndexError, AttributeError, ValueError),
    *(OverflowError, RecursionError),
)
_LONGEST = 400  # characters of a value in a message
Fault = RecordError | EditionError


class Replayed:
    """One game with the deal of a record, which records itself again."""

    def __init__(self, recorder: GameRecorder, record: Record) -> None:
        """Takes a `GameRecorder` of the game, and the record that it is compared with."""
        self.game = recorder.game  #: the engine that plays it
        self.moves = recorder.moves  #: the moves so far, as records hold them
        self._recorder, self._record = recorder, record

    def play(self, move: Record) -> Sequence[Json]:
        """Plays a move of the record and returns what it turned up, as `Game.play` takes it.

        Raises:
            ActionError, RecordError: the rules say something else.
        """
        drawn = self._recorder.given(self._record, move)
        self._recorder.play(self.game.actions.parse(move["action"]), drawn)
        return drawn

    def result(self) -> Record:
        """Returns what the record must say about the finished game."""
        self._recorder.check(self._record)
        played = {"num_players": self.game.num_players, "rules": self.game.rules.as_dict()}
        return played | self._recorder.result()


#: Returns a game with the deal of a record, before the first move; None for the record's edition.
Start = Callable[[Record, EditionSource | None], Replayed]


def replay_moves(
    start: Start, record: Record, edition: EditionSource | None = None
) -> Iterator[Replayed]:
    """Yields a recorded game before every move and at its end, and verifies the record as it goes.

    It is the same object each time, and goes on with the next.

    Raises:
        RecordError: something is missing, unknown or different; the positions before it have been
            yielded.
        EditionError: the edition cannot be found or has faults.
    """
    try:
        replayed = start(record, edition)
        for number, move in enumerate(record["moves"], start=1):
            yield replayed
            _play(replayed, number, move)
            ours = replayed.moves[-1]
            if not same(move, ours):
                for key in ours | move:
                    compare(f"move {number}, {key}", move.get(key), ours.get(key))
        if not replayed.game.finished:
            raise RecordError(f"the game is not over after {len(replayed.moves)} moves")
        for key, value in replayed.result().items():
            compare(key, record[key], value)
    except (EditionError, RecordError):
        raise
    except GameError as error:
        raise RecordError(str(error)) from error
    except WRONG as error:
        raise RecordError(f"a field is missing or has the wrong type: {brief(error)}") from error
    yield replayed


def _play(replayed: Replayed, number: int, move: Record) -> None:
    if replayed.game.finished:
        raise RecordError(f"move {number}: the game is over before it")
    try:
        replayed.play(move)
    except (ActionError, RecordError) as error:
        raise RecordError(f"move {number}: {error}") from error


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
