"""Actions in words: what they cover and what they score immediately."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.state import NO_SEAT, State, acting_seats, current_fiefs
from gonzaga_env.kernel.arguments import as_action


def describe_action(tables: Tables, rules: Rules, state: State, action: int) -> str:
    """Returns an action of the seat to act in words: text, sites covered, immediate points.

    For example "fief 5 r1 @ 9,6: Rouen, Orléans, Lyon; +9", or "Francia B" for a plan. The action
    need not be legal; sites and points are those of its hexes on the map.

    Raises:
        ActionError: the action is not in the space, or puts a second ring off the map.
    """
    action = as_action(action, tables.actions.size)
    seat = int(acting_seats(state)[0])
    if seat == NO_SEAT or action < NUM_PLANS:
        return tables.actions.to_text(action)
    fief = int(current_fiefs(state)[0, seat])
    text = tables.actions.to_text(action, fief + 1)
    if action == tables.actions.donate:
        return f"{text}; +{c.DONATION_POINTS}"
    row = int(tables.placements.row(fief, action - NUM_PLANS))
    sites = site_names(tables)
    names = [sites[cell] for cell in tables.placements.cells[row].tolist() if cell in sites]
    points = int(tables.points[state.scenario[0], row].sum())  # R6.1
    leagues = new_leagues(tables, rules, state, seat, row)
    names += [f"sea league of {name}" for name in leagues]
    points += c.LEAGUE_POINTS * len(leagues)  # R6.2
    return f"{text}: {', '.join(names) or 'no site'}; +{points}"


def site_names(tables: Tables) -> dict[int, str]:
    """Returns the names of cities and harbors by hex."""
    edition = tables.edition
    return {edition.grid.index[site.at]: site.name for site in (*edition.cities, *edition.harbors)}


def new_leagues(tables: Tables, rules: Rules, state: State, seat: int, row: int) -> list[str]:
    """Returns the seas in which a placement founds a league (R6.2, R6.3)."""
    names = list(tables.edition.seas.values())
    return [names[sea] for sea in np.flatnonzero(founds(tables, rules, state, seat, row))]


def founds(
    tables: Tables, rules: Rules, state: State, seat: int, rows: NDArray[np.int64] | int
) -> NDArray[np.bool_]:
    """Returns the seas in which placements found a league, [..., 6] (see `new_leagues`)."""
    more = tables.sea_harbors[rows]
    first_only = rules.sea_league == "first_only"
    founded = state.leagues[0].any(axis=0) if first_only else state.leagues[0, seat]
    new: NDArray[np.bool_] = more > 0
    return new & (state.sea_harbors[0, seat] + more >= c.LEAGUE_HARBORS) & ~founded
