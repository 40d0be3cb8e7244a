"""Analyses of recorded games: chances, opinions, grades, files, and the command."""

import json
import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.analysis.analyse import AnalysedGame, analyse
from gonzaga_agents.analysis.analysis import (
    Analysis,
    AnalysisError,
    Decision,
    Opinion,
    Opinions,
    ValuedChoice,
    record_digest,
)
from gonzaga_agents.analysis.files import AnalysesFile, parse_analysis
from gonzaga_agents.analysis.report import LossesByKey, by_player, game_lines
from gonzaga_agents.registry import make_agent
from gonzaga_agents.search.judge import judge

from gonzaga_env.__main__ import main
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.bounded.limits import ANALYSIS_LINE
from gonzaga_env.tabletop.errors import OptionError, RecordError
from gonzaga_env.tabletop.records import Record, write_records


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
    assert spec.record is not None
    return spec.record(config, seed, list(names), actions)


@cache
def analysed() -> Analysis:
    return analyse(played("gonzaga", "random", "greedy"), ["search@8", "greedy"], num_playouts=4)


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
    record = played("gonzaga", "random", "greedy")
    game = AnalysedGame(record)
    engine, rows = game._engine, np.arange(8)
    seen, masks = engine.observe(rows=rows), engine.legal_action_mask(rows)
    search, rng = make_agent("search@8", game.config), np.random.default_rng(0)
    worst = np.array([np.flatnonzero(mask)[-1] for mask in masks])
    judged = [one for (one,) in judge(search, seen, masks, worst[:, None], rng)]
    assert [one.actions[one.played] for one in judged] == worst.tolist()
    assert max(one.loss for one in judged) > 0.02
    best = np.array([one.actions[0] for one in judged])
    again = [one for (one,) in judge(search, seen, masks, best[:, None], np.random.default_rng(0))]
    assert {one.loss for one in again if one.played == 0} == {0.0}


def test_a_weak_player_loses_more() -> None:
    found = LossesByKey(by_player)
    opinions = analysed().of("search@8")
    assert opinions is not None
    found.add(analysed(), opinions)
    assert sum(found["random"].totals) > 2 * sum(found["greedy"].totals)


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


def test_analyses_are_read_back(tmp_path: Path) -> None:
    line = analysed().as_json()
    again = parse_analysis(line)
    assert again.as_json() == line
    assert again.decisions == analysed().decisions
    assert any(one["grade"] for one in json.loads(line)["opinions"][0]["decisions"] if one)


DECISION = {"move": 0, "seat": 1, "round": 1, "kind": "plan", "num_legal": 5, "action": 7}
DECISION |= {"words": "Italia C"}
CHOICE = {"action": 8, "words": "Francia B", "value": 0.6}
OPINION = {"choices": [CHOICE], "value": 0.4, "loss": 0.2, "error": 0.01}
OPINIONS = {"agent": "search", "unit": "share", "shares": True, "decisions": [OPINION]}
SMALL: dict[str, Any] = {
    **{"format": 1, "game": "gonzaga", "digest": "0", "agents": ["ann", "bo"], "won": [0.0, 1.0]},
    **{"chances": [[0.4, 0.6], [0.0, 1.0]], "decisions": [DECISION], "opinions": [OPINIONS]},
}


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"chances": []},
        {"won": [1.0]},
        {"agents": [1, 2]},
        {"decisions": [{"move": "0"}]},
        {"opinions": [{"agent": "x", "unit": "", "shares": 1, "decisions": []}]},
        {"opinions": 3},
        {"won": [10**400, 0]},
        {"won": [0.0, 0.0]},
        {"won": [-1.0, 2.0]},
        {"chances": [[0.5, 0.5], [0.5, 2.0]]},
        {"decisions": []},
        {"decisions": [{**DECISION, "seat": 2}]},
        {"decisions": [{**DECISION, "seat": -1}]},
        {"decisions": [{**DECISION, "move": 7}]},
        {"decisions": [{**DECISION, "round": 10**30}]},
        {"opinions": [{**OPINIONS, "decisions": [{**OPINION, "choices": []}]}]},
        {"opinions": [{**OPINIONS, "decisions": [{**OPINION, "loss": 10**400}]}]},
        {"opinions": [OPINIONS, OPINIONS]},
        {"opinions": [{**OPINIONS, "unit": ["x" * 10**6]}]},
    ],
)
def test_a_broken_analysis_is_refused(changes: dict[str, Any]) -> None:
    parse_analysis(json.dumps(SMALL))
    with pytest.raises(AnalysisError) as error:
        parse_analysis(json.dumps(SMALL | changes))
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("line", ["", "{", "[]", "{}", None])
def test_what_is_no_analysis_is_refused(line: str | None) -> None:
    record = json.dumps(played("gonzaga", "random", "greedy"))
    with pytest.raises(AnalysisError):
        parse_analysis(record if line is None else line)


def test_a_file_goes_on_after_an_interruption(tmp_path: Path) -> None:
    path, line = tmp_path / "out.jsonl", analysed().as_json().encode()
    path.write_bytes(line + b"\n" + line[:100])
    with AnalysesFile(path) as kept:
        found = kept.get(analysed().digest)
        assert found is not None
        assert found.as_json().encode() == line
        assert kept.get("another") is None
        kept.add(found)
    assert path.read_bytes() == (line + b"\n") * 2


def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    record = json.dumps(played("gonzaga", "random", "greedy"))
    named = json.dumps(played("tuscany", "random", "greedy"))
    for text in ("mine", "mine\nmore", '{"format": 9}\n', record, named, f"{record}\n", named[:90]):
        path.write_text(text)
        with pytest.raises(AnalysisError, match="line 1: "), AnalysesFile(path):
            pass
        assert path.read_text() == text


def test_a_line_that_is_too_long_drops_nothing(tmp_path: Path) -> None:
    """Neither itself, nor the analyses that follow."""
    path, line = tmp_path / "out.jsonl", analysed().as_json()
    text = f'{line[:-1]}, "more": "{"x" * ANALYSIS_LINE}"}}\n{line}\n'
    path.write_text(text)
    with pytest.raises(AnalysisError, match="line 1: is longer than"), AnalysesFile(path):
        pass
    assert path.read_text() == text


def test_an_analysis_that_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    path, words = tmp_path / "out.jsonl", "x" * ANALYSIS_LINE
    long = replace(analysed(), opinions=(Opinions(words, "share", True, ()),))
    with AnalysesFile(path) as kept, pytest.raises(OptionError, match="ask fewer agents"):
        kept.add(long)
    assert path.read_bytes() == b""


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(path := tmp_path / "out.jsonl")
    with pytest.raises(OptionError, match="is not a regular file"), AnalysesFile(path):
        pass


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"game": "signorie"}, "the game 'signorie', where the record has 'gonzaga'"),
        ({"agents": ["ann", "bo"]}, "agents ['ann', 'bo'], where the record has ['random', "),
        ({}, "moves 1, where the record has "),
    ],
)
def test_an_analysis_that_lies_is_named(
    change: dict[str, Any], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, page = (tmp_path / name for name in ("games.jsonl", "out.jsonl", "page.html"))
    write_records(file, [record := played("gonzaga", "random", "greedy")])
    told = SMALL | {"agents": record["agents"], "digest": record_digest(record)} | change
    out.write_text(text := json.dumps(told) + "\n")
    asked = ["analyse", str(file), "--agent", "search", "--out", str(out), "--game", "1"]
    assert main([*asked, "--html", str(page)]) == 2
    err = capsys.readouterr().err
    assert f"the analysis of games.jsonl, game 1 has {why}" in err
    assert err.count("\n") == 1
    assert out.read_text() == text


def test_no_line_holds_what_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, evil = tmp_path / "games.jsonl", tmp_path / "out.jsonl", "\x1b[2J\x07\n"
    write_records(file, [record := played("gonzaga", "random", "greedy")])
    decisions = [
        {**DECISION, "move": move, "words": evil, "kind": evil}
        for move in range(len(record["moves"]))
    ]
    opinion = {**OPINION, "choices": [{**CHOICE, "words": evil}]}
    opinions = {**OPINIONS, "unit": evil, "decisions": [opinion] * len(decisions)}
    chances = [[0.4, 0.6]] * (len(decisions) + 1)
    told = {"agents": record["agents"], "digest": record_digest(record), "chances": chances}
    out.write_text(
        json.dumps(SMALL | told | {"decisions": decisions, "opinions": [opinions]}) + "\n"
    )
    assert main(["analyse", str(file), "--agent", "search", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "best was" in shown
    assert all(letter.isprintable() or letter == "\n" for letter in shown)


def test_wrong_records_are_refused() -> None:
    record = played("gonzaga", "random", "greedy")
    for wrong in ({"moves": []}, {"winners": [0, 1]}, {"moves": record["moves"][:3]}):
        with pytest.raises(RecordError):
            AnalysedGame({**record, **wrong})
    assert record_digest(record) != record_digest({**record, "seed": 4})


def test_the_command_tells_games_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, page = (tmp_path / name for name in ("games.jsonl", "out.jsonl", "page.html"))
    write_records(file, [played("gonzaga", "random", "greedy")] * 2)
    asked = ["analyse", str(file), "--agent", "search@4", "--playouts", "1", "--out", str(out)]
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert "in the view of search@4" in told
    assert "Brier" in told
    assert len(out.read_text().splitlines()) == 1  # the same game twice
    assert main([*asked, "--game", "1", "--html", str(page)]) == 0
    assert "best was" in page.read_text()
    assert len(out.read_text().splitlines()) == 1


def test_a_game_is_told_in_a_few_lines() -> None:
    decision = Decision(0, 1, 1, "plan", 5, 7, "Italia C")
    opinion = Opinion((ValuedChoice(8, "Francia B", 0.6),), 0.4, 0.2, 0.01)
    opinions = Opinions("search", "share of the victory", True, (opinion,))
    chances = ((0.4, 0.6), (0.0, 1.0))
    game = Analysis("gonzaga", "0", ("ann", "bo"), (0.0, 1.0), chances, (decision,), (opinions,))
    assert list(game_lines(game, "game 1")) == [
        "game 1: 1 moves, won by seat 1 (bo)",
        "  in the view of search (share of the victory)",
        "    seat 0 ann              no decisions judged",
        "    seat 1 bo                  1 decisions, lost 20 % in all; mistakes 0, blunders 1",
        "    move 1, round 1, seat 1: Italia C; best was Francia B (\u221220 %)",
    ]
