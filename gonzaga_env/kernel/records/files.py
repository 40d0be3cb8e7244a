"""Files of records. They are read line by line, in bounded memory, as they may hold many games."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from gonzaga_env.kernel.bounded import RECORD_LINE, Json, parse_json
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.writing import write_aside

MAX_LINE = RECORD_LINE
Record = dict[str, Json]


@dataclass(frozen=True)
class Entry:
    """A line of a file of records."""

    line: int  #: its number, from 1; that of the game too
    end: int  #: bytes of the file up to the end of the line
    record: Record | RecordError  #: the record, or why the line holds none


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Writes records, one per line, completely or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    write_aside(path, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))


def record_files(path: str | Path) -> list[Path]:
    """Returns a file, or the files `*.jsonl` below a folder."""
    path = Path(path)
    if not path.is_dir():
        return [path]
    files = sorted(path.rglob("*.jsonl"))
    for file in files:
        if not file.is_file():
            raise RecordError(f"{file}: is not a regular file")
    return files


def read_records(path: str | Path) -> Iterator[Record]:
    """Yields the records of a file.

    Raises:
        RecordError: the file cannot be read, or a line is not a JSON object.
    """
    for entry in read_entries(path):
        yield _record(path, entry)


def read_record(path: str | Path, game: int) -> Record:
    """Returns one record of a file; other lines may be broken.

    Raises:
        RecordError: the file cannot be read, has no such line, or the line is not a JSON object.
    """
    line = 0
    for line, end, data in _lines(path):
        if line == game:
            return _record(path, Entry(line, end, _parse(data)))
    if not line:
        raise RecordError(f"{path}: holds no games")
    raise RecordError(f"{path} has games 1 to {line}; there is no game {game}")


def read_entries(path: str | Path) -> Iterator[Entry]:
    """Yields the lines of a file, those that hold no record too.

    Raises:
        RecordError: the file cannot be read.
    """
    for line, end, data in _lines(path):
        yield Entry(line, end, _parse(data))


def _record(path: str | Path, entry: Entry) -> Record:
    if isinstance(entry.record, RecordError):
        raise RecordError(f"{path}, line {entry.line}: {entry.record}") from entry.record
    return entry.record


def _lines(path: str | Path) -> Iterator[tuple[int, int, bytes]]:
    """Yields number, end and at most `MAX_LINE` + 1 bytes of each line."""
    try:
        with Path(path).open("rb", buffering=2 * MAX_LINE) as file:
            line = end = 0
            blank = None  # the first of some blank lines, which are no games at the file's end
            while data := file.readline(MAX_LINE + 1):
                line, end = line + 1, end + len(data)
                if len(data) > MAX_LINE and not data.endswith(b"\n"):
                    end += _skip_line(file)
                if not data.strip():
                    blank = blank or (line, end, data)
                    continue
                if blank is not None:
                    yield blank
                    blank = None
                yield line, end, data
    except OSError as error:
        raise RecordError(f"{path}: can't be read: {error.strerror}") from error


def _skip_line(file: BinaryIO) -> int:
    """Reads to the end of a line and returns the number of bytes."""
    skipped = 0
    for data in iter(lambda: file.readline(MAX_LINE), b""):
        skipped += len(data)
        if data.endswith(b"\n"):
            break
    return skipped


def _parse(data: bytes) -> Record | RecordError:
    if len(data) > MAX_LINE:
        return RecordError(f"is longer than {MAX_LINE:,} bytes")
    try:
        record = parse_json(data.removesuffix(b"\n"))
    except ValueError as error:
        return RecordError(str(error))
    return record if isinstance(record, dict) else RecordError("a record is a JSON object")
