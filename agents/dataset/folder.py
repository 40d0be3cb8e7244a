"""The folder of a data set: what it is made of, its shards and its card.

| file | content |
|---|---|
| `dataset.json` | what decides the games (`Recipe.as_dict`), and the agents' names |
| `games/00000.games` ... | 240 games each (`games.Games`) |
| `README.md` | the card, written when all games are there |
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import parse_json, read_file
from gonzaga_env.tabletop.bounded.limits import DATASET_JSON
from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.spec import GameSpec
from gonzaga_env.tabletop.writing import write_aside

from .games import DatasetError, Games, read_games
from .recipe import FORMAT, MOST_GAMES, UNIT_GAMES

MANIFEST, CARD, LICENSE = "dataset.json", "README.md", "MIT"
PARQUET_FILES = "data/train-*-of-*.parquet"
_OTHER = "take another --out"


@dataclass(frozen=True)
class Dataset:
    """A folder of games, complete or not.

    Attributes:
        path: the folder.
        about: what `dataset.json` holds.
        config: what is played.
    """

    path: Path
    about: dict[str, Any]
    config: Any

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return game_spec(self.config.game)

    @property
    def names(self) -> list[str]:
        """The agents' names."""
        return list(self.about["names"])

    @cached_property
    def shards(self) -> list[Path]:
        """The files of the games, in their order, whether they are there or not."""
        return [shard_path(self.path, i) for i in range(-(-self.about["games"] // UNIT_GAMES))]

    def missing(self) -> list[Path]:
        """Returns the shards that are not there."""
        return [path for path in self.shards if not path.exists()]

    def check_complete(self) -> None:
        """Raises DatasetError if a shard is missing."""
        if missing := self.missing():
            raise DatasetError(
                f"{self.path}: {len(missing):,} of {len(self.shards):,} shards are missing, the "
                f"first is {missing[0].name}; the command that wrote it plays them"
            )

    def read(self, shard: Path) -> Games:
        """Returns the games of a shard.

        Raises:
            DatasetError: it cannot be read, is damaged, or is of another data set.
        """
        games, first = read_games(shard), int(shard.stem) * UNIT_GAMES
        if games.dataset != self.about["digest"] or games.first != first:
            raise DatasetError(f"{shard}: is of another data set; remove the file")
        expected = min(UNIT_GAMES, self.about["games"] - first), self.about["players"]
        if games.seating.shape != expected or (games.seating >= len(self.names)).any():
            raise DatasetError(f"{shard}: does not hold the games that {MANIFEST} says")
        return games


def shard_path(folder: Path, index: int) -> Path:
    """Returns where a unit's games lie."""
    return folder / "games" / f"{index:05}.games"


def content_digest(files: Sequence[Path]) -> str:
    """Returns a digest of some files' content, 64 hexadecimal digits."""
    whole = sha256()
    for file in files:
        whole.update(sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def start_folder(folder: Path, about: dict[str, Any]) -> None:
    """Makes the folder of a data set, or checks that it is the same data set's.

    Raises:
        DatasetError: the folder holds something else; it is left as it is.
        OSError: it cannot be written.
    """
    if (folder / MANIFEST).exists():
        _check_same(folder, read_manifest(folder), about)
        return
    if any(not path.name.startswith(".") for path in folder.iterdir()):
        raise DatasetError(f"{folder}: holds other files and no {MANIFEST}; {_OTHER}")
    write_aside(folder / MANIFEST, as_text(about))


def as_text(about: Mapping[str, Any]) -> str:
    """Returns what a data set says of itself as the text of a file."""
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"


def read_manifest(folder: Path) -> dict[str, Any]:
    """Returns what a folder says of itself.

    Raises:
        DatasetError: it cannot be read, or is not a data set's.
    """
    path = folder / MANIFEST
    try:
        about = parse_json(read_file(path, DATASET_JSON))
    except OSError as error:
        hint = "" if folder.is_dir() else "; there is no such folder"
        raise DatasetError(f"{path}: can't be read: {error.strerror}{hint}") from error
    except ValueError as error:
        raise DatasetError(f"{path}: {error}") from error
    if not isinstance(about, dict) or "dataset" not in about:
        raise DatasetError(f"{path}: is not of a data set")
    if about["dataset"] != FORMAT:
        raise DatasetError(f"{path}: has format {about['dataset']!r}; this version reads {FORMAT}")
    return about


def open_dataset(folder: str | Path, edition: Any = None) -> Dataset:
    """Returns the data set in a folder of games.

    Args:
        folder: its folder.
        edition: where the edition is now, if it is not where it was; None takes that.

    Raises:
        DatasetError: it cannot be read, or was made by other versions of actions or observations.
        EditionError: its edition cannot be found or has faults.
    """
    folder = Path(folder)
    about = read_manifest(folder)
    if "parquet" in about:
        raise DatasetError(f"{folder}: holds Parquet files; this takes the folder of the games")
    try:
        config = config_of(about, edition)
        names, games = about["names"], about["games"]
        whole = isinstance(names, list) and is_integer(games) and 0 < games <= MOST_GAMES
        if not whole or not all(isinstance(name, str) for name in names):
            raise ValueError("names or games are not as they were written")
    except GameError as error:
        raise type(error)(f"{folder / MANIFEST}: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetError(f"{folder / MANIFEST}: a field is missing or wrong: {error}") from error
    return Dataset(folder, about, config)


def config_of(about: Mapping[str, Any], edition: Any = None) -> Any:
    """Returns what a data set plays; its edition and versions have to be those of today."""
    name = about["game"]
    if name not in game_names():
        raise DatasetError(f"game is {name!r}; there are: {', '.join(game_names())}")
    spec = game_spec(name)
    options = {"scenario": about["scenario"]} if about.get("scenario") is not None else {}
    config = spec.config(
        num_players=about["players"],
        edition=about["edition"] if edition is None else edition,
        rules=about["rules"],
        **options,
    )
    if config.edition.digest != about["edition_hash"]:
        raise DatasetError(
            f"the edition {about['edition']} is not the one of the games; name that by --edition"
        )
    for what, version in spec.versions.items():
        if about["versions"].get(what) != version:
            raise DatasetError(
                f"was made with version {about['versions'].get(what)} of the {what}; this is "
                f"version {version}"
            )
    return config


def _check_same(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raises DatasetError, which names the first difference."""
    if ("parquet" in found) != ("parquet" in wanted):
        content = "Parquet files" if "parquet" in found else "games"
        raise DatasetError(f"{folder}: holds {content}; {_OTHER}")
    for name in wanted:
        if name != "digest" and found.get(name) != wanted[name]:
            raise DatasetError(
                f"{folder}: was made for {name.replace('_', ' ')} {_brief(found.get(name))}, not "
                f"{_brief(wanted[name])}; {_OTHER}"
            )
    if found.get("digest") != wanted["digest"]:
        raise DatasetError(f"{folder}: was made for another data set; {_OTHER}")


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]}..."
