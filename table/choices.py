"""The legal choices of the seat to act in plain values, for people to choose from.

They follow from what the seat knows, so they hold nothing that is hidden from it. A game may bring
choices of its own (`parts.TableParts.turn`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from gonzaga_env.games import game_spec

from .games import table_parts


class Turn(Protocol):
    """The turn of a seat."""

    @property
    def stage(self) -> str:
        """What it is about, such as "deciding"; pages choose what they show by it."""
        ...

    @property
    def choices(self) -> tuple[Any, ...]:
        """The legal choices, in the order of the action space; each has `action` and `words`."""
        ...


@dataclass(frozen=True)
class ActionChoice:
    """A legal action of a game whose decisions take one action each.

    Attributes:
        action: index in the action space.
        text: the action as in records, such as "tile L4".
        words: the action in words, such as "tile on L4 (monastery)".
        warning: what is lost by it, so that a person is asked first; "" for nothing.
    """

    action: int
    text: str
    words: str
    warning: str = ""


@dataclass(frozen=True)
class Deciding:
    """The turn of a seat that chooses an action.

    Attributes:
        kind: what it decides, one of `GameSpec.kinds`.
        choices: the legal actions, in the order of the action space.
    """

    kind: str
    choices: tuple[ActionChoice, ...]
    stage: Literal["deciding"] = "deciding"


def turn_of(game: Any) -> Turn | None:
    """Returns the legal choices of the seat to act; None where the game is over."""
    if game.finished:
        return None
    actions = np.flatnonzero(game.mask()).tolist()
    own = table_parts(game.config.game).turn
    return _deciding(game, actions) if own is None else own(game, actions)


def _deciding(game: Any, actions: list[int]) -> Deciding:
    warning, view = table_parts(game.config.game).warning, game.view(game.seat)
    choices = (
        ActionChoice(action, text, game.describe(action), warning(text, view) if warning else "")
        for action in actions
        for text in [game.actions.to_text(action)]
    )
    return Deciding(game_spec(game.config.game).kinds[game.kind], tuple(choices))
