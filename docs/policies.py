"""Writes the tables of docs/policies.md: `python docs/policies.py`, after an export."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gonzaga_agents.policies.shipped import (
    FOLDER,
    policy_folder,
    policy_path,
    read_description,
    shipped_players,
)

from gonzaga_env.games import DEFAULT_GAME, game_names

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "policies.md"
_END = "<!-- end policies -->"
_MARK = "<!-- not run: it trained for hours, with the version that is named -->"
_HEADINGS = ("players", "edition", "reward", "width", "turns", "hours", "file", "win share")


def page(text: str, folder: Path = FOLDER) -> str:
    """Returns the page with what the policies' descriptions say between its marks."""
    for game in game_names():
        if players := shipped_players(own := policy_folder(game, folder)):
            start = "<!-- policies -->" if game == DEFAULT_GAME else f"<!-- policies of {game} -->"
            before, _, rest = text.partition(start)
            after = rest.partition(_END)[2]
            text = f"{before}{start}\n\n{listing(own, players)}\n\n{_END}{after}"
    return text


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
    kilobytes = policy_path(folder, num_players, "onnx").stat().st_size / 1000
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


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
