"""The results of a match: what was played, who did how well, and the tables that show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape

import numpy as np

from gonzaga_env.games import DEFAULT_GAME, game_entry, game_spec, named_game
from gonzaga_env.intervals import Estimate, mean_interval, share_interval
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.text_table import text_table
from gonzaga_env.version import __version__

from ..arrays import Doubles, Indices, Masks

FORMAT = 2
"""Version of the JSON object."""
TABLE_WIDTH = 80
NAME_WIDTH = 16
"""Columns that the figures leave for the agents' names."""
GUESSABLE_SEEDS = 2**64
"""Smaller seeds can be found by trying them all against the numbers that an agent draws."""
_MOST_COLUMNS = 8  # that fit into one line with a name


def describe_game(config: Config) -> dict[str, Json]:
    """Returns what is played as plain data; Gonzaga's name is left out."""
    edition, name = config.edition, game_entry(config.game)
    scenario = {"scenario": config.scenario} if hasattr(config, "scenario") else {}
    return {
        **name,
        "edition": getattr(edition, "label", edition.name),
        "edition_hash": edition.digest,
        "reconstruction": getattr(edition, "reconstruction", False),
        **scenario,
        "rules": config.rules.as_dict(),
    }


def game_text(played: Mapping[str, Json], edition: str, scenario: str = "") -> str:
    """Returns a text such as "Gonzaga (Europe, a reconstruction), drawn scenarios".

    The `scenario`, such as the number of players, follows the edition; see `describe_game`.
    """
    title = game_spec(named_game(played)).title
    says_so = not played["reconstruction"] or "reconstruction" in edition
    words = [
        f"{title} ({edition}{'' if says_so else ', a reconstruction'})",
        *filter(None, [scenario]),
    ]
    if "scenario" in played:
        name = played["scenario"]
        words.append("drawn scenarios" if name is None else f"scenario {name}")
    return ", ".join(words)


@dataclass(frozen=True)
class Match:
    """The results of D deals, each in R = P rotations."""

    seating: Indices  # index of the agent on each seat, [R, P] int64
    # points by source (`GameSpec.sources`), [D, R, P, S] int64; P is the seat
    scores: Indices
    totals: Indices  # points at the end, forfeits included (`results_with_forfeits`), [D, R, P]
    won: Masks  # [D, R, P] bool; more than one in a shared victory
    rounds: Indices  # rounds played, [D, R] int64
    game: str = DEFAULT_GAME  # the game's name
    # decisions in which a bot outside failed, by agent and what happened (`OutsideAgent`)
    failures: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    @property
    def win_shares(self) -> Doubles:
        """The win share of each seat, [D, R, P]: 1 / k for each of k winners."""
        return win_shares(self.won)

    def margins(self) -> Doubles:
        """Returns how far agent 0, on one seat, is ahead of the others' mean, by deal, [D]."""
        totals, own = self.totals, self.seating == 0  # [D, R, P] and [R, P]
        others = (totals * ~own).sum(axis=2) / (own.shape[1] - 1)
        return (totals[:, own] - others).mean(axis=1)

    @classmethod
    def concatenate(cls, parts: Sequence[Match]) -> Match:
        scores, totals, won, rounds = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("scores", "totals", "won", "rounds")
        )
        failures = {
            index: dict(sum((Counter(part.failures[index]) for part in parts), Counter[str]()))
            for index in parts[0].failures
        }
        first = parts[0]
        return cls(first.seating, scores, totals, won, rounds, first.game, failures)


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

    Notebooks show the tables that `gonzaga evaluate` prints.
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

    def lines(self) -> Iterator[str]:
        """Yields the tables and notes, in `TABLE_WIDTH` columns."""
        fair = f"fair {self.fair_share:.1%}"
        rows = [["agent", "seats", "score ± 95%", "win share", "95% interval", fair]]
        for agent in self.agents:
            share = agent.win_share
            away = f"{(share.mean - self.fair_share) * 100:+.1f}"
            verdict = {1: "above", 0: " even", -1: "below"}[share.side_of(self.fair_share)]
            interval = f"{share.low:.1%} to {share.high:.1%}"  # which shares always have
            texts = [agent.name, str(agent.seats), agent.score.with_margin()]
            rows.append([*texts, f"{share.mean:.1%}", interval, f"{away} {verdict}"])
        yield ""
        yield from text_table(rows, fold=NAME_WIDTH)
        yield ""
        points = [["agent", *self.agents[0].sources]]
        points += [[a.name, *(f"{mean:.1f}" for mean in a.sources.values())] for a in self.agents]
        if len(points[0]) > _MOST_COLUMNS + 1:  # a row for each source
            points = [*map(list, zip(*points, strict=True))]
        yield from text_table(points, fold=NAME_WIDTH)
        yield ""
        yield (
            f"{self.deals} deals in {self.num_players} seat rotations: {self.games} games, "
            f"{self.rounds.with_margin()} rounds each"
        )
        yield f"Win share by seat: {', '.join(f'{one.mean:.1%}' for one in self.seat_win_shares)}"
        for agent in self.agents:
            if agent.failures is not None:
                yield failed_line(agent.name, agent.failures)
        if self.seed is not None and self.seed >= GUESSABLE_SEEDS:  # it was drawn
            yield f"Seed {self.seed} repeats the match"

    def _repr_html_(self) -> str:
        lines = escape("\n".join(self.lines()))
        return f'<pre style="line-height: 1.25">{lines}</pre>'


def failed_line(name: str, failures: Mapping[str, int]) -> str:
    """Returns a line that says in how many decisions a bot failed, by what happened."""
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(failures.items()))
    return f"Failed decisions of {printable(name)}: {counts or 'none'}"


def summarise(match: Match, names: Sequence[str], seed: int | None = None) -> MatchSummary:
    """Returns the results of a match; names are in the order of the agents."""
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


def as_json(config: Config, summary: MatchSummary) -> dict[str, Json]:
    """Returns the evaluation as plain data: what was played, then `MatchSummary`'s fields."""
    return {
        "format": FORMAT,
        **describe_game(config),
        **asdict(summary),
        "versions": {"gonzaga_env": __version__},
    }
