"""An agent of this package as a bot: it speaks the protocol on its standard input and output."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Agent
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import Config

from ..registry import make_agent
from .messages import PROTOCOL


def serve(spec: str, edition: str | None = None) -> int:
    """Answers a host until it says goodbye or ends; returns the exit code, 0.

    Args:
        spec: the agent, as `make_agent` takes it.
        edition: the edition's folder or file; None for the name that the host says.

    Raises:
        OptionError: the host says something else than the protocol, or plays what is not known
            here.
        GameError: the agent cannot be made, or fails.
    """
    # What the agent prints must not mix with the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    given = sys.stdin.buffer
    config = read_config(_read(given, "hello"), edition)
    agent = make_agent(spec, config)
    want = ["arrays", "rng"]
    _write(answers, {"type": "hello", "protocol": PROTOCOL, "name": spec, "want": want})
    while (message := _read(given)).get("type") != "goodbye":
        if message.get("type") == "decide":
            arrays = bytearray(given.read(message["bytes"]))
            _write(answers, _decide(agent, config, message, arrays))
        elif message.get("type") == "illegal":
            raise OptionError(f"{spec} plays an illegal action: {message['errors']}")
    return 0


def read_config(hello: dict[str, Any], edition: str | None = None) -> Config:
    """Returns what is played, from the host's hello.

    Raises:
        OptionError: there is no such game, or the edition is another one.
        EditionError: the edition cannot be found or has faults.
    """
    options, named = hello["options"], hello["edition"]
    others = {name: options[name] for name in ("num_players", "scenario") if name in options}
    spec = game_spec(hello["game"])
    source = Path(edition) if edition and Path(edition).exists() else edition or named["name"]
    config = spec.config(rules=options["rules"], edition=source, **others)
    if config.edition.digest != named["digest"]:
        raise OptionError(f"edition {source} is not the host's; name its folder with --edition")
    return config


def _decide(
    agent: Agent, config: Config, message: dict[str, Any], arrays: bytearray
) -> dict[str, Any]:
    number, width = len(message["decisions"]), config.features.size
    packed = np.frombuffer(arrays, np.uint8)
    observations = packed[: number * width].reshape(number, width)
    bits = packed[number * width :].reshape(number, -1)
    masks = np.unpackbits(bits, axis=1, count=config.actions.size, bitorder="little").view(bool)
    rng = np.random.default_rng(0)
    rng.bit_generator.state = message["rng"]
    actions = np.asarray(agent.act(observations, masks, rng)).tolist()
    return {"id": message["id"], "actions": actions, "rng": rng.bit_generator.state}


def _read(given: BinaryIO, kind: str | None = None) -> dict[str, Any]:
    """Returns the next message; a goodbye at the end of the input."""
    line = given.readline()
    message = json.loads(line) if line else {"type": "goodbye"}
    if kind is not None and message.get("type") != kind:
        raise OptionError(f"the host said {message.get('type')!r}; a {kind} has to come first")
    if not isinstance(message, dict):
        raise OptionError("the host wrote something else than a JSON object")
    return message


def _write(answers: BinaryIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
    answers.flush()
