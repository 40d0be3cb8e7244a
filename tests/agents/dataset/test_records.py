"""Statistics read the folder of a data set like the records of its games."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.dataset import Dataset, DatasetError
from gonzaga_agents.dataset.records import folder_records

from gonzaga_env.core import replay, write_records
from tests.conftest import complaint_of


def test_records_are_those_of_the_games(dataset: Dataset) -> None:
    records = list(folder_records(dataset.path) or ())
    assert len(records) == 30
    for record in records:
        assert sorted(record["agents"]) == ["greedy", "random"]
        replay(record)
    first = dataset.read(dataset.shards[0])
    assert [record["seed"] for record in records[:12]] == first.seeds.tolist()
    assert [record["scores"]["total"] for record in records[:12]] == first.totals.tolist()


def test_statistics_of_a_data_set_are_those_of_its_records(
    dataset: Dataset, gonzaga: Callable[..., Any], tmp_path: Path
) -> None:
    write_records(tmp_path / "games.jsonl", folder_records(dataset.path) or ())
    assert gonzaga("stats", dataset.path) == gonzaga("stats", tmp_path / "games.jsonl")


def test_what_is_missing_or_forged_is_told(
    dataset: Dataset, gonzaga: Callable[..., Any], tmp_path: Path
) -> None:
    assert folder_records(tmp_path) is None
    folder = Path(shutil.copytree(dataset.path, tmp_path / "copy"))
    shard = folder / "games/00001.games"
    games = dataset.read(dataset.shards[1])
    shard.write_bytes(replace(games, totals=games.totals + 1).to_bytes())
    with pytest.raises(DatasetError, match="game 12 does not end as its shard says"):
        list(folder_records(folder) or ())
    shard.write_bytes(replace(games, actions=games.actions * 0).to_bytes())
    with pytest.raises(DatasetError, match="game 12: "):
        list(folder_records(folder) or ())
    shard.unlink()
    assert "1 of 3 shards are missing" in complaint_of(gonzaga("stats", folder))
