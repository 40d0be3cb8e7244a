"""Matches of the search benchmark: an agent against three others, with its times and playouts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.registry import make_agent
from gonzaga_agents.search.agent import SearchAgent
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.root import Root
from gonzaga_agents.statistics.estimates import mean_interval, share_interval
from numpy.typing import NDArray

from benchmarks.searching.variants import VARIANTS
from gonzaga_env.core import GameConfig
from gonzaga_env.tabletop.agent import Agent

BUDGETS = ("greedy", "planner", "search@1ms", "search@4ms", "search@16ms", "search@64ms")
_SEED = 0
_CONFIG = GameConfig(num_players=4)


class SearchMatches:
    """Plays one agent after the other against the same three others, on the same deals.

    Attributes:
        num_games: games of each match.
    """

    def __init__(self, opponent: str, num_deals: int) -> None:
        """Takes the spec of the three others.

        Raises:
            AgentError: there is no such agent.
        """
        self._opponent, self._num_deals = make_agent(opponent, _CONFIG), num_deals
        self._first: NDArray[np.float64] | None = None
        self.num_games = num_deals * _CONFIG.num_players

    def entrants(self, simulations: int | None) -> dict[str, Callable[[], Agent]]:
        """Returns what builds each agent: variants with so many simulations, or budgets of time."""
        if simulations is None:
            return {spec: partial(make_agent, spec, _CONFIG) for spec in BUDGETS}
        budget = Budget(simulations)
        return {v.name: partial(v.build, _CONFIG, budget) for v in VARIANTS}

    def play(self, agent: Agent) -> dict[str, Any]:
        """Returns the win share, the difference from the agent played first, and what it took."""
        timed = TimedAgent(agent)
        match = play_match(
            _CONFIG, [timed, self._opponent], [0, 1, 1, 1], num_deals=self._num_deals, seed=_SEED
        )
        shares = np.where(match.seating == 0, match.win_shares, 0).sum(axis=2).mean(axis=1)
        difference = None if self._first is None else mean_interval(shares - self._first)
        self._first = shares if self._first is None else self._first
        return {
            "win_share": asdict(share_interval(shares)),
            "difference": None if difference is None else asdict(difference),
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

    def __init__(self, agent: Any) -> None:
        self._agent, self.decisions, self.playouts, self.seconds = agent, 0, 0, 0.0
        if isinstance(agent, SearchAgent):
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

    def _counting(self, search: Callable[..., Root]) -> Callable[..., Root]:
        def count(*arguments: Any) -> Root:
            root = search(*arguments)
            self.playouts += int(root.visits.sum())
            return root

        return count
