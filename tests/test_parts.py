"""The parts of CI and of a night: none is forgotten, and only what is not served is skipped."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT
from tools import parts
from tools.parts import Part

TESTING = (ROOT / "docs" / "testing.md").read_text("utf-8")
NOXFILE = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
IN_FIRST_STAGE = {"lint", "tests-3.11"}  # of .ci/run, with its own commands
FAILED = "nox > Command {} failed with exit code 1:\n{}\n"
INSTALLED = "uv pip install --constraint constraints.txt torch ."


def constants() -> dict[str, Any]:
    """Returns what noxfile.py assigns literally."""
    found = {}
    for node in NOXFILE.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found


def sessions() -> Iterator[str]:
    """Yields the sessions of noxfile.py by the names that `nox --list` gives them."""
    known = constants()
    for function in NOXFILE.body:
        if not isinstance(function, ast.FunctionDef) or not function.decorator_list:
            continue
        pythons, ids = [""], [""]
        for decorator in function.decorator_list:
            for keyword in decorator.keywords:
                if keyword.arg == "python" and isinstance(keyword.value, ast.Name):
                    pythons = [f"-{version}" for version in known[keyword.value.id]]
                if keyword.arg == "ids":
                    ids = [f"({name})" for name in known[ast.unparse(keyword.value)[5:-1]]]
        yield from ("".join((function.name, *more)) for more in product(pythons, ids))


def left_out() -> dict[str, str]:
    """Returns what the table names as code, with the reason of its row."""
    text = TESTING.partition("## What CI cannot run")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    assert rows
    return {name: row[1].strip() for row in rows[1:] for name in re.findall(r"`([^`]+)`", row[0])}


def jobs() -> Iterator[tuple[str, str]]:
    """Yields every job of every workflow, as `file: job`, with its text."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        text = path.read_text("utf-8").partition("\njobs:\n")[2]
        for name, body in re.findall(r"^  (\w+):\n((?:(?:    .*)?\n)+)", text, re.MULTILINE):
            yield f"{path.name}: {name}", body


def test_every_session_runs_in_ci_or_has_a_reason_why_not() -> None:
    every, known = {*sessions()}, left_out()
    assert len(every) > 20
    run = {*parts.CI_SESSIONS} | IN_FIRST_STAGE
    assert run <= every
    assert every - run == {name for name in known if ":" not in name}
    assert all(known.values())


def test_every_job_of_a_workflow_runs_in_ci_or_has_a_reason_why_not() -> None:
    known, found = left_out(), dict(jobs())
    assert {name for name in known if ":" in name} <= {*found}
    run = {name.partition("-3")[0] for name in parts.CI_SESSIONS} | {"lint", "tests"}
    assert found
    for name, body in found.items():
        if name not in known and "tools.parts ci" not in body:
            named = {*re.findall(r"nox --session \"?(\w+)", body)}
            assert named, f"docs/testing.md says nothing of {name}"
            assert named <= run, name


def test_short_forms_are_those_of_the_sessions() -> None:
    """A session without one would take the word for a test."""
    functions = {node.name: node for node in NOXFILE.body if isinstance(node, ast.FunctionDef)}
    short = {name for name, body in functions.items() if "is_short(" in ast.unparse(body)}
    assert short - {"is_short"} == {name.partition("-")[0] for name in parts.SHORT}
    folder = Path("there")
    for part in parts.ci_parts(folder):
        assert ("short" in part.command) == (part.name in parts.SHORT)


@pytest.mark.parametrize(
    ("command", "said", "missing"),
    [
        (INSTALLED, "Because there is no version of torchrl==0.99 and you", "torchrl==0.99"),
        (INSTALLED, "Because ray was not found in the package registry and", "ray"),
        (INSTALLED, "  cause: Because only numpy<=2.4.6 is available and", "numpy<=2.4.6"),
        (INSTALLED, "Because antlr4==4.9.3 has no usable wheels and you", "antlr4==4.9.3"),
        (INSTALLED, "error: Failed to fetch: http://[::1]:9/six/", "http://[::1]:9/six/"),
        (INSTALLED, "  x Failed to download `six==1.17.0`", "six==1.17.0"),
        ("npm ci --prefix tools/browser", "npm error code E404", "E404"),
        (
            "python tools/package_check.py",
            "ERROR: No matching distribution found for twine",
            "twine",
        ),
        # A fault of this project's: two of its own wishes, a build, a test that says such words.
        (INSTALLED, "Because you require numpy==2.4.6 and numpy<2, we can conclude", ""),
        (INSTALLED, "error: Failed to build `gonzaga-env @ file:///here`", ""),
        ("python -m pytest tests", "there is no version of torchrl==0.99 and", ""),
        ("npm run check", "npm error code ELIFECYCLE", ""),
    ],
)
def test_only_what_is_not_served_is_skipped(command, said, missing) -> None:
    log = f"nox > {command}\n" + FAILED.format(command, said)
    assert parts.unserved(log) == missing
    verdict, detail = parts.judge(Part("data", []), 1, log)
    assert (verdict, missing in detail) == ("skipped" if missing else "failed", True)
    assert parts.judge(Part("fuzzing toml from 0", []), 1, log)[0] == "failed", "not at night"


def test_mutants_have_a_goal() -> None:
    part = Part("mutants of gonzaga", [], mutants=True)
    assert parts.judge(part, 1, "gonzaga: 235 of 240 ended (97.9%)")[0] == "passed"
    assert parts.judge(part, 1, "gonzaga: 232 of 240 ended (96.7%)")[0] == "failed"
    assert parts.judge(part, 2, "mutate: a test fails without a change")[0] == "failed"
    assert parts.judge(part, 0, "")[0] == "failed", "none was run"


def script(name: str, code: str, folder: Path | None = None) -> Part:
    place = [] if folder is None else ["--envdir", str(folder)]
    return Part(name, [sys.executable, "-c", code, *place])


def test_ci_ends_all_parts_and_tells_of_each(tmp_path, capsys) -> None:
    said = FAILED.format(INSTALLED, "Because there is no version of ray==9 and you")
    codes = {"wandb": "pass", "data": "print('why'); exit(3)", "ray": f"print({said!r}); exit(1)"}
    (tmp_path / "wandb").mkdir()
    some = [script(name, code, tmp_path / name) for name, code in codes.items()]
    assert parts.run_ci(some, tmp_path, 2) == ["passed", "failed", "skipped"]
    assert not (tmp_path / "wandb").exists(), "environments are many gigabytes together"
    out = capsys.readouterr().out
    assert re.search(r"^passed .* s  wandb$", out, re.MULTILINE)
    assert re.search(r"^failed .* s  data  \(exit code 3\)\n    \+ .*\n    why$", out, re.MULTILINE)
    assert re.search(r"^skipped .* s  ray  \(.* does not serve ray==9\)$", out, re.MULTILINE)


def test_a_part_that_takes_too_long_ends_with_its_processes(tmp_path) -> None:
    """The pipe ends when the last process that holds it does."""
    pipe = tmp_path / "pipe"
    code = f"import subprocess; subprocess.run('sleep 600; echo > {pipe}', shell=True)"
    result = parts.run(script("data", code), 0.2)
    assert (result.verdict, result.detail) == ("failed", "ended after 0 s")
    assert not pipe.exists()


def test_a_night_goes_on_where_it_ended(tmp_path, capsys) -> None:
    flag, count = tmp_path / "flag", tmp_path / "count"
    counted = f"open({str(count)!r}, 'a').write('x')"
    fails = f"import os; exit(not os.path.exists({str(flag)!r}))"
    some = [script("first", counted), script("second", fails)]
    assert parts.run_night(some, tmp_path) == ["passed", "failed"]
    flag.touch()
    with (tmp_path / "parts.jsonl").open("a") as out:
        out.write('{"part": "second", "verd')  # cut off
    assert parts.run_night(some, tmp_path) == ["passed", "passed"]
    assert count.read_text() == "x"
    lines = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "  " in line]
    assert lines.count("passed") == 2


def test_a_nights_parts_are_of_one_commit(monkeypatch) -> None:
    said = {"rev-parse": b"0123456789ab\n", "diff": b""}

    def git(command: list[str], **_: Any) -> Any:
        return type("Done", (), {"stdout": said[command[1]]})

    monkeypatch.setattr(parts.subprocess, "run", git)
    assert parts.key() == "0123456789ab"
    said["diff"] = b"a change"
    assert re.fullmatch(r"0123456789ab-[0-9a-f]{6}", parts.key())


def test_a_night_has_every_part(capsys) -> None:
    pytest.importorskip("starlette", reason='attacks need starlette: pip install ".[web]"')
    assert parts.main(["night", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = {line.partition(": ")[0] for line in lines}
    for name in ("load, attack since0", "mutants of signorie", "tests of oracles"):
        assert name in named
    fuzzed = [re.search(r"--from (\d+) --inputs (\d+)", line) for line in lines]
    ends = [int(found[1]) + int(found[2]) for found in fuzzed if found]
    assert max(ends) == parts.FUZZ_INPUTS


def test_wrong_names_are_told(capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        parts.main(["ci", "--only", "lunch"])
    assert ended.value.code == 2
    assert "there is no part 'lunch'; there are: tools, " in capsys.readouterr().err
