"""The verb `bot` of the program: checks bots, and plays agents as bots.

A check plays a bot and says, a line a finding, what it does of the protocol. An agent of this
package speaks it on its standard input and output.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import numpy as np
import tyro

from gonzaga_env.command_line import FAILED, OK, choose_verb, parse, shown
from gonzaga_env.games import game_spec, registered_games
from gonzaga_env.kernel.agent import Agent, AgentError
from gonzaga_env.kernel.bounded import short
from gonzaga_env.kernel.errors import ActionError, OptionError
from gonzaga_env.kernel.spec import Config

from ..outside import messages
from ..outside.agent import OutsideAgent
from ..outside.messages import PROTOCOL
from ..outside.process import BotFailure, BotProcess
from ..outside.spec import Command, parse_command
from ..play.games import agents_secret, play_games
from ..registry import make_agent

_BATCH = 16
_STEPS = 12  # of random play before the position that is asked about
_EXTRA = {"a_field_of_a_later_version": [1, {"deep": True}]}


@dataclass(frozen=True)
class Finding:
    """What a part of the run has found."""

    is_right: bool
    text: str


def check(command: Command, config: Config) -> Iterator[Finding]:
    """Yields what a bot does right and wrong in a game, in the order of the run.

    Args:
        command: the bot.
        config: what is played.

    Raises:
        AgentError: the program cannot be started.
    """
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


_GOODBYE = {0: "goodbye: ended with exit code 0", None: "goodbye: did not end within 2 s"}


class _Talk:
    """Messages to a bot, one part of the run after the other.

    Attributes:
        part: of the run.
        sent: the last message, shortened.
    """

    def __init__(self, process: BotProcess, command: Command, config: Config) -> None:
        self.part, self.sent, self._process, self._config = "hello", "", process, config
        self._limits, self._id = command.limits, 0
        self._want: frozenset[str] = frozenset()

    def hello(self) -> str:
        limits, config = self._limits, self._config
        self._send(messages.hello(config, limits))
        said = messages.read(self._process.receive(limits.start, limits.output_bytes))
        name, self._want = messages.read_hello(said)
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
        """Says that a right answer was illegal, which a bot cannot tell from a wrong one."""
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
                *(self._config, self._want, game, seat, mask), engine.view(game, viewer=seat)
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

    def _send(self, message: dict[str, Any], arrays: bytes = b"") -> None:
        self.sent = short(json.dumps(message))
        self._process.send(messages.line(message | _EXTRA, arrays), self._limits.start)

    def _actions(self, number: int) -> Sequence[Any]:
        line = self._process.receive(self._limits.move * number, self._limits.output_bytes)
        said = messages.read(line)
        if said.get("id") != self._id:
            said_id = json.dumps(said.get("id"))[:60]
            raise BotFailure("nonsense", f"answered with id {said_id}, not {self._id}, a number")
        return messages.answers(said, number)


def _games(command: Command, config: Config) -> Iterator[Finding]:
    """Yields whether a bot plays some whole games on all seats."""
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


_VERBS = {
    "check": "play a bot and say how it keeps the protocol",
    "serve": "play an agent as a bot",
}


@dataclass(frozen=True)
class CheckOptions:
    """Plays a bot and says, a line a finding, how it keeps the protocol; exit code 2 for a fault.

    Examples:
        gonzaga bot check "cmd:python examples/bots/random_bot.py"
    """

    bot: Annotated[str, tyro.conf.Positional, shown("BOT")]
    """The bot, as "cmd:./bot --flag"."""
    game: Annotated[str | None, shown("NAME")] = None
    """A game; by default all that are registered."""


@dataclass(frozen=True)
class ServeOptions:
    """Plays an agent of this package as a bot, on standard input and output."""

    agent: Annotated[str, tyro.conf.Positional, shown("AGENT")]
    """An agent, as `gonzaga evaluate` takes it."""
    edition: Annotated[str | None, shown("PATH")] = None
    """The edition's folder or file, if it is not a shipped one."""


def main(arguments: Sequence[str]) -> int:
    """Runs the verb that comes first.

    Returns:
        The exit code, 2 for a fault of a bot.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    prog, rest = "gonzaga bot", arguments[1:]
    verb = choose_verb(arguments, _VERBS, prog, "Bots in any language (docs/bots.md).")
    if verb == "check":
        return _check(parse(CheckOptions, rest, f"{prog} check"))
    if verb == "serve":
        options = parse(ServeOptions, rest, f"{prog} serve")
        return serve(options.agent, options.edition)
    return OK


def _check(options: CheckOptions) -> int:
    command = parse_command(options.bot)
    if command is None:
        raise OptionError(f"{options.bot!r} is no bot; try cmd:{options.bot}")
    faults = 0
    for game in registered_games() if options.game is None else (options.game,):
        spec = game_spec(game)
        for finding in check(command, spec.config(num_players=min(spec.players))):
            faults += not finding.is_right
            print(f"{'ok   ' if finding.is_right else 'FAULT'} {game}: {finding.text}", flush=True)
    print("no faults" if not faults else f"{faults} fault{'s' * (faults > 1)}")
    return FAILED if faults else OK
