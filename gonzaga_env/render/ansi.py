"""The public side of a game as text, plain or with a terminal's 256 colours.

A map of 19 columns is 80 characters wide, and 84 with coordinates.
"""

from __future__ import annotations

import numpy as np

from gonzaga_env.core import bits
from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_SEAS
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.rules.scoring import open_sites, winners
from gonzaga_env.core.state.state import PLACE, SOURCES, State, current_fiefs

PLAYER_RINGS = "abcd"
_END = "\x1b[0m"
# Numbers among a terminal's 256 colours, near those of the pictures.
_REGIONS, _INACTIVE = (179, 147, 174, 150, 229, 182), 252
_SEAS = (110, 109, 152, 116, 73, 153)
_PLAYERS = (124, 19, 22, 16)
_LEGEND = (
    "O city  # harbor  ~ sea\n{regions}\n"
    "0 to {last}: a player's fief on the hex; a to {ring}: a ring of player 0 to {last}"
)


def render_text(
    tables: Tables,
    state: State,
    game: int = 0,
    *,
    color: bool = False,
    coordinates: bool = False,
) -> str:
    """Returns one game as text: map, legend, scores and open cards.

    Sealed plans, objectives and decks are not shown, so all players may see the text. Without its
    escape sequences, coloured text is the same as plain text.

    Args:
        tables: the edition's tables.
        state: N games.
        game: the row to draw.
        color: whether regions, seas and pieces have their colours, as escape sequences of
            terminals.
        coordinates: whether rows and columns are numbered along the edges of the map.
    """
    one = state.take(slice(game, game + 1))
    players = _result if one.finished[0] else _players
    parts = [
        _headline(tables, one),
        _map(tables, one, color, coordinates),
        _legend(tables, one),
        players(tables, one),
    ]
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


def _map(tables: Tables, state: State, color: bool, coordinates: bool) -> str:
    fiefs = bits.unpack(state.fiefs[0], tables.num_hexes)
    rings = bits.unpack(state.rings[0], tables.num_hexes)
    edition = tables.edition
    index, inactive = edition.grid.index, _inactive(tables, state)
    lines = []
    for row, marks in enumerate(edition.marks):
        hexes = []
        for col in range(len(marks)):
            if (row, col) not in index:
                hexes.append("    ")
                continue
            cell = index[row, col]
            owners = np.flatnonzero(fiefs[:, cell]).tolist()
            ringed = np.flatnonzero(rings[:, cell]).tolist()
            mark = _terrain(tables, cell)
            ground = _ground(edition, marks[col], inactive)
            hexes.append(
                _colored(mark, owners, ringed, ground) if color else _plain(mark, owners, ringed)
            )
        lines.append(("  " * (row % 2) + "".join(hexes)).rstrip())
    if coordinates:
        columns = "".join(f"{col:<4}" for col in range(max(map(len, edition.marks)))).rstrip()
        lines = [columns, *lines, columns]
        heads = ["", *map(str, range(len(edition.marks))), ""]
        lines = [f"{head:>2}  {line}" for head, line in zip(heads, lines, strict=True)]
    return "\n".join(lines)


def _inactive(tables: Tables, state: State) -> frozenset[str]:
    flourishing = tables.edition.scenarios[state.scenario[0]].flourishing
    return frozenset(tables.edition.regions.values()) - frozenset(flourishing)


def _plain(mark: str, owners: list[int], ringed: list[int]) -> str:
    """Returns the text of a hex: its mark, the players of its fief and of its ring."""
    return (mark + "".join(map(str, owners)) + "".join(PLAYER_RINGS[p] for p in ringed)).ljust(4)


def _colored(mark: str, owners: list[int], ringed: list[int], ground: int) -> str:
    """Returns the text of a hex in colours: a fief's fill the hex, a ring's its letter only."""
    base = _paint(_PLAYERS[owners[0]], light=True) if owners else _paint(ground, light=False)
    text = base + mark + "".join(map(str, owners))
    for seat in ringed:
        text += _paint(_PLAYERS[seat], light=True) + PLAYER_RINGS[seat] + base
    return text + " " * (3 - len(owners) - len(ringed)) + _END


def _ground(edition: Edition, mark: str, inactive: frozenset[str]) -> int:
    """Returns the colour of a region or a sea; inactive regions are grey."""
    if edition.regions.get(mark) in inactive:
        return _INACTIVE
    names = edition.regions if mark in edition.regions else edition.seas
    colors = _REGIONS if mark in edition.regions else _SEAS
    return colors[list(names).index(mark) % len(colors)]


def _paint(ground: int, light: bool) -> str:
    """Returns the escape sequence for light or dark letters on a colour."""
    return f"\x1b[0;1;38;5;231;48;5;{ground}m" if light else f"\x1b[0;38;5;16;48;5;{ground}m"


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
