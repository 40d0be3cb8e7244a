"""Compares two agents in the same place: on the same deals and seats, against the same others.

Much of what a deal gives is the same for both, so the difference varies less than that of two
matches on other deals. Points ahead of the others say more about a deal than who won it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor

from gonzaga_env.intervals import Estimate, mean_interval, share_interval
from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.text_table import text_table

from ..arrays import Doubles
from ..registry import Spec, make_agent
from .evaluate import distinct_names, play_match
from .jobs import OnFraction, ignore

DIFFERENCE = "difference"
Comparison = dict[str, dict[str, Estimate]]
"""Estimates of "win_share" and of "margin", the points ahead of the others' mean, by agent; and of
the `DIFFERENCE`, the first agent less the second one."""


def compare(
    config: Config,
    specs: Sequence[Spec],
    deals: int,
    seed: int,
    on_progress: OnFraction = ignore,
    executor: Executor | None = None,
) -> Comparison:
    """Plays the first two agents, in turn, on one seat against the others.

    Raises:
        OptionError: fewer than three agents are named.
    """
    if len(specs) < 3:
        raise OptionError("compare takes three agents or more: two to compare, and their opponents")
    names = distinct_names([agent_name(make_agent(s, config)) for s in specs[:2]], specs[:2])
    shares, margins = list[Doubles](), list[Doubles]()  # by deal, [D]
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
    found = {
        name: {"win_share": share_interval(share), "margin": mean_interval(margin)}
        for name, share, margin in zip(names, shares, margins, strict=True)
    }
    share, margin = shares[0] - shares[1], margins[0] - margins[1]
    found[DIFFERENCE] = {
        "win_share": share_interval(share, lowest=-1.0),
        "margin": mean_interval(margin),
    }
    return found


def compared_lines(found: Comparison) -> Iterator[str]:
    """Yields the table of a comparison."""
    rows = [["against the others", "win share", "points ahead"]]
    for name, row in found.items():
        form = "+.1%" if name == DIFFERENCE else ".1%"
        rows.append([name, row["win_share"].text(form), row["margin"].text("+.2f")])
    return text_table(rows)
