"""What a process does with memory that it has freed."""

from __future__ import annotations

import platform
import sys

import pytest
from gonzaga_agents.processes import keep_freed_memory


def test_it_is_kept_where_there_is_glibc() -> None:
    assert keep_freed_memory() == (platform.libc_ver()[0] == "glibc")


def test_other_systems_do_as_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not keep_freed_memory()
