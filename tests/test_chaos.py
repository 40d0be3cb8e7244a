"""Faults under programs that write files, a few of each (tools/chaos.py runs a hundred)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import parts

TOOL = Path(__file__).parent.parent / "tools" / "chaos.py"
IN_TWO = ("tournament in two processes",)


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")
@pytest.mark.parametrize(
    ("faults", "cases"), [(("SIGKILL", "full disk"), parts.PROGRAMS), (("worker killed",), IN_TWO)]
)
def test_faults_do_no_harm(faults, cases) -> None:
    command = [sys.executable, TOOL, "--runs", "1", "--faults", *faults, "--cases", *cases]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")][1:]
    found = [(case, fault.removeprefix("| "), harm) for fault, case, _, harm, _ in rows]
    assert found == [(case, fault, "0") for case in cases for fault in faults]


@pytest.mark.nightly  # importing the tool takes seconds
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the tool forks")
def test_a_night_has_every_fault_on_every_program() -> None:
    from tools.chaos import CASES, FAULTS

    assert {*CASES} == {*parts.PROGRAMS, *parts.IN_TWO}
    assert {name for name, case in CASES.items() if case.processes != "1"} == {*parts.IN_TWO}
    assert (*FAULTS,) == parts.FAULTS
