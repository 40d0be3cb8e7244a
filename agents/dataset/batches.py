"""Loads a data set: numpy batches, torch batches for workers, frames of pandas or polars.

The folder may hold games, which are played again as they are loaded, or Parquet files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import numpy as np

from gonzaga_env.extras import extra_needed
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import short
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.records import unpack_masks
from gonzaga_env.tabletop.rewards import Reward, check_reward

from .columns import (
    BLOCK_SHARDS,
    CODED,
    MASK,
    MEANINGS,
    OBSERVATION,
    Columns,
    check_columns,
    replay_shards,
)
from .folder import MANIFEST, PARQUET_FILES, Dataset, open_dataset, read_manifest
from .games import DatasetError

Kind = Literal["numpy", "torch", "pandas", "polars"]


class Source(Protocol):
    """Where decisions come from, in blocks of some ten thousand."""

    about: dict[str, Any]  # what the data set says of itself
    kinds: tuple[str, ...]  # the kinds of decisions
    num_actions: int  # A
    num_blocks: int  # how many blocks there are

    def read(self, block: int, names: Sequence[str]) -> Columns:
        """Returns columns of a block; masks are bits, kinds and agents are indices."""
        ...


class ReplayedGames:
    """A folder of games; they are played again (see `Source`)."""

    def __init__(self, dataset: Dataset, reward: Reward = "outcome") -> None:
        check_reward(reward)
        dataset.check_complete()
        self._dataset, self._reward = dataset, reward
        self.about, self.kinds = dataset.about, dataset.spec.kinds
        self.num_actions = dataset.config.actions.size
        self.num_blocks = -(-len(dataset.shards) // BLOCK_SHARDS)

    def read(self, block: int, names: Sequence[str]) -> Columns:
        """Returns columns of a block."""
        shards = self._dataset.shards[block * BLOCK_SHARDS : (block + 1) * BLOCK_SHARDS]
        return replay_shards(self._dataset, shards, names, self._reward)


class ParquetFiles:
    """A folder of Parquet files; a block is a row group (see `Source`)."""

    def __init__(self, folder: Path, reward: Reward | None = None) -> None:
        with extra_needed():
            from . import parquet

        self.about, self._read = read_manifest(folder), parquet.read_group
        given = self.about["parquet"]["reward"]
        if reward not in (None, given):
            raise OptionError(f"reward is {reward!r}, but the files of {folder} have {given!r}")
        files = sorted(folder.glob(PARQUET_FILES))
        if not files:
            raise DatasetError(f"{folder / 'data'}: holds no Parquet files")
        total = files[0].stem.rpartition("-of-")[2]
        wanted = [f"train-{i:05}-of-{total}.parquet" for i in range(len(files))]
        if total != f"{len(files):05}" or [file.name for file in files] != wanted:
            held = f"{len(files)} of {short(total.lstrip('0'))} Parquet files"
            raise DatasetError(f"{folder / 'data'}: holds {held}, or others beside them")
        for file in files:
            described = parquet.read_about(file)
            if any(described.get(name) != value for name, value in self.about.items()):
                raise DatasetError(f"{file}: is of another data set than {MANIFEST}")
        self.kinds, self.num_actions = tuple(described["kinds"]), int(described["num_actions"])
        self._groups = [(file, i) for file in files for i in range(parquet.num_groups(file))]
        self.num_blocks = len(self._groups)

    def read(self, block: int, names: Sequence[str]) -> Columns:
        """Returns columns of a block."""
        return self._read(*self._groups[block], names)


@dataclass(frozen=True)
class Batches:
    """The decisions of a data set in batches; every loop over it starts from the beginning.

    Attributes:
        source: where they come from.
        columns: which columns batches have.
        batch_size: rows of a batch; the last one may have fewer.
        seed: mixes the blocks, and the rows of each block; None leaves all in their order.
        part: (i, n) gives the i-th of n parts of the blocks, to one of n workers.
        epoch: with the seed it decides the order; `replace(batches, epoch=1)` mixes anew.
    """

    source: Source
    columns: tuple[str, ...] = tuple(MEANINGS)
    batch_size: int = 1024
    seed: int | None = None
    part: tuple[int, int] = (0, 1)
    epoch: int = 0

    @property
    def kinds(self) -> list[str]:
        """The kinds of decisions; the column "kind" holds indices of them."""
        return list(self.source.kinds)

    @property
    def agents(self) -> list[str]:
        """The agents' names; the column "agent" holds indices of them."""
        return list(self.source.about["names"])

    def __repr__(self) -> str:
        return f"<Batches of {self.batch_size:,}, {self.source.about['games']:,} games>"

    def blocks(self) -> Iterator[Columns]:
        """Yields the blocks of this part, mixed if that is asked for; masks are bits."""
        order, (index, count) = np.arange(self.source.num_blocks), self.part
        mixing = None if self.seed is None else np.random.default_rng([self.seed, self.epoch])
        if mixing is not None:
            order = mixing.permutation(order)
        for block in order[index::count].tolist():
            found = self.source.read(block, self.columns)
            if self.seed is not None:
                rng = np.random.default_rng([self.seed, self.epoch, block])
                rows = rng.permutation(_size(found))
                found = {name: values[rows] for name, values in found.items()}
            yield found

    def __iter__(self) -> Iterator[Columns]:
        """Yields batches: arrays by name; masks are bool [M, A]."""
        rest: list[Columns] = []
        for block in self.blocks():
            start = 0
            missing = self.batch_size - sum(map(_size, rest))
            while _size(block) - start >= missing:
                piece = _rows(block, start, start + missing)
                yield self._finished([*rest, piece])
                rest, start, missing = [], start + missing, self.batch_size
            rest.append(_rows(block, start, _size(block)))
        if sum(map(_size, rest)):
            yield self._finished(rest)

    def _finished(self, pieces: Sequence[Columns]) -> Columns:
        """Returns pieces as one batch."""
        pieces = [piece for piece in pieces if _size(piece)]
        batch = pieces[0]
        if len(pieces) > 1:
            batch = {name: np.concatenate([p[name] for p in pieces]) for name in self.columns}
        if MASK in batch:
            masks = unpack_masks(np.ascontiguousarray(batch[MASK]), self.source.num_actions)
            batch = {**batch, MASK: masks}
        return batch


def _size(columns: Columns) -> int:
    return len(next(iter(columns.values())))


def _rows(columns: Columns, start: int, stop: int) -> Columns:
    return {name: values[start:stop] for name, values in columns.items()}


def open_source(path: str | Path, reward: Reward | None = None, edition: Any = None) -> Source:
    """Returns what a folder of games or of Parquet files holds.

    Raises:
        DatasetError: it is neither, or something is missing.
        OptionError: Parquet files have other rewards.
    """
    folder = Path(path)
    if "parquet" in read_manifest(folder):
        return ParquetFiles(folder, reward)
    return ReplayedGames(open_dataset(folder, edition), "outcome" if reward is None else reward)


def load(
    path: str | Path,
    as_: Kind = "numpy",
    *,
    columns: Sequence[str] | None = None,
    batch_size: int = 1024,
    seed: int | None = None,
    part: tuple[int, int] = (0, 1),
    reward: Reward | None = None,
    edition: Any = None,
) -> Any:
    """Loads a data set.

    Args:
        path: a folder of games, which are played again, or of Parquet files.
        as_: "numpy" gives `Batches`, arrays by column; "torch" an IterableDataset of batches of
            tensors, which splits the blocks among the workers of a
            `DataLoader(..., batch_size=None)`; "pandas" and "polars" a frame.
        columns: names of columns (`MEANINGS`); None takes all, in frames all but observations and
            masks.
        batch_size: rows of a batch.
        seed: mixes blocks, and the rows within each (480 games); None keeps the order.
        part: (i, n) takes the i-th of n parts, for one of n processes.
        reward: what rewards and returns count, "outcome", "score" or "margin"; None takes that of
            the Parquet files, and "outcome" for games.
        edition: the edition, if its folder is not where it was.

    Raises:
        DatasetError: the folder is broken, incomplete or of other versions; within the batches too,
            where a file is damaged.
        OptionError: an argument has a value that it does not take.
        ModuleNotFoundError: an optional package is missing; the message says which.
    """
    if as_ not in get_args(Kind):
        raise OptionError(f"as_ is {as_!r}; it takes {', '.join(map(repr, get_args(Kind)))}")
    is_frame = as_ in ("pandas", "polars")
    if columns is None:
        columns = [n for n in MEANINGS if not (is_frame and n in (OBSERVATION, MASK))]
    names = check_columns(columns)
    if not is_integer(batch_size) or batch_size < 1:
        raise OptionError(f"batch_size is {batch_size!r}; it takes an integer of 1 or more")
    if len(part) != 2 or not 0 <= part[0] < part[1]:
        raise OptionError(f"part is {part!r}; it takes (i, n) with i below n")
    batches = Batches(open_source(path, reward, edition), names, batch_size, seed, part)
    if as_ == "torch":
        with extra_needed():
            from .torch import TorchBatches
        return TorchBatches(batches)
    return _as_frame(batches, as_) if is_frame else batches


def _as_frame(batches: Batches, library: str) -> Any:
    """Returns all decisions as a frame; kinds and agents are categories."""
    parts = list(replace(batches, batch_size=2**62))
    columns = parts[0] if parts else {}
    words = {"kind": batches.kinds, "agent": batches.agents}
    coded = {name: words[name] for name in CODED if name in columns}
    with extra_needed():
        return (_pandas if library == "pandas" else _polars)(columns, coded)


def _pandas(columns: Columns, coded: dict[str, list[str]]) -> Any:
    import pandas as pd

    series: dict[str, Any] = {}
    for name, values in columns.items():
        if name in coded:
            series[name] = pd.Categorical.from_codes(values, coded[name])
        else:
            series[name] = values if values.ndim == 1 else list(values)
    return pd.DataFrame(series)


def _polars(columns: Columns, coded: dict[str, list[str]]) -> Any:
    import polars as pl

    series = [
        pl.Series(name, np.array(coded[name])[values]).cast(pl.Enum(coded[name]))
        if name in coded
        else pl.Series(name, np.ascontiguousarray(values))
        for name, values in columns.items()
    ]
    return pl.DataFrame(series)
