"""What the valued deals say: losses with intervals, and how few deals would have said the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.markup import escape
from rich.table import Table

from ..evaluation.report import fold_name, new_table
from ..statistics.estimates import Estimate, mean_interval, ratio_interval, share_interval
from ..statistics.rankings import CONFIDENCE
from .arena import ArenaError, Valued

_SAMPLES = 2000  # of the bootstrap
_ALL = "all"
_MOST_KINDS = 4  # that have columns


@dataclass(frozen=True)
class Standing:
    """What is known of an agent."""

    agent: str
    decisions: int  # between several actions
    # the share of the victory that a decision lost, of all kinds ("all") and by kind
    losses: Mapping[str, Estimate]
    refused: int  # illegal answers of a bot or a model
    games: int  # of its own
    win_share: Estimate | None  # in these; None without games
    points: Estimate | None


@dataclass(frozen=True)
class Report:
    """The agents, those first whose decisions lost least."""

    deals: int  # which all agents have been asked about
    standings: tuple[Standing, ...]
    # deals at which the order by losses is that of all deals in 95 % of the samples of a bootstrap;
    # None if there are too few
    deals_needed: int | None

    def as_json(self) -> dict[str, Any]:
        """Returns plain data: an estimate as mean and ends, which are None for a single deal."""

        def plain(estimate: Estimate | None) -> list[float | None] | None:
            return None if estimate is None else [estimate.mean, estimate.low, estimate.high]

        return {
            "deals": self.deals,
            "deals_needed": self.deals_needed,
            "agents": [
                {
                    "agent": one.agent,
                    "decisions": one.decisions,
                    "losses": {kind: plain(loss) for kind, loss in one.losses.items()},
                    "refused": one.refused,
                    "games": one.games,
                    "win_share": plain(one.win_share),
                    "points": plain(one.points),
                }
                for one in self.standings
            ],
        }

    def table(self) -> Table:
        """Returns the table for the terminal."""
        table = new_table(*self._headings)
        for agent, *cells in self._rows:
            table.add_row(escape(fold_name(agent)), *cells)
        return table

    def markdown(self) -> str:
        """Returns the table for a page."""
        lines = [self._headings, ["--", *["--:"] * (len(self._headings) - 1)], *self._rows]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

    @property
    def note(self) -> str:
        """How many deals tell the agents apart."""
        if len(self.standings) < 2:
            return "One agent alone has no order."
        deals = self.deals if self.deals_needed is None else self.deals_needed
        said = f"{deals} deal{'s' * (deals > 1)}"
        if self.deals_needed is None:
            return f"{said} do{'es' * (deals == 1)} not settle this order."
        tell = f"tell{'s' * (deals == 1)}"
        return f"By losses, {said} {tell} this order in {CONFIDENCE:.0%} of the samples."

    @property
    def _kinds(self) -> list[str]:
        """The kinds of decisions with a column of their own; none where a line holds too few."""
        kinds = [*self.standings[0].losses][1:]
        return kinds if len(kinds) <= _MOST_KINDS else []

    @property
    def _headings(self) -> list[str]:
        kinds = self._kinds
        refused = ["refused"] if any(one.refused for one in self.standings) else []
        return ["agent", "decisions", "lost, %", *kinds, *refused, "games", "wins, %", "points"]

    @property
    def _rows(self) -> list[list[str]]:
        return [
            [
                one.agent,
                str(one.decisions),
                one.losses[_ALL].with_margin(2, 100),
                *(f"{100 * one.losses[kind].mean:.2f}" for kind in self._kinds),
                *([str(one.refused)] if "refused" in self._headings else []),
                str(one.games),
                "" if one.win_share is None else f"{100 * one.win_share.mean:.0f}",
                "" if one.points is None else one.points.with_margin(),
            ]
            for one in self.standings
        ]


def report(valued: Sequence[Valued], kinds: Sequence[str]) -> Report:
    """Returns what is known on the deals that all agents have been asked about.

    Args:
        valued: deals of one arena.
        kinds: of decisions (`GameSpec.kinds`).

    Raises:
        ArenaError: there is no such deal.
    """
    by_agent: dict[str, dict[int, Valued]] = {}
    for one in valued:
        by_agent.setdefault(one.agent, {})[one.deal] = one
    common = set[int]().union(*by_agent.values()).intersection(*by_agent.values())
    if not (deals := sorted(common)):
        raise ArenaError("there is no deal that all agents were asked about; run the arena first")
    found = [_standing(agent, [of[d] for d in deals], kinds) for agent, of in by_agent.items()]
    order = np.argsort([standing.losses[_ALL].mean for standing, _ in found], kind="stable")
    return Report(
        deals=len(deals),
        standings=tuple(found[i][0] for i in order),
        deals_needed=_deals_needed(np.stack([found[i][1] for i in order])),
    )


def _standing(
    agent: str, deals: Sequence[Valued], kinds: Sequence[str]
) -> tuple[Standing, NDArray[np.float64]]:
    """Returns the standing of an agent, and what each deal lost in how many decisions, [2, D]."""
    lost, counts = np.zeros((2, len(kinds), len(deals)))
    for d, deal in enumerate(deals):
        for _, kind, loss, _ in deal.decisions:
            if kind not in kinds:
                raise ArenaError(f"the game has no decisions of the kind {kind!r}")
            lost[kinds.index(kind), d] += loss
            counts[kinds.index(kind), d] += 1
    sums = np.stack([lost.sum(axis=0), counts.sum(axis=0)])
    losses = {_ALL: ratio_interval(*sums)}
    losses |= {kind: ratio_interval(lost[k], counts[k]) for k, kind in enumerate(kinds)}
    played = all(deal.shares for deal in deals)
    means = [[np.mean(deal.shares), np.mean(deal.points)] for deal in deals] if played else []
    shares, points = np.array(means).T if played else (None, None)
    standing = Standing(
        agent=agent,
        decisions=int(counts.sum()),
        losses={kind: loss or Estimate(0.0, None, None) for kind, loss in losses.items()},
        refused=sum(deal.refused for deal in deals),
        games=sum(len(deal.shares) for deal in deals),
        win_share=None if shares is None else share_interval(shares),
        points=None if points is None else mean_interval(points),
    )
    return standing, sums


def _deals_needed(sums: NDArray[np.float64]) -> int | None:
    """Returns how many deals keep the order of the agents (see `Report`).

    Args:
        sums: what decisions lost and how many there were, by agent in order and deal, [A, 2, D].
    """
    rng, num_deals = np.random.default_rng(0), sums.shape[2]
    for size in range(1, num_deals + 1 if num_deals > 1 else 1):  # one deal samples itself only
        drawn = sums[..., rng.integers(num_deals, size=(_SAMPLES, size))].sum(axis=3)
        means = drawn[:, 0] / np.maximum(drawn[:, 1], 1)  # [A, samples]
        if (np.diff(means, axis=0) > 0).all(axis=0).mean() >= CONFIDENCE:
            return size
    return None
