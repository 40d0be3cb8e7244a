"""Positions in pages, made once and one at a time; each viewer's own (finding F5)."""

import asyncio
from typing import Any

import numpy as np
from gonzaga_table.replay import ViewerLog
from gonzaga_table.session import GameSession, human
from gonzaga_table.web import positions
from gonzaga_table.web.positions import PAGE_BYTES, PAGE_FRAMES, ByteCache, FrameCache
from gonzaga_table.web.protocol import as_json
from gonzaga_table.web.room import Room

from gonzaga_env.core import GameConfig
from gonzaga_env.render.palette import theme_of
from tests.table.web.asking import play_out

LIGHT, DARK = theme_of("light"), theme_of("dark")


def finished(num_players: int, rng: np.random.Generator) -> Room:
    table = GameSession(
        GameConfig(num_players), [human(f"p{i}") for i in range(num_players)], seed=3
    )
    play_out(table, rng)
    return Room("a", table, {}, 0.0)


def test_a_finished_game_is_sent_in_pages(server, rng) -> None:
    """F5: 0.6.0 answers with all frames at once, 2 MB and more."""
    table, people = server.open(["human"] * 4)
    play_out(server.rooms.get(table).session, rng)
    for person in (people[0], server.public(table)):
        told: list[Any] = []
        more, pages = True, 0
        while more:
            answer = person.get(since=len(told))
            frames = answer.json()["frames"]
            largest = max(len(as_json(frame).encode()) for frame in frames)
            assert len(answer.content) < PAGE_BYTES + largest + 4096
            assert 1 <= len(frames) <= PAGE_FRAMES
            told, more, pages = told + frames, answer.json()["more"], pages + 1
        assert [frame["move"] for frame in told] == list(range(answer.json()["moves"] + 1))
        assert pages > 3
        assert person.look()["frames"] == told[-1:]


async def read(frames: FrameCache, room: Room, viewer: Any, theme: Any) -> list[bytes]:
    found: list[bytes] = []
    while page := await frames.page(room, viewer, theme, len(found)):
        found += page
    return found


def test_readers_of_whole_games_take_turns(rng, monkeypatch) -> None:
    """F5: on 0.6.0, whoever else has a request waits until a whole game has been told."""
    rooms, done = [finished(2, rng) for _ in range(3)], [0]
    make, tell = positions.frame_json, ViewerLog.extend

    def making(*arguments: Any) -> str:
        done[0] += 1
        return make(*arguments)

    def telling(log: Any, moves: Any, most: Any = None) -> None:
        before = log.num_logged
        tell(log, moves, most)
        done[0] += log.num_logged - before

    monkeypatch.setattr(positions, "frame_json", making)
    monkeypatch.setattr(ViewerLog, "extend", telling)

    async def others() -> int:
        """Returns the most work between two turns of somebody else."""
        most = before = 0
        while True:
            try:
                await asyncio.sleep(0)
            except asyncio.CancelledError:
                return most
            most, before = max(most, done[0] - before), done[0]

    async def read_all() -> int:
        frames, other = FrameCache(), asyncio.create_task(others())
        await asyncio.gather(
            *(read(frames, room, "public", LIGHT) for room in rooms for _ in range(3))
        )
        other.cancel()
        return await other

    # One earlier position, and what is new at each table, for which nobody queues.
    assert 0 < asyncio.run(read_all()) <= 1 + len(rooms) * (positions.RECENT + 1)
    assert done[0] > 250


def test_nobody_gets_what_was_made_for_another(rng) -> None:
    """In mid-game and after the end, whoever has filled the cache before."""

    async def compare(room: Room) -> None:
        viewers: list[Any] = [0, 1, "public"]
        shared = FrameCache()
        for viewer in (*viewers, *reversed(viewers)):
            for theme in (LIGHT, DARK):
                alone = await read(FrameCache(), room, viewer, theme)
                assert await read(shared, room, viewer, theme) == alone
        told = [await read(shared, room, viewer, LIGHT) for viewer in viewers]
        assert len({frames[1] for frames in told}) == 3

    table = GameSession(GameConfig(2), [human("Ann"), human("Bob")], seed=3)
    table.play(0, 0, table.turn(0).choices[0].action)
    asyncio.run(compare(Room("a", table, {}, 0.0)))
    play_out(table, rng)
    asyncio.run(compare(Room("a", table, {}, 0.0)))


def test_a_table_that_is_read_again_does_not_get_old_frames() -> None:
    """A move that could not be stored is undone by reading the table again."""

    async def look(frames: FrameCache, room: Room) -> bytes:
        return await frames.last(room, 0, LIGHT)

    tables = [GameSession(GameConfig(2), [human(), human()], seed=seed) for seed in (1, 2)]
    frames = FrameCache()
    first, second = [asyncio.run(look(frames, Room("a", table, {}, 0.0))) for table in tables]
    assert first != second


def test_the_cache_stays_within_its_budget(monkeypatch) -> None:
    monkeypatch.setattr(positions, "ENTRY_BYTES", 0)
    cache = ByteCache(100)
    for key in range(50):
        cache.add(key % 7, bytes(key))
        assert cache.size <= 100
    cache.add("a", bytes(40))
    cache.add("b", bytes(40))
    assert cache.get("a") is not None
    cache.add("c", bytes(40))
    assert (cache.get("b"), cache.size) == (None, 80)
    cache.add("huge", bytes(101))
    assert (cache.get("huge"), cache.size) == (None, 0)
