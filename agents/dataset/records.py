"""The games of a data set as records, which statistics read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from gonzaga_env.tabletop.errors import ActionError
from gonzaga_env.tabletop.records import Record

from .folder import MANIFEST, Dataset, open_dataset
from .games import DatasetError


def folder_records(folder: Path) -> Iterator[Record] | None:
    """Returns the records of the games in a folder, in their order; None if it is no data set.

    Raises:
        DatasetError: games are missing or damaged, or were made by other versions.
        EditionError: the edition cannot be found or has faults.
    """
    if not (folder / MANIFEST).exists():
        return None
    dataset = open_dataset(folder)
    dataset.check_complete()
    return _records(dataset)


def _records(dataset: Dataset) -> Iterator[Record]:
    record, names = dataset.spec.record, np.array(dataset.names)
    assert record is not None  # engines of all games with data sets are recorded
    for shard in dataset.shards:
        games = dataset.read(shard)
        ends = np.cumsum([0, *games.lengths])
        for i, (start, end) in enumerate(pairwise(ends.tolist())):
            number, agents = games.first + i, names[games.seating[i]].tolist()
            actions = games.actions[start:end].tolist()
            try:
                found = record(dataset.config, int(games.seeds[i]), agents, actions)
            except ActionError as error:
                raise DatasetError(f"{dataset.path}, game {number}: {error}") from error
            if found["scores"]["total"] != games.totals[i].tolist():
                raise DatasetError(f"{dataset.path}: game {number} does not end as its shard says")
            yield found
