"""Draws the pictures of games, rules and editions: python docs/rules_pictures.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gonzaga_agents import make_agent

import gonzaga_env
from gonzaga_env.games import game_spec
from gonzaga_env.render.draw import Picture

FOLDER = Path(__file__).parent / "img"
STEPS = 90  # in the second round of The Castles of Tuscany, the fourth of Signorie


def pictures() -> dict[str, Picture]:
    """Returns the pictures by file name: a game of each, and the editions of the newer ones."""
    found = {"game.svg": gonzaga_picture()}
    for name in ("tuscany", "signorie"):
        spec, rng = game_spec(name), np.random.default_rng(0)
        config = spec.config(num_players=2)
        game, planner = spec.game.from_config(config, 5), make_agent("planner", config)
        for _ in range(STEPS):
            mask = game.mask().view(np.bool_)
            game.play(int(planner.act(game.observation()[None], mask[None], rng)[0]))
        names = ["planner", "planner"]
        found[f"{name}_game.svg"] = gonzaga_env.draw(game, viewer=0, names=names)
        found[f"{name}_edition.svg"] = gonzaga_env.draw(config.edition)
    return found


def gonzaga_picture() -> Picture:
    """Returns the picture: three planners and a greedy agent, in round 6."""
    engine, rng = gonzaga_env.Engine(seed=18), np.random.default_rng(0)
    planner, greedy = (make_agent(name, engine.config) for name in ("planner", "greedy"))
    agents = [planner, greedy, planner, planner]
    for _ in range(5 * 8 + 7):  # before the last placement of round 6
        agent = agents[engine.seats[0]]
        engine.step(agent.act(engine.observe(), engine.legal_action_mask(), rng))
    return gonzaga_env.draw(engine, names=[agent.name for agent in agents])


if __name__ == "__main__":
    for name, picture in pictures().items():
        picture.save(FOLDER / name)
        print(f"wrote {FOLDER / name}")
