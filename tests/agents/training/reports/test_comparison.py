"""Curves of several runs in one picture."""

from pathlib import Path

import pytest
from gonzaga_agents.training.reports import comparison
from gonzaga_agents.training.reports.comparison import compare
from gonzaga_agents.training.reports.curve import Curve, Point

from gonzaga_env.tabletop.errors import OptionError

PNG = b"\x89PNG"


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Two runs, the second with another opponent."""
    found = []
    for name, opponents in (("a", ("greedy",)), ("b", ("greedy", "planner"))):
        folder = tmp_path / name
        folder.mkdir()
        curve = Curve(folder, 4, done=0)
        for turns in (0, 1000):
            shares = dict.fromkeys(opponents, (0.2, 0.1, 0.3))
            curve.add(Point(turns, turns / 10, shares))
        found.append(folder)
    return found


def test_a_panel_for_each_opponent(runs: list[Path], command) -> None:
    out = runs[0].parent / "both.png"
    assert command("compare", *runs, "--out", out) == (0, f"wrote {out}\n", "")
    assert out.read_bytes().startswith(PNG)


def test_runs_of_the_same_name_are_told_apart(
    runs: list[Path], command, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, object] = {}
    monkeypatch.setattr(comparison, "compare", lambda curves, path: found.update(curves))
    inner = runs[0] / runs[1].name
    runs[1].rename(inner)
    other = inner.rename(runs[0] / runs[0].name)
    assert command("compare", runs[0], other)[0] == 0
    assert [*found] == [str(runs[0]), str(other)]


def test_runs_without_evaluations_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no evaluations"):
        compare({"a": [Point(0, 0.0, {})]}, tmp_path / "curves.png")
