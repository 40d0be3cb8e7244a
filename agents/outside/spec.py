"""What names a bot: "cmd:./bot --flag", or with limits "cmd[move=2,on_failure=random]:./bot".

"model:NAME" names the bot that asks a language model (see `model`), and "model[track=rules]:NAME"
the same with options of it.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import MIB, short_repr

OnFailure = Literal["lose", "random", "stop"]
ON_FAILURE: tuple[str, ...] = get_args(OnFailure)
_SPEC = re.compile(r"(?:cmd|model)(?:\[([^\]]*)\])?:(.*)", re.DOTALL)


_KEYS = ("OPENAI_API_KEY",)
_PATIENT = "move=600,game=36000,start=60,tries=3"  # limits of language models


@dataclass(frozen=True)
class Limits:
    """What a bot may take; what goes beyond is a failure."""

    move: float = 10.0  # seconds for a decision; decisions that are asked at once add up
    game: float = 600.0  # seconds for all its decisions of a game
    start: float = 20.0  # seconds until it has said hello
    memory: int = 0  # MiB of address space of each of its processes; 0 for no limit
    output: int = 1  # MiB that it may write for an answer
    tries: int = 2  # answers to a decision; after each illegal one it is told why
    restarts: int = 3  # times that it is started again after it died or was ended
    #: After a failure a random legal action is played. "lose" also counts the game as lost, and
    #: "stop" ends the run.
    on_failure: OnFailure = "lose"

    @property
    def output_bytes(self) -> int:
        """Bytes that it may write for an answer."""
        return self.output * MIB


@dataclass(frozen=True)
class Command:
    """A bot as it was named."""

    spec: str
    words: tuple[str, ...]  # the program and its arguments
    is_model: bool = False  # whether it asks a language model, and so reads a key
    limits: Limits = field(default_factory=Limits)

    @property
    def environment(self) -> dict[str, str]:
        """The variables of its process: all, but the key of a model only for what asks one."""
        return {n: v for n, v in os.environ.items() if self.is_model or n not in _KEYS}

    @property
    def files(self) -> list[Path]:
        """The files among its words, such as a script, by which another version is told apart."""
        return [path for word in self.words if len(word) < 1000 and (path := Path(word)).is_file()]


def parse_command(spec: Any) -> Command | None:
    """Returns the bot that a spec names; None if it names something else.

    The command is split into words as a shell would, but no shell runs it.

    Raises:
        AgentError: the command is empty or cannot be split, or a limit has a wrong value.
    """
    if not isinstance(spec, str) or (found := _SPEC.fullmatch(spec)) is None:
        return None
    if spec.startswith("model"):
        return _model(spec, found[1] or "", found[2])
    try:
        words = shlex.split(found[2])
    except ValueError as error:
        raise AgentError(f"agent {short_repr(spec)}: {error}".rstrip(".").lower()) from error
    if not words or "\0" in spec:
        raise AgentError(f"agent {short_repr(spec)}: no command follows; try cmd:./bot")
    return Command(spec, tuple(words), limits=_limits(spec, found[1] or ""))


def _model(spec: str, text: str, name: str) -> Command:
    """Returns the bot that asks a language model; options that are no limits are the model's."""
    if not name.strip() or name.startswith("-") or "\0" in spec:
        raise AgentError(f"agent {short_repr(spec)}: no model follows; try model:NAME")
    own, options = list[str](), list[str]()
    limits = {each.name for each in fields(Limits)}
    for part in filter(None, text.split(",")):
        key, _, value = (word.strip() for word in part.partition("="))
        if key in limits:
            own.append(part)
        else:
            options += [f"--{key.replace('_', '-')}", *value.split()]
    words = (sys.executable, "-m", "gonzaga_agents.outside.model", "play", name, *options)
    return Command(spec, words, True, _limits(spec, ",".join((_PATIENT, *own))))


def _limits(spec: str, text: str) -> Limits:
    kinds: dict[str, Any] = {each.name: each.default for each in fields(Limits)}
    values: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = (word.strip() for word in part.partition("="))
        usual = kinds.get(name)
        try:
            if usual is None:
                raise ValueError(name)
            number = value if isinstance(usual, str) else type(usual)(value)
            if number not in ON_FAILURE if isinstance(number, str) else not 0 <= number < 1e6:
                raise ValueError(value)
        except ValueError:
            known = ", ".join(f"{key}={kinds[key]}" for key in kinds)
            raise AgentError(
                f"agent {short_repr(spec)}: {short_repr(part)} is no limit; there are {known}, and "
                f"on_failure takes {', '.join(ON_FAILURE)}"
            ) from None
        values[name] = number
    return replace(Limits(), **values)


def with_on_failure(specs: Sequence[Any], on_failure: OnFailure | None) -> tuple[Any, ...]:
    """Returns specs of agents; bots that do not say what follows a failure get `on_failure`."""
    return tuple(_with(spec, on_failure) for spec in specs)


def _with(spec: Any, on_failure: OnFailure | None) -> Any:
    if on_failure is None or parse_command(spec) is None:
        return spec
    found = _SPEC.fullmatch(spec)
    assert found is not None  # it has been parsed
    limits = found[1] or ""
    if "on_failure" in limits:
        return spec
    kind = spec.partition(":")[0].partition("[")[0]
    return f"{kind}[{limits}{',' * bool(limits)}on_failure={on_failure}]:{found[2]}"
