"""Games by name: those of this package, and those that others add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from gonzaga_env.kernel.editions import EditionBase, EditionSource, edition_file, parse_edition
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.spec import Config, GameSpec
from gonzaga_env.kernel.view import Frame, Viewer

DEFAULT_GAME = "gonzaga"
# Imported when they are asked for.
_SPECS = {
    "gonzaga": "gonzaga_env.core.spec",
    "tuscany": "gonzaga_env.tuscany.spec",
    "signorie": "gonzaga_env.signorie.spec",
}
_ALIASES = {"castles_of_tuscany": "tuscany"}  # what its environments are called
_ADDED: dict[str, GameSpec] = {}


def add_game(spec: GameSpec) -> None:
    """Registers a game of your own, so that everything that takes a game's name finds it.

    It replaces one of the same name that was added before. OptionError if it is not a `GameSpec`,
    or a game of this package has the name.
    """
    if not isinstance(spec, GameSpec):
        raise OptionError(f"a game is a GameSpec, not {short_repr(spec)}")
    if spec.name in _SPECS:
        raise OptionError(f"{short_repr(spec.name)} is a game of this package; take another name")
    _ADDED[spec.name] = spec


def game_names() -> tuple[str, ...]:
    """Returns the names of this package's games."""
    return tuple(_SPECS)


def registered_games() -> tuple[str, ...]:
    """Returns the names of all games: this package's, and those that were added."""
    return (*_SPECS, *_ADDED)


def game_name(name: str) -> str:
    """Returns the name of a game's spec; any other text is returned as it is."""
    return _ALIASES.get(name, name) if isinstance(name, str) else name


def game_spec(name: str = DEFAULT_GAME) -> GameSpec:
    """Returns a game by its name: one of this package, or one that was added.

    Raises:
        OptionError: there is no such game.
    """
    name = game_name(name)
    if name in game_names():
        return import_module(_SPECS[name]).SPEC
    if name not in tuple(_ADDED):
        names = ", ".join(registered_games())
        raise OptionError(f"game is {short_repr(name)}; known: {names}")
    return _ADDED[name]


def named_game(written: Mapping[str, object]) -> str:
    """Returns the game that a record, a header or a description names; Gonzaga's name no game."""
    return str(written.get("game", DEFAULT_GAME))


def game_entry(game: str) -> dict[str, str]:
    """Returns how they name a game (see `named_game`)."""
    return {} if game == DEFAULT_GAME else {"game": game}


def edition_game(edition: object) -> str | None:
    """Returns the game that an edition's file names; None for anything else, such as a name."""
    if not isinstance(edition, str | Path) or not Path(edition).is_file():
        return None
    file = Path(edition)
    game = parse_edition(*edition_file(file.parent, file)).get("game")
    return game if isinstance(game, str) else None


def file_edition(path: str | Path) -> EditionBase | None:
    """Returns the edition in a file that says of which game it is; None for any other path.

    OptionError if there is no such game; EditionError if the file can't be read, or has faults.
    """
    game = edition_game(path)
    return None if game is None else game_spec(game).any_config(edition=Path(path)).edition


def record_spec(record: Record) -> GameSpec:
    """Returns the game of a record; OptionError if there is no such game."""
    return game_spec(named_game(record))


def record_config(record: Record, edition: EditionSource | None = None) -> Config:
    """Returns what was played in a record that has proved to be one; `edition` goes first."""
    spec = record_spec(record)
    if edition is None:
        edition = record["edition"]
    options = {name: record[name] for name in ("num_players", "scenario") if name in record}
    return spec.config(rules=record.get("rules", {}), edition=edition, **options)


def record_frames(
    record: Record,
    edition: EditionSource | None = None,
    viewer: Viewer = "spectator",
    names: Sequence[str] = (),
) -> Iterator[Frame]:
    """Yields the positions of a game from its record and verifies it (see `GameSpec.frames`)."""
    return record_spec(record).frames(record, edition, viewer, names)
