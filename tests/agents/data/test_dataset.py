"""Data sets: what is written, what is read of it as arrays, and what other libraries read."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.data import load, write_games, write_minari, write_parquet
from gonzaga_agents.data import write as writing
from gonzaga_agents.data.read import MEANINGS, Columns
from gonzaga_agents.executors import open_executor

from gonzaga_env import cli
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import GameError, OptionError, RecordError
from gonzaga_env.kernel.records import read_entries, read_records, write_records
from gonzaga_env.stats import read_games
from tests.agents.own import TEXT

AGENTS = ("greedy", "random")


def whole(batches: Any) -> Columns:
    parts = list(batches)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@pytest.fixture(scope="module", params=game_names())
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns six games of two seats, in two files."""
    out = tmp_path_factory.mktemp("data") / request.param
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writing, "FILE_GAMES", 4)
        return write_games(game_spec(request.param).config(num_players=2), AGENTS, out, 6, seed=5)


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def test_records_are_of_the_rules_and_in_rotation(folder: Path) -> None:
    files = sorted(folder.glob("*.jsonl"))
    assert [file.name for file in files] == ["00000.jsonl", "00001.jsonl"]
    spec = game_spec(folder.name)
    faults = [fault for file in files for _, fault in spec.records.verify(read_entries(file))]
    assert faults == [None] * 6
    records = [record for file in files for record in read_records(file)]
    assert {*Counter(record["seed"] for record in records).values()} == {2}
    for one, other in zip(records[::2], records[1::2], strict=True):
        assert one["seed"] == other["seed"]
        assert one["agents"] == other["agents"][::-1]
    assert len([*read_games(folder)]) == 6


def test_records_tell_agents_of_one_name_apart(tmp_path: Path) -> None:
    config = game_spec("tuscany").config(num_players=2)
    write_games(config, ["random", "random"], tmp_path / "x", 2, seed=5)
    records = list(read_records(tmp_path / "x" / "00000.jsonl"))
    assert [record["agents"] for record in records] == [
        ["random", "random #2"],
        ["random #2", "random"],
    ]


def test_one_agent_plays_every_deal_once(tmp_path: Path) -> None:
    config = game_spec("tuscany").config(num_players=3)
    out = write_games(config, ["random"], tmp_path / "own", 5)
    assert len({record["seed"] for record in read_records(out / "00000.jsonl")}) == 5
    assert json.loads((out / "data.json").read_text())["seed"] >= 2**64


def test_the_same_call_continues_and_another_is_refused(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "FILE_GAMES", 4)
    before = {file.name: file.read_bytes() for file in copy.iterdir()}
    config = game_spec(json.loads(before["data.json"])["game"]).config(num_players=2)
    (copy / "00000.jsonl").unlink()
    done = []
    write_games(config, AGENTS, copy, 6, on_progress=lambda games, total: done.append(games))
    assert (done[0], done[-1]) == (2, 6)
    assert {f.name: f.read_bytes() for f in copy.iterdir() if f.name in before} == before
    for agents, games, seed in ((AGENTS[::-1], 6, 5), (AGENTS, 8, 5), (AGENTS, 6, 4)):
        with pytest.raises(OptionError, match="another folder"):
            write_games(config, agents, copy, games, seed=seed)
    (copy / "data.json").write_text("{}")
    with pytest.raises(OptionError):
        write_games(config, AGENTS, copy, 6)
    (copy / "data.json").unlink()
    with pytest.raises(OptionError, match="another folder"):
        write_games(config, AGENTS, copy, 6)


def test_what_is_not_whole_is_played_again_by_the_same_agents_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(TEXT)
    config = game_spec("tuscany").config(num_players=2)
    file = write_games(config, ["mine.py:First"], "out", 2) / "00000.jsonl"
    whole = file.read_bytes()
    for part in (b"", whole.splitlines(keepends=True)[0], whole[:-9]):
        file.write_bytes(part)
        write_games(config, ["mine.py:First"], "out", 2)
        assert file.read_bytes() == whole
    file.unlink()
    Path("mine.py").write_text(f"{TEXT}# changed\n")
    with pytest.raises(OptionError, match="another folder"):
        write_games(config, ["mine.py:First"], "out", 2)
    assert not file.exists()


def test_processes_write_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "FILE_GAMES", 2)
    config, found = game_spec("tuscany").config(num_players=2), []
    for workers in (1, 2):
        out = tmp_path / str(workers)
        with open_executor(workers=workers) as executor:
            write_games(config, AGENTS, out, 4, seed=1, executor=executor)
        found.append([file.read_bytes() for file in sorted(out.glob("*.jsonl"))])
    assert found[0] == found[1]
    assert len(found[0]) == 2


@pytest.mark.parametrize(
    ("agents", "games", "seed"),
    [([], 2, 0), (["random"] * 3, 2, 0), (AGENTS, 3, 0), (AGENTS, 0, 0), (AGENTS, 2, -1)],
)
def test_wrong_arguments_of_writing_leave_nothing(
    agents: Any, games: int, seed: int, tmp_path: Path
) -> None:
    with pytest.raises(OptionError):
        write_games(
            game_spec("tuscany").config(num_players=2), agents, tmp_path / "x", games, seed=seed
        )
    assert not (tmp_path / "x").exists()


def test_columns_say_what_happened(folder: Path) -> None:
    columns, records = (
        whole(load(folder)),
        [r for f in sorted(folder.glob("*.jsonl")) for r in read_records(f)],
    )
    assert [*columns] == [*MEANINGS]
    spec = game_spec(folder.name)
    config = spec.config(num_players=2)
    for game in (0, 5):
        rows = np.flatnonzero(columns["game"] == game)
        engine = spec.engine.from_config(
            config, 1, seed=np.array([records[game]["seed"]], np.uint64), autoreset=False
        )
        for step, row in enumerate(rows.tolist()):
            own = {name: values[row] for name, values in columns.items()}
            assert (own["step"], own["seat"], own["kind"]) == (
                step,
                engine.seats[0],
                engine.kinds[0],
            )
            assert own["agent"] == records[game]["agents"][own["seat"]]
            assert (own["observation"] == engine.observe()[0]).all()
            assert (own["action_mask"] == engine.legal_action_mask()[0]).all()
            engine.step(columns["action"][[row]])
        assert (columns["scores"][rows] == engine.totals[0]).all()
        won = engine.winners()[0] / engine.winners().sum()
        assert np.allclose(columns["won"][rows], won[columns["seat"][rows]])
        last = rows[-1]
        assert columns["reward"][last] == columns["return"][last] == 2 * columns["won"][last] - 1


def test_seeds_have_64_bits_and_names_200_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "deal_seed", lambda *_: np.uint64(2**64 - 1))
    monkeypatch.setattr(writing, "agent_name", lambda _: "x" * 10**4)
    out = write_games(game_spec("tuscany").config(num_players=2), ["random"], tmp_path / "x", 1)
    found = whole(load(out))
    assert {*found["seed"].tolist()} == {2**64 - 1}
    assert {*found["agent"].tolist()} == {"x" * 200}


def test_batches_lose_nothing_and_a_seed_mixes_them(folder: Path) -> None:
    names = ["game", "step", "action"]
    plain = list(load(folder, columns=names, batch_size=50))
    assert {len(batch["game"]) for batch in plain[:-1]} == {50}
    orders = [whole(load(folder, columns=names, seed=seed)) for seed in (3, 3, 4)]
    assert (orders[0]["action"] == orders[1]["action"]).all()
    assert (orders[0]["step"] != orders[2]["step"]).any()
    found = whole(plain)
    assert sorted(orders[2]["action"]) == sorted(found["action"])
    assert sorted(orders[2]["step"]) == sorted(found["step"])


def test_rewards_are_of_the_kind_that_is_asked_for(folder: Path) -> None:
    scored = whole(load(folder, columns=["step", "seat", "return", "scores"], reward="score"))
    seats = np.arange(len(scored["step"])), scored["seat"]
    first = scored["step"] == 0
    assert (scored["return"][first] == scored["scores"][seats][first]).all()


@pytest.mark.parametrize(
    "options", [{"columns": ["x"]}, {"columns": []}, {"batch_size": 0}, {"reward": "gold"}]
)
def test_wrong_arguments_of_loading_are_refused(folder: Path, options: Any) -> None:
    with pytest.raises(OptionError):
        load(folder, **options)


def test_what_contradicts_the_rules_is_refused(copy: Path) -> None:
    file = copy / "00000.jsonl"
    good, other = [*read_records(file)], {"tuscany": "signorie"}.get(copy.name, "tuscany")
    first = good[0]
    last = first["moves"][-1]
    wrong: list[list[Any]] = [
        [first | {"moves": first["moves"][:-1]}],
        [first | {"moves": [*first["moves"][:-1], last | {"action": "fly"}]}],
        *([first | {"scores": {"total": total}}] for total in ([0, 1], [], "x", None)),
        [first | {"seed": "x"}],
        *([first, first | {"agents": agents}] for agents in (["greedy"], "ab", [["a"], "b"])),
        [first, first | {"num_players": 3}],
        [{"game": other}],
        [{}],
        [],
    ]
    (copy / "00001.jsonl").unlink()
    for records in wrong:
        write_records(file, records)
        with pytest.raises(GameError) as caught:
            whole(load(copy))
        assert "\n" not in str(caught.value)
    file.write_text("{")
    with pytest.raises(RecordError):
        whole(load(copy))


def test_parquet_holds_the_same_columns(folder: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    columns, out = whole(load(folder)), tmp_path / "parquet"
    assert write_parquet(folder, out) == len(columns["game"])
    table = parquet.read_table(out)
    assert table.column_names == [*MEANINGS]
    for name, values in columns.items():
        assert (np.array(table[name].to_pylist()) == values).all()
    about = json.loads(table.schema.metadata[b"gonzaga_env"])
    assert sum(int(np.prod(part["shape"])) for part in about["features"]) == len(
        columns["observation"][0]
    )
    described = json.loads((tmp_path / "parquet.croissant.json").read_text("utf-8"))
    assert [*tmp_path.glob(described["distribution"][0]["includes"])] == [*out.iterdir()]
    fields = {each["@id"].partition("/")[2]: each for each in described["recordSet"][0]["field"]}
    assert fields.keys() == columns.keys()
    for name, field in fields.items():
        assert field.get("isArray", False) == (columns[name].ndim == 2)
        assert int(field.get("arrayShape", 0)) in (0, columns[name].shape[-1])
    kinds = {"action": "sc:Integer", "agent": "sc:Text", "won": "sc:Float"}
    assert {name: fields[name]["dataType"] for name in kinds} == kinds
    assert fields["action_mask"]["dataType"] == "sc:Boolean"
    with pytest.raises(OptionError, match="another folder"):
        write_parquet(folder, out)


def test_datasets_reads_a_folder_that_was_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As docs/data.md says it; by a folder's name alone, `datasets` returned older rows."""
    datasets = pytest.importorskip("datasets")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    config = game_spec("tuscany").config(num_players=2)
    for seed in (1, 2):
        write_games(config, ["random"], f"games{seed}", 2, seed=seed)
        shutil.rmtree("parquet", ignore_errors=True)
        rows = write_parquet(f"games{seed}", "parquet")
        found = datasets.load_dataset(
            "parquet", data_dir="parquet", split="train", cache_dir="cache"
        )
        assert len(found) == rows
        assert found["action"][:] == whole(load(f"games{seed}"))["action"].tolist()


def test_every_seat_is_an_episode_of_minari(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    pytest.importorskip("h5py")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    columns = whole(load(folder))
    assert write_minari(folder, "gonzaga/test-v0") == len(columns["game"])
    found = minari.load_dataset("gonzaga/test-v0")
    for number in (0, 1, 11):
        game, seat = divmod(number, 2)
        rows = (columns["game"] == game) & (columns["seat"] == seat)
        episode = found[number]
        assert (episode.actions == columns["action"][rows]).all()
        assert np.allclose(episode.rewards, columns["reward"][rows])
        assert (episode.observations["observation"][:-1] == columns["observation"][rows]).all()
        assert (episode.observations["action_mask"][:-1] == columns["action_mask"][rows]).all()
        assert not episode.observations["action_mask"][-1].any()
        (about,) = found.storage.get_episode_metadata([number])
        assert about["agent"] == columns["agent"][rows][0]
    env = found.recover_environment()
    assert env.observation_space == found.spec.observation_space
    for name in ("gonzaga/test-v0", "test"):
        with pytest.raises(OptionError, match=name):
            write_minari(folder, name)
    (tmp_path / "wrong").mkdir()
    with pytest.raises(RecordError):
        write_minari(tmp_path / "wrong", "gonzaga/other-v0")
    assert [*minari.list_local_datasets()] == ["gonzaga/test-v0"]


def test_the_command_writes_and_converts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "data write random --game signorie --players 2 --games 2 --seed 1 --out games"
    assert cli.main(words.split()) == 0
    assert capsys.readouterr().out == "2 games are in games\n"
    pytest.importorskip("pyarrow")
    assert cli.main(["data", "parquet", "games", "--out", "tables"]) == 0
    assert "decisions are in tables" in capsys.readouterr().out
    assert cli.main(["data", "write", "chess", "--games", "2", "--out", "other"]) == 2
    assert not Path("other").exists()
