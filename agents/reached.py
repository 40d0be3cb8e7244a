"""What a training run reached: a short evaluation."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from .agent import Agent
from .match import Game, play_match
from .registry import make_agent
from .statistics import Estimate, summarise

_OPPONENTS = ("random", "greedy")
_SEED = 0  # the same deals after every run, so that runs compare


def show_reached(
    console: Console, checkpoint: Path, game: Game, learner: Agent, *, num_deals: int
) -> None:
    """Plays the learner against tables full of each baseline and prints how it did.

    Args:
        console: where to.
        checkpoint: where the learner was saved.
        game: what is played.
        learner: the trained agent.
        num_deals: deals, each played once per player.
    """
    num_players = game.num_players
    fair = f"a fair share is {1 / num_players:.0%}"
    table = Table(box=box.SIMPLE_HEAD, title=f"{num_deals * num_players} games each; {fair}")
    for heading in ("against", "win share", "score", "their score"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name in _OPPONENTS:
        rival = make_agent(name, edition=game.edition, num_players=num_players)
        slots = [0] + [1] * (num_players - 1)
        match = play_match(game, [learner, rival], slots, num_deals=num_deals, seed=_SEED)
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
