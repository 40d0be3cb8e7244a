"""Commands that read what others wrote run no code that it names (`tests/test_readers.py` has the
readers themselves).
"""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gonzaga_agents.commands.train import TrainOptions, setup_of
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.play.evaluate import play_match
from gonzaga_agents.play.tournament import header_of, open_results
from gonzaga_agents.play.tournament_games import GameResult
from gonzaga_agents.registry import is_builtin, make_agent

from gonzaga_env import cli
from gonzaga_env.core import GameConfig
from gonzaga_env.kernel.agent import AgentError
from tests.agents.network.test_checkpoint import edit
from tests.kernel.small_games import AUCTION

CODE = ("evil.py:Evil", "evil:Evil", "cmd:touch ran", "search@4:evil.py:Evil", "any-edition:evil")
TRAIN = ("train", "--num-games", "2", "--timesteps", "8", "--eval-deals", "0")
COMMANDS = {
    "evaluate": ("evaluate", "run", "random", "--deals", "1", "--seed", "1"),
    "resume": (*TRAIN, "--out", "run", "--resume"),
    "start": (*TRAIN, "--out", "new", "--start", "run", "--players", "3"),
    "exploit": (*TRAIN, "--out", "new", "--exploit", "run"),
    "tournament": ("tournament", "random", "greedy", "--deals", "1", "--workers", "1"),
    "stats": ("stats", "games.jsonl"),
    "replay": ("replay", "games.jsonl"),
    "show": ("show", "games.jsonl", "--out", "game.html"),
}


@pytest.mark.parametrize("code", CODE)
def test_only_names_of_this_project_are_built_in(code: str) -> None:
    assert not is_builtin(code)
    for name in ("random", "planner", "search@4", "search@4:learned", "any-edition:learned"):
        assert is_builtin(name)


@pytest.mark.parametrize("prefix", ["", "any-edition:"])
def test_a_search_of_a_game_without_one_is_no_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("search.py").write_text("open('ran', 'w')")
    assert is_builtin("random", "auction")
    assert not is_builtin(f"{prefix}search:learned", "auction")
    with pytest.raises(AgentError, match="auction has no agent 'search'"):
        make_agent(f"{prefix}search:learned", AUCTION.config(2))
    assert not Path("ran").exists()


@pytest.mark.parametrize("folder", ["greedy,cmd:touch ran ", "cmd:touch ran "])
def test_the_name_of_a_folder_is_no_program(
    untrained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(folder).mkdir()
    shutil.copy(untrained, folder)
    setup = setup_of(TrainOptions(out=Path("new"), exploit=f"./{folder}"))
    assert setup.opponents == (str(setup.start),)
    for spec in (*setup.opponents, Path(folder)):
        assert isinstance(make_agent(spec, setup.config), NetworkAgent)


@pytest.fixture
def hostile(
    untrained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Returns a function that fills the current folder with files that name an agent."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    ran = "__import__('pathlib').Path('ran').touch()\n"
    Path("evil.py").write_text(f"{ran}class Evil:\n    def __init__(self, *_): {ran}")

    def fill(code: str) -> None:
        Path("run").mkdir()
        path = Path(shutil.copy(untrained, "run"))

        def name(about: bytes) -> bytes:
            found = json.loads(about)
            named = {"opponents": code, "start": code, "exploit": code}
            found |= {"opponents": [code], "arguments": found["arguments"] | named}
            return json.dumps(found).encode()

        edit(path, "gonzaga.json", name)
        header = header_of(GameConfig(2), 1)
        with open_results(Path("runs/tournament/games.jsonl"), header) as results:
            results.add([GameResult(0, 0, (code, "random"), (3, 2), (0,), 9)])
        with Path("games.jsonl").open("w") as file:
            play_match(
                GameConfig(2),
                ["random"],
                [0, 0],
                num_deals=1,
                seed=1,
                names=[code],
                on_records=lambda records: file.writelines(f"{json.dumps(r)}\n" for r in records),
            )

    return fill


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_code_that_a_file_names(
    hostile: Callable[[str], None], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile(CODE[0])
    code = cli.main(COMMANDS[command])
    assert code == (2 if command == "resume" else 0), capsys.readouterr().err
    assert not Path("ran").exists()
    assert "evil" not in sys.modules


@pytest.mark.parametrize("code", CODE)
def test_a_resumed_training_runs_none(
    hostile: Callable[[str], None], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile(code)
    assert cli.main(COMMANDS["resume"]) == 2
    assert "--opponents" in capsys.readouterr().err
    assert not Path("ran").exists()
