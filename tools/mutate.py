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
from dataclasses import asdict, dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

from tools.mutants import ROOT, Mutant, mutants_of, unchanged

_CORE = "gonzaga_env/core"
_BESIDE_A_BATCH = "tests/core/single/test_game.py::test_a_game_equals_a_batch_of_one"
#: Tests of Gonzaga's rules; each runs on the batch and on one game.
_RULES = [
    *(f"tests/core/batch/test_{name}.py" for name in ("plan", "place", "wedding", "score")),
    *("tests/core/batch/test_end.py", "tests/core/batch/test_final.py"),
    *("tests/core/state/test_setup.py", "tests/core/test_illegal_options.py"),
    "tests/core/view/test_illegal.py",
]
_BY_DAY = ["-m", "not nightly"]
#: Tests of all games, of which each game runs its own.
_EVERY_GAME = [
    *_BY_DAY,
    *(f"tests/tabletop/test_{name}.py" for name in ("conformance", "engines", "states")),
]


@dataclass(frozen=True)
class Game:
    """What is mutated of a game, and the tests that run on it.

    Tests are lists of pytest's arguments. A list runs if those before it pass, so quick ones come
    first.

    Attributes:
        files: legality, transitions and scoring of both engines, and what they stand on.
        single: tests of one game in plain Python, which is held to the batch.
        batch: tests of everything else.
        own: tests that fail for most mutants of a module, by its name; they run first.
    """

    files: list[str]
    single: list[list[str]]
    batch: list[list[str]]
    own: dict[str, list[str]]

    def tests_for(self, file: str) -> list[list[str]]:
        """Returns the lists of tests that run for a module."""
        own = self.own.get(Path(file).stem)
        return [*([own] if own else []), *(self.single if "/single/" in file else self.batch)]


def _newer(name: str, files: dict[str, list[str]], examples: str, check: list[str]) -> Game:
    """Returns one of the newer games; most of its tests run on both engines and the oracle."""
    tests = f"tests/{name}/test_"
    both = [
        [f"{tests}{examples}.py", f"{tests}rare.py", f"{tests}state.py"],
        [*_BY_DAY, f"{tests}oracle.py"],
        [*_EVERY_GAME, "-k", name],
        [*_BY_DAY, f"tests/{name}", f"--ignore={tests}oracle.py"],
    ]
    perft = [*_BY_DAY, "tests/test_perft.py", "-k"]
    golden = [*_BY_DAY, "tests/test_golden.py", "-k", name]
    return Game(
        [f"gonzaga_env/{name}/{room}/{file}.py" for room in files for file in files[room]],
        single=[[*perft, f"single and {name}"], *both],
        batch=[[*perft, f"batch and {name}"], *both, golden],
        own={
            "check": check,
            "deals": [f"{tests}state.py"],
            "resample": [*_BY_DAY, f"{tests}resample.py"],
        },
    )


_NEWER_SINGLE = ["legal", "transitions", "position"]
GAMES = {
    "gonzaga": Game(
        [
            *(f"{_CORE}/batch/{name}.py" for name in ("legal", "transitions")),
            *(f"{_CORE}/state/{name}.py" for name in ("turns", "scoring", "derive")),
            *(f"{_CORE}/state/{name}.py" for name in ("check", "accounts", "resample")),
            *(f"{_CORE}/single/{name}.py" for name in ("legal", "transitions")),
            *(f"{_CORE}/board/placements.py", "gonzaga_env/tabletop/rewards.py"),
        ],
        single=[
            [f"{_BESIDE_A_BATCH}[2-first_only-1]", f"{_BESIDE_A_BATCH}[3-each_player-6]"],
            ["tests/test_perft.py", "-k", "single and gonzaga"],
            _RULES,
            ["tests/core/single"],
            [*_EVERY_GAME, "-k", "gonzaga"],
        ],
        batch=[
            ["tests/test_golden.py::test_playthroughs_are_played_again_exactly"],
            ["tests/test_perft.py", "-k", "batch and gonzaga"],
            _RULES,
            ["tests/core/state", "tests/core/board"],
            [
                "tests/core/test_records.py",
                "tests/core/batch/test_legal.py",
                "tests/test_golden.py",
            ],
            ["tests/test_oracle.py", "-k", "0]"],  # one batch of nine
            [*_EVERY_GAME, "-k", "gonzaga"],
        ],
        own={
            "derive": ["tests/core/state/test_check.py"],
            "check": ["tests/core/state/test_check.py", "tests/core/state/test_accounts.py"],
            "accounts": ["tests/core/state/test_accounts.py"],
            "rewards": ["tests/tabletop/test_rewards.py"],
            "resample": ["tests/core/state/test_resample.py", "tests/core/state/test_features.py"],
        },
    ),
    "tuscany": _newer(
        "tuscany",
        {
            "batch": ["legal", "transitions", "scoring", "draws"],
            "single": _NEWER_SINGLE,
            "state": ["check", "payments", "deals", "resample"],
        },
        examples="game",
        check=["tests/tuscany/test_check.py", "tests/tuscany/test_state.py"],
    ),
    "signorie": _newer(
        "signorie",
        {
            "batch": ["legal", "transitions", "effects", "rounds", "draws"],
            "single": _NEWER_SINGLE,
            "state": ["check", "deals", "resample"],
        },
        examples="examples",
        check=["tests/signorie/test_state.py"],
    ),
}
TARGETS = {file: game for game in GAMES.values() for file in game.files}
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


def _run_tests(mutant: Mutant, limit: int, answer: Connection) -> None:
    """Sends the first test that fails, or an empty string."""
    sys.meta_path.insert(0, _Changed(mutant))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    for tests in TARGETS[mutant.file].tests_for(mutant.file):
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
            results[mutant_of(result)] = result
    return results


def mutant_of(result: dict[str, Any]) -> Mutant:
    """Returns the mutant that a result is about."""
    return Mutant(**{name: result[name] for name in Mutant.__dataclass_fields__})


def table(results: list[dict[str, Any]]) -> str:
    """Returns the results by module as a table of Markdown, with a row of all."""
    lines = ["| module | mutants | killed | by time | survived |", "|---|---|---|---|---|"]
    for file in [*dict.fromkeys(result["file"] for result in results), "all"]:
        count = Counter(r["verdict"] for r in results if file in ("all", r["file"]))
        numbers = (count.total(), count["killed"], count["timeout"], count["survived"])
        lines.append(f"| {file.removeprefix('gonzaga_env/')} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def summary(name: str, num_mutants: int, results: list[dict[str, Any]]) -> str:
    """Returns a line about a game: how many mutants there are, were run and ended."""
    ended = sum(result["verdict"] != "survived" for result in results)
    share = f" ({ended / len(results):.1%})" if results else ""
    return f"{name}: {ended} of {len(results)} ended{share}; {num_mutants:,} mutants in all"


def run_game(game: Game, files: list[str], options: argparse.Namespace) -> list[dict[str, Any]]:
    """Runs a sample of a game's mutants; returns all results of its modules, by place.

    Raises:
        RuntimeError: a test fails without a change.
    """
    mutants = [mutant for file in files for mutant in mutants_of(file)]
    results = read_results(options.results)
    # Tests that fail anyway kill nothing.
    originals = {str(game.tests_for(file)[-1]): unchanged(file) for file in files}.values()
    chosen = Random(options.seed).sample(mutants, len(mutants))[: options.mutants]
    for mutant in [*originals, *chosen]:
        known = results.get(mutant)
        if known and not (options.again and known["verdict"] == "survived"):
            continue
        results[mutant] = result = run(mutant)
        if mutant in originals and result["verdict"] != "survived":
            raise RuntimeError(f"{result['test'] or 'a test'} fails without a change")
        with options.results.open("a", encoding="utf-8") as out:
            out.write(json.dumps(result) + "\n")
    found = sorted(results.keys() & {*mutants}, key=lambda it: (it.file, it.line, it.column))
    return [results[mutant] for mutant in found]


def main() -> int:
    """Runs mutants that have no result yet; the exit code is 1 if one survived that may not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", help="modules (all rules)")
    parser.add_argument("--game", choices=GAMES, help="only this game's rules (all three)")
    parser.add_argument("--mutants", type=int, default=100, help="at most, of each game (100)")
    parser.add_argument("--seed", type=int, default=0, help="decides which (0)")
    parser.add_argument("--results", type=Path, default=Path("mutants.jsonl"), help="a file")
    parser.add_argument("--again", action="store_true", help="run known survivors again")
    parser.add_argument("--may-survive", action="store_true", help="survivors are no failure")
    options = parser.parse_args()
    known = GAMES[options.game].files if options.game else [*TARGETS]
    unknown = sorted({*options.files} - {*known})
    if unknown:
        print(f"mutate: {unknown[0]} is not one of {', '.join(known)}", file=sys.stderr)
        return 2
    options.results = options.results.absolute()
    os.chdir(ROOT)
    for name in ("numpy", "gymnasium", "pettingzoo"):  # once for all mutants
        importlib.import_module(name)
    results, lines = [], []
    for name, game in GAMES.items():
        files = [file for file in game.files if file in (options.files or known)]
        if not files:
            continue
        try:
            found = run_game(game, files, options)
        except RuntimeError as error:
            print(f"mutate: {error}", file=sys.stderr)
            return 2
        lines.append(summary(name, sum(len(mutants_of(file)) for file in files), found))
        print(lines[-1], flush=True)
        results += found
    survived = [mutant_of(result) for result in results if result["verdict"] == "survived"]
    print(table(results), *survived, *lines, sep="\n")
    return 1 if survived and not options.may_survive else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)  # all results so far are in the file
