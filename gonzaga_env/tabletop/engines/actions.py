"""Action spaces whose actions have one text each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from gonzaga_env.tabletop.arguments import as_action
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import ActionError


class Codec(Protocol):
    """What every game's action space has: A = `size` actions, with a text for each."""

    size: int

    def to_text(self, action: int) -> str:
        """Returns the text of an action; ActionError if the index is not in the space."""

    def parse(self, text: str) -> int:
        """Returns the index of an action's text; ActionError if the text is not an action."""


class ActionTexts:
    """An action space as the texts of its actions; a game may derive a codec with blocks from it.

    Attributes:
        size: A, the number of actions.
    """

    def __init__(self, texts: Iterable[str], examples: Sequence[str] = ()) -> None:
        """Takes the texts, all different, in the order of the actions.

        Args:
            texts: a text for each action, [A].
            examples: some of them, for messages; the first and the last by default.
        """
        self._texts = tuple(texts)
        self._actions = {text: action for action, text in enumerate(self._texts)}
        self._examples = tuple(examples) or (self._texts[0], self._texts[-1])
        self.size = len(self._texts)

    def to_text(self, action: int) -> str:
        """Returns the text of an action.

        Raises:
            ActionError: the index is not in the space.
        """
        return self._texts[as_action(action, self.size)]

    def parse(self, text: str) -> int:
        """Returns the index of an action's text; the inverse of `to_text`.

        Raises:
            ActionError: the text is not an action.
        """
        if isinstance(text, str) and text in self._actions:
            return self._actions[text]
        examples = ", ".join(map(repr, self._examples))
        raise ActionError(f"{short_repr(text)} is not an action; actions look like {examples}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {self.size} actions>"
