"""The texts that a game may bring, and those of any game, made from its view alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.view import Player, View, own_fields

Words = tuple[str, ...]  #: the words, numbers and signs of a text, in lower case


def shown_name(player: Player) -> str:
    """Returns what a player of a view is called: the seat, and the name if there is one."""
    name = printable(player.name)
    return f"player {player.seat}" + (f" ({name})" if name else "")


def viewer_words(view: View) -> str:
    """Returns who looks at a view, such as `You are player 1.`"""
    if isinstance(view.viewer, int):
        return f"You are player {view.viewer}."
    what = "what lies open" if view.viewer == "public" else "everything"
    return f"You watch and see {what}."


def points_words(player: Player, sources: Iterable[str]) -> str:
    """Returns a player's points with the sources that gave any."""
    named = zip(sources, player.scores, strict=True)
    parts = ", ".join(f"{name.replace('_', ' ')} {points}" for name, points in named if points)
    return f"{player.score} points" + (f" ({parts})" if parts else "")


def last_move(view: View) -> Iterator[str]:
    """Yields the line of the last move, if it is known."""
    if view.last is not None:
        yield f"Last move: player {view.last.seat}, {view.last.words}"


def plain_lines(view: View, edition: object) -> Iterator[str]:
    """Yields the lines of any view, for a game without texts of its own."""
    spec = game_spec(view.game)
    yield f"{spec.title}, edition {view.edition}, round {view.round}. {viewer_words(view)}"
    if view.to_act is not None:
        yield f"To act: player {view.to_act}, {view.decision}"
    yield from last_move(view)
    for player in view.players:
        won = ", won" * player.won
        yield f"{shown_name(player)}: {points_words(player, spec.sources)}{won}"
    for name, value in own_fields(view).items():
        yield f"{name}: {value}"


def plain_glossary(config: Config) -> Iterator[str]:
    """Yields what is known of any game: its decisions and how its actions look."""
    spec, actions = game_spec(config.game), config.actions
    some = sorted({0, actions.size // 3, 2 * actions.size // 3, actions.size - 1})
    yield f"{spec.title} for {config.num_players} players, edition {config.edition.name}."
    yield f"Decisions: {', '.join(spec.kinds)}. Points: {', '.join(spec.sources)}."
    yield f"Actions look like: {'; '.join(map(actions.to_text, some))}."


@dataclass(frozen=True)
class GameTexts:
    """The texts of a game; each has a default that any game can use."""

    #: `lines(view, edition)` yields what a view says, with the edition if it is known.
    lines: Callable[[Any, Any], Iterable[str]] = plain_lines
    #: `glossary(config)` yields how positions and actions are written, and what is printed.
    glossary: Callable[[Any], Iterable[str]] = plain_glossary
    rules: Path | None = None  #: a file of the rules in words
    #: `spellings(game, words)` yields the words of an action's text that some words stand for.
    spellings: Callable[[Any, Words], Iterable[Words]] = lambda game, words: ()
    #: `action(game, action)`, the text of an action in one game; None takes that of the codec.
    action: Callable[[Any, int], str] | None = None


RULES = Path(__file__).parents[1] / "data" / "rules"  #: those of this package's games
