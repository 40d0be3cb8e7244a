"""Breaks the rules on purpose: `python -m tools.mutate --mutants 500`.

A mutant is a module with one small change, such as `<` for `<=`. The tests have to fail for each:
one that passes them all survives, and then a test is missing, or the change makes no difference
(docs/appendix/trust.md lists those). Each mutant runs in a process of its own, which sees the
changed source in memory; no file is changed. Results are appended one by one, and a second run
continues with the mutants that have none.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import math
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import Counter
from dataclasses import asdict
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

from tools.mutants import ROOT, Mutant, mutants_of, unchanged

CORE = "gonzaga_env/core"
#: What is mutated: legality, transitions and scoring of both engines, and what they stand on.
TARGETS = [
    *(f"{CORE}/batch/{name}.py" for name in ("legal", "transitions", "scoring")),
    *(f"{CORE}/state/{name}.py" for name in ("derive", "check", "accounts", "resample")),
    *(f"{CORE}/single/{name}.py" for name in ("legal", "transitions")),
    *(f"{CORE}/board/placements.py", "gonzaga_env/tabletop/rewards.py"),
]
_BESIDE_A_BATCH = "tests/core/single/test_game.py::test_a_game_equals_a_batch_of_one"
_RULES = ["tests/core/rules", "--deselect=tests/core/rules/test_illegal_random.py"]
#: Tests of one game in plain Python, which is held to the batch.
SINGLE_TESTS = [
    [f"{_BESIDE_A_BATCH}[2-first_only-1]", f"{_BESIDE_A_BATCH}[3-each_player-6]"],
    ["tests/test_perft.py", "-k", "single"],
    [*_RULES, "-k", "game"],
    ["tests/core/single"],
]
#: Tests of everything else. A list runs if those before it pass; quick ones come first.
BATCH_TESTS = [
    ["tests/test_golden.py::test_playthroughs_are_played_again_exactly"],
    ["tests/test_perft.py", "-k", "batch"],
    [*_RULES, "-k", "engine"],
    ["tests/core/state", "tests/core/board"],
    ["tests/core/test_records.py", "tests/core/batch/test_legal.py", "tests/test_golden.py"],
    ["tests/test_oracle.py", "-k", "0]"],  # one batch of nine
]
#: Tests that fail for most mutants of a module; they run first.
OWN_TESTS = {
    "derive": ["tests/core/state/test_check.py"],
    "check": ["tests/core/state/test_check.py", "tests/core/state/test_accounts.py"],
    "accounts": ["tests/core/state/test_accounts.py"],
    "rewards": ["tests/core/rules/test_rewards.py"],
    "resample": ["tests/core/state/test_resample.py", "tests/core/state/test_features.py"],
}
_QUIET = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", ""]  # nightly ones too


class _Changed(MetaPathFinder, SourceFileLoader):
    """Imports one module from changed source."""

    def __init__(self, mutant: Mutant) -> None:
        name = mutant.file.removesuffix(".py").replace("/", ".")
        SourceFileLoader.__init__(self, name, str(ROOT / mutant.file))
        self.changed = mutant.source()

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.changed, self.path, "exec")


class _FirstFailure:
    """A plugin of pytest that keeps the name of the first failure."""

    name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid or "import"

    pytest_collectreport = pytest_runtest_logreport


def tests_for(file: str) -> list[list[str]]:
    """Returns the lists of tests that run for a module, as arguments of pytest."""
    own = OWN_TESTS.get(Path(file).stem)
    return [*([own] if own else []), *(SINGLE_TESTS if "/single/" in file else BATCH_TESTS)]


def _run_tests(mutant: Mutant, limit: int, answer: Connection) -> None:
    """Sends the first test that fails, or an empty string."""
    sys.meta_path.insert(0, _Changed(mutant))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    for tests in tests_for(mutant.file):
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = math.ceil(used.ru_utime + used.ru_stime) + limit
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
        failure = _FirstFailure()
        if pytest.main([*_QUIET, *tests], plugins=[failure]) != 0:
            answer.send(failure.name or "pytest")
            return
    answer.send("")


def run(mutant: Mutant, limit: int = 60) -> dict[str, Any]:
    """Runs the tests on a mutant.

    Args:
        mutant: the change.
        limit: processor seconds for each list of tests; more of them mean an endless game.

    Returns:
        The mutant's fields; "verdict": "killed", "timeout" (killed too) or "survived"; the first
        "test" that failed; "seconds".

    Raises:
        RuntimeError: the tests could not be run at all.
    """
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    started = time.perf_counter()
    child = fork.Process(target=_run_tests, args=(mutant, limit, theirs))
    child.start()
    theirs.close()
    try:
        test = ours.recv()
        verdict = "killed" if test else "survived"
    except EOFError:  # the process ended without an answer
        child.join()
        if child.exitcode != -signal.SIGXCPU:
            raise RuntimeError(f"exit code {child.exitcode} of the tests of {mutant}") from None
        test, verdict = "", "timeout"
    child.join()
    seconds = round(time.perf_counter() - started, 1)
    return {**asdict(mutant), "verdict": verdict, "test": test, "seconds": seconds}


def read_results(file: Path) -> dict[Mutant, dict[str, Any]]:
    """Returns the results that are there, without a last line that was cut off."""
    results = {}
    for line in file.read_text("utf-8").splitlines(keepends=True) if file.exists() else []:
        if line.endswith("\n"):
            result = json.loads(line)
            fields = {name: result[name] for name in Mutant.__dataclass_fields__}
            results[Mutant(**fields)] = result
    return results


def table(results: list[dict[str, Any]]) -> str:
    """Returns the results by module as a table of Markdown, with a row of all."""
    lines = ["| module | mutants | killed | by time | survived |", "|---|---|---|---|---|"]
    for file in [*dict.fromkeys(result["file"] for result in results), "all"]:
        count = Counter(r["verdict"] for r in results if file in ("all", r["file"]))
        numbers = (count.total(), count["killed"], count["timeout"], count["survived"])
        lines.append(f"| {file.removeprefix(CORE + '/')} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def main() -> int:
    """Runs mutants that have no result yet; the exit code is 1 if any survived."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", default=TARGETS, help="modules (the rules)")
    parser.add_argument("--mutants", type=int, default=100, help="at most, drawn at random (100)")
    parser.add_argument("--seed", type=int, default=0, help="decides which (0)")
    parser.add_argument("--results", type=Path, default=Path("mutants.jsonl"), help="a file")
    parser.add_argument("--again", action="store_true", help="run known survivors again")
    options = parser.parse_args()
    unknown = sorted({*options.files} - {*TARGETS})
    if unknown:
        print(f"mutate: {unknown[0]} is not one of {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    options.results = options.results.absolute()
    os.chdir(ROOT)
    for name in ("numpy", "gymnasium", "pettingzoo"):  # once for all mutants
        importlib.import_module(name)
    mutants = [mutant for file in options.files for mutant in mutants_of(file)]
    results = read_results(options.results)
    # Tests that fail anyway kill nothing.
    originals = {tests_for(file)[-1][0]: unchanged(file) for file in options.files}.values()
    chosen = Random(options.seed).sample(mutants, len(mutants))[: options.mutants]
    for mutant in [*originals, *chosen]:
        known = results.get(mutant)
        if known and not (options.again and known["verdict"] == "survived"):
            continue
        results[mutant] = result = run(mutant)
        if mutant in originals and result["verdict"] != "survived":
            print(f"mutate: {result['test']} fails without a change", file=sys.stderr)
            return 2
        with options.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
    found = sorted(results.keys() & {*mutants}, key=lambda it: (it.file, it.line, it.column))
    survived = [mutant for mutant in found if results[mutant]["verdict"] == "survived"]
    print(f"{len(mutants):,} mutants, {len(found):,} of them run\n")
    print(table([results[mutant] for mutant in found]), *survived, sep="\n")
    return 1 if survived else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)  # all results so far are in the file
