"""Plays games between agents: who they are, who sits where, on which deals, with which chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent, AgentCrashedError, AgentError, agent_name
from gonzaga_env.kernel.arguments import as_actions
from gonzaga_env.kernel.chance import agent_generators
from gonzaga_env.kernel.errors import ActionError, GameError, IllegalActionError, OptionError
from gonzaga_env.kernel.spec import Config, Engine

from ..network.learned import shipped_files
from ..outside.agent import OutsideAgent
from ..outside.spec import parse_command
from ..registry import (
    check_name,
    find_checkpoint,
    find_policy,
    known_elsewhere,
    make_agent,
    plays_shipped,
    search_current_folder,
)
from .jobs import Report, nothing

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
    """Returns the entrant that a spec names, with the digest of its file as it is now.

    Raises:
        OptionError: the spec is not UTF-8.
        AgentError: the spec is a folder without a checkpoint.
        OSError: the file cannot be read.
    """
    check_name(spec)
    contents = [path.read_bytes() for path in agent_files(spec)]
    return Entrant(spec, sha256(b"".join(contents)).hexdigest()[:_DIGITS] if contents else None)


def identify_all(specs: Sequence[str]) -> list[Entrant]:
    """Returns the entrants of a tournament.

    Raises:
        AgentError: a spec is a folder without a checkpoint.
        OptionError: fewer than two agents, or the same agent twice.
    """
    if len(specs) < 2:
        named = "no agent is" if not specs else f"only {specs[0]} is"
        raise OptionError(f"{named} named; a tournament takes two or more, such as: random greedy")
    seen: dict[str, str] = {}
    for spec in specs:
        path = find_checkpoint(spec) if Path(spec).exists() else None  # the whole spec is a path
        identity = spec if path is None else str(path.resolve())
        if identity in seen:
            other = seen[identity]
            twice = "is named twice" if other == spec else f"is the same checkpoint as {other}"
            raise OptionError(f"{spec} {twice}; name each agent once")
        seen[identity] = spec
    return [identify(spec) for spec in specs]


def agent_files(spec: str) -> list[Path]:
    """Returns the checkpoint, the Python file, the shipped policies or a bot's files of a spec.

    Examples: "runs/first", "search@64:runs/first", "mine.py:MyAgent", "mine:MyAgent", "learned".
    The policies of all numbers of players count, so a new one for four makes another agent for two.

    Raises:
        AgentError: the spec is a folder without a checkpoint.
    """
    spec = known_elsewhere(spec)
    if (command := parse_command(spec)) is not None:
        return command.files
    if plays_shipped(spec):
        return shipped_files()
    if (folder := find_policy(spec)) is not None:
        return sorted(folder.glob("players_*.*"))
    path, source = find_checkpoint(spec), spec.rpartition(":")[0]
    if path is None and source.endswith(".py"):
        path = Path(source) if Path(source).is_file() else None
    elif path is None and source:
        path = _module_file(source)
    return [] if path is None else [path]


def _module_file(name: str) -> Path | None:
    """Returns the file of a module; None if there is none."""
    search_current_folder(name)
    with suppress(Exception):  # of a package, whose code runs; `make_agent` says what is wrong
        found = find_spec(name)
        if found is not None and found.has_location and found.origin is not None:
            return Path(found.origin)
    return None


Step = Callable[[NDArray[np.int64]], Any]
"""Plays an action in each game, as `Engine.step`."""

MOST_DEALS = 10**6
"""Of a match or a table; an interval of a hundredth of a per cent takes fewer."""
DEAL, SEATS, CHOICES = range(3)
"""What a stream of random numbers is for (see `stream`)."""
SEED_BITS = 53
"""Seeds of games stay exact in every reader of JSON."""
_STEPS = 50  # after which a game that runs is taken to be half played


def rotations(lineup: Sequence[int]) -> NDArray[np.int64]:
    """Returns the agent on each seat in each rotation, [R, P], from those of rotation 0, [P]."""
    return np.stack([np.roll(np.asarray(lineup, dtype=np.int64), k) for k in range(len(lineup))])


def stream(seed: int, *key: Any) -> np.random.SeedSequence:
    """Returns random numbers that depend on a seed and a key."""
    return np.random.SeedSequence(seed, spawn_key=key)


def deal_seed(seed: int, deal: int) -> np.uint64:
    """Returns the seed of a deal, which decides all its chance."""
    word = stream(seed, DEAL, deal).generate_state(1, np.uint64)[0]
    return np.uint64(word >> np.uint64(64 - SEED_BITS))


def choices_of(found: np.random.SeedSequence) -> bytes:
    """Returns what the agents' choices are drawn from, as `play_games` takes it."""
    return found.generate_state(4, np.uint64).tobytes()


@lru_cache(maxsize=64)
def cached_agent(entrant: Entrant, config: Any) -> Agent:
    """Returns an agent, built once in each process.

    Raises:
        AgentError: it cannot be built, or its file has changed since it was identified.
        CheckpointError: the checkpoint is broken, or was trained for another game.
    """
    if identify(entrant.spec) != entrant:
        raise AgentError(f"{entrant.spec} has changed; run the same command again")
    return make_agent(entrant.spec, config)


def play_games(
    config: Config,
    agents: Sequence[Agent],
    seating: NDArray[np.integer],
    seeds: NDArray[np.uint64],
    choices: bytes,
    on_progress: Report = nothing,
    *,
    names: Sequence[str] | None = None,
    watch: Callable[[Engine], Step] | None = None,
) -> Engine:
    """Plays games to their end, and returns the engine that holds them.

    Args:
        config: what is played.
        agents: the agents that play.
        seating: index of the agent on each seat, [N, P].
        seeds: of the games, [N], or of deals, [D], each of which N / D games in a row share.
        choices: what the agents' choices are drawn from.
        on_progress: called after each step with about the fraction that is done, 0 to 1.
        names: the agents' names in errors; None takes their own.
        watch: returns what is called in place of the engine's `step`, such as a recorder's.

    Raises:
        AgentError: an agent plays an invalid action, or fails.
    """
    own = np.repeat(seeds, len(seating) // len(seeds))
    engine = game_spec(config.game).engine.from_config(config, len(own), seed=own, autoreset=False)
    rngs = agent_generators(choices, len(agents))
    step = None if watch is None else watch(engine)
    for agent in agents:
        if isinstance(agent, OutsideAgent):
            agent.begin(engine.num_games)
    play_out(engine, agents, seating.astype(np.int64), rngs, step, on_progress, names)
    return engine


def results_by_rule(
    engine: Engine, agents: Sequence[Agent]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Returns points and winners of games that `play_games` has played, [N, P] each.

    A seat whose bot has failed loses: it has a point less than the others at most, and does not
    win, unless all have failed. If no winner is left, those win who have most points of the others.

    Args:
        engine: what `play_games` returned.
        agents: those that played.
    """
    totals, won = np.asarray(engine.totals, dtype=np.int64), np.asarray(engine.winners())
    bots = {id(agent): agent for agent in agents if isinstance(agent, OutsideAgent)}.values()
    lost = np.zeros(won.shape, np.bool_)
    for bot in bots:
        lost |= bot.lost
    lost &= ~lost.all(axis=1, keepdims=True)
    if not lost.any():
        return totals, won
    fewest = np.where(lost, totals.max(), totals).min(axis=1, keepdims=True)
    totals = np.where(lost, np.minimum(totals, fewest - 1), totals)
    won = won & ~lost
    best = totals == totals.max(axis=1, keepdims=True)
    return totals, np.where(won.any(axis=1, keepdims=True), won, best)


def play_out(
    engine: Engine,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    rngs: Sequence[np.random.Generator],
    step: Step | None = None,
    on_progress: Report = nothing,
    names: Sequence[str] | None = None,
) -> None:
    """Plays an engine's games to their end; each agent acts once a step, for all its rows.

    Args:
        engine: N games, without autoreset.
        agents: the agents that play.
        seating: index of the agent on each seat, [N, P].
        rngs: one random generator for each agent.
        step: called in place of `engine.step` (by a recorder, say).
        on_progress: called after each step with about the fraction that is done, 0 to 1.
        names: the agents' names in errors; None takes their own.

    Raises:
        AgentError: an agent plays an invalid action, or fails.
    """
    step = engine.step if step is None else step
    names = [agent_name(agent) for agent in agents] if names is None else names
    num_steps = 0
    while len(rows := np.flatnonzero(engine.seats >= 0)):
        to_act = seating[rows, engine.seats[rows]]
        actions = np.zeros(engine.num_games, dtype=np.int64)
        for i in np.unique(to_act):
            own = rows[to_act == i]
            actions[own] = ask_agent(agents[i], names[i], engine, own, rngs[i])
        try:
            step(actions)
        except IllegalActionError as error:
            name = names[seating[error.game, error.seat]]
            raise AgentError(f"agent {name}: {error}") from error
        num_steps += 1
        left = (engine.seats >= 0).mean()
        # Nobody knows how long a game will be: a running one counts as n / (n + _STEPS) of one.
        on_progress(1 - float(left) * _STEPS / (num_steps + _STEPS))


def ask_agent(
    agent: Agent, name: str, engine: Engine, rows: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Returns an agent's actions in some games, [M].

    Raises:
        AgentError: it fails, or returns something else.
    """
    actions: Any
    try:
        if isinstance(agent, OutsideAgent):
            actions = agent.act_for(engine, rows, rng)
        else:
            actions = agent.act(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
    except GameError:
        raise
    except Exception as error:
        raise AgentCrashedError.of(error, name, engine, rows) from error
    try:
        return as_actions(
            actions, rows, np.zeros(len(rows), dtype=np.bool_), engine.config.actions.size
        )
    except ActionError as error:
        raise AgentError(f"agent {name}: {error}") from error
