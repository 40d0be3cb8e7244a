"""Records games while an engine plays them (format: `docs/records.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.board.actions import ACTIONS_VERSION, NUM_PLANS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.features import OBSERVATIONS_VERSION
from gonzaga_env.core.state.state import SOURCES, current_fiefs
from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.records import Record
from gonzaga_env.tabletop.result import StepResult
from gonzaga_env.version import __version__

RECORD_FORMAT = 1


class Recorder:
    """Steps an engine and records its games.

    Example:
        recorder = Recorder(engine, ["random"] * engine.num_players)
        while not (records := recorder.pop()):
            recorder.step(engine.sample_legal(rng))
    """

    def __init__(self, engine: Engine, agents: Sequence[str] | Sequence[Sequence[str]]) -> None:
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
        begun = (engine.state.round > 1) | (engine.state.phase > 0) | (engine.state.num_acted > 0)
        if begun.any():
            raise RecordError(f"game {begun.argmax()} has begun; records start with the deal")
        self._engine = engine
        self._agents = [list(names) for names in by_game]
        self._open = [self._header(game) for game in range(engine.num_games)]
        self._done: list[Record] = []

    def __repr__(self) -> str:
        return f"<Recorder of {self._engine.num_games} games>"

    def step(self, actions: Integers | Sequence[int], rows: Integers | None = None) -> StepResult:
        """Steps the engine (same arguments, result and errors) and records the moves."""
        games = np.arange(self._engine.num_games) if rows is None else np.asarray(rows)
        state = self._engine.state
        fiefs, num_legal = current_fiefs(state), self._engine.num_legal(games)
        result = self._engine.step(actions, rows)
        for i, game in enumerate(games):
            if (seat := int(result.seats[i])) >= 0:
                move = self._move(int(actions[i]), int(fiefs[game, seat]), int(result.points[i]))
                self._open[game]["moves"].append({"seat": seat, **move, "legal": int(num_legal[i])})
        self._close(games[result.finished], result)
        return result

    def record(self, game: int) -> Record:
        """Returns the record of a game as far as it has been played; do not change it."""
        return self._open[game]

    def pop(self) -> list[Record]:
        """Returns the records of games that ended since the last call."""
        done, self._done = self._done, []
        return done

    def _move(self, action: int, fief: int, points: int) -> Record:
        text = self._engine.actions.to_text(action, fief + 1)
        if action < NUM_PLANS:
            return {"action": text}
        tables = self._engine.tables
        row = tables.placements.row(fief, action - NUM_PLANS)
        cells = tables.placements.cells[row]
        hexes = [list(tables.edition.grid.cells[i]) for i in cells if i < tables.num_hexes]
        return {"action": text, "covers": hexes, "points": points}

    def _close(self, games: Integers, result: StepResult) -> None:
        """Finishes the records of games that ended and, with autoreset, starts the next ones."""
        won = winners(self._engine.tables, result.final)
        for i, game in enumerate(games):
            scores = result.final.scores[i].T.tolist()
            record = self._open[game]
            record["scores"] = dict(zip(SOURCES, scores, strict=True))
            record["scores"]["total"] = result.final.totals[i].tolist()
            record["winners"] = np.flatnonzero(won[i]).tolist()
            record["versions"] = _versions()
            self._done.append(record)
            if self._engine.autoreset:
                self._open[game] = self._header(game)

    def _header(self, game: int) -> Record:
        engine, state = self._engine, self._engine.state
        edition = engine.tables.edition
        return {
            "format": RECORD_FORMAT,
            "edition": edition.label,
            "edition_hash": edition.digest,
            "scenario": edition.scenarios[state.scenario[game]].name,
            "num_players": engine.num_players,
            "rules": engine.rules.as_dict(),
            "seed": int(state.seed[game]),
            "episode": int(state.episode[game]),
            "agents": self._agents[game],
            "decks": (state.deck[game] + 1).tolist(),
            "objectives": [list(edition.objectives[i]) for i in state.objective[game]],
            "moves": [],
        }


def record_game(
    config: GameConfig, seed: int, agents: Sequence[str], actions: Sequence[int]
) -> Record:
    """Plays actions from the deal of a seed and returns the record, as far as it goes."""
    engine = Engine.from_config(config, seed=seed, autoreset=False)
    recorder = Recorder(engine, agents)
    for action in actions:
        recorder.step([action])
    return recorder.record(0)


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


def _versions() -> Record:
    return {
        "gonzaga_env": __version__,
        "actions": ACTIONS_VERSION,
        "observations": OBSERVATIONS_VERSION,
    }
