"""What a person's rated games say of the person's strength."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gonzaga_agents.statistics.leaderboard import published_ratings
from gonzaga_agents.statistics.one_player import Game, rating_curve

if TYPE_CHECKING:
    from .results import Result

LOST = "resigned", "late", "abandoned"
UNCOUNTED = "failed", "replaced", "left", "address"


def rating_of(results: Sequence[Result], game: str, num_players: int) -> dict[str, Any]:
    """Returns a person's rating at a game with its curve: games, rating, low, high.

    Args:
        results: the person's games that have ended, in order.
        game: the game's name.
        num_players: P.
    """
    own = [result for result in results if (result.game, result.num_players) == (game, num_players)]
    games = [rated for result in own if (rated := _game(result)) is not None]
    curve = _curve(tuple(games))
    return {"game": game, "num_players": num_players, "num_games": len(games), "curve": curve}


@lru_cache(64)
def _curve(games: tuple[Game, ...]) -> list[tuple[float, ...]]:
    return [(n, found.rating, found.low, found.high) for n, found in rating_curve(games)]


def _game(result: Result) -> Game | None:
    """Returns a game as ratings take it; None if it does not count.

    Whoever gave up came in after all others. A game does not count if an agent is not on the
    leaderboard any more.
    """
    known = published_ratings(result.game, result.num_players)
    named = [agent for agent in result.agents if isinstance(agent, str)]
    if result.outcome in UNCOUNTED or not known.keys() >= {*named}:
        return None
    lost = result.outcome in LOST
    places = result.places or [int((agent is None) == lost) for agent in result.agents]
    ratings = [
        float(known[agent].rating) if isinstance(agent, str) else agent for agent in result.agents
    ]
    return tuple(sorted(zip(ratings, places, strict=True), key=str))  # alike games are found again
