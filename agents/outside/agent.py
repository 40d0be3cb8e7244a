"""The agent that asks a bot in another process for its actions."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import ActionError
from gonzaga_env.kernel.messages import printable, short
from gonzaga_env.kernel.spec import Config, Engine

from ..agent import SizedAgent
from ..arrays import Indices, Masks, Observations
from . import messages
from .process import BotFailure, BotProcess, Failure
from .spec import Command

_STALE = 100  # lines that may answer another question
_REPORTED = 5  # failures that are printed on standard error


@dataclass(frozen=True)
class _Decisions:
    """M decisions that are asked for at once."""

    rows: Indices  # of the games in the engine, [M]
    seats: Indices  # [M]
    observations: Observations  # [M, D]
    masks: Masks  # [M, A]
    engine: Engine | None  # the games; None if they are not known
    are_games: bool  # whether the engine holds the games since `begin`

    def take(self, which: Indices) -> _Decisions:
        return replace(
            self,
            rows=self.rows[which],
            seats=self.seats[which],
            observations=self.observations[which],
            masks=self.masks[which],
        )


class OutsideAgent(SizedAgent):
    """Asks a bot; where it fails, a random legal action is played (see `Limits.on_failure`).

    Attributes:
        lost: games that are lost by a failure, [N, P] bool, since `begin`.
        failures: number of decisions in which the bot failed, by what happened, since `begin`.
        refused: number of illegal answers, each of which the bot was told the reason of, since
            `begin`.
    """

    def __init__(self, command: Command, config: Config) -> None:
        super().__init__(config)
        self._command, self._config, self._spec, self._hello = command, config, command.spec, ""
        self._process: BotProcess | None = None
        self._want: frozenset[str] = frozenset()
        self._has_started, self._asked, self._reported, self._first = False, 0, 0, 0
        self._lock = threading.Lock()
        self._spare = np.random.default_rng(0)  # in place of a bot that has failed
        self.lost: NDArray[np.bool_] = np.zeros((0, config.num_players), np.bool_)
        self.begin(0)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._command, self._config)

    def __repr__(self) -> str:  # without a start
        return f"<{type(self).__name__} {self._spec!r}>"

    def begin(self, num_games: int) -> None:
        """Begins N games, whose decisions `act_for` asks for, and resets all counts."""
        self._first += len(self.lost)  # number of the first game
        self.lost = np.zeros((num_games, self._config.num_players), np.bool_)
        self._seconds = np.zeros(self.lost.shape)
        self.failures: Counter[str] = Counter()
        self.refused = 0
        self._starts = 0

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        """Returns a legal action for each row, [M] (see `SizedAgent.act`)."""
        self._size.check(observations, masks)
        # The generator may be shared with others, so the bot gets one derived from it.
        own = np.random.default_rng(rng.integers(2**63, size=4))
        engine, rows = self._engine(observations, own), np.arange(len(masks))
        seats = np.zeros(len(masks), np.int64) if engine is None else engine.seats
        return self._ask(_Decisions(rows, seats, observations, masks, engine, False), own)

    def act_for(self, engine: Engine, rows: Indices, rng: np.random.Generator) -> Indices:
        """Returns a legal action for the seat to act in some games since `begin`, [M].

        The bot reads what the seats to act may know. One that wants the generator leaves it as
        `act` would.
        """
        seen = engine.observe(rows=rows), engine.legal_action_mask(rows)
        return self._ask(_Decisions(rows, engine.seats[rows], *seen, engine, True), rng)

    @property
    def name(self) -> str:
        """The name that the bot gives itself, marked as such; reading it starts the bot."""
        with self._lock:
            if not self._hello:
                self._start()
        return self._hello if self._command.is_model else f"{self._hello} (bot)"

    @property
    def pid(self) -> int | None:
        """The bot's process; None while none runs."""
        return None if self._process is None else self._process.pid

    def close(self) -> int | None:
        """Ends the bot; returns its exit code, None if it had to be killed or was not running."""
        process, self._process = self._process, None
        return None if process is None else process.close()

    def _engine(self, observations: Observations, rng: np.random.Generator) -> Engine | None:
        """Returns games that agree with observations; None where the game cannot make them."""
        spec = game_spec(self._config.game)
        if spec.from_observations is None:
            return None
        states = spec.from_observations(self._config, observations, rng)
        return spec.engine.from_state(self._config, states, autoreset=False)

    def _ask(self, given: _Decisions, rng: np.random.Generator) -> Indices:
        """Returns the bot's actions, and random ones where it fails."""
        actions = np.full(len(given.rows), -1, np.int64)
        with self._lock:
            which = np.arange(len(given.rows))
            if given.are_games:  # a lost game continues without the bot
                late = self._seconds[given.rows, given.seats] >= self._command.limits.game
                late &= ~self.lost[given.rows, given.seats]
                if late.any():
                    self._fail("hung", "has used up its time", given.take(np.flatnonzero(late)))
                which = which[~late & ~self.lost[given.rows, given.seats]]
            asked = given.take(which)
            try:
                if len(which):
                    self._start()
                    actions[which] = self._answers(asked, rng)
            except BotFailure as failure:
                if self._process is not None:
                    self._process.stop()
                self._process = None
                self._fail(failure.kind, str(failure), asked)
            for i in np.flatnonzero(actions < 0):
                actions[i] = self._spare.choice(np.flatnonzero(given.masks[i]))
        return actions

    def _start(self) -> None:
        """Starts the bot, if it is not running, and exchanges hellos."""
        if self._process is not None:
            return
        limits, config = self._command.limits, self._config
        if self._starts > limits.restarts:
            raise BotFailure("died", f"is not started again after {limits.restarts} restarts")
        self._starts += 1
        process = self._process = BotProcess(self._command, messages.GOODBYE)
        try:
            process.send(messages.line(messages.hello(config, limits)), limits.start)
            hello = messages.read(process.receive(limits.start, limits.output_bytes))
            self._hello, self._want = messages.read_hello(hello)
            process.send(messages.line(messages.ready(config, self._want)), limits.start)
        except BotFailure as failure:
            process.stop()
            if not self._has_started:  # it is no bot, or a broken one
                raise AgentError(f"{self._spec}: it {failure} (before it was ready)") from failure
            raise
        self._has_started = True

    def _answers(self, given: _Decisions, rng: np.random.Generator) -> Indices:
        """Returns the bot's actions, -1 where it names no legal one."""
        self._asked += 1
        seconds, began = self._left(given), time.monotonic()
        shown, seen = self._shown(given), (given.observations, given.masks)
        question, arrays = messages.question(self._want, self._asked, shown, seconds, rng, seen)
        actions, wrong = np.full(len(given.rows), -1, np.int64), [*range(len(given.rows))]
        try:
            for _ in range(max(1, self._command.limits.tries)):
                answer = self._exchange(question, arrays, began + seconds)
                errors = self._read(answer, given, wrong, actions)
                wrong = [error["index"] for error in errors]
                self.refused += len(wrong)
                if not errors:
                    break
                question = {"type": "illegal", "id": self._asked, "errors": errors}
                arrays = b""
            if "rng" in self._want and "rng" in answer:
                messages.set_rng(rng, answer["rng"])
        finally:
            if given.are_games:
                spent = (time.monotonic() - began) / len(given.rows)
                self._seconds[given.rows, given.seats] += spent
        if wrong:
            reason = f"named no legal action: {errors[0]['reason']}"
            self._fail("illegal", reason, given.take(np.array(wrong)))
        return actions

    def _left(self, given: _Decisions) -> float:
        """Returns the seconds that the bot has for some decisions."""
        limits = self._command.limits
        left = np.full(len(given.rows), limits.game)
        if given.are_games:
            left -= self._seconds[given.rows, given.seats]
        return float(left.clip(0, limits.move).sum())

    def _shown(self, given: _Decisions) -> list[Json]:
        """Returns each decision as the bot wants to see it."""
        engine = given.engine if {"text", "view"} & self._want else None
        shown = []
        for row, seat, mask in zip(
            given.rows.tolist(), given.seats.tolist(), given.masks, strict=True
        ):
            view = None if engine is None else engine.view(row, viewer=seat)
            game = self._first + row if given.are_games else None
            shown.append(messages.decision(self._config, self._want, game, seat, mask, view))
        return shown

    def _exchange(
        self, question: dict[str, Json], arrays: bytes, deadline: float
    ) -> dict[str, Json]:
        """Returns the answer to a question; lines that answer another are skipped."""
        assert self._process is not None
        most = self._command.limits.output_bytes
        self._process.send(messages.line(question, arrays), max(deadline - time.monotonic(), 0.001))
        for _ in range(_STALE):
            left = max(deadline - time.monotonic(), 0.001)
            answer = messages.read(self._process.receive(left, most))
            if answer.get("type") == "stop":
                raise AgentError(f"{self._spec}: {short(printable(str(answer.get('reason'))))}")
            if answer.get("id") == question["id"]:
                return answer
        raise BotFailure("nonsense", f"wrote {_STALE} lines that answer another question")

    def _read(
        self, answer: dict[str, Json], given: _Decisions, which: Sequence[int], actions: Indices
    ) -> list[dict[str, Json]]:
        """Writes the legal actions of an answer; returns what is wrong with the others."""
        errors = list[dict[str, Json]]()
        for i, named in zip(which, messages.answers(answer, len(which)), strict=True):
            try:
                actions[i] = messages.read_action(
                    self._config, named, given.masks[i], given.engine, int(given.rows[i])
                )
            except ActionError as error:
                rule = getattr(error, "rule", None)  # of an illegal one
                errors.append({"index": i, "reason": str(error), "rule": rule})
        return errors

    def _fail(self, kind: Failure, reason: str, given: _Decisions) -> None:
        """Counts a failure, and does what follows from it, which may be an AgentError."""
        on_failure = self._command.limits.on_failure
        self.failures[kind] += len(given.rows)
        where = f" in game {self._first + given.rows[0]}" if given.are_games else ""
        message = f"{self._spec}: {kind}{where}: it {reason}"
        if on_failure == "stop":
            raise AgentError(message)
        if on_failure == "lose" and given.are_games:
            self.lost[given.rows, given.seats] = True
        if self._reported < _REPORTED:
            self._reported += 1
            more = "; further failures are only counted" * (self._reported == _REPORTED)
            print(f"{message}{more}", file=sys.stderr, flush=True)
