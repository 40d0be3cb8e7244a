"""The structure: direction of imports, no circles, packages, names and versions."""

import ast
import importlib
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import gonzaga_env

ROOT = Path(__file__).parent.parent
INSTALLED = {"gonzaga_env": "gonzaga_env", "agents": "gonzaga_agents", "table": "gonzaga_table"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# From the lowest to the highest: a module imports from its own room and from earlier lines; rooms
# on one line are siblings. A room is a module, or a folder with all modules in it; the deepest
# match counts.
ROOMS = """
gonzaga_env.version gonzaga_env.extras gonzaga_env.progress gonzaga_env.intervals
gonzaga_env.kernel
gonzaga_env.core gonzaga_env.tuscany gonzaga_env.signorie
gonzaga_env.gonzaga gonzaga_env.games
gonzaga_env.text
gonzaga_env.render gonzaga_env.stats
gonzaga_env.envs
gonzaga_env.command_line gonzaga_env.show
gonzaga_env.commands
gonzaga_env.cli
gonzaga_env.__main__ gonzaga_env
gonzaga_agents.arrays gonzaga_agents.locks gonzaga_agents.processes
gonzaga_agents.executors gonzaga_agents.statistics
gonzaga_agents.agent
gonzaga_agents.heuristics
gonzaga_agents.network
gonzaga_agents.search
gonzaga_agents.outside
gonzaga_agents.solve
gonzaga_agents.registry
gonzaga_agents.play
gonzaga_agents.outside.bots gonzaga_agents.outside.mcp_server
gonzaga_agents.analysis gonzaga_agents.data gonzaga_agents.training
gonzaga_agents.commands
gonzaga_agents
gonzaga_table
"""
ORDER = {name: number for number, line in enumerate(ROOMS.split("\n")) for name in line.split()}


def module_of(path: Path) -> str:
    """Returns the installed name of a file's module."""
    top, *rest = path.relative_to(ROOT).with_suffix("").parts
    return ".".join([INSTALLED[top], *rest]).removesuffix(".__init__")


SOURCES = {module_of(path): path for top in INSTALLED for path in (ROOT / top).rglob("*.py")}


def room(module: str) -> str:
    """Returns a module's room; modules of `gonzaga_env` itself are named one by one."""
    found = [name for name in ORDER if f"{module}.".startswith(f"{name}.")]
    assert found, f"{module} is in no room; add it to the list"
    return max(found, key=len)


@cache
def imports(module: str) -> list[str]:
    """Returns the names that a module imports anywhere: modules, or names in them."""
    path, found = SOURCES[module], []
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found += [f"{base}.{alias.name}" for alias in node.names]
    return found


def own_imports(module: str) -> set[str]:
    """Returns the modules of this project that a module imports anywhere."""
    found = set()
    for name in imports(module):
        found |= {name} & SOURCES.keys() or {name.rpartition(".")[0]} & SOURCES.keys()
    return found - {module}


def test_imports_flow_one_way() -> None:
    pairs = ((module, imported) for module in SOURCES for imported in own_imports(module))
    for module, imported in pairs:
        own, other = room(module), room(imported)
        assert own == other or ORDER[other] < ORDER[own], f"{module} imports {imported}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {module: own_imports(module) for module in SOURCES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_libraries_stay_where_they_belong() -> None:
    models = "gonzaga_env.envs.opponents", "gonzaga_env.envs.sb3"  # of Stable-Baselines3
    for module in SOURCES:
        tops = {name.split(".")[0] for name in imports(module)}
        if module.startswith("gonzaga_env") and module not in models:
            assert not tops & {"torch", "stable_baselines3"}, module
        if {"core", "kernel", "tuscany", "signorie"} & {*module.split(".")[1:2]}:
            assert not tops & {"gymnasium", "pettingzoo", "time", "random", "PIL"}, module


def test_packages_import_each_other_by_their_installed_names() -> None:
    for module in SOURCES:
        assert not {name.split(".")[0] for name in imports(module)} & {"agents", "table"}, module


def test_all_folders_are_packaged() -> None:
    folders = {module for module, path in SOURCES.items() if path.name == "__init__.py"}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders


def test_all_lists_are_sorted_and_complete() -> None:
    public = ("gonzaga_env", "gonzaga_env.core", "gonzaga_env.envs.gonzaga_v0", "gonzaga_agents")
    for name in (*public, "gonzaga_env.tuscany", "gonzaga_env.signorie"):
        module = importlib.import_module(name)
        assert module.__all__ == sorted(module.__all__)
        assert all(hasattr(module, public) for public in module.__all__)


def test_the_changelog_has_this_version() -> None:
    version = gonzaga_env.__version__.partition(".dev")[0]
    assert f"## {version} (" in (ROOT / "CHANGELOG.md").read_text()


def test_heavy_dependencies_are_extras() -> None:
    base = {name.split(">")[0] for name in PROJECT["project"]["dependencies"]}
    assert base == {"gymnasium", "numpy", "pettingzoo", "tyro"}


def test_torch_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert any(line.split("#")[0].strip() == "torch==2.13.0" for line in lines)
