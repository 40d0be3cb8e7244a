"""Files of analyses: one JSON object a line, one line a game, added to as games are analysed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters, digits
from typing import Self

from gonzaga_env.tabletop.bounded import file_errors, parse_json
from gonzaga_env.tabletop.bounded.limits import ANALYSIS_LINE
from gonzaga_env.tabletop.errors import OptionError

from ..units.log import Log
from .analysis import FORMAT, Analysis, AnalysisError

_BEGINNING, _DIGEST = f'{{"format": {FORMAT}, "game": "'.encode(), b'", "digest": "'
_NAME = f"{ascii_letters}{digits}_-".encode()  # letters of a game's name


def parse_analysis(line: bytes | str) -> Analysis:
    """Returns the analysis in a line.

    Raises:
        AnalysisError: it holds none.
    """
    if len(line) > ANALYSIS_LINE:
        raise AnalysisError(f"is longer than {ANALYSIS_LINE:,} bytes")
    try:
        content = parse_json(line.rstrip())
    except ValueError as error:
        raise AnalysisError(f"not an analysis: {error}") from error
    if not isinstance(content, dict):
        raise AnalysisError("not an analysis: it is not a JSON object")
    return Analysis.from_dict(content)


class AnalysesFile(Log):
    """Adds analyses to a file, within a `with` block.

    Complete lines stay; half an analysis at the end, which an interruption left, is dropped; a file
    with anything else is left as it is.
    """

    def __init__(self, path: str | Path) -> None:
        """Takes the path; nothing is changed yet."""
        super().__init__(path)
        self._places: dict[str, tuple[int, int]] = {}  # start and length by digest

    def __enter__(self) -> Self:
        """Opens the file, or makes a new one.

        Raises:
            AnalysisError: it holds something else.
            OptionError: it cannot be written.
            LockedError: another process writes to it.
        """
        super().__enter__()
        try:
            self.keep(self._read())
        except BaseException:
            self._file.close()
            raise
        return self

    def get(self, digest: str) -> Analysis | None:
        """Returns the last analysis of a record in the file; None if there is none."""
        if digest not in self._places:
            return None
        start, length = self._places[digest]
        return parse_analysis(os.pread(self._file.fileno(), length, start))

    def add(self, analysis: Analysis) -> None:
        """Adds an analysis.

        Raises:
            OptionError: it could not be written, or would be too long to be read; the file is as
                it was.
        """
        start, line = os.fstat(self._file.fileno()).st_size, analysis.as_json()
        if (length := len(line.encode()) + 1) > ANALYSIS_LINE:
            raise OptionError(
                f"{self.path}: the analysis takes {length:,} bytes; a line takes "
                f"{ANALYSIS_LINE:,}: ask fewer agents"
            )
        self.write(line)
        self._places[analysis.digest] = start, length

    def _read(self) -> int:
        """Notes where the analyses lie, and returns the bytes of all whole lines."""
        start = 0
        for number, line in enumerate(_lines(self.path), start=1):
            if len(line) <= ANALYSIS_LINE and _is_half(line):
                break
            with file_errors(f"{self.path}, line {number}", AnalysisError):
                self._places[parse_analysis(line).digest] = start, len(line)
            start += len(line)
        return start


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while line := file.readline(ANALYSIS_LINE + 1):
            yield line


def _is_half(line: bytes) -> bool:
    """Returns whether a line is the beginning of an analysis that was cut short."""
    if line.endswith(b"\n"):
        return False
    if not line.startswith(_BEGINNING):
        return _BEGINNING.startswith(line)
    rest = line.removeprefix(_BEGINNING).lstrip(_NAME)
    return rest.startswith(_DIGEST[: len(rest)])
