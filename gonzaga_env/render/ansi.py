"""The public side of a game as plain text; a map of 19 columns is 80 characters wide."""

from __future__ import annotations

import numpy as np

from gonzaga_env.core import bits
from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_SEAS
from gonzaga_env.core.rules.scoring import open_sites, winners
from gonzaga_env.core.state.state import PLACE, SOURCES, State, current_fiefs

PLAYER_RINGS = "abcd"
_LEGEND = (
    "O city  # harbor  ~ sea\n{regions}\n"
    "0 to {last}: a player's fief on the hex; a to {ring}: a ring of player 0 to {last}"
)


def render_text(tables: Tables, state: State, game: int = 0) -> str:
    """Returns one game as text: map, legend, scores and open cards.

    Sealed plans, objectives and decks are not shown, so all players may see the text.

    Args:
        tables: the edition's tables.
        state: N games.
        game: the row to draw.
    """
    one = state.take(slice(game, game + 1))
    players = _result if one.finished[0] else _players
    parts = [_headline(tables, one), _map(tables, one), _legend(tables, one), players(tables, one)]
    return "\n\n".join(parts) + "\n"


def _headline(tables: Tables, state: State) -> str:
    edition = tables.edition
    scenario = edition.scenarios[state.scenario[0]]
    name = edition.name + (" (a reconstruction)" if edition.reconstruction else "")
    stage = "placing" if state.phase[0] == PLACE else "planning"
    stage = "over" if state.finished[0] else stage
    last = ", the last" if state.last_round[0] else ""
    return (
        f"{name}, scenario {scenario.name}\n"
        f"flourishing: {', '.join(scenario.flourishing)}\n"
        f"Round {state.round[0]}{last}, {stage}; {open_sites(tables, state)[0]} sites open"
    )


def _map(tables: Tables, state: State) -> str:
    fiefs = bits.unpack(state.fiefs[0], tables.num_hexes)
    rings = bits.unpack(state.rings[0], tables.num_hexes)
    index = tables.edition.grid.index
    lines = []
    for row, marks in enumerate(tables.edition.marks):
        hexes = []
        for col in range(len(marks)):
            if (row, col) not in index:
                hexes.append("    ")
                continue
            cell = index[row, col]
            owner = "".join(str(p) for p in np.flatnonzero(fiefs[:, cell]))
            ring = "".join(PLAYER_RINGS[p] for p in np.flatnonzero(rings[:, cell]))
            hexes.append(f"{_terrain(tables, cell)}{owner}{ring}".ljust(4))
        lines.append(("  " * (row % 2) + "".join(hexes)).rstrip())
    return "\n".join(lines)


def _terrain(tables: Tables, cell: int) -> str:
    if tables.city_mask[cell]:
        return "O"
    if tables.harbor_sea[cell] < NUM_SEAS:
        return "#"
    edition = tables.edition
    mark = edition.mark(edition.grid.cells[cell])
    return mark.lower() if mark in edition.regions else "~"


def _legend(tables: Tables, state: State) -> str:
    last = state.num_players - 1
    regions = ", ".join(f"{mark.lower()} {name}" for mark, name in tables.edition.regions.items())
    return _LEGEND.format(regions=regions, last=last, ring=PLAYER_RINGS[last])


def _players(tables: Tables, state: State) -> str:
    lines = ["seat  score  rings  leagues  group  fief  plan"]
    fiefs = current_fiefs(state)[0] + 1
    lines += [
        f"{seat:>4}  {state.totals[0, seat]:>5}  {state.ring_stock[0, seat]:>5}  "
        f"{int(state.leagues[0, seat].sum()):>7}  {state.largest_group[0, seat]:>5}  "
        f"{fiefs[seat]:>4}  {_plan(tables, state, seat)}"
        for seat in range(state.num_players)
    ]
    return "\n".join(lines)


def _result(tables: Tables, state: State) -> str:
    """Returns the final points by source and the winners (R8)."""
    lines = ["seat  score  " + "  ".join(SOURCES)]
    for seat, total in enumerate(state.totals[0]):
        points = [
            f"{value:>{len(name)}}"
            for name, value in zip(SOURCES, state.scores[0, seat], strict=True)
        ]
        lines.append(f"{seat:>4}  {total:>5}  {'  '.join(points)}")
    won = np.flatnonzero(winners(tables, state)[0])
    return "\n".join([*lines, "", "won by player " + " and ".join(map(str, won))])


def _plan(tables: Tables, state: State, seat: int) -> str:
    if state.phase[0] == PLACE:
        place = state.order[0].tolist().index(seat) + 1
        return f"{tables.actions.to_text(int(state.plan[0, seat]))} (moves {place}.)"
    previous = int(state.previous_plan[0, seat])
    return "-" if previous == NO_PLAN else f"not {tables.actions.to_text(previous)}"
