"""Explains the values of choices in Gonzaga's puzzles, from the rules alone.

| question | the value of a choice |
|---|---|
| "points" | points that the placement scores immediately (R6) |
| "plan" | points that the fief could score with the plan if nobody placed before |
| "first" | the same, for plans that go first whatever the others plan (R3.5); else 0 |
| "reply" | points of the placement, less the most that the only seat to follow can score then |

Values use only what the seat to act knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gonzaga_env.core.board.actions import ACTION_CARD_NAMES, NUM_PLANS
from gonzaga_env.core.constants import DONATION_POINTS, LEAGUE_POINTS
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.single.position import PLANS
from gonzaga_env.core.single.transitions import legal_actions
from gonzaga_env.core.state import PLACE
from gonzaga_env.core.view import new_leagues, site_names
from gonzaga_env.kernel.bounded import Json

Cards = tuple[int, int]  # action card, and 1 with King's Privilege


def explain(game: Game, question: str, action: int) -> dict[str, Json]:
    if question == "reply":
        replies, rival = _replies(game), rival_of(game)
        after, best = _best_left(game, action, replies)
        return {
            "own": _Scores(game, game.seat)[action],
            "rival": rival,
            "before": _best_left(game, game.tables.actions.donate, replies)[0],
            "after": after,
            **_covered(game, rival, best),
        }
    if question == "first":
        _, card, privilege = PLANS[action]
        return {
            "sure": goes_first(game, (card, privilege)),
            "needless": bool(privilege and goes_first(game, (card, 0))),
            "before": [
                {"seat": seat, "card": ACTION_CARD_NAMES[cards[0]], "privilege": bool(cards[1])}
                for seat, cards in _before(game, (card, privilege))
            ],
            "points": _most(game, action, _Scores(game, game.seat)),
        }
    return {}


def rival_of(game: Game) -> int:
    return game.position.order[game.num_players - 1]


def goes_first(game: Game, cards: Cards) -> bool:
    """Returns whether cards of the seat to plan go first whatever the others plan."""
    return next(_before(game, cards), None) is None


def _before(game: Game, cards: Cards) -> Iterator[tuple[int, Cards]]:
    """Yields who else may go before some cards, each with the first cards that do."""
    position, seat = game.position, game.seat
    own = _rank(cards, position.fief[seat], seat)
    for other in range(game.num_players):
        if other == seat:
            continue
        possible = _possible(game, other)
        best = min(possible, key=lambda one: _rank(one, position.fief[other], other))
        if _rank(best, position.fief[other], other) < own:
            yield other, best


def _rank(cards: Cards, fief: int, seat: int) -> tuple[int, ...]:
    card, privilege = cards
    return 1 - privilege, card, fief, seat  # R3.5


def _possible(game: Game, seat: int) -> list[Cards]:
    """Returns the plans that public information allows a seat (R3.3, R3.4)."""
    position = game.position
    locked = position.previous_plan[seat]
    _, card, privilege = PLANS[locked] if locked < NUM_PLANS else (None, None, 0)
    cards = [number for number in range(len(ACTION_CARD_NAMES)) if number != card]
    may = position.ring_stock[seat] > 0 and not privilege
    return [*product(cards, (0, 1) if may else (0,))]


def _most(game: Game, plan: int, scores: _Scores) -> float:
    """Returns the most points that a plan of the seat to act scores if it goes first."""
    position = game.position.copy()
    position.phase, position.seat = PLACE, game.seat
    position.plan[game.seat] = plan
    position.ring_stock[game.seat] -= PLANS[plan][2]
    return max(scores[action] for action in _members(legal_actions(position)))


def _replies(game: Game) -> list[tuple[float, int]]:
    """Returns points and action of all that the last seat could do now, best first."""
    position = game.position.copy()
    position.seat = rival_of(game)
    scores, actions = _Scores(game, position.seat), _members(legal_actions(position))
    return sorted(((scores[action], action) for action in actions), reverse=True)


def _best_left(game: Game, action: int, replies: list[tuple[float, int]]) -> tuple[float, int]:
    """Returns the best reply that is left to the last seat after an action, and its points."""
    after = game.copy()
    after.play(action)
    legal = after.legal_set
    return next((points, reply) for points, reply in replies if legal >> reply & 1)


def _covered(game: Game, seat: int, action: int) -> dict[str, list[str]]:
    """Returns the names of the sites that a placement covers, and of the leagues it founds."""
    tables = game.tables
    if action == tables.actions.donate:
        return {"sites": [], "leagues": []}
    row = int(tables.placements.row(game.position.fief[seat], action - NUM_PLANS))
    names = site_names(tables)
    return {
        "sites": [names[cell] for cell in tables.placements.cells[row].tolist() if cell in names],
        "leagues": new_leagues(tables, game.rules, game.state, seat, row),
    }


class _Scores(dict[int, float]):
    """Points that placements of a seat score now (R3.7, R6.1, R6.2), each computed once."""

    def __init__(self, game: Game, seat: int) -> None:
        super().__init__()
        self._game, self._seat, self._state = game, seat, game.state

    def __missing__(self, action: int) -> float:
        tables, position, seat = self._game.tables, self._game.position, self._seat
        if action == tables.actions.donate:
            points = DONATION_POINTS
        else:
            row = int(tables.placements.row(position.fief[seat], action - NUM_PLANS))
            points = int(tables.points[position.scenario, row].sum())
            if tables.num_harbors[row]:
                leagues = new_leagues(tables, self._game.rules, self._state, seat, row)
                points += LEAGUE_POINTS * len(leagues)
        self[action] = float(points)
        return self[action]


def _members(actions: int) -> Iterator[int]:
    """Yields the members of a set of actions, ascending."""
    while actions:
        lowest = actions & -actions
        yield lowest.bit_length() - 1
        actions ^= lowest
