"""The evaluation at the end of a run: of a trained policy, or of a best response to one."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gonzaga_env.tabletop.agent import Agent, agent_name
from gonzaga_env.tabletop.spec import Config
from gonzaga_env.tabletop.writing import write_aside

from ...evaluation.match import Match, play_match
from ...evaluation.summary import summarise
from ...registry import agent_names, make_agent
from ...statistics.estimates import mean_interval
from .curve import SEED, strength

EXPLOIT = "exploit.json"
_OPPONENTS = ("random", "greedy", "planner")


def show_final(
    console: Console, config: Config, learner: Agent, *, num_deals: int, more: str
) -> None:
    """Plays the learner against each baseline on all other seats, and prints the results.

    Args:
        console: where the table is printed.
        config: what is played.
        learner: the trained agent.
        num_deals: deals, each played once per player.
        more: the command that plays the learner again.
    """
    num_players = config.num_players
    fair = f"a fair share is {1 / num_players:.0%}"
    title = f"{num_deals * num_players} games each; {fair}"
    table = _new_table(title, "against", "win share", "score", "their score")
    names = [name for name in agent_names(config.game) if name in _OPPONENTS]
    results = strength(config, learner, [make_agent(name, config) for name in names], num_deals)
    for name, (own, theirs) in zip(names, results, strict=True):
        share = own.win_share
        table.add_row(
            f"{num_players - 1} x {name}",
            share.text(".1%", ".0%"),
            f"{own.score.mean:.1f}",
            f"{theirs.score.mean:.1f}",
        )
    console.print(table)
    console.print(f"more: {more}", highlight=False, markup=False, soft_wrap=True)


def show_exploit(
    console: Console,
    folder: Path,
    config: Config,
    learner: Agent,
    frozen: Agent,
    *,
    num_deals: int,
) -> None:
    """Plays a best response against frozen copies of a policy, prints and writes how it did.

    The deals are those of evaluations at checkpoints, each in all seat rotations.

    Args:
        console: where it is printed.
        folder: of the run, where `EXPLOIT` is written.
        config: what is played.
        learner: the best response.
        frozen: the policy, on all other seats.
        num_deals: deals, each played once per player.
    """
    num_players, name = config.num_players, agent_name(frozen)
    lineup = [0] + [1] * (num_players - 1)
    match = play_match(config, [learner, frozen], lineup, num_deals=num_deals, seed=SEED)
    share = summarise(match, ["best response", name]).agents[0].win_share
    margin = mean_interval(margins(match))
    found = {"against": name, "games": match.rounds.size, "fair_share": 1 / num_players}
    found |= {"win_share": asdict(share), "margin": asdict(margin)}
    write_aside(folder / EXPLOIT, json.dumps(found, indent=1).encode())
    games, others = f"{match.rounds.size} games", f"{num_players - 1} x {name}"
    title = escape(f"best response to {others}, {games}")
    table = _new_table(title, "", "measured", "as strong")
    table.add_row("win share", share.text(".1%", ".0%"), f"{1 / num_players:.0%}")
    table.add_row("points ahead", margin.text("+.1f"), "0")
    console.print(table)
    bound = "a lower bound of how far it can be beaten: a longer run may find more"
    console.print(bound, highlight=False, soft_wrap=True)


def _new_table(title: str, first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title)
    table.add_column(first, no_wrap=True)
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def margins(match: Match) -> NDArray[np.float64]:
    """Returns how far agent 0, on one seat, is ahead of the mean of the others, by deal, [D]."""
    totals, own = match.totals, match.seating == 0  # [D, R, P] and [R, P]
    others = (totals * ~own).sum(axis=2) / (own.shape[1] - 1)
    return (totals[:, own] - others).mean(axis=1)
