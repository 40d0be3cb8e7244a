"""The mutants of `tools/mutate.py`: they change the code, and a test that fails kills them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutants import ROOT, Mutant, mutants_of
from tools.mutate import TARGETS, read_results, table

REWARDS = "gonzaga_env/tabletop/rewards.py"
TEST = "tests/core/rules/test_rewards.py::test_outcomes_add_up_to_zero_whoever_wins[engine-2]"


@pytest.mark.parametrize("file", TARGETS)
def test_every_mutant_is_a_changed_module(file: str) -> None:
    original = (ROOT / file).read_text("utf-8")
    mutants = mutants_of(file)
    assert len(mutants) > 20
    sources = [mutant.source() for mutant in mutants[::9]]
    assert original not in sources
    for source in sources:
        compile(source, file, "exec")
        assert source.count("\n") == original.count("\n")


RUN = """
import sys
from tools import mutate
from tools.mutants import Mutant
mutate.BATCH_TESTS = [["tests/core/board/test_bits.py"], ["{test}"]]
for after in ("won / won", "2 * won / won", "(exec('while 1: 0'), won)[1] / won"):
    mutant = Mutant("{file}", {line}, {column}, "operator", "won / won", after)
    result = mutate.run(mutant, 8)
    print(result["verdict"], result["test"])
"""


@pytest.mark.nightly
def test_a_failing_test_kills_and_others_do_not() -> None:
    """In another process, because mutants take the place of modules not yet imported."""
    lines = (ROOT / REWARDS).read_text("utf-8").splitlines()
    line = next(i for i, text in enumerate(lines) if "return won / won.sum" in text)
    column = lines[line].index("won / won")
    script = RUN.format(test=TEST, file=REWARDS, line=line + 1, column=column)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wanted = ["survived ", f"killed {TEST}", "timeout "]
    assert done.stdout.splitlines() == wanted


def test_results_go_on_after_a_line_that_was_cut(tmp_path: Path) -> None:
    file, mutant = tmp_path / "mutants.jsonl", mutants_of(REWARDS)[0]
    fields = {name: getattr(mutant, name) for name in Mutant.__dataclass_fields__}
    result = {**fields, "verdict": "killed", "test": "some", "seconds": 1.0}
    file.write_text(json.dumps(result) + "\n" + json.dumps(result)[:20], "utf-8")
    assert read_results(file) == {mutant: result}
    assert table([result]).splitlines()[-1] == "| all | 1 | 1 | 0 | 0 |"
