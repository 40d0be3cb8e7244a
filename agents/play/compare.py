"""Compares two agents in the same place: on the same deals and seats, against the same others.

Much of what a deal gives is the same for both, so the difference varies less than that of two
matches on other deals. Points ahead of the others say more about a deal than who won it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from gonzaga_env.intervals import Estimate, mean_interval, share_interval
from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.text_table import text_table

from ..arrays import Doubles
from ..registry import Spec, make_agent
from .evaluate import distinct_names, play_match
from .jobs import OnFraction, ignore
from .summary import failed_line


@dataclass(frozen=True)
class Result:
    """How an agent did on one seat against the others, or how two differ."""

    name: str
    win_share: Estimate
    margin: Estimate  # points ahead of the others' mean
    failures: Mapping[str, int] | None = None  # of a bot, by what happened; None for other agents


def compare(
    config: Config,
    specs: Sequence[Spec],
    deals: int,
    seed: int,
    on_progress: OnFraction = ignore,
    executor: Executor | None = None,
) -> tuple[Result, Result, Result]:
    """Plays two agents, in turn, on one seat against the others.

    Returns:
        The results of both, and by how much the first one is ahead of the second one.

    Raises:
        OptionError: fewer than three agents are named.
    """
    if len(specs) < 3:
        raise OptionError("compare takes three agents or more: two to compare, and their opponents")
    names = distinct_names([agent_name(make_agent(s, config)) for s in specs[:2]], specs[:2])
    shares, margins = list[Doubles](), list[Doubles]()  # by deal, [D]
    found = list[Result]()
    for index, spec in enumerate(specs[:2]):
        match = play_match(
            config,
            [spec, *specs[2:]],
            [min(seat, len(specs) - 2) for seat in range(config.num_players)],
            num_deals=deals,
            seed=seed,
            on_progress=lambda done, index=index: on_progress((index + done) / 2),  # type: ignore[misc]
            executor=executor,
        )
        shares.append(match.win_shares[:, match.seating == 0].mean(axis=1))
        margins.append(match.margins())
        share, margin = share_interval(shares[-1]), mean_interval(margins[-1])
        found.append(Result(names[index], share, margin, match.failures.get(0)))
    share = share_interval(shares[0] - shares[1], lowest=-1.0)
    return found[0], found[1], Result("difference", share, mean_interval(margins[0] - margins[1]))


def compared_lines(found: Sequence[Result]) -> Iterator[str]:
    """Yields the table of a comparison, and what failed."""
    rows = [["against the others", "win share", "points ahead"]]
    for form, row in zip((".1%", ".1%", "+.1%"), found, strict=True):
        rows.append([row.name, row.win_share.text(form), row.margin.text("+.2f")])
    yield from text_table(rows)
    yield from (failed_line(row.name, row.failures) for row in found if row.failures is not None)
