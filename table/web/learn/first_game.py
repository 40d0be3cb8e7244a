"""First games: a fixed deal against a gentle opponent, with a lesson for each of some decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
from gonzaga_agents.arrays import Indices, Masks, Observations
from gonzaga_agents.registry import make_agent

from gonzaga_env.games import game_spec

from ...session import GameSession, human
from .gonzaga import FIRST_GAME as GONZAGA
from .lessons import SEAT
from .signorie import FIRST_GAME as SIGNORIE
from .tuscany import FIRST_GAME as TUSCANY

FIRST_GAMES = {"gonzaga": GONZAGA, "tuscany": TUSCANY, "signorie": SIGNORIE}


class Steady:
    """Plays as greedy does, but breaks ties in the same way in every game.

    Attributes:
        name: "steady".
    """

    name = "steady"

    def __init__(self, config: Any) -> None:
        """Takes what is played."""
        self._greedy = make_agent("greedy", config)

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        """Returns a legal action for each row, [M], whatever `rng` is (see `Agent`)."""
        rows = range(len(masks))
        found = [self._act(observations[[row]], masks[[row]]) for row in rows]
        return np.array(found, dtype=np.int64)

    def _act(self, observation: Observations, mask: Masks) -> int:
        return int(self._greedy.act(observation, mask, np.random.default_rng(0))[0])


def first_game(name: str, game: str = "gonzaga", edition: Any = None) -> GameSession:
    """Returns the first game of a person, before the first move.

    Args:
        name: the person's.
        game: one of `FIRST_GAMES`.
        edition: what it is played on; None for the game's own.
    """
    first = FIRST_GAMES[game]
    given = first.options if edition is None else {**first.options, "edition": edition}
    config = game_spec(game).config(num_players=2, **given)
    return GameSession(config, [human(name), first.opponent_seat], first.seed)


def is_first_game(table: GameSession) -> bool:
    """Returns whether a table is a first game, which its deal alone decides."""
    first = FIRST_GAMES.get(table.config.game)
    return first is not None and table.seats[-1] == first.opponent_seat and table.opening is None


def lesson_of(table: GameSession, seat: int | None) -> dict[str, Any] | None:
    """Returns the lesson of the decision that a seat makes now; None where there is none.

    Returns:
        `name` and `round`, its number; `good`, the actions that try it out; `action`, the one that
        shows it best; and facts about that one for its words.
    """
    if seat != SEAT or not is_first_game(table):
        return None
    return FIRST_GAMES[table.config.game].lesson(table)
