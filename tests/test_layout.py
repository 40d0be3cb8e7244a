"""The structure: which way imports flow, what is packaged, names and versions."""

from __future__ import annotations

import ast
import importlib
import tomllib
from pathlib import Path

import pytest

import gonzaga_env

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# From the rules' data up to the doors; a module imports what stands before it in the list.
LAYERS = [
    ["core.errors", "core.geometry", "core.rules", "core.files", "version"],
    ["core.edition", "core.edition_schema", "core.bits", "core.rows"],
    ["core.actions"],
    ["core.notation"],
    ["core.placements"],
    ["core.legal_sets"],
    ["core.validate_board", "core.validate_cards", "core.validate_fiefs", "core.validate"],
    ["core.edition_files"],
    ["core.tables"],
    ["core.state"],
    ["core.legal", "core.scoring", "core.deals"],
    ["core.look"],
    ["core.transitions", "core.rewards", "core.resample", "core.observation", "core.explain"],
    ["core.views"],
    ["core.known"],
    ["core.single_tables", "core.single_panel"],
    ["core.single_truth"],
    ["core.single"],
    ["core.single_state"],
    ["core.arguments"],
    ["core.engine"],
    ["core.single_engine"],
    ["core.records", "core"],
    ["render"],
    ["envs"],
    ["", "__main__"],
]


def layer(module: str) -> int:
    """Returns where a module of gonzaga_env (named without it) stands."""
    names = [module.removeprefix("gonzaga_env").removeprefix(".")]
    names.append(names[0].split(".")[0])  # all of render, all of envs
    for name in names:
        for number, modules in enumerate(LAYERS):
            if name in modules:
                return number
    raise AssertionError(f"{module} stands in no layer; give it its place in LAYERS")


def imports(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def module_file(name: str) -> str | None:
    """Returns the module that an imported name is, or lies in; None outside gonzaga_env."""
    parts = name.split(".")
    while parts and parts[0] == "gonzaga_env":
        path = ROOT.joinpath(*parts)
        if path.with_suffix(".py").exists() or (path / "__init__.py").exists():
            return ".".join(parts)
        parts.pop()
    return None


SOURCES = sorted((ROOT / "gonzaga_env").rglob("*.py"))
NAMES = [str(path.relative_to(ROOT)) for path in SOURCES]


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_imports_flow_one_way(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for imported in filter(None, map(module_file, imports(path))):
        if imported != name:
            assert layer(imported) <= layer(name), f"{name} imports {imported}"


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_libraries_stay_where_they_belong(path: Path) -> None:
    tops = {name.split(".")[0] for name in imports(path)}
    assert not tops & {"torch", "stable_baselines3", "agents", "gonzaga_agents"}
    if path.parent.name == "core":
        assert not tops & {"gymnasium", "pettingzoo", "time", "random", "PIL"}


def test_agents_are_imported_by_their_installed_name_or_relatively() -> None:
    for path in (ROOT / "agents").rglob("*.py"):
        tops = {name.split(".")[0] for name in imports(path)}
        assert not tops & {"agents", "gonzaga_agents"}, path


def test_all_folders_are_packaged() -> None:
    folders = [
        path.parent.relative_to(ROOT).parts
        for top in ("gonzaga_env", "agents")
        for path in (ROOT / top).rglob("__init__.py")
    ]
    named = {".".join(("gonzaga_agents", *f[1:]) if f[0] == "agents" else f) for f in folders}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == named


def test_all_lists_are_sorted_and_true() -> None:
    for name in ("gonzaga_env", "gonzaga_env.core", "gonzaga_env.envs.gonzaga_v0"):
        module = importlib.import_module(name)
        assert module.__all__ == sorted(module.__all__)
        assert all(hasattr(module, public) for public in module.__all__)


def test_the_changelog_speaks_of_this_version() -> None:
    assert f"## {gonzaga_env.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_extras_hold_what_is_heavy() -> None:
    base = {name.split(">")[0] for name in PROJECT["project"]["dependencies"]}
    assert base == {"gymnasium", "numpy", "pettingzoo"}


def test_torch_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert any(line.split("#")[0].strip() == "torch==2.13.0" for line in lines)
