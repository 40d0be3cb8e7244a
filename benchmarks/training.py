"""How fast a policy learns in self-play, by part, and beside a learner whose games cost nothing."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gonzaga_agents.network.inputs import Inputs
from gonzaga_agents.training.command import Arguments, setup_of
from gonzaga_agents.training.run import Run
from gonzaga_agents.training.self_play import Experience, Policy
from stable_baselines3.common.logger import Logger

PARTS = ("engine", "inputs", "forward", "opponents", "learner", "rest", "whole")
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
                setattr(owner, name, self._timed(part, getattr(owner, name)))

    def _timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
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
    """Stands in for `SelfPlay`: it has the inputs of some rounds ready, and random rewards.

    The policy decides for every one of them, as it would in games; all else costs nothing.
    """

    def __init__(self, moments: list[Inputs], experience: Experience) -> None:
        """Takes what the policy was asked in some rounds, and what came of it."""
        self.results: list[Any] = []
        self._moments, self._experience = moments, experience
        shape, rng = len(experience), np.random.default_rng(0)
        self._advantages, self._returns = rng.normal(size=(2, shape)).astype(np.float32)

    @classmethod
    def recorded(cls, run: Run) -> NullGames:
        """Returns the rounds that a run plays now; it does not learn from them."""
        moments: list[Inputs] = []

        def record(inputs: Inputs) -> Any:
            moments.append(inputs)
            return run.model.policy.decide(inputs)

        return cls(moments, run._games.collect(record, num_rounds=4, gae_lambda=0.8))

    def collect(self, policy: Policy, **_: Any) -> Experience:
        """Asks the policy as in games and returns the experience, with what the policy said."""
        decided = [policy(inputs) for inputs in self._moments]
        chosen, log_probs, values = map(np.concatenate, zip(*decided[:-1], strict=True))
        return replace(
            self._experience,
            chosen=chosen,
            log_probs=log_probs,
            values=values,
            advantages=self._advantages,
            returns=self._returns,
        )


def training(num_games: int, num_threads: int = 1) -> Callable[[], dict[str, float]]:
    """Trains in self-play on the processor, as `train.py` does once it has past selves to play.

    Each measurement collects a rollout and learns from it, with games and then without, and returns
    microseconds a turn of the learner, by part, and turns a second.
    """
    run = _new_run(num_games)
    for turns in range(_NUM_PAST):
        run._league.remember(run.learner(), run.network, turns)
    run._games._seat(run._games._games)
    null = _new_run(num_games)
    null._games = NullGames.recorded(run)  # type: ignore[assignment]
    parts = _timed_parts(run)

    def measure() -> dict[str, float]:
        with _threads(num_threads):
            whole, ceiling = _update(run, parts), _update(null, Parts())
        found = {f"training.{part}": whole[part] for part in PARTS}
        speed = 1e6 / whole["whole"]
        return found | {"training.ceiling": ceiling["whole"], "training.speed": speed}

    measure()  # puts all memory in place
    return measure


def _new_run(num_games: int) -> Run:
    arguments = Arguments(num_games=num_games, device="cpu", eval_deals=0, eval_against="")
    run = Run(setup_of(arguments), Path(), resume=False)
    run.model.set_logger(Logger(None, []))
    return run


def _timed_parts(run: Run) -> Parts:
    parts, games = Parts(), run._games
    parts.time("engine", games.engine, "step", "observe", "legal_actions", "legal_action_mask")
    parts.time("inputs", games.reader, "read")
    parts.time("forward", run.model.policy, "decide")
    for member in games.league.members:
        parts.time("opponents", member.agent, "choose", "act_in", "act")
    parts.time("learner", run.model, "learn_from")
    return parts


def _update(run: Run, parts: Parts) -> dict[str, float]:
    """Returns microseconds a turn of one update: by part, the rest and the whole."""
    parts.seconds.clear()
    before, start = run.turns, time.perf_counter()
    run._update()
    whole = time.perf_counter() - start
    run._games.results.clear()
    seconds = dict.fromkeys(PARTS, 0.0) | parts.seconds
    seconds |= {"rest": whole - sum(parts.seconds.values()), "whole": whole}
    return {part: 1e6 * found / (run.turns - before) for part, found in seconds.items()}


@contextmanager
def _threads(number: int) -> Iterator[None]:
    """Lets torch use some threads; for more than one, the process may run on all cores."""
    before, may_move = torch.get_num_threads(), number > 1 and hasattr(os, "sched_setaffinity")
    cores = os.sched_getaffinity(0) if may_move else set()
    torch.set_num_threads(number)
    if may_move:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        torch.set_num_threads(before)
        if may_move:
            os.sched_setaffinity(0, cores)
