"""How games of any kind go: lengths, branching, points by source, seats, and choices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, get_args, get_type_hints

import numpy as np
from gonzaga_agents.registry import make_agent
from gonzaga_agents.units.games import play_out
from numpy.typing import NDArray

from benchmarks.common.tables import Table
from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tabletop.spec import GameSpec

AGENTS = ("random", "greedy", "planner")
_ENOUGH = 0.2  # times a game that a choice is legal, to be listed
_PLACE = re.compile(r"\b[A-Z]?\d+\b")  # a cell or a die's value: all are one choice
_MOST_ALIKE = 20  # choices with the same first word; more of them are one choice


@dataclass(frozen=True)
class Flow:
    """How N games of one agent against itself went.

    Attributes:
        config: what was played.
        agent: the agent's name.
        decisions: of each game, [N].
        cut_off: games that did not end by themselves, [N] bool.
        num_legal: legal actions, mean over all decisions.
        most_legal: legal actions at most.
        scores: points by source, [N, P, S].
        totals: points, [N, P].
        shares: win shares by place, from the seat that decides first, [N, P].
        legal: decisions in which each action was legal, [A].
        chosen: decisions in which it was chosen, [A].
    """

    config: Any
    agent: str
    decisions: NDArray[np.int64]
    cut_off: NDArray[np.bool_]
    num_legal: float
    most_legal: int
    scores: NDArray[np.int16]
    totals: NDArray[np.int16]
    shares: NDArray[np.float64]
    legal: NDArray[np.int64]
    chosen: NDArray[np.int64]


def play_flow(spec: GameSpec, config: Any, agent: str, num_games: int, seed: int) -> Flow:
    """Plays games of an agent against itself, game i with seed + i."""
    engine = spec.engine.from_config(config, num_games, seed=seed, autoreset=False)
    legal, chosen = np.zeros((2, config.actions.size), np.int64)
    decisions, most, first = np.zeros(num_games, np.int64), 0, engine.seats.copy()

    def step(actions: NDArray[np.int64]) -> None:
        nonlocal most
        rows = np.flatnonzero(engine.seats >= 0)
        masks = engine.legal_action_mask(rows)
        most = max(most, int(masks.sum(axis=1).max()))
        legal[:] += masks.sum(axis=0)
        chosen[:] += np.bincount(actions[rows], minlength=len(chosen))
        decisions[rows] += 1
        engine.step(actions)

    seating = np.zeros((num_games, config.num_players), np.int64)
    play_out(engine, [make_agent(agent, config)], seating, [np.random.default_rng(seed)], step)
    places = (first[:, None] + np.arange(config.num_players)) % config.num_players
    cut_off = getattr(engine.state, "truncated", np.zeros(num_games, np.bool_))  # not all games'
    return Flow(
        config=config,
        agent=agent,
        decisions=decisions,
        cut_off=cut_off,
        num_legal=legal.sum() / decisions.sum(),
        most_legal=most,
        scores=engine.scores,
        totals=engine.totals,
        shares=np.take_along_axis(win_shares(engine.winners()), places, axis=1),
        legal=legal,
        chosen=chosen,
    )


def other_rules(spec: GameSpec) -> Iterator[dict[str, Any]]:
    """Yields the rules with one option changed, for every value that an option lists."""
    usual = spec.any_config().rules
    hints = get_type_hints(type(usual))
    for field in fields(usual):
        for value in get_args(hints[field.name]):
            if value != getattr(usual, field.name):
                yield {field.name: value}


def flow_tables(spec: GameSpec, edition: str | None, num_games: int, seed: int) -> Iterator[Table]:
    """Yields the tables of a game: with the usual rules, and with each option."""
    named = {} if edition is None else {"edition": edition}

    def played(agent: str, players: int, **rules: Any) -> Flow:
        config = spec.config(num_players=players, **named, **rules)
        return play_flow(spec, config, agent, num_games, seed)

    usual = {players: [played(agent, players) for agent in AGENTS] for players in spec.players}
    flows = [flow for found in usual.values() for flow in found]
    rows = [[_players(flow), flow.agent, *_length(flow), *_result(flow)] for flow in flows]
    yield Table("How games go", ["players", "agent", *_LENGTH, *_RESULT], rows)
    names = [name.replace("_", " ") for name in spec.sources]
    points = [[_players(flow), flow.agent, *_points(flow)] for flow in flows]
    yield Table("Points by source", ["players", "agent", *names], points)
    options = [
        [f"{name} = {value}", _players(flow), flow.decisions.mean(), *_result(flow)]
        for rules in other_rules(spec)
        for name, value in rules.items()
        for players in spec.players
        for flow in [played(AGENTS[-1], players, rules=rules)]
    ]
    if options:
        rows = [[name, players, f"{mean:.0f}", *rest] for name, players, mean, *rest in options]
        yield Table(
            f"With one option changed ({AGENTS[-1]})",
            ["option", "players", "decisions", *_RESULT],
            rows,
        )
    yield choice_table(usual[max(usual)][-1])


_LENGTH = ("decisions", "fewest to most", "legal actions", "most")
_RESULT = ("points", "cut off", "wins by place, %")


def _players(flow: Flow) -> str:
    return str(flow.config.num_players)


def _length(flow: Flow) -> list[str]:
    lengths = flow.decisions
    return [
        f"{lengths.mean():.0f}",
        f"{lengths.min()} to {lengths.max()}",
        f"{flow.num_legal:.1f}",
        str(flow.most_legal),
    ]


def _result(flow: Flow) -> list[str]:
    wins = " ".join(f"{100 * share:.0f}" for share in flow.shares.mean(axis=0))
    cut_off = f"{flow.cut_off.mean():.1%}" if flow.cut_off.any() else "0"
    return [f"{flow.totals.mean():.1f}", cut_off, wins]


def _points(flow: Flow) -> list[str]:
    return [f"{points:.1f}" for points in flow.scores.mean(axis=(0, 1))]


def choice_table(flow: Flow) -> Table:
    """Returns how often each choice is legal and is made, the least popular first.

    Actions that differ in a cell or a die's value are one choice; so are many similar ones.
    """
    actions = np.flatnonzero(flow.legal).tolist()
    names = [_PLACE.sub("#", flow.config.actions.to_text(action), count=1) for action in actions]
    alike = Counter(name.split()[0] for name in set(names))
    found: dict[str, list[int]] = {}
    for action, name in zip(actions, names, strict=True):
        word = name.split()[0]
        counts = found.setdefault(name if alike[word] <= _MOST_ALIKE else f"{word} ...", [0, 0])
        counts[0] += int(flow.legal[action])
        counts[1] += int(flow.chosen[action])
    seats = len(flow.decisions) * flow.config.num_players
    rows = [
        [f"`{name}`", f"{legal / seats:.1f}", f"{chosen / seats:.2f}", f"{chosen / legal:.1%}"]
        for name, (legal, chosen) in sorted(found.items(), key=lambda it: it[1][1] / it[1][0])
        if legal >= _ENOUGH * seats
    ]
    title = f"Choices, times a seat and game ({flow.agent}, {_players(flow)} players)"
    return Table(title, ["choice", "legal", "chosen", "of legal"], rows)
