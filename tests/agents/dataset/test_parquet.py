"""Parquet files: they hold what the games hold, resume, and are read by others as they are."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.dataset import Dataset, DatasetError, load, open_dataset, write_parquet

from gonzaga_env.tabletop.errors import OptionError

pa = pytest.importorskip("pyarrow", reason='needs pyarrow: pip install ".[data]"')
pq = pytest.importorskip("pyarrow.parquet")
parquet = pytest.importorskip("gonzaga_agents.dataset.parquet")


@pytest.fixture(scope="module", autouse=True)
def small_files() -> Any:
    """Lets a Parquet file have one block of one shard in place of ten blocks of two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "BLOCK_SHARDS", 1)
        patch.setattr(parquet, "_SHARDS", 1)
        yield


@pytest.fixture(scope="module")
def folder(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = Path(tmp_path_factory.mktemp("parquet"))
    rows = write_parquet(dataset, out)
    assert rows == sum(len(dataset.read(shard).actions) for shard in dataset.shards)
    return out


def whole(batches: Any) -> dict[str, Any]:
    parts = list(batches)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def files(folder: Path) -> list[Path]:
    return sorted((folder / "data").iterdir())


def test_it_holds_what_the_games_hold(dataset: Dataset, folder: Path) -> None:
    games, found = whole(load(dataset.path)), whole(load(folder))
    assert list(found) == list(games)
    for name, values in games.items():
        assert found[name].dtype == values.dtype
        assert (found[name] == values).all(), name
    assert load(folder).kinds == load(dataset.path).kinds


def test_others_read_it_as_it_is(dataset: Dataset, folder: Path) -> None:
    assert [file.name for file in files(folder)] == [
        f"train-0000{i}-of-00003.parquet" for i in range(3)
    ]
    table = pq.read_table(folder / "data")
    rows, games = table.slice(7, 1).to_pylist()[0], whole(load(dataset.path, batch_size=10**6))
    assert rows["agent"] in ("greedy", "random")
    assert rows["kind"] == dataset.spec.kinds[games["kind"][7]]
    assert rows["scores"] == games["scores"][7].tolist()
    assert (np.frombuffer(rows["observation"], np.uint8) == games["observation"][7]).all()
    about = json.loads(table.schema.metadata[b"gonzaga_env"])
    bits = np.frombuffer(rows["action_mask"], np.uint8)
    mask = np.unpackbits(bits, count=about["num_actions"], bitorder="little").astype(bool)
    assert (mask == games["action_mask"][7]).all()
    assert about["digest"] == dataset.about["digest"]
    assert about["versions"] == dataset.about["versions"]
    assert about["num_features"] == len(games["observation"][7])
    assert set(about["columns"]) == set(table.column_names)


def test_arrays_are_lists_of_numbers(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "arrays"
    write_parquet(dataset, out, arrays=True)
    games, found = whole(load(dataset.path)), whole(load(out))
    for name, values in games.items():
        assert found[name].dtype == values.dtype
        assert (found[name] == values).all(), name
    row = pq.read_table(out / "data").slice(7, 1).to_pylist()[0]
    assert row["observation"] == games["observation"][7].tolist()
    assert row["action_mask"] == games["action_mask"][7].tolist()
    assert "is a list of D = " in (out / "README.md").read_text("utf-8")
    with pytest.raises(DatasetError, match="was made for parquet"):
        write_parquet(dataset, out)

    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="needs datasets of Hugging Face")
    read = datasets.load_dataset(str(out), split="train", cache_dir=str(tmp_path / "cache"))
    some = read.with_format("numpy")[5:9]
    assert "uint8" in str(read.features["observation"])  # numpy's format widens integers
    assert some["action_mask"].dtype == np.bool_
    for name in ("observation", "action_mask"):
        assert (some[name] == games[name][5:9]).all()


def test_the_card_has_what_hugging_face_reads(folder: Path) -> None:
    card = (folder / "README.md").read_text("utf-8")
    assert '"data_files": "data/train-*-of-*.parquet"}]' in card
    assert 'size_categories: ["1K<n<10K"]' in card


def test_hugging_face_reads_the_folder(
    dataset: Dataset, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="needs datasets of Hugging Face")
    cache = str(tmp_path / "cache")
    options = {"split": "train", "cache_dir": cache}
    games = whole(load(dataset.path, batch_size=10**6))
    for found in (
        datasets.load_dataset(str(folder), **options),
        datasets.load_dataset("parquet", data_dir=str(folder / "data"), **options),
    ):
        assert found["action"] == games["action"].tolist()
        assert (np.frombuffer(found[3]["observation"], np.uint8) == games["observation"][3]).all()


def test_it_resumes_to_the_byte(dataset: Dataset, folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    files(copy)[1].unlink()
    with pytest.raises(DatasetError, match="holds 2 of 3 Parquet files"):
        load(copy)
    write_parquet(dataset, copy)
    assert [f.read_bytes() for f in files(copy)] == [f.read_bytes() for f in files(folder)]


def test_a_damaged_file_is_one_line(folder: Path, dataset: Dataset, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    damaged = files(copy)[0]
    damaged.write_bytes(damaged.read_bytes()[:-100])
    for call in (lambda: load(copy), lambda: write_parquet(dataset, copy)):
        with pytest.raises(DatasetError, match=r"00000-of-00003.parquet: is no Parquet") as found:
            call()
        assert "\n" not in str(found.value)


def test_other_rewards_take_another_folder(dataset: Dataset, folder: Path) -> None:
    with pytest.raises(DatasetError, match=r"was made for parquet .*; take another --out"):
        write_parquet(dataset, folder, "score")
    with pytest.raises(OptionError, match=r"reward is 'score', but the files of .* have 'outcome'"):
        load(folder, reward="score")


def test_a_full_disk_leaves_no_half_file(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*arguments: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", fill)
    with pytest.raises(DatasetError, match="No space left on device; the same command continues"):
        write_parquet(dataset, tmp_path)
    assert not list((tmp_path / "data").iterdir())


def test_files_of_other_data_are_refused(tmp_path: Path, folder: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    pq.write_table(pa.table({"a": [1]}), files(copy)[0])
    with pytest.raises(DatasetError, match="is a Parquet file, but not of a data set"):
        load(copy)


def test_folders_of_games_and_of_parquet_are_told_apart(folder: Path, dataset: Dataset) -> None:
    with pytest.raises(DatasetError, match="holds Parquet files; this takes the folder of the"):
        open_dataset(folder)
    with pytest.raises(DatasetError, match="holds games; take another --out"):
        write_parquet(dataset, dataset.path)


def test_files_of_others_are_not_counted(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    (tmp_path / "copy" / "data" / "mine.parquet").write_text("mine")
    assert load(tmp_path / "copy").blocks


def _rewritten(file: Path, change: Any) -> None:
    """Writes a Parquet file again, with a changed table and what it says of itself."""
    table = pq.read_table(file, schema=None)
    about = json.loads(table.schema.metadata[parquet.KEY])
    table = change(table, about) or table
    pq.write_table(table.replace_schema_metadata({parquet.KEY: json.dumps(about)}), file)


def _column(name: str, make: Any) -> Any:
    """Returns a change of one column."""

    def change(table: Any, about: Any) -> Any:
        place = table.schema.get_field_index(name)
        return table.set_column(place, name, make(table[name].combine_chunks()))

    return change


def _about(**fields: Any) -> Any:
    """Returns a change of what a file says of itself."""

    def change(table: Any, about: Any) -> None:
        about.update(fields)

    return change


def _without_first(values: Any) -> Any:
    return pa.concat_arrays([pa.nulls(1, values.type), values[1:]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table, about: table.drop_columns(["won"]), "has 0 columns 'won'; it takes one"),
        (lambda table, about: table.append_column("won", table["won"]), "has 2 columns 'won'"),
        (lambda table, about: table.append_column("mine", table["won"]), "has a column 'mine'"),
        (_column("action", lambda values: values.cast(pa.int64())), "'action' is of int64; it"),
        (_column("scores", lambda values: values.cast(pa.list_(pa.int16()))), "'scores' is of l"),
        (_column("action", _without_first), "'action' lacks 1 values"),
        (_column("action_mask", _without_first), "'action_mask' lacks 1 values"),
        (_column("agent", _without_first), "'agent' lacks 1 values"),
        (_column("action", lambda values: pa.array([-1] * len(values), pa.int32())), "takes 0 to"),
        (_column("seat", lambda values: pa.array([2] * len(values), pa.int8())), "takes 0 to 1"),
        (
            _column("action_mask", lambda values: pa.array([b"x"] * len(values), pa.binary())),
            "it has binary values of more or fewer than",
        ),
        (
            _column("observation", lambda values: pa.array([b""] * len(values), pa.binary())),
            "it has binary values of more or fewer than",
        ),
        (_about(num_actions=10**9), "num_actions is 1000000000; it takes 1 to 65,536"),
        (_about(num_actions=None), "num_actions is None"),
        (_about(num_features=True), "num_features is True"),
        (_about(kinds="plan"), "kinds is 'plan'; it takes names"),
        (_about(names=[]), "names is "),
        (_about(digest="another"), "is of another data set than dataset.json"),
        (_about(parquet={"reward": "mine"}), "reward is 'mine'; it takes outcome"),
    ],
)
def test_nothing_of_a_file_is_read_silently(
    folder: Path, tmp_path: Path, change: Any, message: str
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    _rewritten(files(copy)[1], change)
    with pytest.raises(DatasetError, match=message) as found:
        whole(load(copy))
    assert "\n" not in str(found.value)


def test_a_file_that_is_written_again_unchanged_is_read(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    _rewritten(files(copy)[1], lambda table, about: None)
    before, after = whole(load(folder)), whole(load(copy))
    assert all((before[name] == after[name]).all() for name in before)


def test_a_pipe_among_the_files_is_named(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    files(copy)[1].unlink()
    os.mkfifo(copy / "data/train-00001-of-00003.parquet")
    with pytest.raises(DatasetError, match="is not a regular file"):
        load(copy)


def test_files_are_counted_by_their_names(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    files(copy)[2].rename(copy / "data/train-00001-of-many.parquet")
    with pytest.raises(DatasetError, match="holds 3 of 3 Parquet files, or others beside them"):
        load(copy)
