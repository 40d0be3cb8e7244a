"""Draws how the engine's speed grows with the number of games, from a run's JSON.

python benchmarks/plot.py [RESULTS] [PICTURE]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "img" / "speed.png"

_LINES = {
    "lean": ("#c2571a", "engine, actions and steps only"),
    "observed": ("#1f5f99", "engine, with mask and observation"),
}
_BESIDE = {
    "connect_four": "PettingZoo connect_four, raw_env",
    "raw_env": "gonzaga_v0.raw_env",
    "oracle": "the tests' naive oracle",
}
_GREY, _LABEL_GAP = "#666666", 0.11  # decades between two labels


def draw(report: dict[str, Any], picture: Path) -> None:
    """Writes the picture of a report that has the section "growth"."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.size": 11, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(8.6, 5), dpi=160, layout="constrained")
        axes = figure.add_subplot(xscale="log", yscale="log")
        _draw(axes, report)
        figure.savefig(picture)


def _draw(axes: Any, report: dict[str, Any]) -> None:
    from matplotlib.ticker import LogLocator

    points = report["growth"]["games"]
    num_games = [point["games"] for point in points]
    labels = []
    for mode, (colour, text) in _LINES.items():
        speeds = [point[mode]["value"] for point in points]
        axes.plot(num_games, speeds, "o-", color=colour, linewidth=2, markersize=5)
        labels.append((speeds[-1], colour, text))
    measured = {name: f for row in report["rows"] for name, f in row["measured"].items()}
    for name, text in _BESIDE.items():
        if name in measured:
            speed = measured[name]["value"]
            axes.axhline(speed, color=_GREY, linewidth=1, linestyle=(0, (5, 3)))
            labels.append((speed, _GREY, text))
    axes.set_xticks(num_games, [f"{number:,}" for number in num_games], fontsize=10)
    axes.set_xlabel("games at once")
    axes.margins(x=0.04, y=0.08)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.minorticks_off()
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_title("Agent steps a second, four players at random, one core", loc="left")
    _write_beside(axes, labels, num_games[-1])


def _write_beside(axes: Any, labels: list[tuple[float, str, str]], last: float) -> None:
    """Writes the names right of what they name, the lower ones first, none over another."""
    at = 0.0
    for speed, colour, text in sorted(labels):
        at = max(speed, at * 10**_LABEL_GAP)
        axes.annotate(
            text,
            (last, at),
            xytext=(20, 0),
            textcoords="offset points",
            color=colour,
            va="center",
            annotation_clip=False,
        )


def main() -> int:
    """Draws; returns 2 for a mistake."""
    from benchmarks.door import OK, RESULTS, read_report, run_command

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", nargs="?", type=Path, default=RESULTS)
    parser.add_argument("picture", nargs="?", type=Path, default=PICTURE)
    options = parser.parse_args()

    def work() -> int:
        draw(read_report(options.results), options.picture)
        print(f"wrote {options.picture}")
        return OK

    return run_command("plot", work)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    sys.exit(main())
