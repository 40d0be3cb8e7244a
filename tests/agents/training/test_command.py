"""Training at toy budgets: the command line, seeds, resuming and interrupting."""

import dataclasses
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from gonzaga_agents import cli
from gonzaga_agents.common.command_line import parse
from gonzaga_agents.network.checkpoint import (
    OPTIMIZER,
    load_agent,
    read_description,
    read_tensors,
    read_weights,
)
from gonzaga_agents.training import command as training
from gonzaga_agents.training import run as run_module
from gonzaga_agents.training.command import stored_arguments
from gonzaga_agents.training.options import PRESETS, Arguments
from gonzaga_agents.training.reports.progress import Report
from gonzaga_agents.training.run import _learning_rate
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from gonzaga_env import games
from gonzaga_env.core import GameConfig
from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.spec import GameParts
from tests.agents.training.conftest import SIZES, options
from tests.conftest import complaint_of
from tests.marks import some_nightly

DOOR = Path(__file__).parents[3] / "train.py"
EUROPE = DOOR.parent / "gonzaga_env/data/editions/europe"


def weights(out: Path) -> dict[str, torch.Tensor]:
    return read_weights(out / "checkpoint.zip")


def equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_it_trains_saves_and_evaluates(train, tmp_path: Path):
    out = tmp_path / "run"
    toy = {"eval_deals": 1, "final_deals": 1, "checkpoint_every": 64, "eval_against": "random"}
    code, told, _ = train(out, **toy)
    assert code == 0
    assert "trained 128 turns" in told
    for name in ("random", "greedy", "planner"):
        assert f"1 x {name}" in told
    assert f"python evaluate.py {out / 'checkpoint.zip'} greedy" in told
    assert sorted(path.name for path in out.iterdir()) == [
        "checkpoint.zip",
        "checkpoints",
        "curve.json",
        "curve.png",
        "tensorboard",
    ]
    assert [path.stem for path in sorted((out / "checkpoints").iterdir())] == [
        "0000000064",
        "0000000128",
    ]
    assert [point["turns"] for point in json.loads((out / "curve.json").read_text())] == [
        0,
        64,
        128,
    ]
    assert list((out / "tensorboard").iterdir())
    assert load_agent(out, GameConfig(2)).name == "checkpoint:run"


@pytest.mark.parametrize(
    ("seats", "opponents", "reward"),
    some_nightly(
        product(
            ("every", "one"),
            ("random", "greedy,planner", "past", "past,random", ""),
            ("margin", "outcome", "score"),
        ),
        often=lambda case: (
            case in {("every", "past,random", "outcome"), ("one", "greedy,planner", "score")}
        ),
    ),
)
def test_any_mix_of_opponents_plays_for_any_reward(
    train, tmp_path: Path, opponents: str, seats: str, reward: str
):
    changes = {"opponents": opponents, "seats": seats, "reward": reward}
    assert train(tmp_path, players=3, self_play=0.3, **changes)[0] == 0
    assert read_description(tmp_path / "checkpoint.zip")["reward"] == reward


@pytest.fixture
def few_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the expert play one game at a time with few playouts."""
    monkeypatch.setattr(run_module, "_EXPERT_GAMES", 1)
    monkeypatch.setattr(run_module, "_EXPERT_PLAYOUTS", 2)


@pytest.mark.usefixtures("few_labels")
@pytest.mark.parametrize(
    ("changes", "num_losses"),
    [({"imitate": 30, "timesteps": 120}, 1), ({"algorithm": "expert", "timesteps": 60}, 2)],
)
def test_it_may_imitate_first_or_to_the_end(train, tmp_path: Path, changes: Any, num_losses: int):
    assert train(tmp_path, **changes)[0] == 0
    logged = scalars(tmp_path)
    assert len(logged["imitation/loss"]) == num_losses  # a game has 24 decisions of each seat
    assert ("train/loss" in logged) == (num_losses == 1)


def test_a_checkpoint_may_be_an_opponent_or_the_start(run, train, tmp_path: Path):
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    assert train(first)[0] == 0
    assert train(second, opponents=first, self_play=0.5)[0] == 0
    assert train(third, start=first, seed=3)[0] == 0
    assert not equal(weights(first), weights(third))
    started = training.Run(
        training.setup_of(arguments(out=third, start=str(first))), third, resume=False
    )
    assert equal(weights(first), started.model.policy.state_dict())
    assert (started.turns, started.seconds) == (0, 0.0)
    assert not started.model.policy.optimizer.state_dict()["state"]
    shutil.rmtree(first)  # a resumed run needs its own checkpoint only
    assert run("--out", third, "--resume", "--timesteps", 192)[0] == 0


def test_the_critic_may_learn_first(train, tmp_path: Path):
    first, alone, both = (tmp_path / name for name in ("first", "alone", "both"))
    assert train(first)[0] == 0
    assert train(alone, start=first, critic_first=1_000)[0] == 0
    assert train(both, start=first, critic_first=64, checkpoint_every=64)[0] == 0
    begin, end = weights(first), weights(alone)
    for name, then in begin.items():
        assert torch.equal(then, end[name]) == name.startswith("network."), name
    changed = [name for name, then in begin.items() if not torch.equal(then, weights(both)[name])]
    assert any(name.startswith("network.") for name in changed)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"learning_rate": 0}, "learning_rate is 0.0; it takes more than 0 to 1"),
        ({"learning_rate": "nan"}, "learning_rate is nan; it takes more than 0 to 1"),
        ({"critic_first": -1}, "critic_first is -1; it takes 0 or more"),
    ],
)
def test_what_learning_does_not_take_is_one_line(train, tmp_path: Path, changes: Any, told: str):
    code, _, complaint = train(tmp_path / "run", **changes)
    assert code == 2
    assert told in complaint
    assert not (tmp_path / "run").exists()


def arguments(**changes: Any) -> Arguments:
    return Arguments(**(SIZES | {"processes": "1"} | changes))


def test_paths_are_kept_whole_for_resuming_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("")
    (tmp_path / "planner").mkdir()  # hides no agent
    given = arguments(opponents="past, planner,mine.py:Mine", eval_against="")
    kept = training.setup_of(given).arguments
    assert kept["opponents"] == f"past,planner,{tmp_path}/mine.py:Mine"
    assert (kept["eval_against"], kept["edition"], kept["start"]) == ("", None, None)


@pytest.mark.usefixtures("few_labels")
@pytest.mark.parametrize(
    "changes",
    [
        {"opponents": "random,past", "self_play": 0.5},
        {"prior": "none", "opponents": "random,past", "self_play": 0.5},
        {"prior": "geometry", "opponents": "random,past", "self_play": 0.5},
        {"algorithm": "expert", "timesteps": 30},
    ],
)
def test_the_seed_alone_decides_the_policy(train, tmp_path: Path, changes: Any):
    several = {} if "algorithm" in changes else {"processes": 2}
    found = []
    for number, more in enumerate(({}, {}, several, {"seed": 8})):
        assert train(tmp_path / str(number), **changes, **more)[0] == 0
        found.append(weights(tmp_path / str(number)))
    assert equal(found[0], found[1])
    assert equal(found[0], found[2])
    assert not equal(found[0], found[3])


def test_resuming_goes_on_with_the_same_arguments(run, train, tmp_path: Path):
    out = tmp_path / "run"
    toy = {"reward": "score", "seed": 4, "opponents": "random", "preset": "standard"}
    assert train(out, **toy)[0] == 0
    before, seconds = weights(out), read_description(out / "checkpoint.zip")["seconds"]
    code, told, _ = run("--out", out, "--resume", "--timesteps", 192)
    assert code == 0
    assert "trained 192 turns" in told
    assert not equal(before, weights(out))
    assert read_description(out / "checkpoint.zip")["seconds"] > seconds > 0
    wanted = arguments(out=out, timesteps=192, **toy)
    assert stored_arguments(out) == dataclasses.replace(wanted, game="gonzaga")


@pytest.mark.parametrize("prior", ["planner", "none"])
def test_resuming_starts_from_the_saved_weights_and_optimizer(tmp_path: Path, prior: Any):
    first = arguments(out=tmp_path / "run", timesteps=64, prior=prior)
    assert training.train(first) == 0
    more = dataclasses.replace(first, timesteps=128)
    again = training.Run(training.setup_of(more), first.out, resume=True)
    assert again.turns == read_description(first.out / "checkpoint.zip")["timesteps"] >= 64
    assert again.seconds == read_description(first.out / "checkpoint.zip")["seconds"]
    assert equal(weights(first.out), again.model.policy.state_dict())
    saved = read_tensors(first.out / "checkpoint.zip", OPTIMIZER)["state"]
    state = again.model.policy.optimizer.state_dict()["state"]
    assert saved.keys() == state.keys() != set()
    for index, moments in saved.items():
        assert state[index]["step"] == moments["step"] > 0
        assert torch.equal(state[index]["exp_avg"], moments["exp_avg"])


def test_the_curve_goes_on_when_a_run_is_resumed(run, train, tmp_path: Path):
    out = tmp_path / "run"
    assert train(out, eval_deals=1, eval_against="random", timesteps=64)[0] == 0
    more = ("--timesteps", 128, "--eval-against", "random,greedy")
    assert run("--out", out, "--resume", *more)[0] == 0
    points = json.loads((out / "curve.json").read_text())
    assert [point["turns"] for point in points] == [0, 64, 128]
    assert [[*point["against"]] for point in points] == [
        ["random"],
        ["random"],
        ["random", "greedy"],
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_defaults_that_options_override(name: Any):
    preset = PRESETS[name]
    setup = training.setup_of(Arguments(preset=name))
    for field in dataclasses.fields(preset):
        value = getattr(preset, field.name)
        assert getattr(setup, field.name) == value
        changed = training.setup_of(Arguments(preset=name, **{field.name: value + 8}))
        assert getattr(changed, field.name) == value + 8
    rollout = preset.num_games * 4 * 2 * 4
    assert preset.minibatch <= rollout


@pytest.mark.parametrize(
    ("door", "start"), [("train.py", ["python", "{}.py"]), ("/bin/gonzaga-train", ["gonzaga-{}"])]
)
def test_commands_that_are_printed_run_as_printed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    door: str,
    start: list[str],
):
    """Paths with blanks are quoted, the installed door and the edition are named."""
    edition, out = tmp_path / "my edition", tmp_path / "my run"
    shutil.copytree(EUROPE, edition)
    monkeypatch.setattr(sys, "argv", [door])
    toy = SIZES | {"processes": "1", "timesteps": 64, "final_deals": 1, "edition": str(edition)}
    assert training.train(Arguments(**toy, out=out)) == 0
    printed = capsys.readouterr().out.splitlines()[-1].removeprefix("more: ")
    evaluate = [*(word.format("evaluate") for word in start), f"{out}/checkpoint.zip", "greedy"]
    assert shlex.split(printed) == [*evaluate, "--edition", str(edition)]
    words = [word.format("train") for word in start]
    resume = training.command_text("train", "--resume", "--out", out)
    assert shlex.split(resume) == [*words, "--resume", "--out", str(out)]


def test_another_game_has_no_network_yet(train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    about = {"name": "other", "title": "Another Game", "parts": GameParts()}
    monkeypatch.setattr(games, "_ADDED", {"other": dataclasses.replace(game_spec(), **about)})
    complaint = complaint_of(train(tmp_path / "run", game="other"))
    lacking = "train: Another Game has no network with a planner's prior yet; take --prior none\n"
    assert complaint == lacking
    assert not (tmp_path / "run").exists()


def test_a_missing_gpu_is_one_line(train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    complaint = complaint_of(train(tmp_path / "run", device="cuda"))
    assert "torch sees no GPU; take auto or cpu" in complaint
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "number"), [("256", 256), ("200_000", 200_000), ("2e5", 200_000), ("1e5", 100_000)]
)
def test_turns_may_be_written_in_several_ways(text: str, number: int, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["train", "--timesteps", text])
    assert parse(Arguments).timesteps == number


def test_a_run_that_was_killed_before_its_first_checkpoint_starts_again(
    run, train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """F8: in 0.6.0 such a folder could neither be started nor resumed."""
    out, killed = tmp_path / "run", SystemExit(137)
    command = partial(train, out, eval_deals=1, sample_games=1, eval_against="random")

    def kill(_run: run_module.Run) -> None:
        raise killed

    with monkeypatch.context() as patch:
        patch.setattr(run_module.Run, "_update", kill)
        assert command()[0] == 137
    (out / ".lock").write_text("process 1")  # as SIGKILL leaves it
    (out / "checkpoints").mkdir()
    (out / "checkpoints" / ".0000000128.zip.1.tmp").write_text("half a checkpoint")
    assert {"curve.json", "games", "tensorboard"} < {path.name for path in out.iterdir()}
    complaint = complaint_of(run("--resume", "--out", out))
    assert "holds no checkpoint" in complaint
    assert "without --resume the training starts" in complaint
    assert command()[0] == 0
    assert (out / "checkpoint.zip").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("games/0000000064.jsonl", ""),
        ("curve.json", '[{"turns": 64, "seconds": 1, "against": {}}]'),
        ("curve.json", "mine"),
        ("tensorboard/notes.txt", "mine"),
        ("checkpoints/best.zip", "mine"),
        (".notes.tmp", "mine"),
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
    for wrong, words in (
        (("--players", 3), "made for players 2, not 3"),
        (("--width", 16), "made for network {'width': 8}, not {'width': 16}"),
    ):
        assert words in complaint_of(run("--out", tmp_path, "--resume", "--timesteps", 999, *wrong))
    complaint = complaint_of(train(tmp_path / "other", width=16, start=tmp_path))
    assert "made for network {'width': 8}, not {'width': 16}" in complaint
    assert "raise --timesteps" in complaint_of(run("--out", tmp_path, "--resume"))


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("checkpoint.zip", Path.mkdir, "Is a directory; a run writes a file there"),
        ("curve.json", Path.mkdir, "Is a directory; a run writes a file there"),
        ("curve.png", os.mkfifo, "is not a regular file; a run writes a file there"),
        ("checkpoints", Path.touch, "is a file; a run takes it for a folder"),
        ("tensorboard", Path.touch, "is a file; a run takes it for a folder"),
    ],
)
def test_what_a_run_cannot_write_is_found_before_training(
    train, tmp_path: Path, name: str, make: Any, message: str
):
    make(tmp_path / name)
    complaint = complaint_of(train(tmp_path))
    assert f"{tmp_path / name}" in complaint
    assert message in complaint


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_found_before_a_run_is_resumed(run, train, tmp_path: Path, make: Any):
    """A pipe once waited for a reader, whatever signal came, and /dev/zero took the last save."""
    out = tmp_path / "run"
    assert train(out)[0] == 0
    (out / "checkpoint.zip").unlink()
    make(out / "checkpoint.zip")
    code, _, complaint = run("--out", out, "--resume", "--timesteps", 192)
    assert code == 2
    assert "checkpoint.zip: is not a regular file; a run writes a file there" in complaint


def test_a_checkpoint_of_another_run_is_not_resumed(run, train, tmp_path: Path):
    """A run for two players once went on for three, in the same folder."""
    two, three = tmp_path / "two", tmp_path / "three"
    assert train(two)[0] == 0
    assert train(three, players=3)[0] == 0
    shutil.copy(three / "checkpoint.zip", two)
    for _ in range(2):
        complaint = complaint_of(run("--out", two, "--resume", "--timesteps", 192))
        assert "made for players 3, but " in complaint
        assert " for 2; remove the one that is not of this run" in complaint
        (two / "checkpoint.zip").unlink(missing_ok=True)
        shutil.copy(three / "checkpoint.zip", two / "checkpoints/0000009999.zip")


def _react_to_ctrl_c() -> None:
    """Shells start background jobs, such as a whole test run, with Ctrl-C ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.nightly
def test_ctrl_c_saves_and_tells_where(tmp_path: Path):
    """In a process of its own, from another folder, by the door's path."""
    sizes = {"timesteps": 10**6, "processes": 2, "checkpoint_every": 640}
    command = [sys.executable, str(DOOR), *options(**sizes), "--out", "run"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_react_to_ctrl_c,
    ) as process:
        try:
            wait_for(tmp_path / "run" / "checkpoints" / "0000000640.zip", process)
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


def test_sigterm_saves_too(train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def terminate(report: Report, *_: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(Report, "update", terminate)
    before = signal.getsignal(signal.SIGTERM)
    code, _, complaint = train(tmp_path / "run")
    assert code == 143
    assert "interrupted; 64 turns are saved" in complaint
    assert read_description(tmp_path / "run" / "checkpoint.zip")["timesteps"] == 64
    assert signal.getsignal(signal.SIGTERM) == before


def test_evaluations_are_logged_and_do_not_disturb_training(train, tmp_path: Path):
    toy = {"timesteps": 400, "checkpoint_every": 200, "opponents": "random,past"}
    toy |= {"self_play": 0.3, "eval_against": "greedy,random"}
    assert train(tmp_path / "without", **toy)[0] == 0
    code, _, progress = train(tmp_path / "with", **toy, eval_deals=1)
    assert code == 0
    assert equal(weights(tmp_path / "with"), weights(tmp_path / "without"))
    found = progress.count("not exploring, wins of 2 games each: greedy ")
    assert found == 3  # the first before training
    logged = scalars(tmp_path / "with")
    for name in ("greedy", "random"):
        assert len(logged[f"eval/{name}_win_share"]) == 3
        assert len(logged[f"eval/{name}_score"]) == 3
        assert all(0 <= share <= 1 for share in logged[f"eval/{name}_win_share"])
    assert all(speed > 0 for speed in logged["time/turns_per_second"])
    assert logged["games/score"]
    for name in ("random", "past"):
        assert all(0 <= share <= 1 for share in logged[f"win_share/{name}"])
    assert "eval/greedy_win_share" not in scalars(tmp_path / "without")


def test_figures_of_updates_are_logged_now_and_then(
    train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(run_module, "_DIAGNOSE_EVERY", 2)
    assert train(tmp_path / "run", timesteps=256)[0] == 0
    logged = scalars(tmp_path / "run")
    for name in ("entropy/plan", "kl/place", "explained_variance/plan"):
        assert len(logged[name]) == 2


def scalars(out: Path) -> dict[str, list[float]]:
    """Returns what TensorBoard shows of a run."""
    log = EventAccumulator(str(out / "tensorboard"))
    log.Reload()
    return {tag: [event.value for event in log.Scalars(tag)] for tag in log.Tags()["scalars"]}


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    for _ in range(600):
        if path.exists() or process.poll() is not None:
            return
        time.sleep(0.1)


def test_what_was_learned_is_saved_when_an_opponent_fails(train, tmp_path: Path):
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
    for processes in (1, 2):
        out = tmp_path / str(processes)
        tired = {"opponents": f"{tmp_path}/tired.py:Tired", "self_play": 0.0, "timesteps": 10**6}
        code, _, complaint = train(out, **tired, processes=processes)
        turns = read_description(out / "checkpoint.zip")["timesteps"]
        assert code == 2
        assert turns > 0
        told = f"playing games failed: ValueError: too tired; {turns} turns are saved in {out}"
        assert complaint.splitlines()[-1].startswith(f"train: {told}")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "gonzaga_agents.training.options")
    monkeypatch.setitem(sys.modules, "gonzaga_agents.training", None)
    monkeypatch.setattr(sys, "argv", ["train"])
    with pytest.raises(ModuleNotFoundError):
        cli.train()  # a missing module of this project is not a missing extra
    code = """import sys
sys.modules["sb3_contrib"] = None
sys.argv = ["train.py"]
from gonzaga_agents import cli
sys.exit(cli.train())"""  # in its own process: modules imported twice would confuse other tests
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'sb3_contrib is not installed; run: pip install "gonzaga-env[train]"' in done.stderr


@pytest.mark.parametrize("remaining", [1.0, 0.5, 0.0, -1.0, -27.0])
def test_the_learning_rate_stays_positive_past_the_end(remaining: float) -> None:
    assert 1e-4 <= _learning_rate(1e-3, remaining) <= 1e-3
