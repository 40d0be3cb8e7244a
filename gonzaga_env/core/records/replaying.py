"""Replays records: plays their moves again and compares all that they say with the rules."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.core.records.recorder import RECORD_FORMAT, Recorder
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.state import State
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.errors import ActionError, EditionError, GameError, RecordError
from gonzaga_env.tabletop.records import Record

#: What replaying a record raises where it is not one: a typed error, or a field of another type.
WRONG = (
    *(GameError, KeyError, TypeError, IndexError, AttributeError, ValueError),
    *(OverflowError, RecursionError),
)
_LONGEST = 400  # characters of a value in a message


def replay(record: Record, edition: str | Path | Edition | None = None) -> Engine:
    """Replays a record and compares edition, deal, moves, scores and winners with the rules.

    Args:
        record: a record, as from `Recorder` or `read_records`.
        edition: the edition; None for that of the record.

    Returns:
        The engine with the finished game.

    Raises:
        RecordError: something is missing, unknown or different; the message names the first.
        EditionError: the edition cannot be found or has faults.
    """
    steps = positions(record, edition)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            engine: Engine = stop.value
            return engine


def positions(
    record: Record, edition: str | Path | Edition | None = None
) -> Generator[State, None, Engine]:
    """Yields the state before every move of a record and verifies the record like `replay`.

    Args:
        record: a record, as from `Recorder` or `read_records`.
        edition: the edition; None for that of the record.

    Yields:
        A state of one game for each of `record["moves"]`, each independent of the others.

    Returns:
        The engine with the finished game.

    Raises:
        RecordError: something is missing, unknown or different; the states before it have been
            yielded.
        EditionError: the edition cannot be found or has faults.
    """
    try:
        engine = engine_from_record(record, edition)
        recorder = Recorder(engine, record["agents"])
        moves = recorder.record(0)["moves"]
        for number, move in enumerate(record["moves"]):
            yield engine.state.copy()
            _replay_move(engine, recorder, number, move["action"])
            for key in moves[number] | move:
                _compare(f"move {number}, {key}", move.get(key), moves[number].get(key))
        ended = recorder.pop()
        if not ended:
            raise RecordError(f"the game is not over after {len(moves)} moves")
        for key in ("scores", "winners"):
            _compare(key, record[key], ended[0][key])
    except (EditionError, RecordError):
        raise
    except GameError as error:
        raise RecordError(str(error)) from error
    except WRONG as error:
        raise RecordError(f"a field is missing or has the wrong type: {_short(error)}") from error
    return engine


def engine_from_record(record: Record, edition: str | Path | Edition | None = None) -> Engine:
    """Returns an engine with the deal of a record, before the first move.

    Args:
        record: a record, as from `Recorder` or `read_records`.
        edition: the edition; None for that of the record.

    Raises:
        GameError: the record has another version or edition, or an invalid deal.
    """
    config = read_config(record, edition)
    engine = Engine.from_config(config, autoreset=False)
    engine.reset([record["seed"]], read_deal(record, config.edition))
    return engine


def read_config(record: Record, edition: str | Path | Edition | None = None) -> GameConfig:
    """Returns what a record is a game of.

    Raises:
        GameError: the record has another version or edition, or wrong options or names.
        KeyError, TypeError: a field is missing or has another type.
    """
    _compare("format", record["format"], RECORD_FORMAT)
    _compare("version of the actions", record["versions"]["actions"], ACTIONS_VERSION)
    config = GameConfig(
        record["num_players"],
        record["scenario"],
        record["edition"] if edition is None else edition,
        Rules(**record["rules"]),
    )
    _compare("edition_hash", record["edition_hash"], config.edition.digest)
    agents = record["agents"]
    if not isinstance(agents, list) or not all(isinstance(name, str) for name in agents):
        raise RecordError("agents: they take a list of names")
    if len(agents) != config.num_players:
        raise RecordError(f"agents: {len(agents)} names for {config.num_players} players")
    return config


def read_deal(record: Record, edition: Edition) -> Deal:
    """Returns the deal of a record, of one game.

    Raises:
        RecordError: a number is not an integer, or out of range.
        KeyError, TypeError, ValueError: a field is missing or has another type, or there is no
            such scenario or objective.
    """
    if not is_integer(record["seed"]) or not 0 <= record["seed"] < 2**64:
        raise RecordError(f"seed: {_short(record['seed'])}; it takes an integer from 0 to 2^64 - 1")
    for deck in record["decks"]:
        for number in deck:
            if not is_integer(number) or not 1 <= number <= NUM_FIEFS:
                raise RecordError(
                    f"decks: {_short(number)}; they hold the integers 1 to {NUM_FIEFS}"
                )
    names = [scenario.name for scenario in edition.scenarios]
    objectives = [edition.objectives.index(tuple(pair)) for pair in record["objectives"]]
    return Deal(
        scenario=np.array([names.index(record["scenario"])], dtype=np.uint8),
        decks=np.array([record["decks"]], dtype=np.int64) - 1,
        objectives=np.array([objectives]),
    )


def _replay_move(engine: Engine, recorder: Recorder, number: int, text: str) -> None:
    if engine.state.finished[0]:
        raise RecordError(f"move {number}: the game is over before it")
    try:
        recorder.step([engine.actions.parse(text)])
    except ActionError as error:
        raise RecordError(f"move {number}: {error}") from error


def _compare(field: str, recorded: Any, expected: Any) -> None:
    if recorded != expected:
        raise RecordError(
            f"{field}: the record says {_short(recorded)}, the rules say {_short(expected)}"
        )


def _short(value: Any) -> str:
    """Returns a value as text; a record may hold long ones."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
