"""The structure: direction of imports, packages, names and versions."""

import ast
import importlib
import tomllib
from pathlib import Path

import pytest

import gonzaga_env

ROOT = Path(__file__).parent.parent
INSTALLED = {"gonzaga_env": "gonzaga_env", "agents": "gonzaga_agents", "table": "gonzaga_table"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def rooms_of(game: str, *first: str) -> list[list[str]]:
    """Returns the rooms of one of the newer games."""
    names = "constants", *first, "config", "state", "view", "base"
    last = [[f"{game}.batch", f"{game}.single"], [game]]  # siblings first
    return [*([f"{game}.{name}"] for name in names), *last]


# From the lowest layer to the highest: a module may import from its own room and earlier ones.
# A room is a module or a folder with all its modules; the deepest match counts.
ROOMS = [
    ["version"],
    ["extras", "progress"],
    ["tabletop.errors"],
    ["tabletop.bounded"],
    ["tabletop"],
    ["core.constants"],
    ["core.board"],
    ["core.editions"],
    ["core.config"],
    ["core.state"],
    ["core.observe"],
    ["core.view"],
    ["core.base"],
    ["core.batch", "core.single"],  # siblings: neither imports the other
    ["core.spec"],
    ["core"],
    ["gonzaga"],
    *rooms_of("tuscany", "board", "edition"),
    *rooms_of("signorie", "edition", "board"),
    ["games"],
    ["text"],
    ["render"],
    ["envs"],
    ["command_line"],
    ["show"],
    ["stats", "doctor", "edition"],
    ["cli"],
    ["", "__main__"],
]
AGENT_ROOMS = [
    ["common"],
    ["agent"],
    ["statistics"],
    ["network"],
    ["gonzaga", "tuscany", "signorie"],  # games: neither imports the other
    ["policies"],
    ["search"],
    ["gonzaga.search", "tuscany.search", "signorie.search"],
    ["outside"],
    ["registry"],
    ["units"],
    ["outside.episode", "evaluation"],
    ["outside.command", "outside.mcp"],
    ["solve"],
    ["tournament", "training", "analysis"],  # siblings
    ["dataset"],
    ["bench"],
    ["outside.model"],
    [""],
]


def room(module: str, rooms: list[list[str]]) -> tuple[int, str]:
    """Returns the number and name of a module's room; the module is named without its package."""
    found = [
        (number, name)
        for number, names in enumerate(rooms)
        for name in names
        if f"{module}.".startswith(f"{name}.") or module == name
    ]
    assert found, f"{module} is in no room; add it to the list"
    return max(found, key=lambda numbered: len(numbered[1]))


def may_import(module: str, imported: str, rooms: list[list[str]]) -> bool:
    own, other = room(module, rooms), room(imported, rooms)
    return own == other or other[0] < own[0]


def imports(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def module_file(name: str) -> str | None:
    """Returns the module of an imported name; None outside gonzaga_env."""
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
def test_imports_flow_one_way(path) -> None:
    name = short(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for imported in map(short, filter(None, map(module_file, imports(path)))):
        assert may_import(name, imported, ROOMS), f"{name} imports {imported}"


def short(module: str) -> str:
    """Returns the name of a module without `gonzaga_env.`."""
    return module.removesuffix(".__init__").removeprefix("gonzaga_env").removeprefix(".")


def relative_imports(path: Path) -> list[str]:
    """Returns the modules that a module of `agents` imports relatively, without `agents.`."""
    found, here = [], path.relative_to(ROOT / "agents").parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            parent = here[: len(here) - node.level]
            found.append(".".join((*parent, *(node.module or "").split("."))).strip("."))
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "agents").rglob("*.py")), ids=str)
def test_agents_import_one_way(path) -> None:
    name = ".".join(path.relative_to(ROOT / "agents").with_suffix("").parts)
    name = name.removesuffix("__init__").removesuffix(".")
    for imported in relative_imports(path):
        assert may_import(name, imported, AGENT_ROOMS), f"{name} imports {imported}"


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_libraries_stay_where_they_belong(path) -> None:
    tops = {name.split(".")[0] for name in imports(path)}
    forbidden = {"torch", "stable_baselines3", *INSTALLED, *INSTALLED.values()} - {"gonzaga_env"}
    if path.stem.startswith("sb3_"):  # imported late, by `envs.sb3` or for a model
        forbidden -= {"torch", "stable_baselines3"}
    assert not tops & forbidden
    if {"core", "tabletop", "tuscany", "signorie"} & {*path.relative_to(ROOT).parts}:
        assert not tops & {"gymnasium", "pettingzoo", "time", "random", "PIL"}


def test_packages_import_downwards_by_their_installed_names() -> None:
    for top, forbidden in (
        ("agents", {"gonzaga_agents", "gonzaga_table"}),
        ("table", {"gonzaga_table"}),
    ):
        for path in (ROOT / top).rglob("*.py"):
            tops = {name.split(".")[0] for name in imports(path)}
            assert not tops & {"agents", "table", *forbidden}, path


def test_all_folders_are_packaged() -> None:
    folders = [
        path.parent.relative_to(ROOT).parts
        for top in INSTALLED
        for path in (ROOT / top).rglob("__init__.py")
    ]
    named = {".".join((INSTALLED[f[0]], *f[1:])) for f in folders}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == named


def test_tests_mirror_the_rooms() -> None:
    tops = {path.name: path for path in (ROOT / "gonzaga_env").iterdir()}
    tops |= {"agents": ROOT / "agents", "table": ROOT / "table"}
    tops |= {"clients": ROOT / "tests/clients"}  # other libraries mirror no room
    tops |= {"models": ROOT / "tests/models"}
    tops |= {"docs": ROOT / "docs"}
    for path in (ROOT / "tests").rglob("test_*.py"):
        top, *rooms = path.parent.relative_to(ROOT / "tests").parts or [""]
        if (top, *rooms) != ("core", "rules"):  # rules.md, held against both engines
            room = tops[top].joinpath(*rooms) if top else ROOT
            assert room.is_dir() or room.with_suffix(".py").is_file(), path


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
