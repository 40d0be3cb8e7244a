"""The suite of all games takes games of others: small ones, and one whose every action is legal."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gonzaga_env.tabletop import conformance
from gonzaga_env.tabletop.arrays import ArrayEngine, ArrayGame, ArrayRules, ArrayState, array_spec
from gonzaga_env.tabletop.config import BaseConfig
from gonzaga_env.tabletop.conformance import ConformanceError, check_game
from gonzaga_env.tabletop.engines.actions import ActionTexts
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.options import RuleOptions
from gonzaga_env.tabletop.state import DealArrays, Origin

ROUNDS = 3


@dataclass(frozen=True)
class Options(RuleOptions):
    EXAMPLE = "{}"


@dataclass(frozen=True, init=False)
class GameConfig(BaseConfig):
    """Three rounds, in each of which everybody names a number; the highest sum wins."""

    game, PLAYERS, OPTIONS = "numbers", (range(2, 4), "N1"), Options
    actions = ActionTexts(["one", "two", "three"])

    @property
    def features(self) -> FeatureTable:
        shape = (self.num_players,)
        return FeatureTable(
            [("sums", shape, 9, "sums"), ("round", (), ROUNDS, "round"), ("start", (), 3, "start")]
        )


@dataclass(eq=False, repr=False)
class State(ArrayState):
    MAGIC, RULES = b"numbers-state-1\n", Options
    start: NDArray[np.uint8]
    origin: Origin | None = None


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    start: NDArray[np.uint8]


class Rules(ArrayRules[GameConfig, State, Deal]):
    CONFIG, KINDS, STATE, DEAL = GameConfig, ("name a number",), State, Deal

    @classmethod
    def _arrays(cls, num_players: int) -> Any:
        return {"start": ()}, {"event": 1}

    def _setup(self, chance: Any, num_games: int) -> Deal:
        places = np.ones((num_games, 1), bool)
        return Deal(chance.draw(places, range(9))[:, 0].astype(np.uint8))

    def _possible(self, s: Any) -> Any:
        return (s.start < 9) & (s.scores[..., 0] <= 3 * ROUNDS).all(axis=1)

    def _mask(self, s: Any) -> Any:
        return np.ones((len(s.seat), 3), bool)

    def _reason(self, kind: int, action: int) -> str:
        raise AssertionError("every action is legal")

    def _move(self, s: Any, actions: Any, chance: Any) -> None:
        s.scores[np.arange(len(actions)), s.seat, 0] += (actions + 1).astype(s.scores.dtype)
        s.seat = (s.seat + 1) % self.num_players
        s.finished = (s.seat == 0) & (s.round == ROUNDS)
        s.round = s.round + ((s.seat == 0) & ~s.finished)

    def _known(self, s: Any, seats: Any, order: Any) -> dict[str, Any]:
        sums = s.scores[np.arange(len(seats))[:, None], order, 0]
        return {"sums": sums, "round": s.round, "start": s.start}


class Engine(Rules, ArrayEngine[GameConfig, State, Deal]):
    """N games."""


class Game(Rules, ArrayGame[GameConfig, State, Deal]):
    """One game."""

    ENGINE = Engine


SPEC = array_spec(Engine, Game, title="Numbers")


@pytest.mark.parametrize("num_players", [2, 3])
def test_a_game_whose_every_action_is_legal_conforms(num_players: int) -> None:
    check_game(SPEC, GameConfig(num_players))


class TakesAnything(Engine):
    def step(self, actions: Any, rows: Any = None) -> Any:
        return super().step(np.clip(np.asarray(actions), 0, 2), rows)


class LosesGames(Engine):
    def step(self, actions: Any, rows: Any = None) -> Any:
        self.state.scores[0] = 0
        return super().step(actions, rows)


class Wordless(Engine):
    def resample(self, seat: Any, rng: Any, num_samples: int = 1) -> Any:
        return super().resample(seat if seat != -1 else 0, rng, num_samples)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (TakesAnything, r"engine\.step\(actions above the space\) is wrong and raises no ActionE"),
        (LosesGames, r"engine\.step\(one action too few\) raised ActionError and changed the"),
        (Wordless, r"engine\.resample\(-1, rng\) is wrong and raises no OptionError"),
    ],
)
def test_a_fault_is_told_by_the_call(fault: type[Engine], says: str) -> None:
    spec = array_spec(fault, Game, title="Numbers")
    with pytest.raises(ConformanceError, match=says):
        conformance.check_refusals(spec, GameConfig(2))
