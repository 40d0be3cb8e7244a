"""The folder of a data set: what it is made of, its shards and its card.

| file | content |
|---|---|
| `dataset.json` | what decides the games (`Recipe.as_dict`), and the agents' names |
| `games/00000.games` ... | 240 games each (`games.ShardGames`) |
| `README.md` | the card, written when all games are there |
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.bounded import parse_json, read_file, short_repr
from gonzaga_env.tabletop.bounded.limits import DATASET_JSON
from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.rewards import Reward
from gonzaga_env.tabletop.spec import GameSpec
from gonzaga_env.tabletop.writing import write_aside

from .games import MOST_PLAYERS, DatasetError, ShardGames, read_games
from .recipe import FORMAT, MOST_GAMES, UNIT_GAMES, Deals

MANIFEST, CARD, LICENSE = "dataset.json", "README.md", "MIT"
PARQUET_FILES = "data/train-*-of-*.parquet"
_OTHER = "take another --out"
_FIELDS: dict[str, Any] = {
    **dict.fromkeys(("game", "edition", "edition_hash", "deals", "digest"), str),
    **dict.fromkeys(("players", "seed", "games"), int),
    **dict.fromkeys(("agents", "names"), list),
    **dict.fromkeys(("rules", "versions"), dict),
}
_REWARDS = get_args(Reward)


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

    def read(self, shard: Path) -> ShardGames:
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
        check_about(about)
    except OSError as error:
        hint = "" if folder.is_dir() else "; there is no such folder"
        raise DatasetError(f"{path}: can't be read: {error.strerror}{hint}") from error
    except ValueError as error:
        raise DatasetError(f"{path}: {error}") from error
    return about


def check_about(about: Any) -> None:
    """Raises ValueError unless a value is what a data set says of itself, with all its fields."""
    if not isinstance(about, dict) or "dataset" not in about:
        raise ValueError("is not of a data set")
    if about["dataset"] != FORMAT:
        raise ValueError(f"has format {short_repr(about['dataset'])}; this version reads {FORMAT}")
    for name, kind in _FIELDS.items():
        if name not in about:
            raise ValueError(f"a field is missing: {name}")
        if not isinstance(about[name], kind) or isinstance(about[name], bool):
            raise ValueError(f"{name} is {short_repr(about[name])}")
    for name in ("names", "agents"):
        if not about[name] or not all(isinstance(each, str) for each in about[name]):
            raise ValueError(f"{name} is {short_repr(about[name])}; it takes names")
    if len(about["names"]) != len(about["agents"]):
        raise ValueError(f"has {len(about['agents'])} agents and {len(about['names'])} names")
    if about["deals"] not in get_args(Deals):
        raise ValueError(f"deals is {short_repr(about['deals'])}; it takes rotated or independent")
    if not 0 < about["games"] <= MOST_GAMES:
        raise ValueError(f"games is {short_repr(about['games'])}; it takes 1 to {MOST_GAMES:,}")
    if not 1 <= about["players"] <= MOST_PLAYERS:
        raise ValueError(f"players is {short_repr(about['players'])}; it takes 1 to {MOST_PLAYERS}")
    if "parquet" in about:
        parquet = about["parquet"]
        reward = parquet.get("reward") if isinstance(parquet, dict) else parquet
        if reward not in _REWARDS:
            raise ValueError(f"reward is {short_repr(reward)}; it takes {', '.join(_REWARDS)}")


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
    except GameError as error:
        raise type(error)(f"{folder / MANIFEST}: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetError(f"{folder / MANIFEST}: a field is missing or wrong: {error}") from error
    return Dataset(folder, about, config)


def config_of(about: Mapping[str, Any], edition: Any = None) -> Any:
    """Returns what a data set plays; its versions have to be those of today."""
    spec = game_spec(about["game"])
    options = {"scenario": about["scenario"]} if about.get("scenario") is not None else {}
    if edition is None:
        edition = about["edition"]
    config = spec.config(
        rules=about["rules"], num_players=about["players"], edition=edition, **options
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
