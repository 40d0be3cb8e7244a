"""The games as OpenSpiel lists them."""

from __future__ import annotations

from typing import Any

import pyspiel

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.envs.open_spiel.adapter import Game
from gonzaga_env.envs.open_spiel.gonzaga import GonzagaPlay
from gonzaga_env.games import game_spec


class Gonzaga(Game):
    """Gonzaga; chance draws the cards that are turned up."""

    NAME, SPEC, PLAY = "python_gonzaga", game_spec("gonzaga"), GonzagaPlay

    @staticmethod
    def most_decisions(config: Any) -> int:
        """Returns the decisions of twelve rounds (R7.2)."""
        return 2 * NUM_FIEFS * int(config.num_players)


class CastlesOfTuscany(Game):
    """The Castles of Tuscany; chance draws seeds."""

    NAME, SPEC = "python_castles_of_tuscany", game_spec("tuscany")

    @staticmethod
    def most_decisions(config: Any) -> int:
        """Returns a generous bound: 100 a turn."""
        return 100 * int(config.rules.max_laps) * int(config.num_players)


class Signorie(Game):
    """Signorie; chance draws seeds."""

    NAME, SPEC = "python_signorie", game_spec("signorie")

    @staticmethod
    def most_decisions(config: Any) -> int:
        """Returns a generous bound: 100 a die, of four a round (S3.1, S5.2)."""
        return 100 * 4 * 7 * int(config.num_players)


for _game in (Gonzaga, CastlesOfTuscany, Signorie):
    pyspiel.register_game(_game.game_type(), _game)
