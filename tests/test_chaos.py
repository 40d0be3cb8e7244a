"""Faults under programs that write files, a few of each (tools/chaos.py runs a hundred)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "chaos.py"
FAULTS = ("SIGKILL", "full disk")
CASES = ("training", "evaluation", "tournament", "browser table")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")
def test_kills_and_full_disks_do_no_harm() -> None:
    command = [sys.executable, TOOL, "--runs", "1", "--faults", *FAULTS, "--cases", *CASES]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")][1:]
    found = [(case, fault.removeprefix("| "), harm) for fault, case, _, harm, _ in rows]
    assert found == [(case, fault, "0") for case in CASES for fault in FAULTS]
