"""What all commands do alike: --help, --version, and one line for a mistake, that makes nothing."""

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from gonzaga_agents.search import fit_value

from gonzaga_env.command_line import run_command as run_main
from gonzaga_env.core import Engine
from gonzaga_env.core.records import write_records
from gonzaga_env.version import __version__
from tests.agents.conftest import MAINS
from tests.core.test_records import record_games


class Command(NamedTuple):
    """How a command is called.

    Attributes:
        main: runs it with `sys.argv`.
        named: what its complaints begin with; its own name where none is given.
        always: words before all others: files, and what keeps it short if no mistake is found.
    """

    main: Callable[[], int]
    named: str = ""
    always: str = ""


RUN = "--num-games 4 --timesteps 64 --out new"
FIT = "python -m gonzaga_agents.search.fit_value"
COMMANDS = {
    "evaluate": Command(MAINS["evaluate"]),
    "tournament": Command(MAINS["evaluate"], "evaluate: ", "--tournament"),
    "train": Command(MAINS["train"], "", f"--players 2 --minibatch 32 --width 8 {RUN}"),
    "exploit": Command(MAINS["train"], "train: ", f"--eval-deals 0 {RUN} --exploit"),
    "dataset": Command(MAINS["dataset"]),
    "fit_value": Command(lambda: run_main(FIT, fit_value.main), f"{FIT}: ", "--out new"),
    "export": Command(MAINS["export"]),
}

# The command, and words of its line; a name that --help might explain is enough.
MISTAKES = [
    ("evaluate", "no agent is named"),
    ("evaluate gready random", "'gready'"),
    ("evaluate random random random random random", "5 agents are named for 4 players"),
    ("evaluate random random random --players 2", "3 agents"),
    ("evaluate random --players 7", "players is 7"),
    ("evaluate random --deals 0", "deals is 0"),
    ("evaluate random --seed -1", "seed is -1"),
    ("evaluate random --edition atlantis", "atlantis"),
    ("evaluate random --scenario Nobody", "'Nobody'"),
    ("evaluate random --records no/such/folder/games.jsonl", "records"),
    ("evaluate random --records .", "records"),
    ("evaluate random --records /dev/null", "records"),
    ("evaluate broken.zip random", "broken.zip"),
    ("evaluate run random", "run holds no checkpoint"),
    ("evaluate random --deals many", "'many' is not a whole number"),
    ("evaluate random --deals 1.5", "write 200000, 200_000 or 2e5"),
    ("evaluate random --deals 1.5", "(--help lists the options)"),
    ("evaluate random --seed many", "--seed"),
    ("evaluate random --deals", "--deals"),
    ("evaluate random --no-such-option", "--no-such-option"),
    ("evaluate random --deal 3", "did you mean --deals?"),
    ("tournament", "no agent is named"),
    ("tournament random", "only random is named"),
    ("tournament random greedy random", "random is named twice"),
    ("tournament random gready", "'gready'"),
    ("tournament random greedy --players 7", "players is 7; it takes numbers of 2, 3, 4"),
    ("tournament random greedy --players two", "players is two"),
    ("tournament random greedy --players", "players is nothing"),
    ("tournament random greedy --deals 0", "deals is 0"),
    ("tournament random greedy --deals 3,0 --players 2 3", "deals is 0"),
    ("tournament random greedy --deals 3,4", "deals is 3,4; it takes one number, or one for"),
    ("tournament random greedy --tables 0", "tables is 0"),
    ("tournament random greedy --workers 0", "workers is 0"),
    ("tournament random greedy --seed -1", "seed is -1"),
    ("tournament random greedy --tabels 3", "did you mean --tables?"),
    ("tournament random greedy --deals many", "'many' is not a whole number"),
    ("tournament random greedy --edition atlantis", "atlantis"),
    ("tournament random greedy --scenario Nobody", "'Nobody'"),
    ("tournament random greedy --out broken.zip", "is a file; --out takes a folder"),
    ("tournament random broken.zip", "broken.zip"),
    ("tournament random .", "holds no checkpoint"),
    ("tournament random greedy --until-decided --tables 3", "leave out --tables"),
    ("tournament random greedy x:Y --until-decided", "3 agents are named for 2 players"),
    ("train --players 5", "num_players is 5"),
    ("train --num-games 0", "num_games is 0"),
    ("train --opponents nobody", "no agent 'nobody'"),
    ("train --opponents no_such_module:Mine", "no module 'no_such_module'"),
    ("train --timesteps 1.5", "'1.5' is not a whole number"),
    ("train --timesteps inf", "'inf' is not a whole number"),
    ("train --no-such-option 1", "--no-such-option"),
    ("train --reward glory", "'glory'"),
    ("train --eval-deals -1", "eval_deals is -1"),
    ("train --opponents bob", "--opponents also takes past"),
    ("train --imitate -1", "imitate is -1"),
    ("train --minibatch 0", "minibatch is 0"),
    ("train --minibatch 1", "minibatch is 1"),
    ("train --width 7", "width is 7; it takes 8 or more"),
    ("train --self-play 1.1", "self_play is 1.1; it takes 0 to 1"),
    ("train --self-play -0.1", "self_play is -0.1"),
    ("train --self-play nan", "self_play is nan"),
    ("train --game chess", "game is 'chess'"),
    ("train --preset huge", "'huge'"),
    ("train --start nowhere", "start is 'nowhere'"),
    ("train --start greedy", "start is 'greedy'"),
    ("train --edition nowhere", "nowhere"),
    ("train --scenario Nobody", "no scenario 'Nobody'"),
    ("train --timesteps 0", "timesteps is 0"),
    ("train --rules first_check_round", "rules is 'first_check_round'; it takes NAME=VALUE"),
    ("train --seed -1", "seed is -1"),
    ("dataset", "write, parquet or minari has to come first"),
    ("dataset wrote", "not 'wrote'"),
    ("dataset write random --games 3", "out"),
    ("dataset write random --games 3 --out x --playerz 2", "did you mean --players?"),
    ("dataset write nobody --games 4 --out x", "there is no agent 'nobody'"),
    ("dataset write random --games 4 --out x --players 9", "players is 9"),
    ("dataset parquet nowhere --out x", "there is no such folder"),
    *(
        (f"{command} --deals {deals}", f"deals is {deals}; it takes 1,000,000 or less")
        for command in ("evaluate random", "tournament random greedy --until-decided")
        for deals in ("1000001", "1000000000000")
    ),
    ("train --prior none --imitate 64", "imitate is given with prior none, which learns from its"),
    ("train --prior greedy", "prior"),
    ("train --out broken.zip", "broken.zip"),
    ("exploit greedy", "exploit is 'greedy'; it takes a checkpoint"),
    ("exploit search@8", "exploit is 'search@8'; it takes a checkpoint"),
    ("exploit three.zip --opponents greedy", "opponents is given with exploit"),
    ("exploit three.zip --self-play 0.5", "self_play is given with exploit"),
    ("exploit three.zip --players 2", "made for players 3, not 2"),
    ("exploit three.zip --width 32", "made for network {'width': 16}, not {'width': 32}"),
    ("fit_value --playres 2", f"unrecognized arguments: --playres 2 (see {FIT} --help)"),
    ("fit_value --games 9", "games is 9; it takes 10 or more"),
    ("fit_value --game gonzaga", "this fits the value of an agent 'search'"),
    ("export nowhere", "there is no run 'nowhere'; give the folder of a training run"),
    ("export random", "there is no run 'random'"),
    ("export", "run"),
    ("export three.zip --out broken.zip", "is a file; --out takes a folder"),
    ("export three.zip --ouf x", "did you mean --out?"),
    ("export games.jsonl", "is not a readable zip"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, untrained: Path) -> Path:
    """Returns a folder with two games, a policy for three players, and broken things."""
    folder = tmp_path_factory.mktemp("files")
    write_records(folder / "games.jsonl", record_games(Engine(2, 3, seed=1), 2))
    shutil.copy(untrained, folder / "three.zip")
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 cut short")
    (folder / "run/tensorboard").mkdir(parents=True)
    return folder


@pytest.fixture
def folder(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the current folder, with these files."""
    monkeypatch.chdir(files)
    return files


@pytest.mark.parametrize(("command", "words"), MISTAKES)
def test_a_mistake_is_one_line_and_makes_nothing(
    call: Callable[..., tuple[int, str, str]], folder: Path, command: str, words: str
) -> None:
    name, *given = shlex.split(command)
    called, before = COMMANDS[name], sorted(folder.rglob("*"))
    code, out, err = call(called.main, *shlex.split(called.always), *given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(called.named or f"{name}: ")
    assert words in err
    assert not set(err) & set("│╭╰─")
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("evaluate", "--deals --version"),
        ("tournament", "--until-decided --tables --workers"),
        ("train", "--resume --preset --version"),
        ("dataset", "write parquet minari"),
    ],
)
def test_help_says_what_there_is(
    call: Callable[..., tuple[int, str, str]], command: str, words: str
) -> None:
    called = COMMANDS[command]
    code, out, err = call(called.main, *shlex.split(called.always), "--help")
    assert (code, err) == (0, "")
    assert all(word in out for word in words.split())
    assert "--records" not in out or command == "evaluate"
    assert call(called.main, "--version") == (0, f"gonzaga-env {__version__}\n", "")
