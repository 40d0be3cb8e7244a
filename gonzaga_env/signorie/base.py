"""The base of the engine for batches and of the engine for one game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.engine import EngineBase
from gonzaga_env.kernel.rows import RowKey
from gonzaga_env.kernel.state import ArrayLayout
from gonzaga_env.kernel.view import Viewer
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.board import ACTIONS_VERSION
from gonzaga_env.signorie.config import OBSERVATIONS_VERSION, GameConfig, Options
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.state import (
    DEALT,
    Deal,
    State,
    check_deal,
    draw_deals,
    draw_hidden,
    state_layout,
)
from gonzaga_env.signorie.view import GameView, choice_words, view_game


class GameBase(EngineBase[GameConfig, State, Deal, GameView]):
    """Configuration and layouts, which never change (see `EngineBase`).

    Attributes:
        reward: the kind of reward: "outcome" is zero-sum at the end of a game, +1 for the winner
            and -1 / (P - 1) for the others; "score" is a player's own VP as they come; "margin" is
            those less the mean of the others'.
    """

    CONFIG, STATE, KINDS = GameConfig, State, c.KINDS
    SOURCES = c.SOURCES
    VERSIONS: ClassVar = {"actions": ACTIONS_VERSION, "observations": OBSERVATIONS_VERSION}

    config: GameConfig
    rules: Options
    edition: Edition

    def layout(self) -> Mapping[str, ArrayLayout]:
        return state_layout(self.config)

    def _draw_deals(self, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
        return draw_deals(self.config, seeds, episodes)

    def check_deal(self, deal: Deal, num_games: int) -> None:
        """Raises OptionError unless a deal is valid for so many games."""
        check_deal(self.config, deal, num_games)

    def _write_deal(self, state: State, rows: RowKey, deal: Deal) -> None:
        """The first round is set up, too (S2, S4)."""
        for name in DEALT:
            getattr(state, name)[rows] = getattr(deal, name)
        state.seat[rows] = deal.order[:, 0]
        places = np.argsort(deal.order, axis=1)  # of the seats
        state.florins[rows] += np.array(self.edition.extra_florins, np.uint16)[places]
        state.height[rows] = self.num_players - 1 - places  # the first lies on top (S2.3)
        shown = (deal.city_tiles[..., None] == np.arange(c.NUM_TILES)).sum(axis=(1, 2))
        state.unseen[rows] = np.array(self.edition.tiles) - shown
        state.deck[rows] = np.array(self.edition.tiles) - shown - deal.removed

    def _redraw(self, games: State, seats: Indices, rng: np.random.Generator) -> None:
        draw_hidden(self.config, games, seats, rng)

    def _view(
        self,
        state: State,
        row: int,
        viewer: Viewer,
        last: tuple[int, int] | None,
        names: Sequence[str],
    ) -> GameView:
        return view_game(self.config, state, row, viewer, last=last, names=names)

    def _describe(self, state: State, action: int) -> str:
        view = view_game(self.config, state)
        return choice_words(self.actions.to_text(action), view, self.config.edition)

    def _reason(self, kind: int, action: int) -> str:
        return _REASONS[kind]


#: What is legal instead, by kind of decision.
_REASONS = (
    "a die, its payment and all of its action have to be possible, or pass (S5.4)",
    "one to three meeples of the assignment's sex (S7.2)",
    "one possible track point; after the first, stop (S9.1)",
    "an own male whose rank allows a city's lowest empty slot (S8.2)",
    "a city, and a dowry from its lowest empty slot's value to 4 (S8.5)",
    "the row of a face-down tile (S10.3)",
    "use the helper or skip it (S6.3)",
    "the bonus, if possible, or Florins (S11.4)",
    "an empty helper slot (A8)",
    "wed or not (S11.4)",
    "pay, if affordable, or keep (S11.5)",
)
