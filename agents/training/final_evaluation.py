"""A short evaluation of the trained policy."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table

from gonzaga_env.core.config import GameConfig

from ..agent import Agent
from ..evaluation.statistics import Estimate
from ..registry import make_agent
from .curve import strength

_OPPONENTS = ("random", "greedy", "planner")


def show_final(
    console: Console, checkpoint: Path, config: GameConfig, learner: Agent, *, num_deals: int
) -> None:
    """Plays the learner against each baseline on all other seats, and prints the results.

    Args:
        console: where the table is printed.
        checkpoint: where the learner was saved.
        config: what is played.
        learner: the trained agent.
        num_deals: deals, each played once per player.
    """
    num_players = config.num_players
    fair = f"a fair share is {1 / num_players:.0%}"
    table = Table(box=box.SIMPLE_HEAD, title=f"{num_deals * num_players} games each; {fair}")
    for heading in ("against", "win share", "score", "their score"):
        justify: JustifyMethod = "left" if heading == "against" else "right"
        table.add_column(heading, justify=justify, no_wrap=True)
    opponents = [make_agent(name, config) for name in _OPPONENTS]
    results = strength(config, learner, opponents, num_deals)
    for name, (own, theirs) in zip(_OPPONENTS, results, strict=True):
        share = own.win_share
        table.add_row(
            f"{num_players - 1} x {name}",
            f"{share.mean:.1%}{_interval(share)}",
            f"{own.score.mean:.1f}",
            f"{theirs.score.mean:.1f}",
        )
    console.print(table)
    command = f"python evaluate.py {checkpoint} greedy"
    console.print(f"more: {command}", highlight=False, soft_wrap=True)


def _interval(share: Estimate) -> str:
    return "" if share.low is None else f" ({share.low:.0%} to {share.high:.0%})"
