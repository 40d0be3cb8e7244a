"""Hints: as many as somebody waits for, one at a time, and moves do not queue (finding F5)."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import pytest
from gonzaga_table.web.rooms.hint_queue import CLIENT_HINTS
from gonzaga_table.web.rooms.roster import Roster

from gonzaga_env.core import GameConfig
from tests.table.web.asking import SECONDS, Site, running, soon
from tests.table.web.conftest import module_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def name(mine) -> str:
    """A slow agent that counts how often it is asked."""
    return mine("Counting")


@pytest.fixture
def site(name) -> Iterator[Site]:
    with running(agents=(name,)) as site:
        yield site


@pytest.fixture
def agent(site, name) -> Iterator[SimpleNamespace]:
    """The agent's module."""
    site.rooms.roster.ask(name, "prepare", GameConfig(2)).result(SECONDS)
    module = module_of(site.rooms.roster, name)
    yield module
    module.goes_on.set()


async def answered(site: Site) -> None:
    """Waits until all hints are computed or given up."""
    while site.rooms.hints._tasks:
        await asyncio.wait(site.rooms.hints._tasks)


async def test_hints_that_nobody_waits_for_are_not_computed(site, agent, name) -> None:
    """F5: on 0.6.0, the agent computes all 1,500 hints of a seat that leaves."""
    path, (ann, _) = await site.open("human", "human")
    asked = []
    for number in range(200):
        leaves = asyncio.Event()
        hint = site.ask(f"{path}/hint?agent={name}", ann, leaves=leaves)
        asked.append(asyncio.create_task(hint))
        if number == 0:
            await asyncio.to_thread(agent.began.wait, SECONDS)
        leaves.set()
        if number % 50 == 0:
            await soon()
    await asyncio.gather(*asked)
    agent.goes_on.set()
    await answered(site)
    assert agent.calls == ["hint"]


async def test_a_seat_waits_for_one_hint(site, agent, name) -> None:
    """The newer request replaces the older one, and a move replaces both."""
    path, (ann, _) = await site.open("human", "human")
    hint = f"{path}/hint?agent={name}"
    first = site.asking(hint, ann)
    await asyncio.to_thread(agent.began.wait, SECONDS)
    second = site.asking(hint, ann)
    third = site.asking(hint, ann)
    for older in (first, second):
        status, answer = await older
        assert (status, answer["error"]["code"]) == (409, "stale")
    position = (await site.ask(path, ann))[1]
    move = {"move": 0, "action": position["turn"]["plans"][0]["action"]}
    assert (await site.ask(f"{path}/moves", ann, body=move))[0] == 200
    assert (await third)[0] == 409
    agent.goes_on.set()
    await answered(site)
    assert agent.calls == ["hint"]


async def test_a_client_waits_for_a_few_hints(site, agent, name) -> None:
    tables = [await site.open("human", "human") for _ in range(CLIENT_HINTS + 2)]
    asked = [site.asking(f"{path}/hint?agent={name}", tokens[0]) for path, tokens in tables]
    await soon()
    assert [one.result()[0] for one in asked if one.done()] == [429, 429]
    path, tokens = tables[-1]
    other = site.ask(f"{path}/hint?agent={name}", tokens[0], client="198.51.100.7")
    asked.append(asyncio.create_task(other))
    agent.goes_on.set()
    answers = await asyncio.gather(*asked)
    assert [status for status, _ in answers].count(200) == CLIENT_HINTS + 1


async def test_a_move_waits_for_one_hint_at_most(site, agent, name) -> None:
    """F5: on 0.6.0, an agent's moves wait behind all hints that were asked before."""
    path, (ann,) = await site.open("human", name)
    while not (position := (await site.ask(path, ann))[1])["sealed"]:  # it plans at once
        await asyncio.sleep(0.01)
    agent.calls.clear()
    asked = []
    for number in range(8):
        client = f"198.51.100.{number}"
        other, tokens = await site.open("human", "human", client=client)
        hint = site.ask(f"{other}/hint?agent={name}", tokens[0], client=client)
        asked.append(asyncio.create_task(hint))
    await asyncio.to_thread(agent.began.wait, SECONDS)
    last = next(plan for plan in position["turn"]["plans"] if plan["card"] == "C")  # it goes first
    move = {"move": 0, "action": last["action"]}
    assert (await site.ask(f"{path}/moves", ann, body=move))[0] == 200
    await soon()
    agent.goes_on.set()
    assert {status for status, _ in await asyncio.gather(*asked)} == {200}
    assert agent.calls[:2] == ["hint", "move"]


async def test_one_agent_at_a_time_computes_hints(site, agent, name) -> None:
    """Each of them would hold up the event loop."""
    path, tokens = await site.open("human", "human")
    slow = site.asking(f"{path}/hint?agent={name}", tokens[0])
    await asyncio.to_thread(agent.began.wait, SECONDS)
    other, (bob, _) = await site.open("human", "human", client="198.51.100.7")
    quick = site.ask(f"{other}/hint?agent=greedy", bob, client="198.51.100.7")
    quick_task = asyncio.create_task(quick)
    await asyncio.wrap_future(site.rooms.roster.ask("greedy", "prepare", GameConfig(2)))
    await soon()
    assert not quick_task.done()
    agent.goes_on.set()
    assert [(await task)[0] for task in (slow, quick_task)] == [200, 200]


def test_an_agent_that_exits_does_not_keep_anybody_waiting(mine) -> None:
    with closing(Roster((mine("Leaving"),))) as roster:
        error = roster.ask(mine("Leaving"), "prepare", GameConfig(2)).exception(SECONDS)
    assert "I leave" in str(error)
