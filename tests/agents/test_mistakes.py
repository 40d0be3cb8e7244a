"""A mistake at a command is one line with exit code 2, and makes nothing."""

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Answer, complaint_of

# Words that keep a training short if no mistake is found.
RUN = "--num-games 4 --timesteps 64 --out new"
ALWAYS = {"train": f"--players 2 {RUN}", "exploit": f"{RUN} --eval-deals 0 --exploit"}
VERBS = {"exploit": "train"}

# The command, and words of its line.
MISTAKES = [
    ("evaluate", "no agent is named"),
    ("evaluate gready random", "'gready'"),
    ("evaluate random random random random random", "5 agents are named"),
    ("evaluate random random random --players 2", "3 agents"),
    ("evaluate random --players 7", "players is 7"),
    ("evaluate random --deals 0", "deals is 0"),
    ("evaluate random --deals 1000001", "deals is 1000001"),
    ("evaluate random --seed -1", "seed is -1"),
    ("evaluate random --edition atlantis", "atlantis"),
    ("evaluate random --scenario Nobody", "'Nobody'"),
    ("evaluate random --rules first_check_round=13", "first_check_round"),
    ("evaluate random --records no/such/folder/games.jsonl", "records"),
    ("evaluate random --records .", "records"),
    ("evaluate broken.zip random", "broken.zip"),
    ("evaluate run random", "run holds no checkpoint"),
    ("evaluate random --deals many", "'many' is not a whole number"),
    ("evaluate random --deal 3", "did you mean --deals?"),
    ("evaluate random sys:exit --deals 1", "sys:exit cannot be built"),
    ("tournament", "no agent is named"),
    ("tournament random", "only random is named"),
    ("tournament random greedy random", "random is named twice"),
    ("tournament random greedy --players 7", "players is 7"),
    ("tournament random greedy --deals 3,0 --players 2 3", "deals is 0"),
    ("tournament random greedy --deals 3,4", "deals is 3,4"),
    ("tournament random greedy --tables 0", "tables is 0"),
    ("tournament random greedy --workers 0", "workers is 0"),
    ("tournament random greedy --out broken.zip", "is a file; --out takes a folder"),
    ("tournament random .", "holds no checkpoint"),
    ("tournament random greedy --until-decided --tables 3", "leave out --tables"),
    ("tournament random greedy x:Y --until-decided", "3 agents are named for 2 players"),
    ("train --players 5", "num_players is 5"),
    ("train --num-games 0", "num_games is 0"),
    ("train --opponents nobody", "no agent 'nobody'"),
    ("train --opponents no_such_module:Mine", "no module 'no_such_module'"),
    ("train --timesteps inf", "'inf' is not a whole number"),
    ("train --reward glory", "'glory'"),
    ("train --entropy 0.3 0.2 0.1", "entropy is (0.3, 0.2, 0.1)"),
    ("train --entropy nan", "entropy is (nan,)"),
    ("train --self-play nan", "self_play is nan"),
    ("train --game chess", "game is 'chess'"),
    ("train --preset huge", "'huge'"),
    ("train --start nowhere", "start is 'nowhere'"),
    ("train --rules first_check_round", "it takes NAME=VALUE"),
    ("train --out broken.zip", "broken.zip"),
    ("exploit greedy", "exploit is 'greedy'; it takes a checkpoint"),
    ("exploit three.zip --opponents greedy", "opponents is given with exploit"),
    ("exploit three.zip --players 2", "made for players 3, not 2"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, untrained: Path) -> Path:
    """Returns a folder with a policy for three players, and broken things."""
    folder = tmp_path_factory.mktemp("files")
    shutil.copy(untrained, folder / "three.zip")
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 cut short")
    (folder / "run/tensorboard").mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("command", "folder"),
    [("tournament random greedy", "runs"), ("train", "runs/ppo"), ("solve mini-a2", "runs/solve")],
)
def test_no_default_folder_is_behind_a_link(
    gonzaga: Callable[..., Answer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    folder: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine/tournament").mkdir(parents=True)
    Path(folder).parent.mkdir(exist_ok=True)
    Path(folder).symlink_to(Path("mine").absolute())
    assert f"{folder}: is a symbolic link" in complaint_of(gonzaga(*command.split()))
    assert [*Path("mine").rglob("*")] == [Path("mine/tournament")]


@pytest.mark.parametrize(("command", "words"), MISTAKES)
def test_a_mistake_is_one_line_and_makes_nothing(
    gonzaga: Callable[..., Answer],
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    words: str,
) -> None:
    monkeypatch.chdir(files)
    name, *given = shlex.split(command)
    before, verb = sorted(files.rglob("*")), VERBS.get(name, name)
    told = complaint_of(gonzaga(verb, *shlex.split(ALWAYS.get(name, "")), *given))
    assert told.startswith(f"gonzaga {verb}: ")
    assert words in told
    assert not set(told) & set("│╭╰─")
    assert sorted(files.rglob("*")) == before
