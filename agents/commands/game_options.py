"""The options of commands that say which game is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from gonzaga_env.command_line import option_help
from gonzaga_env.games import DEFAULT_GAME, edition_game, game_name
from gonzaga_env.kernel.spec import Config

from ..play.evaluate import config_for
from ..registry import Spec


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """The options that say which game is played."""

    game: Annotated[str | None, option_help("NAME")] = None
    """The game: gonzaga, tuscany or signorie; by default the edition's, else gonzaga."""
    edition: Annotated[str | None, option_help("EDITION")] = None
    """A shipped edition's name or a folder; by default a checkpoint's, else the game's."""
    scenario: Annotated[str | None, option_help("NAME")] = None
    """A scenario's name; by default one is drawn for each deal."""
    rules: Annotated[tuple[str, ...], option_help("PRESET|NAME=VALUE ...")] = ()
    """Options of the rules: a preset, such as online, or such as draw_base=3."""

    @property
    def game_name(self) -> str:
        if self.game is None:
            return edition_game(self.edition) or DEFAULT_GAME
        return game_name(self.game)

    def config(self, agents: Sequence[Spec], players: int) -> Config:
        """Returns what agents play (see `config_for`)."""
        rules = " ".join(self.rules) or None
        return config_for(agents, players, self.game_name, self.edition, self.scenario, rules)
