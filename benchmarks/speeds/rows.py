"""The rows of the main table: how each figure is measured, the goals, and the verdicts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from typing import Any, Literal, NamedTuple

from benchmarks.common import fresh
from benchmarks.common.measure import Measure, Settings, rate, summary
from benchmarks.speeds import releases
from benchmarks.speeds.games import (
    batch_games,
    null_env,
    oracle_games,
    sb3_games,
    vector_games,
)
from benchmarks.speeds.random_games import EngineGames, aec_games
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine
from gonzaga_env.games import DEFAULT_GAME


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        key: its name for `--only`.
        what: what is measured, in words.
        unit: of value, goal and floor.
        goal: what we aim at.
        floor: what we demand.
        figures: what the value is computed from; "name.part" is measured with "name".
        lower_is_better: whether goal and floor are upper limits.
    """

    key: str
    what: str
    unit: Literal["x", "%", "MB", "s"]
    goal: float
    floor: float
    figures: tuple[str, ...]
    lower_is_better: bool = False

    def value(self, figure: float, other: float = 0) -> float:
        """Returns the value of one repetition: a ratio, a share, a difference or the figure."""
        if self.unit in "x%":
            return figure / other * (100 if self.unit == "%" else 1)
        return figure - other

    def verdict(self, value: float) -> Literal["goal", "floor", "missed"]:
        """Returns whether a value reaches the goal, only the floor, or neither."""
        sign = -1 if self.lower_is_better else 1
        if sign * value >= sign * self.goal:
            return "goal"
        return "floor" if sign * value >= sign * self.floor else "missed"

    def report(self, figures: Mapping[str, list[float]]) -> dict[str, Any]:
        """Returns the row with its value: the median of what each repetition gives by itself."""
        repetitions = zip(*(figures[name] for name in self.figures), strict=True)
        found = summary([self.value(*repetition) for repetition in repetitions])
        return asdict(self) | found | {"reached": self.verdict(found["value"])}


class OtherGame(NamedTuple):
    """A game beside Gonzaga, with goal and floor of each of its rows.

    Attributes:
        name: as in `game_spec`.
        environment: the module of `raw_env`.
        batch, small: of N = 1,024 and N = 64 with mask and observation, over connect_four.
        raw_env: over connect_four's.
        memory: of 4,096 games, in MB; 20 kB a game are 82 MB.
    """

    name: str
    environment: str
    batch: tuple[float, float]
    small: tuple[float, float]
    raw_env: tuple[float, float]
    memory: tuple[float, float]


OTHER_GAMES = (
    OtherGame("tuscany", "castles_of_tuscany_v0", (15, 6), (4, 2), (1, 0.5), (82, 164)),
    OtherGame("signorie", "signorie_v0", (15, 6), (3, 1.5), (1, 0.5), (82, 164)),
)


def _rows_of(game: OtherGame) -> Iterator[Row]:
    for n, limits in ((1024, game.batch), (64, game.small)):
        what = f"engine, N = {n:,}, with mask and observation, over connect_four's"
        key = f"{game.name}_{n}"
        yield Row(key, f"{what} raw_env", "x", *limits, (key, "connect_four"))
    key, what = f"{game.name}_raw_env", f"{game.environment}.raw_env, one game, over connect_four's"
    yield Row(key, f"{what} raw_env", "x", *game.raw_env, (key, "connect_four"))
    key, what = f"{game.name}_memory", "peak memory of 4,096 games with tables"
    figures = key, "memory_numpy"
    yield Row(
        key, f"{what}, less an interpreter with numpy", "MB", *game.memory, figures,
        lower_is_better=True,
    )  # fmt: skip


ROWS = (
    Row("engine_1024", "engine, N = 1,024, with mask and observation, over connect_four's raw_env",
        "x", 30, 15, ("engine_1024", "connect_four")),
    Row("engine_4096", "engine, N = 4,096, with mask and observation, over connect_four's raw_env",
        "x", 30, 15, ("engine_4096", "connect_four")),
    Row("lean_1024", "engine, N = 1,024, without mask and observation, over the same",
        "x", 60, 30, ("lean_1024", "connect_four")),
    Row("lean_4096", "engine, N = 4,096, without mask and observation, over the same",
        "x", 60, 30, ("lean_4096", "connect_four")),
    Row("engine_64", "engine, N = 64, with mask and observation, over the same",
        "x", 12, 6, ("engine_64", "connect_four")),
    Row("no_out_1024", "engine, N = 1,024, without `out=`, over the same with `out=`",
        "%", 90, 70, ("no_out_1024", "engine_1024")),
    Row("raw_env", "gonzaga_v0.raw_env, one game, over connect_four's raw_env",
        "x", 1.5, 1, ("raw_env", "connect_four")),
    *(
        Row(f"release_{name}", f"{what}, over the last release's in processes of their own",
            "%", 100, 90, (f"release_{name}.tree", f"release_{name}.release"))
        for name, what in (
            ("1024", "engine, N = 1,024, with mask and observation"),
            ("64", "engine, N = 64, with mask and observation"),
            ("raw_env", "gonzaga_v0.raw_env, one game"),
        )
    ),
    Row("oracle", "engine, N = 1,024, with mask and observation, over the tests' naive oracle",
        "x", 150, 50, ("engine_1024", "oracle")),
    Row("env", "gonzaga_v0.env, over an environment without a game in the same wrappers",
        "%", 70, 50, ("env", "null_env")),
    *(
        Row(f"make_vec_{n}", f"make_vec, N = {n}, over Gymnasium's loop of single environments",
            "x", goal, 1, (f"make_vec_{n}", f"sync_{n}"))
        for n, goal in ((1, 1.1), (8, 1.3), (64, 1.8))
    ),
    *(
        Row(f"sb3_vec_{n}", f"make_sb3_vec, N = {n:,}, against planner, over DummyVecEnv(8)",
            "x", 20, 10, (f"sb3_vec_{n}", "sb3_dummy"))
        for n in (256, 1024)
    ),
    Row("training", "self-play PPO in two processes, over the same learner without games",
        "%", 90, 80, ("training.ceiling", "training.whole")),
    Row("memory", "peak memory of 4,096 games with tables, less an interpreter with numpy",
        "MB", 150, 300, ("memory_engine", "memory_numpy"), lower_is_better=True),
    Row("import", "import gonzaga_env, warm disk", "s", 0.3, 0.6, ("import",),
        lower_is_better=True),
    Row("first_engine", "first Engine(1) after the import", "s", 0.7, 1.5, ("first_engine",),
        lower_is_better=True),
    Row("first_picture", "first SVG of a game, with the import of the drawing code",
        "s", 0.3, 0.6, ("first_picture",), lower_is_better=True),
    *(row for game in OTHER_GAMES for row in _rows_of(game)),
)  # fmt: skip


_LONGER = 3  # steps of 1,024 games against planner take a tenth of a second each
Build = Callable[[Settings], Measure]


def measures(rows: list[Row], settings: Settings) -> dict[str, Measure]:
    """Returns what has to be measured for some rows, each built and warmed up."""
    needed = {name.partition(".")[0] for row in rows for name in row.figures}
    return {name: build(settings) for name, (_, build) in _FIGURES.items() if name in needed}


def unit(figure: str) -> str:
    """Returns the unit of a figure."""
    if figure == "training.speed":
        return "turns/s"
    return _FIGURES[figure.partition(".")[0]][0]


def _rate(
    make: Callable[[int], Callable[[], int]],
    num_games: int = 1,
    unit: str = "agent steps/s",
    longer: int = 1,
) -> tuple[str, Build]:
    """Returns what measures steps a second of what `make` makes of a number of games."""
    return unit, lambda settings: partial(
        rate, make(settings.games(num_games)), settings.seconds * longer
    )


def _engine(num_games: int, **options: bool) -> tuple[str, Build]:
    return _rate(lambda number: EngineGames(number, **options).play_round, num_games)


def _aec(make: Callable[[], Any]) -> tuple[str, Build]:
    return _rate(lambda _: aec_games(make()))


def _learner(
    play: Callable[..., Callable[[], int]], num_envs: int, longer: int = 1, **options: Any
) -> tuple[str, Build]:
    return _rate(partial(play, **options), num_envs, "learner steps/s", longer)


def _release(figure: str, name: str) -> tuple[str, Build]:
    return "agent steps/s", partial(releases.paired, figure, name)


def _connect_four() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # stdout is for results
    from pettingzoo.classic.connect_four.connect_four import raw_env

    return raw_env()


def _training(settings: Settings) -> Measure:
    from benchmarks.speeds.training import training

    return training(settings.games(128))


def _other_game(game: OtherGame) -> dict[str, tuple[str, Build]]:
    name = game.name
    return {
        **{f"{name}_{n}": _rate(partial(batch_games, name), n) for n in (1024, 64)},
        f"{name}_raw_env": _aec(
            lambda: import_module(f"gonzaga_env.envs.{game.environment}").raw_env()
        ),
        f"{name}_memory": _fresh("MB", fresh.ENGINE_MEMORY, name),
    }


def _fresh(unit: str, code: str, game: str = DEFAULT_GAME) -> tuple[str, Build]:
    def build(settings: Settings) -> Measure:
        numbers = str(settings.games(4096))
        program = code.replace("THE_GAME", game).replace("NUM_GAMES", numbers)
        fresh.run_fresh(program)  # the files are in the disk cache from now on
        return partial(fresh.run_fresh, program)

    return unit, build


#: Units, and what measures; "name.part" has the unit of "name".
_FIGURES: dict[str, tuple[str, Build]] = {
    "connect_four": _aec(_connect_four),
    "engine_64": _engine(64),
    "engine_1024": _engine(1024),
    "no_out_1024": _engine(1024, allocate=True),
    "engine_4096": _engine(4096),
    "lean_1024": _engine(1024, observed=False),
    "lean_4096": _engine(4096, observed=False),
    "raw_env": _aec(gonzaga_v0.raw_env),
    "release_1024": _release("engine_1024", "release_1024"),
    "release_64": _release("engine_64", "release_64"),
    "release_raw_env": _release("raw_env", "release_raw_env"),
    "oracle": _rate(lambda number: oracle_games(Engine(number)), 1024),
    "env": _aec(gonzaga_v0.env),
    "null_env": _aec(null_env),
    **{f"make_vec_{n}": _learner(vector_games, n, mode="vector_entry_point") for n in (1, 8, 64)},
    **{f"sync_{n}": _learner(vector_games, n, mode="sync") for n in (1, 8, 64)},
    **{f"sb3_vec_{n}": _learner(sb3_games, n, _LONGER) for n in (256, 1024)},
    "sb3_dummy": _learner(sb3_games, 8, _LONGER, single=True),
    "training": ("µs/turn", _training),
    "memory_engine": _fresh("MB", fresh.ENGINE_MEMORY),
    "memory_numpy": _fresh("MB", fresh.NUMPY_MEMORY),
    "import": _fresh("s", fresh.IMPORT),
    "first_engine": _fresh("s", fresh.FIRST_ENGINE),
    "first_picture": _fresh("s", fresh.FIRST_PICTURE),
    **{name: found for game in OTHER_GAMES for name, found in _other_game(game).items()},
}
