"""Where an agent's points come from, what stops its plans, and how it loses most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NO_PLAN, PLAN_CARDS
from gonzaga_env.core.board.notation import ACTION_CARD_NAMES
from gonzaga_env.core.constants import DONATION_POINTS, NUM_FIEFS
from gonzaga_env.core.state.state import SOURCES

from ...evaluation.match import Match
from ...statistics.estimates import Estimate, mean_interval, ratio_interval
from .history import DONATION, MOVES, NOTHING, History

_CARDS = np.full((NO_PLAN + 1, 3), -1)  # region, action and privilege of each plan
_CARDS[: len(PLAN_CARDS)] = PLAN_CARDS

Chosen = NDArray[np.bool_]


@dataclass(frozen=True)
class Usage:
    """How often something occurs, and the points that the placements of these rounds score.

    Points are those scored immediately: cities, harbors, leagues and donations.
    """

    times: Estimate  # rounds in which it occurs, a game and seat
    points: Estimate  # points of these rounds, a game and seat
    points_each: Estimate | None  # points of one such round; None if there was none


@dataclass(frozen=True)
class Deficit:
    """How far an agent is behind the winner in one source of points, in the games it lost."""

    points: Estimate  # mean points behind; negative where it is ahead
    # fraction of the lost games in which it is furthest behind in this source; sources that tie
    # share a game
    largest: Estimate


@dataclass(frozen=True)
class Losses:
    """How an agent loses; of several winners the mean counts."""

    games: int  # seats of games that it lost
    points: Estimate | None  # points behind the winner; None if it lost none
    sources: dict[str, Deficit]  # deficits by source (`SOURCES`); empty if it lost none


@dataclass(frozen=True)
class Details:
    """What one agent planned and placed, per game and seat.

    The usages of `regions`, of `actions`, of `plans`, of `moves` and of `rounds` each add up to all
    rounds and to all points before final scoring.
    """

    regions: dict[str, Usage]  # by region card of the plan
    actions: dict[str, Usage]  # by action card of the plan
    plans: dict[str, Usage]  # by both, such as "Francia B"
    privilege: Usage  # rounds with King's Privilege
    moves: dict[str, Usage]  # by what was placed (`MOVES`)
    rounds: tuple[Usage, ...]  # by round, [12]
    # donations because nothing was legal at the seat's turn, though a placement or wedding was when
    # the plans were revealed: earlier seats of the turn order took it
    blocked: Estimate
    no_place: Estimate  # donations because nothing was legal even when the plans were revealed
    by_choice: Estimate  # donations though a placement or wedding was legal
    # rounds in which no placement that scored as much as the best at the reveal was left at the
    # seat's turn
    best_taken: Estimate
    # points that the best placement, or the donation, was worth less at its turn than at the reveal
    points_taken: Estimate
    losses: Losses  # how it loses


def details_of(match: Match, own: Chosen) -> Details:
    """Returns the details of an agent that fills the seats `own`, [R, P], of every deal.

    Args:
        match: a match that kept its history.
        own: the agent's seats.
    """
    history: History = match.history
    played = history.of_seats(own)
    region, action, privilege = (_CARDS[played.plans, i] for i in range(3))  # [D, S, 12] each
    donated = played.moves == DONATION
    before, after = (
        np.maximum(best, DONATION_POINTS) for best in (played.best_revealed, played.best_left)
    )
    return Details(
        regions=_usages(played, region, history.region_names),
        actions=_usages(played, action, ACTION_CARD_NAMES),
        plans={
            f"{first} {second}": _usage(played, (region == i) & (action == j))
            for i, first in enumerate(history.region_names)
            for j, second in enumerate(ACTION_CARD_NAMES)
        },
        privilege=_usage(played, privilege == 1),
        moves=_usages(played, played.moves, MOVES),
        rounds=tuple(
            _usage(played, (np.arange(NUM_FIEFS) == number) & (played.plans != NO_PLAN))
            for number in range(NUM_FIEFS)
        ),
        blocked=_a_game(donated & played.blocked),
        no_place=_a_game(donated & (played.best_revealed == NOTHING)),
        by_choice=_a_game(donated & (played.best_left > NOTHING)),
        best_taken=_a_game(played.best_taken),
        points_taken=_a_game(before - after),
        losses=_losses(match, own),
    )


def donated(match: Match, own: Chosen) -> float:
    """Returns the fraction of the fiefs of the seats `own`, [R, P], that were donated (R3.7)."""
    rounds = np.broadcast_to(match.rounds[:, :, None], match.won.shape)[:, own]
    points = match.scores[:, own][..., SOURCES.index("donations")]
    return float(points.sum() / DONATION_POINTS / rounds.sum())


def _usages(history: History, values: NDArray[Any], names: Sequence[str]) -> dict[str, Usage]:
    """Returns the usage of each value, numbered as the names are."""
    return {name: _usage(history, values == i) for i, name in enumerate(names)}


def _usage(history: History, chosen: Chosen) -> Usage:
    """Returns the usage of chosen rounds, [D, S, 12]."""
    times, points = (v.sum(axis=2).mean(axis=1) for v in (chosen, history.points * chosen))
    return Usage(mean_interval(times), mean_interval(points), ratio_interval(points, times))


def _a_game(values: NDArray[Any]) -> Estimate:
    """Returns the sum over the rounds of a game, of values [D, S, 12]."""
    return mean_interval(values.sum(axis=2).mean(axis=1))


def _losses(match: Match, own: Chosen) -> Losses:
    lost = ~match.won[:, own]  # [D, S]
    games = lost.sum(axis=1)
    winners = (match.scores * match.win_shares[..., None]).sum(axis=2)  # the mean of several
    deficits = (winners[:, :, None] - match.scores)[:, own] * lost[..., None]
    largest = (deficits == deficits.max(axis=2, keepdims=True)) & lost[..., None]
    shares = largest / np.maximum(largest.sum(axis=2, keepdims=True), 1)
    sources = {
        source: Deficit(points, share)
        for i, source in enumerate(SOURCES)
        if (points := ratio_interval(deficits[..., i].sum(axis=1), games))
        and (share := ratio_interval(shares[..., i].sum(axis=1), games))
    }
    total = ratio_interval(deficits.sum(axis=(1, 2)), games)
    return Losses(int(games.sum()), total, sources)
