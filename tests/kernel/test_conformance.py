"""Every game passes the suite of all games, and the suite finds games with one fault each."""

from collections.abc import Callable
from dataclasses import make_dataclass, replace
from typing import Any

import numpy as np
import pytest

from gonzaga_env import signorie, tuscany
from gonzaga_env.core import Engine, Game, GameConfig, RecordError, Rules
from gonzaga_env.core.spec import SPEC
from gonzaga_env.games import game_spec
from gonzaga_env.kernel import conformance
from gonzaga_env.kernel.arrays import array_spec
from gonzaga_env.kernel.conformance import CHECKS, Check, ConformanceError, check_game
from gonzaga_env.kernel.records import GameRecords
from gonzaga_env.kernel.spec import GameSpec
from tests.kernel.small_games import (
    AUCTION,
    PENNIES,
    RACE,
    AuctionConfig,
    AuctionEngine,
    AuctionGame,
)
from tests.marks import nightly, some_nightly
from tests.signorie.wild import edition_of, wild

CONFIGS = [
    *nightly(GameConfig(2), GameConfig(4), tuscany.GameConfig(2)),
    GameConfig(3, rules=Rules("first_only", 1)),
    tuscany.GameConfig(
        3, rules=tuscany.Options(3, "lap", "lap_then_one", "ranked", "tiles", "setup", True)
    ),
    tuscany.GameConfig(4, rules={"max_laps": 12}),  # games are cut off
    signorie.GameConfig(2),
    *nightly(signorie.GameConfig(3), signorie.GameConfig(4)),
    *nightly(signorie.GameConfig(3, edition_of(wild(6)))),
]
SMALL = [PENNIES, RACE, AUCTION]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda it: f"{it.game}, {it.summary}")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game_conforms(check: Check, config: Any) -> None:
    check(game_spec(config.game), config, config.num_players)


@pytest.mark.parametrize(
    ("spec", "num_players"),
    some_nightly(
        [(spec, number) for spec in SMALL for number in spec.players],
        lambda case: case[1] == case[0].players[0],
    ),
)
def test_small_games_conform(spec: GameSpec, num_players: int) -> None:
    check_game(spec, spec.config(num_players=num_players), seed=num_players)


class EmptyMask(Engine):
    def legal_action_mask(self, rows: Any = None, out: Any = None) -> Any:
        mask = super().legal_action_mask(rows, out)
        mask[self.state.round[: len(mask)] == 5] = False
        return mask


class AddsToOut(Engine):
    def legal_action_mask(self, rows: Any = None, out: Any = None) -> Any:
        mask = super().legal_action_mask(rows)
        return mask if out is None else np.logical_or(out, mask, out=out)


class OtherKinds(Engine):
    @property
    def kinds(self) -> Any:
        return np.zeros(self.num_games, np.int64)  # those that are over, too


class MatesMatter(Engine):
    def reset(self, seed: Any = None, deal: Any = None, rows: Any = None) -> None:
        super().reset(seed, deal, rows)
        if seed is None and rows is not None:
            self.state.scores[rows, 0, 0] = self.num_games  # the size of the batch leaks in


class SharedCopies(Engine):
    def copy(self) -> Any:
        twin = super().copy()
        twin._start(self.state)
        return twin


class Leaking(Engine):
    def observe(self, seat: Any = None, rows: Any = None, out: Any = None) -> Any:
        seen = super().observe(seat, rows, out)
        if rows is None and seat is not None:
            seen[:, 0] = self.state.seed.astype(np.uint8)
        return seen


class SpyingView(Engine):
    def view(self, game: int = 0, viewer: Any = "spectator", *, names: Any = ()) -> Any:
        return super().view(game, "spectator" if viewer == "public" else viewer, names=names)


class OtherView(Engine):
    def view(self, *what: Any, **how: Any) -> Any:
        view = super().view(*what, **how)
        return make_dataclass("Foreign", vars(view))(**vars(view))


class SameSample(Engine):
    def resample(self, seat: Any, rng: Any, num_samples: int = 1) -> Any:
        return self.state.repeat(num_samples)


class StuckEpisode(Engine):
    def reset(self, seed: Any = None, deal: Any = None, rows: Any = None) -> None:
        super().reset(seed, deal, rows)
        self.state.episode[:] = 0


class HalfAStep(Engine):
    def step(self, actions: Any, rows: Any = None) -> Any:
        try:
            return super().step(actions, rows)
        except ValueError:
            self.state.scores[0, 0, 3] += 3
            raise


class AnyAction(Engine):
    def step(self, actions: Any, rows: Any = None) -> Any:
        actions = np.asarray(actions)
        if actions.dtype == float:
            actions = actions.astype(int)
        return super().step(actions, rows)


class AllForNone(Engine):
    def legal_action_mask(self, rows: Any = None, out: Any = None) -> Any:
        return super().legal_action_mask(None if rows is None or not len(rows) else rows, out)


class OtherReward(Game):
    def play(self, action: Any) -> list[float]:
        return [2 * reward for reward in super().play(action)]


class OtherMask(Game):
    def mask(self) -> Any:
        return np.roll(super().mask(), 1)


class ForgetfulGame(Game):
    def reset(self, seed: Any = None, deal: Any = None) -> None:
        super().reset(0 if seed is None else seed, deal)


FAULTS: list[tuple[type, Callable[..., None]]] = [
    (EmptyMask, conformance.check_decisions),
    (AddsToOut, conformance.check_decisions),
    (OtherKinds, conformance.check_decisions),
    (OtherReward, conformance.check_both_engines),
    (OtherMask, conformance.check_both_engines),
    (MatesMatter, conformance.check_independence),
    (SharedCopies, conformance.check_copies),
    (Leaking, conformance.check_hidden),
    (SameSample, conformance.check_hidden),
    (SpyingView, conformance.check_hidden),
    (SpyingView, conformance.check_views),
    (OtherView, conformance.check_views),
    (StuckEpisode, conformance.check_resets),
    (ForgetfulGame, conformance.check_resets),
    (AllForNone, conformance.check_empty_batches),
    (HalfAStep, conformance.check_refusals),
    (AnyAction, conformance.check_refusals),
]


@pytest.mark.parametrize(("fault", "check"), FAULTS, ids=lambda it: it.__name__)
def test_the_suite_finds_an_engine_with_a_fault(fault: type, check: Callable[..., None]) -> None:
    one = "game" if issubclass(fault, Game) else "engine"
    with pytest.raises(ConformanceError):
        check(replace(SPEC, **{one: fault}), GameConfig(2), 1)


@pytest.mark.parametrize(
    "wrong", [{"game": "x"}, {"round": 99}, {"to_act": 1}, {"decision": "x"}, {"players": ()}]
)
def test_the_suite_finds_views_that_hold_something_else(wrong: dict[str, Any]) -> None:
    class Other:
        def view(self, *what: Any, **how: Any) -> Any:
            return replace(super().view(*what, **how), **wrong)  # type: ignore[misc]

    class OtherEngine(Other, Engine):
        pass

    class OtherGame(Other, Game):
        pass

    with pytest.raises(ConformanceError, match=f"views: (the )?{next(iter(wrong))}"):
        conformance.check_views(replace(SPEC, engine=OtherEngine, game=OtherGame), GameConfig(2), 1)


class VerifiesNothing(GameRecords):
    def replay(self, *record: Any) -> Any:
        return Game(2, seed=9)


class LacksAPosition(GameRecords):
    def positions(self, *record: Any) -> Any:
        yield from [*super().positions(*record)][1:]


class TwoWinners(GameRecords):
    def record(self, *what: Any) -> Any:
        return super().record(*what) | {"winners": [0, 1]}


@pytest.mark.parametrize("fault", [VerifiesNothing, LacksAPosition, TwoWinners])
def test_the_suite_finds_records_that_hold_another_game(fault: type[GameRecords]) -> None:
    with pytest.raises((ConformanceError, RecordError)):
        conformance.check_records(
            replace(SPEC, records=fault(SPEC.records.recorder)), GameConfig(2), 1
        )


class OtherConfig(GameConfig):
    game = "other"


class ThreeConfig(GameConfig):
    PLAYERS = range(3, 4), "R1.1"


@pytest.mark.parametrize(
    "wrong",
    [{"CONFIG": OtherConfig}, {"CONFIG": ThreeConfig}, {"KINDS": ("plan",)}, {"SOURCES": ("a",)}],
)
def test_the_suite_finds_a_spec_of_another_game(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConformanceError):
        conformance.check_game(replace(SPEC, engine=type("Other", (Engine,), wrong)), GameConfig(2))


class Tells(AuctionEngine):
    def _move_words(self, s: Any, seat: int, action: int, knows: Any) -> str:
        return self.actions.to_text(action)


class TellsAlone(AuctionGame):
    ENGINE, _move_words = Tells, Tells._move_words


class Opens(AuctionEngine):
    def _feature_values(self, s: Any, seats: Any, order: Any) -> dict[str, Any]:
        return super()._feature_values(s, seats, order) | {"decided": s.bid[:, ::-1] == 3}


class OpensAlone(AuctionGame):
    ENGINE, _feature_values = Opens, Opens._feature_values


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
