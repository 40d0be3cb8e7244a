"""The agents that a server offers: who may sit at a table or give hints, and how they are asked.

Specs can run code, so the owner lists them when the server starts, and a request can only name one
of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize

from gonzaga_agents.network.learned import NAME as LEARNED
from gonzaga_agents.registry import BASELINES, NAMES, agent_names
from numpy.typing import NDArray

from gonzaga_env.games import game_names, registered_games
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.sentences import say
from gonzaga_env.kernel.spec import Config

from ...session import SeatPlayer, human
from ..apart import Apart, Here
from ..learn.first_game import FIRST_GAMES
from ..requests import shown
from .thinking import Question, think

ANSWER_SECONDS = 120.0  # that an agent may take
_NICENESS = 5  # answers to browsers come first
OFFERED = (*BASELINES, "search@16", LEARNED)  # of this package's games


class Roster:
    """The agents on offer.

    Each answers one question at a time, so agents need no locks, and a slow one holds up only the
    tables where it sits.

    Attributes:
        names: the specs on offer.
        apart: whether each thinks in a process of its own.
    """

    def __init__(self, more: Sequence[str] = (), *, apart: bool = False) -> None:
        others = [game for game in registered_games() if game not in game_names()]
        own = [name for game in others for name in agent_names(game)]
        self.names = tuple(dict.fromkeys((*OFFERED, *own, *more)))
        self._own = {*NAMES, *own}  # names of agents that a game may lack
        self.apart = apart
        teachers = {first.opponent for first in FIRST_GAMES.values()}  # others are not offered them
        names = {*self.names, *teachers}
        self._callers = {name: Apart(_NICENESS) if apart else Here() for name in names}
        self._folded = {name.casefold() for name in names}

    def names_for(self, game: str) -> list[str]:
        """Returns the specs on offer for a game: its own agents, and what the owner adds."""
        own = agent_names(game)
        return [
            name
            for name in self.names
            if (base := name.partition("@")[0]) in own or base not in self._own
        ]

    def check(self, name: Any) -> str:
        """Returns the name of an agent that a request asks for.

        Raises:
            AgentError: it is not on offer.
        """
        if name not in self.names:
            names = ", ".join(self.names)
            template = "there is no agent {x} here; there are {names}"
            raise AgentError(say(template, x=repr(name), names=names))
        return str(name)

    def person(self, name: str) -> SeatPlayer:
        """Returns the seat of a person, whom nobody takes for an agent.

        Raises:
            OptionError: the name is an agent's, is too long, or has letters that cannot be seen.
        """
        seat = human(name)
        folded = normalize("NFKC", seat.name).casefold()
        if (
            folded.partition("@")[0].partition(":")[0].strip() in self._own
            or folded in self._folded
        ):
            raise OptionError(say("{x} is an agent's name; take another one", x=shown(seat.name)))
        return seat

    async def ask(
        self, name: str, question: Question, config: Config, *arrays: NDArray[Any]
    ) -> Any:
        """Returns what an agent on offer answers (see `think`).

        Raises:
            AgentError: the agent is not on offer, does not play this game, or failed.
        """
        if name not in self._callers:  # a table of an earlier start may name one that is gone
            self.check(name)
        arguments = name, question, config, *arrays
        try:
            return await self._callers[name].call(think, *arguments, seconds=ANSWER_SECONDS)
        except AgentError as error:
            text = str(error)
            told = text if text.startswith("agent ") else say("agent {x}: {why}", x=name, why=text)
            raise AgentError(told) from error

    def close(self) -> None:
        """Ends the agents' processes."""
        for caller in self._callers.values():
            caller.close()
