"""Weights & Biases beside TensorBoard: against a stand-in, and offline where it is installed."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gonzaga_agents.training.command import train
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.reports.tracking import writers

from gonzaga_env.tabletop.errors import OptionError
from tests.agents.training.toys import TOY


class Tracker:
    """What `wandb.init` returns: keeps what it is told."""

    def __init__(self, **options: Any) -> None:
        self.options, self.id = options, options.get("id") or "abc"
        self.logged: list[dict[str, Any]] = []
        self.finished = False

    def define_metric(self, name: str, step_metric: str) -> None:
        assert (name, step_metric) == ("*", "turns")

    def log(self, values: dict[str, Any]) -> None:
        self.logged.append(values)

    def finish(self) -> None:
        self.finished = True


class WandbError(Exception):
    pass


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Tracker]:
    """Replaces wandb; returns the runs that it starts."""
    runs: list[Tracker] = []

    def init(**options: Any) -> Tracker:
        runs.append(Tracker(**options))
        return runs[-1]

    settings = SimpleNamespace
    fake = SimpleNamespace(
        init=init, Settings=settings, Image=str, errors=SimpleNamespace(Error=WandbError)
    )
    monkeypatch.setitem(sys.modules, "wandb", fake)
    return runs


def test_a_training_sends_what_tensorboard_shows(tmp_path: Path, started: list[Tracker]) -> None:
    arguments = replace(
        TOY, out=tmp_path / "run", track="wandb", eval_deals=1, eval_against="random"
    )
    assert train(arguments) == 0
    (run,) = started
    assert run.finished
    assert run.options["name"] == "run"
    assert "id" not in run.options
    assert run.options["config"]["num_games"] == 4
    assert run.options["settings"].disable_git
    assert run.logged[0]["turns"] == 0
    assert "eval/random_win_share" in run.logged[0]
    assert run.logged[1]["turns"] == 64
    assert "train/loss" in run.logged[1] or "train/value_loss" in run.logged[1]
    assert run.logged[-1] == {"curve": str(tmp_path / "run" / "curve.png")}
    again = replace(arguments, timesteps=128, resume=True)
    assert train(again) == 0
    assert (started[1].options["id"], started[1].options["resume"]) == ("abc", "allow")


def test_curves_of_finished_runs_are_sent(tmp_path: Path, started: list[Tracker], command) -> None:
    points = [{"turns": 9, "seconds": 36.0, "against": {"greedy": [0.5, 0.25, 0.75]}}]
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "curve.json").write_text(json.dumps(points))
    words = ["compare", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "c.png"]
    assert command(*words)[0] == 0
    assert not started, "nothing is sent unless asked for"
    assert command(*words, "--track", "wandb")[0] == 0
    assert [run.options["name"] for run in started] == ["a", "b"]
    assert started[0].logged == [
        {
            "turns": 9,
            "hours": 0.01,
            "against/greedy/win_share": 0.5,
            "against/greedy/low": 0.25,
            "against/greedy/high": 0.75,
        },
        {"curve": str(tmp_path / "c.png")},
    ]


def test_nothing_is_sent_by_default(tmp_path: Path, started: list[Tracker]) -> None:
    assert Arguments().track == "none"
    assert writers("none", tmp_path, {}) == []
    assert not started


@pytest.mark.parametrize("error", [WandbError, ValueError])
def test_what_wandb_refuses_is_one_line(
    error: type[Exception],
    tmp_path: Path,
    started: list[Tracker],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**options: Any) -> None:
        raise error("no API key\nconfigured" + 1000 * "!")

    monkeypatch.setattr(sys.modules["wandb"], "init", refuse)
    with pytest.raises(OptionError, match=r"^wandb: no API key configured!+; run `wandb ") as found:
        writers("wandb", tmp_path, {})
    assert len(str(found.value)) < 300
    assert not [*tmp_path.iterdir()]


def test_the_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "gonzaga-env\[wandb\]"'):
        writers("wandb", tmp_path, {})


@pytest.mark.skipif(find_spec("wandb") is None, reason="wandb is not installed")
def test_wandb_itself_writes_offline(tmp_path: Path) -> None:
    code = f"""
from pathlib import Path
from gonzaga_agents.training.reports.tracking import writers
for turns in (1, 2):
    (writer,) = writers("wandb", Path({str(tmp_path)!r}), {{"seed": 0}})
    writer.write({{"eval/greedy_win_share": 0.5}}, {{}}, turns)
    writer.close()
"""
    offline = {**os.environ, "WANDB_MODE": "offline", "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=offline, check=True, timeout=120)
    identity = (tmp_path / "wandb" / "run_id").read_text()
    both = [*(tmp_path / "wandb").glob("offline-run-*/*.wandb")]
    assert len(both) == 2
    assert {path.stem for path in both} == {f"run-{identity}"}
