"""The agents of a tournament, identified by their specs and by the files that these name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from gonzaga_env.tabletop.errors import OptionError

from ..outside.spec import parse_command
from ..policies.shipped import shipped_files
from ..registry import (
    check_name,
    find_checkpoint,
    find_policy,
    known_elsewhere,
    plays_shipped,
    search_current_folder,
)

_DIGITS = 12  # of the digest; enough to tell the files of one tournament apart


@dataclass(frozen=True)
class Entrant:
    """An agent of a tournament."""

    spec: str  # what names it (see `make_agent`)
    # of the checkpoint, the Python file or the shipped policies that the spec names; None if it
    # names none
    digest: str | None = None

    @property
    def key(self) -> str:
        """The agent's name in results, which changes when its file changes."""
        return self.spec if self.digest is None else f"{self.spec}#{self.digest}"


def identify(spec: str) -> Entrant:
    """Returns the entrant that a spec names, with the digest of its file as it is now.

    Raises:
        OptionError: the spec is not UTF-8.
        AgentError: the spec is a folder without a checkpoint.
        OSError: the file cannot be read.
    """
    check_name(spec)
    contents = [path.read_bytes() for path in agent_files(spec)]
    return Entrant(spec, sha256(b"".join(contents)).hexdigest()[:_DIGITS] if contents else None)


def identify_all(specs: Sequence[str]) -> list[Entrant]:
    """Returns the entrants of a tournament.

    Raises:
        AgentError: a spec is a folder without a checkpoint.
        OptionError: fewer than two agents, or the same agent twice.
    """
    if len(specs) < 2:
        named = "no agent is" if not specs else f"only {specs[0]} is"
        raise OptionError(f"{named} named; a tournament takes two or more, such as: random greedy")
    seen: dict[str, str] = {}
    for spec in specs:
        path = find_checkpoint(spec) if Path(spec).exists() else None  # the whole spec is a path
        identity = spec if path is None else str(path.resolve())
        if identity in seen:
            other = seen[identity]
            twice = "is named twice" if other == spec else f"is the same checkpoint as {other}"
            raise OptionError(f"{spec} {twice}; name each agent once")
        seen[identity] = spec
    return [identify(spec) for spec in specs]


def agent_files(spec: str) -> list[Path]:
    """Returns the checkpoint, the Python file, the shipped policies or a bot's files of a spec.

    Examples: "runs/first", "search@64:runs/first", "mine.py:MyAgent", "mine:MyAgent", "learned".
    The policies of all numbers of players count, so a new one for four makes another agent for two.

    Raises:
        AgentError: the spec is a folder without a checkpoint.
    """
    spec = known_elsewhere(spec)
    if (command := parse_command(spec)) is not None:
        return command.files
    if plays_shipped(spec):
        return shipped_files()
    if (folder := find_policy(spec)) is not None:
        return sorted(folder.glob("players_*.*"))
    path, source = find_checkpoint(spec), spec.rpartition(":")[0]
    if path is None and source.endswith(".py"):
        path = Path(source) if Path(source).is_file() else None
    elif path is None and source:
        path = _module_file(source)
    return [] if path is None else [path]


def _module_file(name: str) -> Path | None:
    """Returns the file of a module; None if there is none."""
    search_current_folder(name)
    with suppress(Exception):  # of a package, whose code runs; `make_agent` says what is wrong
        found = find_spec(name)
        if found is not None and found.has_location and found.origin is not None:
            return Path(found.origin)
    return None
