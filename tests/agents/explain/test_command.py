"""`python -m gonzaga_env explain`, as a user calls it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents import GreedyAgent

from gonzaga_env import draw_choices
from gonzaga_env.core import Engine, positions, read_records
from gonzaga_env.core.records import write_records
from tests.agents.conftest import output_of
from tests.conftest import Answer, complaint_of
from tests.core.test_records import record_games

Run = Callable[..., Answer]

AGENTS = """
import numpy as np
from gonzaga_agents import Considered

class Silent:
    def __init__(self, config): pass
    def act(self, observations, masks, rng): return masks.argmax(axis=1)

class Searcher(Silent):
    def consider(self, observation, mask, rng):
        first = np.flatnonzero(mask)[:2]
        unit = "expected share of the victory"
        return Considered(first, np.array([0.5, 0.25]), unit, np.array([900, 100]))

class Drawing(Silent):
    def consider(self, observation, mask, rng):
        return Considered(np.flatnonzero(mask)[:1], rng.random(1), "luck")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_records(tmp_path / "games.jsonl", record_games(Engine(2, 3, seed=1), 2))
    (tmp_path / "mine.py").write_text(AGENTS)
    return tmp_path / "games.jsonl"


@pytest.fixture
def run(file: Path, gonzaga: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Returns a function that explains a move."""
    monkeypatch.chdir(file.parent)

    def call(game: object, move: object, agent: str, *more: object) -> Answer:
        return gonzaga("explain", file, "--game", game, "--move", move, "--agent", agent, *more)

    return call


def position(file: Path, game: int, move: int) -> tuple[Engine, str]:
    """Returns the position before a move, counted from 1, and the text of the move."""
    record = list(read_records(file))[game - 1]
    engine = Engine(1, 3)
    engine.state = list(positions(record))[move - 1]
    return engine, record["moves"][move - 1]["action"]


def test_names_do_not_command_the_terminal(run: Run, file: Path) -> None:
    """F9: 0.6.0 printed an agent's name as the record has it."""
    record = next(read_records(file))
    write_records(file, [record | {"agents": ["\x1b[2J\x9b31m[red]"] * 3}])
    out = output_of(run(1, 4, "greedy"))
    assert "(\ufffd[2J\ufffd31m[red])" in out
    assert out.replace("\n", "").isprintable()


@pytest.mark.parametrize("move", [1, 3, 4, 41, 72])
def test_it_shows_what_the_agent_considers_in_words(run: Run, file: Path, move: int) -> None:
    out = output_of(run(2, move, "greedy", "--top", 1000))
    engine, played = position(file, 2, move)
    seen = engine.observe()[0], engine.legal_action_mask()[0]
    found = GreedyAgent(engine.config).consider(*seen, np.random.default_rng(0))
    rows = re.findall(r"^[> ] +\d+ +(-?[\d.]+)  (.*(?:\n {9,}.*)*)", out, re.MULTILINE)
    assert [float(value) for value, _ in rows] == [round(value, 1) for value in found.values]
    texts = [" ".join(text.split()) for _, text in rows]
    assert texts == [engine.describe(int(action)) for action in found.actions]
    assert f"move {move}: round {engine.state.round[0]}" in out
    assert f"seat {engine.seats[0]} (" in out
    assert len(re.findall(r"^> ", out, re.MULTILINE)) == 1
    assert f"played: {engine.describe(engine.actions.parse(played))}" in " ".join(out.split())


def test_the_move_played_is_marked_and_judged(run: Run, file: Path) -> None:
    for move in range(4, 30, 2):
        engine, played = position(file, 1, move)
        _, out, _ = run(1, move, "greedy", "--top", 3)
        marked = re.search(r"^> +(\d+) +-?[\d.]+  (.*)$", out, re.MULTILINE)
        action = engine.actions.parse(played)
        assert marked[2] == engine.describe(action)
        assert f"the move played is number {marked[1]}" in out
        assert out.count("\n  ...\n") == (int(marked[1]) > 4)
        assert len(out.split("choice\n")[1].splitlines()) <= 5


def test_lines_fit_80_columns(run: Run) -> None:
    for move in (*range(1, 8), 40, 72):
        assert max(map(len, run(1, move, "greedy")[1].splitlines())) <= 80


def test_the_choices_are_drawn_where_a_file_is_named(run: Run, file: Path) -> None:
    plain = run(1, 41, "greedy")[1]
    for name in ("choices.svg", "choices.png"):
        out = output_of(run(1, 41, "greedy", "--picture", name, "--top", 10))
        assert out == f"{plain}\nwrote {name}\n"
    record = next(read_records(file))
    drawn = draw_choices(record, "greedy", move=40)
    assert (file.parent / "choices.svg").read_text("utf-8") == drawn.svg
    assert (file.parent / "choices.png").read_bytes().startswith(b"\x89PNG")
    told = complaint_of(run(1, 41, "greedy", "--picture", "choices.bmp"))
    assert "'choices.bmp' ends in none of .svg, .png" in told


def test_an_agent_of_ones_own_may_count_playouts(run: Run) -> None:
    out = output_of(run(1, 1, "mine.py:Searcher"))
    assert "values: expected share of the victory" in out
    assert "value  playouts  choice" in out
    assert re.search(r"1  0\.500 +900  ", out)


def test_the_seed_decides_what_the_agent_draws(run: Run) -> None:
    assert run(1, 1, "mine.py:Drawing") == run(1, 1, "mine.py:Drawing", "--seed", 0)
    assert run(1, 1, "mine.py:Drawing") != run(1, 1, "mine.py:Drawing", "--seed", 1)


def test_a_move_outside_the_choices_is_said_to_be_so(run: Run, file: Path) -> None:
    outs = [run(1, move, "mine.py:Searcher")[1] for move in range(1, 12)]
    outside = [out for out in outs if "the move played is not among them" in out]
    assert outside
    assert all(not re.search("^> ", out, re.MULTILINE) for out in outside)


def test_later_moves_are_not_verified_but_those_up_to_the_move_are(run: Run, file: Path) -> None:
    record = next(read_records(file))
    record["moves"][5]["points"] += 1
    file.write_text(json.dumps(record) + "\n", "utf-8")
    assert run(1, 5, "greedy")[0] == 0
    for move in (6, 7):
        assert "game 1: move 6, points" in complaint_of(run(1, move, "greedy"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        *((content, "") for content in ("{}", '{"moves": []}', '{"moves": [{}]}', "[]", "{", "")),
        ('{"tournament": 1, "seed": 0}\n', "game 1: not a record: it has no list of moves"),
    ],
)
def test_files_without_games_are_one_line(run: Run, file: Path, content: str, words: str) -> None:
    file.write_text(content)
    assert words in complaint_of(run(1, 1, "greedy"))


def test_a_missing_extra_is_one_line(file: Path) -> None:
    (file.parent / "policy.zip").touch()
    arguments = ["explain", "games.jsonl", "--game=1", "--move=1", "--agent=policy.zip"]
    code = f"""
import sys
sys.modules["torch"] = None  # as if it were not installed
from gonzaga_env import draw_choices
from gonzaga_env.__main__ import main
sys.exit(main({arguments}))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=file.parent, check=False
    )
    told = complaint_of((done.returncode, done.stdout, done.stderr))
    assert 'torch is not installed; run: pip install "gonzaga-env[train]"' in told


def test_the_environment_does_not_import_the_agents() -> None:
    code = "import sys, gonzaga_env.__main__; sys.exit('gonzaga_agents' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
