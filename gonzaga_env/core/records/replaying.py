"""Replays records: plays their moves again and compares all that they say with the rules."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.editions.loading import edition_of_record
from gonzaga_env.core.options import Rules
from gonzaga_env.core.records.recorder import RECORD_FORMAT, Recorder
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.state import State
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.records import Record, brief, compare, record_positions, replay_record


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
    engine: Engine = replay_record(Replayed, record, edition)
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
    return record_positions(Replayed, record, edition)


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
    compare("format", record["format"], RECORD_FORMAT)
    compare("version of the actions", record["versions"]["actions"], ACTIONS_VERSION)
    config = GameConfig(
        record["num_players"],
        record["scenario"],
        edition_of_record(record["edition"], record["edition_hash"])
        if edition is None
        else edition,
        Rules(**record["rules"]),
    )
    compare("edition_hash", record["edition_hash"], config.edition.digest)
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
        raise RecordError(f"seed: {brief(record['seed'])}; it takes an integer from 0 to 2^64 - 1")
    for deck in record["decks"]:
        for number in deck:
            if not is_integer(number) or not 1 <= number <= NUM_FIEFS:
                raise RecordError(
                    f"decks: {brief(number)}; they hold the integers 1 to {NUM_FIEFS}"
                )
    names = [scenario.name for scenario in edition.scenarios]
    objectives = [edition.objectives.index(tuple(pair)) for pair in record["objectives"]]
    return Deal(
        scenario=np.array([names.index(record["scenario"])], dtype=np.uint8),
        decks=np.array([record["decks"]], dtype=np.int64) - 1,
        objectives=np.array([objectives]),
    )


class Replayed:
    """A game that a record is compared with (see `tabletop.records.Replayed`)."""

    def __init__(self, record: Record, edition: str | Path | Edition | None) -> None:
        self.game = engine_from_record(record, edition)
        self._recorder = Recorder(self.game, record["agents"])
        self._record = self._recorder.record(0)
        self.moves: list[Record] = self._record["moves"]

    @property
    def state(self) -> State:
        """A snapshot of the state."""
        return self.game.state.copy()

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(self.game.state.finished[0])

    def play(self, move: Mapping[str, Any]) -> tuple[()]:
        """Plays a move of the record, which turns up nothing."""
        self._recorder.step([self.game.actions.parse(move["action"])])
        return ()

    def result(self) -> Record:
        """Returns what the record must say about the finished game."""
        return {key: self._record[key] for key in ("scores", "winners")}
