"""The suite of all games takes games that nobody tuned it for, and tells faults by the call."""

from typing import Any

import numpy as np
import pytest

from gonzaga_env.tabletop import conformance
from gonzaga_env.tabletop.arrays import array_spec
from gonzaga_env.tabletop.conformance import ConformanceError, check_game
from gonzaga_env.tabletop.spec import GameSpec
from tests.tabletop.small_games import (
    AUCTION,
    PENNIES,
    RACE,
    AuctionConfig,
    AuctionEngine,
    AuctionGame,
    PenniesConfig,
    PenniesEngine,
    PenniesGame,
)

SMALL = [PENNIES, RACE, AUCTION]


@pytest.mark.parametrize(
    ("spec", "num_players"), [(spec, number) for spec in SMALL for number in spec.players]
)
def test_small_games_conform(spec: GameSpec, num_players: int) -> None:
    check_game(spec, spec.config(num_players=num_players), seed=num_players)


class TakesAnything(PenniesEngine):
    def step(self, actions: Any, rows: Any = None) -> Any:
        return super().step(np.clip(np.asarray(actions), 0, 1), rows)


class LosesGames(PenniesEngine):
    def step(self, actions: Any, rows: Any = None) -> Any:
        self.state.scores[0] = 7
        return super().step(actions, rows)


class Wordless(PenniesEngine):
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
def test_a_fault_is_told_by_the_call(fault: type[PenniesEngine], says: str) -> None:
    spec = array_spec(fault, PenniesGame, title="Pennies")
    with pytest.raises(ConformanceError, match=says):
        conformance.check_refusals(spec, PenniesConfig(2))


class Tells(AuctionEngine):
    def _told(self, s: Any, seat: int, action: int, knows: Any) -> str:
        return self.actions.to_text(action)


class TellsAlone(AuctionGame):
    ENGINE, _told = Tells, Tells._told


class Opens(AuctionEngine):
    def _known(self, s: Any, seats: Any, order: Any) -> dict[str, Any]:
        return super()._known(s, seats, order) | {"decided": s.bid[:, ::-1] == 3}


class OpensAlone(AuctionGame):
    ENGINE, _known = Opens, Opens._known


@pytest.mark.parametrize(
    ("engine", "game", "says"),
    [
        (Tells, TellsAlone, r"sealed: 'bid \d' of seat 0: the view of 1 differs"),
        (Opens, OpensAlone, r"sealed: 'bid \d' of seat 0: what seat 1 observes differ"),
    ],
)
def test_a_sealed_decision_that_shows_is_found(engine: Any, game: Any, says: str) -> None:
    spec = array_spec(engine, game, title="An auction", sealed=("bid",))
    with pytest.raises(ConformanceError, match=says):
        conformance.check_sealed(spec, AuctionConfig(2))


def test_a_seat_decides_once_in_a_sealed_round() -> None:
    game = AUCTION.game.from_config(AuctionConfig(3), 1)
    for left in ([0, 1, 2], [1, 2], [2], [0, 1, 2]):  # the last of a round ends it
        assert [turn.seat for turn in AUCTION.turns(game)] == left
        game.play(int(game.mask().argmax()))
