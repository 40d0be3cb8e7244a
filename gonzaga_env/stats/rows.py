"""Rows of data from records: one for each seat of a game, and one for each move; as frames, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.kernel.bounded import shown_name
from gonzaga_env.kernel.errors import MissingPackageError, RecordError
from gonzaga_env.kernel.records import Record, read_entries
from gonzaga_env.kernel.spec import GameSpec

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
_BROKEN = (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError)
_DEAL = ("decks", "objectives", "deal")  # what identifies a deal without a seed


@dataclass(frozen=True)
class RecordedGame:
    """A game as rows of plain values."""

    file: Path  # where it is recorded
    line: int  # the number of its line, from 1
    spec: GameSpec  # the game
    record: Record  # as it was read
    seats: list[Row]  # a row for each seat: what the game is, and that seat's results
    moves: list[Row]  # a row for each move


@dataclass
class Skipped:
    """Lines that were read but are not counted."""

    truncated: list[Path] = field(default_factory=list)  # files whose last line is incomplete
    others: list[Path] = field(default_factory=list)  # files of a folder that hold no records
    repeated: int = 0  # games that had been read before


def read_games(path: str | Path, skipped: Skipped | None = None) -> Iterator[RecordedGame]:
    """Yields the games of a file, or of all files `*.jsonl` below a folder, each once.

    Records are not verified against the rules: `gonzaga replay` does that.

    Args:
        path: the file or folder.
        skipped: collects what isn't counted.

    Raises:
        RecordError: a file or a line but the last can't be read, or there are no games.
    """
    skipped = Skipped() if skipped is None else skipped
    path, seen = Path(path), set[bytes]()
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    for game in chain.from_iterable(_games(file, skipped, path == file) for file in files):
        digest = sha256(json.dumps(game.record, sort_keys=True).encode()).digest()
        skipped.repeated += digest in seen
        if digest not in seen:
            seen.add(digest)
            yield game
    if not seen:
        raise RecordError(f"{path}: holds no games{'' if path.is_file() else ' in *.jsonl'}")


def _games(file: Path, skipped: Skipped, is_alone: bool) -> Iterator[RecordedGame]:
    fault: RecordError | None = None
    for entry in read_entries(file):
        if fault is not None:
            raise fault
        record = entry.record
        if isinstance(record, RecordError):
            fault = RecordError(f"{file}, line {entry.line}: {record}")
        elif entry.line == 1 and "moves" not in record and not is_alone:
            skipped.others.append(file)
            return
        else:
            yield _recorded(file, entry.line, record)
    if fault is not None:  # left by an interruption
        skipped.truncated.append(file)


def _recorded(file: Path, line: int, record: Record) -> RecordedGame:
    try:
        spec = game_spec(record.get("game", DEFAULT_GAME))
        moves = _moves(spec, record)
        return RecordedGame(file, line, spec, record, _seats(spec, record, moves), moves)
    except _BROKEN as error:
        missing = isinstance(error, KeyError)
        reason = f"without {error}" if missing else str(error).partition("\n")[0]
        message = f"{file}, line {line}: is no record of a finished game ({reason})"
        raise RecordError(message) from error


def _moves(spec: GameSpec, record: Record) -> list[Row]:
    own = spec.move_columns(record) if spec.move_columns else [{} for _ in record["moves"]]
    rows = []
    for number, (move, columns) in enumerate(zip(record["moves"], own, strict=True), 1):
        seat = _integer(move["seat"])
        if not 0 <= seat < record["num_players"] or not isinstance(move["action"], str):
            raise ValueError(f"move {number} is of no seat or no action")
        points = move.get("points")
        row = {"move": number, "seat": seat, "agent": shown_name(record["agents"][seat])}
        row |= {"action": move["action"], "legal": _integer(move["legal"])}
        row |= {} if isinstance(points, list) or points is None else {"points": _integer(points)}
        rows.append(row | columns)
    return rows


def _seats(spec: GameSpec, record: Record, moves: list[Row]) -> list[Row]:
    num_players, scores, winners = record["num_players"], record["scores"], record["winners"]
    if num_players not in spec.players or not all(
        isinstance(name, str) for name in record["agents"]
    ):
        raise ValueError(f"agents are {record['agents']!r:.100}")
    if not winners or not {*winners} <= {*range(num_players)}:
        raise ValueError(f"winners are {winners!r:.100}")
    game = _identity(spec, record)
    return [
        game
        | {
            "seat": seat,
            "agent": shown_name(record["agents"][seat]),
            "won": (seat in winners) / len(winners),
        }
        | {"num_moves": len(moves), "points": _integer(scores["total"][seat])}
        | {f"points_{source}": _integer(scores[source][seat]) for source in spec.sources}
        for seat in range(num_players)
    ]


def _identity(spec: GameSpec, record: Record) -> Row:
    """Returns the columns that all seats of a game share."""
    game: Row = {"game": spec.name}
    game |= {name: str(record[name]) for name in ("edition", "edition_hash")}
    game["num_players"] = record["num_players"]
    if "scenario" in record:
        game["scenario"] = str(record["scenario"])
    game |= {name: record[name] for name in ("seed", "episode") if name in record}
    game["rules"] = json.dumps(record["rules"], sort_keys=True)
    game["truncated"] = record.get("truncated") is True
    chance = [record.get("seed"), record.get("episode")]
    if chance[0] is None:
        chance = [record.get(key) for key in _DEAL]
    what = [game.get(key) for key in ("game", "edition_hash", "num_players", "scenario", "rules")]
    return game | {"deal": sha256(json.dumps([what, chance]).encode()).hexdigest()[:16]}


def _integer(value: Any) -> int:
    if not isinstance(value, int) or abs(value) > 10**9:
        raise ValueError(f"{value!r:.50} is not an integer of at most a billion")
    return value


_HINT = 'pandas is not installed; run: pip install "gonzaga-env[data]"'


def games_frame(path: str | Path) -> pd.DataFrame:
    """Returns a frame with a row for each seat of each recorded game (docs/records.md).

    Args:
        path: a file of records, or a folder with such files (`*.jsonl`).

    Raises:
        RecordError: the records can't be read, or there are none.
        MissingPackageError: pandas is missing; the message says what to install.
    """
    return _frame([_of(game) | row for game in read_games(path) for row in game.seats])


def moves_frame(path: str | Path) -> pd.DataFrame:
    """Returns a frame with a row for each move of each recorded game; see `games_frame`."""
    return _frame([_of(game) | row for game in read_games(path) for row in game.moves])


def _of(game: RecordedGame) -> Row:
    return {"file": str(game.file), "line": game.line}


def _frame(rows: list[Row]) -> pd.DataFrame:
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        raise MissingPackageError(_HINT, name=error.name) from error
    return pd.DataFrame.from_records(rows)
