"""examples/first_ppo.py runs both of its tasks, and learns."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).parent.parent / "examples" / "first_ppo.py"
SMALL = {"NUM_ENVS": 4, "NUM_STEPS": 6, "EPOCHS": 1, "WIDTH": 8}


def run(task: str, **values: object) -> None:
    """Runs a task with other values of constants."""
    names: dict[str, Any] = runpy.run_path(str(PATH))
    main = names["main"]
    main.__globals__.update(values)
    main(task)


@pytest.mark.parametrize(
    ("task", "last"),
    [
        ("tuscany", r"240 turns: wins \d+% of games against greedy"),
        ("mini-a2", r"240 turns: loses \d+\.\d\d points to a best response"),
    ],
)
def test_both_tasks_run(task: str, last: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(task, **SMALL, UPDATES=dict.fromkeys(("random", "greedy", "mini-a2"), 10))
    assert re.search(last, capsys.readouterr().out.splitlines()[-1])


@pytest.mark.nightly
def test_it_comes_close_to_the_solution_of_a_small_edition(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A uniformly random policy loses 13.13 points (docs/solve.md)."""
    run("mini-a2", UPDATES={"mini-a2": 30})
    lost = re.findall(r"loses ([\d.]+)", capsys.readouterr().out)
    assert float(lost[-1]) < 5
