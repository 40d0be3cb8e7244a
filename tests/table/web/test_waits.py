"""Who may wait for news: those seated before spectators, and each client within bounds (F5)."""

import asyncio
from collections.abc import Iterator

import pytest
from gonzaga_table.web.rooms import rooms as module
from gonzaga_table.web.rooms.room import SEAT_WAITS, SPECTATOR_WAITS
from gonzaga_table.web.rooms.rooms import CLIENT_WAITS

from tests.table.web.asking import Site, running, soon


@pytest.fixture
def site() -> Iterator[Site]:
    with running() as site:
        yield site


async def move(site: Site, path: str, token: str) -> None:
    """Plays the first legal action."""
    _, position = await site.ask(path, token)
    action = position["turn"]["plans"][0]["action"]
    status, _ = await site.ask(f"{path}/moves", token, body={"move": 0, "action": action})
    assert status == 200


@pytest.mark.anyio
async def test_strangers_do_not_use_up_the_waits_of_those_seated(site) -> None:
    """F5: on 0.6.0, 32 spectators are enough for the seats to be refused."""
    path, (ann, bob) = await site.open("human", "human")
    wait = f"{path}?since=1&wait=25"
    strangers = [asyncio.create_task(site.ask(wait, client=f"198.51.100.{i}")) for i in range(40)]
    await soon()
    seated = asyncio.create_task(site.ask(wait, bob))
    await soon()
    assert not seated.done()
    await move(site, path, ann)
    assert (await seated)[0] == 200
    statuses = [(await stranger)[0] for stranger in strangers]
    assert statuses == [200] * SPECTATOR_WAITS + [429] * (40 - SPECTATOR_WAITS)


@pytest.mark.anyio
async def test_a_seat_waits_a_few_times_only_and_takes_nothing_from_others(site) -> None:
    path, (ann, bob) = await site.open("human", "human")
    wait = f"{path}?since=1&wait=25"
    waiting = [asyncio.create_task(site.ask(wait, bob)) for _ in range(SEAT_WAITS + 3)]
    waiting += [asyncio.create_task(site.ask(wait, ann)) for _ in range(SEAT_WAITS)]
    await soon()
    await move(site, path, ann)
    statuses = sorted([(await one)[0] for one in waiting])
    assert statuses == [200] * 2 * SEAT_WAITS + [429] * 3


@pytest.mark.anyio
async def test_a_client_waits_within_bounds_over_all_tables(site, monkeypatch) -> None:
    """F5: on 0.6.0 a client may wait at every table that there is."""
    assert CLIENT_WAITS >= 4 * 30  # people behind one address
    tables = [await site.open("human", "human") for _ in range(CLIENT_WAITS // 30 + 1)]
    waiting = [
        asyncio.create_task(site.ask(f"{path}?since=1&wait=25"))
        for path, _ in tables
        for _ in range(30)
    ]
    await soon()
    refused = [one for one in waiting if one.done()]
    assert len(refused) == len(waiting) - CLIENT_WAITS
    assert {(await one)[0] for one in refused} == {429}
    path, (_, bob) = tables[0]
    others = [
        asyncio.create_task(site.ask(f"{path}?since=1&wait=25", bob)),
        asyncio.create_task(site.ask(f"{path}?since=1&wait=25", client="198.51.100.7")),
    ]
    await soon()
    assert not any(one.done() for one in others)  # seats and other clients have their own
    site.rooms.close_waiting()
    await asyncio.gather(*waiting, *others)


@pytest.mark.anyio
async def test_whoever_leaves_waits_no_more(site) -> None:
    path, (_, bob) = await site.open("human", "human")
    wait, leaves = f"{path}?since=1&wait=25", asyncio.Event()
    waiting = [asyncio.create_task(site.ask(wait, bob, leaves=leaves)) for _ in range(SEAT_WAITS)]
    await soon()
    leaves.set()
    await asyncio.gather(*waiting)
    again = asyncio.create_task(site.ask(wait, bob))
    await soon()
    assert not again.done()
    site.rooms.close_waiting()
    assert (await again)[0] == 200


@pytest.mark.anyio
async def test_tables_in_memory_are_bounded(site, monkeypatch) -> None:
    """Those unused for longest are read again when needed; where somebody waits, they stay."""
    monkeypatch.setattr(module, "MAX_ROOMS", 2)
    path, (_, bob) = await site.open("human", "human")
    waiting = asyncio.create_task(site.ask(f"{path}?since=1&wait=25", bob))
    await soon()
    others = [(await site.open("human", "human"))[0] for _ in range(4)]
    kept = list(site.rooms._rooms)
    assert kept == [path.rpartition("/")[2], others[-1].rpartition("/")[2]]
    assert (await site.ask(others[0]))[0] == 200
    site.rooms.close_waiting()
    assert (await waiting)[0] == 200
