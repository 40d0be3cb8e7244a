"""The tasks: what is played, against whom, and on which deals.

All deals are public. Deal i of the set "develop" or "report" of a task has the seed

    first 53 bits of SHA-256("gonzaga-bench VERSION/TASK/SET/i")

with the text in ASCII. A method is developed on the one set, and its results are reported on the
other.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, get_args

from gonzaga_env.core.editions.generating import named_set
from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError

from ..units.games import SEED_BITS

VERSION = 3
"""Of the benchmark: results of different versions do not compare."""
DealSet = Literal["develop", "report"]
SETS: tuple[str, ...] = get_args(DealSet)
GENERATED = "generated"
"""The edition of tasks that play each deal on another generated map."""
_MAPS = {"develop": "generated:train", "report": "generated:test"}
_FIELD = ("greedy", "planner", "learned")
_EASY = ("random", "greedy")  # for agents that still lose every game against the others


@dataclass(frozen=True)
class Task:
    """A game, a number of players, an edition, a field of opponents and a number of deals."""

    name: str
    game: str
    players: int
    edition: str
    field: tuple[str, ...]  # the opponents, the weakest first; one kind sits on all other seats
    deals: int  # in each set; each deal is played once on every seat against each opponent

    def seed(self, chosen: str, deal: int) -> int:
        """Returns the seed of a deal of a set."""
        digest = sha256(f"gonzaga-bench {VERSION}/{self.name}/{chosen}/{deal}".encode()).digest()
        return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)

    def map_of(self, chosen: str, deal: int) -> str:
        """Returns the name of the edition that a deal of a set is played on."""
        maps = named_set(_MAPS[chosen]) if self.edition == GENERATED else (self.edition,)
        return maps[deal % len(maps)]

    def config(self, chosen: str, deal: int) -> Any:
        """Returns what a deal of a set is played on."""
        edition = self.map_of(chosen, deal)
        return game_spec(self.game).config(num_players=self.players, edition=edition)


_TABLE = (
    Task("gonzaga/2p", "gonzaga", 2, "europe", _FIELD, 100),
    Task("gonzaga/3p", "gonzaga", 3, "europe", _FIELD, 75),
    Task("gonzaga/4p", "gonzaga", 4, "europe", _FIELD, 50),
    Task("tuscany/2p", "tuscany", 2, "reconstruction", _FIELD, 100),
    Task("tuscany/3p", "tuscany", 3, "reconstruction", _FIELD, 75),
    Task("tuscany/4p", "tuscany", 4, "reconstruction", _FIELD, 50),
    Task("signorie/2p", "signorie", 2, "reconstruction", _FIELD, 100),
    Task("signorie/3p", "signorie", 3, "reconstruction", _FIELD, 75),
    Task("signorie/4p", "signorie", 4, "reconstruction", _FIELD, 50),
    Task("gonzaga/generated-2p", "gonzaga", 2, GENERATED, _FIELD, 100),
    Task("gonzaga/generated-4p", "gonzaga", 4, GENERATED, _FIELD, 100),
    Task("gonzaga/easy-2p", "gonzaga", 2, "europe", _EASY, 100),
    Task("tuscany/easy-2p", "tuscany", 2, "reconstruction", _EASY, 100),
    Task("signorie/easy-2p", "signorie", 2, "reconstruction", _EASY, 100),
)
TASKS = {task.name: task for task in _TABLE}
"""All tasks, by name."""


def find_task(name: str) -> Task:
    """Returns a task by its name.

    Raises:
        OptionError: there is no such task.
    """
    if name not in TASKS:
        raise OptionError(f"there is no task {short_repr(name)}; take {', '.join(TASKS)}")
    return TASKS[name]
