"""Reports of analyses: text for a terminal, and a page of one game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from gonzaga_env.games import record_config, record_frames
from gonzaga_env.intervals import Estimate, mean_interval, ratio_interval
from gonzaga_env.kernel.agent import Considered
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.spec import Engine
from gonzaga_env.kernel.text_table import text_table
from gonzaga_env.kernel.view import Frame, LogLine
from gonzaga_env.show.page import Curves, page

from ..arrays import Doubles
from .analysis import BLUNDER, MISTAKE, Analysis, Grade, Opinions

_WORST = 3  # decisions that are shown of a game
_CONSIDERED = 10  # choices that are shown of a decision
_LEAST_CHANCE = 1e-3  # of a winner, in the logarithmic loss
_THRESHOLDS = (
    f"a mistake loses {MISTAKE:.0%} of the victory or more, a blunder {BLUNDER:.0%}, beyond two "
    "standard errors"
)


@dataclass
class Losses:
    """The losses of some decisions, game by game."""

    totals: dict[int, float] = field(default_factory=lambda: defaultdict(float))  # by game
    counts: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # decisions by game
    grades: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # how often each

    def add(self, game: int, loss: float, grade: Grade | None) -> None:
        self.totals[game] += loss
        self.counts[game] += 1
        if grade is not None:
            self.grades[grade] += 1

    def per_decision(self) -> Estimate | None:
        """Returns the mean loss of a decision, with a 95 % interval over games."""
        counts = np.array([*self.counts.values()], dtype=float)
        return ratio_interval(np.array([*self.totals.values()]), counts)


def game_lines(analysis: Analysis, title: str) -> Iterator[str]:
    """Yields what a game says: what each player lost, and the worst decisions."""
    winners = " and ".join(
        f"seat {seat} ({printable(analysis.agents[seat])})"
        for seat, share in enumerate(analysis.won)
        if share > 0
    )
    yield f"{title}: {len(analysis.decisions)} moves, won by {winners}"
    for opinions in analysis.opinions:
        yield f"in the view of {printable(opinions.agent)} ({opinions.unit})"
        lost = [Losses() for _ in analysis.agents]
        for number, loss in _losses(opinions):
            lost[analysis.decisions[number].seat].add(0, loss, opinions.grade(number))
        rows = [["", "decisions", "lost in all", "mistakes", "blunders"]]
        for seat, name in enumerate(analysis.agents):
            total = loss_text(sum(lost[seat].totals.values()), opinions.shares)
            rows.append([f"seat {seat} {name}", *_counts(lost[seat], total)])
        yield from text_table(rows)
        graded = [(loss, i) for i, loss in _losses(opinions) if opinions.grade(i) is not None]
        for _, number in sorted(graded, reverse=True)[:_WORST]:
            decision = analysis.decisions[number]
            yield printable(
                f"move {decision.move + 1}, round {decision.round}, seat {decision.seat}: "
                f"{decision.words}; {best_text(opinions, number)}"
            )


def _losses(opinions: Opinions) -> Iterator[tuple[int, float]]:
    """Yields number and loss of the decisions whose loss is known."""
    for number, opinion in enumerate(opinions.decisions):
        if opinion is not None and opinion.loss is not None:
            yield number, opinion.loss


def _counts(lost: Losses, loss: str) -> list[str]:
    count = sum(lost.counts.values())
    grades = [str(lost.grades[grade]) for grade in ("mistake", "blunder")]
    return [f"{count:,}", loss if count else "", *grades]


def best_text(opinions: Opinions, number: int) -> str:
    """Returns what was best, such as "best was Italia A (-12 %)"."""
    opinion = opinions.decisions[number]
    assert opinion is not None
    loss = loss_text(opinion.loss or 0.0, opinions.shares)
    return f"best was {opinion.choices[0].words} (\u2212{loss})"


def loss_text(loss: float, shares: bool) -> str:
    """Returns a loss in percent of the victory, or in the agent's unit."""
    return f"{100 * loss:.0f} %" if shares else f"{loss:.2f}"


def choice_lines(
    engine: Engine, found: Considered, played: int, title: str, name: str
) -> Iterator[str]:
    """Yields what an agent considers in a position, best first; ">" marks what was played."""
    yield printable(f"{title}: {name} considers {len(found.actions)} choices ({found.unit})")
    digits = 3 if np.abs(found.values).max() <= 1 else 1
    rows = [["  choice", "value", "playouts"]]
    for i, (action, value) in enumerate(zip(found.actions, found.values, strict=True)):
        if i < _CONSIDERED or action == played:
            words = f"{'>' if action == played else ' '} {engine.describe(int(action))}"
            playouts = "" if found.playouts is None else f"{found.playouts[i]:,}"
            rows.append([words, f"{value:.{digits}f}", playouts])
    yield from text_table(rows)
    if played not in found.actions:
        yield printable(f"{engine.describe(played)} was played, which is not among them")


class Summary:
    """Sums up many games: losses by player and kind of decision, and the error of the chances."""

    def __init__(self) -> None:
        # by agent: whether its values are shares, and losses by player and by player and kind
        self._losses: dict[str, tuple[bool, dict[str, Losses]]] = {}
        self._errors: list[list[float]] = []

    @property
    def num_games(self) -> int:
        return len(self._errors)

    def add(self, analysis: Analysis) -> None:
        for opinions in analysis.opinions:
            empty = opinions.shares, defaultdict[str, Losses](Losses)
            _, found = self._losses.setdefault(opinions.agent, empty)
            for number, loss in _losses(opinions):
                decision, grade = analysis.decisions[number], opinions.grade(number)
                player = analysis.agents[decision.seat]
                for key in (player, f"{player}: {decision.kind}"):
                    found[key].add(self.num_games, loss, grade)
        self._errors.append(forecast_errors(analysis))

    def lines(self) -> Iterator[str]:
        for judge, (shares, found) in self._losses.items():
            unit = "percent of the victory" if shares else "the agent's unit"
            yield printable(f"loss a decision in the view of {judge}, in {unit}")
            rows = [["", "decisions", "loss ± 95%", "mistakes", "blunders"]]
            for name in sorted(found):
                mean = found[name].per_decision()
                text = "" if mean is None else mean.with_margin(2, 100 if shares else 1)
                rows.append([name, *_counts(found[name], text)])
            yield from text_table(rows)
        brier, logarithmic, even_brier, even_logarithmic = np.array(self._errors).T
        yield (
            f"chances of winning have a Brier score of {mean_interval(brier).with_margin(3)} "
            f"(equal chances: {even_brier.mean():.3f}) and a logarithmic loss of "
            f"{mean_interval(logarithmic).with_margin(3)} ({even_logarithmic.mean():.3f})"
        )
        yield _THRESHOLDS


def forecast_errors(analysis: Analysis) -> list[float]:
    """Returns how badly the chances before each move predict who wins, [4].

    They are the squared error over all players and minus the logarithm of the winner's chance, and
    both if all players had the same chance.
    """
    chances, won = np.array(analysis.chances[:-1]), np.array(analysis.won)
    even = np.full_like(chances, 1 / len(won))

    def errors(given: Doubles) -> list[float]:
        squared = ((given - won) ** 2).sum(axis=1).mean()
        logarithms = -(np.log(np.maximum(given, _LEAST_CHANCE)) * won).sum(axis=1).mean()
        return [float(squared), float(logarithms)]

    return [*errors(chances), *errors(even)]


def analysis_page(
    record: Record, analysis: Analysis, title: str, edition: EditionSource | None = None
) -> str:
    """Returns a self-contained page that steps through a game, with its curve and what was best."""
    frames = [_noted(frame, analysis) for frame in record_frames(record, edition)]
    curves = Curves(
        "Chances of winning", "chance", [list(c) for c in zip(*analysis.chances, strict=True)]
    )
    return page(record_config(record, edition).edition, frames, title, curves=curves)


def _noted(frame: Frame, analysis: Analysis) -> Frame:
    """Returns a frame with a line for each agent that would have decided better."""
    notes = [
        LogLine(None, f"{opinions.agent}: {grade}, {best_text(opinions, frame.move - 1)}")
        for opinions in analysis.opinions
        if frame.move and (grade := opinions.grade(frame.move - 1)) is not None
    ]
    return replace(frame, lines=(*frame.lines, *notes))
