"""Is an edition playable and balanced? Plays agents against themselves and counts.

    python benchmarks/calibration.py [EDITION] [--game gonzaga] [--games 4000] [--seed 0]

Gonzaga's figures have goals. Of other games it prints tables, or writes them into a page between
the marks `<!-- GAME -->` and `<!-- end GAME -->` (`--page`). docs/calibration.md has the results
for the shipped editions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import numpy as np
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.units.games import play_out

from benchmarks.common.flow import flow_tables
from benchmarks.common.tables import markdown_table
from benchmarks.publish import between_marks
from gonzaga_env.command_line import run_command
from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.tables import Tables, tables_for
from gonzaga_env.core.constants import DONATION_POINTS, INACTIVE_CARD, NUM_FIEFS
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.state.scoring import winners
from gonzaga_env.core.state.state import SOURCES
from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tabletop.writing import write_aside


class Figure(NamedTuple):
    """One figure and what it should be."""

    figure: str
    value: float
    goal: str
    holds: bool


def placement_lines(tables: Tables) -> list[Figure]:
    """Returns how many plans each fief can follow, and how many fiefs can cover each site."""
    possible = np.zeros((INACTIVE_CARD, 3, NUM_FIEFS), dtype=np.bool_)
    for scenario, flourishing in enumerate(tables.flourishing):
        legal = tables.fief_bits[scenario, :INACTIVE_CARD] != 0
        possible[flourishing] |= legal.any(axis=-1)[flourishing]
    share = possible.mean(axis=(0, 1))
    covering = tables.placements.fief_conflicts[:-1].any(axis=-1).sum(axis=-1)
    sites = bits.unpack(tables.site_bits, tables.num_hexes) == 1
    fewest = covering[sites].min()
    return [
        Figure("(region, action) pairs, worst fief", share.min(), ">= 0.90", share.min() >= 0.9),
        Figure("(region, action) pairs, all fiefs", share.mean(), "", True),
        Figure("fiefs that can cover a site, fewest", fewest, ">= 8", fewest >= 8),
    ]


def game_lines(tables: Tables, num_players: int, num_games: int, seed: int) -> list[Figure]:
    """Returns how games between greedy agents go."""
    engine = Engine(num_games, num_players, edition=tables.edition, seed=seed, autoreset=False)
    agent = GreedyAgent(GameConfig(num_players, edition=tables.edition))
    seating = np.zeros((num_games, num_players), dtype=np.int64)
    play_out(engine, [agent], seating, [np.random.default_rng(seed)])
    rounds = engine.state.round.astype(np.int64)
    donated = engine.state.scores[:, :, SOURCES.index("donations")].sum() / DONATION_POINTS
    donations = donated / (rounds.sum() * num_players)
    share = win_shares(winners(tables, engine.state)).mean(axis=0) * num_players
    who, mean = f"{num_players} players: ", rounds.mean()
    return [
        Figure(who + "rounds, mean", mean, "8 to 11", 8 <= mean <= 11),
        Figure(who + "rounds, shortest", rounds.min(), "", True),
        Figure(who + "games of 12 rounds", (rounds == NUM_FIEFS).mean(), "", True),
        Figure(who + "donations a place step", donations, "< 0.25", donations < 0.25),
        Figure(who + "wins of the best seat, of its fair share", share.max(), "<= 1.15",
             share.max() <= 1.15),
        Figure(who + "score, mean", engine.state.totals.mean(), "", True),
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; exit code 1 if one misses its goal, 2 for a wrong argument."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edition", nargs="?")
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    calibrate = _gonzaga if options.game == DEFAULT_GAME else _other_game
    return run_command("calibration", lambda: calibrate(options))


def _gonzaga(options: argparse.Namespace) -> int:
    """Prints Gonzaga's figures with their goals."""
    tables = tables_for(load_edition(options.edition or "europe"))
    lines = placement_lines(tables)
    for num_players in (2, 3, 4):
        lines += game_lines(tables, num_players, options.games, options.seed)
    print(f"{tables.edition.name}, {options.games} games between greedy agents each\n")
    for line in lines:
        missed = "" if line.holds else "  MISSED"
        print(f"{line.figure:<56}{line.value:>8.3f}  {line.goal}{missed}")
    return 0 if all(line.holds for line in lines) else 1


def _other_game(options: argparse.Namespace) -> int:
    """Prints the tables of a game other than Gonzaga, or writes them into a page."""
    spec = game_spec(options.game)
    before = "" if options.page is None else options.page.read_text("utf-8")  # fails at once
    found = flow_tables(spec, options.edition, options.games, options.seed)
    text = "\n\n".join(f"**{table.title}**\n\n{markdown_table(table)}" for table in found)
    if options.page is None:
        print(text)
    else:
        write_aside(options.page, between_marks(before, spec.name, text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
