"""What a state is a state of."""

from __future__ import annotations

from dataclasses import dataclass

from gonzaga_env.core.options import Rules
from gonzaga_env.tabletop.errors import StateError


@dataclass(frozen=True)
class Origin:
    """What a state is a state of, for games that would read it otherwise.

    Attributes:
        edition: the edition's digest.
        rules: the options.
    """

    edition: str
    rules: Rules

    def check(self, edition: str, rules: Rules) -> None:
        """Raises StateError unless the state is of this edition and these options."""
        if self.edition != edition:
            raise StateError(
                f"the state is of another edition: its digest is {self.edition[:12]}…, the game's "
                f"{edition[:12]}…"
            )
        if self.rules != rules:
            raise StateError(f"the state is of {self.rules}; the game's options are {rules}")
