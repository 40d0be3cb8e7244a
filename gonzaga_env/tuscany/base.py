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
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import ACTIONS, ACTIONS_VERSION
from gonzaga_env.tuscany.config import OBSERVATIONS_VERSION, GameConfig, Options
from gonzaga_env.tuscany.edition import Edition
from gonzaga_env.tuscany.state import Deal, State, check_deal, draw_deals, draw_hidden, state_layout
from gonzaga_env.tuscany.view import GameView, choice_words, view_game


class GameBase(EngineBase[GameConfig, State, Deal, GameView]):
    """Configuration and layouts, which never change (see `EngineBase`).

    Attributes:
        reward: the kind of reward: "outcome" is zero-sum at the end of a game, +1 for a sole winner
            and -1 / (P - 1) for the others; "score" is a player's own red points as they come, T11
            included; "margin" is those less the mean of the others'.
    """

    CONFIG, STATE, KINDS, TOTAL = GameConfig, State, c.KINDS, c.RED
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
        """The starting player then chooses a layout (T2.4)."""
        state.start[rows], state.seat[rows] = deal.start, deal.start
        state.boards[rows], state.hand[rows] = deal.boards, deal.hands
        dealt = np.asarray(deal.hands).sum(axis=1)
        state.deck[rows] = np.array(self.edition.region_cards) - dealt

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
        return choice_words(ACTIONS.to_text(action), view_game(self.config, state))

    def _reason(self, kind: int, action: int) -> str:
        if kind == c.MAIN:
            for block, reason in _MAIN_REASONS:
                if block.start <= action < block.stop:
                    return reason
        return _REASONS[kind]


#: Why an action is illegal, by kind of decision; the main one says it by block of actions.
_REASONS = (
    *("a layout is asked for (T2.4)", "the starting castle lies on a castle hex (T2.4)"),
    *("no such bonus tile is in stock (T2.4)", "draw, take or place (T3.1)"),
    *("this is not stored (T5.2)", "no such tile is stored (T6.1)", "this can't be paid (T6.2)"),
    *("no such bonus tile is in stock (T8.2)", "no tile on display fits there (T8.1)"),
    *("no such tile is on display (T8.1)", "one marble, or the end of the turn (T3.2)"),
)
_MAIN_REASONS = (
    (ACTIONS.take, "no such tile is on display (T5.1)"),
    (ACTIONS.tile, "no stored tile fits there and can be paid (T6.1, T6.2)"),
    (ACTIONS.hexagon, "no wooden hexagon can be placed there and paid (T6.3)"),
)
