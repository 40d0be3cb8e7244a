"""Makes what `python docs/figures.py` publishes of kept results: tables, ratings and a picture."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

from benchmarks.common.tables import markdown
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.writing import write_aside

HERE = Path(__file__).resolve().parent
README, RESULTS, PEERS = HERE / "README.md", HERE / "results.json", HERE / "peers.json"
PICTURE = HERE.parent / "docs" / "img" / "speed.png"
RATINGS = HERE.parent / "agents" / "statistics" / "leaderboard.json"
LEADERBOARD = HERE.parent / "docs" / "leaderboard.md"

_LINES = {"with mask and observation": "#1f5f99", "without": "#c2571a"}
_BESIDE = {"connect_four": "--", "raw_env": "-.", "oracle": ":"}


# Rank, agent, rating and interval of a row in docs/leaderboard.md.
_ROW = re.compile(r"^\| \d+ \| `(.+?)` \| ([\w -]*\d|unknown) \| (.+?) \|", re.MULTILINE)


def report_text(path: Path) -> str:
    """Returns a kept report as Markdown."""
    return markdown(json.loads(path.read_text("utf-8")))


def between_marks(text: str, mark: str, content: str) -> str:
    """Returns a document with some content between `<!-- mark -->` and `<!-- end mark -->`."""
    start, end = f"<!-- {mark} -->", f"<!-- end {mark} -->"
    before, _, rest = text.partition(start)
    return f"{before}{start}\n\n{content}\n\n{end}{rest.partition(end)[2]}"


def ratings(page: str, title: str = "Gonzaga") -> str:
    """Returns a game's ratings in docs/leaderboard.md as one table, the weakest agent first."""
    sections = _parts(page, title)
    found = {
        players: {f"`{agent}`": rating for agent, rating, _ in _ROW.findall(text)}
        for players, text in sections.items()
    }
    names = list(next(iter(found.values())))[::-1]
    lines = [["players", *names], ["---:"] * (1 + len(names))]
    lines += [[players, *(own[name] for name in names)] for players, own in found.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def all_ratings(page: str) -> dict[str, dict[str, dict[str, list[int | None]]]]:
    """Returns rating, low and high of each agent in docs/leaderboard.md, by game and players.

    An end of an interval that is open is None, and the rating is then the other end.
    """
    return {
        name: {
            players: {
                agent: _ends(rating, interval)
                for agent, rating, interval in _ROW.findall(part)
                if rating != "unknown"
            }
            for players, part in _parts(page, game_spec(name).title).items()
        }
        for name in game_names()
        if f"\n## {game_spec(name).title}\n" in page
    }


def ratings_text(found: dict[str, Any]) -> str:
    """Returns the ratings as JSON, with a line for each number of players of a game."""
    games = [
        f' "{game}": {{\n'
        + ",\n".join(f'  "{players}": {json.dumps(agents)}' for players, agents in own.items())
        + "\n }"
        for game, own in found.items()
    ]
    return "{\n" + ",\n".join(games) + "\n}\n"


def _ends(rating: str, interval: str) -> list[int | None]:
    value = int(rating.split()[-1])
    if interval == "open":
        return [value, None, value] if rating.startswith("at most") else [value, value, None]
    low, _, high = interval.partition(" to ")
    return [value, *((value, value) if interval == "anchor" else (int(low), int(high)))]


def _parts(page: str, title: str) -> dict[str, str]:
    """Returns the parts of a game in docs/leaderboard.md, by the number of players."""
    part = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    _, *parts = re.split(r"^### (\d) players$", part, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def speeds(report: dict[str, Any]) -> dict[str, dict[int, dict[str, Any]]]:
    """Returns the figures of how speed grows, by mode and number of games."""
    section = "growth in games"
    return {
        mode: {
            int(name.split("/")[1].replace(",", "")): found
            for name, found in report["figures"].items()
            if name.startswith(f"{section}/") and name.endswith(f"/{mode}")
        }
        for mode in _LINES
    }


def speeds_text(report: dict[str, Any]) -> str:
    """Returns what the picture shows as CSV; what it compares with has one game."""
    rows = [
        (f"engine, {mode}", games, found)
        for mode, points in speeds(report).items()
        for games, found in points.items()
    ]
    rows += [(name, 1, report["figures"][name]) for name in _BESIDE]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["what", "games", "agent_steps_per_second", "low", "high"])
    for what, games, found in rows:
        writer.writerow([what, games, *(f"{found[name]:.0f}" for name in ("value", "low", "high"))])
    return text.getvalue()


def draw(report: dict[str, Any], picture: Path) -> None:
    """Writes the picture of how speed grows with the number of games, and its data beside it."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    figures = report["figures"]
    figure = Figure(figsize=(8.6, 5), dpi=160, layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log")
    for mode, found in speeds(report).items():
        points = {games: speed["value"] for games, speed in found.items()}
        label = f"engine, {mode.replace('without', 'actions and steps only')}"
        axes.plot(*zip(*points.items(), strict=True), "o-", color=_LINES[mode], label=label)
        axes.set_xticks(list(points), [f"{number:,}" for number in points])
    for name, dashes in _BESIDE.items():
        axes.axhline(figures[name]["value"], color="#666666", linestyle=dashes, label=name)
    axes.set_xlabel("games at once")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.minorticks_off()
    axes.grid(axis="y", color="#e6e6e6")
    axes.set_title("Agent steps a second, four players at random, one core", loc="left")
    axes.legend(frameon=False)
    figure.savefig(picture)
    picture.with_suffix(".csv").write_text(speeds_text(report), "utf-8")


def write_beside() -> None:
    """Writes the ratings for the package and, where its data changed, the picture."""
    ratings = ratings_text(all_ratings(LEADERBOARD.read_text("utf-8")))
    if ratings != RATINGS.read_text("utf-8"):
        write_aside(RATINGS, ratings)
    report, data = json.loads(RESULTS.read_text("utf-8")), PICTURE.with_suffix(".csv")
    if not data.is_file() or speeds_text(report) != data.read_text("utf-8"):
        draw(report, PICTURE)
