"""The command line of tournaments: files, one line for every mistake, kills and Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from gonzaga_agents.play import ratings

from tests.agents.conftest import output_of
from tests.agents.own import TEXT
from tests.conftest import complaint_of

DOOR = Path(__file__).parents[3] / "evaluate.py"
QUICK = ("--deals", 4, "--workers", 1)


@pytest.fixture
def run(gonzaga, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Returns a function that runs the command in an empty folder, see `call`."""
    monkeypatch.setattr(ratings, "REPLICATES", 20)
    monkeypatch.setattr("gonzaga_agents.commands.tournament.draw_seed", lambda: 2**127)
    monkeypatch.chdir(tmp_path)
    return partial(gonzaga, "tournament")


def test_tables_and_files(run) -> None:
    out = output_of(run("random", "greedy", "--players", 2, 3, *QUICK))
    for words in ("2 players", "3 players", "greedy", "anchor"):
        assert words in out
    assert max(map(len, out.splitlines())) <= 80
    folder = Path("runs/tournament")
    names = {"games.jsonl", "standings.json", "standings.md", "standings.png"}
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / "standings.png").read_bytes().startswith(b"\x89PNG")
    assert "(standings.png)" in (folder / "standings.md").read_text()
    games = (folder / "games.jsonl").read_bytes()
    out = output_of(run("random", "greedy", "--players", 2, 3, *QUICK, "--json"))
    assert (folder / "games.jsonl").read_bytes() == games  # plays nothing, with the kept seed
    assert json.loads(games.splitlines()[0])["seed"] == 2**127
    assert json.loads(out) == json.loads((folder / "standings.json").read_text())
    two, three = json.loads(out)["standings"]
    assert (two["num_players"], two["games"], two["anchor"]) == (2, 8, "greedy")
    assert three["num_players"] == 3


def test_other_files_of_these_names_are_not_replaced(run) -> None:
    Path("mine").mkdir()
    (file := Path("mine/standings.md")).write_text("mine")
    told = complaint_of(run("random", "greedy", *QUICK, "--out", "mine"))
    assert "standings.md is of no tournament" in told
    assert file.read_text() == "mine"


def test_each_number_of_players_may_have_deals_of_its_own(run) -> None:
    few = ("--workers", 1, "--deals", "3,5")
    for players in ((2, 4), (4, 2)):  # in the order in which they are named
        code, out, _ = run("random", "greedy", *few, "--players", *players, "--tables", 2, "--json")
        assert code == 0
        found = {table["num_players"]: table["deals"] for table in json.loads(out)["standings"]}
        assert found == dict(zip(players, (3, 5), strict=True))


def test_any_agent_may_be_the_anchor(run) -> None:
    words = ("random", "greedy", *QUICK, "--players", 2)
    (table,) = json.loads(run(*words, "--anchor", "random", "--json")[1])["standings"]
    assert {a["name"]: a["rating"]["rating"] for a in table["agents"]}["random"] == 1000
    assert "anchor" in complaint_of(run(*words, "--anchor", "planner"))


def test_until_decided(run) -> None:
    few = ("--until-decided", "--deals", 60, "--workers", 1, "--players", 3)
    assert "above the fair 33.3% after" in output_of(run("greedy", "random", *few))
    found = json.loads(output_of(run("greedy", "random", *few, "--json")))
    assert found["error_rate"] == 0.05
    assert found["comparisons"][0]["decision"]["decided"]


def test_without_matplotlib_there_is_a_hint_and_no_figure(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "gonzaga_agents.play.tournament_figure", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not installed
    code, out, err = run("random", "greedy", *QUICK)
    assert (code, err.count("\n")) == (0, 1)
    assert "pip install" in err
    assert "anchor" in out
    assert not Path("runs/tournament/standings.png").exists()
    assert "standings.png" not in Path("runs/tournament/standings.md").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take such names for UTF-8")
def test_names_that_are_not_utf_8_are_one_line_before_any_game(run, tmp_path: Path) -> None:
    name = os.fsdecode(b"mine\xff.py")
    Path(name).write_text(TEXT)
    assert "UTF-8" in complaint_of(run("random", f"{name}:First", *QUICK))
    assert "UTF-8" in complaint_of(run("random", "greedy", *QUICK, "--out", os.fsdecode(b"o\xff")))
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def _react_to_ctrl_c() -> None:
    """Shells start background jobs, such as a whole test run, with Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(folder: Path, out: str) -> subprocess.Popen[str]:
    """Starts a tournament that takes a while, and returns when it has added some games."""
    games = folder / out / "games.jsonl"
    before = _count_lines(games)
    process = subprocess.Popen(
        [*COMMAND, "--out", out],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_react_to_ctrl_c,
    )
    while _count_lines(games) < before + 50:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def _count_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


COMMAND = [
    *(sys.executable, str(DOOR), "random", "mine.py:First", "mine.py:Last"),
    *("--deals", "300", "--workers", "2", "--seed", "0"),
]


@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="Windows has neither SIGKILL nor process groups")
def test_killed_and_interrupted_it_goes_on_to_the_same_table(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TEXT)
    with start(tmp_path, "cut") as killed:
        killed.kill()
    with start(tmp_path, "cut") as interrupted:
        os.killpg(interrupted.pid, signal.SIGINT)  # as a terminal does: the workers get it too
        _, err = interrupted.communicate()
    assert interrupted.returncode == 130
    assert err.count("\n") == 1
    assert "cut/games.jsonl" in err
    for out in ("cut", "whole"):
        subprocess.run([*COMMAND, "--out", out], cwd=tmp_path, check=True, capture_output=True)
    tables = [
        json.loads((tmp_path / out / "standings.json").read_text()) for out in ("cut", "whole")
    ]
    assert tables[0]["standings"] == tables[1]["standings"]
