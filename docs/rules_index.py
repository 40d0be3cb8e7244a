"""Prints where rules are coded and tested: `python docs/rules_index.py`, or `... R4.3 T5.1`.

The index lists, for every rule of `rules.md` (Gonzaga, R), `rules-tuscany.md` (The Castles of
Tuscany, T) and `rules-signorie.md` (Signorie, S), the functions, classes and constants that name it
and the tests that name it. Code names a rule by its number, in a comment, a docstring or a message.
A test names it in what Python reads: its name (`test_r4_3_...`), its docstring, its cases or a text
in its code, since a comment stays where a test has changed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "docs" / f"{name}.md" for name in ("rules", "rules-tuscany", "rules-signorie")]
_GAMES = ("core", "tuscany", "signorie")

#: Groups of the index, in its order, with the files in each; the first that fits counts.
GROUPS = {
    "what seats know": [
        f"gonzaga_env/{game}/{module}.py"
        for game in _GAMES
        for module in ("features", "state/resample", "state/from_observations")
    ],
    "legality": [f"gonzaga_env/{game}/batch/legal.py" for game in _GAMES]
    + ["gonzaga_env/core/state/turns.py"],
    "transitions": [
        f"gonzaga_env/{game}/batch/{module}.py"
        for game in _GAMES
        for module in ("transitions", "draws", "effects", "rounds")
    ],
    "scoring": ["gonzaga_env/core/state/scoring.py", "gonzaga_env/tuscany/batch/scoring.py"],
    "data": [
        f"gonzaga_env/{game}/{room}"
        for game in _GAMES
        for room in ("board", "config.py", "constants.py", "editions/edition.py", "options.py")
    ]
    + [f"gonzaga_env/{game}/state" for game in _GAMES],
    "edition check": [f"gonzaga_env/{game}/editions" for game in _GAMES],
    "single game": [f"gonzaga_env/{game}/single" for game in _GAMES],
    "explanation": ["gonzaga_env/core/view/illegal.py", "gonzaga_env/core/view/describe.py"],
    "engine, environments, pictures": ["gonzaga_env"],
    "oracle": [
        f"tests/{name}.py"
        for name in ("oracle", "oracle_editions", "tuscany_oracle", "signorie_oracle")
    ],
    "tests": ["tests"],
}
#: Where the engine for batches and the one for a single game can name a rule.
BATCH_GROUPS = {"data", "legality", "transitions", "scoring"}
SINGLE_GROUPS = {"single game"}

#: Rules of R2 to R8, T2 to T11 and S2 to S12 that an engine does not name, with the reason.
NOT_IN_BOTH_ENGINES = {
    **dict.fromkeys(("T2.1", "T2.2", "T2.3", "T2.5"), "Both engines get the deal and play on."),
    **dict.fromkeys(
        ("S2.1", "S2.2", "S2.3", "S2.4", "S2.5", "S2.6"), "Both engines get the deal and play on."
    ),
    "S6.2": "A value of the edition.",
    "S10.4": "No action moves a tile.",
    "R4.7": "A fact about the map, which the edition check enforces; the engines rely on it.",
}

_RULE = re.compile(r"^- ([RTS]\d+\.\d+) (.*)$", re.MULTILINE)
_RANGE = re.compile(r"\b([RTS])(\d+)\.(\d+)(?: to \1\2\.(\d+))?")
_TEST_NAME = re.compile(r"\btest_([rts])(\d+)_(\d+)_")
_TITLE_LENGTH = 80


@dataclass(frozen=True, order=True)
class Mention:
    """A place that names a rule.

    Attributes:
        group: one of `GROUPS`.
        file: path from the root of the repository.
        name: function, class or constant; empty for a module's own text.
    """

    group: str
    file: str
    name: str


def rules() -> dict[str, str]:
    """Returns the text of every rule by number."""
    return dict(rule for page in PAGES for rule in _RULE.findall(page.read_text("utf-8")))


def rules_of_play() -> list[str]:
    """Returns the rules that both engines play: R2 to R8, T2 to T11, S2 to S12."""
    chapters = {rule: int(rule[1:].split(".")[0]) for rule in rules()}
    return [r for r, n in chapters.items() if 2 <= n <= {"R": 8, "T": 11, "S": 12}[r[0]]]


@cache
def find_mentions() -> dict[str, set[Mention]]:
    """Returns the places that name each rule."""
    found: dict[str, set[Mention]] = {rule: set() for rule in rules()}
    for folder in ("gonzaga_env", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            named_in = _named_in_tests if path.name.startswith("test_") else _named_in
            for rule, name in named_in(path.read_text("utf-8")):
                found.setdefault(rule, set()).add(Mention(_group(file), file, name))
    return found


def _named_in(source: str) -> Iterator[tuple[str, str]]:
    """Yields every rule that a module names, with what encloses it."""
    places = list(_places(ast.parse(source).body))
    for number, line in enumerate(source.splitlines(), start=1):
        for rule in _rules_in(line):
            enclosing = [name for start, stop, name in places if start <= number <= stop]
            yield rule, enclosing[-1] if enclosing else ""


def _named_in_tests(source: str) -> Iterator[tuple[str, str]]:
    """Yields every rule that a test or its list of cases names outside comments, with the test."""
    module = ast.parse(source)
    cases = {_name(node): node for node in module.body if not isinstance(node, ast.FunctionDef)}
    for test in ast.walk(module):
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            named = {
                n.id for d in test.decorator_list for n in ast.walk(d) if isinstance(n, ast.Name)
            }
            nodes = [test, *(cases[name] for name in named & cases.keys())]
            for rule in _rules_in("\n".join([test.name, *_texts(nodes)])):
                yield rule, test.name


def _texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yields the texts in a program, docstrings too."""
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _places(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[int, int, str]]:
    """Yields first line, last line and name of functions, classes and constants, outer ones first.

    A comment above a statement belongs to it.
    """
    previous = 0
    for node in body:
        name = _name(node)
        start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        stop = node.end_lineno or node.lineno
        if name:
            yield start if prefix else previous + 1, stop, prefix + name
        if isinstance(node, ast.ClassDef):
            methods = [n for n in node.body if isinstance(n, ast.FunctionDef)]
            yield from _places(list(methods), f"{prefix}{name}.")
        previous = stop


def _name(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    first = targets[0].elts[0] if isinstance(targets[0], ast.Tuple) else targets[0]
    return first.id if isinstance(first, ast.Name) else ""


def _rules_in(text: str) -> Iterator[str]:
    """Yields the rules that a text names; "R4.3 to R4.5" names three."""
    for game, chapter, first, last in _RANGE.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{game}{chapter}.{number}"
    for game, chapter, number in _TEST_NAME.findall(text):
        yield f"{game.upper()}{chapter}.{number}"


def _group(file: str) -> str:
    for group, paths in GROUPS.items():
        if any(file == path or file.startswith(f"{path}/") for path in paths):
            return group
    raise ValueError(f"{file} is in no group; add it to GROUPS")


def is_test(mention: Mention) -> bool:
    """Returns whether a mention stands in a module of tests, not in what tests share."""
    return Path(mention.file).name.startswith("test_")


def index(chosen: Collection[str] = ()) -> str:
    """Returns the lines of the rules that are chosen, or of all."""
    mentions, lines = find_mentions(), []
    for rule, text in rules().items():
        if not chosen or rule in chosen:
            lines += [f"{rule} {_title(text)}", *_entries(mentions[rule])]
            if rule in NOT_IN_BOTH_ENGINES:
                lines.append(f"  note: {NOT_IN_BOTH_ENGINES[rule]}")
    return "\n".join(lines)


def _title(text: str) -> str:
    """Returns a rule's first sentence, cut to a line."""
    plain = re.sub(r"\*\*|`", "", text)
    sentence = re.split(r"(?<=[^.\d])[.:](?: |$)", plain, maxsplit=1)[0]
    if len(sentence) <= _TITLE_LENGTH:
        return sentence
    return sentence[:_TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(",;(") + " ..."


def _entries(mentions: Iterable[Mention]) -> Iterator[str]:
    """Yields one line for each group and file."""
    order = list(GROUPS)
    for group, file in sorted({(order.index(m.group), m.file) for m in mentions}):
        names = sorted({m.name for m in mentions if m.file == file and m.name})
        yield f"  {order[group]}: {file}" + (f": {', '.join(_shown(names))}" if names else "")


def _shown(names: list[str]) -> Iterator[str]:
    """Yields names; the tests that a rule's number names are shown as one pattern."""
    numbered = [name for name in names if _TEST_NAME.match(name)]
    for prefix in sorted({_TEST_NAME.match(name)[0] for name in numbered}):  # type: ignore[index]
        yield f"{prefix}* ({sum(name.startswith(prefix) for name in numbered)})"
    yield from (name for name in names if name not in numbered)


if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - rules().keys()
    if unknown:
        sys.exit(f"no rule {', '.join(sorted(unknown))} is in docs/rules*.md")
    print(index(sys.argv[1:]))
