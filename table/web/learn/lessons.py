"""First games: a fixed deal against a gentle opponent, with a lesson for each of some decisions.

A lesson says what is new, which choices try it out (`good`) and which shows it best. It follows
from what the seat knows, whatever was played before. Each game describes its own first game in
`first_games`; `Lessons` is enough for games of one action at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from gonzaga_agents.arrays import Indices, Masks, Observations
from gonzaga_agents.registry import make_agent

from gonzaga_env.kernel.agent import Agent
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.spec import Config

from ...session import GameSession, SeatPlayer, agent_seat

SEAT = 0  # the learner's
LATER = "onYourOwn"  # what is said when the lessons are over
_ADVISER = "planner"  # says which of the choices that a lesson wants shows it best


class DeterministicGreedy:
    """Plays as greedy does, but breaks ties in the same way in every game."""

    name = "deterministic greedy"

    def __init__(self, config: Config) -> None:
        self._greedy = make_agent("greedy", config)

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        """Returns a legal action for each row, [M], whatever `rng` is (see `Agent`)."""
        rows = ([row] for row in range(len(masks)))
        found = [
            self._greedy.act(observations[row], masks[row], np.random.default_rng(0))[0]
            for row in rows
        ]
        return np.array(found, dtype=np.int64)


@dataclass(frozen=True)
class FirstGame:
    """The first game of a game, for two."""

    seed: int  # of the deal; tests play it by its lessons
    # `lesson(table)` returns the lesson of the decision that the learner makes now, as `lesson_of`
    # does; None where there is none
    lesson: Callable[[GameSession], dict[str, object] | None]
    teacher: type[Agent] = DeterministicGreedy  # who plays the other seat
    options: Mapping[str, Json] = field(default_factory=dict)  # of the configuration

    @property
    def opponent_seat(self) -> SeatPlayer:
        return agent_seat(self.opponent, "Caterina")

    @property
    def opponent(self) -> str:
        return f"{self.teacher.__module__}:{self.teacher.__name__}"


@dataclass(frozen=True)
class Aim:
    """The aim of a lesson."""

    name: str  # of the lesson, for the catalogue of words
    kind: str  # the kind of its decision
    # `wants(text, view)` says whether an action, by its text, tries it out
    wants: Callable[[str, Any], bool] = lambda text, view: True


@dataclass(frozen=True)
class Lessons:
    """The lessons of a game of one action at a time."""

    # `number(view)` returns to which lesson the decision of the learner belongs, from 1; one more
    # than there are lessons says that they are over, None is no lesson
    number: Callable[[Any], int | None]
    aims: Sequence[Sequence[Aim]]  # of each lesson; the first that fits is given

    def __call__(self, table: GameSession) -> dict[str, object] | None:
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
                lesson = {"name": aim.name, "round": number, "good": [one.action for one in good]}
                return lesson | {"action": best, "words": words}
        return None


def _best(table: GameSession, actions: Sequence[int]) -> int:
    observation, mask = table.question(SEAT)
    wanted = mask & np.isin(np.arange(len(mask)), actions)
    chosen = _adviser(table.config).act(observation[None], wanted[None], np.random.default_rng(0))
    return int(chosen[0])


@lru_cache(maxsize=4)
def _adviser(config: Config) -> Agent:
    return make_agent(_ADVISER, config)
