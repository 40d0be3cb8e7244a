"""Writes the folders of a data set: games, Parquet files and their cards. All of it resumes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from gonzaga_env.extras import extra_needed
from gonzaga_env.tabletop.writing import remove_leftovers, write_aside

from ..common.locks import lock_folder
from ..units.play import OnProgress, ignore, play_units
from .card import games_card, parquet_card
from .folder import (
    CARD,
    LICENSE,
    Dataset,
    open_dataset,
    shard_path,
    start_folder,
)
from .games import DatasetError
from .recipe import Recipe


def write_games(
    recipe: Recipe,
    out: Path,
    executor: Executor | None = None,
    license_name: str = LICENSE,
    on_progress: OnProgress = ignore,
) -> Dataset:
    """Plays the games that a folder lacks, and returns the data set.

    Args:
        recipe: what to play.
        out: the folder; it is made.
        executor: where the games are played, which the files do not depend on; None plays them
            in this process.
        license_name: what the card says of the licence, such as "MIT".
        on_progress: called with the progress.

    Raises:
        DatasetError: the folder holds something else, a shard is damaged, or the disk is full.
        LockedError: another process writes to the folder.
        AgentError: an agent cannot be built, plays an invalid action or fails.
        CheckpointError: a checkpoint does not fit the game.
    """
    about = {**recipe.as_dict(), "names": recipe.names(), "license": license_name}
    about |= {"digest": recipe.digest}
    with _opened(out, about, "games"):
        dataset = open_dataset(out, recipe.config.edition)
        missing = []
        for unit in recipe.units():
            if (path := shard_path(out, unit.index)).exists():
                dataset.read(path)  # a damaged one shows before hours of play
            else:
                missing.append(unit)
        done = recipe.num_games - sum(unit.num_games for unit in missing)
        playing = play_units(missing, executor, on_progress, done=done)
        with closing(playing):
            for unit, content in playing:
                _write(shard_path(out, unit.index), content)
        _write(out / CARD, games_card(dataset))
    return dataset


def write_parquet(
    dataset: Dataset,
    out: Path,
    reward: Any = "outcome",
    on_progress: OnProgress = ignore,
    arrays: bool = False,
) -> int:
    """Writes the Parquet files that a folder lacks; returns the number of their decisions.

    Args:
        dataset: the games.
        out: the folder; it is made.
        reward: what rewards and returns count: "outcome", "score" or "margin".
        on_progress: called with the progress, in shards of games.
        arrays: whether observations and masks are lists of numbers, which every library reads as
            arrays, in place of bytes, which are read ten times as fast.

    Raises:
        DatasetError: games are missing or damaged, the folder holds something else, or the disk is
            full.
        LockedError: another process writes to the folder.
        ModuleNotFoundError: pyarrow is missing; the message says what to install.
    """
    with extra_needed():
        from .parquet import describe, num_rows, parquet_shards, read_about, write_shard

    dataset.check_complete()
    shards, done = parquet_shards(dataset, reward, arrays), 0
    with _opened(out, describe(dataset, reward, arrays), "data"):
        for shard in shards:
            path = out / "data" / shard.name
            if not path.exists():
                write_shard(shard, path.parent)
            elif read_about(path)["digest"] != dataset.about["digest"]:
                raise DatasetError(f"{path}: is of another data set; remove the file")
            done += len(shard.shards)
            on_progress(done, len(dataset.shards))
        rows = sum(num_rows(out / "data" / shard.name) for shard in shards)
        _write(out / CARD, parquet_card(dataset, out, reward, rows, arrays))
    return rows


@contextmanager
def _opened(out: Path, about: dict[str, Any], room: str) -> Iterator[None]:
    """Makes a folder if there is none, and locks it while the block writes to it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with lock_folder(out, "dataset"):
            start_folder(out, about)
            (out / room).mkdir(exist_ok=True)
            for folder in (out, out / room):
                remove_leftovers(folder)
            yield
    except FileExistsError as error:
        raise DatasetError(f"{error.filename}: is a file; --out takes a folder") from error


def _write(path: Path, content: str | bytes) -> None:
    try:
        write_aside(path, content)
    except OSError as error:
        raise DatasetError(
            f"{path}: can't be written: {error.strerror}; the same command continues"
        ) from error
