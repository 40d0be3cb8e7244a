"""The file that a run writes: one JSON object with everything that repeats the run.

| field | content |
|---|---|
| `bench`, `task`, `about` | version, name and content of the task, with the digests of the field |
| `name`, `track`, `budget` | the row's name, its track, and turns that a training may take |
| `agents` | for each training seed: spec, digests, "checked" or "declared", turns, command |
| `deals` | which deals: test deals with their commitment, or a development set; how many |
| `seed` | of the agents' choices; `TEST_SEED` on test deals |
| `command` | the run's command |
| `sessions` | when, with which code, versions and machine the games were played |
| `complete`, `partial` | whether all games are there, and whether they are fewer than the task's |
| `field_differs` | opponents that play differently here than where they were pinned |
| `results` | see `results`; None before the row is complete |
| `units` | the games: a text for each deal (see `play.UnitGames`) |

A file has these fields and no others, and nothing in it is larger than games can make it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from gonzaga_env.tabletop.bounded import file_errors, parse_json, read_file, short_repr
from gonzaga_env.tabletop.bounded.limits import DESCRIPTION_BYTES
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.writing import write_aside

from .pins import Pin
from .play import Unit, UnitGames, UnitKey, units_of
from .results import Measured, results_of
from .tasks import (
    VERSION,
    BenchError,
    Task,
    commitment,
    development_secret,
    find_task,
    revealed_secret,
    task_names,
    task_of,
)
from .tracks import TRACKS

TEST, DEVELOPMENT = "test", "development"
TEST_SEED = 0
"""Of the agents' choices on test deals, so that nobody can pick a lucky one."""
_TYPES: dict[str, Any] = {
    **dict.fromkeys(("task", "name", "track", "command"), str),
    **dict.fromkeys(("about", "deals"), dict),
    **dict.fromkeys(("agents", "sessions", "field_differs", "units"), list),
    **dict.fromkeys(("complete", "partial"), bool),
    **{"bench": int, "budget": int | None, "seed": int, "results": dict | None},
}
_PIN: dict[str, Any] = {"spec": str, "files": dict, "plays": str | None}
_OPPONENT: dict[str, Any] = {**_PIN, "rating": int | float | None}
_AGENT: dict[str, Any] = {**_PIN, "track": str, "turns": int | None, "trained": str | None}
_DEALS: dict[str, dict[str, Any]] = {
    TEST: {"set": str, "number": int, "commitment": str},
    DEVELOPMENT: {"set": str, "number": int, "development": int},
}
_UNIT: dict[str, Any] = {"agent": int, "opponent": str, "first": int, "games": list}
_SESSION: dict[str, Any] = {
    **{"date": str, "commit": str | None, "code": str, "versions": dict, "machine": dict},
}
_MACHINE: dict[str, Any] = {"cpu": str, "cores": int | None, "system": str, "python": str}
_MOST_RATING = 10**4


@dataclass
class Row:
    """A run, finished or not."""

    about: dict[str, Any]  # the file's fields except `complete`, `results` and `units`
    # of the units that are finished, by `Unit.key`
    games: dict[UnitKey, UnitGames] = field(default_factory=dict)

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
    def version(self) -> str:
        """The version of this package that played its last games, as the file declares it."""
        return str(self.about["sessions"][-1]["versions"]["gonzaga_env"])

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

    def by_opponent(self) -> list[list[UnitGames]]:
        """Returns the games of each agent against each opponent, [S][O]; all units are there."""
        return [
            [self._joined(agent, opponent) for opponent in self.opponents]
            for agent in range(len(self.about["agents"]))
        ]

    def _joined(self, agent: int, opponent: str) -> UnitGames:
        keys = [key for key in sorted(self.games) if key[:2] == (agent, opponent)]
        return UnitGames.concatenate([self.games[key] for key in keys])

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
    with file_errors(path, BenchError):
        content = parse_json(read_file(path, DESCRIPTION_BYTES))
    try:
        return _parse(content)
    except BenchError as error:
        raise BenchError(f"{path}: {error}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BenchError(f"{path}: is not a result of gonzaga-bench: {error!r}") from error


def _check_types(found: Mapping[str, Any], types: Mapping[str, Any]) -> None:
    for name, kind in types.items():
        if name not in found:
            raise BenchError(f"has no {name}")
        value = found[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BenchError(f"{name} is {short_repr(value)}")
    if unknown := sorted(found.keys() - types.keys()):
        raise BenchError(f"has a field {short_repr(unknown[0])}, which no run writes")


def _check(content: Mapping[str, Any]) -> None:
    """Raises BenchError for values of a type or size that no run writes."""
    _check_types(content, _TYPES)
    chosen = content["deals"].get("set")
    if chosen not in (TEST, DEVELOPMENT):
        raise BenchError(f"set of the deals is {short_repr(chosen)}; it takes test or development")
    _check_types(content["deals"], _DEALS[chosen])
    if chosen == TEST and content["seed"] != TEST_SEED:
        raise BenchError(f"seed is {short_repr(content['seed'])}; test deals take {TEST_SEED}")
    if not content["agents"] or not content["about"]["field"]:
        raise BenchError("names no agent or no opponent")
    for agent in content["agents"]:
        _check_types(agent, _AGENT)
    specs = [agent["spec"] for agent in content["agents"]]
    if len({*specs}) < len(specs):
        raise BenchError("names an agent twice")
    for opponent in content["about"]["field"]:
        _check_types(opponent, _OPPONENT)
        if not abs(opponent["rating"] or 0) <= _MOST_RATING:
            raise BenchError(f"rating is {short_repr(opponent['rating'])}")
    _check_declared(content)
    if content["track"] not in TRACKS:
        raise BenchError(f"track is {short_repr(content['track'])}; it takes {', '.join(TRACKS)}")
    try:
        task, deals = find_task(content["task"]), content["deals"]["number"]
    except OptionError as error:
        named = short_repr(content["task"])
        raise BenchError(f"is of the task {named}, which is not here") from error
    if chosen == TEST and task.name not in task_names():
        raise BenchError(f"is of the test deals of {task.name}, which has none")
    if content["about"]["players"] != task.players or not 1 <= deals <= task.deals:
        raise BenchError(
            f"has {deals} deals of {short_repr(content['about']['players'])} players; "
            f"{task.name} takes 1 to {task.deals} of {task.players}"
        )
    if content["partial"] != (deals < task.deals):
        raise BenchError(f"says partial {content['partial']} with {deals} of {task.deals} deals")


def _check_declared(content: Mapping[str, Any]) -> None:
    """Raises BenchError for declared values that no run writes, which no game could disprove."""
    sessions, opponents = content["sessions"], [each["spec"] for each in content["about"]["field"]]
    if content["units"] and not sessions:
        raise BenchError("has games and no sessions, which say when and where they were played")
    for session in sessions:
        _check_types(session, _SESSION)
        _check_types(session["machine"], _MACHINE)
        date.fromisoformat(session["date"])
        if "gonzaga_env" not in session["versions"]:
            raise BenchError("has a session without a version of gonzaga_env")
    differs = content["field_differs"]
    if not all(each in opponents for each in differs):
        raise BenchError(f"field_differs is {short_repr(differs)}; it takes opponents")
    texts = {"name": content["name"], "command": content["command"]}
    for agent in content["agents"]:  # several commands may have several lines
        texts[f"trained of {agent['spec']}"] = (agent["trained"] or "").replace("\n", " ")
    for session in sessions:
        texts |= {f"{name} of a session": session[name] for name in ("commit", "code")}
        texts |= session["versions"] | session["machine"]
    for name, text in texts.items():
        if isinstance(text, str) and not text.isprintable():
            raise BenchError(f"{name} is {short_repr(text)}; it takes one line")


def _parse(content: Any) -> tuple[Row, dict[str, Any] | None]:
    if not isinstance(content, dict) or "bench" not in content:
        raise BenchError("is not a result of gonzaga-bench")
    if content["bench"] != VERSION:
        raise BenchError(
            f"was made by gonzaga-bench {short_repr(content['bench'])}; this is {VERSION}. "
            "The file names the gonzaga_env that reads it"
        )
    _check(content)
    about = {k: v for k, v in content.items() if k not in ("complete", "results", "units")}
    row = Row(about)
    players, sizes = row.task.players, {unit.key: unit.deals for unit in row.units()}
    for unit in content["units"]:
        _check_types(unit, _UNIT)
        key = unit["agent"], unit["opponent"], unit["first"]
        if key in row.games or len(unit["games"]) != sizes.get(key):
            raise BenchError(f"has games that are not of the run, twice or not all: {key}")
        row.games[key] = UnitGames.of_lines(unit["games"], players)
    is_complete = len(row.games) == len(sizes)
    if (content["complete"], content["results"] is not None) != (is_complete, is_complete):
        raise BenchError(f"has {len(row.games)} of {len(sizes)} units, and says something else")
    return row, content["results"]
