"""An environment that does nothing: what is left of its cost is PettingZoo's."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

Observation = dict[str, NDArray[Any]]


class NullEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # a base without types
    """As many agents, the same spaces and as long episodes as another, and nothing else.

    Agents act in turn. Observation and mask (every action is legal), infos and rewards never
    change and are made once.
    """

    metadata = {"name": "null_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, like: AECEnv[str, Observation, int | None], num_steps: int) -> None:
        """Takes agents and spaces.

        Args:
            like: the environment whose cost is looked for.
            num_steps: length of an episode, in steps of all agents together.
        """
        super().__init__()
        self.num_steps, self.render_mode = num_steps, None
        self.possible_agents = list(like.possible_agents)
        self.agents: list[str] = []
        self._spaces = {
            agent: (like.observation_space(agent), like.action_space(agent))
            for agent in self.possible_agents
        }
        space: Any = self.observation_space(self.possible_agents[0])
        observation, mask = space["observation"], space["action_mask"]
        self._observation: Observation = {
            "observation": np.zeros(observation.shape, dtype=observation.dtype),
            "action_mask": np.ones(mask.shape, dtype=mask.dtype),
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the observation space of an agent."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the action space of an agent."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts an episode."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._steps = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """Returns the one observation."""
        return self._observation

    def step(self, action: int | None) -> None:
        """Passes the turn on, and ends the episode after its number of steps."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._steps += 1
        self.agent_selection = self.agents[self._steps % len(self.agents)]
        if self._steps == self.num_steps:
            self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> None:
        """Draws nothing."""

    def close(self) -> None:
        """Does nothing."""


def in_place_of(wrapped: Any, num_steps: int) -> Any:
    """Puts an environment that does nothing into another's very own wrappers.

    Args:
        wrapped: an environment in one wrapper or more; it is changed and returned.
        num_steps: length of an episode.
    """
    innermost = wrapped
    while innermost.env is not wrapped.unwrapped:
        innermost = innermost.env
    innermost.env = NullEnv(wrapped.unwrapped, num_steps)
    return wrapped
