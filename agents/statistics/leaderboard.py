"""The ratings of docs/leaderboard.md, as the installed package knows them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple


class PublishedRating(NamedTuple):
    """A rating with its 95 % interval; an end that no game bounds is None."""

    rating: float
    low: float | None
    high: float | None


@cache
def _leaderboard() -> dict[str, dict[str, dict[str, tuple[float, float | None, float | None]]]]:
    """Returns what `docs/figures.py` wrote: by game, number of players and agent."""
    return json.loads(Path(__file__).with_name("leaderboard.json").read_text("utf-8"))


@cache
def published_ratings(game: str, num_players: int) -> dict[str, PublishedRating]:
    """Returns the ratings of a game by the specs of its agents, the strongest first.

    They hold for the game's own edition, its default rules and a drawn scenario.
    """
    found = _leaderboard().get(game, {}).get(str(num_players), {})
    return {agent: PublishedRating(*ends) for agent, ends in found.items()}


def rated_agents(game: str) -> list[str]:
    """Returns the specs of a game's agents that have a rating, the weakest first."""
    parts = _leaderboard().get(game, {}).values()
    return list(dict.fromkeys(agent for part in parts for agent in reversed(part)))
