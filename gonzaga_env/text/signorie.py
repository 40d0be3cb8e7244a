"""Signorie as text: positions, and the glossary with what is printed on boards and tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gonzaga_env.kernel.view import won_by
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import SEXES, SOURCES
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import ColorView, GameView, PlayerView, stage_words
from gonzaga_env.text.base import (
    RULES,
    GameTexts,
    last_move,
    points_words,
    shown_name,
    viewer_words,
)


def lines(view: GameView, edition: Edition | None) -> Iterator[str]:
    yield f"Signorie, {view.edition}. {viewer_words(view)}"
    if view.to_act is None:
        yield f"{stage_words(view)}; {won_by(view.players)}"
    else:
        repeats = f" ({view.left} left)" * (view.decision == "track")
        yield f"{stage_words(view)}{repeats}. To act: player {view.to_act}"
    yield f"Turn order: {' '.join(map(str, view.order))}"
    yield from last_move(view)
    for color in view.colors:
        yield _color(color)
    for i, city in enumerate(view.cities):
        if city.in_play:
            there = ", ".join(
                f"player {p.seat} {p.meeples[i]}" for p in view.players if p.meeples[i]
            )
            tiles = f"marriage {city.marriage or 'none'}, mission {city.mission or 'none'}"
            empty = " ".join(map(str, city.empty)) or "none"
            yield f"{city.name}: {tiles}; empty slots {empty}" + (f"; {there}" if there else "")
    rewards = [f"{name}: {words}" for name, words in view.bonus_tiles]
    rewards += [f"{vp} VP for each of the {per}" for _, vp, per in view.vp_tiles]
    to_come = [*enumerate(rewards, start=1)][view.round - 1 :]
    yield f"Rewards: {'; '.join(f'round {i}, {words}' for i, words in to_come)}"
    yield f"{view.deck} tiles face down, {view.helpers_left} helpers in the supply"
    for player in view.players:
        yield from _player(view, player)


def _color(color: ColorView) -> str:
    assignments = (
        f"assign {i}: {one.name}, {one.meeples} {one.sex}s"
        for i, one in enumerate(color.assignments, start=1)
    )
    dice = " ".join(map(str, color.dice)) or "none"
    return f"{color.name}: dice {dice}; {'; '.join(assignments)}"


def _player(view: GameView, player: PlayerView) -> Iterator[str]:
    notes = ", passed" * player.passed + ", won" * player.won
    yield (
        f"{shown_name(player)}: {points_words(player, SOURCES)}, {player.florins} Florins, "
        f"initiative slot {player.initiative}{notes}"
    )
    taken = (f"{c.name} {n}" for c, n in zip(view.colors, player.dice, strict=True) if n)
    held = {"available": player.supply, "stock": player.stock, "threshold": player.threshold}
    meeples = ", ".join(f"{name} {m}m {f}f" for name, (m, f) in held.items())
    yield f"  own dice {', '.join(taken) or 'none'}; {meeples}; {player.brides} brides"
    helpers = (
        f"{column.name} {' '.join(str(i) for i, held in enumerate(slots, 1) if held)}"
        for column, slots in zip(view.colors, player.helpers, strict=True)
        if any(slots)
    )
    careers = (
        f"{career} {', '.join(f'{n} on slot {i}' for i, n in enumerate(slots, 1) if n)}"
        for career, slots in zip(view.careers, player.careers, strict=True)
        if any(slots)
    )
    yield f"  helpers {', '.join(helpers) or 'none'}; careers {'; '.join(careers) or 'none'}"
    yield f"  rows {'; '.join(_rows(view, player))}"


def _rows(view: GameView, player: PlayerView) -> Iterator[str]:
    """Yields each row: the Houses that it still takes, and the tiles that it has."""
    for name, row in zip((*view.careers, "marriage"), player.rows, strict=True):
        missing = "".join(sorted((Counter(row.shields) - Counter(row.held)).elements()))
        held = (
            f", has {len(row.held)} face up and {row.face_down} down, {row.vp + row.face_down} VP"
        )
        yield f"{name} takes {missing or 'none'}" + held * bool(row.held or row.face_down)


def glossary(config: GameConfig) -> Iterator[str]:
    """Yields how positions and actions are written, and what is printed on boards and tiles."""
    edition = config.edition
    yield "## Notation"
    yield "- m males, f females. A tile such as a4: House a, 4 VP on its front."
    yield (
        "- Actions: red 4 hire 2 (the die red 4, helper slot 2 from the top), red 4 assign 1, red "
        "4 signoria, pass; spend 2; enter military, advance military 3 (from slot 3), initiative, "
        "stop; mission military 7 Milano; marry Firenze 4 (the dowry); row clerical, row marriage; "
        "use, skip; bonus, florins; helper red 2; wed, no wed; pay, keep."
    )
    yield "## What is printed"
    for i, color in enumerate(edition.colors):
        first = len(edition.colors) + edition.num_helper_slots * i
        helpers = (
            f"{n} costs {price}: {edition.effect_words(first + n - 1)}"
            for n, price in enumerate(edition.helper_prices[i], start=1)
        )
        hires = edition.colors[edition.hires_in[i]]
        yield (
            f"{color}: slot cost {edition.costs[i]}, hires in {hires}, Signoria "
            f"{edition.effect_words(i)}; its own helpers: {'; '.join(helpers)}"
        )
    effects = (
        f"{name} {edition.effect_words(edition.first_assignment + i)}"
        for i, name in enumerate(edition.assignments)
    )
    yield f"Assignments: {'; '.join(effects)}"
    sexes = zip(edition.colors, edition.assignment_sexes, strict=True)
    slots = (f"{color} {', '.join(SEXES[sex] for sex in both)}" for color, both in sexes)
    yield f"Assignment slots 1 and 2 take: {'; '.join(slots)}"
    ranks = zip(edition.ranks, edition.slot_vp, strict=True)
    slots = (f"{i}: {rank}, {vp}" for i, (rank, vp) in enumerate(ranks, start=1))
    yield f"Career slots, rank and VP: {'; '.join(slots)}"
    yield f"Initiative slots 1 up, VP: {' '.join(map(str, edition.initiative_vp))}"
    yield f"Brides, VP: {' '.join(map(str, edition.bride_vp))}"
    cities = zip(edition.cities, edition.city_slots, strict=True)
    yield "City slots: " + "; ".join(f"{name} {' '.join(map(str, own))}" for name, own in cities)


TEXT = GameTexts(lines=lines, glossary=glossary, rules=RULES / "signorie.md")
