"""Every reader of files refuses damaged ones by a typed error, in bounded time and memory.

What it accepts, it reads the same again. No content of a file names code that runs.
"""

import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.data import load, write_games
from gonzaga_agents.network.checkpoint import load_agent
from gonzaga_agents.network.learned import load_learned, policy_folder
from gonzaga_agents.play.bench import PlayedGame, Row, find_task, new_row
from gonzaga_agents.play.tournament import header_of, read_results
from gonzaga_agents.solve.solution import SHIPPED, Solution
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gonzaga_env.core import Engine, GameConfig, State, load_edition, read_entries, verify
from gonzaga_env.core.edition import EDITIONS
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.show.game import load_game
from gonzaga_env.stats import read_games
from gonzaga_env.text import action_text, parse_action
from tests.golden.regenerate import FILE as RECORDS
from tests.zips import write_zip

ROOT = Path(__file__).parent.parent
#: The path of a valid file, and what reads a file.
Reader = tuple[Path, Callable[[Path], Any]]
MOST_SECONDS, MOST_BYTES = 5.0, 2**30  # of one file
CONFIG, TWO = GameConfig(2, scenario="Gutenberg"), GameConfig(2)
NUMBERS = [b"0", b"-1", b"1e999", b"9" * 400, b"NaN", b'"', b"[" * 3000, b"\x00", b"\xff" * 9]
NAMING = ("records", "checkpoint", "policy", "results", "data set", "bench")  # they name agents
CODE = ("cmd:touch ran", "evil.py:Evil", "evil:Evil")


@contextmanager
def limited() -> Iterator[None]:
    """Lets what runs take `MOST_BYTES` more than now and `MOST_SECONDS` of the processor."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + MOST_BYTES
    began = time.process_time()
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert time.process_time() - began < MOST_SECONDS


@pytest.fixture(scope="module")
def readers(tmp_path_factory) -> dict[str, Reader]:
    """Returns the readers by the name of their format, with a file for each."""
    folder = tmp_path_factory.mktemp("valid")
    engine = Engine.from_config(TWO, 1)
    (folder / "state").write_bytes(engine.state.to_bytes())
    train = ["train.py", "--timesteps", "64", "--players", "2", "--num-games", "2"]
    train += ["--eval-deals", "0", "--out", str(folder / "run")]
    subprocess.run([sys.executable, *train], cwd=ROOT, check=True, capture_output=True)
    games = folder / "games"
    write_games(CONFIG, ["random"], games, 4, seed=0)
    header = header_of(CONFIG, 0)
    game = {"agents": ["a", "b"], "scores": [9, 7], "winners": [0], "rounds": 8}
    lines = [header, *({"deal": deal, "rotation": deal % 2, **game} for deal in range(4))]
    (folder / "results").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    task = find_task("gonzaga/2p")
    played_games = {opponent: [PlayedGame([0, 1], False)] * 4 for opponent in task.field}
    row = replace(new_row(task, "report", 2, "random"), games=played_games)
    row.write(folder / "row.json")
    policies = policy_folder("gonzaga")
    small = GameConfig(2, edition="mini-a2")
    return {
        "records": (RECORDS, lambda path: [*verify(read_entries(path))]),
        **{
            f"edition {path.name}": (path, partial(edition_with, folder / "edition"))
            for path in sorted((EDITIONS / "europe").glob("*.toml"))
        },
        "state": (folder / "state", lambda path: State.from_bytes(path.read_bytes())),
        "checkpoint": (folder / "run/checkpoint.zip", partial(played, load_agent)),
        "policy": (policies / "players_2.json", partial(policy_with, folder / "policy")),
        "weights": (
            policies / "players_2.weights.npz",
            partial(policy_with, folder / "policy"),
        ),
        "solution": (SHIPPED / "mini-a2.npz", lambda path: str(vars(Solution.load(path, small)))),
        "results": (folder / "results", lambda path: read_results(path, header).games),
        "data set": (
            games / "00000.jsonl",
            lambda path: [{n: list(map(str, c)) for n, c in part.items()} for part in load(path)],
        ),
        "bench": (folder / "row.json", lambda path: vars(Row.read(path))),
    }


FORMATS = [
    "records", "edition board.toml", "edition fiefs.toml", "edition objectives.toml",
    "edition scenarios.toml", "state", "checkpoint", "policy", "weights", "solution",
    "results", "data set", "bench",
]  # fmt: skip


def edition_with(folder: Path, path: Path) -> Any:
    """Reads the edition of Europe with another file of the same name."""
    shutil.copytree(EDITIONS / "europe", folder, dirs_exist_ok=True)
    shutil.copy(path, folder / path.name)
    return load_edition(folder)


def policy_with(folder: Path, path: Path) -> Any:
    """Plays the policy that ships with another file of the same name."""
    shutil.copytree(policy_folder("gonzaga"), folder, dirs_exist_ok=True)
    shutil.copy(path, folder / path.name)
    about = folder / "players_2.json"
    if path.suffix == ".npz":  # its digest is in the description
        described = json.loads(about.read_text())
        about.write_text(json.dumps(described | {"sha256": sha256(path.read_bytes()).hexdigest()}))
    return played(lambda _, config: load_learned(config, folder), path)


def played(load_from: Callable[[Path, Any], Any], path: Path) -> Any:
    """Returns an agent's action in the first position."""
    engine, agent = Engine.from_config(TWO, 1, seed=3), load_from(path, TWO)
    rng = np.random.default_rng(0)
    return agent.act(engine.observe(), engine.legal_action_mask(), rng).tolist()


@st.composite
def damaged(draw: Any, valid: bytes) -> bytes:
    """Draws arbitrary bytes, or a file with up to four changes."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.binary(max_size=2000))
    content = valid
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from([0, 1, 2, 4, 30, 1000])))
        new = draw(st.one_of(st.binary(max_size=8), st.sampled_from(NUMBERS)))
        number = re.search(rb"\d+", content[start:])
        if number and draw(st.booleans()):  # a number, rather than any place
            start, end = start + number.start(), start + number.end()
        kind = draw(st.sampled_from(["replace", "cut off", "repeat"]))
        if kind == "replace":
            content = content[:start] + new + content[end:]
        elif kind == "cut off":
            content = content[:start]
        else:
            content = content[:end] + content[start:end] * draw(st.integers(1, 50)) + content[end:]
    return content


def try_to_read(reader: Reader, content: bytes, folder: Path) -> None:
    """Reads a file of some content twice; it is refused, or the same both times."""
    valid, read_file = reader
    path = folder / valid.name
    path.write_bytes(content)
    found: list[Any] = []
    for _ in range(2):
        with limited():
            try:
                found.append(str(read_file(path)))
            except GameError as error:
                found.append(type(error))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "examples", [15, pytest.param(2000, marks=pytest.mark.nightly)], ids=["few", "many"]
)
@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_are_refused_or_read_alike(name, examples, readers, tmp_path) -> None:
    file, read_file = readers[name]
    assert read_file(file) is not None

    @settings(max_examples=examples, deadline=None, suppress_health_check=[*HealthCheck])
    @given(damaged(file.read_bytes()))
    def read(content: bytes) -> None:
        try_to_read(readers[name], content, tmp_path)

    read()


@pytest.mark.parametrize("make", [os.mkfifo, partial(os.symlink, "/dev/zero")])
def test_pipes_and_devices_are_not_waited_for(make, tmp_path) -> None:
    path = tmp_path / "games.jsonl"
    make(path)
    reads = [lambda: next(load(tmp_path)), lambda: next(read_games(tmp_path))]
    reads += [lambda: load_game(tmp_path, 1)]
    reads += [partial(game_spec(game).config, edition=path) for game in ("tuscany", "signorie")]
    for read in reads:
        with pytest.raises(GameError, match="is not a regular file"):
            read()


@pytest.mark.parametrize("game", game_names())
def test_texts_of_actions_are_refused_or_played(game) -> None:
    spec = game_spec(game)
    playing = spec.game.from_config(spec.config(2), 1)
    legal = action_text(playing, int(playing.mask().nonzero()[0][0]))

    @settings(max_examples=100, deadline=None)
    @given(st.one_of(st.text(), damaged(f'I say "{legal}".\n{{"action": "{legal}"}}'.encode())))
    def read(text: str | bytes) -> None:
        said = text if isinstance(text, str) else text.decode(errors="replace")
        with limited():
            try:
                assert playing.is_legal(parse_action(playing, said))
            except GameError:
                return

    read()


@pytest.mark.parametrize(
    "name", ["records", "checkpoint", "policy", "results", "data set", "bench"]
)
@pytest.mark.parametrize("code", CODE)
def test_no_content_of_a_file_names_code_that_runs(
    name, code, readers, tmp_path, monkeypatch
) -> None:
    """Texts of a file become the name of code, one after another and all at once."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    ran = "__import__('pathlib').Path('ran').touch()\n"
    (tmp_path / "evil.py").write_text(f"{ran}class Evil:\n    def __init__(self, *_): {ran}")
    file, read_file = readers[name]
    path = tmp_path / file.name
    for content in poisoned(file.read_bytes(), code):
        path.write_bytes(content)
        with suppress(GameError):
            read_file(path)
        assert not (tmp_path / "ran").exists()
    assert "evil" not in sys.modules


def poisoned(valid: bytes, code: str) -> Iterator[bytes]:
    """Yields the file with texts replaced; of a zip, those of its members of text."""
    if valid.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(valid)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        for name in members:
            if name.endswith((".json", ".txt")):
                for content in poisoned(members[name], code):
                    yield write_zip({**members, name: content}.items())
        return
    texts = re.compile(rb'(?<=[:\[=,])(\s*)"[^"]*"')
    new = f'"{code}"'.encode()
    yield texts.sub(lambda found: found[1] + new, valid)
    places = [*texts.finditer(valid)]
    for found in places[:: 1 + len(places) // 10]:
        yield valid[: found.start()] + found[1] + new + valid[found.end() :]
