"""Parses and runs the commands of the pages as their programs do, in this process."""

import argparse
import ast
import io
import os
import re
import runpy
import shlex
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from importlib.metadata import EntryPoint
from typing import Any, NoReturn
from unittest import mock

import tyro
from packaging.requirements import Requirement

from tests.docs.pages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

#: Who runs the scripts around the packages at toy sizes; the pages' tests parse their commands.
SCRIPTS = {
    "benchmarks/bots.py": "tests/agents/outside/test_outside.py",
    "benchmarks/data.py": "tests/test_benchmarks.py",
    "benchmarks/generated.py": "tests/test_benchmarks.py",
    "benchmarks/peers.py": "tests/test_benchmarks.py",
    "benchmarks/scale.py": "tests/test_benchmarks.py",
    "benchmarks/speed.py": "tests/test_benchmarks.py",
    "docs/rules_index.py": "tests/test_docs.py",
    "docs/solve_pictures.py": "tests/test_docs.py",
    "examples/01_rollouts.py": "tests/test_notebooks.py",
    "examples/trainers/clone_games.py": "tests/clients/test_trainers.py",
    "examples/trainers/sb3_tabula_rasa.py": "tests/clients/test_trainers.py",
    "notebooks/execute.py": "tests/test_notebooks.py",
    "tests/golden/playthroughs.py": "tests/test_golden.py",
    "tests/golden/regenerate.py": "tests/test_golden.py",
    "tests/perft/regenerate.py": "tests/test_perft.py",
    "tools/package_check.py": "noxfile.py",
}

TURNS = 64  # of a small training run

#: Options that make a run small, by how its command begins: the last one of a name counts.
SMALL = {
    r"(python evaluate.py|gonzaga-evaluate)": "--deals 1",
    r"(python evaluate.py|gonzaga-evaluate) .*--tournament": "--tables 3",
    r"(python train.py|gonzaga-train)": f"--timesteps {TURNS} --num-games 2 --minibatch 32 "
    "--width 8 --imitate 0 --eval-deals 0 --final-deals 0 --sample-games 2 --processes 1",
    r"python -m gonzaga_agents.dataset write": "--games 4",
    r"python -m gonzaga_agents.solve": "--iterations 9",
    r"python -m gonzaga_agents.puzzles cut": "--games 1",
    r"python -m gonzaga_agents.search.fit_value": "--games 10 --out value.npz",
    r"python -m gonzaga_agents.training.search_value": "--planner-parts 2 --search-parts 2 "
    "--playouts 2 --policy-parts 2 --epochs 1",
    r"python -m gonzaga_agents.policies.export": "--out exported",
    r"python -m gonzaga_env analyse": "--playouts 2",
}

#: What runs in CI; training, tournaments and the rest run at night.
QUICK = (
    r"(python evaluate.py|gonzaga-evaluate|python -m gonzaga_(env|agents.dataset|agents.solve)) "
)
SLOW = r".* (--tournament|--shard|--merge|--executor|--until-decided|analyse|search\S*) "

_PLACEHOLDER = re.compile(r"[A-Z]+")
INCOMPLETE = re.compile(
    r"required|expected one argument|expected at least|has to come first|no agent"
)


class Accepted(BaseException):  # not an error: it ends a program
    """Raised in place of what a program does once it has accepted its arguments."""


def is_packaged(words: Sequence[str]) -> bool:
    """Returns whether a command runs a program of the packages."""
    text = shlex.join(words)
    return words[0] in PROJECT["scripts"] or bool(
        re.match(r"python (evaluate.py|train.py|-m gonzaga_(env|agents|table)\b)", text)
    )


def is_quick(words: Sequence[str]) -> bool:
    """Returns whether the small run of a command runs in CI."""
    text = f"{shlex.join(words)} "
    return bool(re.match(QUICK, text) and not re.match(SLOW, text))


def is_form(words: Sequence[str]) -> bool:
    """Returns whether it is the form of a command, such as `show FILE --game N`."""
    return any(_PLACEHOLDER.fullmatch(word) for word in words)


def small(words: Sequence[str]) -> list[str]:
    """Returns a command with smaller sizes, but with the flags and the files that it names."""
    text = re.sub(r"search@\d+", "search@2", shlex.join(words))
    text = re.sub(r"--game \d+", "--game 1", text)  # a file of few games
    text = re.sub(r"\b(?!0{10})\d{10}\b", f"{TURNS:010}", text)  # of a checkpoint or its games
    options = " ".join(value for start, value in SMALL.items() if re.match(start, text))
    return shlex.split(f"{text} {options}")


def check(words: Sequence[str], in_text: bool = False) -> bool:
    """Checks that a program takes its arguments, and that what they name exists.

    Args:
        words: the command.
        in_text: whether it may also be the form of a command, or lack arguments.

    Returns:
        Whether it is complete.

    Raises:
        AssertionError: an argument is refused, or a file, an extra, a session is missing.
    """
    if not is_packaged(words):
        return _check_other(words)
    numbered = ["1" if in_text and word in ("N", "M") else word for word in words]
    complaint, code = io.StringIO(), 0
    with redirect_stderr(complaint), _stopped_by_parsers():
        try:
            code = run(numbered)
        except Accepted:
            return not (in_text and is_form(words))
    if code and in_text and INCOMPLETE.search(complaint.getvalue()):
        return False
    assert code == 0, complaint.getvalue()
    return True


def run(words: Sequence[str]) -> int:
    """Runs a program of this project in this process and returns its exit code."""
    name, arguments = words[0], [*words[1:]]
    with mock.patch.object(sys, "argv", [*words]), mock.patch.object(sys, "path", [*sys.path]):
        try:
            if name != "python":
                return int(EntryPoint(name, PROJECT["scripts"][name], "").load()())
            _run_python(arguments)
        except SystemExit as stop:
            return int(stop.code or 0)
    return 0


def _run_python(arguments: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*found in sys.modules", RuntimeWarning)
        if arguments[0] == "-m":
            sys.argv = arguments[1:]
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = arguments
            sys.path.insert(0, str((ROOT / arguments[0]).parent))
            runpy.run_path(str(ROOT / arguments[0]), run_name="__main__")


@contextmanager
def _stopped_by_parsers() -> Iterator[None]:
    """Ends programs once a parser has accepted their arguments."""
    with (
        mock.patch.object(argparse.ArgumentParser, "parse_args", _stopping(_PARSE_ARGS)),
        mock.patch.object(tyro, "cli", _stopping(tyro.cli)),
        mock.patch.object(os, "sched_setaffinity", create=True),  # benchmarks take one core
    ):
        yield


_PARSE_ARGS = argparse.ArgumentParser.parse_args


def _stopping(parse: Callable[..., Any]) -> Callable[..., NoReturn]:
    def stopping(*values: Any, **options: Any) -> NoReturn:
        parse(*values, **options)
        raise Accepted

    return stopping


def _check_other(words: Sequence[str]) -> bool:
    """Checks a command that is not of the packages; whether it is complete does not matter."""
    program, arguments = words[0], words[1:]
    if program == "python" and arguments[0] == "-m":
        program, arguments = arguments[1], arguments[2:]
    elif program == "python" and arguments[0] != "-c":
        program, arguments = arguments[0], arguments[1:]
    if program in OTHERS:
        OTHERS[program](arguments)
        return False
    assert words[0] == "python", f"no test runs {program}: say why not in a mark before its block"
    path = program if program.endswith(".py") else program.replace(".", "/") + ".py"
    assert (ROOT / path).is_file(), f"there is no {path}"
    assert path in SCRIPTS, f"{path} is in no line of SCRIPTS: which test runs it?"
    if re.search("argparse|tyro|common import command", (ROOT / path).read_text("utf-8")):
        complaint = io.StringIO()
        with redirect_stderr(complaint), _stopped_by_parsers():
            try:
                run(["python", path, *arguments])
            except Accepted:
                return False
        raise AssertionError(complaint.getvalue())
    assert not any(word.startswith("-") for word in arguments), f"{path} takes no options"
    return False


def _pip(arguments: Sequence[str]) -> None:
    assert arguments[0] == "install"
    previous = ""
    for word in arguments[1:]:
        if previous in {"-c", "-r"}:
            assert (ROOT / word).is_file(), f"there is no {word}"
        elif not word.startswith("-"):
            wanted = Requirement(re.sub(r"^\.", PROJECT["name"], word))
            missing = wanted.extras - PROJECT["optional-dependencies"].keys()
            assert wanted.name != PROJECT["name"] or not missing, f"there is no extra {missing}"
        previous = word


def _nox(arguments: Sequence[str]) -> None:
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    sessions = {function.name for function in functions if function.decorator_list}
    before = shlex.join(arguments).partition(" -- ")[0].split()  # what follows is for a session
    named = {word.strip("'").partition("(")[0] for word in before if not word.startswith("-")}
    assert named <= sessions, f"there is no session {named - sessions}"


def _npm(arguments: Sequence[str]) -> None:
    scripts = (ROOT / "package.json").read_text("utf-8")
    assert arguments[0] == "ci" or f'"{arguments[1]}":' in scripts, f"no script {arguments}"


def _pytest(arguments: Sequence[str]) -> None:
    for word in arguments:
        assert not word.startswith("tests") or (ROOT / word).exists(), f"there is no {word}"


#: Programs of others which no test runs: pip and nox download packages, and CI runs the rest. What
#: their arguments name is looked up. Any other program needs a mark.
OTHERS: dict[str, Callable[[Sequence[str]], None]] = {
    "pip": _pip,
    "nox": _nox,
    "npm": _npm,
    "pytest": _pytest,
    "python": lambda arguments: exec(arguments[1], {"__name__": "__main__"}),  # python -c
    "ruff": lambda arguments: None,
    "venv": lambda arguments: None,
    ".": lambda arguments: None,  # activates what venv made
}
