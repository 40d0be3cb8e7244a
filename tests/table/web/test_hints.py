"""Hints: as many as somebody waits for, one at a time, and moves do not queue (finding F5)."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from gonzaga_table.web.agents import think

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
    think(name, "prepare", GameConfig(2))
    module = module_of(name)
    yield module
    module.goes_on.set()


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
    await soon()
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
    await soon()
    assert agent.calls == ["hint"]
