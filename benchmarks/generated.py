"""Generated maps measured: are they balanced, and do policies play maps that they never saw?

    python benchmarks/generated.py frozen [--write]
    python benchmarks/generated.py calibration [--maps 10] [--games 1000] [--players 2 3 4]
    python benchmarks/generated.py policies [--maps 20] [--deals 60] [--players 2] [--set train]
        [--agent runs/maps]

The first makes the maps of the frozen sets again and compares their digests with the kept ones,
which --write replaces. The others take the first maps of each style of a set, and Europe;
docs/generated.md has the results.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import numpy as np
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.statistics.estimates import mean_interval, share_interval
from gonzaga_agents.units.games import play_out
from numpy.typing import NDArray

from gonzaga_env.command_line import OK, run_command
from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.editions.generating.edition import STYLES
from gonzaga_env.core.editions.generating.named import (
    FROZEN,
    SETS,
    frozen_digests,
    frozen_set,
    generated_name,
)
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.state.scoring import winners
from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tabletop.writing import write_aside

EUROPE = "europe"
MOST_SPAN = 6.0  # points between the means of a number of players' scenarios
MOST_ERRORS = 3.0  # standard errors between a seat's wins and those on Europe
"""The goals of a map."""


def frozen(options: argparse.Namespace) -> int:
    """Makes the maps of the frozen sets again; exit code 1 if a digest is not the kept one."""
    begun = process_time()
    made = {
        name: {
            edition: load_edition(edition).digest
            for edition in (generated_name(style, seed) for style in STYLES for seed in seeds)
        }
        for name, seeds in SETS.items()
    }
    number = sum(map(len, made.values()))
    print(f"{number} maps, {(process_time() - begun) / number:.2f} CPU seconds each")
    if options.write:
        write_aside(FROZEN, json.dumps(made, indent=1) + "\n")
    wrong = [k for name in SETS for k, v in frozen_digests(name).items() if made[name][k] != v]
    print("\n".join(f"{name} is another map" for name in wrong) or "all as they were frozen")
    return 1 if wrong else OK


def styles(maps: int, among: str = "test") -> dict[str, list[str]]:
    """Returns the first editions of each style in a frozen set."""
    names = frozen_set(among)
    return {style: [name for name in names if style in name][:maps] for style in STYLES}


def balance(edition: str, players: int, games: int) -> tuple[float, float, NDArray[np.float64]]:
    """Returns the span of scenario means, its part that is noise, and wins by seat, [games, P].

    The noise is what the span would be if all scenarios were equal, by as many draws.
    """
    config = GameConfig(players, edition=edition)
    engine = Engine(games, players, edition=config.edition, seed=0, autoreset=False)
    seating, rng = np.zeros((games, players), dtype=np.int64), np.random.default_rng(0)
    play_out(engine, [GreedyAgent(config)], seating, [rng])
    points, scenario = engine.state.totals.mean(axis=1), engine.state.scenario
    groups = [points[scenario == i] for i in np.unique(scenario)]
    errors = [group.std() / np.sqrt(len(group)) for group in groups]
    noise = np.ptp(rng.normal(size=(1000, len(groups))) * errors, axis=1).mean()
    span = np.ptp([group.mean() for group in groups])
    return float(span), float(noise), win_shares(winners(tables_for(config.edition), engine.state))


def calibration(options: argparse.Namespace) -> int:
    """Prints the span of scenario means and the seats' wins of each map, and which meet goals."""
    chosen = styles(options.maps)
    usual: dict[int, Any] = {}
    print("map                 players  span (noise)  best seat  seats off Europe's, errors")
    passed = dict.fromkeys(chosen, 0)
    for style, name in [("", EUROPE), *((s, name) for s in chosen for name in chosen[s])]:
        is_good = True
        for players in options.players:
            span, noise, won = balance(name, players, options.games)
            share, error = won.mean(axis=0), won.std(axis=0) / np.sqrt(len(won))
            other = usual.setdefault(players, (share, error))
            off = np.abs(share - other[0]) / np.hypot(error, other[1])
            is_good &= bool(span <= MOST_SPAN and off.max() <= MOST_ERRORS)
            best = share.max() * players
            print(
                f"{name:<20}{players:>6}{span:>7.1f} ({noise:.1f}){best:>12.3f}{off.max():>10.1f}"
            )
        if style:
            passed[style] += is_good

    for style, number in passed.items():
        print(f"{style}: {number} of {len(chosen[style])} maps meet both goals")
    return OK


def policies(options: argparse.Namespace) -> int:
    """Prints the win share of an agent against "planner" on Europe and on a set of maps."""
    players = options.players
    lineup = [0, *[1] * (players - 1)]
    chosen = styles(options.maps, options.set)
    for style, names in {EUROPE: [EUROPE], **chosen}.items():
        deals = options.deals * (options.maps if style == EUROPE else 1)
        shares = [_shares(name, options.agent, lineup, deals) for name in names]
        found = share_interval(np.concatenate(shares))
        means = [share.mean() for share in shares]
        print(
            f"{style:<10} {players} players, {len(names)} maps, {deals} deals each: win share "
            f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f}), fair {1 / players:.3f}; "
            f"maps {min(means):.3f} to {max(means):.3f}",
            flush=True,
        )
        if len(means) > 1:
            between = mean_interval(np.array(means))
            print(
                f"           by map: {between.mean:.3f} ({between.low:.3f} to {between.high:.3f})"
            )
    return OK


def _shares(edition: str, agent: str, lineup: Sequence[int], deals: int) -> NDArray[np.float64]:
    """Returns the agent's win share in each deal."""
    config = GameConfig(len(lineup), edition=edition)
    agents = [f"any-edition:{agent}", "planner"]
    match = play_match(config, agents, lineup, num_deals=deals, seed=0)
    return np.array(match.win_shares[:, match.seating == 0].mean(axis=1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures; exit code 2 for a wrong argument."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser("frozen", help=frozen.__doc__)
    check.set_defaults(run=frozen)
    check.add_argument("--write", action="store_true")
    for run, number, usual in ((calibration, "games", 1000), (policies, "deals", 60)):
        command = commands.add_parser(run.__name__, help=run.__doc__)
        command.set_defaults(run=run)
        command.add_argument("--maps", type=int, default=10 if run is calibration else 20)
        command.add_argument(f"--{number}", type=int, default=usual)
        if run is policies:
            command.add_argument("--players", type=int, default=2)
            command.add_argument("--agent", default="learned")
            command.add_argument("--set", choices=[*SETS], default="test")
        else:
            every = (2, 3, 4)
            command.add_argument("--players", type=int, nargs="+", choices=every, default=every)
    options = parser.parse_args(arguments)
    return run_command("generated", lambda: options.run(options))


if __name__ == "__main__":
    sys.exit(main())
