"""The games that tests of all environments play, with options that keep their games short."""

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from gonzaga_env import castles_of_tuscany_v0, gonzaga_v0, signorie_v0
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv, GonzagaVectorEnv
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.spec import GameSpec


@dataclass(frozen=True)
class EnvironmentsOfAGame:
    """A game's environments; `options` are passed to each."""

    spec: GameSpec
    seated: ModuleType
    one: Any
    many: Any
    name: str  # in ids
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"gonzaga/{self.name}-v0"

    def engine(self, num_games: int, num_players: int, seed: int, reward: Any = "outcome") -> Any:
        config = self.spec.config(num_players=num_players, **self.options)
        return self.spec.engine.from_config(config, num_games, seed, autoreset=False, reward=reward)


GAMES = [
    EnvironmentsOfAGame(game_spec("gonzaga"), gonzaga_v0, GonzagaEnv, GonzagaVectorEnv, "Gonzaga"),
    EnvironmentsOfAGame(
        game_spec("tuscany"),
        castles_of_tuscany_v0,
        castles_of_tuscany_v0.CastlesOfTuscanyEnv,
        castles_of_tuscany_v0.CastlesOfTuscanyVectorEnv,
        "CastlesOfTuscany",
        {"rules": {"max_laps": 8}},
    ),
    EnvironmentsOfAGame(
        game_spec("signorie"),
        signorie_v0,
        signorie_v0.SignorieEnv,
        signorie_v0.SignorieVectorEnv,
        "Signorie",
    ),
]
EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
EVERY_TABLE = pytest.mark.parametrize("num_players", [2, 3, 4])
