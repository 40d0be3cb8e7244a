"""What the engine for batches and the game for one have in common."""

from __future__ import annotations

from gonzaga_env.kernel.decisions import DecisionBase
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import ACTIONS
from gonzaga_env.tuscany.config import GameConfig, Options
from gonzaga_env.tuscany.edition import Edition
from gonzaga_env.tuscany.state import (
    Deal,
    State,
    check_deal,
    draw_deals,
    draw_hidden,
    empty_state,
    start_games,
    state_layout,
)
from gonzaga_env.tuscany.view import GameView, choice_words, view_game


class GameBase(DecisionBase[GameConfig, State, Deal, GameView]):
    """Configuration and layouts, which never change (see `DecisionBase`).

    Attributes:
        reward: the kind of reward: "outcome" is zero-sum at the end of a game, +1 for a sole winner
            and -1 / (P - 1) for the others; "score" is a player's own red points as they come, T11
            included; "margin" is those less the mean of the others'.
    """

    CONFIG, KINDS, TOTAL = GameConfig, c.KINDS, c.RED
    EMPTY_STATE = staticmethod(empty_state)
    START_GAMES = staticmethod(start_games)
    layout = staticmethod(state_layout)
    DRAW_DEALS = staticmethod(draw_deals)
    CHECK_DEAL = staticmethod(check_deal)
    DRAW_HIDDEN = staticmethod(draw_hidden)
    VIEW_GAME = staticmethod(view_game)

    config: GameConfig
    rules: Options
    edition: Edition

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
