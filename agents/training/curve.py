"""Strength by turns: evaluations at checkpoints as a file and a picture, and at a run's end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gonzaga_env.kernel.agent import Agent, agent_name
from gonzaga_env.kernel.bounded import JSON_BYTES, parse_json, read_file
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.writing import write_aside

from ..play.evaluate import play_match
from ..play.jobs import OnFraction, play_jobs
from ..play.summary import AgentSummary, Match, summarise
from ..registry import Spec, agent_names, make_agent
from ..statistics import Estimate, mean_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FILE, PICTURE = "curve.json", "curve.png"
_READABLE = 0.06  # half an interval that a reader can tell from the next line's
SEED = 0  # the same deals in every run, so that runs can be compared


@dataclass(frozen=True)
class Point:
    """The strength at a checkpoint."""

    turns: int  # the learner's turns so far
    seconds: float  # that they took
    # win share, and the ends of its 95 % interval, by opponent
    against: dict[str, tuple[float, float, float]]


class Curve:
    """The points of a run, kept in its folder."""

    def __init__(self, folder: Path, num_players: int, done: int) -> None:
        """Reads what is there.

        Args:
            folder: of the run.
            num_players: P.
            done: turns of the checkpoint from which the run continues; later points are dropped.

        Raises:
            OptionError: the folder has a curve that cannot be read.
        """
        self._folder, self._num_players = folder, num_players
        self.points: list[Point] = []
        if done and (path := folder / FILE).exists():
            self.points = [point for point in read_curve(path) if point.turns <= done]

    def add(self, point: Point) -> None:
        """Adds a point and writes the file and, where matplotlib is installed, the picture."""
        self.points.append(point)
        content = json.dumps([asdict(point) for point in self.points], indent=1)
        write_aside(self._folder / FILE, content.encode())
        draw(self.points, self._folder / PICTURE, self._num_players)


def read_curve(path: Path) -> list[Point]:
    """Returns the points of a file.

    Raises:
        OptionError: it cannot be read.
    """
    try:
        return [_point(**point) for point in parse_json(read_file(path, JSON_BYTES))]
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        raise OptionError(f"{path}: holds no curve; move it away to start a new one") from error


def _point(turns: int, seconds: float, against: dict[str, Sequence[float]]) -> Point:
    """Returns a point of a file, with numbers where numbers belong."""
    shares = {}
    for name, share in against.items():
        mean, low, high = map(float, share)
        shares[name] = mean, low, high
    return Point(int(turns), float(seconds), shares)


def play_opponents(
    config: Config,
    learner: Agent,
    opponents: Sequence[Agent | Spec],
    num_deals: int,
    executor: Executor | None = None,
) -> list[tuple[AgentSummary, AgentSummary]]:
    """Returns the results of the learner, and of opponents that each have all other seats.

    The deals are always the same, and no randomness is shared with training.

    Args:
        config: what is played.
        learner: the agent that learns.
        opponents: the others, or their specs; an executor takes specs, and a learner that pickles.
        num_deals: deals of each match.
        executor: plays the matches with the opponents; None plays them here.
    """
    shared = config, learner, tuple(opponents)
    meetings = [Meeting(*shared, index, num_deals) for index in range(len(opponents))]
    found = dict(play_jobs(meetings, executor))
    return [found[index] for index in range(len(opponents))]


@dataclass(frozen=True)
class Meeting:
    """A match of the learner with one of the opponents (see `play_opponents`)."""

    config: Config
    learner: Agent
    opponents: tuple[Agent | Spec, ...]
    index: int
    num_deals: int

    @property
    def num_games(self) -> int:
        """Games of the match."""
        return self.num_deals * self.config.num_players

    def play(self, _on_progress: OnFraction) -> tuple[AgentSummary, AgentSummary]:
        """Returns the results of the learner and of the opponent."""
        lineup = [0] + [1] * (self.config.num_players - 1)
        agents = [self.learner, self.opponents[self.index]]
        match = play_match(self.config, agents, lineup, num_deals=self.num_deals, seed=SEED)
        own, theirs = summarise(match, ["learner", "opponent"]).agents
        return own, theirs


def interval(share: Estimate) -> tuple[float, float, float]:
    """Returns a win share and the ends of its interval, which are the share itself if unknown."""
    low = share.mean if share.low is None else share.low
    high = share.mean if share.high is None else share.high
    return share.mean, low, high


def draw(points: Sequence[Point], path: Path, num_players: int) -> None:
    """Draws win shares by turns; does nothing where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return
    figure = Figure(figsize=(8, 4.8), layout="constrained")
    axes = figure.subplots()
    for name in points[-1].against:
        plot(axes, points, name, [point.turns / 1e6 for point in points], name)
    axes.axhline(100 / num_players, color="grey", linewidth=1, linestyle=":", label="fair share")
    axes.set_xlabel("million turns of the learner")
    axes.set_ylabel("win share, %")
    others = num_players - 1
    seats = "one opponent" if others == 1 else f"{others} opponents of one kind"
    axes.set_title(f"Win share against {seats}: smoothed, with 95 % intervals", fontsize=10)
    axes.legend(fontsize=9)
    save_figure(figure, path)


def plot(
    axes: Axes, points: Sequence[Point], opponent: str, places: Sequence[float], label: str
) -> None:
    """Adds win shares in % against an opponent: dots, and a smooth line with its interval.

    Args:
        axes: where they are drawn.
        points: of a run; those without this opponent are left out.
        opponent: its name.
        places: of the points on the horizontal axis.
        label: of the line.
    """
    played = zip(places, points, strict=True)  # a resumed run may have other opponents
    known = [(x, point.against[opponent]) for x, point in played if opponent in point.against]
    x = [x for x, _ in known]
    mean, low, high = 100 * smoothed([share for _, share in known])
    (line,) = axes.plot(x, mean, linewidth=2, label=label)
    axes.fill_between(x, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    dots = [100 * share[0] for _, share in known]
    axes.plot(x, dots, "o", markersize=2, color=line.get_color(), alpha=0.4)
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)


def smoothed(shares: Sequence[tuple[float, float, float]]) -> NDArray[np.float64]:
    """Returns win shares and the ends of their 95 % intervals, smooth enough to read, [3, L].

    Each is the mean of its neighborhood, weighted by a Gaussian. That grows until most intervals
    are within 6 points, to an eighth of the run at most: points of many games stay as they are.
    """
    mean, low, high = np.array(shares, dtype=np.float64).reshape(-1, 3).T
    error = np.maximum((high - low) / 2, 0.01)
    place = np.arange(len(mean))
    apart = (place[:, None] - place) ** 2
    for reach in range(len(mean) // 8 + 1):
        weights = np.exp(-apart / (2 * reach**2)) if reach else np.eye(len(mean))
        weights /= weights.sum(axis=1, keepdims=True)
        half = np.sqrt(weights**2 @ error**2)
        if not len(half) or np.median(half) <= _READABLE:
            break
    if not reach:
        return np.stack([mean, low, high])
    mean = weights @ mean
    return np.stack([mean, np.maximum(mean - half, 0), np.minimum(mean + half, 1)])


def save_figure(figure: Figure, path: Path) -> None:
    """Writes a picture, completely or not at all."""
    content = BytesIO()
    figure.savefig(content, format="png", dpi=120)
    write_aside(path, content.getvalue())


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
    results = play_opponents(
        config, learner, [make_agent(name, config) for name in names], num_deals
    )
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
