"""The command that trains what the benchmark's reference rows play."""

from dataclasses import replace
from pathlib import Path

import pytest
from gonzaga_agents.training.command import setup_of, stored_arguments
from gonzaga_agents.training.options import Arguments as Training
from gonzaga_agents.training.run import Run

from benchmarks import reference_trainings as reference
from gonzaga_env.tabletop.errors import OptionError


def arguments(out: Path, **changes: object) -> reference.Arguments:
    return replace(reference.Arguments(out=out, seeds=2), **changes)  # type: ignore[arg-type]


def test_every_run_has_a_folder_and_a_command_of_its_own(tmp_path: Path) -> None:
    found = list(reference.trainings(arguments(tmp_path)))
    assert len(found) == 2 * 2 * 4
    names = [training.out.relative_to(tmp_path).as_posix() for training in found]
    assert names[:3] == [f"gonzaga-4p/{kind}-1e5-0" for kind in ("none", "prior", "sb3")]
    assert len({*names}) == len({str(t.command(tmp_path)) for t in found}) == len(found)
    assert all((reference.ROOT / t.command(tmp_path)[0]).is_file() for t in found)


def test_other_tasks_leave_out_what_is_made_for_four_players_of_gonzaga(tmp_path: Path) -> None:
    found = list(reference.trainings(arguments(tmp_path, tasks=("tuscany/3p",))))
    assert {training.kind for training in found} == {"none", "prior"}
    assert "--game tuscany --players 3" in " ".join(found[0].command(tmp_path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tasks": ("gonzaga/9p",)}, "there is no task 'gonzaga/9p'"),
        ({"tasks": ("gonzaga",)}, "there is no task 'gonzaga'"),
        ({"budgets": (150_000,)}, "budget is 150,000; it takes"),
    ],
)
def test_other_tasks_and_budgets_are_refused(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        reference.main(arguments(tmp_path, **changes))


def test_commands_run_in_turn_and_stop_at_the_first_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[list[str]] = []

    class Answer:
        returncode = 0

    def run(command: list[str], check: bool) -> Answer:
        assert not check
        ran.append(command)
        Answer.returncode = 7 if command[-3] == "1" else 0  # the seed
        return Answer()

    monkeypatch.setattr("subprocess.run", run)
    assert reference.main(arguments(tmp_path, kinds=("none",), show=True)) == 0
    assert ran == []
    told = capsys.readouterr().out
    assert told.startswith("0 of 4 trainings are finished\npython train.py --prior none")
    assert reference.main(arguments(tmp_path, kinds=("none",))) == 7
    assert [command[-3] for command in ran] == ["0", "1"]


def test_a_run_that_is_finished_is_left_alone_and_a_begun_one_continues(tmp_path: Path) -> None:
    first, *_ = reference.trainings(arguments(tmp_path, kinds=("none",)))
    toy = replace(first, budget=64)
    assert not toy.is_finished
    training = Training(
        prior="none", players=2, timesteps=128, num_games=4, minibatch=32, width=8, processes="1"
    )
    run = Run(setup_of(training), toy.out, resume=False)
    run.save()
    assert not toy.is_finished
    assert toy.command(tmp_path) == ["train.py", "--resume", "--out", str(toy.out)]
    assert stored_arguments(toy.out).prior == "none"
    run.model.num_timesteps = 64
    run.save()
    assert toy.is_finished
