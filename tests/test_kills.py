"""Programs that write are killed in mid-run; the same command then continues, or reads its file."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.data import load
from gonzaga_agents.network.checkpoint import load_agent, read_description

from gonzaga_env.core import GameConfig, read_entries, verify

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).parent.parent
KILLS = 3
_TRAIN = "--timesteps 500 --players 2 --num-games 8 --eval-deals 0"


def start(words: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    """Starts `gonzaga` with some words in a folder, with processes of its own."""
    command = [sys.executable, "-m", "gonzaga_env", *words]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    """Kills a program and its processes, as the loss of power would."""
    with suppress(ProcessLookupError):  # it has ended
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def kill_some_times(words: Sequence[str], folder: Path, size: Callable[[], int]) -> None:
    """Kills a program whenever it has written more.

    Args:
        words: of the command.
        folder: where it runs.
        size: returns how much it has written.
    """
    rng, before = random.Random(0), 0
    for number in range(KILLS):
        process = start(words, folder)
        while size() <= before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.3))
        assert process.poll() is None or number, "it ended before it was killed"
        kill(process)
        before = size()


def finish(words: Sequence[str], folder: Path) -> None:
    """Runs a program to its end."""
    ended = start(words, folder)
    said, _ = ended.communicate(timeout=600)
    assert ended.returncode == 0, said


def bytes_in(folder: Path, pattern: str) -> int:
    """Returns the bytes of the files that match."""
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file())


def test_training_resumes(tmp_path) -> None:
    """It is killed between checkpoints, which are 100,000 turns apart, and where it saves one."""
    checkpoint, again = tmp_path / "run/checkpoint.zip", ["train", "--out", "run", "--resume"]
    finish(["train", *_TRAIN.split(), "--out", "run"], tmp_path)
    turns, rng = read_description(checkpoint)["timesteps"], random.Random(0)
    for more in (100_000, 1, 1):
        process = start([*again, "--timesteps", str(turns + more)], tmp_path)
        assert process.stdout is not None
        for line in process.stdout:
            if "turns:" in line:
                break
        time.sleep(rng.uniform(0, 0.5))
        kill(process)
        turns = read_description(checkpoint)["timesteps"]
        load_agent(checkpoint, GameConfig(2))
    finish([*again, "--timesteps", str(turns + 500)], tmp_path)
    assert read_description(checkpoint)["timesteps"] >= turns + 500


def test_records_of_a_match_are_whole_games(tmp_path) -> None:
    words = [
        "evaluate",
        "greedy",
        "random",
        "--players",
        "2",
        "--deals",
        "400",
        "--seed",
        "1",
        "--records",
        "games.jsonl",
    ]
    file = tmp_path / "games.jsonl"
    killed = start(words, tmp_path)
    while not file.exists() or file.stat().st_size < 10_000:
        time.sleep(0.01)
    kill(killed)
    assert all(reason is None for _, reason in verify(read_entries(file)))
    file.unlink()
    finish(words, tmp_path)
    assert len(file.read_text().splitlines()) == 800


def test_a_tournament_continues_and_ends_as_one_that_was_not_killed(tmp_path) -> None:
    words = [
        "tournament",
        "random",
        "greedy",
        "planner",
        "--players",
        "2",
        "--deals",
        "40",
        "--seed",
        "1",
        "--json",
        "--out",
    ]

    def size() -> int:
        return bytes_in(tmp_path / "killed", "*.jsonl")

    kill_some_times([*words, "killed"], tmp_path, size)
    for name in ("killed", "whole"):
        finish([*words, name], tmp_path)
    played = []
    for name in ("killed", "whole"):
        (results,) = (tmp_path / name).rglob("games.jsonl")
        games = [json.loads(line) for line in results.read_text().splitlines()[1:]]
        played.append(sorted(json.dumps(game) for game in games if "session" not in game))
    assert played[0] == played[1]


def test_a_data_set_continues_and_ends_as_one_that_was_not_killed(tmp_path) -> None:
    words = [
        "data",
        "write",
        "planner",
        "--players",
        "2",
        "--games",
        "3000",
        "--seed",
        "1",
        "--out",
    ]

    def size() -> int:
        return len([*tmp_path.glob("killed/*.jsonl")])

    kill_some_times([*words, "killed"], tmp_path, size)
    for name in ("killed", "whole"):
        finish([*words, name], tmp_path)
    actions = [
        np.concatenate([part["action"] for part in load(tmp_path / name, columns=["action"])])
        for name in ("killed", "whole")
    ]
    assert np.array_equal(*actions)


def test_a_table_keeps_every_move_that_it_confirmed(tmp_path) -> None:
    words = ["play", "--port", "0", "--no-open", "--data", "tables.sqlite"]
    made: dict[str, Any] = {}
    moves = 0
    for _ in range(KILLS):
        server = start(words, tmp_path)
        assert server.stdout is not None
        address = re.search(r"http://[^\s/?#]+", server.stdout.readline())
        assert address
        try:
            if not made:
                made = ask(
                    f"{address[0]}/api/tables",
                    asked={"edition": "europe", "num_players": 2, "seats": ["human", "greedy"]},
                )
            path, token = f"{address[0]}/api/tables/{made['table']}", made["seats"][0]["token"]
            position = ask(path, token)
            assert position["moves"] >= moves
            for _ in range(3):
                while position["turn"] is None:
                    position = ask(f"{path}?since={position['moves'] + 1}&wait=20", token)
                turn = position["turn"]
                action = (turn.get("plans") or turn["placements"])[0]["action"]
                move = {"move": position["moves"], "action": action}
                position = ask(f"{path}/moves", token, move)
                moves = max(moves + 1, move["move"] + 1)
        finally:
            kill(server)


def ask(address: str, token: str = "", asked: Any = None) -> Any:
    """Returns what a server answers."""
    body = None if asked is None else json.dumps(asked).encode()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(address, body, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())
