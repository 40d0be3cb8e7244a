"""Games for language models, over the Model Context Protocol: `gonzaga mcp`.

A model starts a game, looks, and plays by text; agents answer at once. A seat is reached by a key
that only its player is told, so that whoever plays knows no more than the seat may know.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from threading import RLock
from typing import TYPE_CHECKING, Annotated, Any, Literal, ParamSpec

import numpy as np
from gonzaga_agents.registry import agent_names, make_agent, usual_agent
from gonzaga_agents.search.budget import parse_search

from gonzaga_env.command_line import parse, shown
from gonzaga_env.games import DEFAULT_GAME, game_names, game_spec
from gonzaga_env.tabletop.bounded import printable
from gonzaga_env.tabletop.errors import GameError, OptionError
from gonzaga_env.text import action_text, parse_action, rules_text, view_text
from gonzaga_env.version import __version__

from .hints import as_hint, ask
from .session import GameSession, SessionError, agent_seat, human, one_line

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

MOST_GAMES = 64  # the one that was asked for longest ago goes first
_MOST_PLAYOUTS = 256
TOKEN = "GONZAGA_MCP_TOKEN"  # the variable of the environment
_OPEN = "open"  # a seat that somebody else may join
_MOST_BODY = 2**16  # bytes of a request
_MOST_SAID = 1000  # characters of a mistake

P = ParamSpec("P")


@dataclass
class _Played:
    """A game, with those who play at it."""

    session: GameSession
    agents: dict[int, Any]
    keys: dict[int, str]  # of the seats that players have or may join
    free: list[int]  # of them those that nobody has joined
    rng: np.random.Generator


class Games:
    """The games in play, each reached by the keys of its seats."""

    def __init__(self, most: int = MOST_GAMES) -> None:
        """Begins without games, of which there may be so many at once."""
        self._most = most
        self._games: OrderedDict[str, _Played] = OrderedDict()  # by name, the latest last

    def start(self, game: str, opponents: list[str], seat: int, edition: str | None) -> str:
        """Starts a game and returns the key of a seat.

        Args:
            game: its name.
            opponents: who has the other seats in their order: agents' names, or "open".
            seat: the player's.
            edition: the name of a shipped edition; None for the game's usual one.

        Raises:
            GameError: an argument has a value that it does not take.
        """
        spec = game_spec(game)
        players = len(opponents) + 1
        if players not in spec.players:
            listed = f"{min(spec.players) - 1} to {max(spec.players) - 1}"
            raise OptionError(f"{spec.title} takes {listed} opponents, not {len(opponents)}")
        if not 0 <= seat < players:
            raise OptionError(f"seat is {seat}; it takes 0 to {players - 1}")
        if edition is not None and not edition.replace("-", "").isalnum():  # no path
            raise OptionError("edition takes the name of a shipped edition, such as mini-three")
        for name in opponents:
            _check_opponent(name, spec.name)
        named = {} if edition is None else {"edition": edition}
        config = spec.config(num_players=players, **named)
        who = [*opponents]
        who.insert(seat, _OPEN)
        seats = [human(f"player {i}") if w == _OPEN else agent_seat(w) for i, w in enumerate(who)]
        agents = {i: make_agent(w, config) for i, w in enumerate(who) if w != _OPEN}
        keys = {i: secrets.token_urlsafe(9) for i, w in enumerate(who) if w == _OPEN}
        free = [i for i in keys if i != seat]
        session = GameSession(config, seats)
        name = secrets.token_urlsafe(6)
        self._games[name] = _Played(session, agents, keys, free, np.random.default_rng())
        while len(self._games) > self._most:
            self._games.popitem(last=False)
        self._go_on(self._games[name])
        return f"{name}.{keys[seat]}"

    def join(self, name: str) -> str:
        """Returns the key of a free seat of a game.

        Raises:
            SessionError: there is no such game, or no free seat.
        """
        played = self._games.get(name)
        if played is None or not played.free:
            raise SessionError(f"there is no game {name!r} with a free seat")
        return f"{name}.{played.keys[played.free.pop(0)]}"

    def at(self, key: str) -> tuple[_Played, int]:
        """Returns a game and a seat.

        Raises:
            SessionError: no seat has this key.
        """
        name, _, own = key.strip().partition(".")
        played = self._games.get(name)
        for seat, known in {} if played is None else played.keys.items():
            if secrets.compare_digest(own.encode(), known.encode()):
                self._games.move_to_end(name)
                assert played is not None
                return played, seat
        raise SessionError("no game has this key; start tells one, and forgets games that are old")

    def play(self, key: str, text: str) -> None:
        """Plays the action that a text names, and lets the agents answer.

        Raises:
            GameError: it is not this seat's turn, or the text names no legal action.
        """
        played, seat = self.at(key)
        session = played.session
        session.check(seat, session.num_moves)
        session.play(seat, session.num_moves, parse_action(session.game_of(seat), text))
        self._go_on(played)

    def _go_on(self, played: _Played) -> None:
        while (seat := played.session.to_act) in played.agents:
            played.session.step_agent(played.agents[seat], played.rng)


def _check_opponent(name: str, game: str) -> None:
    """Raises OptionError unless a name stands for an agent that costs little and reads no file."""
    search = parse_search(name)
    if search is not None and search.policy in (None, "learned"):
        if (search.budget.playouts or _MOST_PLAYOUTS + 1) <= _MOST_PLAYOUTS:
            return
        raise OptionError(f"{name}: a search takes up to {_MOST_PLAYOUTS} playouts here")
    if name not in (_OPEN, *agent_names(game)):
        known = ", ".join((*agent_names(game), _OPEN))
        raise OptionError(f"there is no opponent {name!r}; there are {known}")


def _said(function: Callable[P, str]) -> Callable[P, str]:
    """Makes the game's errors a result that says what was wrong."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return function(*args, **kwargs)
        except GameError as error:
            raise ToolError(printable(one_line(error))[:_MOST_SAID]) from error

    return called


def make_server(choices: bool = True, hints: bool = True, games: Games | None = None) -> MCPServer:
    """Returns the server.

    Args:
        choices: whether legal choices are listed.
        hints: whether agents may be asked.
        games: those in play; None begins without any.
    """
    from mcp.server.mcpserver import MCPServer

    tables, lock = Games() if games is None else games, RLock()
    server = MCPServer(
        "gonzaga",
        title="Gonzaga, The Castles of Tuscany and Signorie",
        instructions="Call rules once, then start. Play one action at a time, as choices or the "
        "rules write it, until the game is over.",
        version=__version__,
        log_level="WARNING",
        subscriptions=False,
    )

    def tool(function: Callable[..., str]) -> None:
        @wraps(function)
        def alone(*args: Any, **kwargs: Any) -> str:
            with lock:
                return _said(function)(*args, **kwargs)

        server.tool()(alone)

    def position(key: str) -> str:
        played, seat = tables.at(key)
        session = played.session
        lines = [view_text(session.view(seat), session.config.edition)]
        if session.over:
            lines.append("The game is over; record tells it whole.")
        elif seat in session.deciding:
            lines.append("It is your turn." + (f"\n{listed(key)}" if choices else ""))
        elif played.free:
            name = key.partition(".")[0]
            lines.append(f"It is not your turn. Seats are free: others join game {name}.")
        else:
            lines.append("It is not your turn: look again later.")
        return "\n".join(lines)

    def listed(key: str) -> str:
        played, seat = tables.at(key)
        turn = played.session.turn(seat)
        if turn is None:
            raise SessionError("it is not your turn")
        game = played.session.game_of(seat)
        words = {choice.action: choice.words for choice in turn.choices}
        actions = game.mask().nonzero()[0].tolist()
        return "\n".join(
            ["Legal:", *(f"  {action_text(game, one)} ({words[one]})" for one in actions)]
        )

    def start(
        game: str = DEFAULT_GAME,
        opponents: list[str] | None = None,
        seat: int = 0,
        edition: str | None = None,
    ) -> str:
        """Starts a game and returns your key, which all other tools take, and the position.

        Args:
            game: its name; games lists them.
            opponents: one to three: agents' names, or "open" for a seat that another player joins.
            seat: yours, from 0.
            edition: a shipped edition, such as mini-three; the usual one if left out.
        """
        who = [usual_agent(game_spec(game).name)] if opponents is None else opponents
        key = tables.start(game_spec(game).name, who, seat, edition)
        return f"Your key: {key}\n{position(key)}"

    def join(game: str) -> str:
        """Joins a game that has an open seat, and returns your key and the position.

        Args:
            game: what stands before the dot in the key of who started it.
        """
        key = tables.join(game)
        return f"Your key: {key}\n{position(key)}"

    def look(key: str) -> str:
        """Returns the position as you may see it.

        Args:
            key: of your seat.
        """
        return position(key)

    def play(key: str, action: str) -> str:
        """Plays an action; others answer, and the position when you are next to act is returned.

        Args:
            key: of your seat.
            action: as choices or the rules write it.
        """
        tables.play(key, action)
        return position(key)

    def rules(game: str = DEFAULT_GAME) -> str:
        """Returns the rules of a game, and how positions and actions are written.

        Args:
            game: its name.
        """
        return rules_text(game)

    def record(key: str) -> str:
        """Returns the record of a game that is over, as JSON.

        Args:
            key: of your seat.
        """
        return json.dumps(tables.at(key)[0].session.record())

    def legal(key: str) -> str:
        """Returns the legal actions of your turn.

        Args:
            key: of your seat.
        """
        return listed(key)

    def hint(key: str, agent: str | None = None) -> str:
        """Returns what an agent considers in your place, best first.

        Args:
            key: of your seat.
            agent: its name; the planner, or the game's best, if left out.
        """
        played, seat = tables.at(key)
        session = played.session
        session.check(seat, session.num_moves)
        name = agent or usual_agent(session.config.game)
        _check_opponent(name, session.config.game)
        turn = session.turn(seat)
        assert turn is not None  # the seat is to act
        made = make_agent(name, session.config)
        found = as_hint(name, ask(made, *session.question(seat), played.rng), turn)
        game = session.game_of(seat)
        return "\n".join(
            [f"{found.agent} considers ({found.unit}):", *_hint_lines(found.choices, game)]
        )

    def games_offered() -> str:
        """Returns the games, their players and the agents that play them."""
        return "\n".join(
            f"{name}: {game_spec(name).title}, {min(game_spec(name).players)} to "
            f"{max(game_spec(name).players)} players; agents {', '.join(agent_names(name))}"
            for name in game_names()
        )

    games_offered.__name__, legal.__name__ = "games", "choices"
    for one in (games_offered, rules, start, join, look, play, record):
        tool(one)
    if choices:
        tool(legal)
    if hints:
        tool(hint)
    return server


def _hint_lines(choices: Any, game: Any) -> Iterator[str]:
    for choice in choices:
        value = "" if choice.value is None else f": {choice.value:.3g}"
        yield f"  {action_text(game, choice.action)}{value}"


@dataclass(frozen=True)
class McpOptions:
    """Serves games to language models over the Model Context Protocol: on standard input and
    output, or to programs of this machine over HTTP.

    Examples:
        gonzaga mcp
        gonzaga mcp --transport http --port 8770 --no-choices
    """

    transport: Literal["stdio", "http"] = "stdio"
    """stdio: the client starts this command; http: clients of this machine connect to it, with the
    token that is printed, or that the variable GONZAGA_MCP_TOKEN holds."""
    port: Annotated[int, shown("INT")] = 8770
    """The port of 127.0.0.1."""
    no_choices: bool = False
    """Do not list legal choices: the model has to know the rules."""
    no_hints: bool = False
    """Let nobody ask agents for advice."""


def main(arguments: Sequence[str]) -> int:
    """Serves until the client leaves or Ctrl-C.

    Returns:
        The exit code, 0.

    Raises:
        OptionError: an argument has a value that it does not take.
    """
    options = parse(McpOptions, arguments, "gonzaga mcp")
    server = make_server(not options.no_choices, not options.no_hints)
    if options.transport == "stdio":
        server.run()
        return 0
    if not 1 <= options.port < 2**16:
        raise OptionError(f"port is {options.port}; it takes 1 to 65535")
    import uvicorn

    token = os.environ.get(TOKEN) or secrets.token_urlsafe(18)
    address = f"http://127.0.0.1:{options.port}/mcp"
    print(f"gonzaga mcp: {address}, Authorization: Bearer {token}", file=sys.stderr)
    app = with_token(server.streamable_http_app(max_request_body_size=_MOST_BODY), token)
    uvicorn.run(app, host="127.0.0.1", port=options.port, log_level="warning")
    return 0


def with_token(app: Any, token: str) -> Any:
    """Returns an application that answers 401 to requests without a bearer token."""

    async def guarded(
        scope: dict[str, Any], receive: Any, send: Callable[[dict[str, Any]], Awaitable[None]]
    ) -> None:
        said = dict(scope.get("headers") or ()).get(b"authorization", b"")
        known = scope["type"] != "http" or secrets.compare_digest(said, f"Bearer {token}".encode())
        if known:
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b"a bearer token is needed\n"})

    return guarded
