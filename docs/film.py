"""Draws docs/img/film.gif, the game in the README: python docs/film.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gonzaga_agents import make_agent

from gonzaga_env.core import Engine
from gonzaga_env.core.records import Record, Recorder
from gonzaga_env.games import record_frames
from gonzaga_env.show.film import film
from gonzaga_env.tabletop.writing import write_aside

TARGET = Path(__file__).parent / "img" / "film.gif"
SEED = 14
LINEUP = ("learned", "planner", "learned", "planner")


def game(seed: int = SEED) -> Record:
    """Returns the record of a game between strong agents."""
    engine, rng = Engine(seed=seed, autoreset=False), np.random.default_rng(seed)
    agents = {name: make_agent(name, engine.config) for name in LINEUP}
    recorder = Recorder(engine, LINEUP)
    while not (records := recorder.pop()):
        agent = agents[LINEUP[engine.seats[0]]]
        recorder.step(agent.act(engine.observe(), engine.legal_action_mask(), rng))
    return records[0]


def picture(record: Record) -> bytes:
    """Returns the film of a game."""
    return film(Engine().edition, list(record_frames(record)), width=800, seconds=0.9)


if __name__ == "__main__":
    write_aside(TARGET, picture(game()))
    print(f"wrote {TARGET}")
