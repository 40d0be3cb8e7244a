"""Every command of every page is run, or there is a reason why not.

- Programs of the packages run with the flags and the files of the page and at smaller sizes
  (`SMALL`): the quick ones in CI, training and tournaments at night. In CI they parse all.
- Scripts around the packages are run by tests of their own (`SCRIPTS`); here they parse.
- What commands of other programs name is looked up (`OTHERS`).
- A comment before a block, a table or a paragraph gives the reason why its commands do not run:
  <!-- not run: REASON -->. Programs of the packages parse these, too.
"""

import io
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from gonzaga_env import games
from tests.docs.commands import INCOMPLETE, check, is_packaged, is_quick, run, small
from tests.docs.pages import (
    LANGUAGES,
    NAMES,
    PAGES,
    ROOT,
    Block,
    Command,
    read_blocks,
    read_commands,
)

SMALL_PYTHON = {"make_sb3_vec(256": "make_sb3_vec(8", "learn(2048)": "learn(32)"}
LIBRARIES = {
    "OpenSpiel",
    "datasets",
    "minari",
    "pandas",
    "pyspiel",
    "ray",
    "supersuit",
    "tianshou",
    "torchrl",
}

by_page = pytest.mark.parametrize("path", PAGES, ids=NAMES)


@by_page
def test_blocks_name_their_language(path) -> None:
    for block in read_blocks(path):
        assert not block.language or block.language in LANGUAGES, f"{block.page}:{block.line}"


@by_page
def test_programs_take_what_is_typed(path) -> None:
    wrong = []
    for command in read_commands(path):
        if command.reason is None or is_packaged(command.words):
            try:
                check(command.words, command.in_text)
            except AssertionError as error:
                wrong.append(f"{command}: {error}")
    assert not wrong, "\n".join(wrong)


@by_page
def test_quick_commands_run(path, begun, tmp_path) -> None:
    run_page(path, begun, tmp_path, is_quick)


@pytest.mark.nightly
@by_page
def test_all_commands_run(path, begun, tmp_path) -> None:
    run_page(path, begun, tmp_path, lambda words: True)


def run_page(
    path: Path, begun: Path, folder: Path, is_wanted: Callable[[tuple[str, ...]], bool]
) -> None:
    """Runs the wanted commands of a page in their order, in a copy of the folder `begun`."""
    commands = [
        command
        for command in read_commands(path)
        if command.reason is None and is_packaged(command.words) and is_wanted(command.words)
    ]
    if not commands:
        return
    shutil.copytree(begun, folder, dirs_exist_ok=True)
    done = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("HOME", str(folder))
        for command in commands:
            words = small(command.words)
            if (*words,) not in done and check(command.words, command.in_text):
                run_one(command, words, folder)
            done.add((*words,))


def run_one(command: Command, words: list[str], folder: Path) -> None:
    """Runs a command in the current folder; a run that another command left makes room."""
    if words[0] == "gonzaga-play":
        return serve(command, words)
    if "--out" in words and ("--timesteps" in words or "write" in words):
        shutil.rmtree(words[words.index("--out") + 1], ignore_errors=True)
    complaint = run_typing(words, "q\nquit\n")
    if command.in_text and INCOMPLETE.search(complaint):
        return None
    if "is not installed; run: pip install" not in complaint:  # what CI lacks, as pyarrow
        assert not complaint, f"{command}: {complaint}"
    return None


def run_typing(words: list[str], typed: str = "") -> str:
    """Runs a command and returns what it says if it fails, else ""."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.setattr(sys, "stdin", io.StringIO(typed))
        with redirect_stderr(said):
            return said.getvalue() if run(words) else ""


def serve(command: Command, words: list[str]) -> None:
    """Starts a table in the current folder and ends it by Ctrl-C once it says its address."""
    program = Path(sys.executable).parent / words[0]
    options = ["--port", "0", "--data", "tables.sqlite", "--no-open"]
    typed = [str(Path(word).expanduser()) for word in words[1:]]
    server = subprocess.Popen(
        [program, *typed, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    said = server.stdout.readline() if server.stdout else ""
    server.send_signal(signal.SIGINT)
    _, complaint = server.communicate(timeout=60)
    assert "http://" in said, f"{command}: {complaint}"


@by_page
def test_python_runs(path, begun, tmp_path, monkeypatch) -> None:
    """Each block runs on its own, as users paste them."""
    blocks = [block for block in read_blocks(path) if block.language == "python"]
    wanted = [block for block in blocks if block.reason is None]
    monkeypatch.setattr(games, "_ADDED", {})  # a game that a page adds ends with its test
    if wanted:
        shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
        monkeypatch.chdir(tmp_path)
    missing = set()
    for block in wanted:
        try:
            exec(compile(small_python(block), f"{block.page}:{block.line}", "exec"), {})
        except ModuleNotFoundError as error:
            missing.add(error.name or str(error).split()[0])
    assert missing <= LIBRARIES, "a module that no session of nox installs"
    if missing:
        pytest.skip(f"needs {', '.join(sorted(missing))}, which CI does not install")


def small_python(block: Block) -> str:
    """Returns a block with smaller sizes."""
    text = block.text
    for large, small_one in SMALL_PYTHON.items():
        text = text.replace(large, small_one)
    return text


@pytest.fixture(scope="module")
def begun(tmp_path_factory) -> Path:
    """Returns a folder with what the pages' commands find: a run, games, agents and editions."""
    folder = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in (
            "python train.py --out runs/first --self-play 1.0",
            "python evaluate.py planner greedy --records games.jsonl",
            "python -m gonzaga_agents.dataset write planner --games 4 --out runs/games",
        ):
            assert run_typing(small(line.split())) == ""
    shutil.copytree(folder / "runs/first", folder / "runs/second")
    blocks = read_blocks(ROOT / "docs" / "agents.md")
    agent = next(block.text for block in blocks if "class ObjectiveAgent:" in block.text)
    (folder / "path/to").mkdir(parents=True)
    agent = agent.partition("\nsummary")[0]
    (folder / "mine.py").write_text(agent)
    (folder / "path/to/mine.py").write_text(agent.replace("ObjectiveAgent", "MyAgent"))
    for name in ("my_edition", "my-map"):
        shutil.copytree(ROOT / "gonzaga_env/data/editions/europe", folder / name)
    for name in ("examples", "docs/replays", "benchmarks/bench"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "docs/img").mkdir()
    shutil.copy(ROOT / "docs/bench.md", folder / "docs")
    (folder / "agents/puzzles").mkdir(parents=True)
    (folder / "choice.txt").touch()
    password = folder / "gonzaga.password"
    password.write_text("secret-words\n")
    password.chmod(0o600)
    return folder
