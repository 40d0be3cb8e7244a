"""Who takes part: agents by their specs, told apart by the files that the specs name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from gonzaga_env.core.errors import OptionError

from ..registry import find_checkpoint

_DIGITS = 12  # of the digest; enough to tell the files of one tournament apart


@dataclass(frozen=True)
class Entrant:
    """An agent of a tournament.

    Attributes:
        spec: what names it (see `make_agent`).
        digest: of the checkpoint or Python file that the spec names; None if it names none.
    """

    spec: str
    digest: str | None = None

    @property
    def key(self) -> str:
        """The agent's name in results, which changes when its file changes."""
        return self.spec if self.digest is None else f"{self.spec}#{self.digest}"


def identify(spec: str) -> Entrant:
    """Returns the entrant that a spec names, with the digest of its file as it is now.

    Raises:
        AgentError: the spec is a folder without a checkpoint.
        OSError: the file cannot be read.
    """
    path = agent_file(spec)
    return Entrant(spec, None if path is None else sha256(path.read_bytes()).hexdigest()[:_DIGITS])


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


def agent_file(spec: str) -> Path | None:
    """Returns the checkpoint or Python file that a spec names; None if it names none.

    Examples: "runs/first", "search@64:runs/first", "mine.py:MyAgent", "mine:MyAgent".

    Raises:
        AgentError: the spec is a folder without a checkpoint.
    """
    if (path := find_checkpoint(spec)) is not None:
        return path
    source = spec.rpartition(":")[0]
    if source.endswith(".py"):
        return Path(source) if Path(source).is_file() else None
    return _module_file(source) if source else None


def _module_file(name: str) -> Path | None:
    """Returns the file of a module; None if there is none."""
    with suppress(Exception):  # of a package, whose code runs; `make_agent` says what is wrong
        found = find_spec(name)
        if found is not None and found.has_location and found.origin is not None:
            return Path(found.origin)
    return None
