"""What was public in the last minor version is still there, or warns: docs/promises.md.

`public.txt` holds a line for each name with its arguments, and each command with its options.
After a release of a new minor version, `python -m tests.test_kept` writes it anew.
"""

from __future__ import annotations

import inspect
import io
import re
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import gonzaga_env
from gonzaga_env.commands import command_parser
from gonzaga_env.version import __version__
from tests.docs.commands import run
from tests.test_promises import listed

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests/public.txt"
HEAD = "# public in "
OWN = "gonzaga_env", "gonzaga_agents", "gonzaga_table"
Parts = dict[str, list[str]]


def names() -> Parts:
    """Returns the arguments of public names and members; [] for what cannot be called."""
    found: Parts = {}
    for module, public in listed().items():
        with suppress(ImportError), warnings.catch_warnings():  # it may take an extra
            warnings.simplefilter("ignore")
            for name in public:
                value = getattr(import_module(module), name)
                found[f"{module}.{name}"] = arguments(value)
                for key in members(value) if inspect.isclass(value) else ():
                    found[f"{module}.{name}.{key}"] = arguments(getattr(value, key, None))
    return found


def members(kind: type) -> Iterator[str]:
    for base in kind.__mro__:
        if base.__module__.startswith(OWN):
            both = {**vars(base), **vars(base).get("__annotations__", {})}
            yield from (key for key in both if not key.startswith("_"))


def arguments(value: Any) -> list[str]:
    """Returns what a function takes: `name`, `name=` with a default, `*name=` by name only."""
    try:
        given = inspect.signature(value).parameters.values() if callable(value) else ()
    except ValueError:  # it is not written in Python
        given = ()
    return [
        "*" * (one.kind is one.KEYWORD_ONLY) + one.name + "=" * (one.default is not one.empty)
        for one in given
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.name != "self"
    ]


def commands() -> Parts:
    """Returns the options of each command."""
    found = dict(within("python -m gonzaga_env", command_parser()))
    for line in said(["python", "-m", "gonzaga_agents"]).splitlines():
        if shown := re.match(r"gonzaga-\S+( --\S+)?|python -m gonzaga_agents\S*( bot)?", line):
            found |= dict(options(shown[0].split()))
    return found


def options(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    name, text = " ".join(words), said([*words, "--help"])
    verbs = re.findall(rf"^(?:usage: |       )?{re.escape(name)} ([a-z]+) ", text, re.MULTILINE)
    if text.startswith(f"usage: {name} [-h]") or not verbs:
        yield name, flags(text)
    else:
        for verb in dict.fromkeys(verbs):
            yield from options([*words, verb])


def within(name: str, parser: Any) -> Iterator[tuple[str, list[str]]]:
    yield name, flags(parser.format_help())
    for action in parser._actions:
        for word, inner in action.choices.items() if isinstance(action.choices, dict) else ():
            yield from within(f"{name} {word}", inner)


def said(words: list[str]) -> str:
    with redirect_stdout(text := io.StringIO()):
        run(words)
    return text.getvalue()


def flags(text: str) -> list[str]:
    return sorted({*re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)} - {"--help"})


def kept() -> Parts:
    lines = FILE.read_text().splitlines()[1:]
    pairs = (line.partition(":")[::2] for line in lines)
    return {name: rest.split() for name, rest in pairs}


def is_command(name: str) -> bool:
    return name.startswith(("gonzaga-", "python "))


def lost(before: list[str], now: list[str]) -> set[str]:
    """Returns the arguments or options that cannot be given as before, and those needed now."""
    gone = {word for word in before if bare(word) not in map(bare, now)}
    if any(word.startswith("--") for word in [*before, *now]):
        return gone
    by_place = [[bare(word) for word in words if word[0] != "*"] for words in (before, now)]
    if by_place[1][: len(by_place[0])] != by_place[0]:
        gone |= {word for word in before if word[0] != "*"}
    free = {bare(word) for word in now if word.endswith("=")}
    needed = {bare(word) for word in before if not word.endswith("=")}
    return gone | {word for word in now if bare(word) not in free | needed}


def bare(word: str) -> str:
    return word.lstrip("*").rstrip("=")


def is_excused(name: str) -> bool:
    """Returns whether a missing name takes an extra that is not here, or still works and warns."""
    parts, found, held = name.split("."), 0, None
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            for found in range(len(parts)):
                held = import_module(".".join(parts[: found + 1]))
            found += 1
        except ImportError as error:
            if not str(error.name).startswith(OWN):
                return True
        try:
            for part in parts[found:]:
                held = getattr(held, part)
        except AttributeError:
            return False
    return any(issubclass(one.category, DeprecationWarning) for one in told)


@pytest.mark.parametrize("now", [names, commands])
def test_what_was_public_is_kept(now) -> None:
    found, faults = now(), {}
    for name, before in kept().items():
        if is_command(name) == (now is commands):
            if name in found:
                faults[name] = lost(before, found[name])
            elif is_command(name) or not is_excused(name):
                faults[name] = {"all of it"}
    assert {name: gone for name, gone in faults.items() if gone} == {}


def test_what_is_missing_is_excused_by_an_extra_or_a_warning(monkeypatch) -> None:
    assert not is_excused("gonzaga_env.NoSuchName")
    assert not is_excused("gonzaga_env.Engine.no_such_method")
    assert not is_excused("gonzaga_env.no_such_room.Name")

    def of_old(name: str) -> int:
        if name != "OldName":
            raise AttributeError(name)
        warnings.warn("take NewName", DeprecationWarning, stacklevel=2)
        return 1

    monkeypatch.setattr(gonzaga_env, "__getattr__", of_old, raising=False)
    assert is_excused("gonzaga_env.OldName")


def test_what_is_lost_is_told() -> None:
    assert lost(["a", "b=", "*c="], ["a", "b=", "d=", "*c="]) == set()
    assert lost(["a", "b="], ["b=", "a"]) == {"a", "b="}
    assert lost(["a"], ["a", "b"]) == {"b"}
    assert lost(["a", "b="], ["a", "b"]) == {"b"}
    assert lost(["a", "b="], ["a", "*b="]) == {"a", "b="}
    assert lost(["a", "*c="], ["a"]) == {"*c="}
    assert lost(["--out", "--seed"], ["--new", "--out"]) == {"--seed"}


def test_the_list_is_of_this_minor_version_or_the_last() -> None:
    versions = re.findall(r"^## (\d+\.\d+)\.", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    of = FILE.read_text().splitlines()[0].removeprefix(HEAD)
    assert of in [*dict.fromkeys(versions)][:2]


if __name__ == "__main__":
    version = __version__.rpartition(".")[0]
    parts = sorted((names() | commands()).items())
    lines = (f"{name}: {' '.join(words)}".rstrip() for name, words in parts)
    FILE.write_text("\n".join([HEAD + version, *lines]) + "\n")
    print(f"wrote {len(parts)} lines to {FILE}")
