"""`gonzaga speedrun`: a run passes if its agent beats planners; its processes' seconds count."""

import sys
from pathlib import Path

import gonzaga_agents
import pytest
from gonzaga_agents.commands.speedrun import main

from gonzaga_env.kernel.errors import OptionError

SHIPPED = Path(gonzaga_agents.__file__).parent / "policies" / "signorie" / "linear_2.json"
SIGNORIE = ("--game", "signorie", "--players", "2")


@pytest.fixture(autouse=True)
def one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonzaga_agents.commands.speedrun._RUNS", 1)


@pytest.fixture
def training(tmp_path: Path) -> str:
    """Returns a command that burns some CPU seconds and leaves the shipped weights."""
    (script := tmp_path / "train.py").write_text(
        "import pathlib, shutil, sys, time\n"
        "seed, out = sys.argv[sys.argv.index('--seed') + 1], pathlib.Path(sys.argv[-1])\n"
        "out.mkdir(parents=True)\n"
        f"shutil.copy({str(SHIPPED)!r}, out)\n"
        "while time.process_time() < 1:\n"
        "    pass\n"
    )
    return f"{sys.executable} {script}"


def test_a_better_agent_passes_as_soon_as_it_is_decided(
    training: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([training, *SIGNORIE]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.endswith("deals: passed")
    assert int(first.split()[-3]) <= 50
    assert last.startswith("mean ")
    assert 1 <= float(last.split()[1]) < 20


def test_an_agent_that_is_not_better_sets_no_record(
    training: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gonzaga_agents.commands.speedrun._MOST_DEALS", 1)
    monkeypatch.setattr("gonzaga_agents.commands.speedrun._DEALS_AT_ONCE", 1)
    assert main([training, *SIGNORIE]) == 2
    assert capsys.readouterr().out.endswith("; no record, since not all runs passed\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["./nothere"], "No such file"),
        (["false"], "exit code 1"),
        ([""], "takes a training"),
        (["true 'a"], "No closing quotation"),
    ],
)
def test_commands_that_train_nothing_are_named(words: list[str], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        main(words)
