"""The contestants by name: each is built and warmed up once, then measured in turn with others."""

from __future__ import annotations

import os
from collections.abc import Callable

from benchmarks import processes
from benchmarks.null_env import in_place_of
from benchmarks.players import AecGames, EngineGames, OracleGames, rate
from benchmarks.settings import Settings
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine
from gonzaga_env.core.constants import NUM_FIEFS

#: Measures once: one figure, or several by name.
Measure = Callable[[], float | dict[str, float]]
Builder = Callable[[Settings], Measure]

RANDOM_GAME_STEPS = 2 * 4 * NUM_FIEFS  # four players at random play all twelve rounds


def engine(num_games: int, *, observed: bool) -> Builder:
    """Returns a builder of games of the engine."""

    def build(settings: Settings) -> Measure:
        games = EngineGames(settings.games(num_games), observed=observed)
        return lambda: rate(games.play_round, settings.seconds)

    return build


def _aec(make: Callable[[], object]) -> Builder:
    """Returns a builder of one game after the other of a PettingZoo environment."""

    def build(settings: Settings) -> Measure:
        games = AecGames(make())
        return lambda: rate(games.play_game, settings.seconds)

    return build


def _connect_four() -> object:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # stdout is for the results
    # This is connect_four_v3's; its own name warns that there is a registry, which wraps.
    from pettingzoo.classic.connect_four.connect_four import raw_env

    return raw_env()


def _null_env() -> object:
    return in_place_of(gonzaga_v0.env(), RANDOM_GAME_STEPS)


def _oracle(settings: Settings) -> Measure:
    games = OracleGames(Engine(settings.games(1024)))
    return lambda: rate(games.play_game, settings.seconds)


def _training(settings: Settings) -> Measure:
    from benchmarks.learning import Training

    return Training(settings.games(256)).train


def _memory(settings: Settings) -> Measure:
    return lambda: processes.engine_memory(settings.games(4096))


def _warm(measure: Measure) -> Builder:
    """Returns a builder that measures once in vain, so that all files are in memory."""

    def build(_: Settings) -> Measure:
        measure()
        return measure

    return build


BUILDERS: dict[str, Builder] = {
    "connect_four": _aec(_connect_four),
    "engine_64": engine(64, observed=True),
    "engine_1024": engine(1024, observed=True),
    "engine_4096": engine(4096, observed=True),
    "lean_1024": engine(1024, observed=False),
    "lean_4096": engine(4096, observed=False),
    "raw_env": _aec(gonzaga_v0.raw_env),
    "oracle": _oracle,
    "env": _aec(gonzaga_v0.env),
    "null_env": _aec(_null_env),
    "training": _training,
    "memory_engine": _memory,
    "memory_numpy": _warm(processes.numpy_memory),
    "import": _warm(processes.import_seconds),
    "first_engine": _warm(processes.first_engine_seconds),
}
