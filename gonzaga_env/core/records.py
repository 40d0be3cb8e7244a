"""Records of games: one JSON object per line, one line per game (format: `docs/records.md`).

Replaying a record plays its moves again and compares all that it says about moves, scores and
winners with the rules.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.core.arguments import Integers
from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.result import StepResult
from gonzaga_env.core.board.actions import ACTIONS_VERSION, NUM_PLANS
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.errors import ActionError, EditionError, GonzagaError, RecordError
from gonzaga_env.core.files import write_aside
from gonzaga_env.core.observation.features import OBSERVATIONS_VERSION
from gonzaga_env.core.options import Rules
from gonzaga_env.core.rules.scoring import winners
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.state import SOURCES, State, current_fiefs
from gonzaga_env.version import __version__

RECORD_FORMAT = 1

Record = dict[str, Any]


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
        by_game = [agents] * engine.num_games if isinstance(agents[0], str) else list(agents)
        if [len(names) for names in by_game] != [engine.num_players] * engine.num_games:
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


def _versions() -> Record:
    return {
        "gonzaga_env": __version__,
        "actions": ACTIONS_VERSION,
        "observations": OBSERVATIONS_VERSION,
    }


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Writes records, one per line, completely or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    write_aside(path, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))


def read_records(path: str | Path) -> Iterator[Record]:
    """Yields the records of a file.

    Raises:
        RecordError: the file cannot be read, or a line is not a JSON object.
    """
    try:
        lines = Path(path).read_text("utf-8").removesuffix("\n").split("\n")
    except OSError as error:
        raise RecordError(f"{path}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(
            f"{path}: can't be read: it is not UTF-8 text ({error.reason})"
        ) from error
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise RecordError(f"{path}, line {number}: not JSON: {error.msg}") from error
        if not isinstance(record, dict):
            raise RecordError(f"{path}, line {number}: a record is a JSON object")
        yield record


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
        moves = recorder._open[0]["moves"]
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
    except GonzagaError as error:
        raise RecordError(str(error)) from error
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise RecordError(f"a field is missing or has the wrong type: {error!r}") from error
    return engine


def engine_from_record(record: Record, edition: str | Path | Edition | None = None) -> Engine:
    """Returns an engine with the deal of a record, before the first move.

    Args:
        record: a record, as from `Recorder` or `read_records`.
        edition: the edition; None for that of the record.

    Raises:
        GonzagaError: the record has another version or edition, or an invalid deal.
    """
    _compare("format", record["format"], RECORD_FORMAT)
    _compare("version of the actions", record["versions"]["actions"], ACTIONS_VERSION)
    engine = Engine(
        num_players=record["num_players"],
        scenario=record["scenario"],
        edition=record["edition"] if edition is None else edition,
        rules=Rules(**record["rules"]),
        autoreset=False,
    )
    printed = engine.edition
    _compare("edition_hash", record["edition_hash"], printed.digest)
    names = [scenario.name for scenario in printed.scenarios]
    deal = Deal(
        scenario=np.array([names.index(record["scenario"])], dtype=np.uint8),
        decks=np.array([record["decks"]], dtype=np.int64) - 1,
        objectives=np.array(
            [[printed.objectives.index(tuple(pair)) for pair in record["objectives"]]]
        ),
    )
    engine.reset(record["seed"], deal)
    return engine


def _replay_move(engine: Engine, recorder: Recorder, number: int, text: str) -> None:
    if engine.state.finished[0]:
        raise RecordError(f"move {number}: the game is over before it")
    try:
        recorder.step([engine.actions.parse(text)])
    except ActionError as error:
        raise RecordError(f"move {number}: {error}") from error


def _compare(field: str, recorded: Any, expected: Any) -> None:
    if recorded != expected:
        raise RecordError(f"{field}: the record says {recorded!r}, the rules say {expected!r}")
