"""Three small games for the suite of all games, of kinds that this package's games are not.

| game | kind |
|---|---|
| pennies | every action is always legal; nothing is hidden, nothing is drawn |
| race | chance alone: the only action is to roll |
| auction | sealed bids: all decide before anyone knows another's decision |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arrays import ArrayEngine, ArrayGame, ArrayRules, ArrayState, array_spec
from gonzaga_env.kernel.config import BaseConfig, RuleOptions
from gonzaga_env.kernel.spaces import ActionTexts, FeatureTable
from gonzaga_env.kernel.state import DealArrays, Origin


@dataclass(frozen=True)
class NoOptions(RuleOptions):
    EXAMPLE = "{}"


@dataclass(frozen=True, repr=False)
class NoDeal(DealArrays):
    """Nothing is decided before the first action."""


# Pennies: in turn, all show heads or tails, five times. Whoever shows what the player before showed
# scores a point.


@dataclass(frozen=True, init=False)
class PenniesConfig(BaseConfig):
    game, PLAYERS, OPTIONS = "pennies", (range(2, 4), "P1"), NoOptions
    actions = ActionTexts(["heads", "tails"])

    @property
    def features(self) -> FeatureTable:
        each = (self.num_players,)
        return FeatureTable([("scores", each, 5, "points"), ("shown", (), 2, "shown last, from 1")])


@dataclass(eq=False, repr=False)
class PenniesState(ArrayState):
    MAGIC, RULES = b"pennies-state-1\n", NoOptions
    shown: NDArray[np.uint8]
    origin: Origin | None = None


class PenniesRules(ArrayRules[PenniesConfig, PenniesState, NoDeal]):
    CONFIG, KINDS, STATE, DEAL = PenniesConfig, ("show",), PenniesState, NoDeal

    @classmethod
    def _arrays(cls, num_players: int) -> Any:
        return {"shown": ()}, {}

    def _setup(self, chance: Any, num_games: int) -> NoDeal:
        return NoDeal()

    def _mask(self, s: Any) -> Any:
        return np.ones((len(s.seat), 2), bool)

    def _reason(self, kind: int, action: int) -> str:
        raise AssertionError("every action is legal")

    def _move(self, s: Any, actions: Any, chance: Any) -> None:
        s.scores[np.arange(len(actions)), s.seat, 0] += s.shown == actions + 1
        s.shown = actions + 1
        s.seat = (s.seat + 1) % self.num_players
        s.finished = (s.seat == 0) & (s.round == 5)
        s.round = s.round + ((s.seat == 0) & ~s.finished)

    def _feature_values(self, s: Any, seats: Any, order: Any) -> dict[str, Any]:
        return {"scores": s.scores[np.arange(len(seats))[:, None], order, 0], "shown": s.shown}


class PenniesEngine(PenniesRules, ArrayEngine[PenniesConfig, PenniesState, NoDeal]): ...


class PenniesGame(PenniesRules, ArrayGame[PenniesConfig, PenniesState, NoDeal]):
    ENGINE = PenniesEngine


PENNIES = array_spec(PenniesEngine, PenniesGame, title="Pennies")


# Race: in turn, all roll a die and move on so far. The first to reach 20 wins.


@dataclass(frozen=True, init=False)
class RaceConfig(BaseConfig):
    game, PLAYERS, OPTIONS = "race", (range(2, 5), "A1"), NoOptions
    actions = ActionTexts(["roll"])

    @property
    def features(self) -> FeatureTable:
        return FeatureTable([("places", (self.num_players,), 25, "places")])


@dataclass(eq=False, repr=False)
class RaceState(ArrayState):
    MAGIC, RULES = b"race-state-1\n", NoOptions
    origin: Origin | None = None


class RaceRules(ArrayRules[RaceConfig, RaceState, NoDeal]):
    CONFIG, KINDS, STATE, DEAL = RaceConfig, ("roll",), RaceState, NoDeal
    SOURCES = ("place",)

    @classmethod
    def _arrays(cls, num_players: int) -> Any:
        return {}, {}

    def _setup(self, chance: Any, num_games: int) -> NoDeal:
        return NoDeal()

    def _mask(self, s: Any) -> Any:
        return np.ones((len(s.seat), 1), bool)

    def _reason(self, kind: int, action: int) -> str:
        raise AssertionError("the only action is legal")

    def _move(self, s: Any, actions: Any, chance: Any) -> None:
        rows = np.arange(len(actions))
        rolled = chance.draw(np.ones((len(actions), 1), bool), range(1, 7))[:, 0]
        s.scores[rows, s.seat, 0] += rolled.astype(s.scores.dtype)
        s.finished = s.scores[rows, s.seat, 0] >= 20
        s.seat = (s.seat + 1) % self.num_players
        s.round = s.round + ((s.seat == 0) & ~s.finished)

    def _feature_values(self, s: Any, seats: Any, order: Any) -> dict[str, Any]:
        return {"places": s.scores[np.arange(len(seats))[:, None], order, 0]}


class RaceEngine(RaceRules, ArrayEngine[RaceConfig, RaceState, NoDeal]): ...


class RaceGame(RaceRules, ArrayGame[RaceConfig, RaceState, NoDeal]):
    ENGINE = RaceEngine


RACE = array_spec(RaceEngine, RaceGame, title="A race")


# Auction: five prizes of 1 to 5 points come in drawn order. For each, all bid one of their cards 1
# to 5 in secret, and then show them: the highest card that nobody else bid takes the prize, if
# there is one. The bid cards are gone.

CARDS = 5


@dataclass(frozen=True, init=False)
class AuctionConfig(BaseConfig):
    game, PLAYERS, OPTIONS = "auction", (range(2, 5), "B1"), NoOptions
    actions = ActionTexts([f"bid {card}" for card in range(1, CARDS + 1)])

    @property
    def features(self) -> FeatureTable:
        p = self.num_players
        return FeatureTable(
            [
                ("cards", (p, CARDS), 1, "cards left"),
                ("scores", (p,), 15, "points"),
                ("own", (), CARDS, "own sealed bid"),
                ("prizes", (CARDS,), CARDS, "prizes so far"),
                ("decided", (p,), 1, "who has sealed a bid"),
            ]
        )


@dataclass(eq=False, repr=False)
class AuctionState(ArrayState):
    MAGIC, RULES = b"auction-state-1\n", NoOptions
    cards: NDArray[np.bool_]  # [N, P, 5]
    bid: NDArray[np.uint8]  # [N, P], the sealed one; 0 for none
    prizes: NDArray[np.uint8]  # [N, 5], in drawn order
    origin: Origin | None = None


@dataclass(frozen=True, repr=False)
class AuctionDeal(DealArrays):
    prizes: NDArray[np.uint8]  # [M, 5]


class AuctionRules(ArrayRules[AuctionConfig, AuctionState, AuctionDeal]):
    CONFIG, KINDS, STATE, DEAL = AuctionConfig, ("bid",), AuctionState, AuctionDeal
    SOURCES, SECRET = ("prizes",), ("bid",)

    @classmethod
    def _arrays(cls, num_players: int) -> Any:
        shapes = {"cards": (num_players, CARDS), "bid": (num_players,), "prizes": (CARDS,)}
        return shapes, {"event": CARDS, "cards": True}

    def _setup(self, chance: Any, num_games: int) -> AuctionDeal:
        drawn = chance.draw(np.ones((num_games, CARDS), bool), range(1 << 30))
        return AuctionDeal((drawn.argsort(axis=1, kind="stable") + 1).astype(np.uint8))

    def _mask(self, s: Any) -> Any:
        return s.cards[np.arange(len(s.seat)), s.seat]

    def _reason(self, kind: int, action: int) -> str:
        return "a card that has not been bid (B2)"

    def _move(self, s: Any, actions: Any, chance: Any) -> None:
        rows = np.arange(len(actions))
        s.bid[rows, s.seat] = actions + 1
        s.seat = (s.seat + 1) % self.num_players
        shown = s.seat == 0
        alone = (s.bid[:, :, None] == s.bid[:, None]).sum(axis=2) == 1
        best = np.where(alone, s.bid, 0)
        wins = shown & alone.any(axis=1)
        prize = s.prizes[rows, s.round - 1].astype(s.scores.dtype)
        s.scores[rows, best.argmax(axis=1), 0] += prize * wins
        s.cards &= ~((s.bid[..., None] == np.arange(1, CARDS + 1)) & shown[:, None, None])
        s.bid[shown] = 0
        s.finished = shown & (s.round == CARDS)
        s.round = s.round + (shown & ~s.finished)

    def _feature_values(self, s: Any, seats: Any, order: Any) -> dict[str, Any]:
        rows = np.arange(len(seats))
        return {
            "cards": s.cards[rows[:, None], order],
            "scores": s.scores[rows[:, None], order, 0],
            "own": s.bid[rows, seats],
            "prizes": s.prizes * (np.arange(CARDS) < s.round[:, None]),
            "decided": s.bid[rows[:, None], order] > 0,
        }

    def _redraw(self, s: Any, seats: Any, rng: np.random.Generator) -> None:
        others = (np.arange(self.num_players) != seats[:, None]) & (s.bid > 0)
        drawn = np.where(s.cards, rng.random(s.cards.shape), -1).argmax(axis=2) + 1
        s.bid = np.where(others, drawn, s.bid).astype(np.uint8)
        later = np.arange(CARDS) >= s.round[:, None]
        order = np.where(later, 1 + rng.random(later.shape), np.arange(CARDS) / CARDS)
        s.prizes = np.take_along_axis(s.prizes, order.argsort(axis=1), axis=1)

    def _view_fields(self, s: Any, knows: Any) -> dict[str, Any]:
        return super()._view_fields(s, knows) | {"prizes": s.prizes[0, : s.round[0]].tolist()}

    def _move_words(self, s: Any, seat: int, action: int, knows: Any) -> str:
        sealed = s.bid[0, seat] > 0 and not knows(seat)
        return "a sealed bid" if sealed else super()._move_words(s, seat, action, knows)


class AuctionEngine(AuctionRules, ArrayEngine[AuctionConfig, AuctionState, AuctionDeal]): ...


class AuctionGame(AuctionRules, ArrayGame[AuctionConfig, AuctionState, AuctionDeal]):
    ENGINE = AuctionEngine


AUCTION = array_spec(AuctionEngine, AuctionGame, title="An auction", sealed=("bid",))
