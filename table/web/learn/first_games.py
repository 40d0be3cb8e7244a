"""The first games of each game: who has one, and the lessons of those with one action at a time.

In Signorie there are four lessons in the first round, then one a round; in The Castles of Tuscany
one for the boards, and one a lap.
"""

from __future__ import annotations

from collections.abc import Callable

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.view import View
from gonzaga_env.signorie.view import GameView as SignorieView
from gonzaga_env.tuscany.view import GameView as TuscanyView

from ...session import GameSession, human
from . import gonzaga
from .lessons import SEAT, Aim, FirstGame, Lessons

THRESHOLD = 13  # dice of this sum or less bring a reward (S11.3)
_REWARDS = ("reward", "wed")


def _signorie_lesson(view: SignorieView) -> int | None:
    """Each die of the first round has a lesson, the last one with the reward; then each round."""
    taken = sum(value > 0 for value in view.players[SEAT].dice)
    first = taken + (view.decision == "main")  # the die that is decided about, from 1
    if view.round == 1:
        return 4 if view.decision in _REWARDS else min(first, 4)
    if first > 1 or view.decision in _REWARDS:
        return None
    return {2: 5, 3: 6, 4: 7 if view.decision == "main" else None}.get(view.round)


def _begins(*texts: str) -> Callable[[str, View], bool]:
    return lambda text, view: text.startswith(texts)


def _does(what: str) -> Callable[[str, View], bool]:
    """Returns whether a text is a die with some action, such as "grey 4 signoria"."""
    return lambda text, view: what in text.split()


def _signoria(colour: str) -> Callable[[str, View], bool]:
    return lambda text, view: text.startswith(f"{colour} ") and text.endswith(" signoria")


def _low(text: str, view: SignorieView) -> bool:
    die = int(text.split()[1]) if text != "pass" else 0
    return sum(view.players[SEAT].dice) + die <= THRESHOLD


_SIGNORIE = FirstGame(
    seed=3,
    lesson=Lessons(
        _signorie_lesson,
        (
            (
                Aim("tracks", "main", _signoria("grey")),
                Aim("advance", "track", _begins("enter ", "advance ")),
            ),
            (Aim("hire", "main", _does("hire")),),
            (Aim("assign", "main", _does("assign")), Aim("spend", "spend")),
            (Aim("low", "main", _low), Aim("reward", "reward"), Aim("wed", "wed")),
            (Aim("marriage", "main", _signoria("red")), Aim("dowry", "marriage")),
            (Aim("mission", "main", _signoria("turquoise")), Aim("city", "mission")),
        ),
    ),
)


_SETUP = {"layout": 1, "starting castle": 1, "starting bonus": 2}
_LAPS = {1: 3, 2: 4, 3: 6}


def _tuscany_lesson(view: TuscanyView) -> int | None:
    """The setup has two lessons, laps 1 to 3 have one each, and a second action has its own."""
    if view.decision in _SETUP:
        return _SETUP[view.decision]
    if view.lap == 2 and (view.second_action or view.decision == "marble"):
        return 5 if view.decision in ("main", "marble") else None
    if view.lap == 4:
        return 7 if view.decision == "main" and not view.second_action else None
    return _LAPS.get(view.lap)


_TUSCANY = FirstGame(
    seed=56,
    lesson=Lessons(
        _tuscany_lesson,
        (
            (Aim("boards", "layout"), Aim("castle", "starting castle")),
            (Aim("bonus", "starting bonus"),),
            (Aim("take", "main", _begins("take ")),),
            (
                Aim("place", "main", _begins("tile ")),
                Aim("draw", "main", _begins("draw")),
                Aim("pay", "payment"),
            ),
            (Aim("marble", "marble", _begins("marble")), Aim("second", "main")),
            (Aim("draw", "main", _begins("draw")),),
        ),
    ),
)

FIRST_GAMES = {"gonzaga": gonzaga.FIRST_GAME, "tuscany": _TUSCANY, "signorie": _SIGNORIE}


def first_game(name: str, game: str = "gonzaga", edition: EditionBase | None = None) -> GameSession:
    """Returns the first game of a person, before the first move."""
    first = FIRST_GAMES[game]
    given = first.options if edition is None else {**first.options, "edition": edition}
    config = game_spec(game).config(num_players=2, **given)
    return GameSession(config, [human(name), first.opponent_seat], first.seed)


def is_first_game(table: GameSession) -> bool:
    """Returns whether a table is a first game, which its deal alone decides."""
    first = FIRST_GAMES.get(table.config.game)
    return first is not None and table.seats[-1] == first.opponent_seat and table.prefix is None


def lesson_of(table: GameSession, seat: int | None) -> dict[str, object] | None:
    """Returns the lesson of the decision that a seat makes now; None where there is none.

    Returns:
        `name` and `round`, its number; `good`, the actions that try it out; `action`, the one that
        shows it best; and facts about that one for its words.
    """
    if seat != SEAT or not is_first_game(table):
        return None
    return FIRST_GAMES[table.config.game].lesson(table)
