"""What a training run reached: a short evaluation."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from gonzaga_env.core.config import GameConfig

from ..agent import Agent
from ..evaluation.match import play_match
from ..evaluation.statistics import Estimate, summarise
from ..registry import make_agent

_OPPONENTS = ("random", "greedy")
_SEED = 0  # the same deals after every run, so that runs compare


def show_final(
    console: Console, checkpoint: Path, config: GameConfig, learner: Agent, *, num_deals: int
) -> None:
    """Plays the learner against tables full of each baseline and prints how it did.

    Args:
        console: where to.
        checkpoint: where the learner was saved.
        config: what is played.
        learner: the trained agent.
        num_deals: deals, each played once per player.
    """
    num_players = config.num_players
    fair = f"a fair share is {1 / num_players:.0%}"
    table = Table(box=box.SIMPLE_HEAD, title=f"{num_deals * num_players} games each; {fair}")
    for heading in ("against", "win share", "score", "their score"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name in _OPPONENTS:
        rival = make_agent(name, config)
        lineup = [0] + [1] * (num_players - 1)
        match = play_match(config, [learner, rival], lineup, num_deals=num_deals, seed=_SEED)
        own, theirs = summarise(match, [learner.name, name]).agents
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
