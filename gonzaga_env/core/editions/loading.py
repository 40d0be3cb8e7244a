"""Reads and writes an edition's four TOML files; one with faults is refused, naming all (R9.2)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal

from gonzaga_env.core.edition import EDITIONS, Barrier, Cell, Edition, Fief, Scenario, Site, Size
from gonzaga_env.core.editions.generating import generated, is_generated
from gonzaga_env.core.editions.validate import FILES, fault_text, find_faults, region_of
from gonzaga_env.kernel.bounded import TOML_BYTES, parse_toml, read_file
from gonzaga_env.kernel.editions import (
    Check,
    Content,
    any_text,
    boolean,
    entries,
    faults_error,
    integer,
    list_of,
    names,
    string,
    table,
)
from gonzaga_env.kernel.errors import EditionError
from gonzaga_env.kernel.messages import short_repr

CELL = list_of(integer, 2)

#: How much of the game is played; what is missing is as printed.
SIZE = table(
    {
        **dict.fromkeys(("rounds", "fiefs", "rings", "open_sites_at_end"), integer),
        "objectives": boolean,
    },
    optional=("rounds", "fiefs", "rings", "open_sites_at_end", "objectives"),
)

#: The lists of tables in the files, by their names.
LISTS: Mapping[str, Check] = {
    "city": entries("city", {"name": string, "at": CELL, "symbol": string}),
    "harbor": entries("harbor", {"name": string, "at": CELL, "sea": string}),
    "barrier": entries("barrier", {"name": string, "edges": list_of(list_of(CELL, 2))}),
    "fief": entries(
        "fief", {"number": integer, "cells": list_of(CELL), "castles": list_of(integer)}
    ),
    "scenario": entries(
        "scenario", {"name": string, "players": integer, "flourishing": list_of(string)}
    ),
}
SCHEMA: Mapping[str, Check] = {
    "board": table(
        {
            "name": string,
            "reconstruction": boolean,
            "map": any_text,
            "regions": names,
            "seas": names,
            "size": SIZE,
            **{name: LISTS[name] for name in ("city", "harbor", "barrier")},
        },
        optional=("barrier", "size"),
    ),
    "fiefs": table({"fief": LISTS["fief"]}),
    "scenarios": table({"scenario": LISTS["scenario"]}),
    "objectives": table({"objective": entries("objective", {"symbols": list_of(string, 2)})}),
}


#: Placeholder for a file that can't be read, so that the others are still checked.
EMPTY: dict[str, Content] = {
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
        raise faults_error(edition.source, faults)
    return edition


def read_edition(name_or_path: str | Path) -> tuple[Edition, list[str]]:
    """Returns an edition, which may not be playable, and all its faults.

    Files that can't be read leave their part of it empty. EditionError if there is no such edition
    (see `load_edition`).
    """
    if is_generated(name_or_path):
        return generated(str(name_or_path), load_edition("europe")), []
    folder = _folder(name_or_path)
    edition, faults = _parsed(folder, tuple(_text(folder / f"{file}.toml") for file in FILES))
    return edition, list(faults)


@lru_cache(maxsize=64)  # parsing takes longer than some games
def _parsed(folder: Path, texts: tuple[bytes | str, ...]) -> tuple[Edition, tuple[str, ...]]:
    """Returns the edition of four files' texts, and all faults; a str says why there is no text."""
    content: dict[str, Content] = {}
    faults: list[str] = []
    for file, text in zip(FILES, texts, strict=True):
        if isinstance(text, str):
            faults.append(fault_text(file, "", text))
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


def parse_file(file: str, text: bytes) -> tuple[Content, list[str]]:
    """Returns the content of one of an edition's files, such as "board", and its faults.

    Faults are those of structure, and the content is empty if the text is not TOML; without faults,
    `build_edition` takes it.
    """
    try:
        parsed = parse_toml(text)
    except ValueError as error:
        return {}, [fault_text(file, "", str(error))]
    return parsed, [fault_text(file, place, what) for place, what in SCHEMA[file](parsed)]


def check_edition(edition: Edition) -> None:
    """Raises EditionError if an edition that was made in code has faults."""
    if edition.digest in _valid:
        return
    if faults := find_faults(edition, FILES):
        raise faults_error(edition.source, faults)
    _valid.add(edition.digest)


def build_edition(folder: Path, content: Mapping[str, Content]) -> Edition:
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
        barriers=tuple(
            Barrier(entry["name"], tuple((_pair(a), _pair(b)) for a, b in entry["edges"]))
            for entry in board.get("barrier", [])
        ),
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
    try:
        return read_file(path, TOML_BYTES)
    except FileNotFoundError:
        return "is missing from the folder"
    except OSError as error:
        return f"can't be read: {error.strerror}"
    except ValueError as error:
        return str(error)


def _site(kind: Literal["city", "harbor"], group: str, entry: Content) -> Site:
    return Site(kind, entry["name"], _pair(entry["at"]), group)


def _pair(numbers: list[int]) -> Cell:
    first, second = numbers
    return first, second


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_HEADS = {
    "board": "The map: one mark a hex, odd rows shoved half a hex east, "
    '"." off the map (see docs/edition.md).',
    "fiefs": "Axial cells (q, r): q grows east, r south-east; castles are indices into cells.",
    "scenarios": "The flourishing regions; all others are inactive.",
    "objectives": "Two symbols, hence six cities.",
}


def edition_files(edition: Edition) -> dict[str, str]:
    """Returns the texts of an edition's four files by name; equal editions give equal texts.

    Read from a folder, they give an edition with the same digest. An edition with faults is written
    too. Comments of the files that it was read from are lost.
    """
    blocks = {
        "board": _board(edition),
        "fiefs": [
            _entry("fief", number=fief.number, cells=fief.cells, castles=fief.castles)
            for fief in edition.fiefs
        ],
        "scenarios": [
            _entry("scenario", name=s.name, players=s.players, flourishing=s.flourishing)
            for s in edition.scenarios
        ],
        "objectives": [_entry("objective", symbols=symbols) for symbols in edition.objectives],
    }
    empty = {"fiefs": "fief = []", "scenarios": "scenario = []", "objectives": "objective = []"}
    return {
        f"{file}.toml": f"# {_HEADS[file]}{gap}" + "\n\n".join(blocks[file] or [empty[file]]) + "\n"
        for file, gap in zip(blocks, ("\n", "\n\n", "\n\n", "\n\n"), strict=True)
    }


def _board(edition: Edition) -> list[str]:
    note = "  # not the printed map: that is in no rulebook" if edition.reconstruction else ""
    sites = {"city": edition.cities, "harbor": edition.harbors}
    top = [
        f"name = {_value(edition.name)}",
        f"reconstruction = {_value(edition.reconstruction)}{note}",
        *(f"{kind} = []" for kind, of_kind in sites.items() if not of_kind),
        f'map = """\n{_map(edition)}"""',
    ]
    return [
        "\n".join(top),
        "# mark -> name, in the order of the region cards\n" + _table("regions", edition.regions),
        _table("seas", edition.seas),
        *_size(edition),
        *(block for of_kind in sites.values() for block in _sites(edition, of_kind)),
        *_barriers(edition),
    ]


def _size(edition: Edition) -> Iterator[str]:
    """Yields the table of a small edition: what differs from the printed game."""
    printed = asdict(Size())
    smaller = {k: v for k, v in asdict(edition.size).items() if v != printed[k]}
    if smaller:
        lines = (f"{key} = {_value(value)}" for key, value in smaller.items())
        yield "\n".join(["# a small edition: less than the printed game", "[size]", *lines])


def _map(edition: Edition) -> str:
    """Returns the rows of marks as a multi-line string's lines, odd rows shifted by a blank."""
    wide = max((len(mark) for row in edition.marks for mark in row), default=1)
    rows = (" ".join(_value(mark.ljust(wide))[1:-1] for mark in row) for row in edition.marks)
    lines = (" " * (i % 2) + row for i, row in enumerate(rows))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _table(name: str, names: Mapping[str, str]) -> str:
    keys = (mark if _BARE_KEY.fullmatch(mark) else _value(mark) for mark in names)
    lines = (f"{key} = {_value(text)}" for key, text in zip(keys, names.values(), strict=True))
    return "\n".join([f"[{name}]", *lines])


def _sites(edition: Edition, sites: Iterable[Site]) -> Iterator[str]:
    """Yields one block for each run of sites of the same region, under its name."""
    group = {"city": "symbol", "harbor": "sea"}
    for region, run in groupby(sites, lambda site: region_of(edition, site)):
        entries = (
            _entry(site.kind, name=site.name, at=site.at, **{group[site.kind]: site.group})
            for site in run
        )
        head = [f"# {region}"] if region.isprintable() and region else []
        yield "\n".join([*head, *entries])


def _barriers(edition: Edition) -> Iterator[str]:
    for i, barrier in enumerate(edition.barriers):
        sides = [f"    {_value(edge)},\n" for edge in barrier.edges]
        edges = f"edges = [\n{''.join(sides)}]" if sides else "edges = []"
        head = "# Hex sides, as pairs of neighbouring hexes\n" if i == 0 else ""
        yield f"{head}[[barrier]]\nname = {_value(barrier.name)}\n{edges}"


def _entry(table: str, **keys: object) -> str:
    lines = (f"{key} = {_value(value)}" for key, value in keys.items())
    return "\n".join([f"[[{table}]]", *lines])


def _value(value: object) -> str:
    """Returns a text, number, truth value or list as TOML, which writes them as JSON does."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
