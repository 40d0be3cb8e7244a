"""What the valued games say: losses with intervals, and how few games would have said the same."""

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


@dataclass(frozen=True)
class Standing:
    """What an agent's games say."""

    agent: str
    games: int
    decisions: int  # between several actions
    refused: int  # illegal answers of a bot or a model
    # the share of the victory that a decision lost, by kind and of all kinds ("all")
    losses: Mapping[str, Estimate]
    win_share: Estimate
    points: Estimate


@dataclass(frozen=True)
class Report:
    """The agents, those first whose decisions lost least."""

    players: int
    deals: int  # which all agents have played
    standings: tuple[Standing, ...]
    # games an agent at which the order of the losses is that of all games in 95 % of the samples of
    # a bootstrap over deals; None if there are too few
    games_needed: int | None

    def as_json(self) -> dict[str, Any]:
        """Returns plain data; the ends of intervals are None for a single deal."""

        def plain(estimate: Estimate) -> list[float | None]:
            return [estimate.mean, estimate.low, estimate.high]

        return {
            "players": self.players,
            "deals": self.deals,
            "games_needed": self.games_needed,
            "agents": [
                {
                    "agent": one.agent,
                    "games": one.games,
                    "decisions": one.decisions,
                    "refused": one.refused,
                    "losses": {kind: plain(loss) for kind, loss in one.losses.items()},
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
        """How many games tell the agents apart."""
        if len(self.standings) < 2:
            return "One agent alone has no order."
        if self.games_needed is None:
            return f"{self.deals * self.players} games an agent do not settle this order."
        return (
            f"{self.games_needed} games an agent give this order in {CONFIDENCE:.0%} of the "
            f"samples, by losses."
        )

    @property
    def _refused(self) -> bool:
        """Whether any answer was illegal, which only bots and models give."""
        return any(one.refused for one in self.standings)

    @property
    def _headings(self) -> list[str]:
        kinds = [*self.standings[0].losses]
        lost = ["lost a decision, %", *(f"of it: {kind}" for kind in kinds[1:])]
        refused = ["refused a game"] if self._refused else []
        return ["agent", "games", *lost, *refused, "wins, %", "points"]

    @property
    def _rows(self) -> list[list[str]]:
        return [
            [
                one.agent,
                str(one.games),
                *(loss.with_margin(2, 100) for loss in one.losses.values()),
                *([f"{one.refused / one.games:.1f}"] if self._refused else []),
                f"{100 * one.win_share.mean:.0f}",
                one.points.with_margin(),
            ]
            for one in self.standings
        ]


def report(games: Sequence[Valued], kinds: Sequence[str], players: int) -> Report:
    """Returns what games say, on the deals that all of their agents have played.

    Args:
        games: of one arena.
        kinds: of decisions (`GameSpec.kinds`).
        players: P.

    Raises:
        ArenaError: no deal was played by all.
    """
    by_deal: dict[str, dict[int, list[Valued]]] = {}
    for game in games:
        by_deal.setdefault(game.agent, {}).setdefault(game.deal, []).append(game)
    common = set[int]().union(*by_deal.values()).intersection(*by_deal.values())
    deals = sorted(common)
    if not deals:
        raise ArenaError("there is no deal that all agents have played; run the arena first")
    found = [_standing(agent, [of[d] for d in deals], kinds) for agent, of in by_deal.items()]
    order = np.argsort([standing.losses[_ALL].mean for standing, _ in found], kind="stable")
    sums = np.stack([found[i][1] for i in order])  # [A, 2, D]
    return Report(
        players=players,
        deals=len(deals),
        standings=tuple(found[i][0] for i in order),
        games_needed=_games_needed(sums, players),
    )


def _standing(
    agent: str, deals: Sequence[Sequence[Valued]], kinds: Sequence[str]
) -> tuple[Standing, NDArray[np.float64]]:
    """Returns the standing of an agent, and what each deal lost in how many decisions, [2, D]."""
    lost, counts = np.zeros((2, len(kinds), len(deals)))
    for d, games in enumerate(deals):
        for _, kind, loss, _ in (decision for game in games for decision in game.decisions):
            if kind not in kinds:
                raise ArenaError(f"the game has no decisions of the kind {kind!r}")
            lost[kinds.index(kind), d] += loss
            counts[kinds.index(kind), d] += 1
    sums = np.stack([lost.sum(axis=0), counts.sum(axis=0)])
    losses = {_ALL: ratio_interval(*sums)}
    losses |= {kind: ratio_interval(lost[k], counts[k]) for k, kind in enumerate(kinds)}
    none = Estimate(0.0, None, None)
    standing = Standing(
        agent=agent,
        games=sum(map(len, deals)),
        decisions=int(counts.sum()),
        refused=sum(game.refused for games in deals for game in games),
        losses={kind: loss or none for kind, loss in losses.items()},
        win_share=share_interval(np.array([np.mean([g.share for g in games]) for games in deals])),
        points=mean_interval(np.array([np.mean([g.points for g in games]) for games in deals])),
    )
    return standing, sums


def _games_needed(sums: NDArray[np.float64], players: int) -> int | None:
    """Returns how many games an agent keep the order of the agents (see `Report`).

    Args:
        sums: what decisions lost and how many there were, by agent in order and deal, [A, 2, D].
        players: P, games of a deal.
    """
    rng, num_deals = np.random.default_rng(0), sums.shape[2]
    for size in range(1, num_deals + 1):
        drawn = sums[..., rng.integers(num_deals, size=(_SAMPLES, size))].sum(axis=3)
        means = drawn[:, 0] / np.maximum(drawn[:, 1], 1)  # [A, samples]
        if (np.diff(means, axis=0) > 0).all(axis=0).mean() >= CONFIDENCE:
            return size * players
    return None
