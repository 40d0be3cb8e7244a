"""The spec of a game whose rules are written once, on arrays, and its records."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arrays.engines import ArrayEngine, ArrayGame
from gonzaga_env.tabletop.records import GameRecorder, GameRecords, Record, Recorder, compare
from gonzaga_env.tabletop.records.log import LogLine
from gonzaga_env.tabletop.spec import GameParts, GameSpec
from gonzaga_env.tabletop.state import DealArrays

#: Versions of a new game.
FIRST: Mapping[str, int] = MappingProxyType({"actions": 1, "observations": 1})


class ArrayRecorder(GameRecorder):
    """Plays an `ArrayGame` and records it; deals are recorded as their arrays."""

    GAME: ClassVar[type[ArrayGame[Any, Any, Any]]]

    @staticmethod
    def begun(state: Any) -> NDArray[np.bool_]:
        """Returns which games of a state have begun, [N]."""
        return np.asarray(state.moves > 0)

    @classmethod
    def read_deal(cls, config: Any, record: Record) -> DealArrays:
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


def move_lines(before: Any, after: Any) -> tuple[LogLine, ...]:
    """Returns the line of a log that says which action was played."""
    seat, action = after.last
    return (LogLine(seat, f"plays {action}"),)


def array_spec(
    engine: type[ArrayEngine[Any, Any, Any]],
    game: type[ArrayGame[Any, Any, Any]],
    *,
    title: str,
    versions: Mapping[str, int] = FIRST,
    sealed: tuple[str, ...] = (),
    parts: GameParts | None = None,
) -> GameSpec:
    """Returns the spec of a game on arrays.

    Args:
        engine: the game's `ArrayEngine`.
        game: the game's `ArrayGame`.
        title: as people write it.
        versions: of "actions" and "observations".
        sealed: kinds of decisions that all seats make before anyone knows another's, each once a
            round.
        parts: where its agents, pictures and texts are; None where it has none.
    """
    about = {"CONFIG": engine.CONFIG, "SOURCES": engine.SOURCES, "GAME": game, "VERSIONS": versions}
    game_recorder = type("GameRecorder", (ArrayRecorder,), about)
    return GameSpec(
        title=title,
        kinds=engine.KINDS,
        engine=engine,
        check_deal=lambda what, deal, number: engine.from_config(what)._check_deal(deal, number),
        recorder=type("Recorder", (Recorder,), {"GAME_RECORDER": game_recorder}),
        lines=move_lines,
        sealed=sealed,
        parts=parts or GameParts(),
        **GameRecords(game_recorder).for_spec(),
    )
