"""The command that plays the reference rows of gonzaga-bench."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from gonzaga_agents.bench.tasks import EASY_TASKS, find_task, task_names

from benchmarks import reference_rows
from gonzaga_env.tabletop.agent import AgentError

Answer = tuple[int, str, str]


def test_every_task_has_its_baselines() -> None:
    for name in task_names():
        words = {row: words for row, words in reference_rows.commands(find_task(name)) if words}
        assert {"random", "greedy", "planner", "learned"} <= {*words}
        assert any(row.startswith("search@") for row in words) == (name not in EASY_TASKS)
        files = [each[each.index("--out") + 1] for each in words.values()]
        assert len({*files}) == len(files)
        assert words["greedy"] == [
            *("run", name, "greedy", "--track", "prior", "--out"),
            f"benchmarks/bench/{name.replace('/', '-')}-greedy.json",
        ]


def test_a_row_takes_all_seeds_that_are_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = {"none-1e5-0": 100_352, "none-1e5-1": 50_176, "none-1e5-2": 100_352}
    turns |= {"none-1e5-10": 100_352, "prior-1e5-0": 0}
    for name in (*turns, "sb3-1e6-0/0001000000", "sb3-1e5-0"):
        (tmp_path / "gonzaga-4p" / name).mkdir(parents=True)
    (tmp_path / "gonzaga-4p" / "sb3-1e6-0" / "0001000000" / "model.zip").touch()

    def described(spec: str) -> dict[str, Any]:
        if not turns[Path(spec).name]:
            raise AgentError("holds no checkpoint")
        return {"timesteps": turns[Path(spec).name], "arguments": {"timesteps": 100_000}}

    monkeypatch.setattr(reference_rows, "checkpoint_description", described)
    found = dict(reference_rows.commands(find_task("gonzaga/4p"), tmp_path))
    words = found["masked PPO, plain network, 1e5"]
    folder = (tmp_path / "gonzaga-4p").as_posix()
    assert words[2:6] == [*(f"{folder}/none-1e5-{seed}" for seed in (0, 2, 10)), "--track"]
    assert words[words.index("--budget") + 1] == "1e5"
    assert words[-1] == "benchmarks/bench/gonzaga-4p-masked-ppo-plain-network-1e5.json"
    words = found["masked PPO of SB3, MlpPolicy, 1e6"]
    assert words[2] == f"{folder}/sb3-1e6-0/agent.py:agent"
    assert words[-1] == "python examples/trainers/sb3_tabula_rasa.py --seed S --turns 1000000"
    for name in ("0000090000", "0000100352", "0000110592"):
        (tmp_path / "gonzaga-4p/none-1e5-2/checkpoints").mkdir(exist_ok=True)
        (tmp_path / f"gonzaga-4p/none-1e5-2/checkpoints/{name}.zip").touch()
    words = dict(reference_rows.commands(find_task("gonzaga/4p"), tmp_path))[
        "masked PPO, plain network, 1e5"
    ]
    assert words[3] == f"{folder}/none-1e5-2/checkpoints/0000100352.zip"  # keeps to the budget
    assert found["masked PPO of SB3, MlpPolicy, 1e5"] == []
    assert found["PPO with the planner's prior, 1e5"] == []


def test_commands_are_listed_and_missing_agents_named(
    call: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(reference_rows.main, "gonzaga/2p", "--list")
    assert (code, err) == (0, "")
    assert "python -m gonzaga_agents.bench run gonzaga/2p search@64:learned --track search" in out
    assert (
        "gonzaga/2p, masked PPO, plain network, 1e5: no finished agents in runs/rows/gonzaga-2p"
        in out
    )


def test_the_hours_of_the_rows_that_are_left_are_told_first(
    call: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def played(command: list[str], **_: Any) -> CompletedProcess[str]:
        file = Path(command[command.index("--out") + 1])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('{"complete": true}')
        return CompletedProcess(command, 0)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reference_rows.subprocess, "run", played)
    code, out, _ = call(reference_rows.main, "gonzaga/2p", "signorie/easy-2p")
    assert code == 0
    assert out.startswith("10 rows are left: ")
    assert float(out.split()[4]) > 0
    assert call(reference_rows.main, "gonzaga/2p")[1].startswith("0 rows are left: 0.0 hours")
    _, out, _ = call(reference_rows.main, "gonzaga/easy-2p", "--list")
    assert "no finished agents in runs/rows/gonzaga-2p" in out


def test_a_finished_row_that_is_refused_stays_and_an_unfinished_one_ends_the_run(
    call: Callable[..., Answer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(command: list[str], **_: Any) -> CompletedProcess[bytes]:
        return CompletedProcess(command, 2)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reference_rows.subprocess, "run", refused)
    assert call(reference_rows.main, "gonzaga/easy-2p")[0] == 2
    monkeypatch.setattr(reference_rows, "is_played", lambda file: True)
    code, out, _ = call(reference_rows.main, "gonzaga/easy-2p")
    assert code == 0
    assert out.count("the finished row stays as it is") == 4
