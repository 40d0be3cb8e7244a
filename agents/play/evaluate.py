"""Plays agents against each other, each deal in all seat rotations, which is fair to all seats.

With P players a deal is played P times with the same chance. In rotation k every agent sits k seats
further on than in rotation 0, so each agent plays every hand of the deal once, on every seat. It
makes results fair, not steadier: the variance of a mean was 0.96 to 1.08 times that of as many
independent games.
"""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.kernel.agent import Agent, agent_name
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.config import RuleOptions
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.spec import Config, Engine

from ..arrays import Indices
from ..locks import RecordsFile
from ..outside.agent import OutsideAgent
from ..registry import Spec, checkpoint_edition, checkpoint_players, make_agent
from .jobs import OnFraction, ignore, play_jobs
from .runner import (
    MOST_DEALS,
    SEED_BITS,
    Step,
    agents_secret,
    play_games,
    results_with_forfeits,
    rotations,
)
from .summary import GUESSABLE_SEEDS, Match, MatchSummary, summarise

OnRecords = Callable[[list[Record]], None]
RulesSource = RuleOptions | Mapping[str, object] | str

JOB_GAMES = 1024  # games in memory at once; not an option, since it affects what a seed means
_SECRET_BITS = 128  # of a drawn seed


def config_for(
    agents: Sequence[Spec],
    players: int,
    game: str = DEFAULT_GAME,
    edition: EditionSource | None = None,
    scenario: str | None = None,
    rules: RulesSource | None = None,
) -> Config:
    """Returns what agents play; without an edition, that of the first checkpoint among them.

    Raises OptionError for a value that the game does not take, and EditionError or CheckpointError
    for a broken edition or checkpoint.
    """
    spec = game_spec(game)
    if edition is None:
        editions = map(checkpoint_edition, agents)
        edition = next((name for name in editions if name is not None), None)
    given = {"edition": edition, "scenario": scenario, "rules": rules}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if unknown := sorted({*options} - {*signature(spec.config).parameters}):
        raise OptionError(f"{spec.title} has no {unknown[0]}; leave out --{unknown[0]}")
    return spec.config(num_players=players, **options)


def players_for(agents: Sequence[Spec], players: int | None, game: str = DEFAULT_GAME) -> int:
    """Returns the number of players, which agents imply if it is None.

    That is a checkpoint's number, else the number of agents, or the most for one agent. Raises
    OptionError for no agent, more agents than players, or an invalid number.
    """
    if not agents:
        raise OptionError("no agent is named; try: random greedy")
    possible = game_spec(game).players
    if players is None:
        trained = map(checkpoint_players, agents)
        implied = next((number for number in trained if number is not None), len(agents))
        players = implied if implied in possible else max(possible)
    if players not in possible:
        raise OptionError(f"players is {players}; it takes {min(possible)} to {max(possible)}")
    if len(agents) > players:
        raise OptionError(f"{len(agents)} agents are named for {players} players")
    return players


def evaluate(
    agents: Spec | Sequence[Spec],
    players: int | None = None,
    deals: int = 100,
    seed: int | None = None,
    edition: EditionSource | None = None,
    scenario: str | None = None,
    rules: RulesSource | None = None,
    records: str | Path | None = None,
    on_progress: OnFraction = ignore,
    game: str = DEFAULT_GAME,
    executor: Executor | None = None,
) -> MatchSummary:
    """Plays agents against each other, every deal in all seat rotations.

    Args:
        agents: one or more, at most one for each seat; the last one fills the remaining seats.
            Each is a name, a checkpoint, "module:Class", "file.py:Class", a class, or an object
            with `act` (see `make_agent`).
        players: P; None takes a checkpoint's number, else the number of agents, or 4 for one agent.
        deals: number of deals; each is played P times.
        seed: decides the deals and the agents' choices; the same seed gives the same result. None
            draws 128 secret bits, which `summary.seed` holds. Agents can find a small seed by
            trying all of them, and with it all deals.
        edition: the name of a shipped edition, a folder, or an edition; None takes a checkpoint's,
            else the game's ("europe").
        scenario: a scenario's name; None draws one for each deal.
        rules: the options of the rules, such as `Rules()`, a mapping of some of them, or text, such
            as "online".
        records: a file to write every game to as it ends, one JSON line a game. Where it cannot
            hold all games, a warning says how many it holds.
        on_progress: called now and then with the fraction that is done, 0 to 1.
        game: the game's name.
        executor: plays jobs of 1,024 games (see `play_match`); None plays here.

    Returns:
        Scores and win shares with 95 % intervals; `summary.agents` is in the order of `agents`.

    Raises:
        AgentError: an agent cannot be found or built, plays an invalid action, or fails.
        CheckpointError: a checkpoint does not fit the game.
        OptionError: an argument has a value that it does not take.
        EditionError: the edition cannot be found or has faults.
    """
    several = isinstance(agents, Sequence) and not isinstance(agents, str)
    specs: Any = agents if several else [agents]
    config = config_for(specs, players_for(specs, players, game), game, edition, scenario, rules)
    file = None if records is None else RecordsFile(records)
    summary = evaluate_in(config, specs, deals, seed, file, on_progress, executor)
    if file is not None and file.error is not None:
        warnings.warn(file.error, RuntimeWarning, stacklevel=2)
    return summary


def evaluate_in(
    config: Config,
    specs: Sequence[Spec],
    deals: int,
    seed: int | None,
    records: RecordsFile | None = None,
    on_progress: OnFraction = ignore,
    executor: Executor | None = None,
) -> MatchSummary:
    """Does what `evaluate` does, in a game that is already configured."""
    agents = [make_agent(spec, config) for spec in specs]
    names = distinct_names([agent_name(agent) for agent in agents], specs)
    seed = draw_seed() if seed is None else seed
    lineup = [min(seat, len(agents) - 1) for seat in range(config.num_players)]
    _check(config, agents, lineup, deals, seed)  # before the file of records is opened
    with nullcontext() if records is None else records:
        match = play_match(
            config,
            agents if executor is None else specs,
            lineup,
            num_deals=deals,
            seed=seed,
            on_progress=on_progress,
            on_records=None if records is None else records.add,
            names=names,
            executor=executor,
        )
    return summarise(match, names, seed)


def distinct_names(names: Sequence[str], specs: Sequence[Spec]) -> list[str]:
    """Returns names that tell agents apart.

    Agents that share a name get their specs as names; those that share a spec too, a number.
    """
    names = [
        str(spec) if isinstance(spec, str | Path) and names.count(name) > 1 else name
        for name, spec in zip(names, specs, strict=True)
    ]
    counts = (names[: index + 1].count(name) for index, name in enumerate(names))
    return [f"{name} #{n}" if n > 1 else name for name, n in zip(names, counts, strict=True)]


def draw_seed() -> int:
    """Returns a seed that no agent can guess."""
    return GUESSABLE_SEEDS + secrets.randbelow(2**_SECRET_BITS - GUESSABLE_SEEDS)


def play_match(
    config: Config,
    agents: Sequence[Agent | Spec],
    lineup: Sequence[int],
    *,
    num_deals: int,
    seed: int,
    on_progress: OnFraction = ignore,
    on_records: OnRecords | None = None,
    names: Sequence[str] | None = None,
    executor: Executor | None = None,
) -> Match:
    """Plays D deals in all seat rotations. The same arguments give the same match.

    The lineup is the index of the agent on each seat in rotation 0, [P]; an agent may fill several
    seats. Records of games are handed over as they end, in the order of the jobs of 1,024 games
    each, which an executor plays; the match does not depend on it. It takes specs, or agents that
    pickle. Names of agents, in records and errors, are their own by default.
    """
    _check(config, agents, lineup, num_deals, seed)
    jobs = [
        MatchJob(
            config=config,
            agents=tuple(agents),
            lineup=tuple(lineup),
            seeds=seeds,
            secret=secret,
            names=None if names is None else tuple(names),
            records=on_records is not None,
            hand_over=on_records if executor is None else None,
        )
        for seeds, secret in _draw(config, num_deals, seed)
    ]
    found: dict[int, tuple[Match, list[Record]]] = {}
    handed_over = 0
    for index, played in play_jobs(jobs, executor, lambda done, total: on_progress(done / total)):
        found[index] = played
        while handed_over in found:
            if on_records is not None and (records := found[handed_over][1]):
                on_records(records)
            handed_over += 1
    return Match.concatenate([found[index][0] for index in range(len(jobs))])


@dataclass(frozen=True, kw_only=True)
class MatchJob:
    """Some deals of a match, up to 1,024 games (a `Job`)."""

    config: Config  # what is played
    agents: Sequence[Agent | Spec]  # the agents that play, or their specs
    lineup: tuple[int, ...]  # index of the agent on each seat in rotation 0, [P]
    seeds: NDArray[np.uint64]  # of the deals, [D]
    secret: bytes  # decides what the agents draw
    names: tuple[str, ...] | None  # the agents' names in records and errors; None takes their own
    records: bool  # whether to record the games
    # called in this process with the records of games as they end; None returns them
    hand_over: OnRecords | None

    @property
    def num_games(self) -> int:
        return len(self.seeds) * self.config.num_players

    def play(self, on_progress: OnFraction) -> tuple[Match, list[Record]]:
        """Plays the games; returns how they ended, and the records that were not handed over."""
        config, records = self.config, list[Record]()
        agents = [make_agent(agent, config) for agent in self.agents]
        names = [agent_name(agent) for agent in agents] if self.names is None else self.names
        seats = rotations(self.lineup)
        seating = np.tile(seats, (len(self.seeds), 1))  # [N, P]

        def watch(engine: Engine) -> Step:
            if not self.records:
                return engine.step
            by_game = [[names[i] for i in row] for row in seating]
            recorder = game_spec(config.game).records.recorder(engine, by_game)
            hand_over = self.hand_over or records.extend

            def step(actions: Indices) -> None:
                if recorder.step(actions).finished.any():
                    hand_over(recorder.pop())

            return step

        given = config, agents, seating, self.seeds, self.secret
        engine = play_games(*given, on_progress, names=names, watch=watch)
        totals, won = results_with_forfeits(engine, agents)
        by_deal = (len(self.seeds), len(seats))  # [D, R]
        match = Match(
            seating=seats,
            scores=engine.scores.astype(np.int64).reshape(*by_deal, *engine.scores.shape[1:]),
            totals=totals.reshape(*by_deal, -1),
            won=won.reshape(*by_deal, -1),
            rounds=engine.rounds.astype(np.int64).reshape(by_deal),
            game=config.game,
            failures={
                i: dict(agent.failures)
                for i, agent in enumerate(agents)
                if isinstance(agent, OutsideAgent)
            },
        )
        return match, records


def _draw(config: Config, num_deals: int, seed: int) -> Iterator[tuple[NDArray[np.uint64], bytes]]:
    """Yields the seeds of the deals of each job, and the secret of its agents."""
    part_deals = JOB_GAMES // config.num_players
    starts = range(0, num_deals, part_deals)
    deals, *own_secrets = np.random.SeedSequence(seed).spawn(1 + len(starts))
    seeds = deals.generate_state(num_deals, np.uint64) >> np.uint64(64 - SEED_BITS)
    for start, own in zip(starts, own_secrets, strict=True):
        yield seeds[start : start + part_deals], agents_secret(own)


def _check(
    config: Config, agents: Sequence[Agent | Spec], lineup: Sequence[int], num_deals: int, seed: int
) -> None:
    if len(lineup) != config.num_players or not set(lineup) <= set(range(len(agents))):
        raise OptionError(
            f"lineup is {short_repr(lineup)}; it takes the index of an agent for each seat"
        )
    for name, value, lowest in (("deals", num_deals, 1), ("seed", seed, 0)):
        if not is_integer(value) or value < lowest:
            raise OptionError(
                f"{name} is {short_repr(value)}; it takes an integer of {lowest} or more"
            )
    if num_deals > MOST_DEALS:
        raise OptionError(f"deals is {num_deals}; it takes {MOST_DEALS:,} or less")
