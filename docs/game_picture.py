"""Draws docs/img/game.svg, the game at the top of the README: python docs/game_picture.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gonzaga_agents import make_agent

import gonzaga_env
from gonzaga_env.render.draw import Picture

TARGET = Path(__file__).parent / "img" / "game.svg"
STEPS = 5 * 8 + 7  # before the last placement of round 6


def picture() -> Picture:
    """Returns the picture: three planners and a greedy agent, in round 6."""
    engine, rng = gonzaga_env.Engine(seed=18), np.random.default_rng(0)
    planner, greedy = (make_agent(name, engine.config) for name in ("planner", "greedy"))
    agents = [planner, greedy, planner, planner]
    for _ in range(STEPS):
        agent = agents[engine.seats[0]]
        engine.step(agent.act(engine.observe(), engine.legal_action_mask(), rng))
    names = [agent.name for agent in agents]
    return gonzaga_env.draw(engine, names=names)


if __name__ == "__main__":
    picture().save(TARGET)
    print(f"wrote {TARGET}")
