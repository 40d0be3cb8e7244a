"""Setup (R2): scenario, decks and objectives, which depend on a game's own seed only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.chance import random_keys
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.state import DealArrays


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    """The random part of the setup of M games."""

    scenario: Integers  # index in the edition, [M]
    decks: Integers  # fiefs (0 to 11) in order of drawing, [M, P, 12]
    objectives: Integers  # index in the edition, [M, P]


def draw_deals(
    tables: Tables,
    num_players: int,
    scenarios: NDArray[np.uint8],
    seeds: NDArray[np.uint64],
    episodes: NDArray[np.uint32],
) -> Deal:
    """Returns the deals of M games (R2.1, R2.2)."""
    num_objectives = len(tables.objective_bits)
    keys = random_keys(seeds, episodes, 1 + num_objectives + num_players * NUM_FIEFS)
    drawn, objectives = keys[:, 0], keys[:, 1 : 1 + num_objectives]
    keys = keys[:, 1 + num_objectives :].reshape(-1, num_players, NUM_FIEFS)
    decks = np.broadcast_to(np.arange(NUM_FIEFS, dtype=np.uint8), keys.shape).copy()
    fiefs = slice(tables.edition.size.fiefs)  # those left out stay at the end
    decks[..., fiefs] = keys[..., fiefs].argsort(axis=2)
    return Deal(
        scenario=scenarios[drawn % np.uint64(len(scenarios))],
        decks=decks,
        objectives=objectives.argsort(axis=1)[:, :num_players].astype(np.uint8),
    )


def check_deal(config: GameConfig, deal: Any, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (R2)."""
    tables, num_players = config.tables, config.num_players
    scenarios = [s.players for s in tables.edition.scenarios]
    by_seat = num_games, num_players
    shapes = {"scenario": (num_games,), "decks": (*by_seat, NUM_FIEFS), "objectives": by_seat}
    Deal.check_arrays(deal, shapes)
    if any(not 0 <= i < len(scenarios) or scenarios[i] != num_players for i in deal.scenario):
        raise OptionError(f"deal: the scenario is not one for {num_players} players (R1.5)")
    if (np.sort(deal.decks, axis=2) != np.arange(NUM_FIEFS)).any():
        raise OptionError("deal: each deck must hold each of the fiefs 0 to 11 once (R2.2)")
    left_out = np.arange(tables.edition.size.fiefs, NUM_FIEFS)
    if (deal.decks[..., left_out] != left_out).any():
        raise OptionError(f"deal: fiefs from {left_out[0]} on are not played; they must come last")
    objectives = np.sort(deal.objectives, axis=1)
    if (objectives < 0).any() or (objectives >= len(tables.objective_bits)).any():
        raise OptionError("deal: an objective is not in the edition (R1.4)")
    if (objectives[:, 1:] == objectives[:, :-1]).any():
        raise OptionError("deal: two players have the same objective (R2.2)")
