"""The results file: every fault is named by line, and nothing that was played is lost."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.play.tournament_games import GameResult
from gonzaga_agents.play.tournament_results import (
    Session,
    header_of,
    open_results,
    read_results,
    read_seed,
)

from gonzaga_env.core import GameConfig, Rules
from gonzaga_env.kernel.errors import OptionError

HEADER = header_of(GameConfig(2), seed=3)
SESSION = Session("2026-11-21", "cab3026")
GAMES = [
    GameResult(0, 0, ("random", "greedy"), (30, 90), (1,), 11),
    GameResult(0, 1, ("greedy", "random"), (80, 80), (0, 1), 12),
    GameResult(0, 2, ("greedy", "random", "random"), (80, 20, 30), (0,), 12),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Returns a results file with a session and three games, in lines 3 to 5."""
    path = tmp_path / "out" / "games.jsonl"
    with open_results(path, HEADER) as results:
        results.start_session(SESSION)
        results.add(GAMES)
    return path


def test_what_was_added_is_read(path: Path) -> None:
    results = read_results(path, HEADER)
    assert (results.games, results.sessions) == (GAMES, [SESSION])
    assert results.size == path.stat().st_size
    with open_results(path, HEADER) as results:
        assert results.games == GAMES
        results.add([GameResult(1, 0, ("random", "greedy"), (3, 9), (1,), 11)])
    assert len(read_results(path, HEADER).games) == 4


def test_nothing_is_read_where_nothing_is(tmp_path: Path) -> None:
    assert read_results(tmp_path / "games.jsonl", HEADER).games == []
    assert not (tmp_path / "games.jsonl").exists()


def test_a_line_that_was_cut_short_is_dropped(path: Path) -> None:
    whole = path.read_bytes()
    starts = [len(line) for line in whole.splitlines(keepends=True)]
    for size in range(sum(starts[:4]), len(whole)):
        path.write_bytes(whole[:size])
        assert read_results(path, HEADER).games == GAMES[:2]
    with open_results(path, HEADER) as results:
        results.add(GAMES[2:])
    assert path.read_bytes() == whole


def test_a_header_that_was_cut_short_is_written_again(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    with open_results(path, HEADER) as results:
        assert results.games == []
        results.start_session(SESSION)
        results.add(GAMES)
    assert path.read_bytes() == whole


def edited(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda line: line | changes


@pytest.mark.parametrize(
    ("number", "edit", "words"),
    [
        (3, edited(deal=-1), "deal is -1"),
        (3, edited(deal="0"), "deal is '0'"),
        (3, edited(deal=True), "deal is True"),
        (4, edited(rotation=2), "rotation is 2"),
        (4, edited(rounds=None), "rounds is None"),
        (5, edited(agents=["greedy"]), "agents takes 2 to 4 names"),
        (5, edited(agents=["greedy", 1, 2]), "agents takes 2 to 4 names"),
        (5, edited(scores=[1, 2]), "scores takes an integer"),
        (5, edited(scores=[1, 2, 2.5]), "scores takes an integer"),
        (3, edited(winners=[0]), "winners takes seats"),
        (3, edited(winners=[]), "winners takes seats"),
        (3, edited(extra=1), "a game has the fields deal, rotation, agents"),
        (3, lambda line: line["scores"], "not a JSON object"),
        (4, lambda line: asdict(GAMES[0]), "the same game as in line 3"),
        (2, lambda line: {"session": {"date": "2026-11-21"}}, "a session has the fields"),
    ],
)
def test_faults_are_named_by_line(path: Path, number: int, edit: Any, words: str) -> None:
    lines = path.read_text().splitlines()
    lines[number - 1] = json.dumps(edit(json.loads(lines[number - 1])))
    path.write_text("\n".join(lines) + "\n")
    before = path.read_bytes()
    refused = pytest.raises(OptionError, match=f"games.jsonl, line {number}: {words}")
    with refused, open_results(path, HEADER):
        pass
    assert path.read_bytes() == before, "nothing is lost"


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (header_of(GameConfig(2), seed=4), "seed 3, not 4"),
        (header_of(GameConfig(3, "Colombo"), 3), "scenario None, not 'Colombo'"),
        (header_of(GameConfig(2, rules=Rules("first_only")), 3), "sea league"),
        (HEADER | {"edition": "mine", "edition_hash": "0"}, "edition 'europe', not 'mine'"),
        (HEADER | {"edition_hash": "0"}, "edition hash"),
        (HEADER | {"tournament": 3}, "tournament 2, not 3"),
        (HEADER | {"versions": HEADER["versions"] | {"gonzaga_env": "9.9"}}, "gonzaga env"),
    ],
)
def test_results_of_another_tournament_are_refused(
    path: Path, header: dict[str, Any], words: str
) -> None:
    before = path.read_bytes()
    with pytest.raises(OptionError, match=words), open_results(path, header):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"format": 1, "moves": []}\n', "not the results"),
        ("[]\n", "not a JSON object"),
        ("# A page\n", "is not JSON"),
        *((cut, "not the results") for cut in ("hello", '{"format": 1, "moves"', '{"tour of')),
    ],
)
def test_other_files_are_no_results_even_if_cut_short(path: Path, content: str, words: str) -> None:
    path.write_text(content)
    with pytest.raises(OptionError, match=f"line 1: {words}"), open_results(path, HEADER):
        pass
    assert path.read_text() == content


def test_only_one_writes_at_a_time(path: Path) -> None:
    pytest.importorskip("fcntl", reason="Windows has no flock")
    refused = pytest.raises(OptionError, match="another tournament writes to it")
    with open_results(path, HEADER), refused, open_results(path, HEADER):
        pass
    with open_results(path, HEADER):
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (path := tmp_path / "file").touch()
    refused = pytest.raises(OptionError, match="can't be written")
    with refused, open_results(path / "games.jsonl", HEADER):
        pass


@pytest.mark.parametrize(
    ("line", "words"),
    [
        *((garbage, "is not JSON") for garbage in (b"{", b"\xff\xfe", b"")),
        (b'{"deal": NaN}', "holds NaN"),
        (b'{"deal": "' + b"x" * 70_000 + b'"}', "longer than 65,536 bytes"),
        (b'{"session": {"date": [1], "commit": null}}', r"date is \[1\]; it takes a text"),
        (b'{"session": {"date": "today", "commit": {}}}', "commit is {}; it takes a text"),
        (
            rb'{"session": {"date": "\u001b[2J", "commit": null}}',
            "it takes a text of one line",
        ),  # F9
    ],
    ids=lambda value: repr(value)[:20],
)
def test_hostile_lines_are_named(path: Path, line: bytes, words: str) -> None:
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(OptionError, match=f"line 6: .*{words}"):
        read_results(path, HEADER)


def test_a_giant_file_is_not_read(path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(2**33)  # sparse
    with pytest.raises(OptionError, match=r"games\.jsonl: is larger than 512 MiB"):
        read_results(path, HEADER)


def test_a_seed_is_found_in_the_first_line(path: Path, tmp_path: Path) -> None:
    assert read_seed(path) == 3
    (tmp_path / "other.jsonl").write_text("hello")
    assert read_seed(tmp_path / "other.jsonl") is None
    assert read_seed(tmp_path / "missing.jsonl") is None
