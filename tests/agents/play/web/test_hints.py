"""Hints: as many as somebody waits for, and after all moves (finding F5)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.play.web.clients.limits import LimitError
from gonzaga_agents.play.web.rooms import CLIENT_HINTS
from gonzaga_agents.play.web.roster import MAX_HINTS, Roster

from gonzaga_env.core import GameConfig
from gonzaga_env.core.single.game import Game
from tests.agents.play.web.asking import SECONDS, Site, running, soon

AGENT = """
import threading
import numpy as np
from gonzaga_agents.agent import Considered

calls, goes_on, began = [], threading.Event(), threading.Event()

class Counting:
    def __init__(self, config): pass
    def act(self, observations, masks, rng):
        calls.append("move")
        return masks.argmax(axis=1)
    def consider(self, observation, mask, rng):
        calls.append("hint")
        began.set()
        goes_on.wait(60)
        return Considered(np.array([mask.argmax()]), np.zeros(1), "points", None)
"""


class Counted:
    """A slow agent that counts how often it is asked."""

    def __init__(self, file: Path) -> None:
        file.write_text(AGENT)
        self.name = f"{file}:Counting"
        self.roster = Roster((self.name,))
        self.module: dict[str, Any] = {}

    def watch(self, roster: Roster) -> None:
        roster.prepare(self.name, GameConfig(2)).result(SECONDS)
        agent = roster._threads[self.name].thinker.agent(GameConfig(2, None))
        self.module = type(agent).act.__globals__  # type: ignore[attr-defined]

    @property
    def calls(self) -> list[str]:
        return self.module["calls"]

    @property
    def goes_on(self) -> threading.Event:
        return self.module["goes_on"]

    def wait(self) -> None:
        """Waits until the agent thinks."""
        assert self.module["began"].wait(SECONDS)


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Counted]:
    counted = Counted(tmp_path / "counting.py")
    yield counted
    if counted.module:
        counted.goes_on.set()
    counted.roster.close()


async def answered(roster: Roster, name: str) -> None:
    """Waits until an agent has answered everything."""
    await asyncio.wrap_future(roster.prepare(name, GameConfig(2)))
    thread = roster._threads[name]
    while thread._hints:
        await asyncio.sleep(0.01)
    await asyncio.wrap_future(roster.prepare(name, GameConfig(2)))


def test_hints_that_nobody_waits_for_are_not_computed(agent: Counted) -> None:
    """F5: on 0.6.0, the agent computes all 1,500 hints of a seat that leaves."""

    async def run(site: Site) -> None:
        agent.watch(site.rooms.roster)
        path, (ann, _) = await site.open("human", "human")
        asked = []
        for number in range(1500):
            leaves = asyncio.Event()
            hint = site.ask(f"{path}/hint?agent={agent.name}", ann, leaves=leaves)
            asked.append(asyncio.create_task(hint))
            if number == 0:
                await asyncio.to_thread(agent.wait)
            leaves.set()
            if number % 50 == 0:
                await soon()
        await asyncio.gather(*asked)
        agent.goes_on.set()
        await answered(site.rooms.roster, agent.name)
        assert agent.calls == ["hint"]

    with running(agents=(agent.name,)) as site:
        asyncio.run(run(site))


def test_a_seat_waits_for_one_hint(agent: Counted) -> None:
    """The newer request replaces the older one, and a move replaces both."""

    async def run(site: Site) -> None:
        agent.watch(site.rooms.roster)
        path, (ann, _) = await site.open("human", "human")
        hint = f"{path}/hint?agent={agent.name}"
        first = asyncio.create_task(site.ask(hint, ann))
        await asyncio.to_thread(agent.wait)
        second = asyncio.create_task(site.ask(hint, ann))
        third = asyncio.create_task(site.ask(hint, ann))
        for older in (first, second):
            status, answer = await older
            assert (status, answer["error"]["code"]) == (409, "stale")
        position = (await site.ask(path, ann))[1]
        move = {"move": 0, "action": position["turn"]["plans"][0]["action"]}
        assert (await site.ask(f"{path}/moves", ann, body=move))[0] == 200
        assert (await third)[0] == 409
        agent.goes_on.set()
        await answered(site.rooms.roster, agent.name)
        assert agent.calls == ["hint"]

    with running(agents=(agent.name,)) as site:
        asyncio.run(run(site))


def test_a_client_waits_for_a_few_hints(agent: Counted) -> None:
    async def run(site: Site) -> None:
        agent.watch(site.rooms.roster)
        tables = [await site.open("human", "human") for _ in range(CLIENT_HINTS + 2)]
        asked = [
            asyncio.create_task(site.ask(f"{path}/hint?agent={agent.name}", tokens[0]))
            for path, tokens in tables
        ]
        await soon()
        assert [one.result()[0] for one in asked if one.done()] == [429, 429]
        path, tokens = tables[-1]
        other = site.ask(f"{path}/hint?agent={agent.name}", tokens[0], client="198.51.100.7")
        asked.append(asyncio.create_task(other))
        agent.goes_on.set()
        answers = await asyncio.gather(*asked)
        assert [status for status, _ in answers].count(200) == CLIENT_HINTS + 1

    with running(agents=(agent.name,)) as site:
        asyncio.run(run(site))


def test_moves_come_before_hints_and_hints_are_bounded(agent: Counted) -> None:
    """F5: on 0.6.0, an agent's moves wait behind all hints that were asked before."""
    config, game = GameConfig(2), Game(2)
    question = game.observation(), game.mask().view(np.bool_)
    agent.watch(agent.roster)
    running_now = agent.roster.consider(agent.name, config, *question)
    agent.wait()
    hints = [agent.roster.consider(agent.name, config, *question) for _ in range(MAX_HINTS)]
    with pytest.raises(LimitError, match="too many hints"):
        agent.roster.consider(agent.name, config, *question)
    move = agent.roster.act(agent.name, config, *question)
    assert hints[3].cancel()
    hints.append(agent.roster.consider(agent.name, config, *question))  # there is room again
    agent.goes_on.set()
    running_now.result(SECONDS)
    move.result(SECONDS)
    for hint in hints[:3] + hints[4:]:
        hint.result(SECONDS)
    assert agent.calls == ["hint", "move"] + ["hint"] * MAX_HINTS


def test_an_agent_that_exits_does_not_keep_anybody_waiting(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text(
        "class Agent:\n    def __init__(self, config): raise SystemExit('I leave')\n"
    )
    roster = Roster((name := f"{tmp_path / 'leaving.py'}:Agent",))
    error = roster.prepare(name, GameConfig(2)).exception(SECONDS)
    roster.close()
    assert "I leave" in str(error)
