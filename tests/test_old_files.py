"""Files that versions since 0.6.0 wrote, and what docs/promises.md says that this version does.

`old_files.tar.xz` has a folder a version, of what its own commands wrote. To keep it small, the
weights of all checkpoints but that of 0.6.0 are zeros, and Stable-Baselines3's `data`, which
nothing reads, is empty.
"""

import json
import re
import shutil
import tarfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import CheckpointError, load_agent
from gonzaga_agents.analysis.analysis import record_digest
from gonzaga_agents.analysis.files import parse_analysis
from gonzaga_agents.bench.row import BenchError, read_row
from gonzaga_agents.bench.tasks import VERSION
from gonzaga_agents.dataset.records import folder_records
from gonzaga_agents.policies.learned import load_learned
from gonzaga_agents.tournament.results import ResultsError, read_results
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.resume import arguments_in
from gonzaga_table.session import GameSession
from gonzaga_table.web.rooms.store import Store

from gonzaga_env.games import edition_game, file_edition, game_spec, record_config
from gonzaga_env.gonzaga import load_edition
from gonzaga_env.show.replay import verify
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import StateError
from gonzaga_env.tabletop.records import read_entries, read_records
from gonzaga_env.version import __version__
from tests.table.web.conftest import Clock, Person, Server

ROOT = Path(__file__).parent.parent
OTHER_MAP = "edition digest|of another edition"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(ROOT / "tests/old_files.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


def config_of(path: Path, game: str) -> Any:
    """Returns what a version's game was: its map and its default options."""
    return record_config(next(read_records(path / f"{game}.jsonl")))


def present(config: Any) -> Any:
    """Returns a configuration on the edition that ships now."""
    return game_spec(config.game).written_config(config.rules.as_dict(), num_players=2)


def read_record(path: Path) -> str:
    for entry, fault in verify(read_entries(path), None):
        assert fault is None, fault
        assert entry.record is not None
        assert entry.record["versions"]["gonzaga_env"] == path.parent.name
    return "yes"


def read_state(path: Path) -> str:
    here = import_module(f"gonzaga_env.{path.stem}")
    state, config = here.State.from_bytes(path.read_bytes()), config_of(path.parent, path.stem)
    engine = here.Engine.from_state(config, state, autoreset=False)
    rng = np.random.default_rng(1)
    while (engine.seats >= 0).any():
        masks = engine.legal_action_mask()
        engine.step(np.array([rng.choice(m.nonzero()[0]) if m.any() else 0 for m in masks]))
    if present(config).edition == config.edition:
        return "yes"
    with pytest.raises(StateError, match=OTHER_MAP):
        here.Engine.from_state(present(config), state)
    return "map"


def plays(agent: Any, config: Any) -> None:
    here = import_module(f"gonzaga_env.{config.game}")
    engine = here.Engine.from_config(config, 2)
    masks = engine.legal_action_mask()
    actions = agent.act(engine.observe(), masks, np.random.default_rng(1))
    assert masks[[0, 1], actions].all()


def read_checkpoint(path: Path) -> str:
    config = config_of(path.parents[1], path.parent.name)
    assert arguments_in(path, Arguments)["timesteps"] == 64
    plays(load_agent(path, config), config)
    if present(config).edition == config.edition:
        return "yes"
    with pytest.raises(CheckpointError, match=OTHER_MAP):
        load_agent(path, present(config))
    return "map"


def read_policy(path: Path) -> str:
    config = config_of(path.parents[1], "gonzaga")
    plays(load_learned(config, path.parent), config)
    if present(config).edition == config.edition:
        return "yes"
    with pytest.raises(AgentError, match=OTHER_MAP):
        load_learned(present(config), path.parent)
    plays(load_learned(present(config), path.parent, any_edition=True), present(config))
    return "map"


def read_dataset(path: Path) -> str:
    records = folder_records(path.parent)
    assert records is not None
    assert len([*records]) == 4  # replayed, and compared with the scores of their shard
    return "yes"


def read_tables(path: Path) -> str:
    copy = shutil.copy(path, path.with_name("copy.sqlite"))
    store = Store(copy)
    for (name,) in store.rows("SELECT id FROM tables"):
        saved = store.load(name)
        assert saved is not None
        table = saved["table"] | {"moves": saved["moves"], "pending": saved["pending"]}
        assert GameSession.from_dict(table).num_moves == len(saved["moves"]) > 0
    store.close()
    return "yes"


def read_result(path: Path) -> str:
    header = json.loads(path.read_text().partition("\n")[0])
    assert read_results(path, header).games
    version = header["versions"]["gonzaga_env"]
    assert version == path.parent.name
    if version == __version__:
        return "yes"
    versions = header["versions"] | {"gonzaga_env": __version__}
    with pytest.raises(ResultsError, match=f"gonzaga_env {version}, not {__version__}"):
        read_results(path, header | {"versions": versions})
    return "no"


def read_analysis(path: Path) -> str:
    (record, *_) = read_records(path.with_name("gonzaga.jsonl"))
    (analysis,) = map(parse_analysis, path.read_bytes().splitlines())
    assert analysis.digest == record_digest(record)
    return "yes"


def read_bench(path: Path) -> str:
    if json.loads(path.read_text())["bench"] == VERSION:
        row, results = read_row(path)
        assert row.task.name == "gonzaga/2p"
        assert results is not None
        return "yes"
    with pytest.raises(BenchError, match=f"was made by gonzaga-bench 1; this is {VERSION}"):
        read_row(path)
    return "no"


def read_edition(path: Path) -> str:
    is_folder = path.name == "board.toml"
    edition = load_edition(path.parent) if is_folder else file_edition(path)
    game = "gonzaga" if is_folder else edition_game(path)
    record = next(read_records(path.parents[is_folder] / f"{game}.jsonl"))
    assert edition.digest == record["edition_hash"]
    return "yes"


READERS: dict[str, tuple[tuple[str, ...], Callable[[Path], str]]] = {
    "records": (("gonzaga.jsonl", "tuscany.jsonl", "signorie.jsonl"), read_record),
    "editions": (("*/board.toml", "*.toml"), read_edition),
    "states": (("*.state",), read_state),
    "checkpoints of runs": (("*/checkpoint.zip",), read_checkpoint),
    "exported policies": (("policy/*.json",), read_policy),
    "data sets": (("*/dataset.json",), read_dataset),
    "tables of a server": (("tables.sqlite",), read_tables),
    "results of tournaments": (("results.jsonl",), read_result),
    "analyses": (("analysis.json",), read_analysis),
    "rows of gonzaga-bench": (("row.json",), read_bench),
}
MISSING = {
    "exported policies": {7, *range(9, 16)},
    "data sets": {6, 7},
    "analyses": {*range(6, 10)},
    "rows of gonzaga-bench": {*range(6, 10), 12, 14, 15, 16},
}
"""The minor versions whose folders have no such file."""
HEAD, _, *TABLE = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs/promises.md").read_text().partition("| file ")[2].splitlines()
    if line.startswith("|")
]


def minor(version: str) -> int:
    """Returns 6 for 0.6 or 0.6.0."""
    return int(version.split(".")[1])


def meant(head: str) -> range:
    """Returns the minor versions of "0.6 to 0.11" or "0.20, 0.21"."""
    ends = [minor(version) for version in re.split(" to |, ", head)]
    return range(ends[0], ends[-1] + 1)


def test_the_page_has_every_format_and_version(old: Path) -> None:
    assert [row[0] for row in TABLE] == [*READERS]
    said = [version for head in HEAD for version in meant(head)]
    assert said == sorted(minor(path.name) for path in old.iterdir())


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_old_files_are_read_as_the_page_says(row: list[str], old: Path) -> None:
    patterns, read = READERS[row[0]]
    missing = set()
    for head, said in zip(HEAD, row[1:], strict=True):
        for version in meant(head):
            folder = old / f"0.{version}.0"
            found = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
            missing |= set() if found else {version}
            for path in found:
                name = str(path.relative_to(old))
                kept = said == "map" and ("tuscany" in name or "signorie" in name)  # their maps
                assert read(path) == ("yes" if kept else said), name
    assert missing == MISSING.get(row[0], set())


@pytest.mark.parametrize("version", ["0.6.0", "0.10.0"])
def test_tables_of_old_maps_are_played_on(old: Path, tmp_path: Path, version: str) -> None:
    shutil.copy(old / version / "tables.sqlite", tmp_path / "tables.sqlite")
    made = json.loads((old / version / "tables.json").read_text())["gonzaga"]
    with Server(tmp_path / "tables.sqlite", Clock()).running() as client:
        tokens = {seat["seat"]: seat["token"] for seat in made["seats"]}
        server = type("", (), {"client": client})
        people = [Person(server, made["table"], token) for token in tokens.values()]
        looks = [person.look() for person in people]
        who = next(i for i, look in enumerate(looks) if look["turn"] is not None)
        turn = looks[who]["turn"]
        action = next(turn[k] for k in ("plans", "placements", "choices") if k in turn)[0]["action"]
        move = looks[who]["moves"]
        assert move > 0
        assert people[who].move(move=move, action=action).status_code == 200
        board = client.get("/api/board", params={"edition": looks[who]["edition"]})
        assert board.status_code == 200
