"""Where a step of the engine spends its time, beside a plain copy of what it writes."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.players import EngineGames, rate
from benchmarks.rows import summary
from benchmarks.settings import Settings, tell
from gonzaga_env.core import Engine
from gonzaga_env.core.constants import NUM_FIEFS

NUM_GAMES = 1024
#: The parts of a step with mask and observation, as they follow each other.
PARTS = ("legality", "mask", "observation", "sampling", "transition", "reset")


def measure(settings: Settings) -> dict[str, Any]:
    """Returns microseconds a game's step by part, of the whole, and of the copy."""
    timed = _Timed(settings.games(NUM_GAMES))
    repetitions = []
    for number in range(settings.repetitions):
        tell(f"profile, repetition {number + 1} of {settings.repetitions}")
        repetitions.append(timed.sample(settings.seconds))
    found = {name: summary([sample[name] for sample in repetitions]) for name in repetitions[0]}
    return {
        "num_games": timed.games.engine.num_games,
        "unit": "µs/agent step",
        "parts": {name: found[name] for name in PARTS},
        "whole": found["whole"],
        "copy": found["copy"],
        "bytes": timed.games.mask.shape[1] + timed.games.observation.shape[1],
        "whole_over_copy": summary([sample["whole"] / sample["copy"] for sample in repetitions]),
    }


class _Timed:
    """Games whose engine's calls are timed one by one."""

    def __init__(self, num_games: int) -> None:
        self.games = games = EngineGames(num_games, observed=True)
        # As many games as end in one step, dealt anew beside the others: a reset is a part of a
        # step, where it can't be timed.
        self.ending = Engine(max(1, num_games // NUM_FIEFS))
        self.written = (games.mask, games.observation)
        self.copies = tuple(np.empty_like(array) for array in self.written)
        self.seconds: dict[str, float] = defaultdict(float)

    def sample(self, seconds: float) -> dict[str, float]:
        """Returns microseconds a game's step by part, of the whole, and of the copy."""
        self.seconds.clear()
        steps, start = 0, time.perf_counter()
        while not steps or time.perf_counter() - start < seconds:
            steps += self._play_round()
        self.seconds["transition"] -= self.seconds["reset"]
        found = {name: 1e6 * self.seconds[name] / steps for name in PARTS}
        found["whole"] = sum(found.values())
        found["copy"] = 1e6 / rate(self._copy, seconds / 4)
        return found

    def _play_round(self) -> int:
        games, engine = self.games, self.games.engine
        for _ in range(games.steps_a_round):
            self._timed("legality", lambda: engine.seats)  # known with what they may do
            self._timed("mask", lambda: engine.legal_action_mask(out=games.mask))
            self._timed("observation", lambda: engine.observe(out=games.observation))
            actions = self._timed("sampling", lambda: engine.sample_legal(games.rng))
            result = self._timed("transition", lambda: engine.step(actions))  # noqa: B023  at once
            if result.finished.any():
                start = time.perf_counter()
                self.ending.reset()
                share = int(result.finished.sum()) / self.ending.num_games
                self.seconds["reset"] += share * (time.perf_counter() - start)
        return games.steps_a_round * engine.num_games

    def _timed(self, part: str, call: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        found = call()
        self.seconds[part] += time.perf_counter() - start
        return found

    def _copy(self) -> int:
        """Copies as many bytes as a step writes; the least that any engine could do."""
        for array, copy in zip(self.written, self.copies, strict=True):
            np.copyto(copy, array)
        return self.games.engine.num_games
