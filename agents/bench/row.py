"""The file that a run writes: one JSON object with everything that repeats the run.

| field | content |
|---|---|
| `bench`, `task`, `about` | version, name and content of the task, with the digests of the field |
| `name`, `track`, `budget` | the row's name, its track, and turns that a training may take |
| `agents` | for each training seed: spec, digests, "checked" or "declared", turns, command |
| `deals` | which deals: test deals with their commitment, or a development set; how many |
| `seed` | of the agents' choices |
| `command` | the run's command |
| `sessions` | when, with which code, versions and machine the games were played |
| `complete`, `partial` | whether all games are there, and whether they are fewer than the task's |
| `field_differs` | opponents that play differently here than where they were pinned |
| `results` | see `results`; None before the row is complete |
| `units` | the games: a text for each deal (see `play.Games`) |
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from gonzaga_env.tabletop.bounded import parse_json, read_file
from gonzaga_env.tabletop.bounded.limits import DESCRIPTION_BYTES
from gonzaga_env.tabletop.writing import write_aside

from .pins import Pin
from .play import Games, Unit, UnitKey, units_of
from .results import Measured, results_of
from .tasks import (
    VERSION,
    BenchError,
    Task,
    commitment,
    development_secret,
    revealed_secret,
    task_of,
)

TEST, DEVELOPMENT = "test", "development"
_TEXTS = ("task", "name", "track", "command")
_FIELDS = (
    *("bench", *_TEXTS, "about", "budget", "agents", "deals", "seed", "sessions", "complete"),
    *("partial", "field_differs", "results", "units"),
)


@dataclass
class Row:
    """A run, finished or not.

    Attributes:
        about: the file's fields except `complete`, `results` and `units`.
        games: of the units that are finished, by `Unit.key`.
    """

    about: dict[str, Any]
    games: dict[UnitKey, Games] = field(default_factory=dict)

    @cached_property
    def task(self) -> Task:
        """The task as it was when the run began."""
        return task_of(self.about["task"], self.about["about"])

    @property
    def name(self) -> str:
        """The row's name."""
        return str(self.about["name"])

    @property
    def pins(self) -> list[Pin]:
        """What identifies the agents, one for each training seed."""
        return [Pin.of_dict(agent) for agent in self.about["agents"]]

    @property
    def num_deals(self) -> int:
        """Deals against each opponent."""
        return int(self.about["deals"]["number"])

    @property
    def is_test(self) -> bool:
        """Whether the deals are the test deals."""
        return bool(self.about["deals"]["set"] == TEST)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The specs of the field."""
        return tuple(opponent.pin.spec for opponent in self.task.field)

    def units(self) -> list[Unit]:
        """Returns all units of the run.

        Raises:
            BenchError: the deals are not those of this version.
        """
        deals = self.about["deals"]
        if self.is_test and deals["commitment"] != commitment():
            raise BenchError("played on test deals of another version of gonzaga-bench")
        secret = revealed_secret() if self.is_test else development_secret(deals["development"])
        specs = [pin.spec for pin in self.pins]
        return units_of(self.task, specs, self.num_deals, secret, self.about["seed"])

    def missing(self) -> list[Unit]:
        """Returns the units that are not finished."""
        return [unit for unit in self.units() if unit.key not in self.games]

    def by_opponent(self) -> list[list[Games]]:
        """Returns the games of each agent against each opponent, [S][O]; all units are there."""
        return [
            [self._joined(agent, opponent) for opponent in self.opponents]
            for agent in range(len(self.about["agents"]))
        ]

    def _joined(self, agent: int, opponent: str) -> Games:
        keys = sorted(key for key in self.games if key[:2] == (agent, opponent))
        lines = [line for key in keys for line in self.games[key].as_lines()]
        return Games.of_lines(lines, self.task.players)

    def measured(self) -> Measured:
        """Returns what the games show; all units are there."""
        return Measured.of(self.opponents, self.by_opponent())

    def results(self, ratings: Mapping[str, float | None] | None = None) -> dict[str, Any]:
        """Returns the results; all units are there.

        Args:
            ratings: of the field; None takes those that the task had.
        """
        own = {opponent.pin.spec: opponent.rating for opponent in self.task.field}
        return results_of(self.measured(), self.by_opponent(), own if ratings is None else ratings)

    def write(self, path: Path) -> None:
        """Writes the file, aside first, so that it is whole at all times.

        Raises:
            OSError: it cannot be written.
        """
        is_complete = not self.missing()
        units = [
            {"agent": agent, "opponent": opponent, "first": first, "games": games.as_lines()}
            for (agent, opponent, first), games in sorted(self.games.items())
        ]
        content = {
            **self.about,
            "complete": is_complete,
            "results": self.results() if is_complete else None,
            "units": units,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_aside(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read_row(path: Path) -> tuple[Row, dict[str, Any] | None]:
    """Returns the run that a file holds, and the results that it states; None if it is unfinished.

    Raises:
        BenchError: it cannot be read, or is not the result of a run of this version.
    """
    try:
        content = parse_json(read_file(path, DESCRIPTION_BYTES))
    except OSError as error:
        raise BenchError(f"{path}: can't be read: {error.strerror}") from error
    except ValueError as error:
        raise BenchError(f"{path}: {error}") from error
    try:
        return _parse(content)
    except BenchError as error:
        raise BenchError(f"{path}: {error}") from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BenchError(f"{path}: is not a result of gonzaga-bench: {error!r}") from error


def _parse(content: Any) -> tuple[Row, dict[str, Any] | None]:
    if not isinstance(content, dict) or "bench" not in content:
        raise BenchError("is not a result of gonzaga-bench")
    if content["bench"] != VERSION:
        raise BenchError(f"was made by gonzaga-bench {content['bench']}; this is {VERSION}")
    if missing := [name for name in _FIELDS if name not in content]:
        raise BenchError(f"has no {missing[0]}")
    if wrong := [name for name in _TEXTS if not isinstance(content[name], str)]:
        raise BenchError(f"{wrong[0]} takes a text")
    about = {k: v for k, v in content.items() if k not in ("complete", "results", "units")}
    row = Row(about)
    players, sizes = row.task.players, {unit.key: unit.deals for unit in row.units()}
    for unit in content["units"]:
        key = unit["agent"], unit["opponent"], unit["first"]
        if key not in sizes or len(unit["games"]) != sizes[key]:
            raise BenchError(f"has games that are not of the run, or not all: {key}")
        row.games[key] = Games.of_lines(unit["games"], players)
    if content["complete"] and len(row.games) != len(sizes):
        raise BenchError("lacks games, and says that it is complete")
    return row, content["results"]
