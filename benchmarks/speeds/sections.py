"""The sections below the rows: profile of a step, growth with size, states for search, agents.

A figure is named "section/line/column", as the tables show it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.gonzaga.planner import PLANNED, PlannerAgent
from gonzaga_agents.gonzaga.playouts import Playouts
from gonzaga_agents.gonzaga.search import NOISE, SearchAgent
from gonzaga_agents.search.budget import Budget

from benchmarks.common.measure import Measure, Settings, rate, timed
from benchmarks.speeds.random_games import EngineGames
from gonzaga_env.core import Edition, Engine, Game, State, load_edition, states_from_observations
from gonzaga_env.tabletop.agent import Agent

NUM_GAMES = (1, 4, 16, 64, 256, 1024, 4096, 16384)
NUM_PLAYERS = (2, 3, 4)
MARGINS = (0, 2, 4)
NUM_STATES = (1, 16, 64, 256, 1024, 4096)
NUM_DECISIONS = (1, 64, 1024)
NUM_SEARCHES = (1, 16, 256)
NUM_PLAYED = (256, 1024, 4096)
NUM_PLAYOUTS = 64
_PARTS = ("legality", "mask", "observation", "sampling", "transition", "reset")
_BATCH = 1024  # games where players or hexes grow, and in the profile


def profile(settings: Settings) -> dict[str, Measure]:
    """Times every call of a step, and a copy of what mask and observation hold."""
    games, seconds = EngineGames(settings.games(_BATCH)), Counter[str]()
    engine: Any = games.engine
    compute_legal = timed(seconds, "legality", lambda: engine.seats)
    make_mask = timed(seconds, "mask", engine.legal_action_mask)
    engine.legal_action_mask = lambda **kwargs: (compute_legal(), make_mask(**kwargs))[1]
    engine.observe = timed(seconds, "observation", engine.observe)
    engine.sample_legal = timed(seconds, "sampling", engine.sample_legal)
    engine.step = timed(seconds, "transition", engine.step)
    engine.reset = timed(seconds, "reset", engine.reset)  # `step` calls it
    copies = [array.copy() for array in games.seen]

    def copy() -> int:
        for array, target in zip(games.seen, copies, strict=True):
            np.copyto(target, array)
        return engine.num_games

    def measure() -> dict[str, float]:
        seconds.clear()
        steps, end = 0, time.perf_counter() + settings.seconds
        while not steps or time.perf_counter() < end:
            steps += games.play_round()
        seconds["transition"] -= seconds["reset"]
        found = {part: 1e6 * seconds[part] / steps for part in _PARTS}
        whole, plain = sum(found.values()), 1e6 / rate(copy, settings.seconds / 4)
        found |= {"whole": whole, "copy": plain, "whole, in copies": whole / plain}
        return {f"profile/{part}/N = {engine.num_games:,}": found[part] for part in found}

    return {"profile": measure}


def growth(settings: Settings) -> dict[str, Measure]:
    """Plays with more and more games, players and hexes."""
    batch, europe = settings.games(_BATCH), load_edition("europe")
    editions = [with_margin(europe, margin) for margin in MARGINS]
    points: list[tuple[str, int, dict[str, Any]]] = [
        *(("games", n, {"num_games": n}) for n in dict.fromkeys(map(settings.games, NUM_GAMES))),
        *(("players", p, {"num_games": batch, "num_players": p}) for p in NUM_PLAYERS),
        *(("hexes", len(e.grid), {"num_games": batch, "edition": e}) for e in editions),
    ]
    modes = {"with mask and observation": True, "without": False}
    return {
        f"growth in {axis}/{value:,}/{mode}": partial(
            rate, EngineGames(**options, observed=observed).play_round, settings.seconds / 2
        )
        for axis, value, options in points
        for mode, observed in modes.items()
    }


def with_margin(edition: Edition, margin: int) -> Edition:
    """Returns an edition with columns and rows of sea around its map.

    Args:
        edition: the edition.
        margin: hexes on each side; even, because odd rows are shifted half a hex east.
    """
    sea, width = next(iter(edition.seas)), len(edition.marks[0]) + 2 * margin
    row, side = (sea,) * width, (sea,) * margin

    def moved(cell: tuple[int, int]) -> tuple[int, int]:
        return cell[0] + margin, cell[1] + margin

    return replace(
        edition,
        marks=(row,) * margin + tuple((*side, *marks, *side) for marks in edition.marks)
        + (row,) * margin,
        cities=tuple(replace(site, at=moved(site.at)) for site in edition.cities),
        harbors=tuple(replace(site, at=moved(site.at)) for site in edition.harbors),
        barriers=tuple(
            replace(barrier, edges=tuple((moved(a), moved(b)) for a, b in barrier.edges))
            for barrier in edition.barriers
        ),
    )  # fmt: skip


def search(settings: Settings) -> dict[str, Measure]:
    """Builds N states of one position in the middle of a game, as a search does."""
    rng = np.random.default_rng(0)
    root = Engine()
    for _ in range(5 * 8 + 4):  # the first to place in round 6
        root.step(root.sample_legal(rng))
    calls: dict[tuple[str, int], Callable[[], Any]] = {}
    for num_states in dict.fromkeys(map(settings.games, NUM_STATES)):
        calls |= {(n, num_states): c for n, c in _search_calls(root, num_states, rng).items()}
    game = Game()
    game.state = root.state
    calls["Game.copy()", 1] = game.copy
    return {
        f"search/{name}/N = {num_states:,}": partial(_time, call, num_states, settings.seconds / 6)
        for (name, num_states), call in calls.items()
    }


def _search_calls(
    root: Engine, num_states: int, rng: np.random.Generator
) -> dict[str, Callable[[], Any]]:
    seat, observation, config = int(root.seats[0]), root.observe(), root.config
    states = root.resample(seat, rng, num_samples=num_states)
    one, rows = root.state, rng.permutation(num_states)
    engine = Engine.from_state(config, states)
    actions = engine.sample_legal(rng)

    def set_state() -> None:
        engine.set_state(states, check=False)

    def step() -> None:
        set_state()
        engine.step(actions)

    return {
        "Engine.copy()": engine.copy,
        "resample(num_samples=N)": lambda: root.resample(seat, rng, num_samples=num_states),
        "states_from_observations(num_samples=N)": lambda: states_from_observations(
            config, observation, rng, num_samples=num_states
        ),
        "State.take(rows)": lambda: states.take(rows),
        "State.repeat(N)": lambda: one.repeat(num_states),
        "State.concatenate of N states": lambda: State.concatenate([one] * num_states),
        "Engine.from_state(copy=False, check=False)": lambda: Engine.from_state(
            config, states, copy=False, check=False
        ),
        "Engine.set_state(state), which checks it": lambda: engine.set_state(states),
        "Engine.set_state(state, check=False)": set_state,
        "Engine.set_state(state, check=False), then step": step,
    }


def _time(call: Callable[[], Any], num_states: int, seconds: float) -> float:
    """Returns microseconds a state of a call."""

    def play() -> int:
        call()
        return num_states

    return 1e6 / rate(play, seconds)


def agents(settings: Settings) -> dict[str, Measure]:
    """Lets baselines choose in N positions at once, half of them plans and half placements."""
    found: dict[str, Measure] = {}
    for num_games in dict.fromkeys(map(settings.games, NUM_DECISIONS)):
        planning, placing = (_played(num_games, steps) for steps in (5 * 8, 5 * 8 + 4))
        for agent in (GreedyAgent(planning.config), PlannerAgent(planning.config)):
            choose = partial(_choose, agent, (planning, placing), np.random.default_rng(0))
            name = f"agents/{agent.name}/N = {num_games:,}"
            found[name] = partial(rate, choose, settings.seconds)
    return found


def playouts(settings: Settings) -> dict[str, Measure]:
    """Searches N decisions at once, and plays N games from their start to their end."""
    found: dict[str, Measure] = {}
    for num_games in dict.fromkeys(map(settings.games, NUM_SEARCHES)):
        engine = _played(num_games, 5 * 8)
        agent = SearchAgent(engine.config, Budget(NUM_PLAYOUTS), num_rounds=1)
        search = partial(_search, engine, agent)
        name = f"playouts/to the end of the round, in searches/N = {num_games:,}"
        found[name] = partial(rate, partial(search, np.random.default_rng(0)), settings.seconds)
    for num_games in dict.fromkeys(map(settings.games, NUM_PLAYED)):
        play = partial(_play_whole_games, num_games, np.random.default_rng(0))
        name = f"playouts/to the end of the game, from its start/N = {num_games:,}"
        found[name] = partial(rate, play, settings.seconds)
    return found


def learning(settings: Settings) -> dict[str, Measure]:
    """Trains in self-play in one process and in two, by part."""
    from benchmarks.speeds.training import training

    def measure(train: Callable[[], dict[str, float]], column: str) -> dict[str, float]:
        parts = {name.partition(".")[2]: value for name, value in train().items()}
        del parts["speed"]
        return {f"learning/{part}/{column}": value for part, value in parts.items()}

    num_games, columns = settings.games(128), {1: "1 process", 2: "2 processes"}
    return {
        f"learning/{column}": partial(measure, training(num_games, number), column)
        for number, column in columns.items()
    }


def _played(num_games: int, num_steps: int) -> Engine:
    """Returns games after some steps at random: in round 6 after 40 of four players."""
    engine, rng = Engine(num_games, seed=0), np.random.default_rng(0)
    for _ in range(num_steps):
        engine.step(engine.sample_legal(rng))
    return engine


def _choose(agent: Agent, engines: Sequence[Engine], rng: np.random.Generator) -> int:
    """Chooses in every game of some engines; returns the decisions."""
    for engine in engines:
        agent.act(engine.observe(), engine.legal_action_mask(), rng)
    return sum(engine.num_games for engine in engines)


def _search(engine: Engine, agent: SearchAgent, rng: np.random.Generator) -> int:
    """Searches every game once; returns the playouts."""
    found = agent.search(engine.observe(), engine.legal_action_mask(), rng)
    return sum(int(root.visits.sum()) for _, root in found)


def _play_whole_games(num_games: int, rng: np.random.Generator) -> int:
    """Plays games of planners to their end; returns how many."""
    engine = Engine(num_games, seed=int(rng.integers(2**31)), autoreset=False)
    policy = Playouts(engine.config, PLANNED, NOISE)
    games = np.arange(num_games)
    while len(games):
        engine.step(policy.choose(engine, games, rng), games)
        games = (~engine.state.finished).nonzero()[0]
    return num_games
