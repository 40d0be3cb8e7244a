"""Values agents by what their decisions cost, as a strong search judges them.

A win share needs thousands of games; what a decision loses needs few. The agents are asked in the
positions of games between others: in games of its own a weak agent is soon beyond hope, and then
no decision loses anything any more. All are asked in the same positions, and what they choose is
compared on the same draws of what the seat does not know (see `compare_played` in
`search.agent`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.intervals import Estimate, ratio_interval
from gonzaga_env.kernel.agent import AgentError, agent_name
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config, Engine
from gonzaga_env.kernel.text_table import text_table

from ..arrays import Indices, Masks
from ..outside.agent import OutsideAgent
from ..registry import Spec, default_agent, make_agent
from ..search.agent import SearchAgent, compare_played
from .evaluate import distinct_names
from .jobs import OnFraction, ignore
from .runner import Step, agents_secret, ask_agent, deal_seed, play_games
from .summary import NAME_WIDTH, failed_line

_MOST_KINDS = 4  # that have columns


@dataclass(frozen=True)
class AgentLosses:
    """Losses of an agent's decisions, in shares of the victory; below 0 only by noise."""

    name: str
    decisions: int  # between several actions
    loss: Estimate
    by_kind: dict[str, Estimate]  # by the kind of decision (`GameSpec.kinds`)
    failures: dict[str, int] | None = None  # of a bot, by what happened; None for other agents


def make_judge(by: str, config: Config) -> SearchAgent:
    """Returns the search that a spec such as "search@64" names; OptionError for another agent."""
    search = make_agent(by, config)
    if not isinstance(search, SearchAgent):
        raise OptionError(f"judge is {by!r}; it takes a search, such as search@64")
    return search


def judge_agents(
    config: Config,
    specs: Sequence[Spec],
    search: SearchAgent,
    num_deals: int,
    seed: int,
    on_progress: OnFraction = ignore,
) -> list[AgentLosses]:
    """Returns what the decisions of agents lost, in the order of the agents.

    The search judges them in games of `num_deals` deals that `default_agent` plays. Raises
    AgentError where an agent fails or chooses what is not legal.
    """
    agents = [make_agent(spec, config) for spec in specs]
    names = distinct_names([agent_name(agent) for agent in agents], specs)
    kinds = game_spec(config.game).kinds
    lost, counts = np.zeros((2, len(agents), len(kinds), num_deals))
    playing, *judging = np.random.SeedSequence(seed).spawn(2 + len(agents))
    rng, *rngs = map(np.random.default_rng, judging)

    def decide(k: int, engine: Engine, rows: Indices) -> tuple[Indices, Masks]:
        """Returns what an agent chooses, and where a bot did, [M] each."""
        agent, chose = agents[k], np.ones(len(rows), np.bool_)
        actions = ask_agent(agent, names[k], engine, rows, rngs[k])
        if isinstance(agent, OutsideAgent):
            chose = ~agent.lost[rows, engine.seats[rows]]
            agent.lost[:] = False  # nothing is lost here: it is asked again
        if not engine.legal_action_mask(rows)[np.arange(len(rows)), actions].all():
            raise AgentError(f"agent {names[k]}: it chose an action that is not legal")
        return actions, chose

    def watch(engine: Engine) -> Step:
        def step(actions: Indices) -> object:
            rows = np.flatnonzero((engine.seats >= 0) & (engine.num_legal() > 1))
            if len(rows):
                found = [decide(k, engine, rows) for k in range(len(agents))]
                decided, chose = np.stack([one for one, _ in found], axis=1), [b for _, b in found]
                seen = engine.observe(rows=rows), engine.legal_action_mask(rows)
                judged = compare_played(search, *seen, decided, rng)
                at = engine.kinds[rows], rows
                losses = np.array([[one.loss for one in own] for own in judged]).T
                lost[:, at[0], at[1]] += losses * chose
                counts[:, at[0], at[1]] += chose
            return engine.step(actions)

        return step

    for agent in agents:
        if isinstance(agent, OutsideAgent):
            agent.begin(num_deals)
    others = make_agent(default_agent(config.game), config)
    seeds = np.array([deal_seed(seed, deal) for deal in range(num_deals)])
    seating = np.zeros((num_deals, config.num_players), np.int64)
    play_games(config, [others], seating, seeds, agents_secret(playing), on_progress, watch=watch)
    nothing = Estimate(0.0, None, None)
    return [
        AgentLosses(
            name=name,
            decisions=int(count.sum()),
            loss=ratio_interval(own.sum(axis=0), count.sum(axis=0)) or nothing,
            by_kind={
                kind: ratio_interval(own[i], count[i]) or nothing for i, kind in enumerate(kinds)
            },
            failures=dict(agent.failures) if isinstance(agent, OutsideAgent) else None,
        )
        for agent, name, own, count in zip(agents, names, lost, counts, strict=True)
    ]


def judged_lines(by: str, judged: Sequence[AgentLosses]) -> Iterator[str]:
    """Yields what decisions lost, in percent of the victory, the best agent first."""
    kinds = [*judged[0].by_kind] if len(judged[0].by_kind) <= _MOST_KINDS else []
    rows = [["agent", "decisions", "lost ± 95%", *kinds]]
    for one in sorted(judged, key=lambda one: one.loss.mean):
        losses = [f"{100 * one.by_kind[kind].mean:.2f}" for kind in kinds]
        rows.append([one.name, str(one.decisions), one.loss.with_margin(2, 100), *losses])
    yield from ("", f"% of the victory that a decision lost, by {by}", "")
    yield from text_table(rows, fold=NAME_WIDTH)
    yield from (failed_line(one.name, one.failures) for one in judged if one.failures is not None)
