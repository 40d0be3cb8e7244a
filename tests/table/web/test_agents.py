"""Agents at tables: those that fail, and those that take long."""

import asyncio
import os
import signal
import time
from contextlib import closing

import numpy as np
import pytest
from gonzaga_table.session import GameSession, agent_seat, human
from gonzaga_table.web.agents import ProcessWorker, Roster
from gonzaga_table.web.app import find_editions
from gonzaga_table.web.command import offered_agents
from gonzaga_table.web.rooms import Rooms
from gonzaga_table.web.store import Store, StoreError

from gonzaga_env.core import Game, GameConfig
from gonzaga_env.kernel.agent import AgentError
from tests.table.web.asking import SECONDS
from tests.table.web.conftest import choices, error_of, module_of


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Failing", "ValueError: I am lost"),
        ("Illegal", "illegal"),
        ("Shapeless", "actions have shape (2, 2)"),
    ],
)
def test_an_agent_that_fails_is_told_at_the_table(own, mine, name, problem) -> None:
    _, people = own.open(["human", mine(name)])
    people[0].play_first()
    while (position := people[0].look(since=2, wait=20))["problem"] is None:
        pass  # the answer came before the agent failed
    assert position["problem"]["text"].startswith(f"agent {mine(name)}: ")
    assert problem in position["problem"]["text"]
    assert "\n" not in position["problem"]["text"]
    assert position["moves"] == 1


def test_an_agent_that_does_not_play_this_game_gets_no_table(own, mine) -> None:
    answer = own.ask(seats=["human", mine("Picky")])
    assert error_of(answer) == (400, "illegal")
    assert "not for me" in answer.json()["error"]["message"]
    assert own.rooms.store.count() == 0


def test_a_slow_agent_holds_up_its_own_table_only(own, mine) -> None:
    _, slow = own.open(["human", mine("Gated")])
    _, others = own.open(["human", mine("First")])
    slow[0].play_first()
    module = module_of(mine("Gated"))
    assert module.began.wait(20)
    for _ in range(3):  # the other table plays on
        position = others[0].look()
        while position["turn"] is None:
            position = others[0].look(since=position["moves"] + 1, wait=20)
        others[0].play_first()
    assert slow[0].look()["moves"] == 1
    assert slow[0].get("/hint", agent="greedy").status_code == 403  # it is not this seat's turn
    module.goes_on.set()
    assert slow[0].look(since=2, wait=20)["moves"] >= 2


def test_an_agent_that_only_plays_hints_at_what_it_would_play(own, mine) -> None:
    _, people = own.open()
    first = choices(people[0].look()["turn"])[0]
    (choice,) = people[0].get("/hint", agent=mine("First")).json()["choices"]
    assert (choice["action"], choice["value"], choice["share"]) == (first, None, None)


def test_hints_of_agents_that_fail_are_refused(own, mine) -> None:
    _, people = own.open()
    answer = people[0].get("/hint", agent=mine("Cheat"))
    assert error_of(answer) == (400, "illegal")
    assert "AttributeError" in answer.json()["error"]["message"]


def test_only_agents_on_offer_are_made(own, tmp_path) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('this ran')")
    _, people = own.open()
    answer = people[0].get("/hint", agent=f"{tmp_path / 'evil.py'}:Agent")
    assert "there is no agent" in answer.json()["error"]["message"]


def test_a_restored_table_needs_its_agent_on_offer(own, mine) -> None:
    _, people = own.open(["human", mine("First")])
    own.restart()
    for _ in range(2):  # it may have planned before
        if people[0].look()["turn"]:
            people[0].play_first()
    assert "there is no agent" in people[0].look(since=99, wait=5)["problem"]["text"]


def test_agents_of_the_owner_are_checked_at_the_start(mine) -> None:
    editions = find_editions([])
    assert offered_agents([mine("First"), "search@4"], editions) == (mine("First"), "search@4")
    for spec, why in ((mine("Picky"), "not for me"), ("nobody", "there is no agent 'nobody'")):
        with pytest.raises(AgentError, match=why):
            offered_agents([spec], editions)


def test_the_ladder_is_on_offer() -> None:
    roster = Roster(["greedy"])
    assert roster.names[:5] == ("random", "greedy", "planner", "linear", "search")
    assert len(set(roster.names)) == len(roster.names)
    roster.close()


def test_an_agent_that_has_failed_is_asked_again(own, mine, clock) -> None:
    """F8: on 0.6.0, its table stands still until the server starts again."""
    _, people = own.open(["human", mine("Once")])
    people[0].play_first()
    while (position := people[0].look(since=2, wait=20))["problem"] is None:
        pass
    assert "I was not ready" in position["problem"]["text"]
    clock.go_on(30.0)
    assert people[0].look(since=2, wait=1)["moves"] == 1
    clock.go_on(31.0)
    looks = (people[0].look(since=2, wait=20) for _ in range(5))
    position = next(position for position in looks if position["moves"] > 1)
    assert position["problem"] is None


# Agents that think in a process of their own


def asked(game: Game) -> tuple[np.ndarray, np.ndarray]:
    return game.observation(), game.mask().astype(bool)


@pytest.mark.anyio
async def test_an_agent_answers_the_same_in_a_process_of_its_own() -> None:
    with closing(Roster(in_processes=True)) as apart, closing(Roster()) as here:
        for scenario in ("Colombo", None):
            game = Game(3, scenario, seed=2)
            await apart.ask("greedy", "prepare", game.config)
            for _ in range(4):
                question = game.config, *asked(game)
                found = await apart.ask("greedy", "consider", *question)
                expected = await here.ask("greedy", "consider", *question)
                assert (found.actions == expected.actions).all()
                assert (found.values == expected.values).all()
                action = await apart.ask("greedy", "act", *question)
                assert game.mask()[action]
                game.play(action)


@pytest.mark.anyio
async def test_a_process_that_dies_is_one_line_and_the_next_question_starts_another() -> None:
    with closing(ProcessWorker(0)) as apart:
        first = await apart.call(os.getpid, seconds=SECONDS)
        with pytest.raises(AgentError, match="its process"):
            await apart.call(os.kill, first, signal.SIGKILL, seconds=SECONDS)
        assert await apart.call(os.getpid, seconds=SECONDS) not in (first, os.getpid())


@pytest.mark.anyio
async def test_no_file_of_the_current_folder_runs_where_agents_think(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("multiprocessing", "asyncio", "numpy"):
        tmp_path.joinpath(f"{name}.py").write_text("open('ran', 'w'); raise SystemExit")
    with closing(Roster(in_processes=True)) as roster:
        game = Game(2, seed=1)
        action = await roster.ask("greedy", "act", game.config, *asked(game))
    assert game.mask()[action]
    assert not (tmp_path / "ran").exists()


@pytest.mark.anyio
async def test_a_process_that_takes_too_long_is_ended() -> None:
    with closing(ProcessWorker(0)) as apart:
        process = await apart.call(os.getpid, seconds=SECONDS)
        with pytest.raises(AgentError, match="its process"):
            await apart.call(time.sleep, SECONDS, seconds=0.1)
        assert await apart.call(os.getpid, seconds=SECONDS) != process


@pytest.mark.anyio
async def test_an_agent_that_exits_is_told_and_its_process_goes_on(mine) -> None:
    with closing(Roster([mine("Exiting")], in_processes=True)) as roster:
        for _ in range(2):
            with pytest.raises(AgentError, match="SystemExit: no"):
                await roster.ask(mine("Exiting"), "act", GameConfig(2), *asked(Game(2)))


@pytest.mark.anyio
async def test_agents_of_a_table_that_could_not_be_stored_store_nothing_more(
    tmp_path, monkeypatch
) -> None:
    """It has been dropped from memory: what they stored would leave a gap in the file."""
    rooms, tried = Rooms(Store(tmp_path / "t.sqlite"), Roster(), find_editions(())), []

    def full(*given: object, **_: object) -> None:
        tried.append(given)
        raise StoreError("the disk is full")

    monkeypatch.setattr(rooms.store, "add_moves", full)
    players = [human("Ann"), agent_seat("greedy"), agent_seat("random")]
    room, _ = await rooms.create(GameSession(GameConfig(3), players, seed=5))
    await asyncio.wait_for(room.agents, SECONDS)
    assert room.ended
    assert len(tried) == 1
    assert not rooms.get(room.id).session.pending
    rooms.close()
