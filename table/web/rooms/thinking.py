"""Runs an agent in this process or in a process of its own."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from gonzaga_agents.common.processes import Channel, lower_priority
from gonzaga_agents.registry import make_agent, spec_for_map
from numpy.typing import NDArray

from gonzaga_env.core.board import tables
from gonzaga_env.tabletop.agent import Agent, AgentError
from gonzaga_env.tabletop.spec import Config

from ...hints import ask
from ...session import choose, one_line
from ..apart import ProcessApart
from .editions import memory_of

Question = Literal["prepare", "act", "consider"]

MAX_CACHED = 12  # configurations for which an agent is kept,
MAP_BYTES = 128 << 20  # as long as their maps take no more memory
_SECONDS = 120.0  # that an answer may take
_NICENESS = 5  # answers to browsers come first


class ThinkerHere:
    """Asks an agent in this process; it makes one for each game."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._agents: OrderedDict[Config, Agent] = OrderedDict()  # the last used last
        self._rng = np.random.default_rng()

    def ask(self, question: Question, config: Config, *arrays: NDArray[Any]) -> Any:
        """Returns an answer.

        Args:
            question: "prepare" makes the agent; "act" and "consider" ask it (see `choose`, `ask`).
            config: what is played.
            arrays: observation [D] and legal actions [A] of the seat to act; none to prepare.
        """
        agent = self.agent(config)
        if question == "prepare":
            return None
        observation, mask = arrays
        return (choose if question == "act" else ask)(agent, observation, mask, self._rng)

    def agent(self, config: Config) -> Agent:
        """Returns the agent of a game."""
        game = _any_scenario(config)
        if game not in self._agents:
            self._agents[game] = make_agent(spec_for_map(self._name, game), game)
        self._agents.move_to_end(game)
        while len(self._agents) > MAX_CACHED or self._memory > MAP_BYTES:
            if len(self._agents) == 1:
                break
            self._agents.popitem(last=False)
        return self._agents[game]

    @property
    def _memory(self) -> int:
        """The bytes that the maps of all agents take."""
        editions = {game.edition.digest: game.edition for game in self._agents}
        return sum(map(memory_of, editions.values()))

    def close(self) -> None:
        """Does nothing."""


class ThinkerApart:
    """Asks an agent in a process of its own, which starts with the first question.

    In a thread of the server, an agent would hold up all answers: whenever the server has waited
    for a socket or a file, it waits again until the agent's thread hands over Python's lock.
    """

    def __init__(self, name: str) -> None:
        self.process = ProcessApart(_serve, name, name="its process")
        self._sent: OrderedDict[Config, int] = OrderedDict()  # the last used last

    def ask(self, question: Question, config: Config, *arrays: NDArray[Any]) -> Any:
        """Returns an answer (see `ThinkerHere.ask`).

        Raises:
            AgentError: the agent failed.
            WorkerError: its process failed; the next question starts another one.
        """
        if self.process.worker is None:
            self._sent = OrderedDict()
        game = _any_scenario(config)
        new = None if game in self._sent else game  # an edition is sent once
        if new is not None:  # under the number of the one unused for longest, which makes room
            full = len(self._sent) >= MAX_CACHED
            self._sent[game] = self._sent.popitem(last=False)[1] if full else len(self._sent)
        self._sent.move_to_end(game)
        number = self._sent[game]
        answer = self.process.ask((question, number, new, arrays), _SECONDS)
        if isinstance(answer, _NoAnswer):
            raise AgentError(answer.text)
        return answer

    def close(self) -> None:
        """Ends the process."""
        self.process.close()


class _NoAnswer(NamedTuple):
    """Why an agent did not answer."""

    text: str


def _any_scenario(config: Any) -> Any:
    """Returns a game without its scenario: the observation shows it, and one agent plays all."""
    return replace(config, scenario=None) if hasattr(config, "scenario") else config


def _serve(channel: Channel, name: str) -> None:
    """Answers questions until the server ends."""
    lower_priority(_NICENESS)
    tables.KEPT.most = MAP_BYTES  # the kernel keeps no more
    channel.send("ready")
    thinker, games = ThinkerHere(name), dict[int, Config]()
    while True:
        question, number, new, arrays = channel.receive()
        if new is not None:
            games[number] = new
        try:
            answer = thinker.ask(question, games[number], *arrays)
        except BaseException as error:  # an agent may be anybody's code
            answer = _NoAnswer(one_line(error))
        channel.send(answer)
