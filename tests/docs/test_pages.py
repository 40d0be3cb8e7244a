"""Pages: links lead somewhere, code runs, and commands run with the options that are typed.

Programs of the packages run with the flags and the files of the page and at smaller sizes
(`SMALL`): the quick ones in CI, all at night. In CI all are parsed. A comment before a block, a
table or a paragraph gives the reason why its commands do not run: <!-- not run: REASON -->. Of
`pip` and `nox` the extras and sessions are looked up.
"""

import io
import re
import runpy
import shlex
import shutil
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

import pytest
import tyro

from docs import site_contents, site_links
from gonzaga_env import games
from tests.docs.pages import LANGUAGES, NAMES, PAGES, ROOT, Command, read_blocks, read_commands

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DOCS = ROOT / "docs"
SERVERS = re.compile(r"gonzaga (play|mcp)|gonzaga-(play|mcp)")
#: Options that make a run small, by how its command begins: the last one of a name counts.
SMALL = {
    r"(python evaluate.py|gonzaga(-| )evaluate)": "--deals 1",
    r"(python train.py|gonzaga(-| )train)": "--timesteps 64 --num-games 2 --eval-deals 0",
    r"gonzaga tournament": "--tables 3",
    r"gonzaga data write": "--games 4",
    r"gonzaga bench run": "--deals 1",
    r"gonzaga analyse": "--playouts 2",
}
SMALL_PYTHON = {"make_sb3_vec(256": "make_sb3_vec(8", "learn(2048)": "learn(32)"}
#: What runs in CI.
QUICK = re.compile(r"(python evaluate.py|gonzaga (evaluate|show|replay|stats|edition|doctor)) ")
SLOW = re.compile(r".* (search\S*|--until-decided|--executor) ")
#: Modules that blocks of Python may import although CI's tests do not install them.
LIBRARIES = {"OpenSpiel", "datasets", "minari", "pandas", "polars", "pyspiel", "ray", "supersuit"}
LIBRARIES |= {"tianshou", "torchrl"}
_INCOMPLETE = re.compile(r"missing: |Missing value|has to follow|no agent")
_LINK = re.compile(r"\]\((?![a-z]+:)([^)\s]*)\)")

by_page = pytest.mark.parametrize("path", PAGES, ids=NAMES)


class Accepted(BaseException):  # not an error: it ends a program
    """Raised in place of what a program does once it has accepted its arguments."""


def test_every_page_stands_once_in_the_contents() -> None:
    listed = [name for below in site_contents.CONTENTS.values() for name in below]
    written = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    brought = {Path(page).with_suffix("").as_posix() for page in site_links.BROUGHT.values()}
    assert sorted(listed) == sorted((written | brought) - {"index", "search"})


def test_models_are_sent_to_pages() -> None:
    text = (DOCS / "llms.txt").read_text("utf-8")
    listed = {name for below in site_contents.CONTENTS.values() for name in below}
    assert {*re.findall(r"\]\((\S+)\.html\)", text)} <= listed


def test_pages_stay_short() -> None:
    """Whoever adds a page takes as many words away."""
    assert sum(len(path.read_text("utf-8").split()) for path in PAGES) <= 40_000


@by_page
def test_links_lead_somewhere(path) -> None:
    for link in _LINK.findall(path.read_text("utf-8")):
        name, _, anchor = link.partition("#")
        target = (path.parent / name) if name else path
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target.read_text("utf-8")), link


def anchors(text: str) -> set[str]:
    """Returns the anchors that GitHub and the site make of headings, and those that are written."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}
    return made | set(re.findall(r'(?:id="|^\()([\w.-]+)(?:"|\)=)', text, re.MULTILINE))


@by_page
def test_blocks_name_their_language(path) -> None:
    for block in read_blocks(path):
        assert not block.language or block.language in LANGUAGES, f"{block.page}:{block.line}"


@by_page
def test_extras_and_sessions_exist(path) -> None:
    text, sessions = path.read_text("utf-8"), (ROOT / "noxfile.py").read_text("utf-8")
    for extras in re.findall(r"pip install .*?\"?(?:\.|gonzaga-env)\[([\w,-]+)\]", text):
        assert set(extras.split(",")) <= PROJECT["optional-dependencies"].keys(), extras
    for session in re.findall(r"nox -s ([a-z_]+)", text):
        assert f"def {session}(" in sessions, session


@by_page
def test_programs_take_what_is_typed(path) -> None:
    commands = [command for command in read_commands(path) if command.reason is None]
    typed = [command for command in commands if is_packaged(command.words)]
    said = {f"{command}": check(command) for command in typed}
    assert not {command: complaint for command, complaint in said.items() if complaint}


@by_page
def test_quick_commands_run(path, begun, tmp_path) -> None:
    run_page(path, begun, tmp_path, lambda text: bool(QUICK.match(text) and not SLOW.match(text)))


@pytest.mark.nightly
@by_page
def test_all_commands_run(path, begun, tmp_path) -> None:
    run_page(path, begun, tmp_path, lambda text: not SERVERS.match(text))


@by_page
def test_python_runs(path, begun, tmp_path, monkeypatch) -> None:
    """Each block runs on its own, as users paste them."""
    wanted = [b for b in read_blocks(path) if b.language == "python" and b.reason is None]
    monkeypatch.setattr(games, "_ADDED", {})  # a game that a page adds ends with its test
    if wanted:
        shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
        monkeypatch.chdir(tmp_path)
    missing = set()
    for block in wanted:
        text = block.text
        for large, small_one in SMALL_PYTHON.items():
            text = text.replace(large, small_one)
        try:
            exec(compile(text, f"{block.page}:{block.line}", "exec"), {})
        except ModuleNotFoundError as error:
            missing.add(error.name or str(error).split()[0])
    assert missing <= LIBRARIES, "a module that no session of nox installs"
    if missing:
        pytest.skip(f"needs {', '.join(sorted(missing))}, which CI does not install")


def is_packaged(words: Sequence[str]) -> bool:
    """Returns whether a command runs a program of the packages."""
    return words[0] in PROJECT["scripts"] or words[:2] in (
        ("python", "train.py"),
        ("python", "evaluate.py"),
    )


def check(command: Command) -> str:
    """Returns what a program says against its arguments; in the text some may be missing."""
    said = io.StringIO()
    words = ["1" if command.in_text and word in ("N", "M") else word for word in command.words]
    with redirect_stderr(said), redirect_stdout(io.StringIO()), _stopped_by_parsers():
        try:
            code = run(words)
        except Accepted:
            return ""
    if not code or (command.in_text and _INCOMPLETE.search(said.getvalue())):
        return ""
    return said.getvalue()


@contextmanager
def _stopped_by_parsers() -> Iterator[None]:
    """Ends programs once a parser has accepted their arguments."""
    with mock.patch.object(tyro, "cli", _stopping(tyro.cli)):
        yield


def _stopping(parse: Callable[..., Any]) -> Callable[..., NoReturn]:
    def stopping(*values: Any, **options: Any) -> NoReturn:
        parse(*values, **options)
        raise Accepted

    return stopping


def run(words: Sequence[str]) -> int:
    """Runs a program of this project in this process and returns its exit code."""
    with (
        mock.patch.object(sys, "argv", [*words]),
        mock.patch.object(sys, "meta_path", [*sys.meta_path]),
    ):
        try:
            if words[0] != "python":
                return int(EntryPoint(words[0], PROJECT["scripts"][words[0]], "").load()())
            sys.argv = [*words[1:]]
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".*found in sys.modules", RuntimeWarning)
                runpy.run_path(str(ROOT / words[1]), run_name="__main__")
        except SystemExit as stop:
            return int(stop.code or 0)
    return 0


def run_page(path: Path, begun: Path, folder: Path, is_wanted: Callable[[str], bool]) -> None:
    """Runs the wanted commands of a page in their order, in a copy of the folder `begun`."""
    commands = [
        command
        for command in read_commands(path)
        if command.reason is None
        and is_packaged(command.words)
        and is_wanted(shlex.join(command.words) + " ")
        and not any(re.fullmatch("[A-Z]+", word) for word in command.words)  # `show FILE`
    ]
    if not commands:
        return
    shutil.copytree(begun, folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("HOME", str(folder))
        for command in commands:
            words = small(command.words)
            if "--out" in words and "--resume" not in words:  # another command's
                shutil.rmtree(words[words.index("--out") + 1], ignore_errors=True)
            complaint = run_typing(words)
            is_form = command.in_text and _INCOMPLETE.search(complaint)
            if not is_form and "is not installed; run: pip install" not in complaint:
                assert not complaint, f"{command}: {complaint}"


def small(words: Sequence[str]) -> list[str]:
    """Returns a command with smaller sizes, but with the flags and the files that it names."""
    text = re.sub(r"search@\d+", "search@2", shlex.join(words))
    text = re.sub(r"--game \d+", "--game 1", text)  # a file of few games
    text = re.sub(r"\b(?!0{10})\d{10}\b", f"{64:010}", text)  # of a checkpoint or its games
    options = " ".join(value for start, value in SMALL.items() if re.match(start, text))
    return shlex.split(f"{text} {options}")


def run_typing(words: Sequence[str]) -> str:
    """Runs a command, at whose questions "quit" is typed; returns what it says if it fails."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.setattr(sys, "stdin", io.StringIO("q\nquit\n"))
        with redirect_stderr(said):
            return said.getvalue() if run(words) else ""


@pytest.fixture(scope="module")
def begun(tmp_path_factory) -> Path:
    """Returns a folder with what the pages' commands find: a run, games, agents and editions."""
    folder = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in (
            "python train.py --out runs/first",
            "gonzaga train --learner linear --out runs/linear",
            "python evaluate.py planner greedy --records games.jsonl",
            "gonzaga data write planner greedy --out runs/games",
        ):
            assert run_typing(small(line.split())) == ""
    shutil.copytree(folder / "runs/first", folder / "runs/second")
    blocks = read_blocks(DOCS / "agents.md")
    agent = next(block.text for block in blocks if "class ObjectiveAgent:" in block.text)
    (folder / "path/to").mkdir(parents=True)
    agent = agent.partition("\nsummary")[0]
    (folder / "mine.py").write_text(agent)
    (folder / "path/to/mine.py").write_text(agent.replace("ObjectiveAgent", "MyAgent"))
    for name in ("my_edition", "my-map"):
        shutil.copytree(ROOT / "gonzaga_env/data/editions/europe", folder / name)
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder
