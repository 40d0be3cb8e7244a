"""Reads an edition's four TOML files and refuses an edition with faults, naming all (R9.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from gonzaga_env.core.board.edition import (
    EDITIONS,
    Barrier,
    Cell,
    Edition,
    Fief,
    Scenario,
    Site,
    Size,
)
from gonzaga_env.core.editions.fault import Fault
from gonzaga_env.core.editions.generating.named import generated, is_generated
from gonzaga_env.core.editions.schema import SCHEMA
from gonzaga_env.core.editions.validate import FILES, find_faults
from gonzaga_env.tabletop.bounded import parse_toml, short_repr
from gonzaga_env.tabletop.bounded.limits import TOML_BYTES
from gonzaga_env.tabletop.errors import EditionError

#: Placeholder for a file that can't be read, so that the others are still checked.
EMPTY: dict[str, dict[str, Any]] = {
    "board": {
        "name": "",
        "reconstruction": True,
        "map": "",
        "regions": {},
        "seas": {},
        "city": [],
        "harbor": [],
    },
    "fiefs": {"fief": []},
    "scenarios": {"scenario": []},
    "objectives": {"objective": []},
}

MAX_FILE = TOML_BYTES

_valid: set[str] = set()  # digests of editions without faults, which are checked only once


def shipped_editions() -> tuple[str, ...]:
    """Returns the names of the editions that come with the package."""
    return tuple(sorted(path.name for path in EDITIONS.iterdir() if path.is_dir()))


def load_edition(name_or_path: str | Path) -> Edition:
    """Returns a shipped or a generated edition by name, or the one in a folder.

    Args:
        name_or_path: one of `shipped_editions()`, a generated one such as "generated:grow-17", or
            a folder with the files board.toml, fiefs.toml, scenarios.toml and objectives.toml.

    Raises:
        EditionError: there is no such edition, or it has faults; `faults` lists all of them.
    """
    edition, faults = read_edition(name_or_path)
    if faults:
        raise faults_error(edition, faults)
    return edition


def read_edition(name_or_path: str | Path) -> tuple[Edition, list[Fault]]:
    """Returns an edition, which may not be playable, and all its faults.

    Args:
        name_or_path: as in `load_edition`.

    Returns:
        The edition, without the content of files that can't be read, and the faults.

    Raises:
        EditionError: there is no such edition.
    """
    if is_generated(name_or_path):
        return generated(str(name_or_path), load_edition("europe")), []
    folder = _folder(name_or_path)
    edition, faults = _parsed(folder, tuple(_text(folder / f"{file}.toml") for file in FILES))
    return edition, list(faults)


@lru_cache(maxsize=64)  # parsing takes longer than some games
def _parsed(folder: Path, texts: tuple[bytes | str, ...]) -> tuple[Edition, tuple[Fault, ...]]:
    """Returns the edition of four files' texts, and all faults; a str says why there is no text."""
    content: dict[str, Any] = {}
    faults: list[Fault] = []
    for file, text in zip(FILES, texts, strict=True):
        if isinstance(text, str):
            faults.append(Fault(file, "", text))
            continue
        parsed, found = parse_file(file, text)
        faults += found
        if not found:
            content[file] = parsed
    edition = build_edition(folder, {**EMPTY, **content})
    if faults or edition.digest not in _valid:
        faults += find_faults(edition, tuple(file for file in FILES if file in content))
    if not faults:
        _valid.add(edition.digest)
    return edition, tuple(faults)


def parse_file(file: str, text: bytes) -> tuple[dict[str, Any], list[Fault]]:
    """Returns the content of one of an edition's files, and its structural faults.

    Args:
        file: one of `FILES`, such as "board".
        text: the file's content, TOML in UTF-8.

    Returns:
        The content, for `build_edition` if there are no faults; empty if it is not TOML, or over a
        limit.
    """
    try:
        parsed = parse_toml(text)
    except ValueError as error:
        return {}, [Fault(file, "", str(error))]
    return parsed, [Fault(file, place, what) for place, what in SCHEMA[file](parsed)]


def check_edition(edition: Edition) -> None:
    """Checks an edition that was made in code, such as by `dataclasses.replace`.

    Raises:
        EditionError: it has faults.
    """
    if edition.digest in _valid:
        return
    if faults := find_faults(edition, FILES):
        raise faults_error(edition, faults)
    _valid.add(edition.digest)


def faults_error(edition: Edition, faults: Sequence[Fault]) -> EditionError:
    """Returns the error that lists the faults of an edition."""
    number = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    return EditionError(f"the edition in {edition.source} has {number}:", list(map(str, faults)))


def build_edition(folder: Path, content: dict[str, Any]) -> Edition:
    """Returns the edition of four well-formed files' content, without checking its rules."""
    board = content["board"]
    return Edition(
        name=board["name"],
        reconstruction=board["reconstruction"],
        marks=tuple(tuple(line.split()) for line in board["map"].strip().splitlines()),
        regions=dict(board["regions"]),
        seas=dict(board["seas"]),
        cities=tuple(_site("city", entry["symbol"], entry) for entry in board["city"]),
        harbors=tuple(_site("harbor", entry["sea"], entry) for entry in board["harbor"]),
        barriers=tuple(_barrier(entry) for entry in board.get("barrier", [])),
        fiefs=tuple(
            Fief(entry["number"], tuple(map(_pair, entry["cells"])), tuple(entry["castles"]))
            for entry in sorted(content["fiefs"]["fief"], key=lambda entry: entry["number"])
        ),
        scenarios=tuple(
            Scenario(entry["name"], entry["players"], tuple(entry["flourishing"]))
            for entry in content["scenarios"]["scenario"]
        ),
        objectives=tuple(
            (entry["symbols"][0], entry["symbols"][1])
            for entry in content["objectives"]["objective"]
        ),
        source=folder,
        size=Size(**board.get("size", {})),
    )


def _folder(name_or_path: str | Path) -> Path:
    if not isinstance(name_or_path, str | Path) or not str(name_or_path):
        raise EditionError(f"edition is {short_repr(name_or_path)}; it takes a name or a folder")
    if str(name_or_path) in shipped_editions():
        return EDITIONS / name_or_path
    folder = Path(name_or_path)
    try:
        is_folder, exists = folder.is_dir(), folder.exists()
    except (OSError, ValueError):  # a name that no folder can have, such as a very long one
        is_folder = exists = False
    if is_folder:
        return folder
    what = "is a file" if exists else "is neither a shipped edition nor a folder"
    raise EditionError(
        f"{short_repr(str(name_or_path))} {what}; shipped: {', '.join(shipped_editions())}; "
        f"generated: such as generated:grow-17; "
        f"a folder holds {', '.join(f'{file}.toml' for file in FILES)}"
    )


def _text(path: Path) -> bytes | str:
    """Returns the content of a file, one byte over the limit at most; a str says why not."""
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_FILE + 1)
    except FileNotFoundError:
        return "is missing from the folder"
    except OSError as error:
        return f"can't be read: {error.strerror}"


def _site(kind: Literal["city", "harbor"], group: str, entry: dict[str, Any]) -> Site:
    return Site(kind, entry["name"], _pair(entry["at"]), group)


def _barrier(entry: dict[str, Any]) -> Barrier:
    return Barrier(entry["name"], tuple((_pair(a), _pair(b)) for a, b in entry["edges"]))


def _pair(numbers: list[int]) -> Cell:
    first, second = numbers
    return first, second
