"""The rows of the table: what is compared with what, the goals, and whether they are reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

Reached = Literal["goal", "floor", "missed"]


def itself(figure: float) -> float:
    """Returns the figure."""
    return figure


def ratio(figure: float, other: float) -> float:
    """Returns how many times the other figure it is."""
    return figure / other


def percent(figure: float, other: float) -> float:
    """Returns how many hundredths of the other figure it is."""
    return 100 * figure / other


def difference(figure: float, other: float) -> float:
    """Returns what it is over the other figure."""
    return figure - other


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes:
        key: what `--only` calls it.
        what: what is measured, in words.
        unit: of value, goal and floor.
        goal: what is aimed at.
        floor: what is demanded.
        figures: what it is worked out from; "name" or "name.part" comes from contestant "name".
        value: of one repetition's figures, in that order.
        lower_is_better: whether goal and floor are upper limits.
    """

    key: str
    what: str
    unit: str
    goal: float
    floor: float
    figures: tuple[str, ...]
    value: Callable[..., float]
    lower_is_better: bool = False

    @property
    def contestants(self) -> tuple[str, ...]:
        """Names of those that bring the figures."""
        return tuple(dict.fromkeys(figure.partition(".")[0] for figure in self.figures))


ROWS = (
    Row("engine_1024", "engine, N = 1,024, with mask and observation, over connect_four's raw_env",
        "x", 30, 15, ("engine_1024", "connect_four"), ratio),
    Row("engine_4096", "engine, N = 4,096, with mask and observation, over connect_four's raw_env",
        "x", 30, 15, ("engine_4096", "connect_four"), ratio),
    Row("lean_1024", "engine, N = 1,024, without mask and observation, over the same",
        "x", 60, 30, ("lean_1024", "connect_four"), ratio),
    Row("lean_4096", "engine, N = 4,096, without mask and observation, over the same",
        "x", 60, 30, ("lean_4096", "connect_four"), ratio),
    Row("engine_64", "engine, N = 64, with mask and observation, over the same",
        "x", 12, 6, ("engine_64", "connect_four"), ratio),
    Row("raw_env", "gonzaga_v0.raw_env, one game, over the same",
        "x", 1.5, 1, ("raw_env", "connect_four"), ratio),
    Row("oracle", "engine, N = 1,024, with mask and observation, over the tests' naive oracle",
        "x", 150, 50, ("engine_1024", "oracle"), ratio),
    Row("env", "gonzaga_v0.env, over an environment that does nothing, in the same wrappers",
        "%", 70, 50, ("env", "null_env"), percent),
    Row("training", "share of the environment in the time of MaskablePPO at 256 games",
        "%", 5, 10, ("training.environment", "training.whole"), percent, lower_is_better=True),
    Row("memory", "peak memory of 4,096 games with tables, over an interpreter with numpy",
        "MB", 150, 300, ("memory_engine", "memory_numpy"), difference, lower_is_better=True),
    Row("import", "import gonzaga_env, warm disk",
        "s", 0.3, 0.6, ("import",), itself, lower_is_better=True),
    Row("first_engine", "first Engine(1) after the import",
        "s", 0.7, 1.5, ("first_engine",), itself, lower_is_better=True),
)  # fmt: skip

_UNITS = {
    "training": "µs/turn",
    "memory_engine": "MB",
    "memory_numpy": "MB",
    "import": "s",
    "first_engine": "s",
}
PLAYING = "agent steps/s"


def verdict(value: float, goal: float, floor: float, *, lower_is_better: bool) -> Reached:
    """Returns whether a value reaches its goal, its floor only, or neither."""
    sign = -1 if lower_is_better else 1
    if sign * value >= sign * goal:
        return "goal"
    return "floor" if sign * value >= sign * floor else "missed"


def summary(values: Sequence[float]) -> dict[str, float]:
    """Returns median, lowest and highest, to four digits: what is read is what is judged."""
    found = {"value": median(values), "low": min(values), "high": max(values)}
    return {name: rounded(value) for name, value in found.items()}


def rounded(value: float) -> float:
    """Returns a figure to four digits."""
    return float(f"{value:.4g}")


def result(row: Row, repetitions: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Returns a row as plain data: the value of each repetition is worked out within it.

    Args:
        row: the row.
        repetitions: the figures by name, one mapping a repetition.
    """
    by_figure = {name: [figures[name] for figures in repetitions] for name in row.figures}
    value = summary([row.value(*figures) for figures in zip(*by_figure.values(), strict=True)])
    reached = verdict(value["value"], row.goal, row.floor, lower_is_better=row.lower_is_better)
    return {
        "key": row.key,
        "what": row.what,
        "unit": row.unit,
        "goal": row.goal,
        "floor": row.floor,
        "lower_is_better": row.lower_is_better,
        **value,
        "reached": reached,
        "measured": {
            name: {"unit": _UNITS.get(name.partition(".")[0], PLAYING), **summary(values)}
            for name, values in by_figure.items()
        },
    }
