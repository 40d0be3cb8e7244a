"""Training at toy budgets: the command line, seeds, resuming and interrupting."""

from __future__ import annotations

import dataclasses
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from gonzaga_agents import cli
from gonzaga_agents.evaluation.command_line import parse
from gonzaga_agents.network.checkpoint import load_agent, read_description, read_weights
from gonzaga_agents.training import command as training
from gonzaga_agents.training.callbacks import Report
from gonzaga_agents.training.command import Arguments, stored_arguments
from gonzaga_agents.training.run import _learning_rate
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from gonzaga_env.core import GameConfig

DOOR = Path(__file__).parents[3] / "train.py"
TOY = ("--players", 2, "--num-games", 4, "--timesteps", 256, "--final-deals", 2, "--eval-deals", 0)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Returns a function that runs the command: (exit code, stdout, stderr)."""

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["train", *map(str, arguments)])
        try:
            code = cli.train()
        except SystemExit as stop:  # how the command line's parser refuses
            code = int(stop.code or 0)
        return code, *capsys.readouterr()

    return call


def weights(out: Path) -> dict[str, torch.Tensor]:
    return read_weights(out / "checkpoint.zip")


def equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_it_trains_saves_and_evaluates(run, tmp_path: Path):
    out = tmp_path / "run"
    code, told, _ = run(*TOY, "--out", out, "--checkpoint-every", 128)
    assert code == 0
    assert "trained 256 turns" in told
    assert "random" in told
    assert "greedy" in told
    assert f"python evaluate.py {out / 'checkpoint.zip'} greedy" in told
    assert sorted(path.name for path in out.iterdir()) == [
        "checkpoint.zip",
        "checkpoints",
        "tensorboard",
    ]
    assert [path.stem for path in sorted((out / "checkpoints").iterdir())] == [
        "0000000128",
        "0000000256",
    ]
    assert list((out / "tensorboard").iterdir())
    assert load_agent(out, GameConfig(2)).name == "checkpoint:run"


@pytest.mark.parametrize("opponents", ["random", "greedy", "self", "self,random"])
@pytest.mark.parametrize("players", [3])
def test_any_mix_of_opponents_plays(run, tmp_path: Path, opponents: str, players: int):
    options = ("--players", players, "--opponents", opponents, "--final-deals", 0)
    assert run(*TOY, *options, "--timesteps", 128, "--out", tmp_path / "run")[0] == 0


def test_a_checkpoint_may_be_an_opponent(run, tmp_path: Path):
    first, second = tmp_path / "first", tmp_path / "second"
    assert run(*TOY, "--out", first, "--final-deals", 0)[0] == 0
    assert run(*TOY, "--out", second, "--final-deals", 0, "--opponents", first)[0] == 0


def test_the_seed_decides_everything(run, tmp_path: Path):
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        run(*TOY, "--out", tmp_path / name, "--seed", seed, "--device", "cpu", "--final-deals", 0)
    assert equal(weights(tmp_path / "a"), weights(tmp_path / "b"))
    assert not equal(weights(tmp_path / "a"), weights(tmp_path / "c"))


def test_resuming_goes_on_with_the_same_arguments(run, tmp_path: Path):
    out = tmp_path / "run"
    options = ("--final-deals", 0, "--reward", "score", "--seed", 4, "--opponents", "random")
    assert run(*TOY, "--out", out, *options)[0] == 0
    before = weights(out)
    code, told, _ = run("--out", out, "--resume", "--timesteps", 384)
    assert code == 0
    assert "trained 384 turns" in told
    assert not equal(before, weights(out))
    stored = stored_arguments(out)
    assert stored == Arguments(
        out=out,
        timesteps=384,
        players=2,
        num_games=4,
        final_deals=0,
        eval_deals=0,
        reward="score",
        seed=4,
        opponents="random",
    )


def test_resuming_starts_from_the_saved_weights_and_optimizer(tmp_path: Path):
    arguments = Arguments(
        out=tmp_path / "run",
        timesteps=128,
        players=2,
        num_games=4,
        final_deals=0,
        eval_deals=0,
        device="cpu",
    )
    assert training.train(arguments) == 0
    more = dataclasses.replace(arguments, timesteps=192)
    again = training.Run(training.setup_of(more), arguments.out, resume=True)
    assert again.model.num_timesteps == 128
    assert equal(weights(arguments.out), again.model.policy.state_dict())
    state = again.model.policy.optimizer.state_dict()["state"]
    assert state[0]["step"] > 0
    for snapshot in again._snapshots.agents:
        assert equal(snapshot.network.state_dict(), again.network.state_dict())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--players", 5), "num_players is 5"),
        (("--num-games", 0), "num_games is 0"),
        (("--opponents", "nobody"), "no agent 'nobody'"),
        (("--opponents", "no_such_module:Mine"), "no module 'no_such_module'"),
        (("--timesteps", "1.5"), "'1.5' is not a whole number"),
        (("--timesteps", "inf"), "'inf' is not a whole number"),
        (("--no-such-option", 1), "--no-such-option"),
        (("--reward", "glory"), "'glory'"),
        (("--eval-deals", -1), "eval_deals is -1"),
        (("--opponents", ""), "no agent ''"),
        (("--opponents", "bob"), "--opponents also takes self"),
        (("--edition", "nowhere"), "nowhere"),
        (("--scenario", "Nobody"), "no scenario 'Nobody'"),
        (("--timesteps", 0), "timesteps is 0"),
        (("--first-check-round", 13), "first_check_round is 13"),
        (("--checkpoint-every", 0), "checkpoint_every is 0"),
        (("--seed", -1), "seed is -1"),
        (("--final-deals", -1), "final_deals is -1"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(run, tmp_path: Path, options, message: str):
    code, told, complaint = run(*TOY, "--out", tmp_path / "run", *options)
    assert code == 2
    assert told == ""
    assert message in complaint
    assert len(complaint.strip().splitlines()) == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "number"), [("256", 256), ("200_000", 200_000), ("2e5", 200_000), ("1e5", 100_000)]
)
def test_turns_may_be_written_in_several_ways(text: str, number: int, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["train", "--timesteps", text])
    assert parse(Arguments).timesteps == number


def test_nothing_is_overwritten(run, tmp_path: Path):
    (tmp_path / "note.txt").write_text("mine")
    code, _, complaint = run(*TOY, "--out", tmp_path)
    assert code == 2
    assert "not empty" in complaint
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]
    assert run(*TOY, "--out", tmp_path / "note.txt")[0] == 2


def test_resuming_needs_a_checkpoint_that_fits(run, tmp_path: Path):
    code, _, complaint = run("--out", tmp_path, "--resume")
    assert code == 2
    assert f"{tmp_path} holds no checkpoint" in complaint
    assert run(*TOY, "--out", tmp_path, "--final-deals", 0)[0] == 0
    code, _, complaint = run("--out", tmp_path, "--resume", "--players", 3)
    assert code == 2
    assert "made for players 2, not 3" in complaint
    code, _, complaint = run("--out", tmp_path, "--resume")
    assert code == 2
    assert "raise --timesteps" in complaint


def _react_to_ctrl_c() -> None:
    """Shells start background jobs, such as a whole test run, with Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_saves_and_tells_where(tmp_path: Path):
    """In a process of its own, from another folder, by the door's path."""
    command = [sys.executable, str(DOOR), *map(str, TOY), "--timesteps", "1000000", "--out", "run"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_react_to_ctrl_c,
    ) as process:
        try:
            wait_for(tmp_path / "run" / "tensorboard", process)
            time.sleep(1)  # some turns, so that there is something to lose
            process.send_signal(signal.SIGINT)
            _, complaint = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, complaint
    assert "saved in run/checkpoint.zip" in complaint
    assert "--resume --out run" in complaint
    turns = read_description(tmp_path / "run" / "checkpoint.zip")["timesteps"]
    assert f"{turns:,} turns" in complaint
    assert 0 < turns < 1_000_000
    resumed = [sys.executable, str(DOOR), "--resume", "--out", "run", "--final-deals", "0"]
    done = subprocess.run(
        [*resumed, "--timesteps", str(turns + 1)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "trained" in done.stdout


def test_sigterm_saves_too(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def terminate(report: Report) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(Report, "_on_rollout_end", terminate)
    before = signal.getsignal(signal.SIGTERM)
    code, _, complaint = run(*TOY, "--out", tmp_path / "run")
    assert code == 143
    assert "interrupted; 64 turns are saved" in complaint
    assert read_description(tmp_path / "run" / "checkpoint.zip")["timesteps"] == 64
    assert signal.getsignal(signal.SIGTERM) == before


def test_evaluations_are_logged_and_do_not_disturb_training(run, tmp_path: Path):
    options = (*TOY, "--timesteps", 768, "--final-deals", 0, "--checkpoint-every", 384)
    options = (*options, "--device", "cpu", "--opponents", "random,self")
    assert run(*options, "--out", tmp_path / "without")[0] == 0
    code, _, progress = run(*options, "--out", tmp_path / "with", "--eval-deals", 2)
    assert code == 0
    assert equal(weights(tmp_path / "with"), weights(tmp_path / "without"))
    assert progress.count("of 4 games against greedy") == 2
    assert "random " in progress
    logged = scalars(tmp_path / "with")
    assert len(logged["eval/greedy_win_share"]) == 2
    assert all(0 <= share <= 1 for share in logged["eval/greedy_win_share"])
    for tag in ("games/score", "games/win_share"):
        assert tag in logged
    for name in ("random", "self"):
        assert logged[f"score/{name}"]
        assert all(0 <= share <= 1 for share in logged[f"win_share/{name}"])
    assert "eval/greedy_win_share" not in scalars(tmp_path / "without")


def scalars(out: Path) -> dict[str, list[float]]:
    """Returns what TensorBoard shows of a run."""
    log = EventAccumulator(str(out / "tensorboard"))
    log.Reload()
    return {tag: [event.value for event in log.Scalars(tag)] for tag in log.Tags()["scalars"]}


def wait_for(folder: Path, process: subprocess.Popen[str]) -> None:
    for _ in range(600):
        if (folder.is_dir() and any(folder.iterdir())) or process.poll() is not None:
            return
        time.sleep(0.1)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.delitem(sys.modules, "gonzaga_agents.training.command")
    monkeypatch.setitem(sys.modules, "gonzaga_agents.training", None)
    with pytest.raises(ModuleNotFoundError):
        cli.train()  # a missing module of this project is not a missing extra
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    for name in [name for name in sys.modules if name.startswith("gonzaga_agents.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "argv", ["train.py"])
    assert cli.train() == 2
    assert 'sb3_contrib is not installed; run: pip install ".[train]"' in capsys.readouterr().err


def test_the_door_names_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setitem(sys.modules, "gonzaga_agents.cli", None)
    monkeypatch.setattr(sys, "argv", ["train.py"])
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(DOOR), run_name="__main__")
    assert stop.value.code == 2
    assert 'pip install ".[train]"' in capsys.readouterr().err


@pytest.mark.parametrize("remaining", [1.0, 0.5, 0.0, -1.0, -27.0])
def test_the_learning_rate_stays_positive_past_the_end(remaining: float) -> None:
    assert 1e-4 <= _learning_rate(remaining) <= 1e-3
