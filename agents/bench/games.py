"""Plays the games of a task, and plays recorded actions again by the rules alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Agent
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.spec import Engine

from ..outside.agent import OutsideAgent
from ..registry import make_agent, spec_for_map
from ..units.games import Step, play_games, rotations
from ..units.play import Report
from .tasks import GENERATED, Task, find_task

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
