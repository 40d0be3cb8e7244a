"""The results of a match, by agent: means with 95 % intervals (see `estimates`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gonzaga_env.games import game_spec

from ..statistics.estimates import Estimate, mean_interval, share_interval
from .match import Match


@dataclass(frozen=True)
class AgentSummary:
    """The results of one agent, per game and seat that it played.

    Attributes:
        name: the agent's name.
        seats: seats that it fills in every game.
        games: seats of games played, over all deals and rotations.
        score: final score.
        win_share: fraction of the games won; each of k winners is credited with 1 / k (R8.3).
        outcome: mean return of the reward "outcome": 1 for winning always, 0 for a fair share.
        sources: mean points by source (`GameSpec.sources`).
        failures: of a bot outside (`cmd:...`), decisions in which it failed, by what happened; None
            for any other agent.
    """

    name: str
    seats: int
    games: int
    score: Estimate
    win_share: Estimate
    outcome: float
    sources: dict[str, float]
    failures: dict[str, int] | None = None

    def __repr__(self) -> str:
        score, share = self.score.mean, self.win_share.mean
        return f"<AgentSummary of {self.name!r}: score {score:.1f}, win share {share:.1%}>"


@dataclass(frozen=True)
class MatchSummary:
    """The results of a match.

    Attributes:
        num_players: P.
        deals: D.
        games: games played, D * P.
        fair_share: the win share of equals, 1 / P.
        rounds: rounds a game.
        seat_win_shares: win share of each seat, over all agents, [P].
        agents: one summary for each agent, in their order.
        seed: repeats the match; None if it is not known.

    Notebooks show it as the tables that `evaluate.py` prints.
    """

    num_players: int
    deals: int
    games: int
    fair_share: float
    rounds: Estimate
    seat_win_shares: tuple[Estimate, ...]
    agents: tuple[AgentSummary, ...]
    seed: int | None = None

    def __repr__(self) -> str:
        shares = (f"{agent.name} {agent.win_share.mean:.1%}" for agent in self.agents)
        return f"<MatchSummary of {self.games} games, win shares: {', '.join(shares)}>"

    def _repr_html_(self) -> str:
        from .report import as_html  # which needs the summaries itself

        return as_html(self)


def summarise(match: Match, names: Sequence[str], seed: int | None = None) -> MatchSummary:
    """Returns the results of a match.

    Args:
        match: the match.
        names: of the agents, in the order of their indices.
        seed: of the match.
    """
    num_deals, num_players = match.rounds.shape[0], match.seating.shape[1]
    return MatchSummary(
        num_players=num_players,
        deals=num_deals,
        games=match.rounds.size,
        fair_share=1 / num_players,
        rounds=mean_interval(match.rounds.mean(axis=1)),
        seat_win_shares=tuple(
            share_interval(match.win_shares[:, :, seat].mean(axis=1)) for seat in range(num_players)
        ),
        agents=tuple(_agent_summary(match, index, name) for index, name in enumerate(names)),
        seed=seed,
    )


def _agent_summary(match: Match, index: int, name: str) -> AgentSummary:
    own = match.seating == index  # [R, P]
    num_players, seats = len(own), int(own[0].sum())
    scores, totals = match.scores[:, own], match.totals[:, own]  # [D, R * seats, S] and without S
    # One seat wins at most, so the mean over several seats is 1 / seats at most; over all, 1 / P.
    win_share = share_interval(
        match.win_shares[:, own].mean(axis=1),
        lowest=1 / num_players if seats == num_players else 0.0,
        highest=1 / seats,
    )
    return AgentSummary(
        name=name,
        seats=seats,
        games=scores.shape[0] * scores.shape[1],
        score=mean_interval(totals.mean(axis=1)),
        win_share=win_share,
        outcome=(win_share.mean * num_players - 1) / (num_players - 1),
        sources=dict(
            zip(game_spec(match.game).sources, scores.mean(axis=(0, 1)).tolist(), strict=True)
        ),
        failures=dict(match.failures[index]) if index in match.failures else None,
    )
