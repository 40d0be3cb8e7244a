"""`gonzaga solve`: solves a small edition, or measures agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gonzaga_env.command_line import OK, WholeNumber, option_help, parse
from gonzaga_env.core.config import GameConfig
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.text_table import text_table
from gonzaga_env.kernel.writing import check_no_link, check_writable
from gonzaga_env.progress import progress
from gonzaga_env.signorie.config import GameConfig as SignorieConfig

from ..registry import make_agent
from ..solve.signorie import check_public, report
from ..solve.solution import MADE, Solution, ask_of, file_name, solve_draws
from ..solve.strategy import Secrecy, asked_strategy, exploitability, likeliest, secrecy_of
from ..solve.tree import build_tree, check_solvable, draws_of

_ONLY = {"deals": "signorie", "secrecy": "gonzaga", "out": "gonzaga"}


@dataclass(frozen=True)
class SolveOptions:
    """Solves a small edition for two players, or measures how much agents lose to the best
    response, or what it is worth that plans are hidden. What is solved of a draw is kept until all
    are: the same command continues. The edition of Signorie is solved deal by deal.

    Examples:
        gonzaga solve mini-a2
        gonzaga solve mini-a2 --measure equilibrium random greedy planner
        gonzaga solve mini-a2 --secrecy
        gonzaga solve mini --game signorie --deals 10 --measure greedy planner
    """

    edition: Annotated[str, tyro.conf.Positional, option_help("EDITION")]
    """A small edition: its name or its folder."""
    game: Literal["gonzaga", "signorie"] = "gonzaga"
    """The game."""
    measure: tuple[str, ...] = ()
    """Agents, checkpoints or runs whose exploitability to measure; nothing is solved then."""
    secrecy: bool = False
    """Say what the game is worth if one seat shows its plans, and how often a seat has to mix; for
    editions without objectives."""
    out: Annotated[Path | None, option_help("FILE")] = None
    """The file for the solution; by default runs/solve/EDITION.npz, where the agent "equilibrium"
    finds it unless one ships."""
    deals: WholeNumber = 40
    """Deals of Signorie to solve; its value is their mean."""


def main(arguments: Sequence[str]) -> int:
    options = parse(SolveOptions, arguments, "gonzaga solve")
    for field in fields(SolveOptions):
        takes = _ONLY.get(field.name, options.game)
        if takes != options.game and getattr(options, field.name) != field.default:
            raise OptionError(f"{field.name} is for --game {takes}, not {options.game}")
    if options.game == "signorie":
        if options.deals < 1:
            raise OptionError("deals takes numbers above 0")
        public = SignorieConfig(2, edition=options.edition)
        check_public(public)
        asks = {name: ask_of(make_agent(name, public)) for name in options.measure}
        with progress("solving ") as on_progress:
            print(report(public, asks, options.deals, on_progress))
        return OK
    config = GameConfig(2, edition=options.edition)
    check_solvable(config)
    if options.secrecy and (options.measure or config.edition.objectives):
        raise OptionError("secrecy takes an edition without objectives, and no --measure")
    if options.secrecy:
        print(_secrecy(config))
    else:
        print(_measured(options, config) if options.measure else _solved(options, config))
    return OK


def _solved(options: SolveOptions, config: GameConfig) -> str:
    """Solves the game, writes the solution and returns what to print."""
    out = options.out or MADE / file_name(config)
    if options.out is None:
        check_no_link(MADE, MADE)
        MADE.mkdir(parents=True, exist_ok=True)
    check_writable(out)
    if out.exists():
        Solution.load(out, config)  # that of another game is not replaced
    with progress("solving ") as on_progress:
        whole = solve_draws(config, out, lambda share: on_progress(share, 1))
    how = "by CFR+" if config.edition.objectives else "exactly"
    return (
        f"{config.edition.label}, solved {how}: seat 0 wins by {whole.value:.4f} points\n"
        f"exploitability: {whole.exploitability:.1e} points\n"
        f"wrote {out}: {len(whole.keys):,} information sets, {out.stat().st_size:,} bytes"
    )


def _secrecy(config: GameConfig) -> str:
    """Returns the value of hiding plans, and how often a seat has to mix them."""
    draws, found = draws_of(config), list[Secrecy]()
    with progress("solving ") as on_progress:
        for i, draw in enumerate(draws):
            on_progress(i / len(draws), 1)
            found.append(secrecy_of(build_tree(config, draw)))
    hidden = sum(one.hidden for one in found) / len(draws)
    shown = [sum(one.shown[seat] for one in found) / len(draws) for seat in range(2)]
    lines = [
        f"{config.edition.label}, exactly: seat 0 wins by {hidden:.4f} points if plans are hidden,",
        f"by {shown[0]:.4f} if it shows its plans, and by {shown[1]:.4f} if seat 1 does",
    ]
    for round_, counts in enumerate(zip(*(one.mixed for one in found), strict=True), start=1):
        num, mixed = (sum(column) for column in zip(*counts, strict=True))
        lines.append(f"round {round_}: no sure plan is optimal in {mixed:,} of {num:,} positions")
    return "\n".join(lines)


def _measured(options: SolveOptions, config: GameConfig) -> str:
    """Returns the exploitability of each agent, sampled and at its likeliest action."""
    agents = {name: make_agent(name, config) for name in options.measure}
    draws, histories, sets = draws_of(config), 0, 0
    found: dict[str, list[list[float]]] = {name: [] for name in agents}
    with progress("measuring ") as on_progress:
        for i, draw in enumerate(draws):
            for j, (name, agent) in enumerate(agents.items()):
                on_progress((i + j / len(agents)) / len(draws), 1)
                tree = build_tree(config, draw, ask_of(agent))
                played = asked_strategy(tree)
                both = played, likeliest(tree, played)
                found[name].append([exploitability(tree, strategy) for strategy in both])
            histories += tree.num_histories
            sets += tree.num_information_sets
    rows = [["exploitability in points", "sampled", "likeliest action"]]
    for name, pairs in found.items():
        means = [sum(column) / len(draws) for column in zip(*pairs, strict=True)]
        rows.append([name, *(f"{mean:.3f}" for mean in means)])
    counts = f"{config.edition.label}: {histories:,} histories, {sets:,} information sets"
    return "\n".join([counts, *text_table(rows)])
