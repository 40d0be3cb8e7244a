"""Strength by turns: evaluations at checkpoints as a file and a picture, and at a run's end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.extras import import_matplotlib
from gonzaga_env.intervals import Estimate, mean_interval
from gonzaga_env.kernel.agent import Agent, agent_name
from gonzaga_env.kernel.bounded import JSON_BYTES, parse_json, read_file
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.text_table import text_table
from gonzaga_env.kernel.writing import write_aside

from ..play.evaluate import play_match
from ..play.jobs import OnFraction, play_jobs
from ..play.summary import AgentSummary, Match, summarise
from ..registry import Spec, agent_names, make_agent

FILE, PICTURE = "curve.json", "curve.png"
_MOST_DRAWN = 1000  # points of a line; smoothing takes memory by the square of their number
_READABLE = 0.06  # half an interval that a reader can tell from the next line's


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
        """Reads the points up to the turns that are done; later ones are dropped.

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
        raise OptionError(f"{path} is not a curve file; move it away to start a new one") from error


def _point(turns: int, seconds: float, against: dict[str, Sequence[float]]) -> Point:
    """Returns a point of a file, with numbers where numbers belong."""
    shares = {}
    for name, share in against.items():
        mean, low, high = map(float, share)
        shares[name] = mean, low, high
    if not 0 <= turns <= 2**62:
        raise ValueError("turns are out of range")
    return Point(int(turns), float(seconds), shares)


def play_opponents(
    config: Config,
    learner: Agent,
    opponents: Sequence[Agent | Spec],
    num_deals: int,
    executor: Executor | None = None,
) -> list[tuple[AgentSummary, AgentSummary]]:
    """Returns the results of the learner, and of opponents that each have all other seats.

    The deals are always the same, and no randomness is shared with training. An executor takes
    specs of opponents, and a learner that pickles; None plays the matches here.
    """
    matches = [_Match(config, learner, opponent, num_deals) for opponent in opponents]
    found = dict(play_jobs(matches, executor))
    return [found[index] for index in range(len(opponents))]


@dataclass(frozen=True)
class _Match:
    """A match of the learner with an opponent, as a job."""

    config: Config
    learner: Agent
    opponent: Agent | Spec
    num_deals: int

    @property
    def num_games(self) -> int:
        return self.num_deals * self.config.num_players

    def play(self, _on_progress: OnFraction) -> tuple[AgentSummary, AgentSummary]:
        match = _one_against_others(self.config, self.learner, self.opponent, self.num_deals)
        own, theirs = summarise(match, ["learner", "opponent"]).agents
        return own, theirs


def _one_against_others(config: Config, one: Agent, other: Agent | Spec, num_deals: int) -> Match:
    """Plays an agent on one seat against another on all others, on the same deals each time."""
    lineup = [0] + [1] * (config.num_players - 1)
    return play_match(config, [one, other], lineup, num_deals=num_deals, seed=0)


def interval(share: Estimate) -> tuple[float, float, float]:
    """Returns a win share and the ends of its interval, which are the share itself if unknown."""
    low = share.mean if share.low is None else share.low
    high = share.mean if share.high is None else share.high
    return share.mean, low, high


def draw(points: Sequence[Point], path: Path, num_players: int) -> None:
    """Draws win shares by turns: dots, and a smooth line with its interval for each opponent.

    Does nothing where matplotlib is missing.
    """
    try:
        import_matplotlib()
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return
    figure = Figure(figsize=(8, 4.8), layout="constrained")
    axes = figure.subplots()
    for name in points[-1].against:
        known = [point for point in points if name in point.against]  # a resumed run may add some
        known = known[:: -(1 + len(known) // _MOST_DRAWN)][::-1]  # the newest, and every k-th
        turns, shares = [p.turns / 1e6 for p in known], [p.against[name] for p in known]
        mean, low, high = 100 * smoothed(shares)
        (line,) = axes.plot(turns, mean, linewidth=2, label=name)
        axes.fill_between(turns, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
        dots = [100 * share[0] for share in shares]
        axes.plot(turns, dots, "o", markersize=2, color=line.get_color(), alpha=0.4)
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.axhline(100 / num_players, color="grey", linewidth=1, linestyle=":", label="fair share")
    axes.set_xlabel("million turns of the learner")
    axes.set_ylabel("win share, %")
    others = num_players - 1
    seats = "one opponent" if others == 1 else f"{others} opponents of one kind"
    axes.set_title(f"Win share against {seats}: smoothed, with 95 % intervals", fontsize=10)
    for text in axes.legend(fontsize=9).get_texts():
        text.set_parse_math(False)  # a name is no formula
    content = BytesIO()
    figure.savefig(content, format="png", dpi=120)
    write_aside(path, content.getvalue())


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


EXPLOIT = "exploit.json"
_OPPONENTS = ("random", "greedy", "planner")


def show_final(config: Config, learner: Agent, *, num_deals: int, more: str) -> None:
    """Plays the learner against each baseline on all other seats, and prints the results.

    The last line is the command that plays more games.
    """
    num_players = config.num_players
    rows = [("against", "win share", "score", "their score")]
    names = [name for name in agent_names(config.game) if name in _OPPONENTS]
    results = play_opponents(
        config, learner, [make_agent(name, config) for name in names], num_deals
    )
    for name, (own, theirs) in zip(names, results, strict=True):
        share = own.win_share
        points = f"{own.score.mean:.1f}", f"{theirs.score.mean:.1f}"
        rows.append((f"{num_players - 1} x {name}", share.text(".1%", ".0%"), *points))
    print(f"{num_deals * num_players} games each; a fair share is {1 / num_players:.0%}")
    print(*text_table(rows), sep="\n")
    print(printable(f"more: {more}"))


def show_exploit(
    folder: Path, config: Config, learner: Agent, frozen: Agent, *, num_deals: int
) -> None:
    """Plays a best response against frozen copies of a policy, prints and writes how it did.

    The deals are those of evaluations at checkpoints, each in all seat rotations.
    """
    num_players, name = config.num_players, agent_name(frozen)
    match = _one_against_others(config, learner, frozen, num_deals)
    share = summarise(match, ["best response", name]).agents[0].win_share
    margin = mean_interval(match.margins())
    found = {"against": name, "games": match.rounds.size, "fair_share": 1 / num_players}
    found |= {"win_share": asdict(share), "margin": asdict(margin)}
    write_aside(folder / EXPLOIT, json.dumps(found, indent=1).encode())
    others = printable(f"{num_players - 1} x {name}")
    rows = [
        ("", "measured", "as strong"),
        ("win share", share.text(".1%", ".0%"), f"{1 / num_players:.0%}"),
        ("points ahead", margin.text("+.1f"), "0"),
    ]
    print(f"best response to {others}, {match.rounds.size} games")
    print(*text_table(rows), sep="\n")
    print("a lower bound of how far it can be beaten: a longer run may find more")
