"""The ratings of docs/leaderboard.md, as the installed package knows them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple


class PublishedRating(NamedTuple):
    """A rating with its 95 % interval; an end that no game bounds is None."""

    rating: int
    low: int | None
    high: int | None


@cache
def published_ratings(game: str, num_players: int) -> dict[str, PublishedRating]:
    """Returns the ratings of a game by the specs of its agents, the strongest first.

    They hold for the game's own edition, its default rules and a drawn scenario.
    `benchmarks/publish.py` writes them.
    """
    text = Path(__file__).with_name("leaderboard.json").read_text("utf-8")
    found = json.loads(text).get(game, {}).get(str(num_players), {})
    return {agent: PublishedRating(*ends) for agent, ends in found.items()}
