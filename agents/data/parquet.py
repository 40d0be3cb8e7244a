"""Writes the decisions of records as Parquet files, which every library of data reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gonzaga_env.extras import extra_needed
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.writing import open_aside, remove_leftovers

from .read import MASK, MEANINGS, OBSERVATION, blocks


def write_parquet(
    path: str | Path,
    out: str | Path,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Writes a file of Parquet for every 240 games; returns the number of decisions.

    The columns are those of `load`, with rewards for the victory ("outcome"); observations and
    masks are lists of one length. The metadata `gonzaga_env` of a file say what columns mean and
    how observations are laid out.

    Args:
        path: a file or a folder of records.
        out: the folder; it is made, and must not hold Parquet files.
        on_progress: called with the games that are done, and with 0.

    Raises:
        OptionError: the folder holds Parquet files.
        RecordError: the records can't be read or contradict the rules.
        OSError: a file can't be written.
        ModuleNotFoundError: pyarrow is missing; the message says what to install.
    """
    with extra_needed():
        import pyarrow as pa
        import pyarrow.parquet as pq
    out, rows = Path(out), 0
    out.mkdir(parents=True, exist_ok=True)
    remove_leftovers(out)
    if any(out.glob("*.parquet")):
        raise OptionError(f"{out}: holds Parquet files; take another folder")
    for number, block in enumerate(blocks(Path(path))):
        found: dict[str, Any] = block.columns(tuple(MEANINGS))
        for name in (OBSERVATION, MASK, "scores"):
            width = found[name].shape[1]
            found[name] = pa.FixedSizeListArray.from_arrays(pa.array(found[name].ravel()), width)
        table = pa.table(found).replace_schema_metadata({"gonzaga_env": _about(block.config)})
        with open_aside(out / f"{number:05}.parquet") as file:
            pq.write_table(table, file, compression="zstd")
        rows += len(table)
        on_progress(block.first + len(block.records), 0)
    return rows


def _about(config: Any) -> str:
    """Returns what readers have to know of the columns, as JSON."""
    layout = [
        {"name": f.name, "start": f.start, "shape": f.shape, "scale": f.scale, "meaning": f.meaning}
        for f in config.features
    ]
    return json.dumps({"game": config.game, "columns": MEANINGS, "features": layout})
