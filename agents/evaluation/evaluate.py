"""Plays agents against each other and sums up who does how well."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.agent import agent_name
from gonzaga_env.tabletop.spec import Config

from ..registry import Spec, make_agent
from .game import config_for, players_for
from .match import draw_seed, play_match
from .records_file import RecordsFile
from .summary import MatchSummary, summarise

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
