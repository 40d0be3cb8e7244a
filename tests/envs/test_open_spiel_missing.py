"""Without OpenSpiel: what its absence costs."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from gonzaga_env.tabletop.errors import MissingPackageError


def test_a_hint_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "gonzaga_env.envs.open_spiel", raising=False)
    with pytest.raises(MissingPackageError, match=r'pip install "gonzaga-env\[open-spiel\]"'):
        importlib.import_module("gonzaga_env.envs.open_spiel")


def test_the_package_does_not_import_it() -> None:
    """Not even where it is installed."""
    code = "import gonzaga_env, sys; sys.exit('pyspiel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
