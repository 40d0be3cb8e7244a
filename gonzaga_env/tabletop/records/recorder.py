"""Records games while an engine plays them, or one game in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.bounded import Json, short_repr
from gonzaga_env.tabletop.engines.batch import AnyEngine, BatchEngine
from gonzaga_env.tabletop.engines.decisions import AnyGame
from gonzaga_env.tabletop.engines.single import SingleGame
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.records.files import Record
from gonzaga_env.tabletop.records.games import GameRecorder, PlayedGame
from gonzaga_env.tabletop.result import StepResult


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
