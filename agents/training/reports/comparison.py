"""The command `python -m gonzaga_agents.training.compare`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.tabletop.errors import OptionError

from ...common.command_line import parse, shown
from ..options import Track
from .curve import FILE, Point, plot, read_curve, save_figure
from .tracking import track_curves


@dataclass(frozen=True)
class Arguments:
    """Draws the curves of training runs: win share against each opponent by hours of training.
    --version prints the version.

    Examples:
        python -m gonzaga_agents.training.compare runs/first runs/second --out curves.png
    """

    runs: Annotated[list[Path], tyro.conf.Positional, shown("RUN")]
    """Folders of runs with the same number of players."""
    out: Annotated[Path, shown("FILE")] = Path("curves.png")
    """The picture, a PNG."""
    track: Track = "none"
    """wandb: send the curves to Weights & Biases too (extra "wandb")."""


def main() -> int:
    """Parses the command line and draws.

    Returns:
        The exit code, 0.

    Raises:
        OptionError: no run is given, or a folder holds no curve.
    """
    arguments = parse(Arguments)
    if not arguments.runs:
        raise OptionError("no run is given; name the folders of one or more")
    folders = {folder.name for folder in arguments.runs}
    differ = len(folders) == len(arguments.runs)
    curves = {run.name if differ else str(run): _curve(run) for run in arguments.runs}
    compare(curves, arguments.out)
    if arguments.track == "wandb":
        track_curves(curves, arguments.out)
    print(f"wrote {arguments.out}")
    return 0


def compare(curves: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draws curves by name, a panel for each opponent.

    Raises:
        OptionError: they have no opponent.
    """
    from matplotlib.figure import Figure

    names = dict.fromkeys(name for points in curves.values() for p in points for name in p.against)
    if not names:
        raise OptionError("the runs have no evaluations to draw")
    figure = Figure(figsize=(4.2 * len(names), 4.2), layout="constrained")
    panels = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
    for axes, opponent in zip(panels, names, strict=True):
        for name, points in curves.items():
            plot(axes, points, opponent, [point.seconds / 3600 for point in points], name)
        axes.set_title(f"against {opponent}", fontsize=10)
        axes.set_xlabel("hours of training")
    panels[0].set_ylabel("win share, %")
    panels[0].legend(fontsize=9)
    save_figure(figure, path)


def _curve(folder: Path) -> list[Point]:
    path = folder / FILE
    if not path.exists():
        raise OptionError(f"{folder} holds no curve: there is no {path}")
    return read_curve(path)
