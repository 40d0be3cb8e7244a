"""Statistics of recorded games of any kind (docs/records.md): rows of data, frames and means."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gonzaga_env.games import game_spec, named_game
from gonzaga_env.intervals import Estimate, ratio_interval, share_interval
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import MissingPackageError, OptionError, RecordError
from gonzaga_env.kernel.messages import shown_name
from gonzaga_env.kernel.records import Record, read_entries, record_files
from gonzaga_env.kernel.spec import GameSpec

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Json]
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

    Records are not verified against the rules: `gonzaga replay` does that. What isn't counted is
    collected in `skipped`. RecordError if a file or a line but the last can't be read, or there are
    no games.
    """
    skipped = Skipped() if skipped is None else skipped
    path, seen = Path(path), set[bytes]()
    files = record_files(path)
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
        spec = game_spec(named_game(record))
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


def _integer(value: object) -> int:
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


_FEWEST = 3  # deals of an interval


@dataclass
class Mean:
    """A mean of values that belong to deals."""

    # The sum of the values of each deal.
    totals: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    # How many values each deal has.
    counts: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, deal: str, total: float, count: float = 1) -> None:
        """Adds values of a deal: their sum, and how many they are."""
        self.totals[deal] += total
        self.counts[deal] += count

    def interval(self, share: bool = False) -> Estimate | None:
        """Returns the mean with its interval, that of a share or of a ratio; None without values.

        A deal weighs as much as it has values. Fewer than three deals have no interval.
        """
        deals = [deal for deal, count in self.counts.items() if count]
        totals = np.array([self.totals[deal] for deal in deals])
        counts = np.array([self.counts[deal] for deal in deals], float)
        if len(deals) < _FEWEST:
            return Estimate(float(totals.sum() / counts.sum())) if deals else None
        return share_interval(totals, counts=counts) if share else ratio_interval(totals, counts)


SEAT_KEYS = ("scenario", "seat", "agent")
_MOST_VALUES = 12  # of a column of moves that is shown without being asked for
LEGAL, LENGTH, WON, POINTS = "legal actions", "moves a game", "win share", "points"


@dataclass
class Choice:
    """Counts of a value that seats chose in a column of moves, such as a card, and its results."""

    times: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by deal
    # Means of the game's own columns over these moves, by name.
    columns: dict[str, Mean] = field(default_factory=lambda: defaultdict(Mean))
    # The share of the game that the seat won, over these moves.
    won: Mean = field(default_factory=Mean)


@dataclass
class Group:
    """Seats of games that have something in common."""

    seats: Counter[str] = field(default_factory=Counter)  # how many, by deal
    # By name, in the order in which they are shown.
    means: dict[str, Mean] = field(default_factory=lambda: defaultdict(Mean))
    # By column of moves and value.
    choices: dict[str, dict[str, Choice]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Choice))
    )

    def times(self, choice: Choice) -> Mean:
        return Mean({deal: choice.times[deal] for deal in self.seats}, dict(self.seats))


@dataclass
class Section:
    """Groups by the values of some keys; without keys, the one group of all seats."""

    keys: tuple[str, ...]
    groups: dict[tuple[str, ...], Group] = field(default_factory=lambda: defaultdict(Group))


@dataclass
class Report:
    """Statistics of the games of one kind: one game, edition and number of players."""

    spec: GameSpec  # the game
    edition: str  # its name
    edition_hash: str  # its digest
    num_players: int  # P
    sections: list[Section]  # the statistics
    columns: list[str] = field(default_factory=list)  # the columns of moves that are shown
    games: Counter[str] = field(default_factory=Counter)  # how many, by deal
    rules: set[str] = field(default_factory=set)  # the options that were played
    # Seats by agent, for each number of games.
    seats_of: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    truncated: int = 0  # games that ended at a limit

    def add(self, game: RecordedGame) -> None:
        first = game.seats[0]
        self.games[first["deal"]] += 1
        self.rules.add(first["rules"])
        self.truncated += first["truncated"]
        moves: dict[int, list[Row]] = defaultdict(list)
        for move in game.moves:
            moves[move["seat"]].append(move)
        for row in game.seats:
            self.seats_of[row["agent"]][row["seat"]] += 1
            for section in self.sections:
                key = tuple(str(row[name]) for name in section.keys)
                group = section.groups[key]
                _add(group, row, moves[row["seat"]], self.spec)
                if not {"seat", "agent"}.isdisjoint(section.keys):  # else it is 1 / P
                    group.means[WON].add(row["deal"], row["won"])


def _add(group: Group, row: Row, moves: list[Row], spec: GameSpec) -> None:
    """Adds a seat of a game, and the moves of that seat."""
    deal = row["deal"]
    group.seats[deal] += 1
    group.means[LENGTH].add(deal, row["num_moves"])
    group.means[LEGAL].add(deal, sum(move["legal"] for move in moves), len(moves))
    for source in (POINTS, *(f"points_{source}" for source in spec.sources)):
        group.means[source.removeprefix("points_")].add(deal, row[source])
    happened: Counter[str] = Counter()
    for move in moves:
        happened.update({name: value for name, value in move.items() if isinstance(value, bool)})
        _add_choices(group, row, move)
    for name, times in happened.items():
        group.means[name.replace("_", " ")].add(deal, times)


def _add_choices(group: Group, row: Row, move: Row) -> None:
    own = {name: value for name, value in move.items() if isinstance(value, bool | float)}
    for column, value in move.items():
        if isinstance(value, str) and column not in ("agent", "action"):
            choice = group.choices[column][value]
            choice.times[row["deal"]] += 1
            choice.won.add(row["deal"], row["won"])
            for name, number in own.items():
                choice.columns[name].add(row["deal"], number)


def sum_up(games: Iterable[RecordedGame], by: Sequence[str] | None = None) -> list[Report]:
    """Returns a report for each game, edition and number of players.

    `by` has keys that divide the seats (`SEAT_KEYS`) or columns of the game's moves, such as
    "plan"; None shows all seats, and those by seat, scenario and agent. OptionError for others.
    """
    reports: dict[tuple[str, str, int], Report] = {}
    for game in games:
        row = game.seats[0]
        kind = (row["game"], row["edition_hash"], row["num_players"])
        if kind not in reports:
            reports[kind] = _report(game, by)
        reports[kind].add(game)
    for report in reports.values():
        report.columns = _columns(report, by)
    return list(reports.values())


def _report(game: RecordedGame, by: Sequence[str] | None) -> Report:
    row = game.seats[0]
    known = [key for key in SEAT_KEYS if key in row]
    columns = {
        name for move in game.moves for name, value in move.items() if isinstance(value, str)
    }
    columns -= {"agent", "action"}
    for key in by or ():
        if key not in known and key not in columns:
            there = ", ".join([*known, *sorted(columns)])
            raise OptionError(f"--by {key}: {game.spec.title} has {there}")
    if by is None:
        divided = [(), *((key,) for key in known)]
    else:
        divided = [tuple(key for key in dict.fromkeys(by) if key in known)]
    sections = [Section(keys) for keys in divided]
    return Report(game.spec, row["edition"], row["edition_hash"], row["num_players"], sections)


def _columns(report: Report, by: Sequence[str] | None) -> list[str]:
    """Returns the columns of moves to show: those that were asked for, or the short ones."""
    choices: dict[str, set[str]] = defaultdict(set)
    for section in report.sections:
        for group in section.groups.values():
            for column, values in group.choices.items():
                choices[column] |= {*values}
    if by is not None:
        return [key for key in dict.fromkeys(by) if key in choices]
    return [column for column, values in choices.items() if len(values) <= _MOST_VALUES]


def notes(report: Report) -> list[str]:
    """Returns what biases the statistics of these games, a line each (docs/records.md)."""
    found = []
    if report.truncated:
        found.append(
            f"{report.truncated} games ended at a limit; their winners led when it was met"
        )
    if len(report.rules) > 1:
        found.append(f"games of {len(report.rules)} sets of options are mixed")
    uneven = sorted(
        agent
        for agent, seats in report.seats_of.items()
        if len({seats[seat] for seat in range(report.num_players)}) > 1
    )
    if uneven and len(report.seats_of) > 1:
        names = ", ".join(uneven[:5]) + ", ..." * (len(uneven) > 5)
        found.append(f"seats aren't shared evenly by {names}: effects of seat and agent mix")
    return found
