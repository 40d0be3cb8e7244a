"""Writes the golden games: `python tests/golden/regenerate.py`, after a change of rules or data.

One game for every number of players and league option, greedy agents on even seats and random ones
on odd seats, so that every kind of move comes up.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
from gonzaga_agents.greedy import GreedyAgent
from gonzaga_agents.match import play_out
from gonzaga_agents.random_agent import RandomAgent

from gonzaga_env.core import Engine
from gonzaga_env.core.records import Record, Recorder, write_records
from gonzaga_env.core.rules import Rules, SeaLeague

FILE = Path(__file__).parent / "games.jsonl"
LEAGUES: tuple[SeaLeague, ...] = ("each_player", "first_only")
GAMES = list(product((2, 3, 4), LEAGUES))


def golden_game(num_players: int, sea_league: SeaLeague) -> Record:
    """Returns the record of a game; the same arguments give the same one."""
    engine = Engine(1, num_players, rules=Rules(sea_league), seed=num_players, autoreset=False)
    agents = [GreedyAgent(engine.tables.edition, num_players), RandomAgent()]
    seating = np.arange(num_players)[None] % 2
    recorder = Recorder(engine, [agents[i].name for i in seating[0]])
    play_out(engine, agents, seating, [np.random.default_rng(i) for i in (0, 1)], recorder.step)
    return recorder.pop()[0]


if __name__ == "__main__":
    write_records(FILE, [golden_game(*game) for game in GAMES])
    print(f"wrote {len(GAMES)} games to {FILE}")
