"""What --help shows, and what commands say to arguments that they don't take."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout

import pytest

from gonzaga_env.games import game_names
from gonzaga_env.version import __version__
from tests.docs.commands import check, run
from tests.docs.pages import ROOT

GONZAGA = ("edition check", "edition draw", "replay", "show", "stats", "analyse", "explain", "play")
VERBS = {
    "bench": ("run", "check", "table", "tasks"),
    "dataset": ("write", "parquet", "minari"),
    "puzzles": ("cut", "pack"),
}
COMMANDS = (
    "gonzaga-evaluate",
    "gonzaga-evaluate --tournament",
    "gonzaga-train",
    "gonzaga-play",
    *(f"python -m gonzaga_env {name}" for name in GONZAGA),
    *(f"python -m gonzaga_agents.{name} {verb}" for name, verbs in VERBS.items() for verb in verbs),
    "python -m gonzaga_agents.policies.export",
    "python -m gonzaga_agents.training.compare",
    "python -m gonzaga_agents.training.search_value",
)
with_help = pytest.mark.parametrize("command", COMMANDS)


INTERRUPTING = """import sys
class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == MODULE: raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupts())
"""


def interrupting(module: str) -> str:
    """Returns a program that is interrupted when it imports a module."""
    return INTERRUPTING.replace("MODULE", repr(module))


def python(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a process of its own."""
    command, env = [sys.executable, *words], os.environ | environment
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def help_of(command: str) -> str:
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert run([*shlex.split(command), "--help"]) == 0
    return printed.getvalue()


@with_help
def test_usage_names_the_whole_command(command) -> None:
    text = help_of(command)
    usage = " ".join(text.partition("\n\n")[0].split())
    assert usage.startswith(f"usage: {command.removesuffix(' --tournament')} ")
    assert "%%" not in text


@with_help
def test_examples_are_accepted(command) -> None:
    lines = help_of(command).partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert lines, "no examples"
    for line in lines:
        assert line.strip().startswith(command.partition(" --")[0])
        assert check(shlex.split(line))


@with_help
def test_the_option_game_names_the_games(command) -> None:
    text = " ".join(re.sub("[│╰╭─╮╯]", " ", help_of(command)).split())
    found = re.search(r"--game NAME (.*?) --", text)
    takes_a_game = command.startswith(("gonzaga-evaluate", "gonzaga-train")) or command.endswith(
        (" play", " write", " cut")
    )
    assert bool(found) == takes_a_game
    assert found is None or all(name in found[1] for name in (*game_names(), "castles_of_tuscany"))


def test_a_wrong_option_of_train_is_refused_without_torch() -> None:
    code = (
        "import sys; from gonzaga_agents.cli import train\n"
        "sys.argv = ['gonzaga-train', '--playres', '3']; code = train()\n"
        "sys.exit(1 if 'torch' in sys.modules else code)"
    )
    done = python("-c", code)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "did you mean --players?" in done.stderr


@pytest.mark.parametrize("verb", ["dataset", "bench", "puzzles"])
def test_a_missing_extra_is_one_line(verb) -> None:
    code = (
        "import runpy, sys; sys.modules['scipy'] = sys.modules['tyro'] = None\n"
        f"sys.argv[1:] = ['run']; runpy.run_module('gonzaga_agents.{verb}', run_name='__main__')"
    )
    done = python("-c", code)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert 'is not installed; run: pip install "gonzaga-env[evaluate]"' in done.stderr


@pytest.mark.parametrize("door", ["train", "evaluate"])
def test_ctrl_c_during_imports_is_one_line(door) -> None:
    code = f"{interrupting('gonzaga_env')}from gonzaga_agents.cli import {door}; sys.exit({door}())"
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (130, f"{door}: interrupted\n")


@pytest.mark.parametrize(
    ("command", "module", "told"),
    [
        ("gonzaga_env", "numpy", "gonzaga_env"),
        ("gonzaga_env", "gymnasium", "gonzaga_env"),
        ("gonzaga_env", "gonzaga_env.render.draw", "gonzaga_env"),
        ("gonzaga_env", "gonzaga_env.command_line", "python -m gonzaga_env"),
        ("gonzaga_env", "gonzaga_env.stats.text", "python -m gonzaga_env"),
        ("gonzaga_agents", "gymnasium", "python -m gonzaga_agents"),
        ("gonzaga_agents.policies.export", "torch", "export"),
    ],
)
def test_ctrl_c_while_python_imports_a_package_is_one_line(command, module, told, tmp_path) -> None:
    (tmp_path / "sitecustomize.py").write_text(interrupting(module))
    done = python("-m", command, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (130, f"{told}: interrupted\n")


def test_ctrl_c_while_a_program_imports_the_package_is_raised() -> None:
    code = (
        f"{interrupting('gonzaga_env.core')}try: import gonzaga_env\n"
        "except KeyboardInterrupt: print('raised')"
    )
    done = python("-c", code)
    assert (done.stdout, done.stderr) == ("raised\n", "")


def test_commands_are_not_words_of_the_package(capsys) -> None:
    assert run(["python", "-m", "gonzaga_agents", "evaluate", "random"]) == 2
    told = "python -m gonzaga_agents takes no 'evaluate'; type gonzaga-evaluate\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.parametrize(
    ("command", "option", "file"),
    [
        ("edition draw europe", "--out", "y.jpg"),
        ("show games.jsonl", "--gif", "y.png"),
        ("show games.jsonl", "--html", "y.gif"),
        ("stats games.jsonl", "--figure", "y.jpg"),
        ("analyse games.jsonl --game 1", "--html", "y.png"),
        ("explain games.jsonl --game 1 --move 1 --agent greedy", "--picture", "y.gif"),
    ],
)
def test_another_kind_of_file_is_refused(command, option, file, tmp_path, capsys) -> None:
    words = ["python", "-m", "gonzaga_env", *command.split(), option, str(tmp_path / file)]
    assert run(words) == 2
    assert f"argument {option}: '{tmp_path / file}' ends in none of ." in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_edition_of_another_game_is_drawn(tmp_path) -> None:
    edition = ROOT / "gonzaga_env/signorie/editions/reconstruction.toml"
    out = tmp_path / "board.svg"
    assert run(shlex.split(f"python -m gonzaga_env edition draw {edition} --out {out}")) == 0
    assert "<svg" in out.read_text()


@pytest.mark.parametrize("game", ["", "--game tuscany", "--game castles_of_tuscany"])
def test_an_editions_file_names_its_game(game, tmp_path, capsys) -> None:
    (edition,) = (ROOT / "gonzaga_env/tuscany/editions").glob("*.toml")
    copy = shutil.copy(edition, tmp_path / "mine.toml")
    words = f"gonzaga-evaluate random random --deals 1 --json --edition {copy} {game}"
    assert run(words.split()) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "tuscany"
    assert run(shlex.split(f"{words} --game signorie")) == 2


def test_the_version_is_printed(gonzaga) -> None:
    assert gonzaga("--version") == (0, f"gonzaga-env {__version__}\n", "")


def test_an_unknown_option_is_refused_by_its_subcommand(gonzaga) -> None:
    told = "unrecognized arguments: --bye x (see python -m gonzaga_env stats --help)"
    answer = gonzaga("stats", "games.jsonl", "--bye", "x")
    assert answer == (2, "", f"python -m gonzaga_env stats: {told}\n")
