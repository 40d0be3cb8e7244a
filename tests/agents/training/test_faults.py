"""Faults of training: full disks, spoiled weights, broken files, two writers, impatient users."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from gonzaga_agents.commands import train as command
from gonzaga_agents.commands.train import TrainOptions, train
from gonzaga_agents.locks import LOCK, lock_folder
from gonzaga_agents.network.checkpoint import CheckpointError, check_whole, read_description
from gonzaga_agents.processes import Terminated, first_signal_raises
from gonzaga_agents.training.run import Run

from gonzaga_env.kernel.errors import GameError, OptionError
from tests.agents.training import toys
from tests.conftest import complaint_of

TOY = replace(toys.TOY, timesteps=192, opponents="random,past")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a run with three numbered checkpoints, for tests to copy."""
    out = tmp_path_factory.mktemp("trained") / "run"
    assert train(replace(TOY, out=out)) == 0
    return out


@pytest.fixture
def out(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "run"))


def resumed(out: Path, **changes: Any) -> TrainOptions:
    return replace(toys.stored(out)[0], resume=True, **changes)


def spoil(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def test_a_broken_latest_checkpoint_gives_way_to_the_newest_whole_one(run, out: Path):
    spoil(out / "checkpoint.zip")
    spoil(out / "checkpoints" / "0000000192.zip")
    whole = out / "checkpoints" / "0000000128.zip"
    code, told, complaint = run("--resume", "--out", out, "--timesteps", 256)
    assert code == 0
    assert f"gonzaga train: warning: {out / 'checkpoint.zip'}: " in complaint
    assert f"; continuing from {whole}" in complaint
    assert "trained 256 turns" in told
    assert read_description(out / "checkpoint.zip")["timesteps"] == 256
    for path in out.rglob("*.zip"):
        check_whole(path)


def test_a_run_goes_on_without_its_latest_checkpoint(run, out: Path):
    (out / "checkpoint.zip").unlink()  # as if the disk was full when the first one was saved
    assert "or continue with --resume" in complaint_of(run("--out", out))
    code, _, complaint = run("--resume", "--out", out, "--timesteps", 256)
    whole = out / "checkpoints" / "0000000192.zip"
    assert code == 0
    assert f"there is no such file; continuing from {whole}" in complaint
    check_whole(out / "checkpoint.zip")


def test_without_a_whole_checkpoint_the_latest_is_named(out: Path):
    for path in out.rglob("*.zip"):
        spoil(path)
    with pytest.raises(CheckpointError, match=r"run/checkpoint\.zip: "):
        toys.stored(out)


def test_playing_a_broken_latest_checkpoint_names_the_newest_whole_one(out: Path):
    spoil(out / "checkpoint.zip")
    wanted = rf"checkpoint\.zip: .*; {out}/checkpoints/0000000192\.zip is whole"
    with pytest.raises(CheckpointError, match=wanted):
        command.make_agent(out, command.setup_of(TOY).config)


def test_a_broken_past_self_does_not_stop_a_run(out: Path):
    spoil(out / "checkpoints" / "0000000064.zip")
    assert train(resumed(out, timesteps=256)) == 0


def spoil_weights(run: Run) -> None:
    with torch.no_grad():
        run.network.value[0].bias[0] = torch.nan


@pytest.mark.parametrize("what", ["weights", "optimizer"])
def test_spoiled_weights_stop_training_and_are_not_saved(
    run, out: Path, monkeypatch: pytest.MonkeyPatch, what: str
):
    before = (out / "checkpoint.zip").read_bytes()
    learn = Run._update

    def spoiled(run: Run) -> Any:
        found = learn(run)
        if what == "weights":
            spoil_weights(run)
        else:
            moments = next(iter(run.ppo.optimizer.state.values()))
            moments["exp_avg_sq"][0] = torch.inf
        return found

    monkeypatch.setattr(Run, "_update", spoiled)
    with pytest.raises(GameError, match=r"0000000192\.zip"):
        train(resumed(out, timesteps=256))
    assert (out / "checkpoint.zip").read_bytes() == before
    assert len([*(out / "checkpoints").iterdir()]) == 3
    code, _, complaint = run("--resume", "--out", out, "--timesteps", 300)
    assert code == 2
    last = complaint.splitlines()[-1]
    assert last.startswith("gonzaga train: learning failed between 192 and ")


def test_nothing_is_saved_of_a_run_that_fails_at_once(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(Run, "_update", lambda run: spoil_weights(run) or ([], {}))
    with pytest.raises(GameError, match="nothing was saved"):
        train(replace(TOY, out=tmp_path / "run"))
    assert not [*(tmp_path / "run").rglob("*.zip")]


def test_a_full_disk_names_the_file_and_keeps_the_last_checkpoint(
    run, out: Path, monkeypatch: pytest.MonkeyPatch
):
    before = (out / "checkpoint.zip").read_bytes()
    toys.fill_the_disk(monkeypatch)
    code, _, complaint = run("--resume", "--out", out, "--timesteps", 256)
    assert code == 2
    last = complaint.splitlines()[-1]
    assert last.startswith(f"gonzaga train: {out}/checkpoints/0000000")
    assert last.endswith(".zip: No space left on device")
    assert (out / "checkpoint.zip").read_bytes() == before
    assert not [path for path in out.rglob("*") if path.suffix in (".part", ".tmp")]


def test_what_a_killed_training_left_half_written_is_cleared_away(out: Path):
    for name in ("checkpoint.zip", "checkpoints/0000000064.zip", "games/0000000064.jsonl"):
        left = (out / name).with_name(f".{Path(name).name}.4711.tmp")
        left.parent.mkdir(exist_ok=True)
        left.write_bytes(b"half")
    assert train(resumed(out, timesteps=256)) == 0
    assert not [*out.rglob("*.tmp")]


def test_a_second_training_in_a_folder_is_told_who_holds_it(out: Path):
    with lock_folder(out, "training"):
        holder = f"another training writes to it \\(process {os.getpid()} since 20.*\\)"
        with pytest.raises(OptionError, match=holder):
            train(resumed(out, timesteps=256))
        with pytest.raises(OptionError, match=holder):
            train(replace(TOY, out=out))
    assert train(resumed(out, timesteps=256)) == 0
    assert not (out / LOCK).exists()


def test_a_busy_folder_without_a_checkpoint_names_its_holder(tmp_path: Path):
    with lock_folder(tmp_path, "training"), pytest.raises(OptionError, match="another training"):
        command.main(["--resume", "--out", str(tmp_path)])


@pytest.mark.parametrize("name", [LOCK, "curve.png"])
def test_files_of_others_in_a_folder_are_kept(tmp_path: Path, name: str):
    (tmp_path / name).write_text("my own")
    with pytest.raises(OptionError, match=r"remove it first|is not empty"):
        train(replace(TOY, out=tmp_path))
    assert (tmp_path / name).read_text() == "my own"


@pytest.mark.parametrize("name", [LOCK, "checkpoint.zip", "policy"])
def test_a_run_writes_nothing_through_links_out_of_its_folder(out: Path, name: str):
    outside = out.parent / "outside"
    if name == LOCK:
        outside.touch()
    else:
        (out / name).rename(outside)
    (out / name).symlink_to(outside)
    before = outside.stat().st_mtime_ns
    with pytest.raises((OptionError, OSError), match=r"symbolic link|its own folder"):
        train(resumed(out, timesteps=256))
    assert outside.stat().st_mtime_ns == before


def test_the_lock_ends_with_a_killed_process(tmp_path: Path):
    code = f"""
        import os, signal
        from pathlib import Path
        from gonzaga_agents.locks import lock_folder
        with lock_folder(Path({str(tmp_path)!r}), "training"):
            os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / LOCK).exists()
    assert train(replace(TOY, out=tmp_path, timesteps=64)) == 0


def test_only_the_first_signal_raises():
    before = signal.getsignal(signal.SIGINT)
    done = []
    with first_signal_raises():
        for number, kind in ((signal.SIGTERM, Terminated), (signal.SIGINT, None)):
            try:
                signal.raise_signal(number)
            except KeyboardInterrupt as interrupt:
                assert type(interrupt) is kind  # noqa: PT017  which one of two is looked at
            else:
                done.append(number)
    assert done == [signal.SIGINT]
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_ctrl_c_during_the_save_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
    save, saves = Run.save, []

    def interrupted(run: Run) -> Path:
        saves.append(run.turns)
        signal.raise_signal(number)
        return save(run)

    monkeypatch.setattr(Run, "save", interrupted)
    code = train(replace(TOY, out=tmp_path / "run"))
    assert code == 128 + number
    assert saves == [64, 64]  # at the checkpoint, which was interrupted, and then to the end
    assert read_description(tmp_path / "run" / "checkpoint.zip")["timesteps"] == 64
