"""The units of a run: a few deals of an agent against one kind of opponent, in all rotations.

A unit's games depend on its fields alone, so any process may play it, and `bench check` plays some
of them again. In rotation k the agent sits on seat k, and opponents of one kind on all others.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import Agent
from gonzaga_env.tabletop.bounded.limits import GAME_POINTS

from ..common.arrays import Arrays
from ..units.games import play_games, results_by_rule, rotations
from ..units.work import Report, nothing
from .pins import make_measured, make_opponent
from .tasks import Task

UnitKey = tuple[int, str, int]
"""The agent's index, the opponent and the first deal of a unit."""
UNIT_DEALS = 25
"""Deals of a unit; not an option, since agents draw from one generator for all games of a unit.
Search takes little more than half the time a game in batches of 50 games as in batches of 20."""


@dataclass(frozen=True)
class UnitGames(Arrays):
    """How the games of some deals ended."""

    # points by seat, [D, R, P] int64; the agent sits on seat r in rotation r
    scores: NDArray[np.int64]
    won: NDArray[np.bool_]  # [D, R, P] bool; more than one in a shared victory

    @property
    def num_games(self) -> int:
        """How many games there are."""
        return self.won.shape[0] * self.won.shape[1]

    def as_lines(self) -> list[str]:
        """Returns a text for each deal: for each rotation, points by seat and the winners' seats.

        "82 77 w0 | 70 90 w1" are two games of two players.
        """
        return [
            " | ".join(
                f"{' '.join(map(str, points))} w{''.join(map(str, np.flatnonzero(won)))}"
                for points, won in zip(scores.tolist(), winners, strict=True)
            )
            for scores, winners in zip(self.scores, self.won, strict=True)
        ]

    @classmethod
    def of_lines(cls, lines: Sequence[str], players: int) -> UnitGames:
        """Returns what `as_lines` described.

        Raises:
            ValueError: a line is not the text that `as_lines` writes, or its winners do not have
                the most points.
        """
        shape = len(lines), players, players
        scores, won = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.bool_)
        for deal, line in enumerate(lines):
            games = line.split(" | ")
            if len(games) != players:
                raise ValueError(f"a deal has {len(games)} games; it takes {players}")
            for rotation, game in enumerate(games):
                *points, winners = game.split(" ")
                if len(points) != players or not winners.startswith("w"):
                    raise ValueError(f"{game[:40]!r} is not the end of a game of {players} players")
                scores[deal, rotation] = [int(each) for each in points]
                won[deal, rotation, [int(seat) for seat in winners[1:]]] = True
        best = scores == scores.max(axis=2, keepdims=True)
        if (won & ~best).any() or not won.any(axis=2).all():
            raise ValueError("a game has no winner, or one without the most points")
        if (np.abs(scores) > GAME_POINTS).any():
            raise ValueError(f"a game has more than {GAME_POINTS:,} points")
        found = cls(scores, won)
        if found.as_lines() != [*lines]:
            raise ValueError("a game is written in another way than runs write it")
        return found


@dataclass(frozen=True)
class Unit:
    """Some deals of an agent against one kind of opponent (see `units.play.Unit`)."""

    task: Task  # what is played
    agent: int  # index of the agent in the run
    spec: str  # names it
    opponent: str  # names the agent on the other seats
    first: int  # number of the first deal
    deals: int  # how many there are
    secret: bytes  # of the deals
    seed: int  # decides the agents' choices, together with the secret

    @property
    def key(self) -> UnitKey:
        """What identifies the unit within a run."""
        return self.agent, self.opponent, self.first

    @property
    def num_games(self) -> int:
        """Games of the unit."""
        return self.deals * self.task.players

    def play(self, on_progress: Report = nothing) -> UnitGames:
        """Plays the unit; it gives the same games again, where no agent has a time budget.

        Raises:
            AgentError: an agent cannot be built, plays an invalid action or fails.
        """
        if (torch := sys.modules.get("torch")) is not None:
            torch.set_num_threads(1)  # so that sums do not depend on the number of cores
        deals = range(self.first, self.first + self.deals)
        batches = [[deal] for deal in deals] if self.task.maps else [deals]
        found: list[UnitGames] = []
        for batch in batches:

            def report(done: float, before: int = len(found)) -> None:
                on_progress((before + done) / len(batches))

            found.append(self._play(batch, report))
        return UnitGames.concatenate(found)

    def _play(self, deals: Sequence[int], on_progress: Report) -> UnitGames:
        """Plays deals of one map as a batch."""
        task, config = self.task, self.task.config_of(deals[0])
        agents = _agents(self.spec, self.opponent, config)
        seats = rotations([0, *[1] * (task.players - 1)])  # [R, P]
        seeds = task.deal_seeds(self.secret, deals)
        what = f"choices/{self.seed}/{self.agent}/{self.opponent}/{deals[0]}"
        choices, names = task.stream(self.secret, what), [self.spec, f"{self.opponent} (opponent)"]
        seating = np.tile(seats, (len(deals), 1))  # [N, P]
        engine = play_games(config, agents, seating, seeds, choices, on_progress, names=names)
        shape = len(deals), task.players, task.players
        totals, won = results_by_rule(engine, agents)
        return UnitGames(totals.reshape(shape), won.reshape(shape))


@lru_cache(maxsize=16)
def _agents(spec: str, opponent: str, config: Any) -> tuple[Agent, Agent]:
    """Returns the agent and its opponent, built once in each process; never one object."""
    return make_measured(spec, config), make_opponent(opponent, config)


def units_of(task: Task, specs: Sequence[str], deals: int, secret: bytes, seed: int) -> list[Unit]:
    """Returns the units of a run, in the order in which they are played.

    Args:
        task: what is played.
        specs: the agents, one for each training seed.
        deals: D, from the first on.
        secret: of the deals.
        seed: decides the agents' choices.
    """
    return [
        Unit(task, i, spec, opponent.pin.spec, first, min(UNIT_DEALS, deals - first), secret, seed)
        for i, spec in enumerate(specs)
        for opponent in task.field
        for first in range(0, deals, UNIT_DEALS)
    ]
