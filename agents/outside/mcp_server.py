"""Serves games to language models over the Model Context Protocol.

A model starts a game, looks, and plays by text; agents answer at once. A seat is reached by a key
that only its player gets, so that nobody knows more than the seat may know.
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, ParamSpec

from gonzaga_env.games import DEFAULT_GAME, game_names, game_spec
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.messages import printable, short_repr
from gonzaga_env.text import rules_text
from gonzaga_env.version import __version__

from ..play.episode import Episode
from ..registry import agent_names, default_agent
from ..search.agent import parse_search

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp, Receive, Scope, Send

P = ParamSpec("P")

MOST_GAMES = 64  # the one that was asked for longest ago goes first
_MOST_PLAYOUTS = 256
_OPEN = "open"  # a seat that somebody else may join
_WORD = 8, 100  # characters of a word by which a seat is joined
MOST_BODY = 2**16  # bytes of a request
_LONGEST_ERROR = 1000  # characters
_SEED_BITS = 53  # stay exact in every reader of JSON


@dataclass
class _Played:
    """A game, with those who play at it."""

    episode: Episode
    keys: dict[int, str]  # of the seats that players have or may join
    free: list[int]  # of them those that nobody has joined
    words: dict[str, int] = field(default_factory=dict)  # seats by the word of who joined


class Games:
    """The games in play, each reached by the keys of its seats; public methods are the tools."""

    def __init__(self, most: int = MOST_GAMES, choices: bool = True) -> None:
        self._most, self._choices = most, choices
        self._games: OrderedDict[str, _Played] = OrderedDict()  # by name, the latest last

    def games(self) -> str:
        """Returns the games, their players and the agents that play them."""
        return "\n".join(
            f"{name}: {game_spec(name).title}, {min(game_spec(name).players)} to "
            f"{max(game_spec(name).players)} players; agents {', '.join(agent_names(name))}"
            for name in game_names()
        )

    def rules(self, game: str = DEFAULT_GAME) -> str:
        """Returns the rules of a game, and how positions and actions are written.

        Args:
            game: its name.
        """
        return rules_text(game)

    def start(
        self,
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
        name = game_spec(game).name
        others = [default_agent(name)] if opponents is None else opponents
        if not is_integer(seat) or not 0 <= seat <= len(others):
            raise OptionError(f"seat is {short_repr(seat)}; it takes 0 to {len(others)}")
        if edition is not None and edition not in (shipped := _shipped_editions(name)):
            raise OptionError(f"edition is {short_repr(edition)}; known: {', '.join(shipped)}")
        players = [_opponent(other, name) for other in others]
        players.insert(seat, None)
        episode = Episode(
            name,
            players,
            seed=secrets.randbits(_SEED_BITS),
            edition=edition,
            choices=self._choices,
            tries=None,
        )
        keys = {i: secrets.token_urlsafe(9) for i, who in enumerate(players) if who is None}
        own = secrets.token_urlsafe(6)
        self._games[own] = _Played(episode, keys, [i for i in keys if i != seat])
        while len(self._games) > self._most:
            self._games.popitem(last=False)
        return self._welcome(f"{own}.{keys[seat]}")

    def join(self, game: str, word: str | None = None) -> str:
        """Joins a game that has an open seat, and returns your key and the position.

        Args:
            game: what stands before the dot in the key of who started it.
            word: random letters of your choice, 8 or more, which you tell nobody: if the answer is
                lost, a call with the same ones returns the same seat.
        """
        least, most = _WORD
        if word is not None and not least <= len(word) <= most:
            raise OptionError(f"word has {len(word)} characters; it takes {least} to {most}")
        played = self._games.get(game)
        if played is not None and word is not None and word in played.words:
            return self._welcome(f"{game}.{played.keys[played.words[word]]}")
        if played is None or not played.free:
            raise OptionError(f"there is no game {game!r} with a free seat")
        seat = played.free.pop(0)
        if word is not None:
            played.words[word] = seat
        return self._welcome(f"{game}.{played.keys[seat]}")

    def look(self, key: str) -> str:
        """Returns the position as you may see it, and the number of the move if it is your turn.

        Args:
            key: of your seat.
        """
        played, seat = self._at(key)
        episode = played.episode
        if episode.over:
            return f"{episode.position(seat)} Record tells it whole."
        if seat == episode.seat:
            return f"It is your turn: move {episode.move}.\n{episode.position(seat)}"
        free = f"Seats are free: others join game {key.partition('.')[0]}." if played.free else ""
        return f"It is not your turn: look again later. {free}\n{episode.position(seat)}"

    def play(self, key: str, action: str, move: int | None = None) -> str:
        """Plays an action; others answer, and the position when you are next to act is returned.

        Args:
            key: of your seat.
            action: as choices or the rules write it.
            move: the number of the move, as the position says it; a call that is sent again is
                then refused where the move is over, and plays nothing.
        """
        played, seat = self._at(key)
        episode = played.episode
        if move is not None and move != episode.move:
            when = "over" if move < episode.move else "still to come"
            raise OptionError(f"move {move} is {when}; the next is move {episode.move}: look")
        if episode.over or seat != episode.seat:
            raise OptionError("it is not your turn: look")
        if (refused := episode.act(action)) is not None:
            raise OptionError(refused)
        return self.look(key)

    def record(self, key: str) -> str:
        """Returns the record of a game that is over, as JSON.

        Args:
            key: of your seat.
        """
        return json.dumps(self._at(key)[0].episode.record())

    def _at(self, key: str) -> tuple[_Played, int]:
        name, _, own = key.strip().partition(".")
        played = self._games.get(name)
        for seat, known in {} if played is None else played.keys.items():
            if secrets.compare_digest(own.encode(errors="replace"), known.encode()):
                self._games.move_to_end(name)
                assert played is not None
                return played, seat
        raise OptionError("no game has this key; `start` returns a key, and old games are dropped")

    def _welcome(self, key: str) -> str:
        return f"Your key: {key}\n{self.look(key)}"


def _shipped_editions(game: str) -> list[str]:
    """Returns the names of the editions that ship, which lie beside the usual one."""
    usual = game_spec(game).any_config().edition
    source: Path | None = getattr(usual, "source", None)
    return [usual.name] if source is None else sorted(each.stem for each in source.parent.iterdir())


def _opponent(name: str, game: str) -> str | None:
    """Returns who plays a seat: an agent that costs little and reads no file; None for a player."""
    search = parse_search(name) if isinstance(name, str) else None
    if search is not None and search.policy in (None, "learned"):
        if (search.budget.playouts or _MOST_PLAYOUTS + 1) <= _MOST_PLAYOUTS:
            return name
        raise OptionError(f"{name}: a search takes up to {_MOST_PLAYOUTS} playouts here")
    if name not in (_OPEN, *agent_names(game)):
        known = ", ".join((*agent_names(game), _OPEN))
        raise OptionError(f"there is no opponent {short_repr(name)}; known: {known}")
    return None if name == _OPEN else name


def make_server(choices: bool = True, games: Games | None = None) -> MCPServer:
    """Returns the server, which lists legal choices or not."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    games, lock = Games(choices=choices) if games is None else games, RLock()
    server = MCPServer(
        "gonzaga",
        title="Gonzaga, The Castles of Tuscany and Signorie",
        instructions="Call rules once, then start. Play one action at a time, as choices or the "
        "rules write it, with the number of the move, until the game is over.",
        version=__version__,
        log_level="WARNING",
        subscriptions=False,
    )

    def one_at_a_time(function: Callable[P, str]) -> Callable[P, str]:
        @wraps(function)
        def alone(*args: P.args, **kwargs: P.kwargs) -> str:
            try:
                with lock:
                    return function(*args, **kwargs)
            except GameError as error:
                line = str(error).partition("\n")[0]
                raise ToolError(printable(line)[:_LONGEST_ERROR]) from error

        return alone

    server.tool()(one_at_a_time(games.games))
    server.tool()(one_at_a_time(games.rules))
    server.tool()(one_at_a_time(games.start))
    server.tool()(one_at_a_time(games.join))
    server.tool()(one_at_a_time(games.look))
    server.tool()(one_at_a_time(games.play))
    server.tool()(one_at_a_time(games.record))
    return server


def with_token(app: ASGIApp, token: str) -> ASGIApp:
    """Returns an application that answers 401 to requests without a bearer token."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers") or ()).get(b"authorization", b"")
        if scope["type"] != "http" or secrets.compare_digest(given, f"Bearer {token}".encode()):
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b"a bearer token is needed\n"})

    return guarded
