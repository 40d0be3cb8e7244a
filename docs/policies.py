"""Makes the tables of docs/policies.md, which `python docs/figures.py` writes after an export."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gonzaga_agents.network.description import prior_of
from gonzaga_agents.policies.shipped import (
    FOLDER,
    network_path,
    policy_folder,
    policy_path,
    read_description,
    shipped_players,
)

_MARK = "<!-- not run: it trained for hours, with the version that is named -->"
_HEADINGS = ("players", "edition", "reward", "width", "turns", "hours", "file", "win share")


def listing_of(game: str) -> str:
    """Returns the table of the policies that ship for a game, and how they were trained."""
    folder = policy_folder(game, FOLDER)
    return listing(folder, shipped_players(folder))


def listing(folder: Path, players: Sequence[int]) -> str:
    """Returns the table of the policies in a folder, and the commands that trained them."""
    described = {n: read_description(policy_path(folder, n, "json")) for n in players}
    lines = [_row(_HEADINGS), _row("--" for _ in _HEADINGS)]
    lines += [_row(_cells(folder, number, about)) for number, about in described.items()]
    for number, about in described.items():
        commit = f", commit {about['commit']}" if about["commit"] else ""
        title = f"{number} players, gonzaga-env {about['version']}{commit}:"
        lines += ["", title, "", _MARK, *map(_typed, about["command"].splitlines())]
    return "\n".join(lines)


def _typed(noted: str) -> str:
    """Returns a command as it is typed, with what was noted beside it as a comment.

    Notes look like "until 4,344,398 turns: python train.py ..." and "python train.py ..., stopped".
    A line that starts with "# " stays as it is: that part of the training has no command.
    """
    if noted.startswith("# "):
        return f"    {noted}"
    before, command, after = re.findall(r"^(?:(.+): )?(python .+?)(?:, (\w+))?$", noted)[0]
    note = before or after
    return f"    {command}  # {note}" if note else f"    {command}"


def _cells(folder: Path, num_players: int, about: dict[str, Any]) -> list[str]:
    network = network_path(folder, num_players, prior_of(about))
    kilobytes = network.stat().st_size / 1000
    return [
        str(num_players),
        about["edition"],
        about["reward"],
        str(about["network"]["width"]),
        f"{about['turns']:,}",
        f"{about['hours']:.1f}",
        f"{kilobytes:.0f} kB",
        _win_shares(about["curve"]),
    ]


def _win_shares(curve: list[dict[str, Any]]) -> str:
    """Returns the win shares at the end of a curve."""
    against = curve[-1]["against"] if curve else {}
    shares = (
        f"{share:.1%} ({low:.1%} to {high:.1%}) against {name}"
        for name, (share, low, high) in against.items()
    )
    return "; ".join(shares).replace("%", " %") or "not measured"


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"
