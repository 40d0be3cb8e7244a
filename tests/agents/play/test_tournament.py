"""Whole tournaments, however they are cut, and their results file."""

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from gonzaga_agents.executors import open_executor
from gonzaga_agents.play import tournament as module
from gonzaga_agents.play.standings import Session
from gonzaga_agents.play.tournament import (
    Tournament,
    header_of,
    open_results,
    read_results,
    read_seed,
)
from gonzaga_agents.play.tournament_games import GameResult, identify_all

from gonzaga_env.core import GameConfig, Rules
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import OptionError
from tests.marks import nightly

pytestmark = pytest.mark.usefixtures("agents")


def tournament(*specs: str, players: tuple[int, ...] = (2,), **changes: Any) -> Tournament:
    entrants = tuple(identify_all(specs or ("random", "mine.py:First", "mine.py:Last")))
    configs = tuple(GameConfig(number) for number in players)
    session = Session("2026-11-21")
    return replace(Tournament(configs, entrants, 0, Path("out"), None, session), **changes)


def lines(folder: str = "out") -> list[str]:
    return Path(folder, "games.jsonl").read_text().splitlines()


class Stopped(BaseException):
    """Stands for Ctrl-C."""


@pytest.mark.parametrize("stop_after", [1, *nightly(0, 4)])
def test_an_interrupted_tournament_ends_with_the_same_table(
    monkeypatch: pytest.MonkeyPatch, stop_after: int
) -> None:
    whole = tournament(players=(2, 3)).rank(8)
    written = lines()
    play = module.play_jobs

    def interrupted(*args: Any, **more: Any) -> Iterator[Any]:
        yield from itertools.islice(play(*args, **more), stop_after)
        raise Stopped

    cut = tournament(players=(2, 3), out=Path("cut"))
    monkeypatch.setattr(module, "play_jobs", interrupted)
    with pytest.raises(Stopped):
        cut.rank(8)
    kept = lines("cut")
    monkeypatch.setattr(module, "play_jobs", play)
    assert cut.rank(8) == whole
    assert lines("cut")[: len(kept)] == kept
    assert len(set(lines("cut"))) == len(written)


def test_finished_games_are_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tournament().rank(8)
    before = lines()
    monkeypatch.setattr("gonzaga_agents.play.tournament_games.TournamentJob.play", None)
    assert tournament().rank(8) == whole
    assert lines() == before


def test_several_processes_make_the_same_table() -> None:
    with open_executor(workers=2) as two:
        assert tournament(executor=two, out=Path("two")).rank(8) == tournament().rank(8)
    assert sorted(lines("two")) == sorted(lines())


def test_new_agents_and_deals_play_only_what_is_new() -> None:
    tournament("random", "mine.py:First").rank(4)
    before = lines()
    added = tournament().rank(4)
    assert lines()[: len(before)] == before
    new = [line for line in lines()[len(before) :] if '"session"' not in line]
    assert len(new) == 2 * 4 * 2
    assert all("Last" in line for line in new)
    assert added == tournament(out=Path("fresh")).rank(4)
    before = lines()
    assert tournament().rank(8) == tournament(out=Path("fresh")).rank(8)
    assert lines()[: len(before)] == before


def test_the_order_of_the_agents_changes_no_game() -> None:
    tournament("random", "mine.py:First", "mine.py:Last").rank(4)
    tournament("mine.py:Last", "random", "mine.py:First", out=Path("other")).rank(4)
    assert sorted(lines()) == sorted(lines("other"))


def test_a_table_counts_the_games_that_were_asked_for_and_no_others() -> None:
    greedy = ("greedy", "mine.py:First", "random")
    fresh = tournament(*greedy, players=(2, 3), out=Path("fresh")).rank(4)
    tournament(*greedy, players=(3,)).rank(8)
    tournament("mine.py:First", "random").compare(20)  # stops when one is ahead
    assert len(lines()) > len(lines("fresh"))
    assert tournament(*greedy, players=(2, 3)).rank(4) == fresh


def test_the_table_says_who_is_better() -> None:
    played, (two, three) = tournament("random", "greedy", players=(2, 3)).rank(6)
    assert played.sessions == (Session("2026-11-21"),)
    assert played.outdated == {}
    for table, players in ((two, 2), (three, 3)):
        assert table.num_players == players
        assert [agent.name for agent in table.agents] == ["greedy", "random"]
        assert table.anchor == "greedy"
        assert table.agents[0].rating.rating == 1000
        assert table.agents[1].rating.rating < 800
        assert table.agents[0].score.mean > table.agents[1].score.mean + 50
        assert table.pairs[0][1] is not None
        assert table.pairs[0][1].mean == 1
    assert (two.tables, two.deals, two.games) == (1, 6, 12)
    assert (three.tables, three.deals, three.games) == (2, 6, 36)
    assert two.agents[0].win_share.mean == 1
    assert two.agents[0].games == 12


def test_without_greedy_the_first_agent_is_the_anchor() -> None:
    _, (table,) = tournament("mine.py:Last", "random").rank(4)
    assert table.anchor == "Last"
    assert {a.name: a.rating.rating for a in table.agents}["Last"] == 1000


def test_an_agent_whose_file_changed_plays_anew_and_is_named(agents: Path) -> None:
    tournament("random", "mine.py:First").rank(4)
    text = agents.read_text()
    agents.write_text(text.replace("argmax", "argmin").replace("masks.", "(~masks)."))
    played, (table,) = tournament("random", "mine.py:First").rank(4)
    assert played.outdated == {"mine.py:First": 8}
    assert table.games == 8
    assert len([line for line in lines() if '"deal"' in line]) == 16


def test_an_invalid_action_names_the_agent(agents: Path) -> None:
    text = agents.read_text()
    agents.write_text(text.replace("masks.argmax(axis=1)", "masks.argmin(axis=1)"))
    for workers in (1, 2):
        with (
            open_executor(workers=workers) as two,
            pytest.raises(AgentError, match="First: "),
        ):
            tournament("random", "mine.py:First", executor=two).rank(8)


def test_a_comparison_stops_when_it_is_decided() -> None:
    _, (found,) = tournament("greedy", "random").compare(100)
    assert found.decision.decided
    assert found.decision.low > 0.5
    assert found.seats == (("greedy", 1), ("random", 1))
    assert found.games == 2 * found.decision.deals < 40
    assert len([line for line in lines() if '"deal"' in line]) < 40


def test_a_comparison_plays_on_where_it_was_and_ends_alike() -> None:
    whole = tournament("greedy", "random", "mine.py:First", players=(4,)).compare(30)
    short = tournament("greedy", "random", "mine.py:First", players=(4,), out=Path("cut"))
    _, (early,) = short.compare(4)
    assert (early.decision.decided, early.decision.deals) == (False, 4)
    with open_executor(workers=2) as two:
        assert replace(short, executor=two).compare(30) == whole
    before = lines("cut")
    assert short.compare(30) == whole
    assert lines("cut") == before, "it was decided already"
    assert whole[1][0].seats == (("greedy", 1), ("random", 1), ("First", 2))


def test_the_order_of_the_games_in_the_file_does_not_matter() -> None:
    found = tournament("greedy", "random").compare(100)
    ranked = tournament("greedy", "random").rank(12)
    header, *rest = lines()
    Path("out", "games.jsonl").write_text("\n".join([header, *rest[::-1]]) + "\n")
    assert tournament("greedy", "random").compare(100)[1] == found[1]
    assert tournament("greedy", "random").rank(12)[1] == ranked[1]


def test_a_comparison_that_reaches_its_limit_says_so(agents: Path) -> None:
    agents.write_text(agents.read_text() + "class Again(First): ...\n")
    _, (found,) = tournament("mine.py:First", "mine.py:Again").compare(6)
    assert not found.decision.decided
    assert (found.decision.deals, found.limit, found.decision.mean) == (6, 6, 0.5)


HEADER = header_of(GameConfig(2), seed=3)
SESSION = Session("2026-11-21")
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
        (2, lambda line: {"session": {}}, "a session has the fields"),
        (2, lambda line: {"session": {"date": [1]}}, r"date is \[1\]; it takes"),
        (2, lambda line: {"session": {"date": "\x1b[2J"}}, "date is .*; it takes"),
        (3, lambda line: {"deal": "x" * 70_000}, "longer than 65,536 bytes"),
        (3, lambda line: {"deal": float("nan")}, ".*holds NaN"),
        *((4, garbage, ".*is not JSON") for garbage in (b"{", b"\xff\xfe", b"")),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_faults_are_named_by_line(path: Path, number: int, edit: Any, words: str) -> None:
    lines = path.read_bytes().splitlines()
    given = edit if isinstance(edit, bytes) else edit(json.loads(lines[number - 1]))
    lines[number - 1] = given if isinstance(edit, bytes) else json.dumps(given).encode()
    path.write_bytes(b"\n".join(lines) + b"\n")
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
        *(
            (cut, "not the results")
            for cut in ("hello", '{"tournament": "mine"}', '{"tournament": 2, "game": "chess"')
        ),
    ],
)
def test_other_files_are_no_results_even_if_cut_short(path: Path, content: str, words: str) -> None:
    path.write_text(content)
    (other := path.with_name(".draft.2024.tmp")).touch()
    with pytest.raises(OptionError, match=f"line 1: {words}"), open_results(path, HEADER):
        pass
    assert path.read_text() == content
    assert other.exists()


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
