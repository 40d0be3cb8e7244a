"""A figure of reports: win shares, points by source, and legal actions by move."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gonzaga_env.stats.report import POINTS, WON, Report, Section
from gonzaga_env.tabletop.writing import write_aside

_MOST_BARS = 16  # groups that are drawn


def save_figure(reports: list[Report], path: Path) -> None:
    """Writes a row of three pictures for each report; the file's ending decides its format.

    Raises:
        OSError: the file can't be written.
        ValueError: matplotlib doesn't know the format.
    """
    figure = Figure(figsize=(15, 4.2 * len(reports)), layout="constrained")
    axes = figure.subplots(len(reports), 3, squeeze=False)
    for row, report in zip(axes, reports, strict=True):
        # The groups that are compared: agents, if there are several.
        by_agent = [s for s in report.sections if s.keys == ("agent",) and len(s.groups) > 1]
        section = (by_agent or [s for s in report.sections if s.keys] or report.sections)[0]
        _draw_shares(row[0], report, section)
        _draw_sources(row[1], report, section)
        _draw_branching(row[2], report)
    data = BytesIO()
    figure.savefig(data, format=path.suffix[1:].lower() or "png", dpi=120)
    write_aside(path, data.getvalue())


def _draw_shares(axes: Axes, report: Report, section: Section) -> None:
    groups = sorted(section.groups.items())[:_MOST_BARS]
    found = [
        group.means[WON].interval(share=True) if WON in group.means else None for _, group in groups
    ]
    for place, one in enumerate(found):
        if one is not None:
            axes.plot(one.mean, place, "o", color="#7a2e2e")
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [place, place], color="#7a2e2e", linewidth=2)
    axes.axvline(1 / report.num_players, color="grey", linestyle=":", label="fair share")
    _name_groups(axes, section)
    axes.set(xlim=(0, 1), xlabel="win share, 95 % interval over deals")
    axes.set_title(
        f"{report.spec.title}, {report.num_players} players, {report.games.total():,} games"
    )
    axes.legend(loc="best", frameon=False)


def _draw_sources(axes: Axes, report: Report, section: Section) -> None:
    groups = sorted(section.groups.items())[:_MOST_BARS]
    places, left = np.arange(len(groups)), np.zeros(len(groups))
    colours = colormaps["tab20" if len(report.spec.sources) > 10 else "tab10"]
    for number, source in enumerate(report.spec.sources):
        found = [group.means[source].interval() for _, group in groups]
        points = np.array([one.mean if one else 0.0 for one in found])
        axes.barh(places, points, left=left, color=colours(number), label=source.replace("_", " "))
        left += points
    totals = [one.mean if (one := group.means[POINTS].interval()) else 0.0 for _, group in groups]
    axes.plot(totals, places, "D", color="black", markersize=5, label="total")
    _name_groups(axes, section)
    axes.set(xlabel="points by source, and in all")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize="small")


def _draw_branching(axes: Axes, report: Report) -> None:
    moves = sorted(report.branching)
    found = [one for move in moves if (one := report.branching[move].interval()) is not None]
    axes.plot(moves, [one.mean for one in found], color="#1f4e79", linewidth=1)
    axes.set(xlabel="move (the last ones of the longest games only)", ylabel="legal actions, mean")
    axes.set_ylim(bottom=0)


def _name_groups(axes: Axes, section: Section) -> None:
    keys = sorted(section.groups)[:_MOST_BARS]
    names = [", ".join(key) or "all" for key in keys]
    prefix = "seat " if section.keys == ("seat",) else ""
    axes.set_yticks(range(len(keys)), [prefix + name.replace("$", r"\$")[:40] for name in names])
    axes.set_ylim(len(keys) - 0.4, -0.6)
