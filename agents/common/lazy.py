"""Packages whose public names are imported on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from .extras import extra_needed


def lazy_names(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns a package's `__getattr__`, which imports a public name from its module.

    So the import of the package, or of one of its commands, needs none of the extras, and takes no
    time.

    Args:
        package: the package's `__name__`.
        places: each public name's module, relative to the package.
    """

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with extra_needed():
            found = getattr(import_module(places[name], package), name)
        setattr(sys.modules[package], name, found)
        return found

    return get
