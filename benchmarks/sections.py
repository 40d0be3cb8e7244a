"""The sections beside the rows: profile of a step, growth with size, and states for search.

A figure is named "section/line/column", as the tables show it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.games import EngineGames
from benchmarks.measure import Measure, Settings, rate, timed
from gonzaga_env.core import Edition, Engine, Game, State, load_edition, states_from_observations

NUM_GAMES = (1, 4, 16, 64, 256, 1024, 4096, 16384)
NUM_PLAYERS = (2, 3, 4)
MARGINS = (0, 2, 4)
NUM_STATES = (1, 16, 64, 256, 1024, 4096)
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
        digest=f"{edition.digest} with a margin of {margin}" if margin else edition.digest,
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

    def step() -> None:
        engine.set_state(states)
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
        "Engine.from_state(copy=False)": lambda: Engine.from_state(config, states, copy=False),
        "Engine.set_state(state)": lambda: engine.set_state(states),
        "Engine.set_state(state), then step": step,
    }


def _time(call: Callable[[], Any], num_states: int, seconds: float) -> float:
    """Returns microseconds a state of a call."""

    def play() -> int:
        call()
        return num_states

    return 1e6 / rate(play, seconds)
