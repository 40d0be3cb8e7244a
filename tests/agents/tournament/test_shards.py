"""Shares of a tournament: joined, they give the table of the whole; what does not fit is named."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from gonzaga_agents.cli import evaluate

from tests.agents.conftest import output_of
from tests.conftest import complaint_of

AGENTS = ("random", "mine.py:First", "mine.py:Last")
DEALS = ("--tournament", "--deals", 12, "--players", 2, "--date", "2026-11-22", "--commit", "x")
COMMON = (*DEALS, "--seed", 2**70, "--processes", 1)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(agents: Path, call: Run) -> Run:
    """Returns a function that runs the command in a folder with agents and small chunks."""
    return partial(call, evaluate)


@pytest.fixture
def shards(run: Run) -> list[str]:
    """Returns the folders of three shards."""
    for number, folder in enumerate("abc", start=1):
        out = output_of(run(*AGENTS, *COMMON, "--out", folder, "--shard", f"{number}/3"))
        assert f"{folder}/games.jsonl holds the " in out
    return [*"abc"]


def games(folder: str) -> list[str]:
    return sorted(Path(folder, "games.jsonl").read_text().splitlines())


def test_three_shards_give_the_table_of_the_whole(run: Run, shards: list[str]) -> None:
    merged = run(*AGENTS, *COMMON, "--json", "--out", "whole", "--merge", *shards)
    alone = run(*AGENTS, *COMMON, "--json", "--out", "alone")
    assert merged == alone
    assert alone[0] == 0
    assert games("whole") == games("alone")
    for name in ("standings.json", "standings.png"):
        assert Path("whole", name).read_bytes() == Path("alone", name).read_bytes()
    assert {len(games(folder)) for folder in shards} == {2 + 24}, "the shares are even"


def test_missing_games_are_named_and_those_that_are_there_are_kept(
    run: Run, shards: list[str]
) -> None:
    err = complaint_of(run(*AGENTS, *COMMON, "--out", "whole", "--merge", "a", "c"))
    missing = len(games("b")) - 2
    assert f"{missing} of 72 games are missing, the first is deal 0, rotation 0 of " in err
    assert run(*AGENTS, *COMMON, "--out", "whole", "--merge", "b")[0] == 0
    assert games("whole") == sorted({*games("a"), *games("b"), *games("c")})


def test_the_seed_of_the_shards_is_that_of_the_whole(run: Run, shards: list[str]) -> None:
    given = (*DEALS, "--processes", 1, "--json", "--out", "whole", "--merge", *shards)
    out = output_of(run(*AGENTS, *given))
    assert json.loads(out)
    assert f'"seed": {2**70}' in Path("whole/games.jsonl").read_text()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"seed": 1180591620717411303424', '"seed": 5', "was made for seed 5, not 118"),
        ('"gonzaga_env": "', '"gonzaga_env": "1', "was made for gonzaga_env 1"),
        ("mine.py:First#", "mine.py:First#f", "which is not an agent here"),
        ('"rotation": 1', '"rotation": 9', ": rotation is 9"),
        ('"deal": 0', '"deal": ', "b/games.jsonl, line 3: "),
        ('"deal": 1,', f'"deal": {10**30},', "deal is 1000000000000000000000000000000"),
        ('"scores": [', f'"scores": [{10**18}, ', "scores takes an integer for each agent"),
        ('"winners": [0]', '"winners": [0, 0]', "winners names a seat twice: [0, 0]"),
    ],
)
def test_foreign_and_broken_shards_are_refused(
    run: Run, shards: list[str], old: str, new: str, words: str
) -> None:
    path = Path("b/games.jsonl")
    content = path.read_text()
    assert old in content
    path.write_text(content.replace(old, new))
    err = complaint_of(run(*AGENTS, *COMMON, "--out", "whole", "--merge", *shards))
    assert err.startswith("evaluate: b/games.jsonl")
    assert words in err
    assert not Path("whole").exists()


@pytest.mark.parametrize("points", [10**18, -(10**18), 10**400], ids=["many", "few", "huge"])
def test_points_that_no_game_gives_are_refused(run: Run, shards: list[str], points: int) -> None:
    path = Path("b/games.jsonl")
    *lines, last = path.read_text().splitlines(keepends=True)
    game = json.loads(last)
    game["scores"][game["winners"][0]] = max(points, max(game["scores"]))
    game["scores"][1 - game["winners"][0]] = min(points, 0)
    path.write_text("".join([*lines, json.dumps(game) + "\n"]))
    err = complaint_of(run(*AGENTS, *COMMON, "--out", "whole", "--merge", *shards))
    assert f"b/games.jsonl, line {len(lines) + 1}: scores is " in err
    assert not Path("whole").exists()


def test_shards_that_contradict_each_other_are_refused(run: Run, shards: list[str]) -> None:
    lines = Path("a/games.jsonl").read_text().splitlines(keepends=True)
    other = lines[-1].replace('"rounds": ', '"rounds": 1')
    Path("b/games.jsonl").write_text(Path("b/games.jsonl").read_text() + other)
    err = complaint_of(run(*AGENTS, *COMMON, "--out", "whole", "--merge", *shards))
    assert "ended otherwise than in a/games.jsonl" in err


def test_a_shard_that_contradicts_the_folder_is_refused(run: Run, shards: list[str]) -> None:
    whole = (*AGENTS, *COMMON, "--out", "whole", "--merge")
    assert run(*whole, *shards)[0] == 0
    path, before = Path("a/games.jsonl"), games("whole")
    path.write_text(path.read_text().replace('"rounds": ', '"rounds": 1'))
    assert "ended otherwise than in whole/games.jsonl" in complaint_of(run(*whole, *shards))
    assert games("whole") == before


def test_shards_need_no_word_of_tournaments(run: Run) -> None:
    given = (*AGENTS, *DEALS[1:], "--seed", 5, "--processes", 1, "--out", "a", "--shard=1/3")
    code, out, err = run(*given)
    assert code == 0, err
    assert "a/games.jsonl holds the " in out
