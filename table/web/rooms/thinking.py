"""What an agent's process does: it makes the agents that it is asked for, and asks them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from gonzaga_agents.registry import make_agent, spec_for_map
from numpy.typing import NDArray

from gonzaga_env.kernel.agent import Agent, AgentError
from gonzaga_env.kernel.sentences import say
from gonzaga_env.kernel.spec import Config

from ...hints import ask
from ...session import choose, one_line

Question = Literal["prepare", "act", "consider"]

MAX_CACHED = 12  # configurations for which an agent is kept
_RNG = np.random.default_rng()


def think(name: str, question: Question, config: Config, *arrays: NDArray[Any]) -> Any:
    """Returns an agent's answer.

    Args:
        name: the agent's spec.
        question: "prepare" makes the agent; "act" and "consider" ask it (see `choose`, `ask`).
        config: what is played.
        arrays: observation [D] and legal actions [A] of the seat to act; none to prepare.

    Raises:
        AgentError: the agent failed.
    """
    try:
        game: Any = config
        if hasattr(config, "scenario"):  # the observation shows it, and one agent plays all
            game = replace(game, scenario=None)
        agent = agent_of(name, game)
        if question == "prepare":
            return None
        observation, mask = arrays
        return (choose if question == "act" else ask)(agent, observation, mask, _RNG)
    except BaseException as error:  # an agent may be anybody's code
        raise AgentError(say("agent {x}: {why}", x=name, why=one_line(error))) from None


@lru_cache(maxsize=MAX_CACHED)
def agent_of(name: str, config: Config) -> Agent:
    """Returns the agent of a game, the same one as long as it is kept."""
    return make_agent(spec_for_map(name, config), config)
