"""What analyses say of agents, in numbers and in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.extras import extra_needed
from gonzaga_env.tabletop.bounded import printable

from .analysis import BLUNDER, MISTAKE, Analysis, Decision, Grade, Opinions

if TYPE_CHECKING:
    from ..statistics.estimates import Estimate

_WORST = 3  # decisions that are shown of a game
_LEAST_CHANCE = 1e-3  # of a winner, in the logarithmic loss

Key = Callable[[Analysis, Decision], str]

THRESHOLDS = (
    f"a mistake loses {MISTAKE:.0%} of the victory or more, a blunder {BLUNDER:.0%}, "
    "beyond two standard errors"
).replace("%", " %")


@dataclass
class Losses:
    """The losses of one player's decisions, game by game."""

    totals: list[float] = field(default_factory=list)  # the sum of the losses in each game
    counts: list[int] = field(default_factory=list)  # how many decisions were judged in each
    # how often each grade was given
    grades: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def num_decisions(self) -> int:
        """Decisions in all games."""
        return sum(self.counts)

    def per_decision(self) -> Estimate | None:
        """Returns the mean loss of a decision, with a 95 % interval over games."""
        with extra_needed():
            from ..statistics.estimates import ratio_interval
        return ratio_interval(np.array(self.totals), np.array(self.counts, dtype=float))

    def add(self, loss: float, grade: Grade | None) -> None:
        """Adds a decision of the last game."""
        self.totals[-1] += loss
        self.counts[-1] += 1
        if grade is not None:
            self.grades[grade] += 1


class LossesByKey(dict[str, Losses]):
    """Losses of decisions as one agent sees them, grouped by a key such as `by_player`."""

    def __init__(self, key: Key) -> None:
        """Takes a function that says to what a decision belongs."""
        super().__init__()
        self._key = key

    def add(self, analysis: Analysis, opinions: Opinions) -> None:
        """Adds the decisions of a game."""
        begun: set[str] = set()
        for number, decision in enumerate(analysis.decisions):
            opinion = opinions.decisions[number]
            if opinion is None or opinion.loss is None:
                continue
            name = self._key(analysis, decision)
            lost = self.setdefault(name, Losses())
            if name not in begun:
                begun.add(name)
                lost.totals.append(0.0)
                lost.counts.append(0)
            lost.add(opinion.loss, opinions.grade(number))


def by_player(analysis: Analysis, decision: Decision) -> str:
    """Returns who decided."""
    return analysis.agents[decision.seat]


def by_kind(analysis: Analysis, decision: Decision) -> str:
    """Returns who decided, and what."""
    return f"{by_player(analysis, decision)}: {decision.kind}"


def by_round(analysis: Analysis, decision: Decision) -> str:
    """Returns who decided, and in which round."""
    return f"{by_player(analysis, decision)}: round {decision.round}"


@dataclass(frozen=True)
class Forecast:
    """How well the curves of chances predict who wins; lower is better.

    Attributes:
        brier: the squared error over all players, with its 95 % interval over games.
        logarithmic: minus the logarithm of the winner's chance.
        prior_brier, prior_logarithmic: the same if all players had the same chance.
    """

    brier: Estimate
    logarithmic: Estimate
    prior_brier: float
    prior_logarithmic: float


def forecast(errors: NDArray[np.float64]) -> Forecast:
    """Returns how well chances predict the ends of G games, given `forecast_errors`, [G, 4]."""
    with extra_needed():
        from ..statistics.estimates import mean_interval
    means = errors.mean(axis=0)
    return Forecast(mean_interval(errors[:, 0]), mean_interval(errors[:, 1]), *means[2:].tolist())


def forecast_errors(analysis: Analysis) -> list[float]:
    """Returns the errors of a game's chances before each move: those of `Forecast`, [4]."""
    chances, won = np.array(analysis.chances[:-1]), np.array(analysis.won)
    prior = np.full_like(chances, 1 / len(won))
    found: list[float] = []
    for given in (chances, prior):
        found.append(float(((given - won) ** 2).sum(axis=1).mean()))
        found.append(float(-(np.log(np.maximum(given, _LEAST_CHANCE)) * won).sum(axis=1).mean()))
    return found


def game_lines(analysis: Analysis, title: str) -> Iterator[str]:
    """Yields a short table of a game: what each player lost, and the worst decisions."""
    winners = " and ".join(
        f"seat {seat} ({printable(analysis.agents[seat])})"
        for seat, share in enumerate(analysis.won)
        if share > 0
    )
    yield f"{title}: {len(analysis.decisions)} moves, won by {winners}"
    for opinions in analysis.opinions:
        yield f"  in the view of {opinions.agent} ({opinions.unit})"
        found = LossesByKey(lambda _, decision: str(decision.seat))
        found.add(analysis, opinions)
        for seat, name in enumerate(analysis.agents):
            lost = found.get(str(seat), Losses())
            yield f"    seat {seat} {printable(name):<16} {_lost(lost, opinions.shares)}"
        graded = [i for i in range(len(analysis.decisions)) if opinions.grade(i) is not None]
        for number in sorted(graded, key=lambda i: -_loss(opinions, i))[:_WORST]:
            yield "    " + mistake_line(analysis, opinions, number)


def _lost(lost: Losses, shares: bool) -> str:
    if not lost.num_decisions:
        return "no decisions judged"
    total = sum(lost.totals)
    words = f"{lost.num_decisions:4} decisions, lost {loss_text(total, shares)} in all"
    if not shares:
        return words
    mistakes, blunders = lost.grades["mistake"], lost.grades["blunder"]
    return f"{words}; mistakes {mistakes}, blunders {blunders}"


def mistake_line(analysis: Analysis, opinions: Opinions, number: int) -> str:
    """Returns a decision that lost something in one line."""
    decision, opinion = analysis.decisions[number], opinions.decisions[number]
    assert opinion is not None
    return (
        f"move {decision.move + 1}, round {decision.round}, seat {decision.seat}: "
        f"{decision.words}; {best_text(opinions, number)}"
    )


def best_text(opinions: Opinions, number: int) -> str:
    """Returns what was best, such as "best was Italia A (-12 %)"."""
    opinion = opinions.decisions[number]
    assert opinion is not None
    loss = loss_text(_loss(opinions, number), opinions.shares, sign="\u2212")
    return f"best was {opinion.choices[0].words} ({loss})"


def _loss(opinions: Opinions, number: int) -> float:
    opinion = opinions.decisions[number]
    return 0.0 if opinion is None or opinion.loss is None else opinion.loss


def loss_text(loss: float, shares: bool, sign: str = "") -> str:
    """Returns a loss in percent of the victory, or in the agent's unit."""
    return f"{sign}{100 * loss:.0f} %" if shares else f"{sign}{loss:.2f}"


class Summary:
    """What many games say: losses by player, kind of decision and round, and the curves' error."""

    def __init__(self) -> None:
        """Begins without games."""
        self._losses: dict[str, tuple[bool, list[LossesByKey]]] = {}
        self._errors: list[list[float]] = []

    def add(self, analysis: Analysis) -> None:
        """Adds a game."""
        for opinions in analysis.opinions:
            empty = opinions.shares, [LossesByKey(key) for key in (by_player, by_kind, by_round)]
            for found in self._losses.setdefault(opinions.agent, empty)[1]:
                found.add(analysis, opinions)
        self._errors.append(forecast_errors(analysis))

    def lines(self) -> Iterator[str]:
        """Yields the summary as text."""
        for judge, (shares, divided) in self._losses.items():
            unit = "percent of the victory" if shares else "the agent's unit"
            yield f"loss per decision in the view of {judge}, in {unit}, 95 % interval over games"
            for found in divided:
                for name in sorted(found, key=_natural):
                    yield f"  {printable(name):<28} {_mean(found[name], shares)}"
                yield ""
        told = forecast(np.array(self._errors))
        brier, logarithmic = told.brier.with_margin(3), told.logarithmic.with_margin(3)
        yield (
            f"chances of winning predict the winner with a Brier score of {brier} (same chances "
            f"for all: {told.prior_brier:.3f}) and a logarithmic loss of {logarithmic} "
            f"({told.prior_logarithmic:.3f})"
        )
        yield THRESHOLDS


def _natural(name: str) -> tuple[str, int]:
    """Returns a key that sorts "round 10" behind "round 9"."""
    text, _, number = name.rpartition(" ")
    return (text, int(number)) if number.isdigit() else (name, 0)


def _mean(lost: Losses, shares: bool) -> str:
    found, scale = lost.per_decision(), 100 if shares else 1
    mean = "" if found is None else found.with_margin(2, scale)
    words = f"{mean:>16}   {lost.num_decisions:6,} decisions"
    if not shares:
        return words
    share = 100 / max(1, lost.num_decisions)
    mistakes, blunders = share * lost.grades["mistake"], share * lost.grades["blunder"]
    return f"{words}, mistakes {mistakes:.1f} %, blunders {blunders:.1f} %"
