"""Optional packages: what to install when one is missing, and names that need them on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

_EXTRAS = {
    "PIL": "render",
    "matplotlib": "evaluate",
    "mcp": "models",
    "openai": "models",
    "pandas": "data",
    "pyarrow": "data",
    "ray": "ray",
    "sb3_contrib": "train",
    "scipy": "evaluate",
    "stable_baselines3": "train",
    "starlette": "web",
    "tensorboard": "train",
    "torch": "train",
    "uvicorn": "web",
}
_OTHERS = {"minari": '"minari[create,hdf5]" pillow'}
_OWN_PACKAGES = ("gonzaga_agents", "gonzaga_env", "gonzaga_table")


def install_hint(error: ModuleNotFoundError, extra: str | None = None) -> str | None:
    """Returns how to install the missing package; None if it is one of this project's.

    `extra` is what the command takes: the extra "train" brings "evaluate" along.
    """
    package = (error.name or "").partition(".")[0]
    if package in _OWN_PACKAGES:
        return None
    found = _EXTRAS.get(package)
    if extra is not None and found in ("evaluate", "train"):
        found = extra
    wanted = _OTHERS.get(package, package) if found is None else f'"gonzaga-env[{found}]"'
    return f"{package} is not installed; run: pip install {wanted}"


@contextmanager
def extra_needed() -> Iterator[None]:
    """Adds the hint to the ModuleNotFoundError of an import within."""
    try:
        yield
    except ModuleNotFoundError as error:
        hint = install_hint(error)
        if hint is None:
            raise
        raise ModuleNotFoundError(hint, name=error.name) from error


def import_matplotlib() -> None:
    """Imports matplotlib, which takes no settings from the current folder."""
    # It would read a `matplotlibrc` there, and settings can run programs.
    with chdir(Path(__file__).parent):
        import_module("matplotlib")


def lazy_names(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns a package's `__getattr__`, which imports a public name when it is first used.

    So importing the package takes no time and needs no extra. `places` has each name's module,
    relative to the package.
    """

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with extra_needed():
            found = getattr(import_module(places[name], package), name)
        setattr(sys.modules[package], name, found)
        return found

    return get
