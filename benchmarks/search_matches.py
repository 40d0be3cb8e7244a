"""Matches of the search benchmark: an agent against three others, with its times and playouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from time import perf_counter
from typing import Any

import numpy as np
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.registry import make_agent
from gonzaga_agents.search.agent import SequentialHalving
from gonzaga_agents.search.root import Root
from gonzaga_agents.statistics.estimates import share_interval
from numpy.typing import NDArray

from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.agent import Agent

_SEED = 0
_CONFIG = GameConfig(num_players=4)


def play(spec: str, opponent: str, num_deals: int) -> dict[str, Any]:
    """Returns an agent's win share against three others, and what its decisions took.

    Raises:
        AgentError: there is no such agent.
    """
    timed, other = TimedAgent(make_agent(spec, _CONFIG)), make_agent(opponent, _CONFIG)
    match = play_match(_CONFIG, [timed, other], [0, 1, 1, 1], num_deals=num_deals, seed=_SEED)
    shares = np.where(match.seating == 0, match.win_shares, 0).sum(axis=2).mean(axis=1)
    return {
        "name": spec,
        "win_share": asdict(share_interval(shares)),
        "playouts": timed.playouts / timed.decisions,
        "milliseconds": 1000 * timed.seconds / timed.decisions,
    }


class TimedAgent:
    """Counts an agent's decisions, its playouts and the time that they took.

    Attributes:
        decisions: rows of all calls.
        playouts: of a search; 0 for another agent.
        seconds: of all calls.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent, self.decisions, self.playouts, self.seconds = agent, 0, 0, 0.0
        if isinstance(agent, SequentialHalving):
            agent.search = self._counting(agent.search)  # type: ignore[method-assign]

    def act(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Returns the agent's actions, [M]."""
        start = perf_counter()
        actions: NDArray[np.integer] = self._agent.act(observations, masks, rng)
        self.seconds += perf_counter() - start
        self.decisions += len(masks)
        return actions

    def _counting(self, search: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
        def count(*arguments: Any) -> Iterator[tuple[NDArray[np.int64], Root]]:
            for rows, root in search(*arguments):
                self.playouts += int(root.visits.sum())
                yield rows, root

        return count
