"""Liar's dice, a fourth game on the kernel in one file; docs/tutorials/game.md walks through it.

L1: Two to six players have five dice each. L2: In each round all roll their dice in
secret. L3: In turn, each bids that at least so many of all dice show a face, higher than
the last bid: more dice, or as many of a higher face; or else calls the last bidder a
liar. L4: Then all dice are shown, and ones count as every face. Whoever was wrong, the
bidder or the caller, loses a die and starts the next round. L5: Whoever has no dice left
is out, and the last player wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arrays import ArrayEngine, ArrayGame, ArrayRules, ArrayState, array_spec
from gonzaga_env.kernel.config import BaseConfig, RuleOptions
from gonzaga_env.kernel.spaces import ActionTexts, FeatureTable
from gonzaga_env.kernel.state import DealArrays, Origin

DICE, FACES = 5, range(1, 7)


@dataclass(frozen=True)
class Options(RuleOptions):
    """`ones_wild`: whether ones count as every face (L4)."""

    EXAMPLE = '{"ones_wild": False}'
    ones_wild: Literal[True, False] = True


@dataclass(frozen=True, init=False)
class GameConfig(BaseConfig):
    """What is played."""

    game, PLAYERS, OPTIONS = "liars_dice", (range(2, 7), "L1"), Options

    @cached_property
    def actions(self):
        """Bids from the lowest to the highest, and the call."""
        numbers = range(1, DICE * self.num_players + 1)
        return ActionTexts([*(f"{n} x {face}" for n in numbers for face in FACES), "liar"])

    @cached_property
    def features(self):
        """What a seat knows: name, shape, scale and meaning."""
        each = (self.num_players,)  # from the observing seat clockwise
        rows = [("own", (6,), 2, "own dice by face"), ("dice", each, DICE, "dice left")]
        rows += [("number", each, 10, "last bid of the round: dice; 0 for none")]
        rows += [("face", each, 6, "last bid of the round: face; 0 for none")]
        rows += [("to_act", each, 1, "the seat to act; zero where the game is over")]
        return FeatureTable([*rows, ("finished", (1,), 1, "the game is over")])


@dataclass(eq=False, repr=False)
class State(ArrayState):
    """What a game holds, besides what every game does."""

    MAGIC, RULES = b"liars-dice-state-1\n", Options
    dice: NDArray[np.uint8]  # [N, P, 5], faces; lost dice come last, as 0
    bid: NDArray[np.uint8]  # [N, P], last bid of the round, action + 1; 0 for none
    origin: Origin | None = None


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    """What chance decides before the first bid."""

    dice: NDArray[np.uint8]  # [M, P, 5]


class Rules(ArrayRules):
    """The rules, for M games at once."""

    CONFIG, STATE, DEAL = GameConfig, State, Deal
    KINDS, SOURCES, SECRET = ("bid",), ("dice",), ("dice",)

    @classmethod
    def _arrays(cls, num_players):
        shapes = {"dice": (num_players, DICE), "bid": (num_players,)}
        return shapes, {"event": num_players * DICE, "scores": DICE}

    def _setup(self, chance, num_games):
        rolled = np.ones((num_games, self.num_players, DICE), bool)
        return Deal(chance.draw(rolled, FACES).astype(np.uint8))

    def _mask(self, s):
        actions = np.arange(self.actions.size)
        legal = actions >= s.bid.max(axis=1, keepdims=True)  # L3
        legal &= actions < 6 * s.scores.sum(axis=1)  # no more dice than are left
        legal[:, -1] = s.bid.any(axis=1)
        return legal

    def _reason(self, kind, action):
        return "a higher bid of no more dice than are left, or 'liar' after a bid (L3)"

    def _move(self, s, actions, chance):
        rows, called = np.arange(len(actions)), actions == self.actions.size - 1
        s.bid[rows, s.seat] = np.where(called, s.bid[rows, s.seat], actions + 1)
        number, face = np.divmod(s.bid.max(axis=1) - 1, 6)  # as in the actions, from 0
        shows = (s.dice == face[:, None, None] + 1) | (s.dice == 1) & self.rules.ones_wild
        loser = np.where(shows.sum(axis=(1, 2)) > number, s.seat, s.bid.argmax(axis=1))  # L4
        s.scores[rows, loser, 0] -= called
        s.bid[called] = 0
        alive, left = s.scores[..., 0] > 0, np.arange(DICE) < s.scores
        s.round, s.finished = s.round + called, alive.sum(axis=1) == 1  # L5
        rolled = left & (called & ~s.finished)[:, None, None]
        s.dice = np.where(rolled, chance.draw(rolled, FACES), s.dice * left)
        s.seat = self._first_seat(np.where(called, loser, s.seat + 1), alive)

    def _feature_values(self, s, seats, order):
        rows = np.arange(len(seats))
        own, bid = s.dice[rows, seats][..., None] == FACES, s.bid[rows[:, None], order]
        known = {"own": own.sum(axis=1), "dice": s.scores[rows[:, None], order]}
        known |= {"number": (bid + 5) // 6, "face": np.where(bid, (bid - 1) % 6 + 1, 0)}
        known["to_act"] = (order == s.seat[:, None]) & ~s.finished[:, None]
        return known | {"finished": s.finished}

    def _redraw(self, s, seats, rng):
        own = (np.arange(self.num_players) == seats[:, None])[..., None]
        s.dice = np.where(own | (s.dice == 0), s.dice, rng.integers(1, 7, s.dice.shape))


class Engine(Rules, ArrayEngine):
    """N games."""


class Game(Rules, ArrayGame):
    """One game."""

    ENGINE = Engine


SPEC = array_spec(Engine, Game, title="Liar's dice")
