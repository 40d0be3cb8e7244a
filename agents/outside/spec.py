"""The names of bots: "cmd:./bot --flag", or with limits "cmd[move=2,on_failure=random]:./bot".

"model:NAME" names the bot that asks a language model (see `model`), and "model[calls=100]:NAME" the
same with options of it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import MIB, Json
from gonzaga_env.kernel.messages import short_repr

OnFailure = Literal["lose", "random", "stop"]
ON_FAILURE: tuple[str, ...] = get_args(OnFailure)
_SPEC = re.compile(r"(?:cmd|model)(?:\[([^\]]*)\])?:(.*)", re.DOTALL)
_KEYS = ("OPENAI_API_KEY",)
_PATIENT = "move=600,game=36000,start=60,tries=3"  # limits of language models


@dataclass(frozen=True)
class Limits:
    """Limits of a bot; going beyond one is a failure."""

    move: float = 10.0  # seconds for a decision; decisions that are asked at once add up
    game: float = 600.0  # seconds for all its decisions of a game
    start: float = 20.0  # seconds until it has said hello
    memory: int = 0  # MiB of address space of each of its processes; 0 for no limit
    output: int = 1  # MiB that it may write for an answer
    tries: int = 2  # answers to a decision; each illegal one is refused with the reason
    restarts: int = 3  # times that it is started again after it died or was ended
    #: After a failure a random legal action is played. "lose" also counts the game as lost, and
    #: "stop" ends the run.
    on_failure: OnFailure = "lose"

    @property
    def output_bytes(self) -> int:
        return self.output * MIB


@dataclass(frozen=True)
class ModelOptions:
    """A language model, and its budget."""

    name: str  # as its server calls it
    base_url: str = ""  # of the server; by default OPENAI_BASE_URL, else OpenAI's
    track: str = "list"  # "list" shows the legal choices; "rules" does not
    temperature: float = -1.0  # how much answers vary; below 0, the server's own
    max_tokens: int = 0  # of an answer; 0 for the server's own
    calls: int = 0  # at most, of all runs that keep their answers in the folder; 0 for no limit
    tokens: int = 0  # at most, read and written; 0 for no limit
    folder: str = "runs/models"  # where prompts and answers are kept, a file a model

    @property
    def settings(self) -> dict[str, Json]:
        """The arguments of a call besides the messages."""
        found: dict[str, Json] = {} if self.temperature < 0 else {"temperature": self.temperature}
        return found | ({"max_tokens": self.max_tokens} if self.max_tokens else {})


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
        """The files among its words, such as a script, which tell versions apart."""
        return [path for word in self.words if len(word) < 1000 and (path := Path(word)).is_file()]


def parse_command(spec: object) -> Command | None:
    """Returns the bot that a spec names; None if it names something else.

    The command is split into words as a shell would, but no shell runs it. Raises AgentError for an
    empty command or a wrong limit.
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
    return Command(
        spec,
        tuple(words),
        limits=replace(Limits(), **_values(spec, found[1] or "", vars(Limits()))),
    )


def _model(spec: str, text: str, name: str) -> Command:
    """Returns the bot that asks a language model; options that are no limits are the model's."""
    if not name.strip() or "\0" in spec:
        raise AgentError(f"agent {short_repr(spec)}: no model follows; try model:NAME")
    both = _values(spec, f"{_PATIENT},{text}", {**vars(Limits()), **_MODEL})
    options = ModelOptions(name, **{key: both[key] for key in both.keys() & _MODEL})
    if options.track not in ("list", "rules"):
        raise AgentError(f"agent {short_repr(spec)}: track takes list or rules")
    # -P: no file of the current folder stands in for a module
    module = (sys.executable, "-P", "-m", "gonzaga_agents.outside.model")
    limits = replace(Limits(), **{key: both[key] for key in both.keys() - _MODEL.keys()})
    return Command(spec, (*module, json.dumps(asdict(options))), True, limits)


_MODEL = {each.name: each.default for each in fields(ModelOptions) if each.name != "name"}


def _values(spec: str, text: str, kinds: dict[str, Any]) -> dict[str, Any]:
    """Returns the values in "name=value,...", of the kinds of defaults, or raises AgentError."""
    values: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = (word.strip() for word in part.partition("="))
        usual = kinds.get(name)
        try:
            if usual is None:
                raise ValueError(name)
            number = value if isinstance(usual, str) else type(usual)(value)
            if not isinstance(number, str) and not 0 <= number <= 1e9:
                raise ValueError(value)
            if name == "on_failure" and number not in ON_FAILURE:
                raise ValueError(value)
        except (ValueError, OverflowError):
            known = ", ".join(f"{key}={kinds[key]}" for key in kinds)
            raise AgentError(
                f"agent {short_repr(spec)}: {short_repr(part)} is not an option; known: {known}, "
                f"and on_failure takes {', '.join(ON_FAILURE)}"
            ) from None
        values[name] = number
    return values
