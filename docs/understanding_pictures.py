"""Draws the pictures of docs/understanding.md, and writes their data.

python docs/understanding_pictures.py
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from gonzaga_agents import make_agent

import gonzaga_env
from gonzaga_env.core import Recorder
from gonzaga_env.core.records import Record
from gonzaga_env.games import record_frames
from gonzaga_env.render.draw import Picture

FOLDER = Path(__file__).parent / "img"
AGENTS = ("planner", "greedy", "random")
MOVE = 4 * 6 + 3  # the first placement of round 5


@cache
def record() -> Record:
    """Returns a game of a planner, a greedy and a random agent."""
    engine, rng = (
        gonzaga_env.Engine(1, len(AGENTS), seed=4, autoreset=False),
        np.random.default_rng(4),
    )
    agents = [make_agent(name, engine.config) for name in AGENTS]
    recorder = Recorder(engine, AGENTS)
    while not (done := recorder.pop()):
        agent = agents[engine.seats[0]]
        recorder.step(agent.act(engine.observe(), engine.legal_action_mask(), rng))
    return done[0]


def pictures() -> dict[str, Picture]:
    """Returns the pictures by the names of their files."""
    return {
        "choices.svg": gonzaga_env.draw_choices(record(), "planner", move=MOVE),
        "scores.svg": gonzaga_env.draw_scores(record()),
    }


def scores_text() -> str:
    """Returns the points that scores.svg draws, as CSV: a line for the deal and each move."""
    lines = [f"move,{','.join(AGENTS)}"]
    for frame in record_frames(record()):
        points = (str(player.score) for player in frame.view.players)
        lines.append(f"{frame.move},{','.join(points)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for name, picture in pictures().items():
        picture.save(FOLDER / name)
        print(f"wrote {FOLDER / name}")
    (FOLDER / "scores.csv").write_text(scores_text(), "utf-8")
