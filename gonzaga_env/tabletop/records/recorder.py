"""Records games while an engine plays them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.records.files import Record
from gonzaga_env.tabletop.result import StepResult


class EngineRecorder:
    """Steps an engine and records its games; a game derives its recorder from this.

    Example::

        recorder = Recorder(engine, ["random"] * engine.num_players)
        while not (records := recorder.pop()):
            recorder.step(engine.sample_legal(rng))
    """

    def __init__(self, engine: Any, agents: Sequence[str] | Sequence[Sequence[str]]) -> None:
        """Starts recording games that have just been dealt.

        Args:
            engine: the engine, whose games have not begun.
            agents: a name for every seat, [P], or for every seat of every game, [N][P].

        Raises:
            RecordError: a game has begun, or the number of names is wrong.
        """
        for_all = isinstance(agents, Sequence) and all(isinstance(name, str) for name in agents)
        by_game: Any = [agents] * engine.num_games if for_all else agents
        if not _are_names(by_game, engine.num_games, engine.num_players):
            raise RecordError(
                f"agents take {engine.num_players} names, or {engine.num_players} for each game"
            )
        self._engine = engine
        if (begun := self._begun()).any():
            raise RecordError(f"game {begun.argmax()} has begun; records start with the deal")
        self._agents = [list(names) for names in by_game]
        self._open: list[Any] = [self._open_game(game) for game in range(engine.num_games)]
        self._done: list[Record] = []

    def __repr__(self) -> str:
        return f"<Recorder of {self._engine.num_games} games>"

    def step(self, actions: Integers | Sequence[int], rows: Integers | None = None) -> StepResult:
        """Steps the engine (same arguments, result and errors) and records the moves."""
        games = np.arange(self._engine.num_games) if rows is None else np.asarray(rows)
        before = self._before(games)
        result: StepResult = self._engine.step(actions, rows)
        for i, game in enumerate(games.tolist()):
            if result.seats[i] >= 0:
                self._add_move(game, i, int(actions[i]), result, before)
        for i, game in enumerate(games[result.finished].tolist()):
            self._done.append(self._close_game(game, result.final.take(slice(i, i + 1))))
            if self._engine.autoreset:
                self._open[game] = self._open_game(game)
        return result

    def pop(self) -> list[Record]:
        """Returns the records of games that ended since the last call."""
        done, self._done = self._done, []
        return done

    def _begun(self) -> NDArray[np.bool_]:
        """Returns which games have begun, [N]."""
        raise NotImplementedError

    def _open_game(self, game: int) -> Any:
        """Returns what is kept of a game that was dealt."""
        raise NotImplementedError

    def _before(self, games: Integers) -> Any:
        """Returns what a step changes and moves hold, for M games."""

    def _add_move(self, game: int, i: int, action: int, result: StepResult, before: Any) -> None:
        """Adds a move; game and seat are the i-th of the step."""
        raise NotImplementedError

    def _close_game(self, game: int, final: Any) -> Record:
        """Returns the record of a game that has ended; `final` is its state."""
        raise NotImplementedError


def _are_names(by_game: Any, num_games: int, num_players: int) -> bool:
    """Returns whether there is a name for every seat of every game."""
    if not isinstance(by_game, Sequence) or len(by_game) != num_games:
        return False
    return all(
        isinstance(names, Sequence)
        and len(names) == num_players
        and all(isinstance(name, str) for name in names)
        for names in by_game
    )
