"""Plays deals between agents, each deal in all seat rotations, so that luck cancels.

With P players a deal is played P times with the same chance. In rotation k every agent sits k seats
further on than in rotation 0, so each agent plays every hand of the deal once, on every seat.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.kernel.agent import Agent, agent_name
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import RECORD_LINE, short_repr
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.writing import check_writable

from ..locks import Log
from ..outside.agent import OutsideAgent
from ..registry import Spec, make_agent
from .games import MOST_DEALS, SEED_BITS, Step, choices_of, play_games, results_by_rule, rotations
from .jobs import Report, play_units

RecordJSON = dict[str, Any]
OnRecords = Callable[[list[RecordJSON]], None]

CHUNK_GAMES = 1024  # games in memory at once; not an option, since it affects what a seed means
GUESSABLE_SEEDS = 2**64
"""Smaller seeds can be found by trying them all against the numbers that an agent draws."""
_SECRET_BITS = 128  # of a drawn seed


@dataclass(frozen=True)
class Match:
    """How D deals ended, each in R = P rotations."""

    seating: NDArray[np.int64]  # index of the agent on each seat, [R, P] int64
    # points by source (`GameSpec.sources`), [D, R, P, S] int64; P is the seat
    scores: NDArray[np.int64]
    won: NDArray[np.bool_]  # [D, R, P] bool; more than one in a shared victory
    rounds: NDArray[np.int64]  # rounds played, [D, R] int64
    game: str = DEFAULT_GAME  # the game's name
    # decisions in which a bot outside failed, by agent and what happened (`OutsideAgent`)
    failures: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """The win share of each seat, [D, R, P]: 1 / k for each of k winners."""
        return win_shares(self.won)

    @property
    def totals(self) -> NDArray[np.int64]:
        """The points that decide the game, [D, R, P]."""
        return self.scores[..., game_spec(self.game).counted].sum(axis=3)


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
    on_progress: Callable[[float], None] = lambda done: None,
    on_records: OnRecords | None = None,
    names: Sequence[str] | None = None,
    executor: Executor | None = None,
) -> Match:
    """Plays deals in all seat rotations. The same arguments give the same match.

    Args:
        config: what is played.
        agents: the agents that play, or their specs; for workers, specs or agents that pickle.
        lineup: index of the agent on each seat in rotation 0, [P]; an agent may fill several seats.
        num_deals: D.
        seed: decides the deals and the agents' choices.
        on_progress: called now and then with the fraction that is done, 0 to 1.
        on_records: called with the records of games as they end, with an executor in the order of
            parts of 1,024 games; None records nothing.
        names: the agents' names in records and errors; None takes their own.
        executor: plays parts of 1,024 games; None plays here. The match does not depend on it.

    Raises:
        OptionError: an argument has a value that it does not take.
        AgentError: an agent plays an invalid action.
    """
    _check(config, agents, lineup, num_deals, seed)
    parts = [
        MatchPart(
            config=config,
            number=number,
            agents=tuple(agents),
            lineup=tuple(lineup),
            seeds=seeds,
            choices=choices,
            names=None if names is None else tuple(names),
            records=on_records is not None,
            hand_over=on_records if executor is None else None,
        )
        for number, (seeds, choices) in enumerate(_draw(config, num_deals, seed))
    ]
    found: dict[int, tuple[Match, list[RecordJSON]]] = {}
    handed_over = 0
    playing = play_units(parts, executor, lambda done, total: on_progress(done / total))
    for part, played in playing:
        found[part.number] = played
        while handed_over in found:
            if on_records is not None and (records := found[handed_over][1]):
                on_records(records)
            handed_over += 1
    return _concatenate([found[number][0] for number in range(len(parts))])


@dataclass(frozen=True, kw_only=True)
class MatchPart:
    """Some deals of a match, up to 1,024 games (a `Unit`)."""

    config: Any  # what is played
    number: int  # of the part, from 0
    agents: Sequence[Agent | Spec]  # the agents that play, or their specs
    lineup: tuple[int, ...]  # index of the agent on each seat in rotation 0, [P]
    seeds: NDArray[np.uint64]  # of the deals, [D]
    choices: bytes  # what the agents' choices are drawn from
    names: tuple[str, ...] | None  # the agents' names in records and errors; None takes their own
    records: bool  # whether to record the games
    # called in this process with the records of games as they end; None returns them
    hand_over: OnRecords | None

    @property
    def num_games(self) -> int:
        """Games of the part."""
        return len(self.seeds) * self.config.num_players

    def play(self, on_progress: Report) -> tuple[Match, list[RecordJSON]]:
        """Plays the part; returns how it ended and the records that were not handed over."""
        config, records = self.config, list[RecordJSON]()
        agents = [make_agent(agent, config) for agent in self.agents]
        names = [agent_name(agent) for agent in agents] if self.names is None else self.names
        seats = rotations(self.lineup)
        seating = np.tile(seats, (len(self.seeds), 1))  # [N, P]

        def watch(engine: Engine) -> Step:
            if not self.records:
                return engine.step
            recorder = recorder_of(config)(engine, [[names[i] for i in row] for row in seating])
            return _recording(recorder, self.hand_over or records.extend)

        given = config, agents, seating, self.seeds, self.choices
        engine = play_games(*given, on_progress, names=names, watch=watch)
        _, won = results_by_rule(engine, agents)
        failures = {
            i: dict(agent.failures)
            for i, agent in enumerate(agents)
            if isinstance(agent, OutsideAgent)
        }
        return _results(engine, seats, won, failures), records


def _draw(config: Config, num_deals: int, seed: int) -> Iterator[tuple[NDArray[np.uint64], bytes]]:
    """Yields the seeds of the deals of each part, and what its agents' choices depend on."""
    part_deals = CHUNK_GAMES // config.num_players
    starts = range(0, num_deals, part_deals)
    deals, *choices = np.random.SeedSequence(seed).spawn(1 + len(starts))
    seeds = deals.generate_state(num_deals, np.uint64) >> np.uint64(64 - SEED_BITS)
    for start, stream in zip(starts, choices, strict=True):
        yield seeds[start : start + part_deals], choices_of(stream)


def _check(
    config: Config, agents: Sequence[Any], lineup: Sequence[int], num_deals: int, seed: int
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


def recorder_of(config: Config) -> Callable[..., Any]:
    """Returns what records the games of an engine (`GameSpec.recorder`).

    Raises:
        OptionError: the game cannot be recorded in batches.
    """
    spec = game_spec(config.game)
    if spec.recorder is None:
        raise OptionError(f"games of {spec.title} can't be recorded here; leave out the records")
    return spec.recorder


def _recording(recorder: Any, on_records: OnRecords) -> Step:
    """Returns a function that steps an engine and hands over the records of games as they end."""

    def step(actions: NDArray[np.int64]) -> Any:
        result = recorder.step(actions)
        if result.finished.any():
            on_records(recorder.pop())
        return result

    return step


def _results(
    engine: Engine,
    seating: NDArray[np.int64],
    won: NDArray[np.bool_],
    failures: Mapping[int, Mapping[str, int]],
) -> Match:
    """Returns how an engine's finished games ended."""
    scores, num_players = engine.scores.astype(np.int64), engine.num_players
    shape = (-1, num_players, num_players)
    return Match(
        seating=seating,
        scores=scores.reshape(*shape, scores.shape[2]),
        won=won.reshape(shape),
        rounds=engine.rounds.astype(np.int64).reshape(-1, num_players),
        game=engine.config.game,
        failures=failures,
    )


def _concatenate(chunks: Sequence[Match]) -> Match:
    """Returns the chunks of a match as one."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(chunk, name) for chunk in chunks])
        for name in ("scores", "won", "rounds")
    }
    failures = {
        index: dict(sum((Counter(chunk.failures[index]) for chunk in chunks), Counter[str]()))
        for index in chunks[0].failures
    }
    return replace(chunks[0], **arrays, failures=failures)


_BEGINNING, _MOVES = b'{"format"', b'"moves"'  # of every record, and within it


class RecordsFile(Log):
    """Writes records, one JSON line a game, within a `with` block.

    Records that are there are replaced when the block begins; another file is refused. A crash
    loses the line that is being written at most. If the disk fills up, the file keeps the games so
    far, and the match goes on.

    Attributes:
        num_games: games that it holds.
        error: why later games could not be written; None if all were.
    """

    def __init__(self, path: str | Path) -> None:
        """Checks the path; nothing is changed yet.

        Raises:
            OptionError: it is something other than a file of records, or in a folder that is
                missing or not writable.
        """
        super().__init__(path, "evaluation")
        self.num_games = 0
        self.error: str | None = None
        try:
            check_writable(self.path)
            _check_records(self.path)
        except OSError as error:
            raise OptionError(f"records can't be written to {path}: {error.strerror}") from error

    def __enter__(self) -> Self:
        """Empties the file.

        Raises:
            OptionError: it cannot be written.
            OptionError: another process writes to it.
        """
        super().__enter__().keep(0)
        return self

    def add(self, records: Sequence[Record]) -> None:
        """Adds games; after a failure, nothing."""
        for record in records:
            if self.error is None:
                self._add(record)

    def _add(self, record: Record) -> None:
        try:
            self.write(json.dumps(record, ensure_ascii=False))
        except OptionError as error:
            self.error = f"{error}; it holds the first {self.num_games:,} games"
            return
        self.num_games += 1


def _check_records(path: Path) -> None:
    """Raises OptionError if a file is there that holds something other than records."""
    if not path.exists():
        return
    with path.open("rb") as file:
        line = file.readline(RECORD_LINE)
    is_whole = line.endswith(b"\n")  # else an interruption has left half a record
    if not (line or _BEGINNING).startswith(_BEGINNING) or (is_whole and _MOVES not in line):
        raise OptionError(f"records can't be written to {path}: it holds something else")
