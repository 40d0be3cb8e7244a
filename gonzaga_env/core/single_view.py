"""What a seat knows of one game: the same bytes as `observation.observe`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.actions import NO_PLAN
from gonzaga_env.core.rules import NUM_FIEFS, NUM_SEAS
from gonzaga_env.core.single import SingleGame
from gonzaga_env.core.state import PLACE

_ONE_OF = {size: [bytes(i == k for i in range(size)) for k in range(size)] for size in (2, 3, 4, 12)}


def observe_single(game: SingleGame, seat: int) -> NDArray[np.uint8]:
    """Returns what a seat knows, [D], in the order of the features of `FeatureTable`.

    What is kept player by player is turned to begin with the seat: of players 0 1 2 3, seat 2
    sees 2 3, then 0 1.
    """
    tables, h, scenario = game.tables, game.tables.num_hexes, game.scenario
    objective, cards = game.objectives[seat], tables.cards
    revealed = game.phase == PLACE
    plan, locked = game.plan, game.locked
    parts = [
        game.fief_plane[seat * h :],
        game.fief_plane[: seat * h],
        game.ring_plane[seat * h :],
        game.ring_plane[: seat * h],
        game.value_plane[seat * h : seat * h + h],
        tables.objective_plane[objective],
        bytes((game.phase, game.round, game.last_round, game.position, game.open_sites)),
        tables.flourishing[scenario],
        _ONE_OF[game.num_players][seat],
        tables.symbols[objective],
        *[_ONE_OF[NUM_FIEFS][fief] for fief in game.fief[seat:] + game.fief[:seat]],
        game.to_come[seat * NUM_FIEFS :],
        game.to_come[: seat * NUM_FIEFS],
        *[cards[cards_of] for cards_of in locked[seat:] + locked[:seat]],
        cards[plan[seat]],
        # Plans are sealed to all but their own seat until they are revealed (R3.2).
        *[cards[cards_of if revealed else NO_PLAN] for cards_of in plan[seat + 1 :] + plan[:seat]],
        game.places[seat:],
        game.places[:seat],
        game.ring_stock[seat:],
        game.ring_stock[:seat],
        game.shown_totals[seat:],
        game.shown_totals[:seat],
        game.sea_harbors[seat * NUM_SEAS :],
        game.sea_harbors[: seat * NUM_SEAS],
        game.leagues[seat * NUM_SEAS :],
        game.leagues[: seat * NUM_SEAS],
        game.largest[seat:],
        game.largest[:seat],
    ]
    return np.frombuffer(bytearray().join(parts), np.uint8)
