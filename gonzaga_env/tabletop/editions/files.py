"""Editions that are one TOML file each: found by name or path, read in bounded memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Self, TypeVar

from gonzaga_env.tabletop.bounded import Json, parse_toml, short_repr
from gonzaga_env.tabletop.bounded.limits import TOML_BYTES
from gonzaga_env.tabletop.editions.schema import Found
from gonzaga_env.tabletop.engines.base import EditionBase
from gonzaga_env.tabletop.errors import EditionError

EditionT = TypeVar("EditionT", bound=EditionBase)
RECONSTRUCTION = "reconstruction"  # the shipped edition, and those changed from it


class DigestedEdition(EditionBase):
    """An edition that is known by its digest; editions are equal if their digests are."""

    digest: str  #: SHA-256 of the content, as records hold it

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


class FileEdition(DigestedEdition):
    """An edition that is one file."""

    source: Path  #: the file

    @property
    def reconstruction(self) -> bool:
        """Whether the values are guessed and not the printed ones; the name says so."""
        return self.name == RECONSTRUCTION


class OnlyEdition(DigestedEdition):
    """The edition of a game without data, such as one with plain dice; it has no file."""

    name = "standard"
    reconstruction = False

    def __init__(self, game: str) -> None:
        """Takes the game's name."""
        self.game: str = game  # type: ignore[misc]  # editions in files are classes of one game
        self.digest = digest_of({"game": game, "name": self.name})

    def load(self, edition: str | Path) -> Self:
        """Returns this edition by its name (see `BaseConfig.load_edition`).

        Raises:
            EditionError: there is no such edition.
        """
        if edition != self.name:
            raise EditionError(
                f"edition is {short_repr(str(edition))}; there is {self.name!r} only"
            )
        return self


def edition_names(folder: Path) -> tuple[str, ...]:
    """Returns the names of the editions in a folder."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def edition_file(folder: Path, name_or_path: str | Path) -> tuple[bytes, Path]:
    """Returns the content and the path of an edition in a folder by name, or of a file.

    Raises:
        EditionError: there is no such edition, or it cannot be read.
    """
    if not isinstance(name_or_path, str | Path) or not str(name_or_path):
        raise EditionError(f"edition is {short_repr(name_or_path)}; it takes a name or a file")
    shipped = edition_names(folder)
    path = Path(name_or_path)
    if str(name_or_path) in shipped:
        path = folder / f"{name_or_path}.toml"
    try:
        with path.open("rb") as stream:
            return stream.read(TOML_BYTES + 1), path
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or "not a path"
        raise EditionError(
            f"edition {short_repr(str(name_or_path))} can't be read: {what}; "
            f"shipped: {', '.join(shipped)}; or the path of a TOML file"
        ) from error


def edition_loader(
    folder: Path, read: Callable[[bytes, Path], EditionT]
) -> tuple[Callable[[], tuple[str, ...]], Callable[[str | Path], EditionT]]:
    """Returns the `shipped_editions` and the `load_edition` of a game.

    Args:
        folder: holds the editions that come with the package.
        read: returns the edition of a file's content and path; EditionError if it has faults.
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
        return read(*edition_file(folder, name_or_path))

    return shipped_editions, load_edition


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


def faults_error(source: Path, found: Iterable[Found]) -> EditionError:
    """Returns the error that lists all faults of a file."""
    faults = [": ".join(filter(None, fault)) for fault in found]
    number = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    return EditionError(f"the edition in {source} has {number}:", faults)
