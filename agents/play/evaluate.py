"""Plays agents against each other and sums up who does how well, with 95 % intervals."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.kernel.agent import agent_name
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config

from ..registry import Spec, checkpoint_edition, checkpoint_players, make_agent
from .match import Match, RecordsFile, draw_seed, play_match
from .statistics import Estimate, mean_interval, share_interval


def config_for(
    agents: Sequence[Spec],
    players: int,
    game: str = DEFAULT_GAME,
    edition: Any = None,
    scenario: str | None = None,
    rules: Any = None,
) -> Config:
    """Returns what agents play.

    Args:
        agents: as `make_agent` takes them.
        players: P.
        game: the game's name.
        edition: None takes a checkpoint's, else the game's default.
        scenario: None draws one for each deal, in games that have scenarios.
        rules: the options of the rules, a mapping of some of them, or text, such as "online"; None
            takes the usual ones.

    Raises:
        OptionError: an argument has a value that the game does not take.
        EditionError: the edition cannot be found or has faults.
        CheckpointError: a checkpoint is broken.
    """
    spec = game_spec(game)
    if edition is None:
        editions = map(checkpoint_edition, agents)
        edition = next((name for name in editions if name is not None), None)
    given = {"edition": edition, "scenario": scenario, "rules": rules}
    options = {name: value for name, value in given.items() if value is not None}
    if unknown := sorted({*options} - {*signature(spec.config).parameters}):
        raise OptionError(f"{spec.title} has no {unknown[0]}; leave out --{unknown[0]}")
    return spec.config(num_players=players, **options)


def players_for(agents: Sequence[Spec], players: int | None, game: str = DEFAULT_GAME) -> int:
    """Returns the number of players that is asked for, or that the agents imply.

    That is a checkpoint's number, else the number of agents, or the most for one agent.

    Raises:
        OptionError: no agent, more agents than players, or an invalid number of players.
    """
    if not agents:
        raise OptionError("no agent is named; try: random greedy")
    possible = game_spec(game).players
    if players is None:
        trained = map(checkpoint_players, agents)
        implied = next((number for number in trained if number is not None), len(agents))
        players = implied if implied in possible else max(possible)
    if players not in possible:
        raise OptionError(f"players is {players}; it takes {min(possible)} to {max(possible)}")
    if len(agents) > players:
        raise OptionError(f"{len(agents)} agents are named for {players} players")
    return players


def describe_game(config: Any) -> dict[str, Any]:
    """Returns what is played as plain data; Gonzaga's name is left out, as in older files."""
    edition, name = config.edition, {} if config.game == DEFAULT_GAME else {"game": config.game}
    scenario = {"scenario": config.scenario} if hasattr(config, "scenario") else {}
    return {
        **name,
        "edition": getattr(edition, "label", edition.name),
        "edition_hash": edition.digest,
        "reconstruction": edition.reconstruction,
        **scenario,
        "rules": config.rules.as_dict(),
    }


def game_text(played: Mapping[str, Any], edition: str, scenario: str = "") -> str:
    """Returns a text such as "Gonzaga (Europe, a reconstruction), drawn scenarios".

    Args:
        played: see `describe_game`.
        edition: the edition's name.
        scenario: what follows the edition, such as the number of players.
    """
    title = game_spec(played.get("game", DEFAULT_GAME)).title
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
        from .summary import as_html  # which needs the summaries itself

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


OnProgress = Callable[[float], None]


def evaluate(
    agents: Spec | Sequence[Spec],
    players: int | None = None,
    deals: int = 100,
    seed: int | None = None,
    edition: Any = None,
    scenario: str | None = None,
    rules: Any = None,
    records: str | Path | None = None,
    on_progress: OnProgress = lambda done: None,
    game: str = DEFAULT_GAME,
    executor: Executor | None = None,
) -> MatchSummary:
    """Plays agents against each other, every deal in all seat rotations so that luck cancels.

    Args:
        agents: one or more, at most one for each seat; the last one fills the remaining seats.
            Each is a name, a checkpoint, "module:Class", "file.py:Class", a class, or an object
            with `act` (see `make_agent`).
        players: P; None takes a checkpoint's number, else the number of agents, or 4 for one agent.
        deals: number of deals; each is played P times.
        seed: decides the deals and the agents' choices; the same seed gives the same result. None
            draws 128 secret bits, which `summary.seed` holds. Agents can find a small seed by
            trying all of them, and with it all deals.
        edition: the name of a shipped edition, a folder, or an edition; None takes a checkpoint's,
            else the game's ("europe").
        scenario: a scenario's name; None draws one for each deal.
        rules: the options of the rules, such as `Rules()`, a mapping of some of them, or text, such
            as "online".
        records: a file to write every game to as it ends, one JSON line a game. Where it cannot
            hold all games, a warning says how many it holds.
        on_progress: called now and then with the fraction that is done, 0 to 1.
        game: the game's name.
        executor: plays parts of 1,024 games (see `play_match`); None plays here.

    Returns:
        Scores and win shares with 95 % intervals; `summary.agents` is in the order of `agents`.

    Raises:
        AgentError: an agent cannot be found or built, plays an invalid action, or fails.
        CheckpointError: a checkpoint does not fit the game.
        OptionError: an argument has a value that it does not take.
        EditionError: the edition cannot be found or has faults.
    """
    is_list = isinstance(agents, Sequence) and not isinstance(agents, str)
    specs: Any = agents if is_list else [agents]
    config = config_for(specs, players_for(specs, players, game), game, edition, scenario, rules)
    file = None if records is None else RecordsFile(records)
    summary = evaluate_in(config, specs, deals, seed, file, on_progress, executor)
    if file is not None and file.error is not None:
        warnings.warn(file.error, RuntimeWarning, stacklevel=2)
    return summary


def evaluate_in(
    config: Config,
    specs: Sequence[Spec],
    deals: int,
    seed: int | None,
    records: RecordsFile | None = None,
    on_progress: OnProgress = lambda done: None,
    executor: Executor | None = None,
) -> MatchSummary:
    """Does what `evaluate` does, in a game that is already configured.

    Where records could not be written, `records.error` says why.
    """
    agents = [make_agent(spec, config) for spec in specs]
    names = distinct_names([agent_name(agent) for agent in agents], specs)
    seed = draw_seed() if seed is None else seed
    with nullcontext() if records is None else records:
        match = play_match(
            config,
            agents if executor is None else specs,
            [min(seat, len(agents) - 1) for seat in range(config.num_players)],
            num_deals=deals,
            seed=seed,
            on_progress=on_progress,
            on_records=None if records is None else records.add,
            names=names,
            executor=executor,
        )
    return summarise(match, names, seed)


def distinct_names(names: Sequence[str], specs: Sequence[Spec]) -> list[str]:
    """Returns names that tell agents apart.

    Agents that share a name get their specs as names; those that share a spec too, a number.
    """
    names = [
        str(spec) if isinstance(spec, str | Path) and names.count(name) > 1 else name
        for name, spec in zip(names, specs, strict=True)
    ]
    counts = (names[: index + 1].count(name) for index, name in enumerate(names))
    return [f"{name} #{n}" if n > 1 else name for name, n in zip(names, counts, strict=True)]
