"""How fast a policy learns in self-play, by part, and compared with free games."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gonzaga_agents.common.processes import Worker
from gonzaga_agents.gonzaga.network.inputs import Inputs
from gonzaga_agents.training.collector import Collector, Order, Rollout, RolloutGames, _Here, _serve
from gonzaga_agents.training.command import setup_of
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.run import Run
from stable_baselines3.common.logger import Logger

PARTS = ("engine", "inputs", "forward", "opponents", "waiting", "learner", "rest", "whole")
_NUM_PAST = 8  # as many past selves as a run keeps, from a fifth of its length on


class Parts:
    """Seconds by part. Where one part calls another, the outer one takes all the time."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._inside = False

    def time(self, part: str, owner: Any, *names: str) -> None:
        """Makes methods of an object, those that it has, add their time to a part."""
        for name in names:
            if hasattr(owner, name):
                setattr(owner, name, self.timed(part, getattr(owner, name)))

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function that also adds its time to a part."""

        def call(*args: Any, **kwargs: Any) -> Any:
            if self._inside:
                return function(*args, **kwargs)
            self._inside, start = True, time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self._inside = False
                self.seconds[part] += time.perf_counter() - start

        return call


class NullGames:
    """Stands in for `RolloutGames`: it has the inputs of some rounds ready, and random rewards.

    The policy decides for each of them, as in games; everything else is free.
    """

    def __init__(self, games: RolloutGames) -> None:
        """Plays some rounds, and keeps the policy's inputs and the outcomes."""
        self._games, self._moments = games, list[Inputs]()

        def record(inputs: Inputs) -> Any:
            self._moments.append(inputs)
            return games.policy(inputs)

        steps = 4 * 2 * games.play.engine.num_players  # rounds of a plan and a placement each
        self._experience = games.play.collect(record, num_steps=steps, gae_lambda=0.8)
        size, rng = len(self._experience), np.random.default_rng(0)
        self._advantages, self._returns = rng.normal(size=(2, size)).astype(np.float32)

    def load(self, order: Order) -> None:
        """Takes over weights."""
        self._games.load(order)

    def collect(self) -> Rollout:
        """Asks the policy as in games and returns the experience, with what the policy said."""
        decided = [self._games.policy(inputs) for inputs in self._moments]
        chosen, log_probs, values = map(np.concatenate, zip(*decided[:-1], strict=True))
        experience = replace(
            self._experience,
            chosen=chosen,
            log_probs=log_probs,
            values=values,
            advantages=self._advantages,
            returns=self._returns,
        )
        return Rollout(experience, [])


def training(num_games: int, num_processes: int = 2) -> Callable[[], dict[str, float]]:
    """Trains in self-play on the processor, as `train.py` does once it has past selves to play.

    Each measurement learns from a rollout of games, and then from one of `NullGames`, and returns
    microseconds a turn of the learner, by part, and turns a second. With two processes the games
    are played while the learner trains, which waits for them.
    """
    parts = Parts()
    run, null = _new_run(num_games), _new_run(num_games)
    run._new_collector = partial(_collector, run, num_processes, parts)  # type: ignore[assignment]
    null._new_collector = partial(_collector, null, num_processes, None)  # type: ignore[assignment]
    parts.time("learner", run.model, "learn_from")

    def measure() -> dict[str, float]:
        with _cores(num_processes):
            whole, ceiling = _update(run, parts), _update(null, Parts())
        found = {f"training.{part}": whole[part] for part in PARTS}
        speed = 1e6 / whole["whole"]
        return found | {"training.ceiling": ceiling["whole"], "training.speed": speed}

    for _ in range(_NUM_PAST):
        run._remember = True
        measure()
    return measure


def _new_run(num_games: int) -> Run:
    arguments = Arguments(num_games=num_games, device="cpu", eval_deals=0, eval_against="")
    run = Run(setup_of(arguments), Path(), resume=False)
    run.model.set_logger(Logger(None, []))
    return run


def _collector(run: Run, num_processes: int, parts: Parts | None) -> Collector:
    """Returns what plays the games of a run, timed; without parts, what plays null games."""
    make = partial(RolloutGames, run.setup, 0, [])
    if num_processes == 2:
        made = make if parts else partial(_null_games, make)
        worker = Worker(_serve, made, torch.get_num_threads(), name="the process that plays games")
        apart = Collector([worker])
        if parts:
            parts.time("waiting", apart, "start", "finish")
        return apart
    games = make()
    if parts is None:
        return Collector([_Here(lambda: NullGames(games))])
    parts.time("engine", games.play.engine, "step", "observe", "legal_actions", "legal_action_mask")
    parts.time("inputs", games.reader, "read")
    for member in games.league.members:
        parts.time("opponents", member.agent, "choose", "act_in", "act")
    _time_past(games, parts)
    games.policy = parts.timed("forward", games.policy)
    return Collector([_Here(lambda: games)])


def _null_games(make: Callable[[], RolloutGames]) -> NullGames:
    return NullGames(make())


def _time_past(games: RolloutGames, parts: Parts) -> None:
    """Times past selves as they join the league."""
    remember = games.league.remember

    def timed(*arguments: Any) -> None:
        remember(*arguments)
        parts.time("opponents", games.league.members[-1].agent, "choose")

    games.league.remember = timed  # type: ignore[method-assign]


def _update(run: Run, parts: Parts) -> dict[str, float]:
    """Returns microseconds a turn of one update: by part, the rest and the whole."""
    parts.seconds.clear()
    before, start = run.turns, time.perf_counter()
    run._update()
    whole = time.perf_counter() - start
    seconds = dict.fromkeys(PARTS, 0.0) | parts.seconds
    seconds |= {"rest": whole - sum(parts.seconds.values()), "whole": whole}
    return {part: 1e6 * found / (run.turns - before) for part, found in seconds.items()}


@contextmanager
def _cores(number: int) -> Iterator[None]:
    """Lets this process, and those that it starts, run on all cores if more than one is needed."""
    may_move = number > 1 and hasattr(os, "sched_setaffinity")
    before = os.sched_getaffinity(0) if may_move else set()
    if may_move:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        if may_move:
            os.sched_setaffinity(0, before)
