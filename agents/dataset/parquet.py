"""Writes a data set as Parquet, which every library of data reads. Needs the extra "data".

A row is a decision; rows lie game after game, in the order of play. Observations and masks are
binary: lists of numbers would take ten times as long to read and write; `arrays` asks for these,
which libraries such as `datasets` read as arrays. The schema's metadata say what the columns mean,
and how to read the binary ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import parse_json, short_repr
from gonzaga_env.tabletop.bounded.limits import (
    DATASET_JSON,
    PARQUET_ACTIONS,
    PARQUET_FEATURES,
    PARQUET_GROUP_BYTES,
    PARQUET_GROUP_ROWS,
)
from gonzaga_env.tabletop.records import pack_masks, unpack_masks
from gonzaga_env.tabletop.rewards import Reward, check_reward
from gonzaga_env.tabletop.spec import Config
from gonzaga_env.tabletop.writing import check_regular, open_aside

from .columns import BLOCK_SHARDS, CODED, MASK, MEANINGS, OBSERVATION, Columns, replay_shards
from .folder import Dataset, check_about
from .games import DatasetError

SHARD_BLOCKS = 10
"""Blocks of a Parquet file: 4,800 games, about 50 MB."""
KEY = b"gonzaga_env"  # of the schema's metadata
_LEVEL = 3  # of zstd; 9 takes four times as long for a third less


@dataclass(frozen=True)
class ParquetShard:
    """A Parquet file to be written."""

    dataset: Dataset  # the games
    reward: Reward  # what rewards and returns count
    index: int  # its number, from 0
    total: int  # how many files there are
    arrays: bool = False  # whether observations and masks are lists of numbers

    @property
    def name(self) -> str:
        """The file's name, as Hugging Face has it."""
        return f"train-{self.index:05}-of-{self.total:05}.parquet"

    @property
    def shards(self) -> list[Path]:
        """The shards of games that it is made of."""
        return self.dataset.shards[self.index * _SHARDS : (self.index + 1) * _SHARDS]

    def blocks(self) -> list[list[Path]]:
        """Returns those shards, the ones of a row group together."""
        own = self.shards
        return [own[i : i + BLOCK_SHARDS] for i in range(0, len(own), BLOCK_SHARDS)]

    def schema(self) -> pa.Schema:
        """Returns the schema, with all that a reader has to know as metadata."""
        config, spec = self.dataset.config, self.dataset.spec
        about = describe(self.dataset, self.reward, self.arrays)
        return schema_of(config, {**about, "shard": self.index}, spec)


_SHARDS = SHARD_BLOCKS * BLOCK_SHARDS


def parquet_shards(dataset: Dataset, reward: Reward, arrays: bool = False) -> list[ParquetShard]:
    """Returns the files that a data set makes.

    Raises:
        OptionError: there is no such reward.
    """
    check_reward(reward)
    total = -(-len(dataset.shards) // _SHARDS)
    return [ParquetShard(dataset, reward, index, total, arrays) for index in range(total)]


def describe(dataset: Dataset, reward: Reward, arrays: bool = False) -> dict[str, Any]:
    """Returns what Parquet files of a data set say of themselves."""
    return {**dataset.about, "parquet": {"reward": reward, **({"arrays": True} if arrays else {})}}


def schema_of(config: Config, about: dict[str, Any], spec: Any) -> pa.Schema:
    """Returns the schema of a data set's Parquet files."""
    layout = [
        {"name": f.name, "start": f.start, "shape": f.shape, "scale": f.scale, "meaning": f.meaning}
        for f in config.features
    ]
    metadata = {
        **about,
        "columns": MEANINGS,
        "kinds": spec.kinds,
        "num_actions": config.actions.size,
        "num_features": config.features.size,
        "features": layout,
    }
    fields = [pa.field(name, kind, nullable=False) for name, kind in _types(metadata).items()]
    return pa.schema(fields, {KEY: json.dumps(metadata, ensure_ascii=False)})


def _types(about: dict[str, Any]) -> dict[str, pa.DataType]:
    """Returns the type of each column, by what files say of themselves."""
    types = {
        **{name: pa.int32() for name in ("game", "deal", "action")},
        **{"step": pa.int16(), "seed": pa.int64(), "seat": pa.int8()},
        **dict.fromkeys(CODED, pa.dictionary(pa.int8(), pa.string())),
        **dict.fromkeys((OBSERVATION, MASK), pa.binary()),
        **dict.fromkeys(("reward", "return", "won"), pa.float32()),
        "scores": pa.list_(pa.int16(), about["players"]),
    }
    if about["parquet"].get("arrays"):
        types[OBSERVATION] = pa.list_(pa.uint8(), about["num_features"])
        types[MASK] = pa.list_(pa.bool_(), about["num_actions"])
    return {name: types[name] for name in MEANINGS}


def write_shard(shard: ParquetShard, folder: Path) -> None:
    """Writes a Parquet file, completely or not at all.

    Args:
        shard: which one.
        folder: where to.

    Raises:
        DatasetError: a shard of games is missing or damaged, or the file can't be written.
    """
    path, schema = folder / shard.name, shard.schema()
    small = [name for name in MEANINGS if name not in (OBSERVATION, MASK)]
    options: dict[str, Any] = {"compression": "zstd", "compression_level": _LEVEL}
    options |= {"use_dictionary": small, "write_statistics": small}
    try:
        with open_aside(path) as file, pq.ParquetWriter(file, schema, **options) as writer:
            for block in shard.blocks():
                columns = replay_shards(shard.dataset, block, reward=shard.reward)
                writer.write_table(as_table(columns, schema), row_group_size=2**20)
    except OSError as error:
        raise DatasetError(
            f"{path}: can't be written: {error.strerror}; the same command continues"
        ) from error


def as_table(columns: Columns, schema: pa.Schema) -> pa.Table:
    """Returns columns as a table of Arrow, without copying the large ones."""
    return pa.table([_as_arrow(columns[f.name], f, schema) for f in schema], schema=schema)


def _as_arrow(values: NDArray[Any], field: pa.Field, schema: pa.Schema) -> pa.Array:
    if pa.types.is_binary(field.type):
        return _as_binary(values)
    if pa.types.is_dictionary(field.type):
        about = json.loads(schema.metadata[KEY])
        words = about["kinds"] if field.name == "kind" else about["names"]
        return pa.DictionaryArray.from_arrays(pa.array(values), pa.array(words, pa.string()))
    if pa.types.is_fixed_size_list(field.type):
        if field.name == MASK:
            values = unpack_masks(values, field.type.list_size)
        return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), type=field.type)
    return pa.array(values, field.type)


def _as_binary(values: NDArray[np.uint8]) -> pa.Array:
    """Returns rows of bytes [S, B] as S binary values."""
    count, width = values.shape
    ends = np.arange(0, (count + 1) * width, width, dtype=np.int32) if width else None
    ends = np.zeros(count + 1, np.int32) if ends is None else ends
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.binary(), count, buffers)


def read_about(path: Path) -> dict[str, Any]:
    """Returns what a Parquet file says of itself.

    Raises:
        DatasetError: it cannot be read, is not of a data set, or has other columns.
    """
    with readable(path):
        schema = pq.read_schema(path)
        content = (schema.metadata or {}).get(KEY, b"null")
        about = parse_json(content) if len(content) <= DATASET_JSON else None
        if not isinstance(about, dict) or "parquet" not in about:
            raise DatasetError(f"{path}: is a Parquet file, but not of a data set")
        check_about(about)
        _check_sizes(about)
        _check_columns(schema, about)
    return about


def _check_sizes(about: dict[str, Any]) -> None:
    """Raises ValueError for sizes or kinds that no data set has."""
    for name, most in (("num_actions", PARQUET_ACTIONS), ("num_features", PARQUET_FEATURES)):
        if not is_integer(about.get(name)) or not 1 <= about[name] <= most:
            raise ValueError(f"{name} is {short_repr(about.get(name))}; it takes 1 to {most:,}")
    kinds = about.get("kinds")
    if not isinstance(kinds, list) or not all(isinstance(each, str) for each in kinds):
        raise ValueError(f"kinds is {short_repr(kinds)}; it takes names")


def _check_columns(schema: pa.Schema, about: dict[str, Any]) -> None:
    """Raises ValueError unless a file has each column once, of its type, and no others."""
    for name, kind in _types(about).items():
        found = schema.get_all_field_indices(name)
        if len(found) != 1:
            raise ValueError(f"has {len(found)} columns {name!r}; it takes one")
        own = schema.field(found[0]).type
        if own != kind and not (name in CODED and own == pa.string()):
            raise ValueError(f"its column {name!r} is of {own}; it takes {kind}")
    if others := sorted({*schema.names} - {*MEANINGS}):
        raise ValueError(f"has a column {short_repr(others[0])}, which data sets lack")


def num_rows(path: Path) -> int:
    """Returns the number of a file's decisions."""
    with readable(path):
        return int(pq.read_metadata(path).num_rows)


def num_groups(path: Path) -> int:
    """Returns the number of a file's row groups.

    Raises:
        DatasetError: it cannot be read, or a group claims more than is read at once.
    """
    with readable(path):
        metadata = pq.read_metadata(path)
        count = int(metadata.num_row_groups)
        for group in map(metadata.row_group, range(count)):
            for what, size, most in (
                ("rows", group.num_rows, PARQUET_GROUP_ROWS),
                ("bytes", group.total_byte_size, PARQUET_GROUP_BYTES),
            ):
                if not 0 <= size <= most:
                    raise ValueError(f"a row group claims {size:,} {what}; it takes {most:,}")
        return count


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turns pyarrow's errors about a file that is broken or can't be read into DatasetError."""
    try:
        check_regular(path)
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, DatasetError):
            raise
        reason = str(error).partition("\n")[0]
        raise DatasetError(f"{path}: is no Parquet file, or damaged: {reason}") from error


def read_group(path: Path, group: int, names: Sequence[str]) -> Columns:
    """Returns columns of a row group as arrays, as `columns.replay_shards` does.

    Raises:
        DatasetError: the file cannot be read or is damaged.
    """
    about = read_about(path)
    with readable(path):
        file = pq.ParquetFile(path, read_dictionary=list(CODED))
        table = file.read_row_group(group, list(names))
        table.validate(full=True)
        return {name: _as_numpy(name, table[name], about) for name in names}


def _as_numpy(name: str, column: pa.ChunkedArray, about: dict[str, Any]) -> NDArray[Any]:
    array = column.combine_chunks()
    array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    if array.null_count:
        raise ValueError(f"its column {name!r} lacks {array.null_count:,} values")
    if name in (OBSERVATION, MASK) and pa.types.is_fixed_size_list(array.type):
        return _from_lists(name, array)
    if name == OBSERVATION:
        return _from_binary(array, about["num_features"])
    if name == MASK:
        return _from_binary(array, -(-about["num_actions"] // 8))
    if name in CODED:
        words = about["kinds"] if name == "kind" else about["names"]
        places = [words.index(word) for word in array.dictionary.to_pylist()]
        return np.array(places, np.int8)[array.indices.to_numpy()]
    if name == "scores":
        return _from_lists(name, array)
    values = array.to_numpy()
    limits = {"action": about["num_actions"], "seat": about["players"]}
    if name in limits and len(values) and not 0 <= values.min() <= values.max() < limits[name]:
        raise ValueError(f"its column {name!r} takes 0 to {limits[name] - 1}")
    return values


def _from_lists(name: str, array: pa.Array) -> NDArray[Any]:
    """Returns lists of one size as rows [S, B]; lists of booleans, as packed bits."""
    flat = array.flatten()
    if flat.null_count:
        raise ValueError(f"its column {name!r} lacks {flat.null_count:,} values")
    rows = flat.to_numpy(zero_copy_only=False).reshape(len(array), -1)
    return pack_masks(rows) if rows.dtype == np.bool_ else rows


def _from_binary(array: pa.Array, width: int) -> NDArray[np.uint8]:
    """Returns binary values of one width as rows of bytes [S, B], without a copy."""
    if not len(array):
        return np.empty((0, width), np.uint8)
    _, ends, data = array.buffers()
    ends = np.frombuffer(ends, np.int32)[array.offset : array.offset + len(array) + 1]
    if (np.diff(ends) != width).any():
        raise ValueError(f"it has binary values of more or fewer than {width:,} bytes")
    flat = np.frombuffer(data, np.uint8, count=len(array) * width, offset=int(ends[0]))
    return flat.reshape(len(array), width)
