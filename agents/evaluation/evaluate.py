"""Plays agents against each other and sums up who does how well."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.tabletop.agent import agent_name
from gonzaga_env.tabletop.errors import OptionError

from ..registry import Spec, checkpoint_players, make_agent
from .match import draw_seed, play_match
from .records_file import RecordsFile
from .summary import MatchSummary, summarise

OnProgress = Callable[[float], None]


def evaluate(
    agents: Spec | Sequence[Spec],
    players: int | None = None,
    deals: int = 100,
    seed: int | None = None,
    edition: str | Path | Edition = "europe",
    scenario: str | None = None,
    rules: Rules = Rules(),
    records: str | Path | None = None,
    on_progress: OnProgress = lambda done: None,
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
        edition: the name of a shipped edition, a folder, or an edition.
        scenario: a scenario's name; None draws one for each deal.
        rules: the options of the rules.
        records: a file to write every game to as it ends, one JSON line a game. Where it cannot
            hold all games, a warning says how many it holds.
        on_progress: called now and then with the fraction that is done, 0 to 1.

    Returns:
        Scores and win shares with 95 % intervals; `summary.agents` is in the order of `agents`.

    Raises:
        AgentError: an agent cannot be found or built, or plays an invalid action.
        CheckpointError: a checkpoint does not fit the game.
        OptionError: an argument has a value that it does not take.
        EditionError: the edition cannot be found or has faults.
    """
    specs = as_specs(agents)
    config = GameConfig(players_for(specs, players), scenario, edition, rules)
    file = None if records is None else RecordsFile(records)
    summary = evaluate_in(config, specs, deals, seed, file, on_progress)
    if file is not None and file.error is not None:
        warnings.warn(file.error, RuntimeWarning, stacklevel=2)
    return summary


def evaluate_in(
    config: GameConfig,
    specs: Sequence[Spec],
    deals: int,
    seed: int | None,
    records: RecordsFile | None = None,
    on_progress: OnProgress = lambda done: None,
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
            agents,
            [min(seat, len(agents) - 1) for seat in range(config.num_players)],
            num_deals=deals,
            seed=seed,
            on_progress=on_progress,
            on_records=None if records is None else records.add,
            names=names,
            history=True,
        )
    return summarise(match, names, seed)


def as_specs(agents: Spec | Sequence[Spec]) -> Sequence[Spec]:
    """Returns one agent, or several, as a sequence."""
    if isinstance(agents, Sequence) and not isinstance(agents, str):
        return agents
    return [agents]


def players_for(specs: Sequence[Spec], players: int | None) -> int:
    """Returns the number of players that is asked for, or that the agents imply.

    Raises:
        OptionError: no agent, more agents than players, or an invalid number of players.
    """
    if not specs:
        raise OptionError("no agent is named; try: random greedy")
    trained = [checkpoint_players(spec) for spec in specs]
    implied = next((number for number in trained if number is not None), len(specs))
    possible = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    if players is None:
        players = implied if implied in possible else MAX_PLAYERS
    if players not in possible:
        raise OptionError(f"players is {players}; it takes {MIN_PLAYERS} to {MAX_PLAYERS} (R1.1)")
    if len(specs) > players:
        raise OptionError(f"{len(specs)} agents are named for {players} players")
    return players


def distinct_names(names: Sequence[str], specs: Sequence[Spec]) -> list[str]:
    """Returns names that tell agents apart.

    Agents that share a name get their specs as names; those that share a spec too, a number.
    """
    names = [
        str(spec) if isinstance(spec, str | Path) and names.count(name) > 1 else name
        for name, spec in zip(names, specs, strict=True)
    ]
    counts = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return [
        name if count == 1 else f"{name} #{count}"
        for name, count in zip(names, counts, strict=True)
    ]
