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
    assert len(found) == 2 * 2 * (9 * 4 + 1)
    names = [training.out.relative_to(tmp_path).as_posix() for training in found]
    assert names[:3] == [f"gonzaga-2p/{kind}-1e5-0" for kind in ("places", "none", "prior")]
    assert len({*names}) == len({str(t.command()) for t in found}) == len(found)
    assert all((reference.ROOT / t.command()[0]).is_file() for t in found)


def test_other_tasks_leave_out_what_is_trained_for_gonzaga_alone(tmp_path: Path) -> None:
    found = list(reference.trainings(arguments(tmp_path, tasks=("tuscany/3p",))))
    assert {training.kind for training in found} == {"places", "none", "prior", "clone"}
    command = " ".join(found[0].command())
    assert command.startswith("train.py --prior geometry --self-play 1 --game tuscany --players 3")
    (clone, *_) = (training for training in found if training.kind == "clone")
    assert "planner --game tuscany --players 3 --games 250" in " ".join(clone.writing())
    assert clone.writing()[-1] == str(tmp_path / "tuscany-planner-3") == clone.command()[2]


def test_only_places_learn_for_long(tmp_path: Path) -> None:
    found = list(reference.trainings(arguments(tmp_path, budgets=(10**7,))))
    assert {training.kind for training in found} == {"places"}
    assert sum(training.seconds for training in found) == 2 * 9 * 10**7 / 1000


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tasks": ("gonzaga/9p",)}, "there is no task 'gonzaga/9p'"),
        ({"tasks": ("gonzaga",)}, "there is no task 'gonzaga'"),
        ({"tasks": ("gonzaga/easy-2p",)}, "nothing is trained for gonzaga/easy-2p; take"),
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
    asked = arguments(tmp_path, kinds=("none",), tasks=("gonzaga/4p",))
    assert reference.main(replace(asked, show=True)) == 0
    assert ran == []
    told = capsys.readouterr().out
    first, second, *_ = told.splitlines()
    assert first == (
        "0 of 4 trainings are finished; the others take about 0.1 hours of one quiet core"
    )
    assert second.startswith("python train.py --prior none")
    assert reference.main(asked) == 7
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
    assert toy.command() == ["train.py", "--resume", "--out", str(toy.out)]
    assert stored_arguments(toy.out).prior == "none"
    run.model.num_timesteps = 64
    run.save()
    assert toy.is_finished
