"""The table of a tournament: ratings, win shares, scores; for the terminal, a page and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap

import numpy as np

from gonzaga_env.games import game_spec, named_game
from gonzaga_env.intervals import Estimate, mean_interval, share_interval
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.text_table import markdown_table, text_table

from ..arrays import Doubles
from ..statistics import CONFIDENCE, SequentialTest
from .ratings import Mix, PairShares, Ranking, Rating, cycles, rate, unbeaten_mix
from .summary import NAME_WIDTH, TABLE_WIDTH, game_text
from .tournament_games import Entrant, GameResult

ANCHOR = "greedy"
FORMAT = 1
"""Version of the JSON object."""
EVEN = 0.5  # the win share of equals within a pair
_SHOWN = 0.005  # a weight that is not 0 % in a note

Row = tuple[str, ...]


@dataclass(frozen=True)
class Session:
    """The date of some games."""

    date: str  # such as "2026-11-21"


@dataclass(frozen=True)
class Provenance:
    """The origin of the games of a table."""

    header: dict[str, Json]  # what was played (see `header_of`)
    sessions: tuple[Session, ...]  # when; each once
    # games of agents whose files have changed since, by spec; they do not count
    outdated: dict[str, int]


@dataclass(frozen=True)
class Comparison:
    """A sequential test of one lineup."""

    num_players: int  # P
    # the agents and their number of seats; the first one is tested
    seats: tuple[tuple[str, int], ...]
    games: int  # games looked at
    limit: int  # the most deals
    decision: SequentialTest  # what the test found


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
    """Returns the table of games of one number of players, which does not depend on their order.

    All entrants have played. The anchor is an index; None takes greedy or, without it, 0.
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
    equal = sorted(sorted(order.index(i) for i in pair) for pair in found.equal)
    return Standings(
        num_players=len(games[0].agents),
        tables=len({game.lineup for game in games}),
        deals=len({game.deal for game in games}),
        games=len(games),
        shared=sum(len(game.winners) > 1 for game in games) / len(games),
        anchor=names[anchor],
        agents=tuple(_standing(entrants[i], names[i], found.ratings[i], games) for i in order),
        pairs=ranked,
        equal=tuple((names[order[better]], names[order[worse]]) for better, worse in equal),
        cycles=tuple(tuple(names[order[i]] for i in cycle) for cycle in cycles(ranked)),
        mix=unbeaten_mix(ranked),
    )


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


def win_shares(games: Sequence[GameResult], key: str) -> Doubles:
    """Returns an agent's mean win share in each deal, [D], in the order of the deals."""
    return deal_means(games, key, lambda game, seat: (seat in game.winners) / len(game.winners))


def deal_means(
    games: Sequence[GameResult], key: str, value: Callable[[GameResult, int], float]
) -> Doubles:
    """Returns the mean of a value of an agent's seats in each deal, [D], ordered by deal."""
    by_deal: dict[int, list[float]] = {}
    for game in games:
        values = by_deal.setdefault(game.deal, [])
        values += [value(game, seat) for seat, own in enumerate(game.agents) if own == key]
    return np.array([np.mean(by_deal[deal]) for deal in sorted(by_deal)])


def as_json(provenance: Provenance, standings: Sequence[Standings]) -> dict[str, Json]:
    """Returns the tables of a tournament as plain data, with ratings as tables show them."""
    tables = [asdict(table) for table in standings]
    for table, plain in zip(standings, tables, strict=True):
        for agent, values in zip(table.agents, plain["agents"], strict=True):
            values["rating"]["text"] = agent.rating.text
    return {"format": FORMAT, **asdict(provenance), "standings": tables}


def comparisons_as_json(provenance: Provenance, found: Sequence[Comparison]) -> dict[str, Json]:
    error_rate = round(1 - CONFIDENCE, 9)
    tests = [asdict(comparison) for comparison in found]
    return {"format": FORMAT, **asdict(provenance), "error_rate": error_rate, "comparisons": tests}


def table_lines(standings: Standings) -> Iterator[str]:
    yield from ("", f"{standings.num_players} players", "")
    yield from text_table(rating_rows(standings, str), names=2, fold=NAME_WIDTH)
    yield ""
    yield from text_table(pair_rows(standings, str, _marked), names=2, fold=NAME_WIDTH)
    yield ""
    for note in (*notes(standings), "+ and - mark shares whose 95% interval excludes a half."):
        yield from wrap(note, TABLE_WIDTH)


def rating_rows(standings: Standings, show_name: Callable[[str], str]) -> list[Row]:
    """Returns headings and rows of the ratings, with names as `show_name` writes them."""
    headings = ("", "agent", "rating", "95% interval", "win share", "score", "games")
    rows = (
        (
            str(rank),
            show_name(agent.name),
            agent.rating.text,
            "anchor" if agent.name == standings.anchor else agent.rating.interval,
            f"{agent.win_share.mean:.1%}",
            f"{agent.score.mean:.1f}",
            f"{agent.games:,}",
        )
        for rank, agent in enumerate(standings.agents, start=1)
    )
    return [headings, *rows]


def pair_rows(
    standings: Standings,
    show_name: Callable[[str], str],
    show_share: Callable[[Estimate | None], str],
) -> list[Row]:
    heading = "% won against" if standings.num_players == 2 else "% ahead of"
    ranks = [str(rank) for rank in range(1, len(standings.agents) + 1)]
    rows = zip(ranks, standings.agents, standings.pairs, strict=True)
    return [
        ("", heading, *ranks),
        *((rank, show_name(agent.name), *map(show_share, row)) for rank, agent, row in rows),
    ]


def _marked(share: Estimate | None) -> str:
    """Returns a win share in percent, with a mark where its interval excludes a half."""
    if share is None:
        return "· "
    mark = {1: "+", 0: " ", -1: "-"}[share.side_of(EVEN)]
    return f"{share.mean * 100:.0f}{mark}"


def notes(standings: Standings) -> list[str]:
    players = standings.num_players
    kind = "pair" if players == 2 else "table"
    several = "" if players == 2 else "; an agent on several seats shares its victories among them"
    found = [
        f"{standings.tables} {kind}{'s' * (standings.tables > 1)}, {standings.deals} deals in "
        f"{players} seat rotations: {standings.games:,} games, {standings.shared:.1%} of them "
        f"shared victories. A fair win share is {1 / players:.1%}{several}.",
        f"Ratings: {standings.anchor} is at 1000; of two agents at a table, one rated 400 higher "
        "wins ten times as often. In the second table ties count half.",
    ]
    if open_ends := [a.name for a in standings.agents if None in (a.rating.low, a.rating.high)]:
        found.append(
            f"No game bounds the rating of {_list(open_ends)} on one side; the other end of its "
            "95% interval is shown."
        )
    if standings.equal:
        pairs = "; ".join(f"{better} and {worse}" for better, worse in standings.equal)
        found.append(f"Can't be told apart (95%): {pairs}.")
    found += [f"A cycle: {' beats '.join((*c, c[0]))}." for c in standings.cycles]
    return found if standings.mix is None else [*found, _mix_note(standings, standings.mix)]


def _mix_note(standings: Standings, mix: Mix) -> str:
    names = [agent.name for agent in standings.agents]
    parts = [f"{name} {w:.0%}" for name, w in zip(names, mix.weights, strict=True) if w >= _SHOWN]
    others = [
        f"{name} {share:.1%}"
        for name, share, weight in zip(names, mix.shares, mix.weights, strict=True)
        if weight < _SHOWN
    ]
    note = f"The mix that no agent beats: {_list(parts)}."
    return f"{note} Won against it: {_list(others)}." if others else note


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def comparison_lines(comparison: Comparison) -> list[str]:
    decision, (first, *others) = comparison.decision, comparison.seats
    against = _list([name if seats == 1 else f"{seats} x {name}" for name, seats in others])
    side = "above" if decision.mean > decision.fair_share else "below"
    verdict = (
        f"{side} the fair {decision.fair_share:.1%}"
        if decision.decided
        else f"not decided: {decision.fair_share:.1%} would be fair"
    )
    return [
        f"{first[0]} against {against}: {verdict} after {decision.deals} deals "
        f"({comparison.games:,} games)",
        f"win share {decision.mean:.1%}, confidence sequence {decision.low:.1%} to "
        f"{decision.high:.1%}; the chance of a wrong verdict is at most {1 - CONFIDENCE:.0%}, "
        "however long it plays",
    ]


def game_line(provenance: Provenance) -> str:
    """Returns what was played: edition, scenario, and rules that are not the default."""
    header = provenance.header
    spec = game_spec(named_game(header))
    usual = spec.any_config().rules.as_dict()
    rules = [f", {name} {value}" for name, value in header["rules"].items() if value != usual[name]]
    return f"{game_text(header, header['edition'])}{''.join(rules)}."


def played_line(provenance: Provenance) -> str:
    """Returns when and with which code the games were played."""
    version = f"gonzaga_env {provenance.header['versions']['gonzaga_env']}"
    when = [session.date for session in provenance.sessions]
    return f"Played {_list(when)} with {version}." if when else ""


def outdated_lines(provenance: Provenance) -> list[str]:
    """Returns a line for each agent whose file has changed since games were played."""
    return [
        f"{spec} has changed since {number:,} games were played, which do not count"
        for spec, number in provenance.outdated.items()
    ]


def as_markdown(
    provenance: Provenance, standings: Sequence[Standings], command: str, figure: str | None = None
) -> str:
    games = sum(table.games for table in standings)
    lines = [
        f"# {game_spec(named_game(provenance.header)).title}",
        "",
        f"{games:,} games of {_escape(game_line(provenance))} {played_line(provenance)} "
        f"Seed {provenance.header['seed']}. Made by:",
        "",
        f"    {command}",
    ]
    lines += [f"\n{line}." for line in outdated_lines(provenance)]
    if figure is not None:
        lines += ["", f"![Ratings]({figure})"]
    for table in standings:
        lines += ["", f"## {table.num_players} players", ""]
        lines += [*markdown_table(rating_rows(table, _code), 2), ""]
        lines += [*markdown_table(pair_rows(table, _code, _page_share), 2), ""]
        lines += [f"- {_escape(note)}" for note in notes(table)]
    return "\n".join(lines) + "\n"


def _page_share(share: Estimate | None) -> str:
    """Returns a win share in percent, bold where its interval excludes a half."""
    if share is None:
        return ""
    text = f"{share.mean * 100:.1f}"
    return f"**{text}**" if share.side_of(EVEN) else text


def _code(name: str) -> str:
    fence = "`" * (name.count("`") + 1)  # longer than any run of them in the name
    return f"{fence}{name.replace('|', chr(92) + '|')}{fence}"


def _escape(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_|<>[]" else char for char in text)
