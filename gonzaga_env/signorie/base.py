"""What the engine for batches and the game for one have in common."""

from __future__ import annotations

from gonzaga_env.kernel.decisions import DecisionBase
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig, Options
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.state import (
    Deal,
    State,
    check_deal,
    draw_deals,
    draw_hidden,
    empty_state,
    start_games,
    state_layout,
)
from gonzaga_env.signorie.view import GameView, choice_words, view_game


class GameBase(DecisionBase[GameConfig, State, Deal, GameView]):
    """Configuration and layouts, which never change (see `DecisionBase`).

    Attributes:
        reward: the kind of reward: "outcome" is zero-sum at the end of a game, +1 for the winner
            and -1 / (P - 1) for the others; "score" is a player's own VP as they come; "margin" is
            those less the mean of the others'.
    """

    CONFIG, KINDS = GameConfig, c.KINDS
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
