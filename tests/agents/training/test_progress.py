"""What a run shows and logs: progress, TensorBoard's figures, diagnostics, sample games."""

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from gonzaga_agents.commands.train import train
from gonzaga_agents.network.checkpoint import load_agent
from gonzaga_agents.network.networks import GonzagaBatch
from gonzaga_agents.training import run as run_module
from gonzaga_agents.training.progress import (
    EventWriter,
    ProgressReport,
    diagnose,
    write_samples,
)
from gonzaga_agents.training.self_play import Result
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from gonzaga_env.__main__ import main
from gonzaga_env.core import GameConfig
from gonzaga_env.core.spec import replay
from gonzaga_env.core.state import KINDS
from gonzaga_env.kernel.records import read_records
from tests.agents.training.toys import TOY, experience_of, inputs_of_play, small_ppo

ALONE = Result(30.0, None, frozenset())
AMONG = [
    Result(10.0, 1.0, frozenset({"greedy", "past"})),
    Result(20.0, 0.0, frozenset({"past"})),
]


def test_games_count_once_for_every_kind_of_opponent() -> None:
    report = ProgressReport(turns=1000, done=0)
    assert {*report.update(10, [])} == {"time/turns_per_second"}
    found = report.update(20, [ALONE, *AMONG])
    assert found.pop("time/turns_per_second") > 0
    assert found == {"games/score": 20, "win_share/greedy": 1, "win_share/past": 0.5}


def test_only_recent_games_count(capsys: pytest.CaptureFixture[str]) -> None:
    report = ProgressReport(turns=1000, done=0)
    report.update(10, [Result(100.0, 1.0, frozenset({"past"}))] * 300)
    found = report.update(500, [Result(0.0, 0.0, frozenset({"past"}))] * 500)
    assert (found["games/score"], found["win_share/past"]) == (0, 0)
    assert "past 0% of 500" in capsys.readouterr().err


def test_a_few_lines_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    report = ProgressReport(turns=1000, done=200)
    for turns in range(240, 1001, 40):
        report.update(turns, AMONG)
    report.print("done")
    report.stop()
    shown = capsys.readouterr().err.splitlines()
    assert shown[-1] == "1,000 of 1,000 turns: done"
    assert 6 <= len(shown[:-1]) <= 10
    assert shown[0].startswith("320 of 1,000 turns: ")
    assert "score 15, wins of recent games, exploring: greedy 100% of 3, past 50% of 6" in shown[0]


def test_before_the_first_game_ends_there_is_only_the_speed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = ProgressReport(turns=100, done=0)
    report.update(50, [])
    report.stop()
    assert capsys.readouterr().err.rstrip().endswith("/s")


def test_tensorboard_reads_what_was_logged(tmp_path: Path) -> None:
    threads = threading.active_count()
    for first in (0, 20):  # a resumed run has two files
        writer = EventWriter(tmp_path / "log")
        for turns in (first, first + 10):
            writer.write({"games/score": np.float32(turns / 4), "updates": turns}, turns)
        assert threading.active_count() == threads
        writer.close()
    found = EventAccumulator(str(tmp_path / "log"))
    found.Reload()
    assert found.Tags()["scalars"] == ["games/score", "updates"]
    points = [(event.step, event.value) for event in found.Scalars("games/score")]
    assert points == [(0, 0.0), (10, 2.5), (20, 5.0), (30, 7.5)]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="it is a device of Linux")
def test_a_full_disk_is_told_at_once_with_the_name_of_the_file(tmp_path: Path) -> None:
    writer = EventWriter(tmp_path)
    (file,) = tmp_path.iterdir()
    writer._file.close()
    writer._file = Path("/dev/full").open("wb")  # noqa: SIM115
    with pytest.raises(OSError, match=rf"No space left on device: '{file}'"):
        writer.write({"games/score": 1.0}, 1)
    writer.close()


CONFIG = GameConfig(2)


def test_figures_equal_those_of_single_decisions() -> None:
    ppo, inputs = small_ppo(CONFIG), inputs_of_play(CONFIG, 8)
    experience = experience_of(ppo.policy, inputs)
    ppo.learn(experience, progress=0.0)
    found = diagnose(ppo.policy, experience, KINDS)
    with torch.no_grad():
        logits, _ = ppo.policy.network(*GonzagaBatch.of(inputs)[:-1])
    log_probs = logits.log_softmax(dim=1).numpy()
    for phase, which in zip(KINDS, (experience.kinds == 0, experience.kinds == 1), strict=True):
        entropies, divergences = [], []
        for row in np.flatnonzero(which):
            real = log_probs[row][inputs.actions[row] >= 0]
            entropies.append(-(np.exp(real) * real).sum())
            change = log_probs[row, experience.chosen[row]] - experience.log_probs[row]
            divergences.append(np.exp(change) - 1 - change)
        assert found[f"entropy/{phase}"] == pytest.approx(np.mean(entropies), abs=1e-4)
        assert found[f"kl/{phase}"] == pytest.approx(np.mean(divergences), abs=1e-5)
        returns, values = experience.returns[which], experience.values[which]
        explained = 1 - np.var(returns - values) / np.var(returns)
        assert found[f"explained_variance/{phase}"] == pytest.approx(explained, abs=1e-4)
    error = abs(experience.returns - experience.values)
    for part, first, last in (("early", 1, 3), ("middle", 4, 7), ("late", 8, 12)):
        of_part = error[(experience.rounds >= first) & (experience.rounds <= last)]
        assert found[f"value_error/{part}"] == pytest.approx(of_part.mean(), abs=1e-5)
    assert found["train/advantage_noise"] == pytest.approx(experience.advantages.std(), abs=1e-5)


def test_a_perfect_critic_and_an_unchanged_policy() -> None:
    ppo, inputs = small_ppo(CONFIG), inputs_of_play(CONFIG, 4)
    experience = experience_of(ppo.policy, inputs)
    returns = np.random.default_rng(0).normal(size=len(inputs)).astype(np.float32)
    perfect = replace(experience, values=returns, returns=returns)
    found = diagnose(ppo.policy, perfect, KINDS)
    for phase in ("plan", "place"):
        assert found[f"explained_variance/{phase}"] == pytest.approx(1)
        assert found[f"kl/{phase}"] == pytest.approx(0, abs=1e-6)


def test_parts_of_the_game_that_were_not_played_have_no_figure() -> None:
    ppo, inputs = small_ppo(CONFIG), inputs_of_play(CONFIG, 4)
    rounds = np.full(len(inputs), 2, dtype=np.uint8)
    experience = replace(experience_of(ppo.policy, inputs), rounds=rounds)
    found = diagnose(ppo.policy, experience, KINDS)
    assert {name for name in found if name.startswith("value_error")} == {"value_error/early"}


def test_games_of_each_checkpoint_are_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "write_samples", write_samples)
    trained, config = tmp_path / "run", GameConfig(2)
    assert train(replace(TOY, out=trained, timesteps=128)) == 0
    files = sorted((trained / "games").iterdir())
    assert [path.name for path in files] == [f"{n:010d}.jsonl" for n in (0, 64, 128)]
    for path in files:
        records = list(read_records(path))
        assert [record["seed"] for record in records] == [0, 1]
        for record in records:
            assert record["agents"] == ["learner", "learner"]
            replay(record)
        number = trained / "checkpoints" / path.with_suffix(".zip").name
        if number.exists():
            write_samples(tmp_path / "again" / path.name, config, load_agent(number, config), 2)
            again = read_records(tmp_path / "again" / path.name)
            assert [record["moves"] for record in again] == [r["moves"] for r in records]
    assert main(["show", str(files[-1]), "--game", "2", "--out", str(trained / "a.html")]) == 0
    assert main(["replay", str(files[-1])]) == 0
    assert "2 games verified, 0 wrong" in capsys.readouterr().out
