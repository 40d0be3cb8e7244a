"""The promised names are those of `public.txt`; `python -m tests.test_public` writes it anew."""

from importlib import import_module
from inspect import getdoc, isfunction
from pathlib import Path

import pytest

from gonzaga_env import core, gonzaga

FILE = Path(__file__).parent / "public.txt"
MODULES = {  # and the package that each takes beyond those of the plain install
    "gonzaga_agents": None,
    "gonzaga_env": None,
    "gonzaga_env.core": None,
    "gonzaga_env.envs.castles_of_tuscany_v0": None,
    "gonzaga_env.envs.gonzaga_generated_v0": None,
    "gonzaga_env.envs.gonzaga_v0": None,
    "gonzaga_env.envs.sb3": "stable_baselines3",
    "gonzaga_env.envs.signorie_v0": None,
    "gonzaga_env.envs.torchrl": "torchrl",
    "gonzaga_env.signorie": None,
    "gonzaga_env.text": None,
    "gonzaga_env.tuscany": None,
}


def promised() -> dict[str, list[str]]:
    """Returns the names of the file by module."""
    found: dict[str, list[str]] = {module: [] for module in MODULES}
    for line in FILE.read_text("utf-8").splitlines():
        module, _, name = line.rpartition(".")
        found[module].append(name)
    return found


@pytest.mark.parametrize(("module", "package"), MODULES.items(), ids=MODULES)
def test_modules_have_the_promised_names(module: str, package: str | None) -> None:
    if package:
        pytest.importorskip(package)
    names = import_module(module).__all__
    assert sorted(names) == sorted(promised()[module])
    assert all(hasattr(import_module(module), name) for name in names)


@pytest.mark.parametrize(("module", "package"), MODULES.items(), ids=MODULES)
def test_promised_names_are_described(module: str, package: str | None) -> None:
    if package:
        pytest.importorskip(package)
    things = {name: getattr(import_module(module), name) for name in promised()[module]}
    for name, thing in [*things.items()]:
        if isinstance(thing, type):
            ours = (vars(base) for base in thing.__mro__ if "gonzaga" in base.__module__)
            own = {each.__name__ for base in ours for each in base.values() if isfunction(each)}
            things |= {f"{name}.{each}": getattr(thing, each, 0) for each in own if each[0] != "_"}
    described = (one for one in things.items() if callable(one[1]))
    assert [name for name, thing in described if not getdoc(thing)] == []


def test_few_names_are_promised() -> None:
    assert len(FILE.read_text("utf-8").splitlines()) <= 400


def test_gonzaga_is_core_by_another_name() -> None:
    assert gonzaga.__all__ == core.__all__
    assert all(getattr(gonzaga, name) is getattr(core, name) for name in core.__all__)


if __name__ == "__main__":
    kept, lines = promised(), []
    for module in MODULES:
        try:
            names = import_module(module).__all__
        except ImportError:  # an extra is not here
            names = kept[module]
        lines += [f"{module}.{name}" for name in sorted(names)]
    FILE.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"wrote {len(lines)} names to {FILE}")
