"""Bots seen from the other side: a check of any bot, and agents of this package as bots."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent, AgentError
from gonzaga_env.kernel.bounded import Json, parse_json
from gonzaga_env.kernel.errors import ActionError, GameError, OptionError
from gonzaga_env.kernel.messages import short, short_repr
from gonzaga_env.kernel.records import REPLAY_ERRORS
from gonzaga_env.kernel.spec import Config

from ..play.runner import agents_secret, play_games
from ..registry import make_agent
from . import messages
from .agent import OutsideAgent
from .process import BotFailure, BotProcess
from .spec import Command

_BATCH = 16
_STEPS = 12  # of random play before the position that is asked about
_GOODBYE = {0: "goodbye: ended with exit code 0", None: "goodbye: did not end within 2 s"}
_EXTRA = {"a_field_of_a_later_version": [1, {"deep": True}]}


@dataclass(frozen=True)
class Finding:
    """The result of one part of the check."""

    ok: bool
    text: str


def check(command: Command, config: Config) -> Iterator[Finding]:
    """Yields what a bot does right and wrong in a game, in the order of the check."""
    process = BotProcess(command, messages.GOODBYE)
    talk = _Talk(process, command, config)
    try:
        for part in (talk.hello, talk.one, talk.batch, talk.repeat):
            yield Finding(True, part())
        code = process.close()
        yield Finding(code == 0, _GOODBYE.get(code, f"goodbye: ended with exit code {code}, not 0"))
    except BotFailure as failure:
        asked = f"; it was sent {talk.sent}; does it write a line, and flush it?"
        hint = asked if failure.kind == "hung" else ""
        yield Finding(False, f"{talk.part}: {failure.kind}: it {failure}{hint}")
        return
    finally:
        process.stop()
    yield from _games(command, config)


class _Talk:
    """Messages to a bot, one part of the check after the other."""

    def __init__(self, process: BotProcess, command: Command, config: Config) -> None:
        self.part, self.sent, self._process, self._config = "hello", "", process, config
        self._limits, self._id = command.limits, 0
        self._want: frozenset[str] = frozenset()

    def hello(self) -> str:
        limits, config = self._limits, self._config
        self._send(messages.hello(config, limits))
        answer = messages.read(self._process.receive(limits.start, limits.output_bytes))
        name, self._want = messages.read_hello(answer)
        self._send(messages.ready(config, self._want))
        wanted = ", ".join(sorted(self._want)) or "nothing more than the legal actions"
        return f"hello: {name} speaks protocol {messages.PROTOCOL} and wants {wanted}"

    def one(self) -> str:
        self.part = "one decision"
        began = time.monotonic()
        self._decide(1)
        return f"one decision: answered in {time.monotonic() - began:.3f} s"

    def batch(self) -> str:
        self.part = f"{_BATCH} decisions at once"
        self._decide(_BATCH)
        return f"{_BATCH} decisions at once: one legal action for each"

    def repeat(self) -> str:
        """Calls a legal answer illegal; the bot has to answer again."""
        self.part = "illegal"
        error = {"index": 0, "reason": "a test of the protocol", "rule": None}
        self._send({"type": "illegal", "id": self._id, "errors": [error]})
        self._actions(1)
        return "illegal: answered again"

    def _decide(self, number: int) -> None:
        spec, self._id = game_spec(self._config.game), self._id + 1
        engine = spec.engine.from_config(self._config, number, seed=self._id)
        rng = np.random.default_rng(self._id)
        for _ in range(_STEPS):
            engine.step(engine.sample_legal(rng))
        seats, masks = engine.seats.tolist(), engine.legal_action_mask()
        decisions = [
            messages.decision(
                self._config, self._want, game, seat, mask, engine.view(game, viewer=seat)
            )
            for game, (seat, mask) in enumerate(zip(seats, masks, strict=True))
        ]
        seconds, seen = self._limits.move * number, (engine.observe(), masks)
        self._send(*messages.question(self._want, self._id, decisions, seconds, rng, seen))
        actions = self._actions(number)
        for game, (answer, mask) in enumerate(zip(actions, masks, strict=True)):
            try:
                messages.read_action(self._config, answer, mask, engine, game)
            except ActionError as error:
                raise BotFailure("illegal", f"answered {answer!r:.60}: {error}") from error

    def _send(self, message: dict[str, Json], arrays: bytes = b"") -> None:
        self.sent = short(json.dumps(message))
        self._process.send(messages.line(message | _EXTRA, arrays), self._limits.start)

    def _actions(self, number: int) -> Sequence[Json]:
        line = self._process.receive(self._limits.move * number, self._limits.output_bytes)
        answer = messages.read(line)
        if answer.get("id") != self._id:
            wrong = json.dumps(answer.get("id"))[:60]
            raise BotFailure("nonsense", f"answered with id {wrong}, not {self._id}, a number")
        return messages.answers(answer, number)


def _games(command: Command, config: Config) -> Iterator[Finding]:
    limits = replace(command.limits, on_failure="random")
    agent = OutsideAgent(replace(command, limits=limits), config)
    seating, seeds = np.zeros((4, config.num_players), np.int64), np.arange(4, dtype=np.uint64)
    try:
        play_games(config, [agent], seating, seeds, agents_secret(np.random.SeedSequence(0)))
    except AgentError as error:
        yield Finding(False, f"whole games: {error}")
        return
    finally:
        agent.close()
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(agent.failures.items()))
    what = f"{len(seating)} whole games on all seats"
    yield Finding(not counts, f"{what}: {'failed decisions: ' + counts if counts else 'finished'}")


def serve(spec: str, edition: str | None = None) -> int:
    """Answers a host until it says goodbye or ends; returns the exit code, 0.

    Without an edition, that of the name is played which the host says. Raises OptionError if the
    host breaks the protocol, or plays what is not known here.
    """
    # What the agent prints must not mix with the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    given = sys.stdin.buffer
    hello = _read(given)
    if (said := hello.get("type")) != "hello":
        raise OptionError(f"the host said {short_repr(said)}; a hello has to come first")
    config = read_config(hello, edition)
    agent = make_agent(spec, config)
    want = ["arrays", "rng"]
    _write(answers, {"type": "hello", "protocol": messages.PROTOCOL, "name": spec, "want": want})
    while (message := _read(given)).get("type") != "goodbye":
        if message.get("type") == "decide":
            with _host_errors():
                arrays = bytearray(given.read(message["bytes"]))
            _write(answers, _decide(agent, config, message, arrays))
        elif message.get("type") == "illegal":
            raise OptionError(f"{spec} plays an illegal action: {message.get('errors')}")
    return 0


def read_config(hello: dict[str, Json], edition: str | None = None) -> Config:
    """Returns what is played, from the host's hello; raises OptionError if it is not known here."""
    with _host_errors():
        options, named = hello["options"], hello["edition"]
        others = {name: options[name] for name in ("num_players", "scenario") if name in options}
        spec = game_spec(hello["game"])
        source = Path(edition) if edition and Path(edition).exists() else edition or named["name"]
        config = spec.config(rules=options["rules"], edition=source, **others)
        if config.edition.digest != named["digest"]:
            raise OptionError(f"edition {source} is not the host's; name its folder with --edition")
        return config


@contextmanager
def _host_errors() -> Iterator[None]:
    """Turns what is wrong with a message of the host into OptionError."""
    try:
        yield
    except GameError:
        raise
    except REPLAY_ERRORS as error:
        raise OptionError(f"the host's message is wrong: {short_repr(error)}") from error


def _decide(
    agent: Agent, config: Config, message: dict[str, Json], arrays: bytearray
) -> dict[str, Json]:
    rng = np.random.default_rng(0)
    with _host_errors():
        asked, number, width = message["id"], len(message["decisions"]), config.features.size
        packed = np.frombuffer(arrays, np.uint8)
        observations = packed[: number * width].reshape(number, width)
        bits = packed[number * width :].reshape(number, -(-config.actions.size // 8))
        masks = np.unpackbits(bits, axis=1, count=config.actions.size, bitorder="little").view(bool)
        rng.bit_generator.state = message["rng"]
    actions = np.asarray(agent.act(observations, masks, rng)).tolist()
    return {"id": asked, "actions": actions, "rng": rng.bit_generator.state}


def _read(given: BinaryIO) -> dict[str, Json]:
    """Returns the next message; a goodbye at the end of the input."""
    line = given.readline()
    with _host_errors():
        message = parse_json(line) if line else {"type": "goodbye"}
    if not isinstance(message, dict):
        raise OptionError("the host wrote something else than a JSON object")
    return message


def _write(answers: BinaryIO, message: dict[str, Json]) -> None:
    answers.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
    answers.flush()
