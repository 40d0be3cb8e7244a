"""What the tests of the libraries that use the environments share."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

ID = "gonzaga/Gonzaga-v0"

#: Libraries warn of themselves and of each other; what they do is tested, not what they say.
QUIET = pytest.mark.filterwarnings("ignore")


def need(library: str) -> Any:
    """Returns a library, or skips the module that calls this where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(
            library, reason=f"{library} is not installed (docs/clients.md says how)"
        )
