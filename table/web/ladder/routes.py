"""The routes of the ladder: a person's ratings and games, and forgetting them.

| request | body | answer |
|---|---|---|
| POST /api/ladder | `key` | `ratings` with their curves, `games`, the last first |
| POST /api/ladder/forget | `key` | `forgotten`: the number of games |

The key is in the body, so that no log shows it. No other route shows anything about a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gonzaga_agents.statistics.leaderboard import published_ratings
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gonzaga_env.games import game_spec

from ..requests import MalformedError, client_of, read_object, shown
from ..rooms.room import hash_token
from ..rooms.rooms import Rooms
from ..values import as_json, json_answer
from .ratings import rating_of
from .results import RatedError, RatedPerson

MAX_LISTED = 200  # games in an answer
_KEY = re.compile(r"[\w-]{32}", re.ASCII)


def person_of(asked: dict[str, Any], name: str = "key") -> str:
    """Returns what is kept of a person's key in a request: its hash.

    Raises:
        MalformedError: it is not 32 letters, digits, "-" and "_".
    """
    key = asked.get(name)
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise MalformedError(f'{name} is {shown(key)}; it takes 32 letters, digits, "-" and "_"')
    return hash_token(key)


def rated_person(rooms: Rooms, request: Request, asked: dict[str, Any]) -> RatedPerson | None:
    """Returns who asks for a rated game by `rated`, the key; None if it is not asked for.

    Raises:
        MalformedError: it is no key.
    """
    if asked.get("rated") is None:
        return None
    return RatedPerson(person_of(asked, "rated"), rooms.store.digest(client_of(request)))


def check_rated(config: Any, agents: Sequence[str | None]) -> None:
    """Checks that a game can be rated.

    Args:
        config: what is played.
        agents: the spec of each seat's agent, None for a person.

    Raises:
        RatedError: it is not what the leaderboard's games are.
    """
    usual = game_spec(config.game).config(num_players=config.num_players)
    if (config.edition.digest, config.rules) != (usual.edition.digest, usual.rules):
        raise RatedError("a rated game has the usual map and the usual rules")
    if getattr(config, "scenario", None) is not None:
        raise RatedError("a rated game has a drawn scenario")
    known = published_ratings(config.game, config.num_players)
    if not known:
        raise RatedError(f"no agent of {game_spec(config.game).title} has a rating")
    for agent in agents:
        if agent is not None and agent not in known:
            raise RatedError(f"agent {agent} has no rating; there are {', '.join(known)}")


class LadderRoutes:
    """The routes of the ladder."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.routes = [
            Route("/api/ladder", self.look, methods=["POST"]),
            Route("/api/ladder/forget", self.forget, methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """Sends the ratings and games of a person."""
        results = self._rooms.results.of(person_of(await read_object(request)))
        ended = [result for result in results if result.outcome is not None]
        kinds = sorted({(result.game, result.num_players) for result in ended})
        answer = {
            "ratings": [rating_of(ended, *kind) for kind in kinds],
            "games": [result._asdict() for result in results[: -MAX_LISTED - 1 : -1]],
        }
        return json_answer(as_json(answer))

    async def forget(self, request: Request) -> Response:
        """Forgets a person."""
        number = self._rooms.forget(person_of(await read_object(request)))
        return json_answer(as_json({"forgotten": number}))
