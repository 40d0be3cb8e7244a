"""What an edition's four files must contain, before any rule is asked: keys, types and lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Fault = tuple[str, str]  # place inside the file ("" for the file itself), what is wrong
Check = Callable[[Any], Iterator[Fault]]
MAX_NUMBER = 999  # rows, columns, cells and fief numbers are far below


def text(value: Any) -> Iterator[Fault]:
    """Yields a fault unless `value` is a text."""
    if not isinstance(value, str):
        yield "", f"is {_describe(value)}; a text would be right"


def flag(value: Any) -> Iterator[Fault]:
    """Yields a fault unless `value` is true or false."""
    if not isinstance(value, bool):
        yield "", f"is {_describe(value)}; true or false would be right"


def whole(value: Any) -> Iterator[Fault]:
    """Yields a fault unless `value` is a whole number of at most three digits."""
    if type(value) is not int or abs(value) > MAX_NUMBER:  # a bool is an int to isinstance
        yield "", f"is {_describe(value)}; a whole number up to {MAX_NUMBER} would be right"


def list_of(item: Check, length: int | None = None) -> Check:
    """Returns a check for lists whose items all pass `item`."""

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield "", f"is {_describe(value)}; a list would be right"
            return
        if length is not None and len(value) != length:
            yield "", f"has {len(value)} items; {length} would be right"
        for i, entry in enumerate(value, start=1):
            yield from _inside(f"item {i}", item(entry))

    return check


def table(keys: Mapping[str, Check], optional: tuple[str, ...] = ()) -> Check:
    """Returns a check for tables with exactly these keys, less the optional ones."""

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield "", f"is {_describe(value)}; a table would be right"
            return
        for key in sorted(set(value) - set(keys)):
            yield key, f"is an unknown key; these are known: {', '.join(keys)}"
        for key, item in keys.items():
            if key in value:
                yield from _inside(key, item(value[key]))
            elif key not in optional:
                yield key, "is missing"

    return check


def names(value: Any) -> Iterator[Fault]:
    """Yields faults unless `value` is a table of texts."""
    if not isinstance(value, dict):
        yield "", f"is {_describe(value)}; a table of marks and names would be right"
        return
    for key, entry in value.items():
        yield from _inside(key, text(entry))


def entries(kind: str, keys: Mapping[str, Check]) -> Check:
    """Returns a check for a list of tables, written [[kind]], each called by number and name."""
    one = table(keys)

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield "", f"is {_describe(value)}; write each entry under [[{kind}]]"
            return
        for i, entry in enumerate(value, start=1):
            name = entry.get("name") if isinstance(entry, dict) else None
            called = f'{i} "{name}"' if isinstance(name, str) else f"{i}"
            yield from _inside(called, one(entry))

    return check


CELL = list_of(whole, 2)

SCHEMA: Mapping[str, Check] = {
    "board": table(
        {
            "name": text,
            "reconstruction": flag,
            "map": text,
            "regions": names,
            "seas": names,
            "city": entries("city", {"name": text, "at": CELL, "symbol": text}),
            "harbor": entries("harbor", {"name": text, "at": CELL, "sea": text}),
            "barrier": entries("barrier", {"name": text, "edges": list_of(list_of(CELL, 2))}),
        },
        optional=("barrier",),
    ),
    "fiefs": table(
        {
            "fief": entries(
                "fief", {"number": whole, "cells": list_of(CELL), "castles": list_of(whole)}
            )
        }
    ),
    "scenarios": table(
        {
            "scenario": entries(
                "scenario", {"name": text, "players": whole, "flourishing": list_of(text)}
            )
        }
    ),
    "objectives": table({"objective": entries("objective", {"symbols": list_of(text, 2)})}),
}


def find_structural_faults(file: str, content: Any) -> list[str]:
    """Returns every fault in the keys and types of one file's content, `file: place: what`."""
    return [
        f"{file}.toml: {place}: {what}" if place else f"{file}.toml: {what}"
        for place, what in SCHEMA[file](content)
    ]


def _inside(place: str, faults: Iterator[Fault]) -> Iterator[Fault]:
    for inner, what in faults:
        joint = "" if not inner else " " if inner[0].isdigit() else ": "
        yield f"{place}{joint}{inner}", what


def _describe(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
