"""The tasks of the benchmark, their games, and recorded actions played again by the rules alone.

All deals are public. Deal i of the set "develop" or "report" of a task has the seed

    first 53 bits of SHA-256("gonzaga-bench VERSION/TASK/SET/i")

with the text in ASCII. A method is developed on the one set, and its results are reported on the
other.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.editions.generating import named_set
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent
from gonzaga_env.kernel.bounded import short_repr
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.spec import Engine

from ..outside.agent import OutsideAgent
from ..registry import make_agent, spec_for_map
from .games import SEED_BITS, Step, play_games, rotations
from .jobs import Report

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


_UNIT_DEALS = 25  # agents draw from one generator for all games of a unit, so not an option


class PlayedGame(NamedTuple):
    """A game of the agent against one kind of opponent."""

    actions: list[int]  # of all seats, in the order of play
    failed: bool  # whether the agent is a program that failed, and so lost the game


@dataclass(frozen=True)
class Unit:
    """Some deals of a task against one kind of opponent (see `units.play.Unit`).

    Every process plays them alike.
    """

    task: str  # the task's name
    chosen: str  # the set of deals
    agent: str  # the agent, as `make_agent` takes it
    opponent: str  # the agent on all other seats
    deals: range  # of one edition

    @property
    def num_games(self) -> int:
        """Games of the unit."""
        return len(self.deals) * find_task(self.task).players

    def play(self, on_progress: Report) -> list[PlayedGame]:
        """Plays each deal on every seat, and returns the games deal by deal, [D * P].

        Raises:
            AgentError: an agent cannot be built, plays an invalid action or fails.
        """
        if (torch := sys.modules.get("torch")) is not None:
            torch.set_num_threads(1)  # so that sums do not depend on the number of cores
        task = find_task(self.task)
        config = task.config(self.chosen, self.deals[0])
        agents = [_made(spec, config, index) for index, spec in enumerate(self._specs)]
        seats = rotations([0, *[1] * (task.players - 1)])  # [P, P]
        seating = np.tile(seats, (len(self.deals), 1))  # [D * P, P]
        seeds = np.array([task.seed(self.chosen, deal) for deal in self.deals], dtype=np.uint64)
        text = f"{self.task}/{self.chosen}/choices/{self.opponent}/{self.deals[0]}"
        actions: list[list[int]] = [[] for _ in seating]

        def watch(engine: Engine) -> Step:
            def step(chosen: NDArray[np.int64]) -> Any:
                for row in np.flatnonzero(engine.seats >= 0):
                    actions[row].append(int(chosen[row]))
                return engine.step(chosen)

            return step

        names = [self.agent, f"{self.opponent} (opponent)"]
        choices = sha256(text.encode()).digest()
        given = config, agents, seating, seeds, choices
        play_games(*given, on_progress, names=names, watch=watch)
        own = agents[0]
        failed = [False] * len(actions)
        if isinstance(own, OutsideAgent):
            failed = own.lost.max(axis=1).tolist()
        return [PlayedGame(*one) for one in zip(actions, failed, strict=True)]

    @property
    def _specs(self) -> tuple[str, str]:
        return self.agent, self.opponent


@lru_cache(maxsize=8)
def _made(spec: str, config: Any, index: int) -> Agent:
    """Returns an agent, built once in each process; the agent and its opponent are two objects."""
    return make_agent(spec_for_map(spec, config), config)


def units_of(task: Task, chosen: str, agent: str, deals: int) -> list[Unit]:
    """Returns the units of a run against the whole field, in the order of a row's games."""
    size = 1 if task.edition == GENERATED else _UNIT_DEALS
    starts = range(0, deals, size)
    return [
        Unit(task.name, chosen, agent, opponent, range(first, min(first + size, deals)))
        for opponent in task.field
        for first in starts
    ]


def replay(task: Task, chosen: str, games: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Plays actions again by the rules: no agent is asked.

    Args:
        task: what was played.
        chosen: the set of deals.
        games: the actions of each game, deal by deal with the agent on every seat, [D * P].

    Returns:
        Win share and points of every seat at the end of each game, [D, P, P, 2]: by deal, by the
        seat of the agent, by seat.

    Raises:
        RecordError: an action is illegal, or a game ends before or after its last action.
    """
    players = task.players
    deals = range(len(games) // players)
    found = []
    for _, group in groupby(deals, lambda deal: task.map_of(chosen, deal)):
        own = [*group]
        seeds = np.repeat([task.seed(chosen, deal) for deal in own], players).astype(np.uint64)
        part = games[own[0] * players : (own[-1] + 1) * players]
        engine = _replayed(task.config(chosen, own[0]), seeds, part)
        won = np.asarray(engine.winners(), dtype=np.float64)
        shares = won / won.sum(axis=1, keepdims=True)
        found.append(np.stack([shares, engine.totals], axis=-1))
    return np.concatenate(found).reshape(len(deals), players, players, 2)


def _replayed(config: Any, seeds: NDArray[np.uint64], games: Sequence[Sequence[int]]) -> Any:
    make = game_spec(config.game).engine.from_config
    engine: Any = make(config, len(games), seed=seeds, autoreset=False)
    played = np.zeros(len(games), dtype=np.int64)
    lengths = np.array([*map(len, games)])
    while (running := engine.seats >= 0).any():
        if (over := running & (played == lengths)).any():
            raise RecordError(f"game {over.argmax() + 1} stops before its end")
        actions = np.zeros(len(games), dtype=np.int64)
        for row in running.nonzero()[0]:
            actions[row] = games[row][played[row]]
        engine.step(actions)
        played += running
    if (longer := played < lengths).any():
        raise RecordError(f"game {longer.argmax() + 1} goes on after its end")
    return engine
