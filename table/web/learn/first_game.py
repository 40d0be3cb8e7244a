"""First games: a fixed deal against a gentle opponent, with a lesson for each of some decisions.

A lesson says what is new, which choices try it out (`good`) and which shows it best. It follows
from what the seat knows, whatever was played before. Each game describes its own first game, as
`TableParts.first_game`; `Lessons` is enough for games of one action at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from gonzaga_agents.arrays import Indices, Masks, Observations
from gonzaga_agents.registry import make_agent

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.agent import Agent
from gonzaga_env.kernel.spec import Config, load_part

from ...parts import table_parts
from ...session import GameSession, SeatPlayer, agent_seat, human

SEAT = 0  # the learner's
LATER = "onYourOwn"  # what is said when the lessons are over
_ADVISER = "planner"  # says which of the choices that a lesson wants shows it best


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


@dataclass(frozen=True)
class FirstGame:
    """The first game of a game, for two.

    Attributes:
        seed: of the deal; tests play it by its lessons.
        lesson: `lesson(table)` returns the lesson of the decision that the learner makes now, as
            `lesson_of` does; None where there is none.
        opponent: the agent in the other seat.
        options: of the configuration.
    """

    seed: int
    lesson: Callable[[GameSession], dict[str, Any] | None]
    opponent: str = "gonzaga_table.web.learn.first_game:Steady"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def opponent_seat(self) -> SeatPlayer:
        """The opponent at the table."""
        return agent_seat(self.opponent, "Caterina")


def first_game_of(game: str) -> FirstGame | None:
    """Returns the first game of a game, by its name; None if it has none."""
    found: FirstGame | None = load_part(table_parts(game).first_game)
    return found


@lru_cache(maxsize=1)
def first_games() -> Mapping[str, FirstGame]:
    """Returns the first games of this package's games, by name."""
    found = ((game, first_game_of(game)) for game in game_names())
    return {game: first for game, first in found if first is not None}


def first_game(name: str, game: str = "gonzaga", edition: Any = None) -> GameSession:
    """Returns the first game of a person, before the first move.

    Args:
        name: the person's.
        game: one of `first_games`.
        edition: what it is played on; None for the game's own.
    """
    first = first_games()[game]
    given = first.options if edition is None else {**first.options, "edition": edition}
    config = game_spec(game).config(num_players=2, **given)
    return GameSession(config, [human(name), first.opponent_seat], first.seed)


def is_first_game(table: GameSession) -> bool:
    """Returns whether a table is a first game, which its deal alone decides."""
    first = first_games().get(table.config.game)
    return first is not None and table.seats[-1] == first.opponent_seat and table.opening is None


def lesson_of(table: GameSession, seat: int | None) -> dict[str, Any] | None:
    """Returns the lesson of the decision that a seat makes now; None where there is none.

    Returns:
        `name` and `round`, its number; `good`, the actions that try it out; `action`, the one that
        shows it best; and facts about that one for its words.
    """
    if seat != SEAT or not is_first_game(table):
        return None
    return first_games()[table.config.game].lesson(table)


@dataclass(frozen=True)
class Aim:
    """What a lesson wants.

    Attributes:
        name: of the lesson, for the catalogue of words.
        kind: the kind of its decision.
        wants: `wants(text, view)` says whether an action, by its text, tries it out.
    """

    name: str
    kind: str
    wants: Callable[[str, Any], bool] = lambda text, view: True


@dataclass(frozen=True)
class Lessons:
    """The lessons of a game of one action at a time.

    Attributes:
        number: `number(view)` returns to which lesson the decision of the learner belongs, from 1;
            one more than there are lessons says that they are over, None is no lesson.
        aims: of each lesson; the first that fits is told.
    """

    number: Callable[[Any], int | None]
    aims: Sequence[Sequence[Aim]]

    def __call__(self, table: GameSession) -> dict[str, Any] | None:
        """Returns the lesson of a table (see `lesson_of`), with `words`, its action in words."""
        turn: Any = table.turn(SEAT)
        number = None if turn is None else self.number(view := table.view(SEAT))
        if number is None:
            return None
        if number > len(self.aims):
            return {"name": LATER, "round": number, "good": []}
        for aim in (aim for aim in self.aims[number - 1] if aim.kind == turn.kind):
            good = [one for one in turn.choices if aim.wants(one.text, view)]
            if good:
                best = _best(table, [one.action for one in good])
                words = next(one.words for one in good if one.action == best)
                told = {"name": aim.name, "round": number, "good": [one.action for one in good]}
                return told | {"action": best, "words": words}
        return None


def _best(table: GameSession, actions: Sequence[int]) -> int:
    """Returns which of some actions the adviser prefers."""
    observation, mask = table.question(SEAT)
    wanted = mask & np.isin(np.arange(len(mask)), actions)
    chosen = _adviser(table.config).act(observation[None], wanted[None], np.random.default_rng(0))
    return int(chosen[0])


@lru_cache(maxsize=4)
def _adviser(config: Config) -> Agent:
    return make_agent(_ADVISER, config)
