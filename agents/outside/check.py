"""A conformance run: plays a bot and says, a line a finding, what it does of the protocol."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import short
from gonzaga_env.tabletop.errors import ActionError
from gonzaga_env.tabletop.spec import Config

from ..units.games import choices_of, play_games
from . import messages
from .agent import OutsideAgent
from .process import BotFailure, BotProcess
from .spec import Command

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
        play_games(config, [agent], seating, seeds, choices_of(np.random.SeedSequence(0)))
    except AgentError as error:
        yield Finding(False, f"whole games: {error}")
        return
    finally:
        agent.close()
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(agent.failures.items()))
    what = f"{len(seating)} whole games on all seats"
    yield Finding(not counts, f"{what}: {'failed decisions: ' + counts if counts else 'finished'}")
