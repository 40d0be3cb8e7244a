"""Gonzaga as text: positions, the glossary of its notation, and the map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.edition import Cell, Edition, offset_neighbors
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state import SOURCES, current_fiefs
from gonzaga_env.core.view import GameView, PlayerView
from gonzaga_env.text.base import (
    RULES,
    GameTexts,
    Words,
    last_move,
    points_words,
    shown_name,
    viewer_words,
)

_ASKED = {
    "plan": "plan: a region, A, B or C, and + privilege if wanted",
    "place": "place fief {fief}, arrange a wedding (plan C), or donate",
}


def lines(view: GameView, edition: Edition | None) -> Iterator[str]:
    drawn = " (a reconstruction)" if view.reconstruction else ""
    last = ", the last" if view.last_round else ""
    yield f"Gonzaga, {view.edition}{drawn}, scenario {view.scenario}. {viewer_words(view)}"
    if view.to_act is None:
        won = " and ".join(shown_name(player) for player in view.players if player.won)
        yield f"The game is over after {view.round} rounds; won by {won}."
    else:
        asked = _ASKED[view.decision].format(fief=view.players[view.to_act].fief)
        yield f"Round {view.round}{last}. To act: player {view.to_act}: {asked}"
    yield f"Flourishing: {', '.join(view.flourishing)}. Inactive: {', '.join(view.inactive)}."
    yield f"Open flourishing sites: {view.open_sites}; {view.open_sites_at_end} end the game (R7.1)"
    if view.order:
        yield f"Turn order: {' '.join(map(str, view.order))}"
    yield from last_move(view)
    for player in view.players:
        yield from _player(view, player, edition)
    for seat, pieces in groupby(_pieces(view), lambda piece: piece[0]):
        yield f"On the map, player {seat}: {'; '.join(text for _, text in pieces)}"
    if edition is not None and view.to_act is not None:
        yield from _open_sites(view, edition)


def _player(view: GameView, player: PlayerView, edition: Edition | None) -> Iterator[str]:
    yield f"{shown_name(player)}: {points_words(player, SOURCES)}{', won' * player.won}"
    parts = [f"rings {player.rings}", f"largest group {player.largest_group}"]
    if player.fief is not None:
        parts += [f"fief {player.fief} (card {player.card})"]
        parts += [f"fiefs to come {' '.join(map(str, player.deck)) or 'none'}"]
    if player.planned:
        parts.append(f"plan {'sealed' if player.plan is None else player.plan.text}")
    if player.locked is not None and not (player.planned and view.decision == "place"):
        parts.append(f"may not repeat {player.locked.text}")
    seas = range(len(player.harbors)) if edition is None else list(edition.seas.values())
    held = [f"{sea} {n}" for sea, n in zip(seas, player.harbors, strict=True) if n]
    parts += [f"harbors {', '.join(held)}"] if held else []
    parts += [f"leagues {', '.join(player.leagues)}"] if player.leagues else []
    if player.objective is not None:
        symbols, number = " and ".join(player.objective.symbols), player.objective.held
        parts.append(f"objective {symbols} (cities held {number})")
    yield f"  {'; '.join(parts)}"


def _pieces(view: GameView) -> Iterator[tuple[int, str]]:
    """Yields seat and words of each piece on the map, seat by seat."""
    for player in view.players:
        fiefs = [fief for fief in view.fiefs if fief.seat == player.seat]
        yield from ((one.seat, f"fief {one.number} {_cells(one.cells)}") for one in fiefs)
        rings = [ring for ring in view.rings if ring.seat == player.seat]
        yield from ((one.seat, f"ring {_cells([one.cell])}") for one in rings)


def _cells(cells: Iterable[Cell]) -> str:
    return " ".join(f"{row},{col}" for row, col in cells)


def _open_sites(view: GameView, edition: Edition) -> Iterator[str]:
    """Yields the cities and harbors that nobody covers, region by region."""
    covered = {cell for fief in view.fiefs for cell in fief.cells}
    covered |= {ring.cell for ring in view.rings}
    found: dict[str, list[str]] = {name: [] for name in edition.regions.values()}
    for site in (*edition.cities, *edition.harbors):
        if site.at not in covered:
            kind = "harbor " * (site.kind == "harbor")
            found[edition.regions[edition.mark(site.at)]].append(f"{kind}{_cells([site.at])}")
    for region, sites in found.items():
        yield f"Open in {region}: cities and harbors {', '.join(sites) or 'none'}"


def glossary(config: GameConfig) -> Iterator[str]:
    """Yields how positions and actions are written, and the map, the fiefs and the sites."""
    edition = config.edition
    yield "## Notation"
    yield "- Plans: Francia B, inactive C, Francia B + privilege."
    yield (
        "- fief 5 r2 @ 12,7: fief 5 turned twice by 60 degrees clockwise around its first hex, "
        "which lies on row 12, column 7. Of equal ways to lie, only the lowest turn is legal. "
        "Choices leave out the number, since a seat has one fief: fief r2 @ 12,7."
    )
    yield "- ring 12,7; rings 12,7 12,8 (the second east, south-east or south-west); donate."
    beside = (f"of {row},5: {_cells(sorted(offset_neighbors(row, 5)))}" for row in (2, 3))
    yield f"- Odd rows lie half a hex to the east. Neighbors {'; '.join(beside)}."
    yield f"## The map of {edition.name}: a letter a region, a digit a sea, . off the map"
    yield from (f"{row:>2} {''.join(marks)}" for row, marks in enumerate(edition.marks))
    named = [*edition.regions.items(), *edition.seas.items()]
    yield ", ".join(f"{mark} {name}" for mark, name in named)
    yield "Fiefs, unturned: east and south-east steps from the first hex, * a castle"
    yield "; ".join(
        f"{fief.number}: "
        + " ".join(f"{q},{r}{'*' * (i in fief.castles)}" for i, (q, r) in enumerate(fief.cells))
        for fief in edition.fiefs[: edition.size.fiefs]
    )
    for what, sites in (("Cities", edition.cities), ("Harbors", edition.harbors)):
        groups = sorted({site.group for site in sites})
        for group in groups:
            own = (f"{s.name} {_cells([s.at])}" for s in sites if s.group == group)
            yield f"{what}, {group}: {', '.join(own)}"
    for barrier in edition.barriers:
        sides = (f"{_cells(edge).replace(' ', '|')}" for edge in barrier.edges)
        yield f"Barrier {barrier.name}: {' '.join(sides)}"


def spellings(game: Game, words: Words) -> Iterator[Words]:
    """Yields other words of an action: without its fief's number, rings in order, cards alone."""
    fief = int(current_fiefs(game.state)[0, game.seat]) + 1
    match words:
        case ("fief", number, *rest) if number == str(fief):
            yield ("fief", *rest)
        case ("rings", first, second):
            yield ("rings", second, first)
        case (*cards, "privilege"):
            named = re.sub(r"(?: (?:[+]|and|with|plus))?(?: king' s)?$", "", _cards(cards))
            yield (*named.split(), "+", "privilege")
        case _:
            yield tuple(_cards(words).split())


def _cards(words: Iterable[str]) -> str:
    return " ".join(words).replace("inactive region", "inactive")


def action(game: Game, index: int) -> str:
    """Returns the text of an action, with the number of the acting seat's fief."""
    if game.finished:
        return game.actions.to_text(index)
    fief = int(current_fiefs(game.state)[0, game.seat])
    return game.actions.to_text(index, fief + 1)


TEXT = GameTexts(
    lines=lines, glossary=glossary, rules=RULES / "gonzaga.md", spellings=spellings, action=action
)
