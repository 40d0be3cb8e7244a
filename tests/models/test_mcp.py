"""Games over the Model Context Protocol, played by the protocol's own client."""

import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import numpy as np
import pytest

from gonzaga_env import cli
from gonzaga_env.games import game_names, record_spec
from gonzaga_env.kernel.errors import OptionError
from tests.clients.client import QUIET, need

mcp = need("mcp")
pytestmark = [QUIET, pytest.mark.anyio]

from gonzaga_agents.outside.mcp_server import Games, make_server, with_token  # noqa: E402

Ask = Callable[..., Any]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def asking(server: Any) -> Any:
    """Yields a function that calls a tool: its text, which `error` says to be one."""
    async with mcp.Client(server) as client:

        async def ask(tool: str, error: bool = False, **given: Any) -> str:
            result = await client.call_tool(tool, given)
            assert result.is_error is error, result.content
            return str(result.content[0].text)

        yield ask


def key_of(text: str) -> str:
    return text.partition("\n")[0].removeprefix("Your key: ")


def legal(text: str) -> list[str]:
    """Returns the actions that a text lists."""
    return text.partition("Legal actions:\n")[2].splitlines()


def move_of(text: str) -> int:
    """Returns the number of the move that a text asks for."""
    return int(re.findall(r"It is your turn: move (\d+)\.", text)[0])


async def play_on(ask: Ask, key: str, position: str, rng: np.random.Generator) -> str:
    """Plays random listed actions to the end; returns the last position."""
    while choices := legal(position):
        move, given = move_of(position), {"key": key, "action": str(rng.choice(choices))}
        position = await ask("play", move=move, **given)
        if move % 7 == 0:
            assert "is over" in await ask("play", error=True, move=move, **given)  # sent again
            assert "to come" in await ask("play", error=True, move=10**6, **given)
            assert (await ask("look", key=key)) == position
    return position


@pytest.mark.parametrize("game", game_names())
async def test_a_whole_game_is_played(game: str) -> None:
    async with asking(make_server()) as ask:
        started = await ask("start", game=game, opponents=["planner"], seat=1)
        key = key_of(started)
        assert "You are player 1" in started
        end = await play_on(ask, key, started, np.random.default_rng(4))
        assert "The game is over" in end
        record = json.loads(await ask("record", key=key))
        assert record_spec(record).records.replay(record).finished
        assert record["agents"] == ["planner", "player 1"]


async def test_two_players_share_a_game() -> None:
    async with asking(make_server()) as ask:
        first = await ask("start", opponents=["open"], edition="mini-b3")
        name = key_of(first).partition(".")[0]
        second = await ask("join", game=name)
        assert "with a free seat" in await ask("join", error=True, game=name)
        keys, rng = [key_of(first), key_of(second)], np.random.default_rng(1)
        assert "You are player 1" in await ask("look", key=keys[1])
        while "The game is over" not in (text := await ask("look", key=keys[0])):
            for key in keys:
                if choices := legal(await ask("look", key=key)):
                    await ask("play", key=key, action=str(rng.choice(choices)))
        assert "The game is over" in text


async def test_what_is_wrong_is_said() -> None:
    async with asking(make_server(games=Games(most=2))) as ask:
        key = key_of(await ask("start", edition="mini-b3"))
        before = await ask("look", key=key)
        for tool, given, says in (
            ("look", {"key": "x"}, "no game has this key"),
            ("look", {"key": f"{key}x"}, "no game has this key"),
            ("play", {"key": key, "action": "fly"}, "names no action"),
            ("record", {"key": key}, "the game is not over"),
            ("rules", {"game": "chess"}, "chess"),
            ("start", {"opponents": ["cmd:sh"]}, "there is no opponent 'cmd:sh'"),
            ("start", {"opponents": ["own.py:Agent"]}, "there is no opponent"),
            ("start", {"opponents": ["search@1000"]}, "up to 256 playouts"),
            ("start", {"opponents": ["search@64:runs/first"]}, "there is no opponent"),
            ("start", {"opponents": []}, "takes 2 to 4 players"),
            ("start", {"edition": "../secret"}, "known: europe, mini-a2"),
            ("start", {"seat": 7}, "seat is 7; it takes 0 to 1"),
        ):
            said = await ask(tool, error=True, **given)
            assert says in said
            assert "\n" not in said
        assert await ask("look", key=key) == before
        for _ in range(2):
            await ask("start", edition="mini-b3")
        assert "old games are dropped" in await ask("look", error=True, key=key)


async def test_choices_can_be_switched_off() -> None:
    async with mcp.Client(make_server(choices=False)) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"games", "rules", "start", "join", "look", "play", "record"}
        found = await client.call_tool("start", {})
        assert "Legal actions" not in found.content[0].text


async def test_a_seat_sees_nothing_of_a_sealed_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games with one deal in which the other seat plans differently look the same."""
    monkeypatch.setattr("secrets.randbits", lambda bits: 7)
    seen = []
    for number in (0, -1):
        async with asking(make_server()) as ask:
            first = await ask("start", opponents=["open"])
            other = key_of(await ask("join", game=key_of(first).partition(".")[0]))
            await ask("play", key=key_of(first), action=legal(first)[number])
            seen.append(await ask("look", key=other))
    assert seen[0] == seen[1]
    assert "plan sealed" in seen[0]


async def test_a_join_that_is_sent_again_takes_one_seat() -> None:
    async with asking(make_server()) as ask:
        game = key_of(await ask("start", opponents=["open", "open"])).partition(".")[0]
        mine = await ask("join", game=game, word="cvnwoeir")
        assert await ask("join", game=game, word="cvnwoeir") == mine
        other = key_of(await ask("join", game=game, word="xkqjzvbn"))
        assert other != key_of(mine)
        assert "free seat" in await ask("join", error=True, game=game)
        assert key_of(await ask("join", game=game, word="cvnwoeir")) == key_of(mine)
        assert "8 to 100" in await ask("join", error=True, game=game, word="mine")


async def test_it_speaks_on_standard_input_and_output() -> None:
    command = [sys.executable, "-c", "from gonzaga_env.cli import main; main(['mcp'])"]
    given = mcp.StdioServerParameters(command=command[0], args=command[1:])
    async with asking(given) as ask:
        assert "gonzaga: Gonzaga, 2 to 4 players" in await ask("games")


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Yields the address of a server in a thread."""
    uvicorn = pytest.importorskip("uvicorn")
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()


async def test_over_http_it_takes_a_token() -> None:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    app = with_token(make_server().streamable_http_app(), "secret")
    with served(app) as address:
        assert httpx2.post(address, json={}).status_code == 401
        wrong = {"Authorization": "Bearer other"}
        assert httpx2.post(address, json={}, headers=wrong).status_code == 401
        own = httpx2.AsyncClient(headers={"Authorization": "Bearer secret"})
        async with own, asking(streamable_http_client(address, http_client=own)) as ask:
            assert "You are player 0" in await ask("start", edition="mini-b3")


@pytest.mark.parametrize("words", [["--transport", "carrier"], ["--port", "0"]])
def test_a_mistyped_option_ends_in_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["mcp", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "given", [{"seat": None}, {"seat": True}, {"opponents": [None]}, {"edition": "../europe"}]
)
def test_a_start_with_values_of_other_kinds_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r" is | opponent "):
        Games().start(**given)
