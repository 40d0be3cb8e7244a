"""The stream of a table's news: what it tells, to whom, and how many may listen or wait."""

import asyncio
from collections.abc import Iterator

import pytest
from gonzaga_table.web import room as room_module
from gonzaga_table.web import rooms as rooms_module
from gonzaga_table.web import routes
from gonzaga_table.web.room import MAX_WAITS

from tests.table.web.asking import Site, running, soon

pytestmark = pytest.mark.anyio


@pytest.fixture
def site(monkeypatch) -> Iterator[Site]:
    monkeypatch.setattr(room_module, "PRESENT_SECONDS", 0.0)
    monkeypatch.setattr(room_module, "PRESENCE_SECONDS", 0.0)
    with running() as site:
        yield site


async def test_a_stream_begins_with_the_position_and_goes_on_with_what_is_new(site) -> None:
    path, (ann, bob) = await site.open("human", "human")
    line = await site.listen(path, ann)
    assert line.status == 200
    assert dict(line.sent[0]["headers"])[b"content-type"].startswith(b"text/event-stream")
    (first,) = line.events
    assert first["log"] == []
    assert first["turn"]["stage"] == "planning"
    await site.play_first(path, bob)  # the second seat: no move yet
    (told,) = line.events[1:]
    assert (told["moves"], told["sealed"], told["frames"]) == (0, [1], [])
    assert "turn" not in told  # as it was
    await site.play_first(path, ann)
    news = line.events[2:]
    assert [frame["move"] for event in news for frame in event["frames"]] == [1, 2]
    assert news[-1]["deciding"] == [news[-1]["frames"][-1]["view"]["to_act"]]
    assert "turn" in news[-1]  # placing, or nothing for the one who waits
    await line.leave()


async def test_whoever_joins_and_leaves_again_and_again_is_told_rarely(site, monkeypatch) -> None:
    """In 0.11 each time made an answer for everybody at the table."""
    monkeypatch.setattr(room_module, "PRESENCE_SECONDS", 60.0)
    path, (ann, _) = await site.open("human", "human")
    line = await site.listen(path, ann)
    known = len(line.events)
    for _ in range(10):
        other = await site.listen(path)
        await other.leave()
        await soon()
    assert len(line.events) == known
    room = next(iter(site.rooms._rooms.values()))
    staying = await site.listen(path)
    room.notify_presence()  # as after a minute
    await soon()
    assert [event["present"]["spectators"] for event in line.events[known:]] == [1]
    for one in (line, staying):
        await one.leave()


async def test_a_page_that_comes_back_gets_what_it_lacks(site) -> None:
    path, (ann, bob) = await site.open("human", "human")
    await site.play_first(path, ann)
    await site.play_first(path, bob)
    line = await site.listen(path, ann, query="since=2&revision=0")
    assert [frame["move"] for frame in line.events[0]["frames"]] == [2]
    assert "log" not in line.events[0]
    for query in ("since=2&revision=7", "since=99&revision=0"):  # of another history
        other = await site.listen(path, ann, query=query)
        assert len(other.events[0]["log"]) == 2
        await other.leave()
    await line.leave()


async def test_all_see_who_is_there(site) -> None:
    path, (ann, bob) = await site.open("human", "human")
    ann_line = await site.listen(path, ann)
    assert ann_line.events[-1]["present"] == {"seats": [0], "spectators": 0}
    others = [await site.listen(path, bob), await site.listen(path), await site.listen(path)]
    await soon()
    assert ann_line.events[-1]["present"] == {"seats": [0, 1], "spectators": 2}
    for other in others:
        await other.leave()
    await asyncio.sleep(0.01)
    await soon()
    assert ann_line.events[-1]["present"] == {"seats": [0], "spectators": 0}
    await ann_line.leave()


async def test_a_quiet_stream_says_that_it_is_there(site, monkeypatch) -> None:
    """Empty events, so that neither proxies nor the page give the line up; the table stays."""
    monkeypatch.setattr(routes, "QUIET_SECONDS", 0.001)
    looked: list[str] = []
    monkeypatch.setattr(site.rooms, "look_at", lambda room: looked.append(room.id))
    path, (ann, _) = await site.open("human", "human")
    line = await site.listen(path, ann)
    while len(looked) < 3:
        await asyncio.sleep(0.001)
    assert b":\n\n" in [message.get("body") for message in line.sent]
    await line.leave()


async def test_a_stream_ends_with_the_server_or_the_table(site) -> None:
    path, (ann, _) = await site.open("human", "human")
    line = await site.listen(path, ann)
    site.rooms._forget([path.rpartition("/")[2]])
    await line.task
    assert line.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


async def test_strangers_get_no_stream_of_a_seat(site) -> None:
    path, _ = await site.open("human", "human")
    assert (await site.ask(f"{path}/events", "guessed"))[0] == 403
    assert (await site.ask("/api/tables/nowhere/events"))[0] == 404
    assert (await site.ask(f"{path}/events?since=x"))[0] == 400


async def test_positions_are_read_anew_where_the_history_changes_meanwhile(site) -> None:
    """A take-back comes while the log of a long game is made, a move at a time."""
    path, (ann, bob) = await site.open("human", "human")
    for _ in range(3):
        for token in (ann, bob):
            if (await site.ask(path, token))[1]["turn"]:
                await site.play_first(path, token)
    room = site.rooms.get(path.rpartition("/")[2])
    seat, number = room.session.moves[-1][0], room.session.num_moves
    whole = site.asking(path)
    page = site.asking(f"{path}?since=0")
    for _ in range(3):
        await asyncio.sleep(0)
    room.session.take_back(seat)
    room.rewrite()
    _, answer = await whole  # of before or after, but in itself of one moment
    assert answer["moves"] in (number, room.session.num_moves)
    assert answer["frames"][-1]["move"] == answer["moves"]
    assert room.session.num_moves < number
    assert (await page)[0] in (200, 409)


async def test_whoever_leaves_waits_no_more(site) -> None:
    path, (ann, bob) = await site.open("human", "human")
    wait, leaves = f"{path}?since=1&wait=25", asyncio.Event()
    waiting = [site.asking(wait, bob, leaves=leaves) for _ in range(MAX_WAITS)]
    await soon()
    assert (await site.ask(wait, bob))[0] == 429
    assert (await site.listen(path, bob)).status == 429
    watching = site.asking(wait)  # others have their own
    await soon()
    assert not watching.done()
    other = await site.listen(path, ann)
    assert other.status == 200
    await other.leave()
    leaves.set()
    await asyncio.gather(*waiting)
    again = site.asking(wait, bob)
    await soon()
    assert not again.done()
    site.rooms.close_waiting()
    assert [(await one)[0] for one in (again, watching)] == [200, 200]


async def test_tables_in_memory_are_bounded(site, monkeypatch) -> None:
    """Those unused for longest are read again when needed; where somebody waits, they stay."""
    monkeypatch.setattr(rooms_module, "MAX_ROOMS", 2)
    path, (_, bob) = await site.open("human", "human")
    waiting = site.asking(f"{path}?since=1&wait=25", bob)
    await soon()
    others = [(await site.open("human", "human"))[0] for _ in range(4)]
    kept = list(site.rooms._rooms)
    assert kept == [path.rpartition("/")[2], others[-1].rpartition("/")[2]]
    assert (await site.ask(others[0]))[0] == 200
    site.rooms.close_waiting()
    assert (await waiting)[0] == 200


async def test_a_stream_tells_what_a_request_would(site) -> None:
    """What a request tells depends on nothing that is hidden (test_leaks)."""
    path, (ann, bob) = await site.open("human", "human")
    await site.play_first(path, bob)
    for token in (ann, bob, None):
        line = await site.listen(path, token)
        _, position = await site.ask(path, token)
        assert line.events[0] == position
        await line.leave()
