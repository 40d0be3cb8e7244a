"""Marks of cases that run nightly (docs/testing.md)."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def nightly(*cases: Any) -> list[Any]:
    """Returns cases of `parametrize`, a tuple for several arguments, that run nightly."""
    marked = (case if isinstance(case, tuple) else (case,) for case in cases)
    return [pytest.param(*case, marks=pytest.mark.nightly) for case in marked]


def some_nightly(cases: Iterable[Any], often: Callable[[Any], bool]) -> list[Any]:
    """Returns cases of which those that are not run `often` run nightly."""
    return [case if often(case) else nightly(case)[0] for case in cases]
