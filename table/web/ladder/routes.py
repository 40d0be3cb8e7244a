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
from functools import lru_cache
from typing import Any

from gonzaga_agents.statistics.leaderboard import published_ratings
from gonzaga_agents.statistics.one_player import Game, rating_curve
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gonzaga_env.games import game_spec

from ...session import SeatPlayer
from ..requests import MalformedError, read_object, shown
from ..rooms.room import hash_token
from ..rooms.rooms import Rooms
from ..values import as_json, json_answer
from .results import RatedError, Result

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


def check_rated(config: Any, seats: Sequence[SeatPlayer]) -> None:
    """Checks that a game can be rated.

    Raises:
        RatedError: it is not what the leaderboard's games are.
    """
    usual = game_spec(config.game).config(num_players=config.num_players)
    if (config.edition.digest, config.rules) != (usual.edition.digest, usual.rules):
        raise RatedError("a rated game has the usual map and the usual rules")
    if getattr(config, "scenario", None) is not None:
        raise RatedError("a rated game has a drawn scenario")
    if sum(seat.agent is None for seat in seats) != 1:
        raise RatedError("a rated game has exactly one person")
    known = published_ratings(config.game, config.num_players)
    if not known:
        raise RatedError(f"no agent of {game_spec(config.game).title} has a rating")
    for seat in seats:
        if seat.agent is not None and seat.agent not in known:
            raise RatedError(f"agent {seat.agent} has no rating; there are {', '.join(known)}")


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
            "ratings": [_rating(ended, *kind) for kind in kinds],
            "games": [result._asdict() for result in results[: -MAX_LISTED - 1 : -1]],
        }
        return json_answer(as_json(answer))

    async def forget(self, request: Request) -> Response:
        """Forgets a person."""
        number = self._rooms.forget(person_of(await read_object(request)))
        return json_answer(as_json({"forgotten": number}))


def _rating(results: list[Result], game: str, num_players: int) -> dict[str, Any]:
    """Returns a person's rating at a game with its curve: games, rating, low, high."""
    own = [result for result in results if (result.game, result.num_players) == (game, num_players)]
    games = [rated for result in own if (rated := _game(result)) is not None]
    curve = _curve(tuple(games))
    return {"game": game, "num_players": num_players, "num_games": len(games), "curve": curve}


@lru_cache(64)
def _curve(games: tuple[Game, ...]) -> list[tuple[float, ...]]:
    return [(n, found.rating, found.low, found.high) for n, found in rating_curve(games)]


def _game(result: Result) -> Game | None:
    """Returns a game as ratings take it; None if an agent is not on the leaderboard any more.

    A game that was given up says that all others came in before the person.
    """
    known = published_ratings(result.game, result.num_players)
    if not all(agent is None or agent in known for agent in result.agents):
        return None
    places = result.places or [int(agent is None) for agent in result.agents]
    ratings = [None if agent is None else float(known[agent].rating) for agent in result.agents]
    return tuple(sorted(zip(ratings, places, strict=True), key=str))  # alike games are found again
