"""Breaks the rules on purpose: `python -m tools.mutate --mutants 500`.

A mutant is a module with one small change, such as `<` for `<=`. The tests have to fail for each:
one that passes them all survives, and then a test is missing, or the change makes no difference
(docs/appendix/trust.md lists those). Each mutant runs in a process of its own, which sees the
changed source in memory; no file is changed. Results are appended one by one, and a second run
continues with the mutants that have none.
"""

from __future__ import annotations

import argparse
import ast
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
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import accumulate
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.FloorDiv: ast.Mod, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.Pow: ast.Mult,
}  # fmt: skip
NAMES = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "argmin": "argmax",
    "argmax": "argmin", "any": "all", "all": "any", "bitwise_or": "bitwise_and",
    "logical_or": "logical_and", "combinations": "permutations",
}  # fmt: skip
_CORE = "gonzaga_env/core"
_BESIDE_A_BATCH = "tests/core/single/test_game.py::test_a_game_equals_a_batch_of_one"
#: Tests of Gonzaga's rules; each runs on the batch and on one game.
_RULES = [
    *(f"tests/core/batch/test_{name}.py" for name in ("plan", "place", "wedding", "score")),
    "tests/core/batch/test_end.py",
    "tests/core/batch/test_final.py",
    "tests/core/state/test_setup.py",
    "tests/core/test_illegal_options.py",
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
            f"{_CORE}/board/placements.py",
            "gonzaga_env/tabletop/rewards.py",
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


@dataclass(frozen=True)
class Mutant:
    """One change of a module.

    Attributes:
        file: the module, relative to the repository.
        line, column: where the change starts.
        kind: "comparison", "operator", "constant" and so on.
        before, after: the code.
    """

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str

    def source(self) -> str:
        """Returns the changed module; all lines keep their numbers."""
        lines = (ROOT / self.file).read_text("utf-8").splitlines(keepends=True)
        start = sum(map(len, lines[: self.line - 1])) + self.column
        text = "".join(lines)
        assert text.startswith(self.before, start), self
        return text[:start] + self.after + text[start + len(self.before) :]

    def __str__(self) -> str:
        before, after = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.file}:{self.line} {self.kind}: `{before}` -> `{after}`"


def mutants_of(file: str) -> list[Mutant]:
    """Returns all mutants of a module, from top to bottom."""
    source = (ROOT / file).read_bytes()
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    found = {}
    tree = ast.parse(source)
    conditions = {node.test for node in ast.walk(tree) if isinstance(node, ast.If | ast.IfExp)}
    for node in _code(tree):
        if not isinstance(node, ast.expr | ast.stmt | ast.Slice) or node.end_lineno is None:
            continue
        stop = starts[node.end_lineno - 1] + (node.end_col_offset or 0)
        before = source[starts[node.lineno - 1] + node.col_offset : stop].decode()
        changes = list(_changes(node, before))
        if node in conditions:
            changes.append(("condition", f"not ({before})"))
        for kind, after in changes:
            line, column = node.lineno, node.col_offset
            # Parentheses keep the order of operations, and lines that are as many as before.
            lines_lost = "\n" * (before.count("\n") - after.count("\n"))
            alone = isinstance(node, ast.stmt | ast.Slice)
            text = after + lines_lost if alone else f"({after}{lines_lost})"
            found[line, column, before, text] = Mutant(file, line, column, kind, before, text)
    return [found[key] for key in sorted(found)]


def unchanged(file: str) -> Mutant:
    """Returns a module without a change, which must survive."""
    return Mutant(file, 1, 0, "nothing", "", "")


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the executed code, without changes that are known to make no difference."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not _idle(node, child):
            yield from _code(child)


def _idle(node: ast.AST, child: ast.AST) -> bool:
    """Returns whether changes of a part of a node are not worth a run."""
    if isinstance(child, ast.Import | ast.ImportFrom | ast.JoinedStr):  # words of messages
        return True
    match node:
        case ast.arg() | ast.AnnAssign(value=None) | ast.keyword(arg="strict"):  # `strict` checks
            return True
        case ast.AnnAssign(annotation=part) | ast.FunctionDef(returns=part) if part is child:
            return True
        case ast.Subscript(value=ast.Call(func=ast.Attribute(attr="nonzero")), slice=index):
            return index is child  # the first of one array is the last
        case ast.FunctionDef() | ast.ClassDef() if child in node.decorator_list:
            return True
    return False


def _changes(node: ast.AST, before: str) -> Iterator[tuple[str, str]]:
    """Yields kinds of changes and the code after each."""
    match node:
        case ast.Compare(ops=[operation]):
            yield "comparison", _with(node, ops=[COMPARISONS[type(operation)]()])
        case ast.BinOp(op=operation) if type(operation) in OPERATORS:
            yield "operator", _with(node, op=OPERATORS[type(operation)]())
        case ast.BoolOp(op=operation):
            other = ast.Or() if isinstance(operation, ast.And) else ast.And()
            yield "and/or", _with(node, op=other)
        case ast.UnaryOp(operand=operand) if not isinstance(operand, ast.Constant):
            yield "operator", ast.unparse(operand)
        case ast.Constant(value=bool(value)):
            yield "constant", str(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", str(value + 1)
            yield "constant", str(value - 1)
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in NAMES:
            yield "name", before.removesuffix(name) + NAMES[name]
        case ast.Slice(lower=lower, upper=upper):
            yield from (("slice", _with(node, lower=None)) for _ in filter(None, [lower]))
            yield from (("slice", _with(node, upper=None)) for _ in filter(None, [upper]))
        case ast.AugAssign(op=operation):
            yield "operator", _with(node, op=OPERATORS[type(operation)]())
            yield "removed", "pass"
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]) | ast.Continue():
            yield "removed", "pass"
        case ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield()):
            yield "removed", "pass"


def _with(node: ast.AST, **changes: Any) -> str:
    """Returns the code of a node with other fields."""
    return ast.unparse(type(node)(**{**dict(ast.iter_fields(node)), **changes}))


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
        if mutant in results:
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
