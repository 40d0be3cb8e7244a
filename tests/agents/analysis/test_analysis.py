"""Analyses of recorded games: chances, opinions, grades, and the command."""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.analysis.analysis import (
    AnalysedGame,
    Analysis,
    Decision,
    Opinion,
    Opinions,
    ValuedChoice,
    analyse,
    record_digest,
)
from gonzaga_agents.analysis.report import game_lines
from gonzaga_agents.registry import make_agent
from gonzaga_agents.search.agent import compare_played

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import Record, write_records
from tests.agents.conftest import output_of
from tests.conftest import complaint_of
from tests.marks import nightly


@cache
def played(game: str, *names: str, seed: int = 3) -> Record:
    """Returns the record of a game of agents."""
    spec = game_spec(game)
    config = spec.config(num_players=len(names))
    engine = spec.engine.from_config(config, 1, seed=seed, autoreset=False)
    agents, rng, actions = [make_agent(n, config) for n in names], np.random.default_rng(0), []
    while (seat := engine.seats[0]) >= 0:
        chosen = agents[seat].act(engine.observe(), engine.legal_action_mask(), rng)
        actions.append(int(chosen[0]))
        engine.step(chosen)
    return spec.records.record(config, seed, list(names), actions)


@cache
def analysed() -> Analysis:
    return analyse(played("gonzaga", "random", "greedy"), ["search@8", "greedy"], num_playouts=4)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with one game, twice."""
    write_records(path := tmp_path / "games.jsonl", [played("gonzaga", "random", "greedy")] * 2)
    return path


@pytest.mark.parametrize("game", game_names())
def test_every_game_is_analysed(game: str) -> None:
    record = played(game, "random", "random")
    asked = AnalysedGame(record)
    start = asked.start()
    assert [one.action for one in start.decisions] == [
        asked.config.actions.parse(move["action"]) for move in record["moves"]
    ]
    part = next(asked.opinions(make_agent("search@4", asked.config)))
    for decision, opinion in zip(start.decisions, part.decisions, strict=False):
        assert (opinion is None) == (decision.num_legal == 1)
        if opinion is not None:
            assert opinion.value is not None
            assert 0 <= opinion.value <= 1
            assert abs((opinion.choices[0].value - opinion.value) - (opinion.loss or 0)) < 1e-9


def test_chances_add_up_and_end_with_the_winner() -> None:
    found = analysed()
    assert np.allclose(np.sum(found.chances, axis=1), 1)
    assert found.chances[-1] == found.won
    assert len(found.chances) == len(found.decisions) + 1


def test_the_played_action_is_judged_even_if_it_was_no_candidate() -> None:
    """On the same deals as the best, so that a choice never loses against itself."""
    game = AnalysedGame(played("gonzaga", "random", "greedy"))
    engine, rows = game.engine, np.arange(8)
    seen, masks = engine.observe(rows=rows), engine.legal_action_mask(rows)
    search, rng = make_agent("search@8", game.config), np.random.default_rng(0)
    worst = np.array([np.flatnonzero(mask)[-1] for mask in masks])
    judged = [one for (one,) in compare_played(search, seen, masks, worst[:, None], rng)]
    assert [one.actions[one.played] for one in judged] == worst.tolist()
    assert max(one.loss for one in judged) > 0.02
    best = np.array([one.actions[0] for one in judged])
    again = [
        one
        for (one,) in compare_played(search, seen, masks, best[:, None], np.random.default_rng(0))
    ]
    assert {one.loss for one in again if one.played == 0} == {0.0}


def test_a_weak_player_loses_more() -> None:
    opinions, lost = analysed().of("search@8"), [0.0, 0.0]
    assert opinions is not None
    for decision, opinion in zip(analysed().decisions, opinions.decisions, strict=True):
        lost[decision.seat] += 0.0 if opinion is None else opinion.loss or 0.0
    assert lost[0] > 2 * lost[1]


def test_agents_without_chances_are_shown_in_their_unit() -> None:
    opinions = analysed().of("greedy")
    assert opinions is not None
    assert not opinions.shares
    assert opinions.unit.startswith("points now")
    assert all(opinions.grade(number) is None for number in range(len(opinions.decisions)))


@pytest.mark.parametrize(
    ("loss", "error", "grade"),
    [(0.04, 0, None), (0.05, 0, "mistake"), (0.2, 0.01, "blunder"), (0.2, 0.11, None)],
)
def test_grades_take_a_clear_loss(loss: float, error: float, grade: str | None) -> None:
    opinion = Opinion((ValuedChoice(1, "one", 0.5),), 0.5 - loss, loss, error)
    assert Opinions("search", "share", True, (opinion,)).grade(0) == grade


def test_wrong_records_are_refused() -> None:
    record = played("gonzaga", "random", "greedy")
    for wrong in ({"moves": []}, {"winners": [0, 1]}, {"moves": record["moves"][:3]}):
        with pytest.raises(RecordError):
            AnalysedGame({**record, **wrong})
    assert record_digest(record) != record_digest({**record, "seed": 4})


def test_the_command_tells_games_and_writes_them(gonzaga, games: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "out.jsonl", tmp_path / "page.html"
    quick = "--agent", "search@4", "--playouts", 1
    told = output_of(gonzaga("analyse", games, *quick, "--out", out))
    assert "in the view of search@4" in told
    assert "Brier" in told
    lines = out.read_text().splitlines()
    assert len(lines) == 2
    assert any(one["grade"] for one in json.loads(lines[0])["opinions"][0]["decisions"] if one)
    output_of(gonzaga("analyse", games, *quick, "--game", 1, "--out", page))
    assert "best was" in page.read_text()


@pytest.mark.parametrize(
    "words",
    [
        *("analyse IN --out IN", "stats IN --json IN", "stats . --json IN", "show IN --out IN"),
        *("analyse IN --game 99 --out OLD", "analyse IN --agent nosuch --out OLD"),
        *("stats empty --json OLD", "show IN --game 99 --out OLD"),
        *(f"evaluate random greedy --records IN --deals {number}" for number in (0, 10**7)),
        *(f"evaluate random greedy --records IN --judge {name}" for name in ("nosuch", "greedy")),
        *("evaluate random greedy --records IN --seed -1", "evaluate mine.py:Mine --records IN"),
    ],
)
def test_commands_that_fail_leave_files_as_they_were(
    gonzaga, games: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(games.parent)
    read = games.rename("in.txt" if "show" in words else "in.jsonl")
    Path("old.txt").write_text("older")
    Path("empty").mkdir()
    Path("mine.py").write_text(
        "class Mine:\n    def __init__(self, config): pass\n    def act(self, *_): pass\n"
    )
    before = read.read_bytes()
    named = words.replace("IN", read.name).replace("OLD", "old.txt").split()
    complaint_of(gonzaga(*named))
    assert (read.read_bytes(), Path("old.txt").read_text()) == (before, "older")


def test_the_command_tells_what_agents_consider_before_a_move(gonzaga, games: Path) -> None:
    move = "--game", 2, "--move", 3
    told = output_of(gonzaga("analyse", games, *move, "--agent", "greedy", "search@8"))
    assert told.count("game 2, move 3, round 1, seat") == 2
    assert told.count("\n> ") + told.count("was played") == 2
    assert "playouts" in told


@pytest.mark.parametrize(
    "words",
    [
        ("--move", 1),
        ("--game", 1, "--move", 0),
        ("--game", 1, "--move", 999),
        ("--game", 3),
        ("--playouts", 0),
        ("--out", "page.html"),
        ("--agent", "nobody"),
        ("--game", 1, "--move", 1, "--agent", "mine.py:Silent"),
        ("--game", 1, "--move", 1, "--agent", "mine.py:Cheat"),
    ],
)
def test_wrong_options_are_one_line(
    gonzaga, games: Path, words: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(games.parent)
    Path("mine.py").write_text(
        "import numpy as np\n"
        "from gonzaga_agents import Considered\n"
        "class Silent:\n"
        "    def __init__(self, config): pass\n"
        "    def act(self, observations, masks, rng): return masks.argmax(axis=1)\n"
        "class Cheat(Silent):\n"
        "    def consider(self, observation, mask, rng):\n"
        "        return Considered(np.flatnonzero(~mask)[:1], np.ones(1), 'points')\n"
    )
    complaint_of(gonzaga("analyse", games, *words))


@pytest.mark.parametrize("game", ["gonzaga", *nightly("tuscany", "signorie")])
def test_names_of_records_reach_no_terminal_as_they_are(gonzaga, tmp_path: Path, game: str) -> None:
    names = ["\x1b[2Jann" + "x" * 60_000, "\x9b\u202ebo"]
    record = played(game, "random", "greedy") | {"agents": names}
    write_records(path := tmp_path / "games.jsonl", [record])
    for command in (
        *(["stats"], ["show"], ["replay"], ["show", "--out", tmp_path / "game.txt"]),
        *(["show", "--out", tmp_path / "game.html"], ["show", "--out", tmp_path / "game.svg"]),
        *(["analyse", "--agent", "greedy", *more] for more in _ANALYSES),
    ):
        out = output_of(gonzaga(command[0], path, *command[1:]))
        assert all(letter.isprintable() or letter == "\n" for letter in out)
    for written in tmp_path.glob("game.*"):
        text = written.read_text("utf-8")
        assert not {"\x1b", "\x9b", "\u202e"} & {*text}
        assert not re.search(r"\\u00(1b|9b)|x{201}", text)


_ANALYSES = ["--playouts", 1], ["--game", 1, "--move", 1]


def test_a_game_is_told_in_a_few_lines() -> None:
    decision = Decision(0, 1, 1, "plan", 5, 7, "Italia C")
    opinion = Opinion((ValuedChoice(8, "Francia B", 0.6),), 0.4, 0.2, 0.01)
    opinions = Opinions("search", "share of the victory", True, (opinion,))
    chances = ((0.4, 0.6), (0.0, 1.0))
    game = Analysis("gonzaga", "0", ("ann", "bo"), (0.0, 1.0), chances, (decision,), (opinions,))
    first, view, *table, worst = game_lines(game, "game 1")
    assert first == "game 1: 1 moves, won by seat 1 (bo)"
    assert view == "in the view of search (share of the victory)"
    assert table[-1].split() == ["seat", "1", "bo", "1", "20", "%", "0", "1"]
    assert worst.endswith("seat 1: Italia C; best was Francia B (\u221220 %)")
