"""The agents that a server offers: who may sit at a table or give hints, and how they are asked.

Specs can run code, so the owner lists them when the server starts, and a request can only name one
of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from unicodedata import normalize

from gonzaga_agents.common.processes import WorkerError
from gonzaga_agents.policies.learned import NAME as LEARNED
from gonzaga_agents.registry import BASELINES, NAMES, agent_names
from gonzaga_agents.statistics.leaderboard import rated_agents
from numpy.typing import NDArray

from gonzaga_env.games import game_names, registered_games
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import Config

from ...session import SeatPlayer, human, one_line
from ..learn.first_game import first_games
from ..requests import shown
from .thinking import Question, ThinkerApart, ThinkerHere

LADDER = (*BASELINES, "search@16")  # of this package's games


class Roster:
    """The agents on offer, each with a thread of its own.

    Each is asked from its own thread alone, so agents need no locks, and a slow one holds up only
    the tables where it sits.

    Attributes:
        names: the specs on offer.
        apart: whether each thinks in a process of its own.
    """

    def __init__(self, more: Sequence[str] = (), *, apart: bool = False) -> None:
        rated = [name for game in game_names() for name in rated_agents(game)]
        others = [game for game in registered_games() if game not in game_names()]
        own = [name for game in others for name in agent_names(game)]
        self.names = tuple(dict.fromkeys((*LADDER, *rated, *own, *more)))
        self._own = {*NAMES, *own}  # names of agents that a game may lack
        self._elsewhere = set(rated) - {*LADDER, LEARNED, *more}  # only where they are rated
        self.apart, thinker = apart, ThinkerApart if apart else ThinkerHere
        teachers = {
            first.opponent for first in first_games().values()
        }  # others are not offered them
        names = {*self.names, *teachers}
        self._threads = {name: _AgentThread(name, thinker(name)) for name in names}
        self._folded = {name.casefold() for name in self._threads}

    def names_for(self, game: str) -> list[str]:
        """Returns the specs on offer for a game: its own agents, and what the owner adds."""
        own, hidden = agent_names(game), self._elsewhere - set(rated_agents(game))
        return [
            name
            for name in self.names
            if ((base := name.partition("@")[0]) in own or base not in self._own)
            and name not in hidden
        ]

    def check(self, name: Any) -> str:
        """Returns the name of an agent that a request asks for.

        Raises:
            AgentError: it is not on offer.
        """
        if name not in self.names:
            raise AgentError(f"there is no agent {name!r} here; there are {', '.join(self.names)}")
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
            raise OptionError(f"{shown(seat.name)} is an agent's name; take another one")
        return seat

    def _thread(self, name: str) -> _AgentThread:
        """Returns where an agent thinks; a table of an earlier start may name one that is gone."""
        if name not in self._threads:
            self.check(name)
        return self._threads[name]

    def ask(
        self, name: str, question: Question, config: Config, *arrays: NDArray[Any]
    ) -> Future[Any]:
        """Asks an agent on offer (see `ThinkerHere.ask`).

        Returns:
            A future with the answer, or with the AgentError or WorkerError that says how the agent
            or its process failed, or that it does not play this game.
        """
        return self._thread(name).ask(question, config, *arrays)

    def close(self) -> None:
        """Lets the threads end; questions that wait are cancelled."""
        for thread in self._threads.values():
            thread.close()


class _AgentThread:
    """The thread from which an agent is asked, one question after the other."""

    def __init__(self, name: str, thinker: ThinkerHere | ThinkerApart) -> None:
        self._name, self.thinker = name, thinker
        self._pool = ThreadPoolExecutor(1, f"agent {name}")

    def ask(self, question: Question, config: Config, *arrays: NDArray[Any]) -> Future[Any]:
        """Asks a question as the thinker takes it.

        The future raises WorkerError if the agent's process failed, AgentError if the agent did.
        """
        return self._pool.submit(self._answer, question, config, *arrays)

    def _answer(self, question: Question, config: Config, *arrays: NDArray[Any]) -> Any:
        try:
            return self.thinker.ask(question, config, *arrays)
        except WorkerError as error:
            raise WorkerError(f"agent {self._name}: {error}") from error
        except BaseException as error:  # an agent may be anybody's code, and a request waits
            raise AgentError(f"agent {self._name}: {one_line(error)}") from error

    def close(self) -> None:
        """Lets the thread end, and the agent's process if it has one."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.thinker.close()
