"""Writing a data set: it resumes, keeps what it has, and is read like the records of its games."""

import errno
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.common.locks import LockedError, lock_folder
from gonzaga_agents.dataset import Dataset, DatasetError, Recipe, open_dataset, write_games
from gonzaga_agents.dataset import folder as folder_module
from gonzaga_agents.dataset import recipe as recipe_module
from gonzaga_agents.dataset import write as write_module
from gonzaga_agents.dataset.records import folder_records
from gonzaga_agents.units.executors import open_executor

from gonzaga_env.core import replay, write_records
from tests.conftest import complaint_of

SHARD = "games/00001.games"


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def header_of(card: str) -> dict[str, Any]:
    """Returns a card's header, whose values are JSON, which is YAML."""
    lines = card.split("---\n")[1].splitlines()
    return {name: json.loads(value) for name, value in (line.split(": ", 1) for line in lines)}


@pytest.fixture
def folder(dataset: Dataset, tmp_path: Path) -> Path:
    """A copy of the data set."""
    return Path(shutil.copytree(dataset.path, tmp_path / "copy"))


def test_the_folder_holds_games_and_a_card(dataset: Dataset) -> None:
    names = {"README.md", "dataset.json", *(f"games/0000{i}.games" for i in range(3))}
    assert set(content(dataset.path)) == names
    assert [len(dataset.read(shard)) for shard in dataset.shards] == [12, 12, 6]
    card = (dataset.path / "README.md").read_text("utf-8")
    header = header_of(card)
    assert header["license"] == "mit"
    assert dataset.about["digest"] in card
    assert "write greedy random --game gonzaga --edition europe --players 2 --games 30" in card
    assert "split into training and test by `deal`" in card


def test_what_is_missing_is_played_again_to_the_byte(
    dataset: Dataset, recipe: Recipe, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / SHARD).unlink()
    (folder / "README.md").unlink()
    played, real = [], recipe_module.Unit.play
    monkeypatch.setattr(
        recipe_module.Unit, "play", lambda unit, report: played.append(unit) or real(unit, report)
    )
    write_games(recipe, folder)
    assert [unit.first for unit in played] == [12]
    assert content(folder) == content(dataset.path)


def test_an_interrupt_keeps_what_was_played(
    recipe: Recipe, dataset: Dataset, tmp_path: Path
) -> None:
    def interrupt(done: float, total: int) -> None:
        if done > 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_games(recipe, tmp_path, on_progress=interrupt)
    assert set(content(tmp_path)) == {"dataset.json", "games/00000.games"}
    with pytest.raises(DatasetError, match=r"2 of 3 shards are missing, the first is 00001.games"):
        open_dataset(tmp_path).check_complete()
    write_games(recipe, tmp_path)
    assert content(tmp_path) == content(dataset.path)


def test_the_bytes_do_not_depend_on_the_number_of_workers(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (recipe_module, folder_module):  # workers import them anew
        monkeypatch.setattr(module, "UNIT_GAMES", 240)
    more = replace(recipe, num_games=250)
    write_games(more, tmp_path / "one")
    with open_executor(workers=2) as executor:
        write_games(more, tmp_path / "two", executor)
    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 8}, "was made for seed 7, not 8; take another --out"),
        ({"num_games": 32}, "was made for games 30, not 32"),
        ({"deals": "independent"}, 'was made for deals "rotated", not "independent"'),
    ],
)
def test_another_data_set_is_left_alone(
    recipe: Recipe, folder: Path, changes: dict[str, Any], message: str
) -> None:
    before = content(folder)
    with pytest.raises(DatasetError, match=message):
        write_games(replace(recipe, **changes), folder)
    assert content(folder) == before


def test_a_folder_of_other_files_is_left_alone(recipe: Recipe, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years")
    with pytest.raises(DatasetError, match=r"holds other files and no dataset.json"):
        write_games(recipe, tmp_path)
    assert set(content(tmp_path)) == {"thesis.txt"}
    with pytest.raises(DatasetError, match="is a file; --out takes a folder"):
        write_games(recipe, tmp_path / "thesis.txt")


def test_damage_shows_before_anything_is_played(
    recipe: Recipe, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard = folder / SHARD
    shard.write_bytes(shard.read_bytes()[:-1])
    (folder / "games/00002.games").unlink()
    monkeypatch.setattr(recipe_module.Unit, "play", None)
    with pytest.raises(DatasetError, match=r"00001.games: is damaged: .*; remove the file"):
        write_games(recipe, folder)


def test_a_shard_of_other_games_is_named(recipe: Recipe, folder: Path, tmp_path: Path) -> None:
    other = write_games(replace(recipe, seed=8, num_games=12), tmp_path / "other")
    (folder / "games/00000.games").write_bytes(other.shards[0].read_bytes())
    with pytest.raises(DatasetError, match=r"00000.games: is of another data set"):
        write_games(recipe, folder)
    (folder / "games/00000.games").write_bytes((folder / SHARD).read_bytes())
    with pytest.raises(DatasetError, match=r"00000.games: is of another data set"):
        write_games(recipe, folder)


def test_a_full_disk_is_one_line_and_loses_nothing(
    recipe: Recipe, dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = write_module.write_aside

    def fill(path: Path, data: Any) -> None:
        if path.name == "00001.games":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        real(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(write_module, "write_aside", fill)
        with pytest.raises(DatasetError, match="No space left on device; the same command cont"):
            write_games(recipe, tmp_path)
    write_games(recipe, tmp_path)
    assert content(tmp_path) == content(dataset.path)


def test_two_commands_do_not_write_to_one_folder(recipe: Recipe, folder: Path) -> None:
    with lock_folder(folder, "dataset"), pytest.raises(LockedError, match="another dataset writes"):
        write_games(recipe, folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("observations", "mutants"), "a field is missing or wrong|was made with version"),
        (('"game": "gonzaga"', '"game": "chess"'), "game is 'chess'; there are: gonzaga"),
        (('"dataset": 1', '"dataset": 2'), "has format 2; this version reads 1"),
        *(
            ((f'"{name}": ', f'"not_{name}": '), f"a field is missing: {name}")
            for name in ("names", "versions", "deals", "digest", "game", "agents", "rules")
        ),
        (('"deals": "rotated"', '"deals": ["rotated"]'), r"deals is \['rotated'\]"),
        (('"deals": "rotated"', '"deals": "often"'), "deals is 'often'; it takes rotated or"),
        (('"games": 30', '"games": 1e9'), "games is 1000000000.0"),
        (('"games": 30', '"games": 0'), "games is 0; it takes 1 to"),
        (('"players": 2', '"players": true'), "players is True"),
        (('"players": 2', '"players": 1000000000'), "players is 1000000000; it takes 1 to 16"),
        (('"names": [', '"names": ["more", '), "has 2 agents and 3 names"),
        (('"names": [', '"names": [7, '), "names is "),
        (('"versions": {', '"versions": 7, "old": {'), "versions is 7"),
        (('"edition": "europe"', '"edition": "atlantis"'), "atlantis"),
        (('"edition_hash": "', '"edition_hash": "0'), "is not the one of the games"),
        (("{", ""), "is not JSON"),
    ],
)
def test_a_manifest_that_does_not_fit_is_named(
    folder: Path, change: tuple[str, str], message: str
) -> None:
    manifest = folder / "dataset.json"
    manifest.write_text(manifest.read_text("utf-8").replace(*change), "utf-8")
    with pytest.raises(ValueError, match=message) as found:
        open_dataset(folder)
    assert "dataset.json" in str(found.value)


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
    dataset: Dataset, folder: Path, gonzaga: Callable[..., Any]
) -> None:
    assert folder_records(folder.parent) is None
    shard = folder / SHARD
    games = dataset.read(dataset.shards[1])
    shard.write_bytes(replace(games, totals=games.totals + 1).to_bytes())
    with pytest.raises(DatasetError, match="game 12 does not end as its shard says"):
        list(folder_records(folder) or ())
    shard.write_bytes(replace(games, actions=games.actions * 0).to_bytes())
    with pytest.raises(DatasetError, match="game 12: "):
        list(folder_records(folder) or ())
    shard.unlink()
    assert "1 of 3 shards are missing" in complaint_of(gonzaga("stats", folder))
