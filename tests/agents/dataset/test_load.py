"""Loading a data set: the same decisions whatever the form, the order and the number of parts."""

import shutil
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.dataset import Dataset, DatasetError, load
from gonzaga_agents.dataset.columns import MEANINGS
from torch.utils.data import DataLoader

from gonzaga_env.core import Engine
from gonzaga_env.tabletop.errors import OptionError


def whole(batches: Any) -> dict[str, Any]:
    parts = list(batches)
    return {name: np.concatenate([np.asarray(p[name]) for p in parts]) for name in parts[0]}


@pytest.fixture(scope="module")
def columns(dataset: Dataset) -> dict[str, Any]:
    return whole(load(dataset.path))


def test_columns_say_what_happened(dataset: Dataset, columns: dict[str, Any]) -> None:
    assert list(columns) == list(MEANINGS)
    batches = load(dataset.path)
    games = [dataset.read(shard) for shard in dataset.shards]
    seeds = np.concatenate([part.seeds for part in games])
    assert columns["observation"].dtype == np.uint8
    assert columns["action_mask"].dtype == np.bool_
    for game in (0, 1, 29):
        own = columns["game"] == game
        engine = Engine(num_games=1, num_players=2, seed=int(seeds[game]), autoreset=False)
        assert (columns["deal"][own] == game // 2).all()
        assert (columns["seed"][own] == seeds[game]).all()
        assert (columns["step"][own] == np.arange(own.sum())).all()
        first = np.flatnonzero(own)[0]
        assert (columns["observation"][first] == engine.observe()[0]).all()
        assert (columns["action_mask"][first] == engine.legal_action_mask()[0]).all()
        for row in np.flatnonzero(own):
            agent = (columns["seat"][row] + game) % 2  # rotated
            assert batches.agents[columns["agent"][row]] == ["greedy", "random"][agent]
            assert columns["seat"][row] == engine.seats[0]
            engine.step(columns["action"][[row]])
        assert (columns["scores"][own] == engine.totals[0]).all()
        won = engine.winners()[0] / engine.winners().sum()
        assert (columns["won"][own] == won[columns["seat"][own]].astype(np.float32)).all()
        last = np.flatnonzero(own)[-1]
        assert columns["reward"][last] == columns["return"][last] == 2 * columns["won"][last] - 1
    assert batches.kinds == list(dataset.spec.kinds)


def test_batches_have_their_size_and_lose_nothing(
    dataset: Dataset, columns: dict[str, Any]
) -> None:
    batches = list(load(dataset.path, columns=["game", "step"], batch_size=100))
    assert {len(batch["game"]) for batch in batches[:-1]} == {100}
    assert (whole(batches)["step"] == columns["step"]).all()


def test_a_seed_mixes_and_an_epoch_mixes_anew(dataset: Dataset, columns: dict[str, Any]) -> None:
    mixed = load(dataset.path, columns=["game", "step", "action"], seed=3)
    first, again, later = whole(mixed), whole(mixed), whole(replace(mixed, epoch=1))
    assert (first["action"] == again["action"]).all()
    assert (first["action"] != later["action"]).any()
    order = np.lexsort((first["step"], first["game"]))
    assert (first["game"][order] == columns["game"]).all()
    assert (first["action"][order] == columns["action"]).all()
    assert (first["game"] != columns["game"]).any()


def test_parts_share_the_games(dataset: Dataset, columns: dict[str, Any]) -> None:
    parts = [whole(load(dataset.path, columns="game", part=(i, 2)))["game"] for i in range(2)]
    assert not set(parts[0]) & set(parts[1])
    assert (np.sort(np.concatenate(parts)) == columns["game"]).all()


@pytest.mark.parametrize("workers", [0, 2])
def test_torch_workers_share_the_games(
    dataset: Dataset, columns: dict[str, Any], workers: int
) -> None:
    tensors = load(dataset.path, "torch", columns=["game", "step", "action", "action_mask"])
    found = list(DataLoader(tensors, batch_size=None, num_workers=workers))
    assert found[0]["action"].dtype == torch.int64
    assert found[0]["action_mask"].dtype == torch.bool
    both = whole(found)
    order = np.lexsort((both["step"], both["game"]))
    assert (both["action"][order] == columns["action"]).all()


def test_torch_mixes_every_epoch_anew(dataset: Dataset) -> None:
    tensors = load(dataset.path, "torch", columns=["action"], seed=1)
    first = whole(tensors)
    tensors.set_epoch(1)
    assert (first["action"] != whole(tensors)["action"]).any()


def test_rewards_are_of_the_kind_that_is_asked_for(dataset: Dataset) -> None:
    scored = whole(load(dataset.path, columns=["step", "seat", "return", "scores"], reward="score"))
    first = np.flatnonzero(scored["step"] == 0)
    own = scored["scores"][first, scored["seat"][first]]
    assert (scored["return"][first] == own).all()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(dataset: Dataset, columns: dict[str, Any], library: Any) -> None:
    pytest.importorskip(library, reason=f"needs {library}")
    frame = load(dataset.path, library)
    assert list(frame.columns) == [n for n in MEANINGS if n not in ("observation", "action_mask")]
    assert (np.asarray(frame["action"]) == columns["action"]).all()
    assert set(frame["agent"].unique()) == {"greedy", "random"}
    assert set(frame["kind"].unique()) == set(dataset.spec.kinds)
    seen = load(dataset.path, library, columns=["observation"])["observation"]
    assert (np.asarray(seen[5]) == columns["observation"][5]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"as_": "csv"}, "as_ is 'csv'; it takes 'numpy', 'torch'"),
        ({"columns": ["score"]}, "there is no column 'score'; there are: game, step"),
        ({"columns": []}, "take names, each once"),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"part": (2, 2)}, r"part is \(2, 2\)"),
        ({"reward": "gold"}, "reward is 'gold'"),
    ],
)
def test_bad_options_are_named(dataset: Dataset, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        load(dataset.path, **options)


def test_lengths_that_lie_take_no_memory(dataset: Dataset, tmp_path: Path) -> None:
    """65,535 steps a game once asked for 55 GiB of observations before the first was played."""
    copy = Path(shutil.copytree(dataset.path, tmp_path / "copy"))
    games = dataset.read(dataset.shards[0])
    lengths = np.full(len(games), 2**16 - 1, np.uint16)
    lying = replace(games, lengths=lengths, actions=np.zeros(lengths.sum(dtype=int), np.uint16))
    (copy / "games" / dataset.shards[0].name).write_bytes(lying.to_bytes())
    tracemalloc.start()
    try:
        with pytest.raises(DatasetError, match="from game 0 on: game "):
            whole(load(copy))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10**8


def test_no_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no such folder"):
        load(tmp_path / "nothing")
