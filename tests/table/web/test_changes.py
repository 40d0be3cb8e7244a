"""What people change at a table: names, take-backs, agents that fail, and rematches."""

from contextlib import closing, suppress
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.analysis.puzzles import shipped
from gonzaga_table.session import GameSession, SessionError, human
from gonzaga_table.web.agents import Roster
from gonzaga_table.web.learn.first_games import FIRST_GAMES
from gonzaga_table.web.rooms import Changes, Rooms
from gonzaga_table.web.store import Store
from httpx2 import Response

from gonzaga_env.games import game_spec
from tests.marks import nightly, some_nightly
from tests.table.web.conftest import (
    EDITIONS,
    OFFERED,
    Person,
    choices,
    error_of,
    play_on,
    whose_turn,
)


def ask(person: Person, act: str = "ask", **more: Any) -> Response:
    return person.post("undo", move=person.look()["moves"], act=act, **more)


def test_early_plans_survive_a_restart(server) -> None:
    """R3.2: a plan that comes before the engine asks for it is in the file, and still secret."""
    table, people = server.open(["human", "human", "human"])
    people[2].play_first()
    before = [person.look() for person in people.values()]
    assert before[2]["pending"]["action"] == choices(before[1]["turn"])[0]
    assert [position["sealed"] for position in before] == [[2]] * 3
    assert [position["pending"] for position in before[:2]] == [None, None]
    server.restart()
    assert [person.look() for person in people.values()] == before
    assert people[2].move(move=0, action=before[2]["pending"]["action"]).status_code == 403
    people[1].play_first()
    people[0].play_first()
    assert server.rooms.get(table).session.num_moves == 3
    server.restart()
    assert people[0].look()["moves"] == 3


def test_people_name_themselves(server) -> None:
    table, people = server.open(names=["Ann", "Player 2"])
    answer = people[1].post("name", name=" Bo ")
    assert answer.status_code == 200
    assert answer.json()["revision"] == 1
    position = people[0].look(since=0)
    assert [seat["name"] for seat in position["seats"]] == ["Ann", "Bo"]
    assert position["frames"][0]["view"]["players"][1]["name"] == "Bo"
    for name, status in (("x" * 41, 400), ("a\nb", 400), (7, 400), (None, 400)):
        assert people[1].post("name", name=name).status_code == status
    assert server.public(table).post("name", name="Eve").status_code == 403
    assert people[1].post("name", name="Bo").json()["revision"] == 1
    server.restart()
    assert people[0].look()["seats"][1]["name"] == "Bo"


def test_nobody_is_called_like_an_agent(server) -> None:
    _, people = server.open(["human", "greedy"])
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in "greedy")
    for name in ("greedy", " Planner ", "SEARCH@16", "search:learned", wide, "random "):
        opened = server.ask(names=["Ann", name])
        renamed = people[0].post("name", name=name)
        puzzle = next(iter(shipped()))
        solved = server.client.post("/api/tables", json={"puzzle": puzzle, "name": name})
        for answer in (opened, renamed, solved):
            assert answer.status_code == 400, (name, answer.text)
            assert "is an agent's name" in answer.json()["error"]["message"]
    assert people[0].post("name", name="Greedier").status_code == 200


def test_the_teachers_of_first_games_are_on_offer_to_nobody(server) -> None:
    _, people = server.open()
    person = next(person for person in people.values() if person.look()["turn"] is not None)
    for first in FIRST_GAMES.values():
        assert server.ask(seats=["human", first.opponent]).status_code == 400
        assert person.get("/hint", agent=first.opponent).status_code == 400
    taught = server.client.post("/api/tables", json={"first_game": True, "name": "Ann"})
    assert taught.status_code == 201


def test_changes_take_what_they_take(server) -> None:
    table, people = server.open()
    people[0].play_first()
    bodies = ("[]", "{", '{"move": "1", "act": "ask"}', '{"move": 1, "act": "dance"}', '{"act": 7}')
    before = people[0].get().content
    for what in ("name", "undo", "agent", "rematch"):
        for body in bodies:
            path = f"{people[0].path}/{what}"
            answer = server.client.post(path, content=body, headers=people[0].headers)
            assert answer.status_code in ((403,) if what == "rematch" else (400,))
        assert server.public(table).post(what, move=1, act="ask").status_code in (400, 403)
        assert Person(server, table, "guessed").post(what, name="x").status_code == 403
        long = server.client.post(path, content="x" * 20_000, headers=people[0].headers)
        assert long.status_code in (413, 403)
    assert people[0].get().content == before


def test_taking_back_needs_all_other_people(server, rng) -> None:
    table, people = server.open(["human", "human", "human"], names=["Ann", "Bo", "Cy"])
    play_on(people, rng, 4)
    placed = server.rooms.get(table).session.moves[-1][0]
    others = [seat for seat in people if seat != placed]
    assert ask(people[placed]).status_code == 200
    undo = people[others[0]].look()["undo"]
    assert undo == {"seat": placed, "to": 3, "reveals": False, "asked": others}
    assert ask(people[others[0]]).status_code == 403  # somebody asks already
    assert ask(people[placed], "agree").status_code == 403
    assert ask(people[others[0]], "agree").json()["undo"]["asked"] == others[1:]
    assert ask(people[others[0]], "agree").status_code == 403  # once is enough
    assert ask(people[others[1]], "refuse").json()["undo"] is None
    assert people[placed].look()["moves"] == 4
    ask(people[placed])
    ask(people[placed], "refuse")  # withdrawn
    assert people[placed].look()["undo"] is None
    ask(people[placed])
    ask(people[others[1]], "agree")
    position = ask(people[others[0]], "agree").json()
    assert (position["moves"], position["revision"], position["undo"]) == (3, 1, None)
    assert position["deciding"] == [placed]
    texts = [line["text"] for line in position["frames"][0]["lines"]]
    assert texts[-1] == "takes the last decision back"
    server.restart()
    again = people[0].look()
    assert (again["moves"], again["revision"]) == (3, 1)
    assert again["frames"][0]["lines"][-1]["text"] == texts[-1]
    people[placed].play_first()


def test_whoever_plays_on_does_not_agree(server, rng) -> None:
    table, people = server.open()
    play_on(people, rng, 3)
    placed = server.rooms.get(table).session.moves[-1][0]
    ask(people[placed])
    people[1 - placed].play_first()
    assert people[placed].look()["undo"] is None
    stale = people[placed].post("undo", move=3, act="ask")
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "stale")


def test_who_is_alone_is_told_what_has_been_shown(server) -> None:
    """Others' plans or new fiefs: it is possible all the same, and the log tells it."""
    _, people = server.open(["human", "greedy"])
    ann = people[0]
    ann.play_first()  # its plan; then all are revealed
    while not (position := ann.look())["turn"]:
        ann.look(since=position["moves"] + 1, wait=20)
    answer = ask(ann)
    assert error_of(answer) == (409, "revealed")
    assert ann.look()["revision"] == 0
    position = ask(ann, knowing=True).json()
    assert (position["moves"], position["turn"]["stage"]) == (0, "planning")
    assert position["frames"][0]["lines"][0]["text"] == "takes the last decision back"


def test_a_finished_game_takes_nothing_back(server, rng) -> None:
    _, people = server.open()
    play_on(people, rng)
    assert ask(people[0]).status_code == 403


@pytest.mark.parametrize("game", some_nightly(EDITIONS, lambda game: game != "signorie"))
def test_nobody_takes_back_what_another_person_has_done(server, rng, game) -> None:
    """Whoever has moved stays asked: however long they are away, and after a restart."""
    table, people = server.open(["human", "greedy", "human"], edition=EDITIONS[game])
    for number in range(20):
        person, position = whose_turn(people)
        room = server.rooms.get(table)
        mine, before = position["seat"], list(room.session.moves)
        theirs = [move for move in before if move[0] in people and move[0] != mine]
        ask(person, knowing=True)
        ask(person, "agree", knowing=True)
        ask(person, "refuse")
        now = server.rooms.get(table).session.moves
        assert [move for move in now if move[0] in people and move[0] != mine] == theirs
        if number == 10:
            server.restart()
        person, position = whose_turn(people)
        if position["over"]:
            break
        action = int(rng.choice(choices(position["turn"])))
        assert person.move(move=position["moves"], action=action).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize(("game", "often"), [("gonzaga", 0.9), ("tuscany", 0.9), ("signorie", 0.2)])
@pytest.mark.parametrize("number", [3, *nightly(2, 4)])
async def test_whole_games_lose_nothing_of_others_to_one_alone(game, often, number, rng) -> None:
    """Such as a helper or a bride of the reward in Signorie, which others' rewards come before."""
    with closing(Rooms(Store(":memory:"), Roster(), OFFERED)) as rooms:
        config = game_spec(game).config(num_players=number, edition=OFFERED[EDITIONS[game]])
        people = [human()] * number
        room, _ = await rooms.create(GameSession(config, people, number))
        changes, alone, table = Changes(rooms), 0, room.session
        while not table.over:
            seat = int(rng.choice(table.deciding))
            if rng.random() < often and alone < 90:
                asking = int(rng.choice([seat, seat, rng.integers(number)]))
                before = [(*table.moves, *table.pending.items())]
                with suppress(SessionError):  # it has decided nothing yet
                    changes.take_back(room, asking, table.num_moves, "ask")
                    if room.undo is not None:
                        changes.take_back(room, asking, table.num_moves, "refuse")
                    else:
                        alone += 1
                        before.append((*table.moves, *table.pending.items()))
                of_others = [sorted(one for one in each if one[0] != asking) for each in before]
                assert of_others[0] == of_others[-1]
                seat = table.deciding[0]
            mask = table.question(seat)[1]
            rooms.play(room, seat, table.num_moves, int(rng.choice(np.flatnonzero(mask))))
        assert alone


def test_an_agent_that_fails_is_replaced(own, mine, rng) -> None:
    table, people = own.open(["human", mine("Failing")])
    while not (position := people[0].look())["failed"]:
        pass
    assert (position["failed"], "I am lost" in position["problem"]["text"]) == ([1], True)
    for seat, agent, status in ((0, "greedy", 403), (1, "nobody", 400), (1, 3, 400)):
        assert people[0].post("agent", seat=seat, agent=agent).status_code == status
    assert own.public(table).post("agent", seat=1, agent="greedy").status_code == 403
    position = people[0].post("agent", seat=1, agent="random").json()
    assert (position["failed"], position["problem"]) == ([], None)
    assert position["seats"][1]["agent"] == position["seats"][1]["name"] == "random"
    assert play_on(people, rng)["over"]


def test_an_agent_that_fails_twice_is_replaced_by_itself(own, mine, clock) -> None:
    _, people = own.open(["human", mine("Failing")])
    while not people[0].look()["failed"]:
        pass
    clock.go_on(61.0)
    while people[0].look()["seats"][1]["agent"] != "greedy":
        pass
    people[0].play_first()
    line = people[0].look(since=0)["frames"][0]["lines"][0]
    assert line["event"] == {"kind": "agent", "agent": "greedy"}


def test_a_rematch_takes_all_along(server, rng) -> None:
    table, people = server.open(["human", "human", "greedy"], names=["Ann", "Bo", ""])
    assert people[0].post("rematch").status_code == 403
    play_on(people, rng)
    public = server.public(table)
    assert public.post("rematch").status_code == 403
    new = people[0].post("rematch").json()["next"]
    assert people[1].post("rematch").json()["next"] == new != table
    assert public.look()["next"] == new
    for seat, person in people.items():
        person.path = f"/api/tables/{new}"
        position = person.look()
        assert position["seat"] == (seat - 1) % 3
        assert not position["over"]
    assert [seat["name"] for seat in position["seats"]] == ["Bo", "greedy", "Ann"]
    server.restart()
    assert public.look()["next"] == new
