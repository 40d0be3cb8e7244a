"""Small changes of a module's source: what `tools/mutate.py` runs the tests on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

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
