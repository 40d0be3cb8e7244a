"""What does a bot in another process cost? The same games by one agent, here and as a bot.

    python benchmarks/bots.py [--agent planner] [--games 64] [--repetitions 7]

Both play in turn, after one round that is not counted. Times are medians: the whole time, and that
of the processors in both processes (Linux). docs/bots.md holds the results.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from gonzaga_agents import make_agent
from gonzaga_agents.outside.agent import OutsideAgent
from gonzaga_agents.units.games import choices_of, play_games

from gonzaga_env.games import game_names, game_spec

Times = tuple[float, float]  # seconds in all, and of processors


def processor_seconds(agent: Any) -> float:
    """Returns what this process has used, and the bot's, if the agent is one that runs."""
    found = time.process_time()
    if isinstance(agent, OutsideAgent) and agent.pid is not None and sys.platform == "linux":
        fields = Path(f"/proc/{agent.pid}/stat").read_text().rpartition(")")[2].split()
        found += sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    return found


def measure(game: str, name: str, games: int, repetitions: int) -> tuple[Times, Times, bool]:
    """Returns the times of an agent here and as a bot, and whether they played the same games."""
    config = game_spec(game).config(num_players=4)
    bot = f"cmd[game=1e5]:{sys.executable} -m gonzaga_agents bot serve {name}"
    agents = [make_agent(spec, config) for spec in (name, bot)]
    seating, seeds = np.zeros((games, 4), np.int64), np.arange(games, dtype=np.uint64)
    found, ends = [list[Times](), list[Times]()], set[bytes]()
    for _ in range(1 + repetitions):
        for times, agent in zip(found, agents, strict=True):
            began, used = time.perf_counter(), processor_seconds(agent)
            choices = choices_of(np.random.SeedSequence(0))
            ends.add(play_games(config, [agent], seating, seeds, choices).state.to_bytes())
            times.append((time.perf_counter() - began, processor_seconds(agent) - used))
    here, there = ((median(t[0] for t in own[1:]), median(t[1] for t in own[1:])) for own in found)
    return here, there, len(ends) == 1


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--agent", default="planner")
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--repetitions", type=int, default=7)
    given = parser.parse_args()
    print("| game | here | as a bot | more | processors here | as a bot | more | same games |")
    print("|---|--:|--:|--:|--:|--:|--:|---|")
    for game in game_names():
        here, there, same = measure(game, given.agent, given.games, given.repetitions)
        cells = (
            f"{a:.2f} s | {b:.2f} s | {b / a - 1:+.0%}" for a, b in zip(here, there, strict=True)
        )
        print(f"| {game_spec(game).title} | {' | '.join(cells)} | {'yes' if same else 'no'} |")


if __name__ == "__main__":
    main()
