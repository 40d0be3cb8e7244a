"""Writes an edition as the texts of its four files; `load_edition` reads them back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby

from gonzaga_env.core.board.edition import Edition, Site, Size
from gonzaga_env.core.editions.validate_board import region_of

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_HEADS = {
    "board": "The map: one mark a hex, odd rows shoved half a hex east, "
    '"." off the map (see docs/edition.md).',
    "fiefs": "Axial cells (q, r): q grows east, r south-east; castles are indices into cells.",
    "scenarios": "The flourishing regions; all others are inactive.",
    "objectives": "Two symbols, hence six cities.",
}


def edition_files(edition: Edition) -> dict[str, str]:
    """Returns the names and texts of an edition's files; equal editions give equal texts.

    An edition with faults is written too. Comments of the files that it was read from are lost.

    Returns:
        The texts by name: "board.toml", "fiefs.toml", "scenarios.toml" and "objectives.toml". Read
        from a folder, they give an edition with the same digest.
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
    top = [
        f"name = {_value(edition.name)}",
        f"reconstruction = {_value(edition.reconstruction)}{note}",
        *(f"{kind} = []" for kind, sites in _sites_by_kind(edition).items() if not sites),
        f'map = """\n{_map(edition)}"""',
    ]
    return [
        "\n".join(top),
        "# mark -> name, in the order of the region cards\n" + _table("regions", edition.regions),
        _table("seas", edition.seas),
        *_size(edition),
        *(block for sites in _sites_by_kind(edition).values() for block in _sites(edition, sites)),
        *_barriers(edition),
    ]


def _size(edition: Edition) -> Iterator[str]:
    """Yields the table of a small edition: what differs from the printed game."""
    printed = asdict(Size())
    smaller = {k: v for k, v in asdict(edition.size).items() if v != printed[k]}
    if smaller:
        lines = (f"{key} = {_value(value)}" for key, value in smaller.items())
        yield "\n".join(["# a small edition: less than the printed game", "[size]", *lines])


def _sites_by_kind(edition: Edition) -> dict[str, tuple[Site, ...]]:
    return {"city": edition.cities, "harbor": edition.harbors}


def _map(edition: Edition) -> str:
    """Returns the rows of marks as a multi-line string's lines, odd rows shifted by a blank."""
    wide = max((len(mark) for row in edition.marks for mark in row), default=1)
    rows = (" ".join(_escaped(mark.ljust(wide)) for mark in row) for row in edition.marks)
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


def _escaped(text: str) -> str:
    return _value(text)[1:-1]
