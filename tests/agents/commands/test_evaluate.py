"""The command line: tables, JSON, records, and one line for every mistake."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from gonzaga_agents.play import evaluate as evaluate_module
from gonzaga_agents.play.evaluate import play_match

from gonzaga_env.core import GameConfig
from gonzaga_env.core.state import SOURCES
from tests.agents.conftest import output_of
from tests.conftest import complaint_of

AGENTS = Path(__file__).parents[3] / "agents"
DOOR = Path(__file__).parents[3] / "evaluate.py"
CONSOLE_SCRIPT = """import sys; from gonzaga_env.cli import main
sys.exit(main(['evaluate', *sys.argv[1:]]))"""


@pytest.fixture
def run(gonzaga, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(evaluate_module, "draw_seed", lambda: 2**127)  # a test draws nothing
    return partial(gonzaga, "evaluate")


def test_tables_fit_80_columns(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = output_of(run("greedy", "random", "random", "--deals", 2))
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    for words in ("greedy", "random #2", "reconstruction", "3 players", "6 games", *SOURCES):
        assert words in out


def test_json_is_one_object_and_nothing_else(run) -> None:
    out = output_of(run("greedy", "random", "--players", 4, "--deals", 3, "--json"))
    report = json.loads(out)
    assert (report["deals"], report["games"], report["num_players"]) == (3, 12, 4)
    assert report["fair_share"] == 0.25
    greedy, random = report["agents"]
    assert [(agent["name"], agent["seats"]) for agent in (greedy, random)] == [
        ("greedy", 1),
        ("random", 3),
    ]
    assert greedy["win_share"]["mean"] + 3 * random["win_share"]["mean"] == pytest.approx(1)
    assert sum(greedy["sources"].values()) == pytest.approx(greedy["score"]["mean"])
    assert greedy["score"]["mean"] > random["score"]["mean"]
    assert len(report["seat_win_shares"]) == 4
    assert report["format"] == 2


def test_a_checkpoint_brings_its_players_and_the_last_agent_fills_up(run, untrained: Path) -> None:
    out = output_of(run(untrained.parent, "random", "--deals", 1, "--json"))
    report = json.loads(out)
    assert report["num_players"] == 3
    assert [agent["seats"] for agent in report["agents"]] == [1, 2]
    assert "untrained" in report["agents"][0]["name"]


def test_a_checkpoint_that_does_not_fit_is_one_line(run, untrained: Path) -> None:
    assert "players 3" in complaint_of(run(untrained, "random", "--players", 4))


def test_the_doors_open_from_any_folder(tmp_path: Path) -> None:
    arguments = ["random", "random", "--deals", "1", "--seed", "0", "--json"]
    outputs = [
        subprocess.run(
            [sys.executable, *door, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for door in ([str(DOOR)], ["-c", CONSOLE_SCRIPT])
    ]
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["games"] == 2


def test_no_figure_is_wrapped_beside_a_long_name(
    run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    write_agent(tmp_path / "mine.py", name="some_very_long_name/with_number_0000200704")
    out = output_of(run(f"{tmp_path / 'mine.py'}:Mine", "greedy", "--deals", 2))
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("0000200704") == 2  # once in each table
    figures = [line for line in out.splitlines() if "±" in line]
    assert len(figures) == 2 + 2  # the heading, two agents, the number of rounds


def write_agent(path: Path, name: str = "mine", act: str = "return masks.argmax(axis=1)") -> None:
    """Writes a module with an agent that plays the first legal action."""
    path.write_text(
        "class Mine:\n"
        f"    name = {name!r}\n\n"
        "    def __init__(self, config):\n        self.config = config\n\n"
        f"    def act(self, observations, masks, rng):\n        {act}\n"
    )


def test_an_agent_of_this_folder_plays(
    run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_agent(tmp_path / "an_agent_of_mine.py")
    monkeypatch.chdir(tmp_path)
    for spec in ("an_agent_of_mine:Mine", "an_agent_of_mine.py:Mine"):
        out = output_of(run(spec, "random", "--deals", 1, "--json"))
        assert [agent["name"] for agent in json.loads(out)["agents"]] == ["mine", "random"]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("return masks.argmin(axis=1)", "agent mine: "),
        ("return [0]", "agent mine: actions have shape (1,)"),
        ("return masks.argmax(axis=1) + 0.5", "agent mine: actions have shape"),
        ("return masks.argmax(axis=1) - 9999", "agent mine: "),
    ],
)
def test_an_agent_with_invalid_actions_is_named(run, tmp_path: Path, act: str, words: str) -> None:
    write_agent(tmp_path / "mine.py", act=act)
    assert words in complaint_of(run(f"{tmp_path / 'mine.py'}:Mine", "random", "--deals", 2))


def test_an_agent_that_exits_is_named(run, tmp_path: Path) -> None:
    write_agent(tmp_path / "mine.py", act="raise SystemExit")
    code, _, told = run(f"{tmp_path / 'mine.py'}:Mine", "random", "--deals", 2)
    assert (code, "agent mine, seat 0" in told) == (2, True)


def test_two_agents_are_compared_on_the_same_deals(run) -> None:
    given = ("--players", 3, "--deals", 4, "--compare")
    code, out, _ = run("greedy", "greedy", "random", *given, "--seed", 5, "--json")
    assert code == 0
    told = json.loads(out)
    (first, second), difference = told["compared"], told["difference"]
    assert (told["seed"], told["players"], told["opponents"]) == (5, 3, ["random"])
    assert [one.pop("name") for one in (first, second)] == ["greedy", "greedy #2"]
    assert first == second
    assert difference["margin"] == {"mean": 0, "low": 0, "high": 0}
    assert difference["win_share"]["mean"] == 0
    out = output_of(run("greedy", "random", "planner", *given))
    *_, row, told = out.splitlines()
    assert row.startswith("difference ")
    assert row.count(" to ") == 2
    assert told.startswith("4 deals in 3 seat rotations")
    match = play_match(GameConfig(3), ["greedy", "random"], [0, 1, 1], num_deals=4, seed=5)
    assert first["margin"]["mean"] == pytest.approx(match.margins().mean())


def test_a_comparison_takes_two_agents_and_opponents(run, tmp_path: Path) -> None:
    assert "three agents or more" in complaint_of(run("greedy", "planner", "--compare"))
    for more in (("--judge", "search@2"), ("--records", tmp_path / "games.jsonl")):
        complaint = complaint_of(run("greedy", "planner", "random", "--compare", *more))
        assert "neither --judge nor --records" in complaint
