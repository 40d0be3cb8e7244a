"""Editions: the data printed on a game's components, read from TOML files and checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from gonzaga_env.kernel.bounded import TOML_BYTES, Json, parse_toml, read_file
from gonzaga_env.kernel.errors import EditionError
from gonzaga_env.kernel.messages import MOST_NAME, printable, short, short_repr
from gonzaga_env.kernel.notebooks import SvgReprMixin


class EditionBase(SvgReprMixin):
    """The data printed on a game's components; editions are equal if their digests are.

    Attributes:
        game: the game's name, as `GameSpec.name`.
        name: the edition's name.
        digest: SHA-256 of the content, as records hold it.
        reconstruction: whether values are guessed and not the printed ones.
    """

    game: ClassVar[str]
    name: str
    digest: str
    reconstruction: bool

    @property
    def is_generated(self) -> bool:
        """Whether it was made from a seed, so that agents have not been trained on it."""
        return False

    def __repr__(self) -> str:
        return f"<Edition {self.name!r}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


EditionSource = str | Path | EditionBase  #: a shipped edition's name, a file, or an edition

Found = tuple[str, str]  # place in the file ("" for the file itself), what is wrong
Check = Callable[[object], Iterator[Found]]
Content = Mapping[str, Any]  # a table of a file whose keys and types have been checked
MAX_NUMBER = 999  # far above any number of a printed game
MAX_ITEMS = 100  # of a list or table
MAX_TEXT = 20_000  # characters


def string(value: object) -> Iterator[Found]:
    """Yields a fault unless `value` is a short string of printable characters."""
    yield from any_text(value)
    if isinstance(value, str) and not (value.isprintable() and len(value) <= MOST_NAME):
        yield "", f"is {short_repr(value)}; it takes up to {MOST_NAME} printable characters"


def any_text(value: object) -> Iterator[Found]:
    """Yields a fault unless `value` is a string, perhaps of many lines."""
    if not isinstance(value, str):
        yield "", f"is {short_repr(value)}; it takes a string"
    elif len(value) > MAX_TEXT:
        yield "", f"has {len(value)} characters; at most {MAX_TEXT} are allowed"


def boolean(value: object) -> Iterator[Found]:
    """Yields a fault unless `value` is true or false."""
    if not isinstance(value, bool):
        yield "", f"is {short_repr(value)}; it takes true or false"


def integer(value: object) -> Iterator[Found]:
    """Yields a fault unless `value` is an integer of at most three digits."""
    if type(value) is not int or abs(value) > MAX_NUMBER:  # isinstance counts bool as int
        yield "", f"is {short_repr(value)}; it takes an integer up to {MAX_NUMBER}"


def integer_in(low: int, high: int) -> Check:
    """Returns a check for the integers from `low` to `high`."""

    def check(value: object) -> Iterator[Found]:
        if type(value) is not int or not low <= value <= high:
            yield "", f"is {short_repr(value)}; it takes an integer from {low} to {high}"

    return check


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
        yield from _inside(short(key), chain(string(key), string(entry)))


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
    return f"has {len(value)} items; at most {MAX_ITEMS} are allowed"


EditionT = TypeVar("EditionT", bound=EditionBase)
RECONSTRUCTION = "reconstruction"  # the shipped edition, and those changed from it


class FileEdition(EditionBase):
    """An edition that is one file."""

    source: Path  #: the file

    @property
    def reconstruction(self) -> bool:  # type: ignore[override]  # the name says so
        """Whether the values are guessed and not the printed ones."""
        return self.name == RECONSTRUCTION


class OnlyEdition(EditionBase):
    """The edition of a game without data, such as one with plain dice; it has no file."""

    name = "standard"
    reconstruction = False

    def __init__(self, game: str) -> None:
        self.game: str = game  # type: ignore[misc]  # editions in files are classes of one game
        self.digest = digest_of({"game": game, "name": self.name})

    def load(self, edition: str | Path) -> Self:
        """Returns this edition by its name (see `BaseConfig.load_edition`)."""
        if edition != self.name:
            raise EditionError(
                f"edition is {short_repr(str(edition))}; there is {self.name!r} only"
            )
        return self


def edition_names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def edition_file(folder: Path, name_or_path: str | Path) -> tuple[bytes, Path]:
    """Returns the content and the path of an edition in a folder by name, or of a file."""
    if not isinstance(name_or_path, str | Path) or not str(name_or_path):
        raise EditionError(f"edition is {short_repr(name_or_path)}; it takes a name or a file")
    shipped = edition_names(folder)
    path = Path(name_or_path)
    if str(name_or_path) in shipped:
        path = folder / f"{name_or_path}.toml"
    try:
        return read_file(path, TOML_BYTES), path
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or error
        raise EditionError(
            f"edition {short_repr(str(name_or_path))} can't be read: {what}; "
            f"shipped: {', '.join(shipped)}; or the path of a TOML file"
        ) from error


def edition_loader(
    folder: Path,
    check: Callable[[Content], Iterator[Found]],
    build: Callable[[Content, Path], EditionT],
    find_faults: Callable[[EditionT], Iterator[Found]],
) -> tuple[
    Callable[[], tuple[str, ...]],
    Callable[[str | Path], EditionT],
    Callable[[bytes, Path], EditionT],
]:
    """Returns the `shipped_editions`, the `load_edition` and the `read_edition` of a game.

    `check` yields what is wrong with a file's content, `find_faults` what is wrong with the
    edition that `build` returns of a content without faults.
    """

    def shipped_editions() -> tuple[str, ...]:
        """Returns the names of the editions that come with the package."""
        return edition_names(folder)

    def load_edition(name_or_path: str | Path) -> EditionT:
        """Returns a shipped edition by name, or the one in a file.

        Args:
            name_or_path: one of `shipped_editions()`, or a TOML file.

        Raises:
            EditionError: there is no such edition, or it has faults; `faults` lists all of them.
        """
        return read_edition(*edition_file(folder, name_or_path))

    @lru_cache(maxsize=16)  # checking takes longer than a game
    def read_edition(content: bytes, source: Path) -> EditionT:
        """Returns the edition of a file's content, TOML in UTF-8; EditionError if it has faults."""
        data = parse_edition(content, source)
        if not (faults := list(check(data))):
            edition = build(data, source)
            if not (faults := list(find_faults(edition))):
                return edition
        raise faults_error(source, (": ".join(filter(None, fault)) for fault in faults))

    return shipped_editions, load_edition, read_edition


def parse_edition(content: bytes, source: Path) -> dict[str, Json]:
    """Returns what a file's content holds; EditionError if it is not TOML."""
    try:
        return parse_toml(content)
    except ValueError as error:
        raise EditionError(f"{source} {error}") from error


def digest_of(data: Mapping[str, Json]) -> str:
    """Returns the SHA-256 of an edition's content without its note, as records hold it."""
    hashed = {key: value for key, value in data.items() if key != "note"}
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def faults_error(source: Path, found: Iterable[str]) -> EditionError:
    """Returns the error that lists all faults of a file or a folder."""
    faults = [printable(fault) for fault in found]
    number = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    return EditionError(f"the edition in {source} has {number}:", faults)
