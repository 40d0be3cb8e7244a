"""Checks of the structure of files: keys, types and lengths, before any rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sized

from gonzaga_env.tabletop.bounded import short, short_repr

Found = tuple[str, str]  # place in the file ("" for the file itself), what is wrong
Check = Callable[[object], Iterator[Found]]
MAX_NUMBER = 999  # far above any number of a printed game
MAX_ITEMS = 100  # of a list or table
MAX_TEXT = 20_000  # letters


def string(value: object) -> Iterator[Found]:
    """Yields a fault unless `value` is a string."""
    if not isinstance(value, str):
        yield "", f"is {short_repr(value)}; it takes a string"
    elif len(value) > MAX_TEXT:
        yield "", f"has {len(value)} letters; at most {MAX_TEXT} are right"


def boolean(value: object) -> Iterator[Found]:
    """Yields a fault unless `value` is true or false."""
    if not isinstance(value, bool):
        yield "", f"is {short_repr(value)}; it takes true or false"


def integer(value: object) -> Iterator[Found]:
    """Yields a fault unless `value` is an integer of at most three digits."""
    if type(value) is not int or abs(value) > MAX_NUMBER:  # isinstance counts bool as int
        yield "", f"is {short_repr(value)}; it takes an integer up to {MAX_NUMBER}"


def one_of(*known: object) -> Check:
    """Returns a check for some values, of the same types."""

    def check(value: object) -> Iterator[Found]:
        if not any(type(value) is type(one) and value == one for one in known):
            yield "", f"is {short_repr(value)}; it takes {' or '.join(map(repr, known))}"

    return check


def list_of(item: Check, length: int | None = None) -> Check:
    """Returns a check for lists of this length whose items all pass the check `item`."""
    return _each(item, "it takes a list", "items", length, lambda number, entry: f"item {number}")


def _each(
    item: Check, takes: str, what: str, length: int | None, called: Callable[[int, object], str]
) -> Check:
    """Returns a check for lists; `called` says what an item is called, by its number and value."""

    def check(value: object) -> Iterator[Found]:
        if not isinstance(value, list):
            yield "", f"is {short_repr(value)}; {takes}"
            return
        if len(value) > MAX_ITEMS:
            yield "", _too_many(value)
            return
        if length is not None and len(value) != length:
            yield "", f"has {len(value)} {what}; it takes {length}"
        for number, entry in enumerate(value, start=1):
            yield from _inside(called(number, entry), item(entry))

    return check


def table(keys: Mapping[str, Check], optional: tuple[str, ...] = ()) -> Check:
    """Returns a check for tables with exactly these keys; optional ones may be missing."""

    def check(value: object) -> Iterator[Found]:
        if not isinstance(value, dict):
            yield "", f"is {short_repr(value)}; it takes a table"
            return
        for key in sorted(set(value) - set(keys))[:MAX_ITEMS]:
            yield short(key), f"is an unknown key; known keys: {', '.join(keys)}"
        for key, item in keys.items():
            if key in value:
                yield from _inside(key, item(value[key]))
            elif key not in optional:
                yield key, "is missing"

    return check


def names(value: object) -> Iterator[Found]:
    """Yields faults unless `value` is a table of strings."""
    if not isinstance(value, dict):
        yield "", f"is {short_repr(value)}; it takes a table of marks and names"
        return
    if len(value) > MAX_ITEMS:
        yield "", _too_many(value)
        return
    for key, entry in value.items():
        yield from _inside(short(key), string(entry))


def entries(
    kind: str, keys: Mapping[str, Check], length: int | None = None, optional: tuple[str, ...] = ()
) -> Check:
    """Returns a check for a list of tables [[kind]]; faults name the entry by number and name."""

    def called(number: int, entry: object) -> str:
        name = entry.get("name") if isinstance(entry, dict) else None
        return f'{number} "{short(name)}"' if isinstance(name, str) else f"{number}"

    takes = f"write each entry under [[{kind}]]"
    return _each(table(keys, optional), takes, "entries", length, called)


def _inside(place: str, faults: Iterator[Found]) -> Iterator[Found]:
    for inner, what in faults:
        joint = "" if not inner else " " if inner[0].isdigit() else ": "
        yield f"{place}{joint}{inner}", what


def _too_many(value: Sized) -> str:
    return f"has {len(value)} items; at most {MAX_ITEMS} are right"
