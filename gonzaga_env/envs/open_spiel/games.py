"""The games as OpenSpiel lists them."""

from __future__ import annotations

import pyspiel

from gonzaga_env.envs.open_spiel.adapter import Game
from gonzaga_env.envs.open_spiel.gonzaga import GonzagaPlay
from gonzaga_env.envs.open_spiel.play import SeededPlay
from gonzaga_env.games import game_spec


class Gonzaga(Game):
    """Gonzaga; chance draws the cards that are turned up."""

    NAME, SPEC, PLAY = "python_gonzaga", game_spec("gonzaga"), GonzagaPlay


class CastlesOfTuscany(Game):
    """The Castles of Tuscany; chance draws the seed."""

    NAME, SPEC, PLAY = "python_castles_of_tuscany", game_spec("tuscany"), SeededPlay


class Signorie(Game):
    """Signorie; chance draws the seed."""

    NAME, SPEC, PLAY = "python_signorie", game_spec("signorie"), SeededPlay


for _game in (Gonzaga, CastlesOfTuscany, Signorie):
    pyspiel.register_game(_game.game_type(), _game)
