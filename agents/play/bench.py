"""The tasks of the benchmark, their games, and the files that keep them.

All deals are public. Deal i of the set "develop" or "report" of a task has the seed

    first 53 bits of SHA-256("gonzaga-bench VERSION/TASK/SET/i")

with the text in ASCII. A method is developed on the one set, and its results are reported on the
other.

The file of a run holds all actions; what games say follows from them, played again by the rules
alone. Nothing in a file names code that runs: its names are shown, and opponents are the task's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.intervals import Estimate, mean_interval, share_interval
from gonzaga_env.kernel.agent import Agent
from gonzaga_env.kernel.bounded import JSON_BYTES, Json, file_errors, parse_json, read_file
from gonzaga_env.kernel.errors import ActionError, OptionError, RecordError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.writing import write_aside
from gonzaga_env.version import __version__

from ..arrays import Doubles, Indices
from ..network.description import NO_PRIOR
from ..outside.agent import OutsideAgent
from ..registry import agent_names, checkpoint_description, make_agent, plays_shipped, spec_for_map
from ..search.agent import parse_search
from .jobs import OnFraction
from .runner import SEED_BITS, Step, play_games, rotations

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

    def seed(self, deal_set: str, deal: int) -> int:
        digest = sha256(f"gonzaga-bench {VERSION}/{self.name}/{deal_set}/{deal}".encode()).digest()
        return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)

    def map_of(self, deal_set: str, deal: int) -> str:
        if self.edition != GENERATED:
            return self.edition
        maps = [*game_spec(self.game).config.edition_set(_MAPS[deal_set])]
        return maps[deal % len(maps)]

    def config(self, deal_set: str, deal: int) -> Config:
        edition = self.map_of(deal_set, deal)
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
    """Returns a task by its name, or raises OptionError."""
    if name not in TASKS:
        raise OptionError(f"there is no task {short_repr(name)}; take {', '.join(TASKS)}")
    return TASKS[name]


_JOB_DEALS = 25  # agents draw from one generator for all games of a job, so not an option


class PlayedGame(NamedTuple):
    """A game of the agent against one kind of opponent."""

    actions: list[int]  # of all seats, in the order of play
    failed: bool  # whether the agent is a program that failed, and so lost the game


@dataclass(frozen=True)
class BenchJob:
    """Some deals of a task against one kind of opponent (a `Job`); every process plays it alike."""

    task: str  # the task's name
    deal_set: str  # the set of deals
    agent: str  # the agent, as `make_agent` takes it
    opponent: str  # the agent on all other seats
    deals: range  # of one edition

    @property
    def num_games(self) -> int:
        return len(self.deals) * find_task(self.task).players

    def play(self, on_progress: OnFraction) -> list[PlayedGame]:
        """Plays each deal on every seat, and returns the games deal by deal, [D * P]."""
        if (torch := sys.modules.get("torch")) is not None:
            torch.set_num_threads(1)  # so that sums do not depend on the number of cores
        task = find_task(self.task)
        config = task.config(self.deal_set, self.deals[0])
        agents = [_made(spec, config, i) for i, spec in enumerate((self.agent, self.opponent))]
        seats = rotations([0, *[1] * (task.players - 1)])  # [P, P]
        seating = np.tile(seats, (len(self.deals), 1))  # [D * P, P]
        seeds = np.array([task.seed(self.deal_set, deal) for deal in self.deals], dtype=np.uint64)
        text = f"{self.task}/{self.deal_set}/choices/{self.opponent}/{self.deals[0]}"
        actions: list[list[int]] = [[] for _ in seating]

        def watch(engine: Engine) -> Step:
            def step(taken: Indices) -> object:
                for row in np.flatnonzero(engine.seats >= 0):
                    actions[row].append(int(taken[row]))
                return engine.step(taken)

            return step

        names = [self.agent, f"{self.opponent} (opponent)"]
        given = config, agents, seating, seeds, sha256(text.encode()).digest()
        play_games(*given, on_progress, names=names, watch=watch)
        own = agents[0]
        failed = [False] * len(actions)
        if isinstance(own, OutsideAgent):
            failed = own.lost.max(axis=1).tolist()
        return [PlayedGame(*one) for one in zip(actions, failed, strict=True)]


@lru_cache(maxsize=8)
def _made(spec: str, config: Config, index: int) -> Agent:
    return make_agent(spec_for_map(spec, config), config)


def jobs_of(task: Task, deal_set: str, agent: str, deals: int) -> list[BenchJob]:
    """Returns the jobs of a run against the whole field, in the order of a row's games."""
    size = 1 if task.edition == GENERATED else _JOB_DEALS
    starts = range(0, deals, size)
    return [
        BenchJob(task.name, deal_set, agent, opponent, range(first, min(first + size, deals)))
        for opponent in task.field
        for first in starts
    ]


def replay(task: Task, deal_set: str, games: Sequence[Sequence[int]]) -> Doubles:
    """Plays the actions of games [D * P] again by the rules; no agent is asked.

    Returns the win share and the points of every seat at the end, [D, P, P, 2]: by deal, by the
    seat of the agent, by seat. Raises RecordError for an illegal action, or a game that ends before
    or after its last one.
    """
    players = task.players
    deals = range(len(games) // players)
    found = []
    for _, group in groupby(deals, lambda deal: task.map_of(deal_set, deal)):
        own = [*group]
        seeds = np.repeat([task.seed(deal_set, deal) for deal in own], players).astype(np.uint64)
        part = games[own[0] * players : (own[-1] + 1) * players]
        engine = _replayed(task.config(deal_set, own[0]), seeds, part)
        found.append(np.stack([win_shares(engine.winners()), engine.totals], axis=-1))
    return np.concatenate(found).reshape(len(deals), players, players, 2)


def _replayed(config: Config, seeds: NDArray[np.uint64], games: Sequence[Sequence[int]]) -> Engine:
    make = game_spec(config.game).engine.from_config
    engine = make(config, len(games), seed=seeds, autoreset=False)
    played = np.zeros(len(games), dtype=np.int64)
    lengths = np.array([*map(len, games)])
    while (running := engine.seats >= 0).any():
        if (over := running & (played == lengths)).any():
            raise RecordError(f"game {over.argmax() + 1} stops before its end")
        actions = np.zeros(len(games), dtype=np.int64)
        for row in running.nonzero()[0].tolist():
            actions[row] = games[row][played[row]]
        engine.step(actions)
        played += running
    if (longer := played < lengths).any():
        raise RecordError(f"game {longer.argmax() + 1} continues after its end")
    return engine


ZERO, PRIOR, SEARCH, DECLARED = TRACKS = "zero", "prior", "search", "declared"
"""Aids of agents: only the rules, knowledge of the game, search; or known to their author only."""
FIELD = "field"
"""The mean over all opponents, each weighing the same."""
_UNTAUGHT = {"random", "past", ""}  # opponents that know only the legal actions


@dataclass(frozen=True)
class Row:
    """The games of one agent on a task."""

    task: Task
    deal_set: str  # the set of deals
    deals: int  # D, from the first on
    agent: str  # what its owner calls it; shown, never run
    track: str  # one of `TRACKS`, as the run found it
    version: str  # of gonzaga_env
    games: Mapping[str, Sequence[PlayedGame]]  # by opponent: deal by deal, the agent on each seat

    def write(self, path: Path) -> None:
        content = {
            "bench": VERSION,
            "task": self.task.name,
            "set": self.deal_set,
            "deals": self.deals,
            "agent": self.agent,
            "track": self.track,
            "version": self.version,
            "games": {name: [one.actions for one in games] for name, games in self.games.items()},
            "failed": {
                name: [i for i, one in enumerate(games) if one.failed]
                for name, games in self.games.items()
            },
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_aside(path, json.dumps(content, separators=(",", ":")) + "\n")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Returns the row of a file; RecordError for a file that is no row of this version."""
        with file_errors(path, RecordError):
            content = parse_json(read_file(path, JSON_BYTES))
            if not isinstance(content, dict) or "bench" not in content:
                raise ValueError("is not a result of gonzaga-bench")
            if content["bench"] != VERSION:
                found = short_repr(content["bench"])
                raise ValueError(f"is of gonzaga-bench {found}; this is {VERSION}")
            try:
                return cls._of(content)
            except (AttributeError, KeyError, TypeError, OptionError) as error:
                raise ValueError(f"is not a result of gonzaga-bench: {error}") from error

    @classmethod
    def _of(cls, content: dict[str, Json]) -> Self:
        task, deals = find_task(content["task"]), content["deals"]
        texts = content["agent"], content["track"], content["version"]
        if content["set"] not in SETS or not all(isinstance(text, str) for text in texts):
            raise TypeError("a set is unknown, or a name is not a text")
        if type(deals) is not int or not 1 <= deals <= task.deals:
            raise TypeError(f"deals is {short_repr(deals)}")
        most, num_games = task.config(content["set"], 0).actions.size, deals * task.players
        games = {}
        for opponent in task.field:
            own, failed = content["games"][opponent], content["failed"][opponent]
            if not isinstance(own, list) or len(own) != num_games:
                raise TypeError(f"against {opponent} it has not {num_games} games")
            if any(type(one) is not int or not 0 <= one < num_games for one in failed):
                raise TypeError("failed takes numbers of games")
            for actions in own:
                if any(type(one) is not int or not 0 <= one < most for one in actions):
                    raise TypeError("an action is not a number of one")
            games[opponent] = [PlayedGame(one, i in failed) for i, one in enumerate(own)]
        return cls(task, content["set"], deals, *texts, games)

    def results(self) -> Results:
        """Plays all games again by the rules, and returns their results, or raises RecordError."""
        shares, points = [], []
        for opponent, games in self.games.items():
            try:
                ends = replay(self.task, self.deal_set, [one.actions for one in games])
            except (ActionError, RecordError) as error:
                raise RecordError(f"against {opponent}: {error}") from error
            own = np.arange(self.task.players)
            ends = ends[:, own, own]  # of the agent, [D, P, 2]
            failed = np.array([one.failed for one in games]).reshape(ends.shape[:2])
            shares.append(np.where(failed, 0, ends[..., 0]).mean(axis=1))
            points.append(ends[..., 1].mean(axis=1))
        return Results(tuple(self.games), np.array(shares), np.array(points))


@dataclass(frozen=True)
class Results:
    """Results of a row by opponent and deal, as means over the agent's seats."""

    opponents: tuple[str, ...]  # [O]
    shares: Doubles  # win share, [O, D]
    points: Doubles  # [O, D]

    def share(self, opponent: str = FIELD) -> Estimate:
        """Returns the win share against an opponent or the field, with a 95 % interval."""
        if opponent == FIELD:
            return share_interval(self.shares.mean(axis=0))
        return share_interval(self.shares[self.opponents.index(opponent)])

    def mean_points(self) -> Estimate:
        """Returns the points a game against the field, with a 95 % interval."""
        return mean_interval(self.points.mean(axis=0))


def new_row(task: Task, deal_set: str, deals: int, agent: str) -> Row:
    return Row(task, deal_set, deals, agent, track_of(agent, task.game), __version__, {})


def track_of(spec: str, game: str) -> str:
    """Returns the track of an agent: "declared" where its name and its files do not say it."""
    if spec == "random":
        return ZERO
    if parse_search(spec) is not None:
        return SEARCH
    if plays_shipped(spec) or spec in agent_names(game):
        return PRIOR
    about = checkpoint_description(spec)
    if about is None:
        return DECLARED
    given = about["arguments"]
    opponents = {name.strip() for name in str(given.get("opponents") or "").split(",")}
    aided = any(given.get(name) for name in ("start", "exploit"))
    if aided or opponents - _UNTAUGHT or about.get("prior") != NO_PRIOR:
        return PRIOR
    return ZERO
