"""Deprecated: the executors' earlier place; they are in `gonzaga_agents.units`."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    found = getattr(import_module("gonzaga_agents.units"), name)
    warnings.warn(f"{__name__} is now gonzaga_agents.units", DeprecationWarning, stacklevel=2)
    return found
