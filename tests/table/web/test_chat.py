"""What people say at a table: who reads it, since when, how much, and where it is not kept."""

import pytest
from gonzaga_table.web.people import chat

from tests.table.web.asking import running, soon
from tests.table.web.conftest import Person, error_of, play_on


def heard(person: Person, since: int = 0) -> list[str | None]:
    answer = person.get("/chat", since=since)
    assert answer.status_code == 200, answer.text
    return [line["text"] or line["emote"] for line in answer.json()["lines"]]


def say(person: Person, text: str) -> None:
    answer = person.post("chat", text=text)
    assert answer.status_code == 201, answer.text


def test_people_hear_each_other_in_order(server) -> None:
    _, people = server.open()
    for person in people.values():
        person.look()
    say(people[0], "<b>hi</b> https://gonzaga.example")
    assert people[1].post("chat", emote="thanks").json() == {"chat": 2}
    lines = people[0].get("/chat").json()["lines"]
    assert lines == [
        {"number": 0, "seat": 0, "text": "<b>hi</b> https://gonzaga.example", "emote": None},
        {"number": 1, "seat": 1, "text": None, "emote": "thanks"},
    ]
    assert heard(people[1], since=1) == ["thanks"]
    assert people[1].look()["chat"] == 2


def test_who_comes_later_hears_nothing_of_before(server) -> None:
    """Not even how much it was."""
    _, people = server.open(["human"] * 3)
    people[0].look()
    people[1].look()
    say(people[0], "nobody else is here")
    assert people[2].look()["chat"] == 0
    assert heard(people[2]) == []
    say(people[1], "welcome")
    for start in (False, True):
        if start:
            server.restart()
        assert people[2].get("/chat").json()["lines"][0]["number"] == 0
        assert heard(people[2]) == ["welcome"]
        assert heard(people[0]) == ["nobody else is here", "welcome"]
    say(people[2], "thanks")
    assert [person.look()["chat"] for person in people.values()] == [3, 3, 2]


def test_outsiders_hear_nothing(server) -> None:
    table, people = server.open()
    public = server.public(table)
    before = public.look()
    say(people[0], "a secret")
    assert public.look() == {**before, "present": public.look()["present"]}
    assert before["chat"] is None
    for who in (public, Person(server, table, "guessed"), Person(server, table, "t" * 32)):
        assert error_of(who.get("/chat")) == (403, "forbidden")
        assert error_of(who.post("chat", text="x")) == (403, "forbidden")
    _, (other, *_) = server.open()[0], list(server.open()[1].values())
    stranger = Person(server, table)
    stranger.headers = other.headers
    assert error_of(stranger.get("/chat")) == (403, "forbidden")


@pytest.mark.anyio
async def test_a_line_wakes_those_who_sit_there_alone() -> None:
    with running() as site:
        path, (ann, bob) = await site.open("human", "human")
        lines = [await site.listen(path, who) for who in (ann, bob, None)]
        known = [len(line.events) for line in lines]
        status, _ = await site.ask(f"{path}/chat", ann, body={"text": "hi"})
        assert status == 201
        await soon()
        assert [len(line.events) - n for line, n in zip(lines, known, strict=True)] == [1, 1, 0]
        assert lines[1].events[-1]["chat"] == 1
        for line in lines:
            await line.leave()


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"text": "hi", "emote": "hello"},
        {"text": 5},
        {"text": ["hi"]},
        {"text": ""},
        {"text": " \n\t\u200b\u202e "},
        {"text": "x" * (chat.MAX_LETTERS + 1)},
        {"emote": "sneer"},
        {"emote": ["hello"]},
        {"emote": True},
    ],
)
def test_a_line_takes_what_it_takes(server, content) -> None:
    _, people = server.open()
    people[1].look()
    assert error_of(people[0].post("chat", **content)) == (400, "malformed")
    assert heard(people[1]) == []


def test_letters_that_turn_or_hide_a_line_are_left_out(server) -> None:
    _, people = server.open()
    say(people[0], "  one\u202e\n\ttwo\u2066 \u0000 drei: Größe  ")
    assert heard(people[0]) == ["one two drei: Größe"]


def test_there_is_no_chat_for_one_person(server) -> None:
    _, people = server.open(["human", "random"])
    assert people[0].look()["chat"] is None
    assert error_of(people[0].post("chat", text="hi")) == (403, "forbidden")
    assert heard(people[0]) == []


def test_a_person_and_an_address_are_limited(server, clock, monkeypatch) -> None:
    _, people = server.open()
    statuses = [people[0].post("chat", emote="oops").status_code for _ in range(8)]
    assert statuses == [201] * int(chat.BURST) + [429] * 2
    assert people[1].post("chat", emote="oops").status_code == 201  # somebody else of this address
    clock.go_on(1 / chat.RATE)
    assert people[0].post("chat", emote="oops").status_code == 201
    clock.go_on(600.0)
    statuses = []
    for _ in range(int(chat.CLIENT_BURST / chat.BURST) + 1):
        _, others = server.open()
        statuses += [others[0].post("chat", text="x").status_code for _ in range(int(chat.BURST))]
    assert statuses.count(201) == int(chat.CLIENT_BURST)


def test_a_page_that_reads_the_chat_shows_nobody(server, clock) -> None:
    """Otherwise whoever asks "are you there?" could never get an agent for who is not."""
    _, people = server.open(away=60)
    clock.go_on(59.0)
    assert heard(people[1]) == []
    clock.go_on(1.0)
    assert people[0].look()["away"] == [1]
    say(people[1], "back")
    assert people[0].look()["away"] == []


def test_old_lines_are_dropped(server, clock, monkeypatch) -> None:
    monkeypatch.setattr(chat, "MAX_LINES", 3)
    table, people = server.open()
    for number in range(5):
        clock.go_on(10.0)
        say(people[0], f"line {number}")
    assert heard(people[0]) == ["line 2", "line 3", "line 4"]
    assert people[0].look()["chat"] == 5
    server.restart()
    assert people[0].look()["chat"] == 5
    server.rooms.store.drop([table])
    assert server.rooms.store.rows("SELECT * FROM chats") == []
    assert server.rooms.store.rows("SELECT * FROM joined") == []


def test_no_record_has_it_and_a_rematch_begins_anew(server, rng) -> None:
    _, people = server.open()
    say(people[0], "palaver")
    position = play_on(people, rng)
    assert "palaver" not in people[0].get("/record").text
    assert "palaver" not in people[0].get(since=0).text
    people[0].post("rematch")
    again = f"/api/tables/{people[0].look()['next']}"
    for person in people.values():
        person.path = again
    say(people[1], "again!")
    assert [heard(person) for person in people.values()] == [["again!"]] * 2
    assert position["over"]


def test_who_waited_in_the_lobby_hears_all(server) -> None:
    asked = {"edition": "europe", "num_players": 2, "seats": ["human", "human"], "name": "A"}
    waits = [
        server.client.post("/api/lobby", json={**asked, "seat": 0, "anybody": True}).json()
        for _ in range(2)
    ]
    ann, bob = (Person(server, waits[1]["table"], one["token"]) for one in waits)
    say(ann, "are you there?")  # before the other page has opened the table
    assert heard(bob) == ["are you there?"]
