"""The table of a tournament: ratings, win shares, scores and what to know about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .games import Entrant
from .pairs import Mix, PairShares, cycles, unbeaten_mix
from .ratings import Rating, rate
from .statistics import Estimate, Ranking, mean_interval, share_interval
from .tournament_games import GameResult

ANCHOR = "greedy"


@dataclass(frozen=True)
class AgentStanding:
    """One line of the table."""

    name: str  # the agent's own name; its spec where several agents share one
    digest: str | None  # of the file that the spec names; None if it names none
    games: int  # games in which it played
    rating: Rating  # on the Elo scale, with a 95 % interval
    # fraction of the games won by each of its seats; k winners are credited 1 / k
    win_share: Estimate
    score: Estimate  # final score


@dataclass(frozen=True)
class Standings:
    """The table of a tournament for one number of players."""

    num_players: int  # P
    tables: int  # different lineups that played
    deals: int  # different deals
    games: int  # games
    shared: float  # fraction of the games in which several seats shared the victory
    anchor: str  # the name of the agent whose rating is 1000
    agents: tuple[AgentStanding, ...]  # the agents, best first, [A]
    pairs: PairShares  # win share of the row against the column, [A, A], in the order of `agents`
    # names of agents that can't be told apart: the interval of their difference holds 0
    equal: tuple[tuple[str, str], ...]
    # names of agents each of which beats the next one, and the last one the first
    cycles: tuple[tuple[str, ...], ...]
    # of the agents, in their order, that none of them beats; None if two have never met
    mix: Mix | None = None


def standings_of(
    entrants: Sequence[Entrant],
    games: Sequence[GameResult],
    names: Sequence[str],
    anchor: int | None = None,
) -> Standings:
    """Returns the table of some games, which does not depend on their order.

    Args:
        entrants: the agents, in the order in which they are named; all of them have played.
        games: games of one number of players between these agents.
        names: the names of the agents.
        anchor: the index of the agent that is rated 1000; None takes greedy or, without it, 0.
    """
    games = sorted(games, key=lambda game: game.id)
    index = {entrant.key: i for i, entrant in enumerate(entrants)}
    rankings: list[tuple[int, Ranking]] = [
        (game.deal, list(zip([index[key] for key in game.agents], game.places, strict=True)))
        for game in games
    ]
    if anchor is None:
        anchor = names.index(ANCHOR) if ANCHOR in names else 0
    found = rate(len(names), rankings, anchor)
    order = sorted(range(len(names)), key=lambda i: -found.ratings[i].rating)
    ranked = tuple(tuple(found.pairs[i][j] for j in order) for i in order)
    return Standings(
        num_players=len(games[0].agents),
        tables=len({game.lineup for game in games}),
        deals=len({game.deal for game in games}),
        games=len(games),
        shared=sum(len(game.winners) > 1 for game in games) / len(games),
        anchor=names[anchor],
        agents=tuple(_standing(entrants[i], names[i], found.ratings[i], games) for i in order),
        pairs=ranked,
        equal=_named_pairs(found.equal, order, names),
        cycles=tuple(tuple(names[order[i]] for i in cycle) for cycle in cycles(ranked)),
        mix=unbeaten_mix(ranked),
    )


def _named_pairs(
    pairs: Sequence[tuple[int, int]], order: Sequence[int], names: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Returns pairs by name, the better one first, best pairs first."""
    ranked = sorted(tuple(sorted(order.index(i) for i in pair)) for pair in pairs)
    return tuple((names[order[better]], names[order[worse]]) for better, worse in ranked)


def _standing(
    entrant: Entrant, name: str, rating: Rating, games: Sequence[GameResult]
) -> AgentStanding:
    own = [game for game in games if entrant.key in game.agents]
    return AgentStanding(
        name=name,
        digest=entrant.digest,
        games=len(own),
        rating=rating,
        win_share=share_interval(win_shares(own, entrant.key)),
        score=mean_interval(deal_means(own, entrant.key, lambda game, seat: game.scores[seat])),
    )


def win_shares(games: Sequence[GameResult], key: str) -> NDArray[np.float64]:
    """Returns an agent's mean win share in each deal, [D], in the order of the deals."""
    return deal_means(games, key, lambda game, seat: (seat in game.winners) / len(game.winners))


def deal_means(
    games: Sequence[GameResult], key: str, value: Callable[[GameResult, int], float]
) -> NDArray[np.float64]:
    """Returns the mean of a value of an agent's seats in each deal, [D], ordered by deal."""
    by_deal: dict[int, list[float]] = {}
    for game in games:
        values = by_deal.setdefault(game.deal, [])
        values += [value(game, seat) for seat, own in enumerate(game.agents) if own == key]
    return np.array([np.mean(by_deal[deal]) for deal in sorted(by_deal)])
