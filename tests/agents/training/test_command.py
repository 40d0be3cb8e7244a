"""Training at toy budgets: the command line, seeds, resuming and interrupting."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.commands import train as command
from gonzaga_agents.commands.train import TrainOptions, setup_of
from gonzaga_agents.network.checkpoint import (
    LEARNING,
    OPTIMIZER,
    load_agent,
    read_description,
    read_tensors,
    read_weights,
)
from gonzaga_agents.training import run as run_module
from gonzaga_agents.training.progress import ProgressReport
from gonzaga_agents.training.setup import PRESETS
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from gonzaga_env.core import Engine, GameConfig
from tests.agents import own
from tests.agents.training.conftest import SIZES
from tests.agents.training.toys import stored
from tests.conftest import complaint_of
from tests.marks import nightly, some_nightly

DOOR = Path(__file__).parents[3] / "train.py"


def weights(out: Path) -> dict[str, torch.Tensor]:
    return read_weights(out / "checkpoint.zip")


def equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def arguments(**changes: Any) -> TrainOptions:
    return TrainOptions(**(SIZES | changes))


def scalars(out: Path) -> dict[str, list[float]]:
    """Returns what TensorBoard shows of a run."""
    log = EventAccumulator(str(out / "tensorboard"))
    log.Reload()
    return {tag: [event.value for event in log.Scalars(tag)] for tag in log.Tags()["scalars"]}


def test_it_trains_saves_and_evaluates(train, tmp_path: Path):
    out = tmp_path / "run"
    code, told, progress = train(out, eval_deals=1)
    assert code == 0
    assert "trained 128 turns" in told
    for name in ("random", "greedy", "planner"):
        assert f"1 x {name}" in told
    names = {"checkpoint.zip", "checkpoints", "curve.json", "curve.png", "games", "policy"}
    assert {path.name for path in out.iterdir()} == names | {"tensorboard"}
    numbers = ["0000000064", "0000000128"]
    assert sorted(path.stem for path in (out / "checkpoints").iterdir()) == numbers
    points = json.loads((out / "curve.json").read_text())
    assert [point["turns"] for point in points] == [0, 64, 128]
    assert load_agent(out, GameConfig(2)).name == "checkpoint:run"
    logged = scalars(out)
    assert len(logged["eval/greedy_win_share"]) == progress.count("not exploring") == 3
    assert all(speed > 0 for speed in logged["time/turns_per_second"])


@pytest.mark.parametrize(
    ("opponents", "reward"),
    [
        ("past,random", "outcome"),
        ("greedy,planner", "score"),
        *nightly(("", "margin")),
    ],
)
def test_any_mix_of_opponents_plays_for_any_reward(
    train, tmp_path: Path, opponents: str, reward: str
):
    mix = {"opponents": opponents, "self_play": 0.3}
    assert train(tmp_path, players=3, reward=reward, **mix)[0] == 0
    assert read_description(tmp_path / "checkpoint.zip")["reward"] == reward


def test_a_checkpoint_may_be_an_opponent_or_the_start(run, train, tmp_path: Path):
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    assert train(first)[0] == 0
    assert train(second, opponents=first)[0] == 0
    assert train(third, start=first, seed=3)[0] == 0
    assert not equal(weights(first), weights(third))
    setup = setup_of(arguments(out=third, start=str(first)))
    started = run_module.Run(setup, third, resume=False)
    assert equal(weights(first), started.ppo.policy.state_dict())
    assert (started.turns, started.seconds) == (0, 0.0)
    assert not started.ppo.optimizer.state_dict()["state"]
    shutil.rmtree(first)  # a resumed run needs its own checkpoint only
    assert run("--out", third, "--resume", "--timesteps", 192)[0] == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("learning_rate", 0), ("learning_rate", "nan"), ("entropy", -1)],
)
def test_what_a_run_does_not_take_is_one_line(train, tmp_path: Path, name: str, value: Any):
    assert name in complaint_of(train(tmp_path / "run", **{name: value}))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"opponents": "random,past"},
        *nightly(
            {"prior": "none"},
            {"prior": "none", "average": True, "entropy": 0.3},
        ),
    ],
)
def test_the_seed_alone_decides_the_policy(train, tmp_path: Path, monkeypatch, changes: Any):
    found = []
    for number, (cores, more) in enumerate(((1, {}), (2, {}), (1, {"seed": 8}))):
        monkeypatch.setattr(command, "num_cores", lambda cores=cores: cores)
        assert train(tmp_path / str(number), **changes, **more)[0] == 0
        found.append(weights(tmp_path / str(number)))
    assert equal(found[0], found[1])
    assert not equal(found[0], found[2])


def test_resuming_goes_on_with_the_same_arguments(run, train, tmp_path: Path):
    out = tmp_path / "run"
    toy: dict[str, Any] = {"reward": "score", "seed": 4, "opponents": "random"}
    assert train(out, **toy)[0] == 0
    before, seconds = weights(out), read_description(out / "checkpoint.zip")["seconds"]
    code, told, _ = run("--out", out, "--resume", "--timesteps", 192)
    assert code == 0
    assert "trained 204 turns" in told  # whole rollouts
    assert not equal(before, weights(out))
    assert read_description(out / "checkpoint.zip")["seconds"] > seconds > 0
    wanted = TrainOptions(out=out, timesteps=192, players=2, game="gonzaga", **toy)
    assert stored(out) == (wanted, {})


def test_the_mean_of_the_weights_plays_and_the_weights_go_on_learning(run, train, tmp_path: Path):
    plain, out = tmp_path / "plain", tmp_path / "mean"
    for folder, more in ((plain, {}), (out, {"average": True})):
        assert train(folder, prior="none", self_play=1, **more)[0] == 0
    path = out / "checkpoint.zip"
    assert equal(read_weights(path, LEARNING), weights(plain))
    assert not equal(weights(out), weights(plain))
    config = GameConfig(2)
    engine = Engine.from_config(config, 8, seed=1)
    seen = engine.observe(), engine.legal_action_mask()
    learner, found = (load_agent(folder, config).evaluate(*seen) for folder in (plain, out))
    assert not np.array_equal(learner.probabilities, found.probabilities)
    again = run_module.Run(setup_of(replace(stored(out)[0], timesteps=999)), out, resume=True)
    assert equal(again.ppo.mean.state_dict(), weights(out))
    assert equal(again.ppo.policy.state_dict(), weights(plain))
    for more in ((), ("--average",)):
        before = weights(out)
        turns = read_description(path)["timesteps"]
        assert run("--out", out, "--resume", "--timesteps", turns + 64, *more)[0] == 0
        assert not equal(weights(out), before)
        assert read_description(path)["arguments"]["average"] is True


FORMS = {
    "names": "greedy,random",
    "file": "mine.py:Last",
    "module": "tests.agents.own:Last",
    "program": f"cmd:{sys.executable} {DOOR.parent / 'examples/bots/random_bot.py'}",
    "folder": "first",
    "checkpoint": "first/checkpoint.zip",
    "absolute checkpoint": "{here}/first/checkpoint.zip",
    "policy of search": "search@4:first",
    "any edition": "any-edition:first",
    "exploited": "first",
}


SIMILAR = "module", "folder", "checkpoint", "absolute checkpoint", "any edition"  # to the others


@pytest.mark.parametrize("form", some_nightly(FORMS, lambda form: form not in SIMILAR))
def test_a_run_is_resumed_from_another_folder(
    run, train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
):
    """Agents of a checkpoint's choice are named again, as the complaint says; names alone go on."""
    monkeypatch.chdir(tmp_path)
    spec = FORMS[form].format(here=tmp_path)
    if "first" in spec:
        assert train("first", timesteps=64)[0] == 0
    (tmp_path / "mine.py").write_text(own.TEXT)
    option = "exploit" if form == "exploited" else "opponents"
    given = spec if form == "exploited" else f"past,{spec}"
    assert train("run", **{option: given})[0] == 0
    kept = read_description(Path("run/checkpoint.zip"))["arguments"][option]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    resume = ("--resume", "--out", "../run", "--timesteps", 192)
    if form != "names":
        complaint = complaint_of(run(*resume))
        assert f"the run's {option} is" in complaint
        assert f"give --{option} again" in complaint
        resume += (f"--{option}", kept)
    assert run(*resume)[0] == 0
    assert read_description(tmp_path / "run/checkpoint.zip")["timesteps"] >= 192
    assert read_description(tmp_path / "run/checkpoint.zip")["arguments"][option] == kept


@pytest.mark.parametrize("prior", ["planner", "none"])
def test_resuming_starts_from_the_saved_weights_and_optimizer(tmp_path: Path, prior: Any):
    first = arguments(out=tmp_path / "run", timesteps=64, prior=prior)
    assert command.train(first) == 0
    more = replace(first, timesteps=128)
    again = run_module.Run(setup_of(more), first.out, resume=True)
    assert again.turns == read_description(first.out / "checkpoint.zip")["timesteps"] >= 64
    assert again.seconds == read_description(first.out / "checkpoint.zip")["seconds"]
    assert equal(weights(first.out), again.ppo.policy.state_dict())
    saved = read_tensors(first.out / "checkpoint.zip", OPTIMIZER)["state"]
    state = again.ppo.optimizer.state_dict()["state"]
    assert saved.keys() == state.keys() != set()
    for index, moments in saved.items():
        assert state[index]["step"] == moments["step"] > 0
        assert torch.equal(state[index]["exp_avg"], moments["exp_avg"])


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_defaults_that_options_override(name: Any):
    preset = PRESETS[name]
    setup = setup_of(TrainOptions(preset=name))
    for field in fields(preset):
        value = getattr(preset, field.name)
        assert getattr(setup, field.name) == value
        if field.name in ("timesteps", "num_games", "eval_deals"):
            changed = setup_of(TrainOptions(preset=name, **{field.name: value + 8}))
            assert getattr(changed, field.name) == value + 8


def test_a_run_that_was_killed_before_its_first_checkpoint_starts_again(
    run, train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    out, killed = tmp_path / "run", SystemExit(137)

    def kill(_run: run_module.Run) -> None:
        raise killed

    with monkeypatch.context() as patch:
        patch.setattr(run_module.Run, "_update", kill)
        assert train(out, eval_deals=1)[0] == 137
    (out / ".lock").write_text("process 1")  # as SIGKILL leaves it
    (out / "checkpoints").mkdir()
    (out / "checkpoints" / ".0000000128.zip.1.tmp").write_text("half a checkpoint")
    assert {"curve.json", "games", "tensorboard"} < {path.name for path in out.iterdir()}
    assert "holds no checkpoint" in complaint_of(run("--resume", "--out", out))
    assert train(out)[0] == 0
    assert (out / "checkpoint.zip").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("games/0000000064.jsonl", ""),
        ("curve.json", '[{"turns": 64, "seconds": 1, "against": {}}]'),
        ("curve.json", "mine"),
        ("checkpoints/best.zip", "mine"),
        ("note.txt", "mine"),
    ],
)
def test_what_is_more_than_a_start_is_kept(train, tmp_path: Path, name: str, content: str):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)
    assert "not empty" in complaint_of(train(tmp_path))
    assert file.read_text() == content
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [file]


def test_resuming_needs_a_checkpoint_that_fits(run, train, tmp_path: Path):
    assert f"{tmp_path} holds no checkpoint" in complaint_of(run("--out", tmp_path, "--resume"))
    assert train(tmp_path)[0] == 0
    more = ("--out", tmp_path, "--resume", "--timesteps", 999)
    assert "players 2, not 3" in complaint_of(run(*more, "--players", 3))
    assert "raise --timesteps" in complaint_of(run("--out", tmp_path, "--resume"))


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("checkpoint.zip", Path.mkdir),
        ("curve.png", os.mkfifo),
        ("checkpoints", Path.touch),
    ],
)
def test_what_a_run_cannot_write_is_found_before_training(
    train, tmp_path: Path, name: str, make: Any
):
    make(tmp_path / name)
    assert f"{tmp_path / name}" in complaint_of(train(tmp_path))


def test_a_checkpoint_of_another_run_is_not_resumed(run, train, tmp_path: Path):
    two, three = tmp_path / "two", tmp_path / "three"
    assert train(two)[0] == 0
    assert train(three, players=3)[0] == 0
    shutil.copy(three / "checkpoint.zip", two)
    for _ in range(2):
        complaint = complaint_of(run("--out", two, "--resume", "--timesteps", 192))
        assert "made for players 3" in complaint
        (two / "checkpoint.zip").unlink(missing_ok=True)
        shutil.copy(three / "checkpoint.zip", two / "checkpoints/0000009999.zip")


def _react_to_ctrl_c() -> None:
    """Shells start background jobs, such as a whole test run, with Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.nightly
def test_ctrl_c_saves_and_tells_where(tmp_path: Path):
    """In a process of its own, from another folder, by the door's path; its worker gets it too."""
    command = [sys.executable, str(DOOR), "--players", "2", "--num-games", "4"]
    command += ["--eval-deals", "0", "--out", "run"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_react_to_ctrl_c,
    ) as process:
        try:
            while not (tmp_path / "run" / "games").exists() and process.poll() is None:
                time.sleep(0.1)
            time.sleep(5)
            os.killpg(process.pid, signal.SIGINT)
            _, complaint = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, complaint
    turns = read_description(tmp_path / "run" / "checkpoint.zip")["timesteps"]
    assert f"{turns:,} turns" in complaint
    assert "Traceback" not in complaint


def test_sigterm_saves_too(train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def terminate(report: ProgressReport, *_: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(ProgressReport, "update", terminate)
    before = signal.getsignal(signal.SIGTERM)
    code, _, complaint = train(tmp_path / "run")
    assert code == 143
    assert "64 turns are saved" in complaint
    assert read_description(tmp_path / "run" / "checkpoint.zip")["timesteps"] == 64
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.nightly
def test_evaluations_do_not_disturb_training(train, tmp_path: Path):
    toy = {"opponents": "random,past"}
    assert train(tmp_path / "without", **toy)[0] == 0
    assert train(tmp_path / "with", **toy, eval_deals=1)[0] == 0
    assert equal(weights(tmp_path / "with"), weights(tmp_path / "without"))
    assert "eval/greedy_win_share" not in scalars(tmp_path / "without")


def test_figures_of_updates_are_logged_now_and_then(
    train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(run_module, "_DIAGNOSE_EVERY", 2)
    assert train(tmp_path / "run", timesteps=256)[0] == 0
    logged = scalars(tmp_path / "run")
    for name in ("entropy/plan", "kl/place", "explained_variance/plan"):
        assert len(logged[name]) == 2


def test_what_was_learned_is_saved_when_an_opponent_fails(
    train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In one line, wherever games are played."""
    code = """
class Tired:
    def __init__(self, config):
        self.left = 40

    def act(self, observations, masks, rng):
        self.left -= 1
        if not self.left:
            raise ValueError("too tired")
        return masks.argmax(axis=1)
"""
    (tmp_path / "tired.py").write_text(code)
    for cores in (1, 2):
        monkeypatch.setattr(command, "num_cores", lambda cores=cores: cores)
        out = tmp_path / str(cores)
        tired = {"opponents": f"{tmp_path}/tired.py:Tired", "timesteps": 10**6, "self_play": 0.0}
        code, _, complaint = train(out, **tired)
        assert code == 2
        turns = read_description(out / "checkpoint.zip")["timesteps"]
        assert f"too tired; {turns} turns are saved in {out}" in complaint.splitlines()[-1]
