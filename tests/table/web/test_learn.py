"""Learning at the table: puzzles without their answers, and the first game."""

import json
from copy import copy
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.analysis.puzzles import shipped
from gonzaga_agents.heuristics.gonzaga import Teacher
from gonzaga_table.session import GameSession, human
from gonzaga_table.web.learn.first_games import (
    FIRST_GAMES,
    SEAT,
    first_game,
    is_first_game,
    lesson_of,
)
from gonzaga_table.web.learn.routes import LearnRoutes
from gonzaga_table.web.protocol import as_json

from gonzaga_env.core.config import GameConfig
from tests.table.twins import twin_of
from tests.table.web.conftest import Server, choices
from tests.table.web.lessons import SHOWN, TAUGHT, TAUGHT_BY_NUMBER, follow

PUZZLES = [*shipped().values()]
OF_GONZAGA = [puzzle for puzzle in PUZZLES if puzzle.record.get("edition") == "europe"]


def ask(server: Server, path: str, **body: Any) -> Any:
    client = server.client
    answer = client.post(f"/api/{path}", json=body) if body else client.get(f"/api/{path}")
    return answer.json() if answer.status_code == 200 else answer


def test_the_list_says_what_is_asked_and_no_answer(server) -> None:
    listed = ask(server, "puzzles")["puzzles"]
    assert [one["id"] for one in listed] == [puzzle.id for puzzle in PUZZLES]
    for one, puzzle in zip(listed, PUZZLES, strict=True):
        assert one["num_choices"] == len(puzzle.values)
        assert puzzle not in OF_GONZAGA or puzzle.answer not in json.dumps(one)


def test_puzzles_about_plans_do_not_count_their_spots(server) -> None:
    """The counts on the cards would be the answer."""
    asked = [puzzle for puzzle in OF_GONZAGA if puzzle.question == "plan"]
    assert asked
    for puzzle in asked:
        turn = ask(server, f"puzzles/{puzzle.id}")["turn"]
        assert turn["spots"] is None
        assert all(plan["spots"] is plan["best"] is None for plan in turn["plans"])


@pytest.mark.parametrize("puzzle", PUZZLES[::4], ids=lambda puzzle: puzzle.id)
def test_a_puzzle_is_judged(server, puzzle) -> None:
    """A wrong choice does not give the right one away, unless it is asked for."""
    path = f"puzzles/{puzzle.id}"
    shown = ask(server, path)
    game = puzzle.position()
    best = game.actions.parse(puzzle.answer)
    offered = choices(shown["turn"])
    assert sorted(offered) == sorted(map(game.actions.parse, puzzle.values))
    assert shown["seat"] == puzzle.seat
    wrong = next(action for action in offered if action != best)
    told = ask(server, f"{path}/answer", action=wrong)
    assert not told["right"]
    assert told["best"] is None
    assert told["evidence"] is None
    revealed = ask(server, f"{path}/answer", action=wrong, reveal=True)
    assert revealed["best"]["action"] == best
    assert revealed["chosen"] == told["chosen"]
    right = ask(server, f"{path}/answer", action=best)
    assert right["right"]
    assert right["chosen"]["value"] == puzzle.values[puzzle.answer]


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("puzzles/none", {}, 404, "no such puzzle"),
        ("puzzles/none/answer", {"action": 1}, 404, "no such puzzle"),
        ("puzzles/league/answer", {"action": "x"}, 400, "action is 'x'"),
        ("puzzles/league/answer", {"action": 10**9}, 400, "is not a choice of puzzle league"),
        ("puzzles/league/answer", {"action": 1, "reveal": 3}, 400, "reveal is 3"),
        ("puzzles/league/answer", {"reveal": True}, 400, "action is None"),
        ("puzzles/league/preview?action=1", {}, 403, "shown in blocks"),
        ("tables", {"puzzle": "none"}, 404, "no such puzzle"),
        ("tables", {"puzzle": 7}, 404, "no such puzzle"),
        ("tables", {"puzzle": "league", "name": "x" * 41}, 400, "up to 40"),
        (
            "tables",
            {"first_game": "yes"},
            400,
            "it takes true, false or gonzaga, tuscany, signorie",
        ),
        ("tables", {"first_game": ["tuscany"]}, 400, "first_game is ['tuscany']"),
        ("tables", {"first_game": 1}, 400, "first_game is 1"),
        *(
            ("tables", {**begun, "name": name}, 400, "up to 40")
            for begun in ({"first_game": True}, {"puzzle": next(iter(shipped()))})
            for name in (["x"], {}, [], False, 0)
        ),
        ("tables", {"first_game": 0}, 400, "first_game is 0"),
    ],
)
def test_requests_that_are_wrong(server, path, body, status, said) -> None:
    answer = ask(server, path, **body)
    assert answer.status_code == status, answer.text
    assert said in answer.json()["error"]["message"]


def test_what_is_hidden_changes_nothing_of_a_puzzle(server, rng) -> None:
    """Objectives, decks and plans of others have no part in what a puzzle sends."""
    routes = LearnRoutes(server.rooms)
    for puzzle in (p for p in OF_GONZAGA if p.question in ("first", "reply", "final")):
        table = routes._room(puzzle.id).session
        twin = twin_of(table, puzzle.seat, rng)
        assert as_json(twin.view(puzzle.seat)) == as_json(table.view(puzzle.seat))


def test_a_puzzle_is_played_on_with_agents(server) -> None:
    puzzle = next(p for p in OF_GONZAGA if p.question == "reply")
    made = server.client.post("/api/tables", json={"puzzle": puzzle.id, "name": "Ann"})
    ((seat, person),) = server.seated(made)[1].items()
    assert seat == puzzle.seat
    shown = person.look()
    assert shown["moves"] == len(puzzle.record["moves"])
    assert shown["seats"][puzzle.seat]["name"] == "Ann"
    assert len(choices(shown["turn"])) >= len(puzzle.values)
    assert person.move(move=shown["moves"], action=choices(shown["turn"])[0]).status_code == 200


@pytest.mark.parametrize("seed", range(3))
def test_the_first_game_teaches_an_idea_a_round(seed) -> None:
    """Whoever follows the lessons meets every idea in its round, and wins."""
    table = first_game("Ann")
    lessons = list(follow(table, np.random.default_rng(seed)))
    taught = [lesson["name"] for lesson in lessons]
    assert taught[: len(TAUGHT)] == TAUGHT
    assert [lesson["round"] for lesson in lessons[: len(TAUGHT)]] == [
        number for number in range(1, 7) for _ in range(2)
    ]
    assert all(SHOWN.get(lesson["name"], lambda _: True)(lesson) for lesson in lessons)
    assert taught[len(TAUGHT) :] == ["onYourOwn", "last"]
    assert table.view(SEAT).players[SEAT].won
    league = lessons[TAUGHT.index("leagueNow")]["after"].players[SEAT]
    assert league.leagues == (lessons[TAUGHT.index("league")]["sea"],)


def test_lessons_fit_whatever_is_played_and_tell_nothing_that_is_hidden(rng) -> None:
    """Somebody who does otherwise gets lessons whose choices are legal, and no more."""
    table, teacher = first_game("Ann"), Teacher(GameConfig(2))
    while not table.over:
        lesson = lesson_of(table, SEAT)
        assert lesson_of(twin_of(table, SEAT, rng), SEAT) == lesson
        assert lesson_of(table, 1) is lesson_of(table, None) is None
        if table.to_act != SEAT:
            table.step_agent(teacher, rng)
            continue
        legal = {choice.action for choice in table.turn(SEAT).choices}
        assert lesson is None or {*lesson["good"]} <= legal
        table.play(SEAT, table.num_moves, int(rng.choice(sorted(legal))))
    assert lesson_of(table, SEAT) is None


def test_only_the_first_game_has_lessons(server) -> None:
    _, people = server.open(["human", "greedy"])
    shown = people[0].look()
    assert shown["lesson"] is None
    assert not shown["lessons"]
    assert not is_first_game(GameSession(GameConfig(2), [human("Ann"), human("Bo")]))
    made = server.client.post("/api/tables", json={"first_game": True, "name": "Ann"})
    table, people = server.seated(made)
    shown = people[0].look()
    assert shown["lessons"]
    assert shown["lesson"]["name"] == "plan"
    assert shown["seats"][1]["name"] == "Caterina"
    assert server.public(table).look()["lesson"] is None
    for first in FIRST_GAMES.values():
        assert first.opponent not in server.rooms.roster.names  # nobody else is offered it


@pytest.mark.parametrize("game", TAUGHT_BY_NUMBER)
def test_the_first_games_of_newer_games_have_six_lessons(game) -> None:
    """Whoever follows the lessons meets every idea in its order, and wins."""
    table, taught = first_game("Ann", game), TAUGHT_BY_NUMBER[game]
    lessons = list(follow(table, np.random.default_rng(0)))
    numbers = [lesson["round"] for lesson in lessons]
    assert numbers == sorted(numbers)
    for number, names in taught.items():
        assert {one["name"] for one in lessons if one["round"] == number} == names
    assert len([one for one in lessons if one["round"] == 7]) == 1
    assert table.view(SEAT).players[SEAT].won


@pytest.mark.parametrize("game", TAUGHT_BY_NUMBER)
def test_lessons_of_newer_games_fit_whatever_is_played(game, rng) -> None:
    """They tell nothing that is hidden, and what they want is legal."""
    table, told = first_game("Ann", game), set()
    while not table.over and table.num_moves < 200:
        lesson = lesson_of(table, SEAT)
        assert lesson_of(table, 1) is lesson_of(table, None) is None
        legal = table.question()[1].nonzero()[0]
        if lesson is not None:
            told.add(lesson["name"])
            assert {*lesson["good"]} <= {*legal.tolist()}
            assert lesson["good"] == [] or lesson["action"] in lesson["good"]
            twin = copy(table)
            twin._game = table._game.resampled(SEAT, rng)
            twin._logs, twin._games, twin._turns = {}, {}, {}
            assert lesson_of(twin, SEAT) == lesson
        table.play(table.to_act, table.num_moves, int(rng.choice(legal)))
    assert len(told) > 2


@pytest.mark.parametrize("game", TAUGHT_BY_NUMBER)
def test_a_first_game_of_a_newer_game_is_opened(server, game) -> None:
    made = server.client.post("/api/tables", json={"first_game": game, "name": "Ann"})
    table, people = server.seated(made)
    while (shown := people[0].look())["turn"] is None:  # the opponent may come first
        pass
    assert shown["game"] == game
    assert shown["lessons"]
    assert shown["lesson"]["round"] == 1
    assert shown["lesson"]["words"]
    assert server.public(table).look()["lesson"] is None


def test_the_teacher_is_gentle_and_always_the_same(rng) -> None:
    games = []
    for seed in (1, 2):
        table, teacher, rng = first_game("Ann"), Teacher(), np.random.default_rng(seed)
        while not table.over:
            seat = table.to_act
            if seat == SEAT:
                table.play(SEAT, table.num_moves, table.turn(SEAT).choices[0].action)
                continue
            placed = table.turn(seat).choices if table.view(seat).stage == "placing" else ()
            table.step_agent(teacher, rng)
            played = [one for one in placed if one.action == table.moves[-1][1]]
            assert all(one.points <= 6 or one.leagues == () for one in played)
        games.append(table.moves)
    assert games[0] == games[1]
