"""Plays deals between agents, each deal in all seat rotations, so that luck cancels.

With P players a deal is played P times with the same chance. In rotation k every agent sits k seats
further on than in rotation 0, so each agent plays every hand of the deal once, on every seat.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.tabletop.agent import Agent, AgentCrashedError, AgentError, agent_name
from gonzaga_env.tabletop.arguments import as_actions, is_integer
from gonzaga_env.tabletop.chance import agent_generators
from gonzaga_env.tabletop.errors import ActionError, GameError, IllegalActionError, OptionError
from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tabletop.spec import Config, Engine

from ..common.executor import Executor, Report, Work
from ..registry import Spec, make_agent

Record = dict[str, Any]
OnRecords = Callable[[list[Record]], None]
Step = Callable[[NDArray[np.int64]], Any]
"""Plays an action in each game, as `Engine.step`."""

CHUNK_GAMES = 1024  # games in memory at once; not an option, since it affects what a seed means
MOST_DEALS = 10**6
"""Of a match or a table; an interval of a hundredth of a per cent takes fewer."""
GUESSABLE_SEEDS = 2**64
"""Smaller seeds can be found by trying them all against the numbers that an agent draws."""
_SECRET_BITS = 128  # of a drawn seed
_STEPS = 50  # after which a game that runs is taken to be half played
_SEED_BITS = 53  # seeds of games stay exact in every reader of JSON


@dataclass(frozen=True)
class Match:
    """How D deals ended, each in R = P rotations.

    Attributes:
        seating: index of the agent on each seat, [R, P] int64.
        scores: points by source (`GameSpec.sources`), [D, R, P, S] int64; P is the seat.
        won: [D, R, P] bool; more than one in a shared victory.
        rounds: rounds played, [D, R] int64.
        game: the game's name.
        history: what the game's own `details` are made of; None if it has none, or if it was not
            asked for.
    """

    seating: NDArray[np.int64]
    scores: NDArray[np.int64]
    won: NDArray[np.bool_]
    rounds: NDArray[np.int64]
    game: str = DEFAULT_GAME
    history: Any = None

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """The win share of each seat, [D, R, P]: 1 / k for each of k winners."""
        return win_shares(self.won)

    @property
    def totals(self) -> NDArray[np.int64]:
        """The points that decide the game, [D, R, P]."""
        totals: NDArray[np.int64] = self.scores[..., game_spec(self.game).counted].sum(axis=3)
        return totals


def draw_seed() -> int:
    """Returns a seed that no agent can guess."""
    return GUESSABLE_SEEDS + secrets.randbelow(2**_SECRET_BITS - GUESSABLE_SEEDS)


def rotations(lineup: Sequence[int]) -> NDArray[np.int64]:
    """Returns the agent on each seat in each rotation, [R, P], from those of rotation 0, [P]."""
    return np.stack([np.roll(np.asarray(lineup, dtype=np.int64), k) for k in range(len(lineup))])


def deal_games(config: Config, seeds: NDArray[np.uint64]) -> Engine:
    """Returns an engine with a game for each rotation of some deals, [D * P].

    Args:
        config: what is played.
        seeds: a seed for each deal, [D]. It decides the whole deal, so all rotations share it.
    """
    games = np.repeat(seeds, config.num_players)
    engine: Engine = game_spec(config.game).engine.from_config(
        config, len(games), seed=games, autoreset=False
    )
    return engine


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
    history: bool = False,
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
        history: whether to keep what the game's own details are made of.
        executor: plays parts of 1,024 games; None plays here. The match does not depend on it.

    Raises:
        OptionError: an argument has a value that it does not take.
        AgentError: an agent plays an invalid action.
    """
    _check(config, agents, lineup, num_deals, seed)
    made = agents if executor is None else tuple(agents)
    names = None if names is None else tuple(names)
    parts = [
        MatchPart(config, made, tuple(lineup), *drawn, names, on_records is not None, history)
        for drawn in _draw(config, num_deals, seed)
    ]
    if executor is not None:
        return _concatenate(_play_elsewhere(parts, executor, on_progress, on_records))
    played: list[Match] = []
    for part in parts:

        def on_part_progress(fraction: float, num_done: int = len(played)) -> None:
            on_progress((num_done + fraction) / len(parts))

        played.append(play_part(part, on_part_progress, on_records))
    return _concatenate(played)


@dataclass(frozen=True)
class MatchPart:
    """Some deals of a match, up to 1,024 games.

    Attributes:
        config: what is played.
        agents: the agents that play, or their specs.
        lineup: index of the agent on each seat in rotation 0, [P].
        seeds: of the deals, [D].
        secret: from which the agents' choices are drawn.
        names: the agents' names in records and errors; None takes their own.
        records: whether to record the games.
        history: whether to keep what the game's own details are made of.
    """

    config: Any
    agents: Sequence[Agent | Spec]
    lineup: tuple[int, ...]
    seeds: NDArray[np.uint64]
    secret: bytes
    names: tuple[str, ...] | None
    records: bool
    history: bool


def _draw(config: Config, num_deals: int, seed: int) -> Iterator[tuple[NDArray[np.uint64], bytes]]:
    """Yields the seeds of the deals of each part, and what its agents' choices depend on."""
    part_deals = CHUNK_GAMES // config.num_players
    starts = range(0, num_deals, part_deals)
    deals, *choices = np.random.SeedSequence(seed).spawn(1 + len(starts))
    seeds = deals.generate_state(num_deals, np.uint64) >> np.uint64(64 - _SEED_BITS)
    for start, stream in zip(starts, choices, strict=True):
        secret = stream.generate_state(4, np.uint64).tobytes()
        yield seeds[start : start + part_deals], secret


def play_part(
    part: MatchPart, on_progress: Callable[[float], None], on_records: OnRecords | None = None
) -> Match:
    """Plays a part of a match.

    Args:
        part: what to play.
        on_progress: called now and then with the fraction that is done, 0 to 1.
        on_records: called with the records of games as they end; None records nothing.
    """
    config = part.config
    agents = [make_agent(agent, config) for agent in part.agents]
    names = [agent_name(agent) for agent in agents] if part.names is None else part.names
    details = game_spec(config.game).part("details") if part.history else None
    recorder = recorder_of(config) if part.records else None
    seats, engine = rotations(part.lineup), deal_games(config, part.seeds)
    seating = np.tile(seats, (engine.num_games // len(seats), 1))  # [N, P]
    step: Step = engine.step
    if recorder is not None and on_records is not None:
        named = [[names[i] for i in row] for row in seating]
        step = _recording(recorder(engine, named), on_records)
    historian = None if details is None else details.Historian(engine, step)
    step = step if historian is None else historian.step
    rngs = agent_generators(part.secret, len(agents))
    play_out(engine, agents, seating, rngs, step, on_progress, names)
    kept = None if historian is None else historian.history(len(seats))
    return _results(engine, seats, kept)


def _play_elsewhere(
    parts: Sequence[MatchPart],
    executor: Executor,
    on_progress: Callable[[float], None],
    on_records: OnRecords | None,
) -> list[Match]:
    """Plays parts on an executor; their records are handed over in the order of the parts."""
    work = Work(_play_recorded, (parts[0].config, parts[0].agents), "plays games")
    found: dict[int, tuple[Match, list[Record]]] = {}
    handed_over = 0

    def on_run(done: float) -> None:
        on_progress((len(found) + done) / len(parts))

    with closing(executor.run(work, list(enumerate(parts)), on_run)) as playing:
        for (number, _), played in playing:
            found[number] = played
            while on_records is not None and handed_over in found:
                on_records(found[handed_over][1])
                handed_over += 1
            on_run(0)
    return [found[number][0] for number in range(len(parts))]


def _play_recorded(numbered: tuple[int, MatchPart], report: Report) -> tuple[Match, list[Record]]:
    """Plays a part in a worker and returns its records, too."""
    records: list[Record] = []
    return play_part(numbered[1], report, records.extend), records


def play_out(
    engine: Engine,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    rngs: Sequence[np.random.Generator],
    step: Callable[[NDArray[np.int64]], object] | None = None,
    on_progress: Callable[[float], None] = lambda done: None,
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
            actions[own] = _act(agents[i], names[i], engine, own, rngs[i])
        try:
            step(actions)
        except IllegalActionError as error:
            name = names[seating[error.game, error.seat]]
            raise AgentError(f"agent {name}: {error}") from error
        num_steps += 1
        left = (engine.seats >= 0).mean()
        # Nobody knows how long a game will be: a running one counts as n / (n + _STEPS) of one.
        on_progress(1 - float(left) * _STEPS / (num_steps + _STEPS))


def _act(
    agent: Agent, name: str, engine: Engine, rows: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Returns an agent's actions in some games, [M]."""
    seen = engine.observe(rows=rows), engine.legal_action_mask(rows)
    try:
        actions = agent.act(*seen, rng)
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


def _check(
    config: Config, agents: Sequence[Any], lineup: Sequence[int], num_deals: int, seed: int
) -> None:
    if len(lineup) != config.num_players or not set(lineup) <= set(range(len(agents))):
        raise OptionError(f"lineup is {lineup!r}; it takes the index of an agent for each seat")
    for name, value, lowest in (("deals", num_deals, 1), ("seed", seed, 0)):
        if not is_integer(value) or value < lowest:
            raise OptionError(f"{name} is {value!r}; it takes an integer of {lowest} or more")
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


def _results(engine: Engine, seating: NDArray[np.int64], history: Any) -> Match:
    """Returns how an engine's finished games ended."""
    scores, num_players = engine.scores.astype(np.int64), engine.num_players
    shape = (-1, num_players, num_players)
    return Match(
        seating=seating,
        scores=scores.reshape(*shape, scores.shape[2]),
        won=engine.winners().reshape(shape),
        rounds=engine.rounds.astype(np.int64).reshape(-1, num_players),
        game=engine.config.game,
        history=history,
    )


def _concatenate(chunks: Sequence[Match]) -> Match:
    """Returns the chunks of a match as one."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(chunk, name) for chunk in chunks])
        for name in ("scores", "won", "rounds")
    }
    histories = [chunk.history for chunk in chunks if chunk.history is not None]
    history = type(histories[0]).concatenate(histories) if histories else None
    return replace(chunks[0], **arrays, history=history)
