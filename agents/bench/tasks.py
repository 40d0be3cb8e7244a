"""The tasks of gonzaga-bench: what is played, against whom, and on which deals.

`tasks.json` holds them, with a digest of everything that a result depends on. A task's name says
the game and the number of players: "gonzaga/2p".

**Maps.** The edition of a task such as "gonzaga/generated-2p" is a frozen set of maps. Deal i is
played on map i of the set, in the order of seeds, so that styles take turns.

**Deals.** All deals of a version follow from a secret of 128 random bits. The file holds the
secret's SHA-256 from the day it is drawn (the commitment), and the secret itself from the day on
which the reference rows are played. Deal i of a task has the seed

    first 53 bits of SHA-256(secret + "gonzaga-bench VERSION/TASK/i")

with the secret as its 16 bytes and the text in ASCII. Development deals have the same form: set n
is made from the number n as 16 bytes, most significant first, in place of the secret.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.editions.generating.named import digests_of, named_set
from gonzaga_env.games import DEFAULT_GAME, game_spec, registered_games
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import GameError, OptionError
from gonzaga_env.tabletop.writing import write_aside

from .pins import Pin, pin_of

VERSION = 2
"""Of the benchmark: results of different versions do not compare."""
PATH = Path(__file__).with_name("tasks.json")
SECRET_BYTES = 16
MOST_SETS = 2 ** (8 * SECRET_BYTES)
GAMES = ("gonzaga", "tuscany", "signorie")
FIELD = ("greedy", "planner", "learned")
"""Of every game. Agents that search are measured, but not in the field: they are little stronger
than `learned`, and would take most of a run's time."""
_DEALS = {2: 100, 3: 75, 4: 50}
"""About 200 games against each opponent."""
_FEWEST_DEALS = 25
TEST_MAPS = "generated:test"
"""The edition of the tasks on generated maps, which have a deal on each map."""
MAP_TASKS = {"gonzaga/generated-2p": 2, "gonzaga/generated-4p": 4}
"""Those tasks, and their numbers of players."""
EASY_FIELD = ("random", "greedy")
"""The field of tasks that tell agents apart which still lose every game against the others."""
EASY_TASKS = {f"{game}/easy-{players}p": (game, players) for game in GAMES for players in (2, 4)}
"""Those tasks, and their games and numbers of players."""
_SEED_BITS = 53  # seeds of games stay exact in every reader of JSON


class BenchError(GameError, ValueError):
    """A task, a result or an agent that gonzaga-bench cannot use."""


@dataclass(frozen=True)
class Opponent:
    """An agent of the field."""

    pin: Pin  # what identifies it
    rating: float | None = None  # its fixed rating; None before it was measured


@dataclass(frozen=True)
class Task:
    """A game, an edition, rules, a field of opponents and a number of deals."""

    name: str  # such as "gonzaga/2p" or "gonzaga/generated-2p"
    game: str  # the game's name
    players: int  # P
    deals: int  # D; each is played once per player and opponent
    edition: str  # a shipped edition's name, or that of a frozen set of maps
    edition_hash: str  # digest of its content; of a set, see `maps_digest`
    # the other arguments of the game's configuration, such as the rules, spelled out
    options: Mapping[str, Any]
    versions: Mapping[str, int]  # of the actions and observations
    field: tuple[Opponent, ...]  # the opponents, the weakest first

    @cached_property
    def config(self) -> Any:
        """What is played; of a task on many maps, what deal 0 is.

        Raises:
            BenchError: this package plays something other than the task.
        """
        return self.config_of(0)

    @cached_property
    def maps(self) -> dict[str, str]:
        """The maps of the deals in their order, with their digests; none where all share one."""
        return maps_of(self.edition)

    def config_of(self, deal: int) -> Any:
        """Returns what a deal is played on.

        Args:
            deal: its number, from 0.

        Raises:
            BenchError: this package plays something other than the task.
        """
        spec, maps = game_spec(self.game), [*self.maps]
        edition = maps[deal % len(maps)] if maps else self.edition
        config: Any = spec.written_config(num_players=self.players, edition=edition, **self.options)
        own = self.maps.get(edition, self.edition_hash)
        is_set = not maps or maps_digest(self.edition) == self.edition_hash
        rules = self.options["rules"].items() <= config.rules.as_dict().items()
        found = config.edition.digest, dict(spec.versions)
        if found != (own, dict(self.versions)) or not is_set or not rules:
            raise BenchError(
                f"{self.name}: this package has another edition, other rules or another layout "
                f"than gonzaga-bench {VERSION}; install the version that the result was made with"
            )
        return config

    def as_dict(self) -> dict[str, Any]:
        """Returns the task as plain data, as `tasks.json` and results have it."""
        plain = asdict(self)
        del plain["name"]
        plain["field"] = [
            {**opponent.pin.as_dict(), "rating": opponent.rating} for opponent in self.field
        ]
        return plain

    def difference_from(self, other: Task, *, field: bool = True) -> str | None:
        """Returns the first difference from another task, except for ratings, or None.

        Args:
            other: the task as it is here.
            field: whether opponents count.
        """
        there, here = self.as_dict(), other.as_dict()
        for name in here:
            if name != "field" and there[name] != here[name]:
                return f"{name} of the task is {there[name]!r}; here it is {here[name]!r}"
        if field and len(self.field) != len(other.field):
            return f"was played against {len(self.field)} opponents; here are {len(other.field)}"
        for own, wanted in zip(self.field, other.field, strict=True) if field else ():
            if own.pin != wanted.pin:
                return f"was played against another {own.pin.spec} than the field's present one"
        return None

    def deal_seeds(self, secret: bytes, numbers: Sequence[int]) -> NDArray[np.uint64]:
        """Returns the seeds of some deals, [len(numbers)].

        Args:
            secret: of the deals, 16 bytes.
            numbers: of the deals, from 0.
        """
        seeds = [int.from_bytes(self.stream(secret, number)[:8], "big") for number in numbers]
        return np.array([seed >> (64 - _SEED_BITS) for seed in seeds], dtype=np.uint64)

    def stream(self, secret: bytes, what: object) -> bytes:
        """Returns 32 bytes that depend on the secret, the task and what they are for."""
        return sha256(secret + f"gonzaga-bench {VERSION}/{self.name}/{what}".encode()).digest()


def maps_of(edition: str) -> dict[str, str]:
    """Returns the maps of a frozen set by the order of seeds, with their digests.

    Args:
        edition: the set, such as "generated:test"; of any other edition, there are none.
    """
    return digests_of(sorted(named_set(edition), key=lambda name: int(name.rpartition("-")[2])))


def maps_digest(edition: str) -> str:
    """Returns the SHA-256 of the digests of a frozen set's maps, in the order of `maps_of`."""
    return sha256("".join(maps_of(edition).values()).encode()).hexdigest()


def task_of(name: str, plain: Mapping[str, Any]) -> Task:
    """Returns a task from plain data; the inverse of `Task.as_dict`."""
    field = tuple(Opponent(Pin.of_dict(each), each["rating"]) for each in plain["field"])
    return Task(name=name, **{**plain, "field": field})


@cache
def _content() -> dict[str, Any]:
    return json.loads(PATH.read_text("utf-8"))


def task_names() -> tuple[str, ...]:
    """Returns the names of all tasks."""
    return tuple(_content()["tasks"])


def find_task(name: str) -> Task:
    """Returns a task by its name: one of `task_names`, or of a registered game of another package.

    Raises:
        OptionError: there is no such task.
    """
    if name in task_names():
        return task_of(name, _content()["tasks"][name])
    if name not in own_task_names():
        names = ", ".join((*task_names(), *own_task_names()))
        raise OptionError(f"there is no task {short_repr(name)}; take {names}")
    game, _, players = name.partition("/")
    return new_task(game, int(players.removesuffix("p")))


def own_task_names() -> tuple[str, ...]:
    """Returns the names of tasks of other packages' games; they have development deals only."""
    others = [game_spec(game) for game in registered_games() if game not in GAMES]
    return tuple(f"{spec.name}/{players}p" for spec in others for players in spec.players)


def field_of(game: str) -> tuple[str, ...]:
    """Returns the agents that a game's tasks are played against, the weakest first.

    Of another package's game, these are all agents that it names, or "random" if it names none.
    """
    if game in GAMES:
        return FIELD
    return tuple(game_spec(game).parts.agents) or ("random",)


def new_task(game: str, players: int, field: Sequence[str] | None = None) -> Task:
    """Returns the task of a game with its field as it is now, without ratings.

    Args:
        game: its name.
        players: P.
        field: the opponents; None takes those of the game (see `field_of`).
    """
    config: Any = game_spec(game).config(num_players=players)
    deals = _DEALS.get(players, _FEWEST_DEALS)
    edition = str(getattr(config.edition, "label", config.edition.name))
    name, digest = f"{game}/{players}p", config.edition.digest
    return _new_task(name, config, deals, edition, digest, field or field_of(game))


def new_easy_task(name: str) -> Task:
    """Returns one of the `EASY_TASKS` with its field as it is now, without ratings."""
    task = new_task(*EASY_TASKS[name], field=EASY_FIELD)
    return replace(task, name=name)


def new_map_task(name: str) -> Task:
    """Returns one of the `MAP_TASKS` with its field as it is now, without ratings."""
    maps = [*maps_of(TEST_MAPS)]
    config = game_spec(DEFAULT_GAME).config(num_players=MAP_TASKS[name], edition=maps[0])
    digest = maps_digest(TEST_MAPS)
    return _new_task(name, config, len(maps), TEST_MAPS, digest, field_of(DEFAULT_GAME))


def _new_task(
    name: str, config: Any, deals: int, edition: str, edition_hash: str, field: Sequence[str]
) -> Task:
    spec = game_spec(config.game)
    return Task(
        name=name,
        game=config.game,
        players=config.num_players,
        deals=deals,
        edition=edition,
        edition_hash=edition_hash,
        options={
            **({"scenario": None} if hasattr(config, "scenario") else {}),
            "rules": config.rules.as_dict(),
        },
        versions=dict(spec.versions),
        field=tuple(Opponent(pin_of(agent, config, is_opponent=True)) for agent in field),
    )


def commitment() -> str | None:
    """Returns the SHA-256 of the secret of the test deals; None before they are drawn."""
    found = deals_content()["commitment"]
    return None if found is None else str(found)


def revealed_secret() -> bytes:
    """Returns the secret of the test deals.

    Raises:
        BenchError: it is not revealed yet, or is not the one that was committed to.
    """
    found = deals_content()["secret"]
    if found is None:
        state = "drawn" if commitment() is None else "revealed"
        raise BenchError(
            f"the test deals of gonzaga-bench {VERSION} are not {state} yet; --development 0 "
            "plays other deals"
        )
    secret = bytes.fromhex(found)
    if commitment_of(secret) != commitment():
        raise BenchError("the secret of the test deals is not the one that was committed to")
    return secret


def development_secret(number: int) -> bytes:
    """Returns what set n of the development deals is made from.

    Raises:
        OptionError: there is no such set.
    """
    if not 0 <= number < MOST_SETS:
        raise OptionError(f"development is {number}; it takes 0 to {MOST_SETS - 1}")
    return number.to_bytes(SECRET_BYTES, "big")


def commitment_of(secret: bytes) -> str:
    """Returns what commits to a secret: its SHA-256, in hexadecimal digits."""
    return sha256(secret).hexdigest()


def write_tasks(deals: Mapping[str, Any], tasks: Sequence[Task]) -> None:
    """Writes the tasks.

    Args:
        deals: the commitment, and the secret or None.
        tasks: all of them.
    """
    content = {
        "bench": VERSION,
        "deals": dict(deals),
        "tasks": {task.name: task.as_dict() for task in tasks},
    }
    write_aside(PATH, json.dumps(content, indent=1) + "\n")
    _content.cache_clear()


def deals_content() -> dict[str, Any]:
    """Returns what the file says of this version's test deals: the commitment and the secret.

    Either is None until it is known.
    """
    is_present = _content()["bench"] == VERSION
    return dict(_content()["deals"]) if is_present else {"commitment": None, "secret": None}
