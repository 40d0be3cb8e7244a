"""Faults under programs that write files, a few of each (tools/chaos.py runs a hundred)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "chaos.py"
FAULTS = ["SIGKILL", "full disk", "damaged file", "two writers", "read-only folder"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")
@pytest.mark.parametrize(
    ("case", "faults"),
    [
        ("evaluation", FAULTS[:4]),
        ("tournament", FAULTS[:3]),
        ("browser table", FAULTS),
        ("training", ["SIGKILL", "full disk"]),  # the others: agents/training/test_faults.py
    ],
)
def test_no_fault_does_harm(case: str, faults: list[str]) -> None:
    command = [sys.executable, TOOL, "--runs", "1", "--cases", case, "--faults", *faults]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")][1:]
    assert [row[0].removeprefix("| ") for row in rows] == faults
    assert {tuple(row[1:4]) for row in rows} == {(case, "1", "0")}
