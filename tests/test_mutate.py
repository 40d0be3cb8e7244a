"""The mutants of `tools/mutate.py`: they change the code, and a test that fails kills them."""

import json
import subprocess
import sys

import pytest

from tools.mutants import ROOT, Mutant, mutants_of
from tools.mutate import GAMES, TARGETS, main, read_results, summary, table

REWARDS = "gonzaga_env/tabletop/rewards.py"
TEST = "tests/tabletop/test_rewards.py::test_outcomes_add_up_to_zero_whoever_wins[2]"


@pytest.mark.parametrize("file", TARGETS)
def test_every_mutant_is_a_changed_module(file) -> None:
    original = (ROOT / file).read_text("utf-8")
    mutants = mutants_of(file)
    assert len(mutants) > 10
    sources = [mutant.source() for mutant in mutants[::9]]
    assert original not in sources
    for source in sources:
        compile(source, file, "exec")
        assert source.count("\n") == original.count("\n")


RUN = """
from tools import mutate
from tools.mutants import Mutant
mutate.GAMES["gonzaga"].own.clear()
mutate.GAMES["gonzaga"].batch[:] = [["tests/core/board/test_bits.py"], ["{test}"]]
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


def test_results_go_on_after_a_line_that_was_cut(tmp_path) -> None:
    file, mutant = tmp_path / "mutants.jsonl", mutants_of(REWARDS)[0]
    fields = {name: getattr(mutant, name) for name in Mutant.__dataclass_fields__}
    result = {**fields, "verdict": "killed", "test": "some", "seconds": 1.0}
    file.write_text(json.dumps(result) + "\n" + json.dumps(result)[:20], "utf-8")
    assert read_results(file) == {mutant: result}
    assert table([result]).splitlines()[-1] == "| all | 1 | 1 | 0 | 0 |"
    survived = {**result, "verdict": "survived"}
    found = summary("gonzaga", 1234, [result, survived])
    assert found == "gonzaga: 1 of 2 ended (50.0%); 1,234 mutants in all"
    assert summary("gonzaga", 1234, []) == "gonzaga: 0 of 0 ended; 1,234 mutants in all"


def test_every_game_has_its_rules_and_tests() -> None:
    assert len(TARGETS) == sum(len(game.files) for game in GAMES.values())
    for game in GAMES.values():
        tests = [test for file in game.files for tests in game.tests_for(file) for test in tests]
        paths = {test.partition("::")[0] for test in tests if test.startswith("tests/")}
        assert all((ROOT / path).exists() for path in paths)


def test_a_module_of_another_game_is_refused(call) -> None:
    code, out, err = call(main, "--game", "tuscany", REWARDS)
    assert (code, out) == (2, "")
    assert err.startswith(f"mutate: {REWARDS} is not one of gonzaga_env/tuscany/batch/legal.py")
