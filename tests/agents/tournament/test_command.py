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
from gonzaga_agents import cli
from gonzaga_agents.statistics import ratings
from gonzaga_agents.tournament.command import Arguments, tournament_of

from tests.agents.conftest import output_of
from tests.agents.own import TEXT
from tests.conftest import complaint_of

DOOR = Path(__file__).parents[3] / "evaluate.py"
QUICK = ("--deals", 4, "--processes", 1, "--date", "2026-11-21", "--commit", "cab3026")


@pytest.fixture
def run(call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Returns a function that runs the command in an empty folder, see `call`."""
    monkeypatch.setattr(ratings, "_REPLICATES", 20)
    monkeypatch.setattr("gonzaga_agents.tournament.command.draw_seed", lambda: 2**127)
    monkeypatch.chdir(tmp_path)
    return partial(call, cli.evaluate, "--tournament")


def test_tables_and_files(run) -> None:
    out = output_of(run("random", "greedy", "--players", 2, 3, *QUICK))
    for words in ("2026-11-21 at commit cab3026", "2 players", "3 players", "greedy", "anchor"):
        assert words in out
    assert max(map(len, out.splitlines())) <= 80
    folder = Path("runs/tournament")
    assert {path.name for path in folder.iterdir()} == {
        "games.jsonl",
        "standings.csv",
        "standings.json",
        "standings.md",
        "standings.png",
    }
    assert (folder / "standings.png").read_bytes().startswith(b"\x89PNG")
    page = (folder / "standings.md").read_text()
    assert "![Ratings and win shares](standings.png)" in page
    assert "    command --tournament random greedy --players 2 3 --deals 4" in page
    files = {path: path.read_bytes() for path in folder.iterdir()}
    assert run("random", "greedy", "--players", 2, 3, *QUICK)[0] == 0  # plays nothing
    assert {path: path.read_bytes() for path in folder.iterdir()} == files
    out = output_of(run("random", "greedy", "--players", 2, 3, *QUICK, "--json"))
    assert json.loads(out) == json.loads((folder / "standings.json").read_text())
    two, three = json.loads(out)["standings"]
    assert (two["num_players"], two["games"], two["anchor"]) == (2, 8, "greedy")
    assert three["num_players"] == 3


def test_players_may_be_named_in_both_ways(run) -> None:
    _, together, _ = run("random", "greedy", "--players", 2, 3, *QUICK, "--json")
    _, apart, _ = run("random", "greedy", "--players", 3, "--players", 2, *QUICK, "--json")
    assert apart == together
    assert [table["num_players"] for table in json.loads(apart)["standings"]] == [2, 3]


def test_each_number_of_players_may_have_deals_of_its_own(run) -> None:
    few = ("--processes", 1, "--deals", "3,5")
    for players in ((2, 4), (4, 2)):  # in the order in which they are named
        code, out, _ = run("random", "greedy", *few, "--players", *players, "--tables", 2, "--json")
        assert code == 0
        found = {table["num_players"]: table["deals"] for table in json.loads(out)["standings"]}
        assert found == dict(zip(players, (3, 5), strict=True))


def test_any_agent_may_be_the_anchor(run) -> None:
    words = ("random", "greedy", *QUICK, "--players", 2)
    (table,) = json.loads(run(*words, "--anchor", "random", "--json")[1])["standings"]
    assert table["anchor"] == "random"
    assert {a["name"]: a["rating"]["rating"] for a in table["agents"]}["random"] == 1000
    message = "anchor is planner; it takes one of the agents named"
    assert message in complaint_of(run(*words, "--anchor", "planner"))


def test_a_page_and_its_figure_go_where_they_are_wanted(run) -> None:
    Path("docs/img").mkdir(parents=True)
    Path("docs/tournaments.md").touch()
    figure = ("--figure", "docs/img/leaderboard.png")
    code, _, _ = run("random", "greedy", *QUICK, "--markdown", "docs/leaderboard.md", *figure)
    assert code == 0
    page = Path("docs/leaderboard.md").read_text()
    assert "(img/leaderboard.png)" in page
    assert "(tournaments.md)" in page
    assert Path("docs/img/leaderboard.png").read_bytes().startswith(b"\x89PNG")
    assert Path("docs/img/leaderboard.csv").read_text().startswith("players,rank,agent,rating,")


def test_until_decided(
    run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ("--until-decided", "--deals", 60, "--processes", 1)
    out = output_of(run("greedy", "random", "--players", 3, *few))
    assert "greedy against 2 x random: above the fair 33.3% after" in out
    assert "the chance of a wrong verdict is at most 5%" in out
    door = ["evaluate", "greedy", "random", "--players", "3", *map(str, few), "--json"]
    monkeypatch.setattr(sys, "argv", door)  # without --tournament
    code, out = cli.evaluate(), capsys.readouterr().out
    found = json.loads(out)
    assert code == 0
    assert found["error_rate"] == 0.05
    assert found["comparisons"][0]["decision"]["decided"]


def test_without_matplotlib_there_is_a_hint_and_no_figure(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "gonzaga_agents.tournament.figure", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not installed
    hint = 'run: pip install "gonzaga-env[evaluate]"'
    code, out, err = run("random", "greedy", *QUICK)
    assert (code, err.count("\n")) == (0, 1)
    assert hint in err
    assert "anchor" in out
    assert not Path("runs/tournament/standings.png").exists()
    assert "standings.png" not in Path("runs/tournament/standings.md").read_text()
    assert hint in complaint_of(run("random", "greedy", *QUICK, "--figure", "x.png"))


def test_date_and_commit_come_from_the_clock_and_the_checkout_unless_given() -> None:
    given = tournament_of(Arguments(("random", "greedy"), date="1.1.", commit="x"))
    assert (given.session.date, given.session.commit) == ("1.1.", "x")
    found = tournament_of(Arguments(("random", "greedy"))).session
    assert len(found.date) == len("2026-11-21")
    assert found.commit is None or len(found.commit) >= 7


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
    *(sys.executable, str(DOOR), "--tournament", "random", "mine.py:First", "mine.py:Last"),
    *("--deals", "100", "--processes", "2", "--seed", "0", "--date", "2026-11-21", "--commit", "x"),
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
    assert "cut/games.jsonl; the same command continues" in err
    for out in ("cut", "whole"):
        subprocess.run([*COMMAND, "--out", out], cwd=tmp_path, check=True, capture_output=True)
    tables = [(tmp_path / out / "standings.json").read_bytes() for out in ("cut", "whole")]
    assert tables[0] == tables[1]


def test_a_fresh_seed_is_drawn_once_and_published(run) -> None:
    agents = ("random", "greedy", *QUICK)
    code, told, err = run(*agents, "--fresh-seed", "--json")
    assert (code, err) == (0, "evaluate: --fresh-seed is deprecated: leave it out\n")
    lines = Path("runs/tournament/games.jsonl").read_text().splitlines()
    seed = json.loads(lines[0])["seed"]
    assert seed == 2**127
    assert run(*agents, "--json")[:2] == (0, told)  # goes on with it
    assert Path("runs/tournament/games.jsonl").read_text().splitlines() == lines
    assert run(*agents, "--seed", seed, "--out", "again", "--json")[0] == 0
    again = Path("again/games.jsonl").read_text().splitlines()
    assert again == lines  # anybody can check the games afterwards
    assert "leave out --seed" in complaint_of(run(*agents, "--fresh-seed", "--seed", 3))
