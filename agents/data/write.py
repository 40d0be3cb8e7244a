"""Plays games of agents and writes their records into a folder.

| file | content |
|---|---|
| `data.json` | the arguments, with digests of the agents' files: another call is refused |
| `00000.jsonl` ... | the records of 240 games each, written when these are over |
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import MIB, file_errors, parse_json, read_file
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.records import Record, Recorder, read_entries, write_records
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.writing import check_regular, remove_leftovers, write_aside
from gonzaga_env.progress import OnProgress
from gonzaga_env.version import __version__

from ..locks import lock_folder
from ..play.evaluate import distinct_names, draw_seed
from ..play.jobs import OnFraction, ignore, play_jobs
from ..play.runner import (
    CHOICES,
    Step,
    agents_secret,
    deal_seed,
    play_games,
    rotations,
    seed_sequence,
)
from ..play.summary import describe_game
from ..play.tournament_games import identify
from ..registry import Spec, make_agent

FILE_GAMES = 240
"""Games of a file; 2 to 6 divide it. Not an option, since it affects what a seed means."""
_ABOUT = "data.json"


def write_games(
    config: Config,
    agents: Sequence[Spec],
    out: str | Path,
    games: int,
    *,
    seed: int | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress = ignore,
) -> Path:
    """Plays the games that a folder lacks, and returns the folder.

    Several agents play every deal once per seat rotation, so that each has every hand of a deal;
    one agent alone plays every deal once.

    Args:
        config: what is played.
        agents: specs of agents; the last one fills the seats that are left.
        out: the folder; it is made.
        games: how many; with several agents, a multiple of the number of players.
        seed: decides deals and choices; None takes that of the folder or, for a new one, draws one.
        executor: plays files in other processes, which they do not depend on; None plays here.
        on_progress: called with the progress, in games.

    Raises:
        OptionError: an argument has a value that it does not take, the folder holds something
            else, or another process writes to it.
        AgentError: an agent cannot be built, plays an invalid action or fails.
        OSError: the folder cannot be written; the same call continues.
    """
    out, players = Path(out), config.num_players
    if not 1 <= len(agents) <= players:
        raise OptionError(f"{len(agents)} agents are named for {players} players")
    repeats = players if len(agents) > 1 else 1
    if not is_integer(games) or games < 1 or games % repeats:
        raise OptionError(f"games is {short_repr(games)}; it takes a multiple of {repeats}")
    if seed is not None and (not is_integer(seed) or seed < 0):
        raise OptionError(f"seed is {short_repr(seed)}; it takes an integer of 0 or more")
    for agent in agents:
        make_agent(agent, config)  # now rather than in a worker
    out.mkdir(parents=True, exist_ok=True)
    with lock_folder(out, "dataset"):
        seed = _begin(out, config, agents, games, seed)
        remove_leftovers(out, "*.json*")
        starts = range(0, games, FILE_GAMES)
        jobs = [
            GamesJob(config, tuple(agents), first, min(FILE_GAMES, games - first), seed)
            for first in starts
        ]
        missing = [job for job in jobs if not _is_whole(out / job.name, job.num_games)]
        done = games - sum(job.num_games for job in missing)
        for index, records in play_jobs(missing, executor, on_progress, done=done):
            _begin(out, config, agents, games, seed)  # refuses agents that have changed since
            write_records(out / missing[index].name, records)
    return out


def _is_whole(path: Path, games: int) -> bool:
    """Returns whether a file holds so many records."""
    check_regular(path)
    if not path.exists():
        return False
    return [isinstance(entry.record, dict) for entry in read_entries(path)] == [True] * games


def _begin(out: Path, config: Config, agents: Sequence[Spec], games: int, seed: int | None) -> int:
    """Writes the arguments into the folder, or compares them with those there; returns the seed."""
    path = out / _ABOUT
    about = {
        "game": config.game,
        "num_players": config.num_players,
        **describe_game(config),
        "agents": [
            identify(str(agent)).key if isinstance(agent, str | Path) else str(agent)
            for agent in agents
        ],
        "games": games,
        "version": __version__,
    }
    if path.exists():
        with file_errors(path, OptionError):
            found = parse_json(read_file(path, MIB))
        found = found if isinstance(found, dict) else {}
        kept = found.get("seed") if seed is None else seed
        for name, value in (about | {"seed": kept}).items():
            if found.get(name) != value:
                raise OptionError(
                    f"{out}: was written for {name} {short_repr(found.get(name))}, not "
                    f"{short_repr(value)}; take another folder"
                )
        if is_integer(kept):
            return int(kept)
        raise OptionError(f"{path}: holds no seed")
    if any(not each.name.startswith(".") for each in out.iterdir()):
        raise OptionError(f"{out}: holds other files and no {_ABOUT}; take another folder")
    seed = draw_seed() if seed is None else seed
    write_aside(path, json.dumps(about | {"seed": seed}, ensure_ascii=False, indent=1) + "\n")
    return seed


@dataclass(frozen=True)
class GamesJob:
    """The games of one file (a `Job`)."""

    config: Config  # what is played
    agents: tuple[Spec, ...]
    first: int  # the number of the first game
    num_games: int
    seed: int  # of the data set

    @property
    def name(self) -> str:
        return f"{self.first // FILE_GAMES:05}.jsonl"

    def play(self, on_progress: OnFraction) -> list[Record]:
        """Returns the records of the games, the games of a deal together."""
        config, players = self.config, self.config.num_players
        made = [make_agent(agent, config) for agent in self.agents]
        names = distinct_names([agent_name(agent) for agent in made], self.agents)
        lineup = [min(seat, len(made) - 1) for seat in range(players)]
        seats = rotations(lineup) if len(made) > 1 else np.zeros((1, players), np.int64)
        num_deals = self.num_games // len(seats)
        seating = np.tile(seats, (num_deals, 1))
        first = self.first // len(seats)
        deals = [deal_seed(self.seed, deal) for deal in range(first, first + num_deals)]
        recorders = list[Recorder]()

        def watch(engine: Engine) -> Step:
            by_game = [[names[i] for i in row] for row in seating]
            recorders.append(game_spec(config.game).records.recorder(engine, by_game))
            return recorders[0].step

        seeds: NDArray[np.uint64] = np.array(deals, np.uint64)
        secret = agents_secret(seed_sequence(self.seed, CHOICES, self.first))
        play_games(config, made, seating, seeds, secret, on_progress, names=names, watch=watch)
        order = {int(seed): i for i, seed in enumerate(seeds)}
        return sorted(
            recorders[0].pop(), key=lambda record: (order[record["seed"]], record["agents"])
        )
