"""A game as text, plain or with a terminal's 256 colours, made from a `GameView` alone."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from gonzaga_env.kernel.view import player_name
from gonzaga_env.render.pictures import TEXT_WIDTH, colored, headline, points_line, points_table
from gonzaga_env.signorie.constants import SOURCES
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import GameView, PlayerView, action_words, stage_words

_DICE = (221, 124, 97, 247, 37)  # among a terminal's 256 colours, near those of the pictures


def draw_text(
    edition: Edition, view: GameView, *, color: bool = False, coordinates: bool = False
) -> str:
    """Returns a game as text (see `render.draw.draw_text`): the table, and each player's board."""
    name = "a reconstruction of the printed game" if edition.reconstruction else edition.name
    order = f"turn order: {', '.join(player_name(view.players[seat]) for seat in view.order)}"
    lines = f"Signorie, {name}", stage_words(view), order
    parts = [headline(view, lines, action_words), "\n".join(_colors(edition, view, color))]
    parts += ["\n".join((*_cities(edition, view), *_initiative(edition, view)))]
    parts += _rewards(edition, view)
    parts += ["\n".join(player_lines(edition, view, player, color)) for player in view.players]
    if view.to_act is None:
        parts.append(points_table(SOURCES, view.players))
    return "\n\n".join(parts) + "\n"


def _colors(edition: Edition, view: GameView, color: bool = False) -> Iterator[str]:
    width = max(len(one.name) for one in view.colors)
    for i, column in enumerate(view.colors):
        dice = " ".join(map(str, column.dice)) or "-"
        name = _painted(f" {column.name.ljust(width)} ", i, color)
        yield f"{name} dice {dice:<8} cost {column.cost}: {column.signoria}"
        indent = " " * (width + 3)
        for number, one in enumerate(column.assignments, start=1):
            spent = f"{one.meeples} {one.sex}{'s' * (one.meeples != '1')}"
            yield _filled(f"assign {number}: {one.name}, {spent} for {one.effect}", indent)
        helpers = (f"{i}: {price} for {what}" for i, (price, what) in enumerate(column.helpers, 1))
        yield _filled(f"hires in {column.hires_in}; helpers {'; '.join(helpers)}", indent)


def _filled(text: str, indent: str = "") -> str:
    return fill(
        text,
        TEXT_WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )


def _cities(edition: Edition, view: GameView) -> Iterator[str]:
    width = max(len(city.name) for city in view.cities)
    for i, city in enumerate(view.cities):
        if not city.in_play:
            continue
        empty = " ".join(map(str, city.empty)) or "-"
        tiles = f"marriage {city.marriage or '-':<3} mission {city.mission or '-':<3}"
        there = (f"{player_name(p)}: {p.meeples[i]}" for p in view.players if p.meeples[i])
        text = f"{city.name.ljust(width)}  {tiles} empty {empty:<17} {', '.join(there)}"
        yield text.rstrip()
    yield f"{view.deck} tiles face down"


def _initiative(edition: Edition, view: GameView) -> Iterator[str]:
    vp = " ".join(map(str, edition.initiative_vp))
    yield f"initiative slots of {vp} VP; {view.helpers_left} helpers"
    yield ", ".join(f"{player_name(one)} on slot {one.initiative}" for one in view.players)


def _rewards(edition: Edition, view: GameView) -> Iterator[str]:
    names = [f"{name} ({words})" for name, words in view.bonus_tiles]
    names += [f"{vp} VP for each of the {per}" for _, vp, per in view.vp_tiles]
    numbered = (f"{i}. {name}" for i, name in enumerate(names, start=1))
    yield _filled(f"rewards by round: {'; '.join(numbered)}")


def player_lines(
    edition: Edition, view: GameView, player: PlayerView, color: bool
) -> Iterator[str]:
    """Yields what a player has, a line for each kind of it."""
    notes = ", passed" * player.passed + ", won" * player.won
    yield points_line(view, player, f"{player.score} VP, {player.florins} Florins{notes}")
    dice = (_painted(f" {n or '-'} ", i, color and n > 0) for i, n in enumerate(player.dice))
    disc = f"initiative slot {player.initiative}, {player.height}. from below"
    yield f"  dice {' '.join(dice)}  {disc}"
    names = "available", "in stock", "on the threshold"
    numbers = zip(names, (player.supply, player.stock, player.threshold), strict=True)
    meeples = (f"{name} {males}m {females}f" for name, (males, females) in numbers)
    yield f"  {', '.join(meeples)}; {player.brides} of {len(edition.bride_vp)} brides"
    helpers = (
        f"{column} {' '.join(str(i) for i, held in enumerate(slots, 1) if held)}"
        for column, slots in zip(edition.colors, player.helpers, strict=True)
        if any(slots)
    )
    yield f"  helpers: {', '.join(helpers) or 'none'}"
    for career, slots in zip(edition.careers, player.careers, strict=True):
        males = (f"{n} on slot {i}" for i, n in enumerate(slots, 1) if n)
        yield f"  {career}: {', '.join(males) or 'nobody'}"
    for row, held in zip((*edition.careers, "marriage"), player.rows, strict=True):
        tiles = " ".join(held.held) or "none"
        tiles += f", {held.face_down} face down, {held.vp + held.face_down} VP"
        yield f"  {row} row {' '.join(held.shields)}: {tiles}"


def _painted(text: str, index: int, color: bool) -> str:
    return colored(text, _DICE[index], bold=True) if color else text


#: The lines of each part of the table, by its name.
LINES = {
    **{"dice and assignments": _colors, "cities": _cities},
    **{"initiative": _initiative, "rewards": _rewards},
}
