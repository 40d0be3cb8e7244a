"""Breaks the rules on purpose: `python tools/mutate.py --mutants 500 --results mutants.jsonl`.

A mutant is a module with one small change, such as `<` for `<=`. The tests have to fail for each:
one that passes them all survives, and then a test is missing, or the change makes no difference
(docs/trust.md lists those). Each mutant runs in a process of its own, which sees the changed source
in memory; no file is changed. Results are appended one by one, and a second run goes on with the
mutants that have none.
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
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
CORE = "gonzaga_env/core"
#: What is mutated: legality, transitions and scoring of both engines, and what they stand on.
TARGETS = [
    *(f"{CORE}/rules/{name}.py" for name in ("legal", "transitions", "scoring", "rewards")),
    *(f"{CORE}/rules/{name}.py" for name in ("derive", "check", "resample")),
    *(f"{CORE}/single/{name}.py" for name in ("legal", "transitions")),
    f"{CORE}/board/placements.py",
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
    ["tests/core/observation", "tests/core/state", "tests/core/board"],
    ["tests/core/records", "tests/core/batch/test_legal.py", "tests/test_golden.py"],
    ["tests/test_oracle.py", "-k", "0]"],  # one batch of nine
]
#: Tests that fail for most mutants of a module; they run first.
OWN_TESTS = {
    "derive": ["tests/core/rules/test_check.py"],
    "check": ["tests/core/rules/test_check.py"],
    "rewards": ["tests/core/rules/test_rewards.py"],
    "resample": ["tests/core/observation"],
}
_QUIET = ["-x", "-q", "--no-header", "-p", "no:cacheprovider"]
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
    source = (ROOT / file).read_text("utf-8")
    found = {}
    tree = ast.parse(source)
    conditions = {node.test for node in ast.walk(tree) if isinstance(node, ast.If | ast.IfExp)}
    for node in _code(tree):
        before = ast.get_source_segment(source, node)
        if before is None:
            continue
        changes = list(_changes(node, before))
        if node in conditions:
            changes.append(("condition", f"not ({before})"))
        for kind, after in changes:
            line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
            # Parentheses keep the order of operations, and lines that are as many as before.
            lines_lost = "\n" * (before.count("\n") - after.count("\n"))
            alone = isinstance(node, ast.stmt | ast.Slice)
            text = after + lines_lost if alone else f"({after}{lines_lost})"
            found[line, column, before, text] = Mutant(file, line, column, kind, before, text)
    return [found[key] for key in sorted(found)]


def unchanged(file: str) -> Mutant:
    """Returns a module without a change, which has to survive."""
    return Mutant(file, 1, 0, "nothing", "", "")


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yields what runs, without changes that are known to make no difference."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not _idle(node, child):
            yield from _code(child)


def _idle(node: ast.AST, child: ast.AST) -> bool:
    """Returns whether changes of a part of a node are not worth a run."""
    if isinstance(child, ast.Import | ast.ImportFrom):
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

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._keep(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._keep(report)

    def _keep(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid or "import"


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
    sys.exit(main())
