"""Gonzaga as text, plain or with a terminal's 256 colours, made from a `GameView` alone.

A map of 19 columns is 80 characters wide, and 84 with coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from gonzaga_env.core.edition import Cell, Edition
from gonzaga_env.core.state import SOURCES
from gonzaga_env.core.view import GameView, PlayerView
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.view import player_name, won_by

PLAYER_RINGS = "abcd"
_WIDTH = 80  # of a line of words
_END = "\x1b[0m"
# Numbers among a terminal's 256 colours, near those of the pictures.
_REGIONS, _INACTIVE = (179, 147, 174, 150, 229, 182), 252
_SEAS = (110, 109, 152, 116, 73, 153)
_PLAYERS = (124, 19, 22, 16)
_LEGEND = (
    "O city  # harbor  ~ sea\n{regions}\n"
    "0 to {last}: a player's fief on the hex; a to {ring}: a ring of seat 0 to {last}"
)


def draw_text(
    edition: Edition, view: GameView, *, color: bool = False, coordinates: bool = False
) -> str:
    """Returns a game as text (see `render.draw.draw_text`): map, legend, scores and cards."""
    players = _result(view) if view.to_act is None else _players(view)
    last = len(view.players) - 1
    regions = ", ".join(f"{mark.lower()} {name}" for mark, name in edition.regions.items())
    legend = _LEGEND.format(regions=regions, last=last, ring=PLAYER_RINGS[last])
    parts = _headline(view), _map(edition, view, color, coordinates), legend
    return "\n\n".join((*parts, "\n".join(players))) + "\n"


def _headline(view: GameView) -> str:
    name = view.edition + (" (a reconstruction)" if view.reconstruction else "")
    last = ", the last" if view.last_round else ""
    lines = [
        f"{name}, scenario {view.scenario}",
        f"flourishing: {', '.join(view.flourishing)}",
        f"Round {view.round}{last}, {view.stage}; {view.open_sites} sites open",
    ]
    if any(player.name for player in view.players):
        named = (f"{player.seat} {printable(player.name)}" for player in view.players)
        lines.append(f"players: {', '.join(named)}")
    if view.last is not None and view.to_act is not None:
        name = printable(player_name(view.players[view.last.seat]))
        lines.append(f"last move: {name}, {view.last.words}")
    return "\n".join(fill(line, _WIDTH, subsequent_indent="  ") for line in lines)


def _map(edition: Edition, view: GameView, color: bool, coordinates: bool) -> str:
    index, sites = edition.grid.index, {harbor.at: "#" for harbor in edition.harbors}
    sites |= {city.at: "O" for city in edition.cities}
    owners, ringed = _owners(view)
    lines = []
    for row, marks in enumerate(edition.marks):
        hexes = []
        for col, mark in enumerate(marks):
            cell = row, col
            if cell not in index:
                hexes.append("    ")
                continue
            text = sites.get(cell, mark.lower() if mark in edition.regions else "~")
            pieces = owners.get(cell, []), ringed.get(cell, [])
            if color:
                hexes.append(_colored(text, *pieces, _ground(edition, mark, view.inactive)))
            else:
                hexes.append(_plain(text, *pieces))
        lines.append(("  " * (row % 2) + "".join(hexes)).rstrip())
    return "\n".join(_numbered(edition, lines) if coordinates else lines)


def _numbered(edition: Edition, lines: list[str]) -> Iterator[str]:
    columns = "".join(f"{col:<4}" for col in range(max(map(len, edition.marks)))).rstrip()
    heads = ["", *map(str, range(len(lines))), ""]
    for head, line in zip(heads, [columns, *lines, columns], strict=True):
        yield f"{head:>2}  {line}"


def _owners(view: GameView) -> tuple[dict[Cell, list[int]], dict[Cell, list[int]]]:
    owners: dict[Cell, list[int]] = {}
    ringed: dict[Cell, list[int]] = {}
    for fief in view.fiefs:
        for cell in fief.cells:
            owners.setdefault(cell, []).append(fief.seat)
    for ring in view.rings:
        ringed.setdefault(ring.cell, []).append(ring.seat)
    return owners, ringed


def _plain(mark: str, owners: list[int], ringed: list[int]) -> str:
    return (mark + "".join(map(str, owners)) + "".join(PLAYER_RINGS[p] for p in ringed)).ljust(4)


def _colored(mark: str, owners: list[int], ringed: list[int], ground: int) -> str:
    """Returns the text of a hex in colours: a fief's fill the hex, a ring's its letter only."""
    base = _paint(_PLAYERS[owners[0]], light=True) if owners else _paint(ground, light=False)
    text = base + mark + "".join(map(str, owners))
    for seat in ringed:
        text += _paint(_PLAYERS[seat], light=True) + PLAYER_RINGS[seat] + base
    return text + " " * (3 - len(owners) - len(ringed)) + _END


def _ground(edition: Edition, mark: str, inactive: tuple[str, ...]) -> int:
    """Returns the colour of a region or a sea; inactive regions are grey."""
    if edition.regions.get(mark) in inactive:
        return _INACTIVE
    names = edition.regions if mark in edition.regions else edition.seas
    colors = _REGIONS if mark in edition.regions else _SEAS
    return colors[list(names).index(mark) % len(colors)]


def _paint(ground: int, light: bool) -> str:
    return f"\x1b[0;1;38;5;231;48;5;{ground}m" if light else f"\x1b[0;38;5;16;48;5;{ground}m"


def _players(view: GameView) -> Iterator[str]:
    """Yields a line for each player, and one for each objective that the viewer knows."""
    yield "seat  score  rings  leagues  group  fief  plan"
    for player in view.players:
        yield (
            f"{'>' if player.seat == view.to_act else ' '}{player.seat:>3}  {player.score:>5}  "
            f"{player.rings:>5}  {len(player.leagues):>7}  "
            f"{player.largest_group:>5}  {player.fief:>4}  {_plan(view, player)}"
        )
    known = [(player_name(p), p.objective) for p in view.players if p.objective is not None]
    if known:
        yield ""
    for name, objective in known:
        symbols = " and ".join(objective.symbols)
        yield f"objective of {printable(name)}: {symbols}; cities held: {objective.held}"


def _plan(view: GameView, player: PlayerView) -> str:
    """Returns a plan with the place in the turn order, or what is known before the reveal."""
    if view.decision == "place" and player.plan is not None:
        return f"{player.plan.text} (moves {view.order.index(player.seat) + 1}.)"
    parts = []
    if player.planned:
        parts.append("sealed" if player.plan is None else f"{player.plan.text}, sealed")
    if player.locked is not None:
        parts.append(f"not {player.locked.text}")
    return "; ".join(parts) or "-"


def _result(view: GameView) -> Iterator[str]:
    """Yields the final points by source and the winners (R8)."""
    yield "seat  score  " + "  ".join(SOURCES)
    for player in view.players:
        points = zip(SOURCES, player.scores, strict=True)
        columns = "  ".join(f"{value:>{len(name)}}" for name, value in points)
        yield f"{player.seat:>4}  {player.score:>5}  {columns}"
    yield from ("", printable(won_by(view.players)))
