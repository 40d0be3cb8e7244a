"""Setup (R2): scenario, decks and objectives, which depend on a game's own seed only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.tabletop.arguments import Integers, as_array
from gonzaga_env.tabletop.errors import OptionError

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Deal:
    """The random part of the setup of M games.

    Attributes:
        scenario: index in the edition, [M] integers.
        decks: fiefs (0 to 11) in order of drawing, [M, P, 12] integers.
        objectives: index in the edition, [M, P] integers.
    """

    scenario: Integers
    decks: Integers
    objectives: Integers

    def __repr__(self) -> str:
        return f"<Deal of {len(self.scenario)} games>"

    def take(self, rows: Sequence[int] | Integers) -> Deal:
        """Returns the deals of some games."""
        values = (self.scenario, self.decks, self.objectives)
        return Deal(*(np.asarray(value)[rows] for value in values))


def _mix(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Returns scrambled keys: the finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    keys = keys ^ (keys >> np.uint64(30))
    keys *= np.uint64(0xBF58476D1CE4E5B9)
    keys ^= keys >> np.uint64(27)
    keys *= np.uint64(0x94D049BB133111EB)
    keys ^= keys >> np.uint64(31)
    return keys


def random_keys(
    seeds: NDArray[np.uint64], episodes: NDArray[np.uint32], count: int
) -> NDArray[np.uint64]:
    """Returns `count` random words for each (seed, episode), [M, count].

    This is a hash, not a stateful generator: it computes whole batches at once, and a game does not
    depend on the other games of its batch.
    """
    start = _mix(_mix(seeds + _GOLDEN) + (episodes.astype(np.uint64) + np.uint64(1)) * _GOLDEN)
    steps = np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN
    return _mix(start[:, None] + steps)


def draw_deals(
    tables: Tables,
    num_players: int,
    scenarios: NDArray[np.uint8],
    seeds: NDArray[np.uint64],
    episodes: NDArray[np.uint32],
) -> Deal:
    """Returns the deals of M games (R2.1, R2.2).

    Args:
        tables: the edition's tables.
        num_players: P.
        scenarios: indices of the scenarios to draw from.
        seeds: [M].
        episodes: [M].
    """
    num_objectives = len(tables.objective_bits)
    keys = random_keys(seeds, episodes, 1 + num_objectives + num_players * NUM_FIEFS)
    drawn, objectives = keys[:, 0], keys[:, 1 : 1 + num_objectives]
    decks = keys[:, 1 + num_objectives :].reshape(-1, num_players, NUM_FIEFS)
    return Deal(
        scenario=scenarios[drawn % np.uint64(len(scenarios))],
        decks=decks.argsort(axis=2).astype(np.uint8),
        objectives=objectives.argsort(axis=1)[:, :num_players].astype(np.uint8),
    )


def check_deal(tables: Tables, deal: Deal, num_games: int, num_players: int) -> None:
    """Raises OptionError unless a deal is valid for these games (R2)."""
    scenarios = [s.players for s in tables.edition.scenarios]
    shapes = (num_games,), (num_games, num_players, NUM_FIEFS), (num_games, num_players)
    if not isinstance(deal, Deal):
        raise OptionError(f"deal is {deal!r}; it takes a gonzaga_env.core.Deal")
    if not all(
        isinstance(array, np.ndarray) and array.dtype.kind in "iu"
        for array in (deal.scenario, deal.decks, deal.objectives)
    ):
        raise OptionError("deal: scenario, decks and objectives must be arrays of integers")
    if (deal.scenario.shape, deal.decks.shape, deal.objectives.shape) != shapes:
        raise OptionError(f"deal: scenario, decks and objectives must have the shapes {shapes}")
    if any(not 0 <= i < len(scenarios) or scenarios[i] != num_players for i in deal.scenario):
        raise OptionError(f"deal: the scenario is not one for {num_players} players (R1.5)")
    if (np.sort(deal.decks, axis=2) != np.arange(NUM_FIEFS)).any():
        raise OptionError("deal: each deck must hold each of the fiefs 0 to 11 once (R2.2)")
    objectives = np.sort(deal.objectives, axis=1)
    if (objectives < 0).any() or (objectives >= len(tables.objective_bits)).any():
        raise OptionError("deal: an objective is not in the edition (R1.4)")
    if (objectives[:, 1:] == objectives[:, :-1]).any():
        raise OptionError("deal: two players have the same objective (R2.2)")


def game_seeds(seed: int | Sequence[int] | Integers, num_games: int) -> NDArray[np.uint64]:
    """Returns the seed of every game, [N]; one integer (modulo 2^64) gives game i `seed + i`."""
    seeds = as_array(seed % 2**64 if type(seed) is int else seed)
    if seeds.dtype.kind not in "iu" or seeds.shape not in ((), (num_games,)):
        raise OptionError(f"seed is {seed!r}; it takes one integer, or {num_games}, one per game")
    offset = np.arange(num_games, dtype=np.uint64) if seeds.shape == () else np.uint64(0)
    return seeds.astype(np.uint64) + offset
