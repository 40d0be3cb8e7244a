"""The earlier places of modules, which still work for those who import from them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def names_of(module: str, before: str) -> Callable[[str], Any]:
    """Returns the `__getattr__` of a module that has moved, which warns.

    Args:
        module: the whole name of its present place.
        before: that of its earlier one.
    """

    def get(name: str) -> Any:
        found = getattr(import_module(module), name)
        if not name.startswith("__"):
            warnings.warn(f"{before} is now {module}", DeprecationWarning, stacklevel=2)
        return found

    return get
