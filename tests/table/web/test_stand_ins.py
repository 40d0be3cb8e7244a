"""Clocks, people who are away, and the agents that play for both until they are back."""

from typing import Any

import pytest
from gonzaga_table.web.people.pace import Pace, TableClock
from gonzaga_table.web.people.stand_ins import RETRY_SECONDS

from tests.table.web.conftest import EDITIONS, Person, choices, error_of, play_on, whose_turn

MOVE = {"per": "move", "seconds": 60, "agent": "greedy"}
GAME = {"per": "game", "seconds": 100, "increment": 10, "agent": "greedy"}
DAYS = {"per": "move", "seconds": 2 * 86400, "agent": "planner"}


def left(person: Person) -> dict[str, float]:
    return person.look()["clock"]["left"]


def plays_for(person: Person) -> str | None:
    position = person.look()
    return position["seats"][position["seat"]]["agent"]


def wait_for_agent(person: Person, before: int) -> dict[str, Any]:
    """Waits until an agent has moved."""
    while not person.look(since=before + 1, wait=20)["frames"]:
        pass
    return person.look()


def test_each_move_has_its_time(server, clock) -> None:
    _, people = server.open(pace=MOVE)
    assert people[0].look()["clock"]["running"] == [0, 1]  # R3.2: they plan together
    clock.go_on(25.0)
    people[0].play_first()
    assert left(people[0]) == {"0": 35.0, "1": 35.0}
    assert people[0].look()["clock"]["running"] == [1]
    clock.go_on(30.0)
    assert left(people[0]) == {"0": 35.0, "1": 5.0}
    people[1].play_first()
    person, position = whose_turn(people)
    assert position["clock"]["running"] == [position["seat"]]
    assert position["clock"]["left"][str(position["seat"])] == 60.0
    assert person.look()["clock"]["pace"] == {**MOVE, "increment": 0}


def test_a_time_out_that_cannot_be_stored_comes_later(server, clock) -> None:
    _, people = server.open(pace=MOVE)
    people[1].play_first()
    moves = people[1].look()["moves"]
    server.rooms.store.run("PRAGMA query_only = ON")
    clock.go_on(100.0)
    for _ in range(2):
        position = people[1].look()
        assert (position["moves"], position["replaced"]) == (moves, [])
        assert position["clock"]["left"]["0"] == 0.0
    action = choices(people[0].look()["turn"])[0]
    assert error_of(people[0].move(move=moves, action=action)) == (500, "failed")
    server.rooms.store.run("PRAGMA query_only = OFF")
    clock.go_on(RETRY_SECONDS)
    assert people[1].look()["replaced"] == [0]


def test_taking_a_plan_back_gains_no_time(server, clock) -> None:
    _, people = server.open(pace=MOVE)
    clock.go_on(50.0)
    people[0].play_first()
    clock.go_on(5.0)
    moves = people[0].look()["moves"]
    assert people[0].post("undo", move=moves, act="ask").status_code == 200
    assert left(people[0]) == {"0": 10.0, "1": 5.0}


def test_a_game_has_its_time_and_more_for_each_decision(server, clock, rng) -> None:
    _, people = server.open(pace=GAME)
    clock.go_on(30.0)
    play_on(people, rng, 2)
    position = people[0].look()
    mover = str(position["clock"]["running"][0])
    assert position["clock"]["left"] == {mover: 80.0, str(1 - int(mover)): 70.0}


@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("pace", [MOVE, GAME, DAYS])
def test_an_agent_plays_on_when_time_is_out(server, clock, rng, game, pace) -> None:
    table, people = server.open(pace=pace, edition=EDITIONS[game])
    play_on(people, rng, 2)
    late, position = whose_turn(people)
    seat, moves = position["seat"], position["moves"]
    clock.go_on(pace["seconds"] + 50.0)
    public = server.public(table).look()
    assert public["seats"][seat]["agent"] == pace["agent"]
    assert public["replaced"] == [seat]
    told = [line for line in public["frames"][-1]["lines"] if line["seat"] == seat]
    assert told[-1]["event"] == {"kind": "agent", "agent": pace["agent"]}
    wait_for_agent(late, moves)
    action = {"move": late.look()["moves"], "action": 0}
    assert error_of(late.move(**action)) == (403, "forbidden")
    assert error_of(late.get("/hint", agent="greedy")) == (403, "forbidden")
    assert error_of(late.post("undo", move=action["move"], act="ask")) == (403, "forbidden")
    assert late.look()["turn"] is None
    for _ in range(20):  # the agent moves by itself as often as it is its turn
        if late.post("return").status_code == 200 and plays_for(late) is None:
            break
        server.public(table).look(since=1000, wait=1)
    assert plays_for(late) is None
    assert play_on(people, rng, 4)["replaced"] == []


def test_the_decision_that_was_due_is_the_agents(own, mine, clock) -> None:
    """Otherwise who is late would gain time by coming back."""
    _, people = own.open(pace=MOVE)
    people[0].play_first()
    room = own.rooms.get(people[1].path.rpartition("/")[2], "")
    own.rooms.agents.start = lambda room: None  # the agent has not answered yet
    clock.go_on(61.0)
    assert plays_for(people[1]) == "greedy"
    assert people[1].post("return").json()["returning"] == [1]
    assert people[1].look()["turn"] is None
    action = int(room.session.question(1)[1].argmax())

    async def answer() -> None:
        own.rooms.play(room, 1, 0, action)

    own.client.portal.call(answer)
    position = people[1].look()
    assert (position["returning"], position["replaced"], position["moves"]) == ([], [], 2)
    lines = people[1].look(since=0)["frames"]
    assert {"kind": "person"} in [line.get("event") for frame in lines for line in frame["lines"]]


def test_clocks_survive_a_restart(server, clock, rng) -> None:
    _, people = server.open(pace=DAYS)
    play_on(people, rng, 2)
    clock.go_on(3600.0)
    before = people[0].look()["clock"]
    server.restart()
    assert people[0].look()["clock"] == before
    late, position = whose_turn(people)
    clock.go_on(2 * 86400.0)
    server.restart()
    assert plays_for(late) is None  # everybody has a minute after a restart
    clock.go_on(61.0)
    assert plays_for(late) == "planner"
    server.restart()
    assert late.look()["replaced"] == [position["seat"]]


def test_a_clock_that_is_set_ends_nobodys_time(server, clock) -> None:
    """F8"""
    _, people = server.open(pace=MOVE)
    clock.now += 40 * 86400.0
    assert left(people[0]) == {"0": 60.0, "1": 60.0}
    clock.now -= 80 * 86400.0
    assert left(people[0]) == {"0": 60.0, "1": 60.0}


def test_tables_without_a_clock_have_none(server, clock) -> None:
    _, people = server.open()
    clock.go_on(40 * 86400.0)
    assert people[0].look()["clock"] is None
    assert people[0].look()["replaced"] == []


@pytest.mark.parametrize(
    "asked",
    [
        {"pace": 5},
        {"pace": {"per": "week", "seconds": 60}},
        {"pace": {"per": ["move"], "seconds": 60}},
        {"pace": {**MOVE, "seconds": 9}},
        {"pace": {**MOVE, "seconds": 60.5}},
        {"pace": {**MOVE, "seconds": 10**400}},
        {"pace": {**MOVE, "increment": 5}},
        {"pace": {**GAME, "increment": -1}},
        {"pace": {**MOVE, "agent": "search@16"}},
        {"pace": {**MOVE, "agent": None}},
        {"away": 5},
        {"away": "60"},
        {"pace": MOVE, "seats": ["human", "greedy"], "rated": "k" * 32},
    ],
)
def test_a_pace_takes_what_it_takes(server, asked) -> None:
    assert error_of(server.ask(**asked)) == (400, "malformed")


def test_the_lobby_tells_the_pace(server) -> None:
    content = {"edition": "europe", "num_players": 2, "seats": ["human", "human"], "seat": 0}
    asked = {**content, "public": True, "name": "Ann", "pace": MOVE}
    one = server.client.post("/api/lobby", json=asked).json()
    assert server.client.get("/api/lobby").json()["waiting"][0]["pace"] == MOVE
    path = f"/api/lobby/{one['id']}/join"
    joined = server.client.post(path, json={"seat": 1, "name": "Bob"}).json()
    assert left(Person(server, joined["table"], joined["token"])) == {"0": 60.0, "1": 60.0}


def test_others_agree_on_an_agent_for_who_is_away(server, clock) -> None:
    table, people = server.open(["human"] * 3, away=120)
    ask = {"act": "ask", "seat": 2, "agent": "greedy"}
    assert error_of(people[0].post("absent", **ask)) == (403, "forbidden")
    clock.go_on(119.0)
    assert people[0].look()["away"] == []
    people[1].look()
    clock.go_on(1.0)
    assert server.public(table).look()["away"] == [2]
    assert server.public(table).post("absent", **ask).status_code == 403
    absence = people[0].post("absent", **ask).json()["absence"]
    assert absence == {"seat": 2, "agent": "greedy", "by": 0, "asked": [1]}
    assert error_of(people[1].post("absent", **ask)) == (403, "forbidden")
    people[2].look()  # is back
    assert people[0].look()["absence"] is None
    clock.go_on(120.0)
    people[0].look()
    people[1].look()
    people[0].post("absent", **ask)
    assert people[1].post("absent", **{**ask, "act": "refuse"}).json()["absence"] is None
    people[0].post("absent", **ask)
    position = people[1].post("absent", **{**ask, "act": "agree"}).json()
    assert (position["absence"], position["replaced"]) == (None, [2])
    assert position["seats"][2]["agent"] == "greedy"
    server.restart()
    assert people[0].look()["replaced"] == [2]
    assert people[2].post("return").status_code == 200
    assert error_of(people[0].post("return")) == (403, "forbidden")


def test_a_rematch_gives_seats_back(server, clock, rng) -> None:
    _, people = server.open(pace=MOVE)
    clock.go_on(61.0)
    assert people[0].look()["replaced"] == [0, 1]
    while not (position := people[0].look(since=900, wait=1))["over"]:
        pass
    position = people[0].post("rematch").json()
    people[0].path = f"/api/tables/{position['next']}"
    again = people[0].look()
    assert [seat["kind"] for seat in again["seats"]] == ["human", "human"]
    assert again["clock"]["pace"]["seconds"] == 60


def test_a_clock_by_itself() -> None:
    clock = TableClock(Pace("game", 100, 5))
    clock.update([0], 0, 10.0)
    clock.update([1], 1, 40.0)
    clock.update([0], 2, 41.0)
    assert clock.left == {0: 75.0, 1: 99.0}
    assert clock.remaining(61.0, -100.0) == {0: 55.0, 1: 99.0}
    assert clock.remaining(200.0, 150.0)[0] == 10.0  # a minute after a start
    assert TableClock.from_dict({**clock.as_dict()}) == clock
    clock.update([0], 0, 30.0)  # a clock that is set back takes nothing
    assert clock.left[0] == 75.0
