"""Every command takes the game of another package, which is found by its entry point."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import cli
from gonzaga_agents.bench import command as bench
from gonzaga_agents.dataset import command as dataset
from gonzaga_agents.dataset import load
from gonzaga_agents.puzzles import command as puzzles

from gonzaga_env import games
from gonzaga_env.command_line import run_command
from gonzaga_env.commands import command_parser

EXAMPLE = Path(__file__).parents[1] / "examples/your_game/liars_dice.py"
GAME = "liars_dice"
Call = Callable[..., tuple[int, str, str]]

AGENTS = """
class Caller:
    name = "caller"
    def __init__(self, config): ...
    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)
"""

#: Commands that take no game: their tasks, pages or files are those of this package's games.
WITHOUT = {
    "edition": "a game of another package has its editions there",
    "gonzaga-play": "a page for every game of this package",
    "python -m gonzaga_agents.bench": "the benchmark is a fixed list of tasks",
    "python -m gonzaga_agents.training.search_value": "learns the value of Gonzaga's search",
    "python -m gonzaga_agents.training.compare RUN": "draws curves of any game",
    "python -m gonzaga_agents.policies.export RUN": "tested with the run below",
}
TESTED = {
    *("replay", "show", "stats", "analyse", "explain", "play"),
    *("gonzaga-evaluate AGENT AGENT", "gonzaga-evaluate --tournament AGENT AGENT"),
    *("gonzaga-train", "python -m gonzaga_agents.dataset", "python -m gonzaga_agents.puzzles"),
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Installs the example of the tutorial in a folder of its own; returns the current folder."""
    installed, here = tmp_path / "installed", tmp_path / "here"
    about = installed / f"{GAME}-1.0.dist-info"
    about.mkdir(parents=True)
    here.mkdir()
    (installed / EXAMPLE.name).write_text(EXAMPLE.read_text())
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {GAME}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[gonzaga_env.games]\n{GAME} = {GAME}:SPEC\n")
    (here / "mine.py").write_text(AGENTS)
    monkeypatch.setattr(games, "_ADDED", {})
    monkeypatch.delitem(__import__("sys").modules, GAME, raising=False)
    monkeypatch.syspath_prepend(installed)
    monkeypatch.chdir(here)
    return here


@pytest.fixture
def records(package: Path, call: Call) -> str:
    """Returns a file of records of the game."""
    game = ("--game", GAME, "--seed", 1, "--deals", 2)
    code, out, _ = call(cli.evaluate, "mine.py:Caller", "random", *game, "--records", "all.jsonl")
    assert code == 0
    assert "2 deals in 2 seat rotations: 4 games" in out
    return "all.jsonl"


def test_all_commands_are_here() -> None:
    (commands,) = (one for one in command_parser()._actions if isinstance(one.choices, dict))
    named = {*(commands.choices or ())}
    lines = cli._COMMANDS.partition("\n\n")[0].splitlines()
    listed = {re.split(r" \.\.\.|  +", line)[0] for line in lines}
    listed = {name for name in listed if not name.startswith("python -m gonzaga_env ")}
    assert listed | named == TESTED | WITHOUT.keys()


def test_records_are_replayed_shown_and_summed_up(
    records: str, gonzaga: Call, package: Path
) -> None:
    assert gonzaga("replay", records) == (0, f"{records}: 4 games verified, 0 wrong\n", "")
    code, out, err = gonzaga("show", records, "--game", 2, typed="n\nv\nq\n")
    assert (code, err) == (0, "")
    assert "Liar's dice\nNow: round 1, player" in out
    assert "Last: player" in out
    assert "player 0 · caller: 5 points (dice 5)" in out
    code, out, _ = gonzaga("show", records, "--html", "a.html", "--svg", "pictures")
    assert (code, out) == (0, "wrote a.html\nwrote pictures\n")
    assert "dice 5" in Path("a.html").read_text()
    assert "S DICE" in Path("pictures/move_001.svg").read_text()
    assert "Liar's dice" in gonzaga("stats", records)[1]


def test_records_are_analysed_and_explained(records: str, gonzaga: Call) -> None:
    code, out, err = gonzaga("analyse", records, "--game", 1, "--out", "found.jsonl")
    assert (code, err) == (0, "")
    assert out.startswith("all.jsonl, game 1: ")
    chances = np.array(json.loads(Path("found.jsonl").read_text())["chances"])
    assert np.allclose(chances.sum(axis=1), 1)
    assert 0.1 < chances[0, 0] < 0.9
    code, out, _ = gonzaga("explain", records, "--game", 1, "--move", 1, "--agent", "random")
    assert code == 0
    assert " 1 x 2" in out


def test_it_is_played_at_the_terminal(package: Path, gonzaga: Call) -> None:
    typed = "help\n1 x 1\n\nhint\nquit\n"
    code, out, _ = gonzaga("play", "--game", GAME, "--seed", 4, typed=typed)
    assert code == 0
    assert "You are player 0." in out
    assert "1 x 6" in out
    assert "The game was left after" in out
    code, _, err = gonzaga("play", "--game", "chess")
    assert (code, err.count("\n")) == (2, 1)
    assert "gonzaga, tuscany, signorie, liars_dice" in err


def test_data_sets_are_written_continued_and_loaded(package: Path, call: Call) -> None:
    write = ("write", "random", "--players", 2, "--game", GAME, "--games", 4, "--seed", 1)
    for _ in range(2):
        code, out, _ = call(dataset.main, *write, "--out", "data")
        assert code == 0
        assert out.startswith("4 games are in data")
    (batch,) = load("data")
    assert set(batch["game"]) == set(range(4))
    assert f"--game {GAME}" in Path("data/README.md").read_text()
    pytest.importorskip("pyarrow")
    code, out, _ = call(dataset.main, "parquet", "data", "--out", "tables")
    assert code == 0
    (same,) = load("tables")
    assert np.array_equal(same["observation"], batch["observation"])


def test_an_unknown_game_leaves_nothing_behind(package: Path, call: Call) -> None:
    wrong = ("write", "random", "--players", 2, "--game", "chess", "--games", 4, "--out", "data")
    code, out, err = call(lambda: run_command("dataset", dataset.main), *wrong)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not Path("data").exists()


def test_tournaments_and_puzzles_take_it(package: Path, call: Call) -> None:
    game = ("--game", GAME, "--players", 2, "--seed", 1)
    rated = ("--tournament", "random", "mine.py:Caller", "--deals", 2, "--processes", 1)
    assert call(cli.evaluate, *rated, *game, "--out", "rated")[0] == 0
    assert "Liar's dice" in Path("rated/standings.md").read_text()
    code, out, _ = call(puzzles.main, "cut", "random", *game, "--games", 2, "--out", "cut.jsonl")
    assert (code, out) == (0, "0 puzzles are in cut.jsonl\n")


def test_a_policy_is_trained_exported_and_measured(package: Path, call: Call) -> None:
    pytest.importorskip("torch")
    sizes: dict[str, Any] = {"num-games": 4, "minibatch": 32, "width": 8, "timesteps": 64}
    sizes |= {"imitate": 0, "self-play": 1.0, "eval-deals": 0, "sample-games": 0}
    sizes |= {"final-deals": 0, "device": "cpu", "processes": 1, "players": 2, "prior": "none"}
    toy = [word for name, value in sizes.items() for word in (f"--{name}", value)]
    assert call(cli.train, "--game", GAME, *toy, "--out", "run")[0] == 0
    game = ("--game", GAME, "--players", 2, "--deals", 2, "--seed", 1)
    code, out, _ = call(cli.evaluate, "run", "random", *game)
    assert code == 0
    assert "4 games" in out


def test_the_benchmark_says_which_games_it_has(package: Path, call: Call) -> None:
    code, _, err = call(lambda: run_command("bench", bench.main), "run", GAME, "random")
    assert (code, err.count("\n")) == (2, 1)
