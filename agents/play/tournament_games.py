"""The jobs of a tournament: a few deals of one lineup each, in all seat rotations.

What a job gives depends on its fields alone, so any process of any machine may play it.

| random | depends on |
|---|---|
| the deal | the tournament's seed and the number of the deal, so all lineups play the same deals |
| who sits where in rotation 0 | the seed, the lineup and the number of the deal |
| an agent's choices | the seed, the lineup and the deals of the job |

The order in which agents are named plays no part: adding an agent changes no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

from gonzaga_env.kernel.agent import Agent, AgentError
from gonzaga_env.kernel.bounded import CHECKPOINT_BYTES, MIB, byte_size
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config

from ..arrays import Indices
from ..heuristics.linear import NAME as LINEAR
from ..network.learned import shipped_files
from ..outside.spec import parse_command
from ..registry import (
    allow_module,
    check_name,
    find_checkpoint,
    find_linear,
    find_policy,
    make_agent,
    plays_shipped,
    without_prefixes,
)
from .jobs import OnFraction, ignore
from .runner import (
    CHOICES,
    SEATS,
    agents_secret,
    deal_seed,
    play_games,
    results_with_forfeits,
    rotations,
    seed_sequence,
)

Lineup = tuple[str, ...]
"""The keys of the agents at a table, [P], sorted; an agent may fill several seats."""
_DIGITS = 12  # of the digest; enough to tell the files of one tournament apart


@dataclass(frozen=True)
class Entrant:
    """An agent of a tournament."""

    spec: str  # what names it (see `make_agent`)
    # of the checkpoint, the Python file or the shipped policies that the spec names; None if it
    # names none
    digest: str | None = None

    @property
    def key(self) -> str:
        """The agent's name in results, which changes when its file changes."""
        return self.spec if self.digest is None else f"{self.spec}#{self.digest}"


def identify(spec: str) -> Entrant:
    """Returns the entrant that a spec names, with the digest of its file as it is now."""
    check_name(spec)
    files, digest = agent_files(spec), sha256()
    is_bot = parse_command(without_prefixes(spec)) is not None  # whose files are not read here
    for path in files:
        if not is_bot and path.stat().st_size > CHECKPOINT_BYTES:
            raise AgentError(f"{path}: is larger than {byte_size(CHECKPOINT_BYTES)}")
        with path.open("rb") as file:
            while part := file.read(MIB):
                digest.update(part)
    return Entrant(spec, digest.hexdigest()[:_DIGITS] if files else None)


def identify_all(specs: Sequence[str]) -> list[Entrant]:
    """Returns the entrants; raises OptionError for fewer than two, or the same agent twice."""
    if len(specs) < 2:
        named = "no agent is" if not specs else f"only {specs[0]} is"
        raise OptionError(f"{named} named; a tournament takes two or more, such as: random greedy")
    seen: dict[str, str] = {}
    for spec in specs:
        is_path = Path(spec).exists()  # the whole spec, not its beginning alone
        path = find_checkpoint(spec) or Path(spec) if is_path else None
        identity = spec if path is None else str(path.resolve())
        if identity in seen:
            other = seen[identity]
            twice = "is named twice" if other == spec else f"is the same checkpoint as {other}"
            raise OptionError(f"{spec} {twice}; name each agent once")
        seen[identity] = spec
    return [identify(spec) for spec in specs]


def agent_files(spec: str) -> list[Path]:
    """Returns the files behind a spec: checkpoint, Python file, shipped policies or a bot's files.

    The policies of all numbers of players count, so a new one for four makes another agent for two.
    """
    spec = without_prefixes(spec)
    if (command := parse_command(spec)) is not None:
        return command.files
    if plays_shipped(spec):
        return shipped_files()
    for find, names in ((find_linear, f"{LINEAR}_*.json"), (find_policy, "players_*.*")):
        if (folder := find(spec)) is not None:
            return sorted(filter(Path.is_file, folder.glob(names)))
    path, source = find_checkpoint(spec), spec.rpartition(":")[0]
    if path is None and source.endswith(".py"):
        path = Path(source) if Path(source).is_file() else None
    elif path is None and source:
        path = _module_file(source)
    return [] if path is None else [path]


def _module_file(name: str) -> Path | None:
    if not all(part.isidentifier() for part in name.split(".")):
        return None  # such as "search@2.5ms": else the package "search@2" would be imported
    with suppress(Exception):  # of a package, whose code runs; `make_agent` says what is wrong
        allow_module(name)
        found = find_spec(name)
        if found is not None and found.has_location and found.origin is not None:
            return Path(found.origin)
    return None


@lru_cache(maxsize=64)
def cached_agent(entrant: Entrant, config: Config) -> Agent:
    """Returns an agent, built once in each process; raises AgentError if its file has changed."""
    if identify(entrant.spec) != entrant:
        raise AgentError(f"{entrant.spec} has changed; run the same command again")
    return make_agent(entrant.spec, config)


@dataclass(frozen=True)
class GameResult:
    """The result of one game."""

    deal: int  # number of the deal, from 0
    rotation: int  # 0 to P - 1
    agents: tuple[str, ...]  # the key of the agent on each seat, [P]
    scores: tuple[int, ...]  # final score of each seat, [P]
    winners: tuple[int, ...]  # the seats that won; more than one in a shared victory
    rounds: int  # rounds played

    @property
    def lineup(self) -> Lineup:
        """The agents at the table, sorted."""
        return tuple(sorted(self.agents))

    @property
    def id(self) -> tuple[Lineup, int, int]:
        """The identity of the game within a tournament."""
        return self.lineup, self.deal, self.rotation

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, [P], 0 for winners; seats that tie share a place.

        Winners come first, whom the rules determine; the others follow by score.
        """
        keys = [
            (False, 0) if seat in self.winners else (True, -score)
            for seat, score in enumerate(self.scores)
        ]
        order = sorted(set(keys))
        return tuple(map(order.index, keys))


@dataclass(frozen=True)
class TournamentJob:
    """Some deals of one lineup (a `Job`)."""

    config: Config  # what is played
    entrants: tuple[Entrant, ...]  # the agents at the table, [P], sorted by key
    first: int  # number of the first deal
    num_deals: int  # number of deals
    seed: int  # the tournament's seed

    @property
    def lineup(self) -> Lineup:
        return tuple(entrant.key for entrant in self.entrants)

    @property
    def num_games(self) -> int:
        return self.num_deals * self.config.num_players

    def ids(self) -> list[tuple[Lineup, int, int]]:
        """Returns what identifies the job's games (see `GameResult.id`)."""
        deals = range(self.first, self.first + self.num_deals)
        return [(self.lineup, d, k) for d in deals for k in range(self.config.num_players)]

    def play(self, on_progress: OnFraction = ignore) -> list[GameResult]:
        """Plays the games and returns them in the order of `ids`."""
        keys = sorted(set(self.lineup))
        entrants = {entrant.key: entrant for entrant in self.entrants}
        agents = [cached_agent(entrants[key], self.config) for key in keys]
        deals = range(self.first, self.first + self.num_deals)
        seats = [rotations([keys.index(key) for key in self.seating(deal)]) for deal in deals]
        seated = np.concatenate(seats)  # [N, P]
        seeds = np.array([deal_seed(self.seed, deal) for deal in deals])
        sequence = seed_sequence(self.seed, CHOICES, *self._words(), self.first)
        secret = agents_secret(sequence)
        engine = play_games(self.config, agents, seated, seeds, secret, on_progress)
        (totals, won), rounds = results_with_forfeits(engine, agents), engine.rounds
        return [
            GameResult(
                deal=self.first + row // self.config.num_players,
                rotation=row % self.config.num_players,
                agents=tuple(keys[i] for i in seated[row]),
                scores=tuple(totals[row].tolist()),
                winners=tuple(np.flatnonzero(won[row]).tolist()),
                rounds=int(rounds[row]),
            )
            for row in range(engine.num_games)
        ]

    def seating(self, deal: int) -> Lineup:
        """Returns the agents by seat in rotation 0, drawn so that deals are independent."""
        rng = np.random.default_rng(seed_sequence(self.seed, SEATS, *self._words(), deal))
        return tuple(self.lineup[i] for i in rng.permutation(len(self.lineup)))

    def _words(self) -> list[int]:
        """Returns the lineup as four numbers."""
        digest = sha256("\n".join(self.lineup).encode()).digest()
        return np.frombuffer(digest[:16], dtype="<u4").tolist()


JOB_DEALS = {2: 50, 3: 50}
"""Deals of a job by number of players, 25 for more: 100 to 150 games, few enough to lose.

Not an option, since it affects what a seed means."""

Table = tuple[Entrant, ...]
"""The agents at a table, [P], sorted by key; an agent may fill several seats."""


def tables_of(
    entrants: Sequence[Entrant], num_players: int, limit: int | None = None
) -> list[Table]:
    """Returns the tables of two or more different agents.

    The order in which agents are named plays no part. If there are more tables of three or four
    than `limit`, a sample of this size is drawn, first from those with the most different agents,
    in which all pairs of agents meet about equally often. All pairs of two players play. Raises
    OptionError if the limit leaves an agent without a table.
    """
    ordered = sorted(entrants, key=lambda entrant: entrant.key)
    tables = combinations_with_replacement(ordered, num_players)
    every = [table for table in tables if len(set(table)) > 1]
    if num_players == 2 or limit is None or len(every) <= limit:
        return every
    counts = np.array([[table.count(entrant) for entrant in ordered] for table in every])
    texts = ("\n".join(entrant.key for entrant in table) for table in every)
    ties = [sha256(text.encode()).hexdigest() for text in texts]
    sample = [every[i] for i in _balanced_sample(counts, limit, ties)]
    for entrant in ordered:
        if not any(entrant in table for table in sample):
            raise OptionError(f"tables is {limit}, which leaves no seat for {entrant.spec}")
    return sample


def _balanced_sample(counts: Indices, size: int, ties: Sequence[str]) -> list[int]:
    """Returns the rows of a balanced sample, from the seats of each agent at each table, [M, A].

    It starts with some of the rows with the most different agents. Then a row at a time is
    exchanged for one with as many different agents, as long as that evens out who meets whom. Texts
    decide between equal rows, [M].
    """
    others = 1 - np.eye(counts.shape[1], dtype=np.int64)
    pairs = (counts[:, :, None] * counts[:, None, :] * others).reshape(len(counts), -1)
    meetings = np.hstack([counts, pairs])  # the sums over the sample should be even
    repeats = (counts**2).sum(axis=1)
    order = np.lexsort((ties, repeats))
    taken, left = order[:size].copy(), order[size:].copy()
    improved = True
    while improved:
        improved = False
        for place, row in enumerate(taken):
            rest = meetings[taken].sum(axis=0) - meetings[row]
            costs = _added_squares(meetings[left], rest)
            costs[repeats[left] != repeats[row]] = np.iinfo(np.int64).max
            best = int(costs.argmin())
            if costs[best] < _added_squares(meetings[row], rest):
                taken[place], left[best], improved = left[best], row, True
    return sorted(taken.tolist())


def _added_squares(rows: Indices, sums: Indices) -> Indices:
    """Returns by how much each row would add to the sum of squares of some sums."""
    return (rows * (rows + 2 * sums)).sum(axis=-1)


def jobs_of(
    config: Config, tables: Sequence[Table], num_deals: int, seed: int
) -> list[TournamentJob]:
    """Returns the jobs of a tournament, all tables' first jobs before their second ones.

    So the speed so far predicts the time left, and an interrupted tournament is balanced.
    """
    step = JOB_DEALS.get(config.num_players, 25)
    return [
        TournamentJob(config, table, first, min(step, num_deals - first), seed)
        for first in range(0, num_deals, step)
        for table in tables
    ]
