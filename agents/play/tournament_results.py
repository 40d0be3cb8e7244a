"""The results file of a tournament: JSON lines that are only ever added to.

| line | content |
|---|---|
| the first | what is played: edition, scenario, rules, seed, versions |
| a session | when and at which commit the following games were played |
| a game | deal, rotation, agents, scores, winners, rounds |

A line that a crash cut short is dropped, and its game is played again. Any other fault is reported
with its line, and the file is left as it is. The agents' names are for display and comparison only:
those who play are named by the caller.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import (
    GAME_POINTS,
    GAME_ROUNDS,
    RESULTS_LINE,
    parse_json,
    short_repr,
)
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.writing import remove_leftovers
from gonzaga_env.version import __version__

from ..locks import Log, read_log
from .evaluate import describe_game
from .games import MOST_DEALS
from .tournament_games import GameResult


def find_commit() -> str | None:
    """Returns the checkout's commit, "-dirty" if files differ from it; None without a checkout."""
    here = Path(__file__)
    try:
        for command in (
            ["ls-files", "--error-unmatch", here.name],
            ["describe", "--always", "--dirty", "--exclude=*"],
        ):
            done = subprocess.run(
                ["git", "-C", str(here.parent), *command],
                capture_output=True,
                text=True,
                check=True,
            )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


#: Version of the file's layout, and of what a seed means.
FORMAT = 2
_START = b'{"tournament": '  # of every results file
_FOREIGN = "not the results of a tournament; take another --out"


@dataclass(frozen=True)
class Session:
    """When games were played, and with which code."""

    date: str  # such as "2026-11-21"
    commit: str | None  # the checkout's commit; None for an installed package


@dataclass
class Results:
    """What a results file holds; only one process at a time may open it to add games."""

    path: Path  # the file
    header: dict[str, Any]  # what is played
    sessions: list[Session] = field(default_factory=list)  # one for each time that games were added
    games: list[GameResult] = field(default_factory=list)  # all games, in the order of the file
    size: int = 0  # bytes of complete lines when it was read; what followed was cut short
    _log: Log | None = None  # None if it was only read

    def start_session(self, session: Session) -> None:
        """Adds a line that says when the following games were played."""
        self._write([{"session": asdict(session)}])
        self.sessions.append(session)

    def add(self, games: Sequence[GameResult]) -> None:
        """Adds games."""
        self._write([asdict(game) for game in games])
        self.games.extend(games)

    def _write(self, lines: Sequence[dict[str, Any]]) -> None:
        assert self._log is not None
        self._log.write(*(json.dumps(line, ensure_ascii=False) for line in lines))


def header_of(config: Config, seed: int) -> dict[str, Any]:
    """Returns the first line of a results file."""
    return {
        "tournament": FORMAT,
        **describe_game(config),
        "seed": seed,
        "versions": {"gonzaga_env": __version__, **game_spec(config.game).versions},
    }


def read_results(path: Path, header: dict[str, Any]) -> Results:
    """Returns what a results file holds; nothing if it does not exist or has no complete line.

    Args:
        path: the file.
        header: what it has to be of (see `header_of`).

    Raises:
        OptionError: it cannot be read, is broken, or is of another tournament.
    """
    lines, cut_short = read_log(path, OptionError)
    if not lines and not cut_short.startswith(_START[: len(cut_short)]):
        raise OptionError(f"{path}, line 1: {_FOREIGN}")
    players = game_spec(header.get("game", DEFAULT_GAME)).players
    results = Results(path, header, size=sum(len(line) + 1 for line in lines))
    seen: dict[Any, int] = {}
    for number, line in enumerate(lines, start=1):
        try:
            parsed = _parse(line)
            if number == 1:
                _check_header(parsed, header)
            elif "session" in parsed:
                results.sessions.append(_session(parsed["session"]))
            else:
                game = _game(parsed, players)
                if seen.setdefault(game.id, number) != number:
                    raise ValueError(f"the same game as in line {seen[game.id]}")
                results.games.append(game)
        except ValueError as error:
            raise OptionError(f"{path}, line {number}: {error}") from error
    return results


def read_seed(path: Path) -> int | None:
    """Returns the seed of a results file; None if it has none, which `read_results` explains."""
    if not path.is_file():  # a pipe would wait for a writer
        return None
    try:
        with path.open("rb") as file:
            seed: Any = _parse(file.readline(RESULTS_LINE)).get("seed")
    except (OSError, ValueError):
        return None
    return int(seed) if is_integer(seed) and seed >= 0 else None


def _parse(line: bytes) -> dict[str, Any]:
    if len(line) > RESULTS_LINE:
        raise ValueError(f"longer than {RESULTS_LINE:,} bytes")
    parsed = parse_json(line)
    if not isinstance(parsed, dict):
        raise ValueError("not a JSON object")
    return parsed


def _check_header(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raises ValueError, which names the first difference."""
    if "tournament" not in found:
        raise ValueError(_FOREIGN)
    for name, want in wanted.items():
        have = found.get(name)
        parts = [(name, have, want)]
        if isinstance(want, dict) and isinstance(have, dict):
            parts = [(key, have.get(key), value) for key, value in want.items()]
        for part, was, wished in parts:
            if was != wished:
                raise ValueError(
                    f"was made for {part.replace('_', ' ')} {short_repr(was)}, not "
                    f"{short_repr(wished)}; take another --out"
                )


def _fields(parsed: Any, kind: type) -> dict[str, Any]:
    """Returns a line's fields; ValueError names those that are missing or unknown."""
    names = [f.name for f in fields(kind)]
    if not isinstance(parsed, dict) or set(parsed) != set(names):
        what = "session" if kind is Session else "game"
        raise ValueError(f"a {what} has the fields {', '.join(names)}")
    return parsed


def _session(parsed: Any) -> Session:
    """Returns a session; ValueError says what is wrong."""
    session = Session(**_fields(parsed, Session))
    for name, value in asdict(session).items():
        is_text = isinstance(value, str) and value.isprintable()
        if not is_text and (name, value) != ("commit", None):
            raise ValueError(f"{name} is {short_repr(value)}; it takes a text of one line")
    return session


def _game(parsed: dict[str, Any], possible: Sequence[int]) -> GameResult:
    """Returns a game; ValueError says what is wrong."""
    values = _fields(parsed, GameResult)
    agents, scores, winners = values["agents"], values["scores"], values["winners"]
    players = len(agents) if isinstance(agents, list) else 0
    if players not in possible or not all(isinstance(agent, str) for agent in agents):
        raise ValueError(f"agents takes {min(possible)} to {max(possible)} names")
    if not _integers(scores) or len(scores) != players or max(map(abs, scores)) > GAME_POINTS:
        raise ValueError(f"scores takes an integer up to {GAME_POINTS:,} for each agent")
    best = [seat for seat in range(players) if scores[seat] == max(scores)]
    if not _integers(winners) or not winners or not set(winners) <= set(best):
        raise ValueError(f"winners takes seats of {best}, which have the highest score")
    if len({*winners}) < len(winners):
        raise ValueError(f"winners names a seat twice: {short_repr(winners)}")
    for name, limit in (("deal", MOST_DEALS), ("rotation", players), ("rounds", GAME_ROUNDS)):
        value = values[name]
        if not is_integer(value) or not 0 <= value < limit:
            raise ValueError(f"{name} is {short_repr(value)}")
    lists = {"agents": tuple(agents), "scores": tuple(scores), "winners": tuple(winners)}
    return GameResult(**(values | lists))


def _integers(values: Any) -> bool:
    return isinstance(values, list) and all(is_integer(value) for value in values)


@contextmanager
def open_results(path: Path, header: dict[str, Any]) -> Iterator[Results]:
    """Opens a results file, and makes it if there is none.

    Args:
        path: the file; its folder is made.
        header: what is played (see `header_of`).

    Yields:
        What the file holds, to which games can be added. What a crash cut short is gone.

    Raises:
        OptionError: it is broken, of another tournament, or cannot be written. The file is left as
            it is.
        OptionError: another tournament writes to it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{path}: can't be written: {error.strerror}") from error
    with Log(path, "tournament") as log:
        remove_leftovers(path.parent)
        results = read_results(path, header)
        log.keep(results.size)
        results._log = log
        if not results.size:
            results._write([header])
        yield results
