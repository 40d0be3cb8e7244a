"""The agents of the ladder: how strong they are, in words and by the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gonzaga_agents.policies.learned import NAME as LEARNED
from gonzaga_agents.search.budget import NAME as SEARCH
from gonzaga_agents.statistics.leaderboard import published_ratings

_LEVELS = {"random": "novice", "greedy": "beginner", "planner": "club", LEARNED: "expert"}


def level_of(agent: str) -> str | None:
    """Returns how strong an agent is, as a word that pages translate; None if unknown."""
    base, _, advisor = agent.partition(":")
    if base.partition("@")[0] == SEARCH:
        return "master" if advisor == LEARNED else "expert"
    return None if advisor else _LEVELS.get(base)


def ladder_of(game: str, num_players: int, agents: Sequence[str]) -> list[dict[str, Any]]:
    """Returns some agents with their levels and ratings, the strongest first, then the unrated.

    A `rating` of None says that the leaderboard has none.
    """
    found = published_ratings(game, num_players)
    rated = [(name, *found[name]) for name in found if name in agents]
    others = [(name, None, None, None) for name in agents if name not in found]
    return [
        {"agent": name, "level": level_of(name), "rating": rating, "low": low, "high": high}
        for name, rating, low, high in (*rated, *others)
    ]
