"""The first game of Gonzaga: a lesson for each decision of the first six rounds.

Where the idea of a lesson does not fit the position, a plainer one takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from gonzaga_agents.heuristics.gonzaga import Teacher
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import ACTION_CARD_NAMES, NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import LEAGUE_POINTS, NUM_PIECES, OBJECTIVE_POINTS
from gonzaga_env.core.state import State, current_fiefs
from gonzaga_env.core.view import GameView, founds, site_names

from ...gonzaga.choices import Planning, Turn, if_planned
from ...session import GameSession
from .lessons import LATER, SEAT, FirstGame

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
_HARBORS, _CITIES, _ALLIANCE = range(3)  # action cards A, B, C


@dataclass(frozen=True)
class Outcomes:
    """The possible moves of a seat on the present map: L pairs of a plan and a placement."""

    plans: Ints  # index of the plan, [L]
    actions: Ints  # placement or wedding, [L]
    points: Ints  # what it scores immediately, [L]
    leagues: Ints  # sea leagues that it founds, [L]
    # most harbors of one sea without a league that it leads to, 0 if it adds none, [L]
    harbors: Ints
    goals: Ints  # points of the objective that it adds, [L]
    joins: Mask  # whether it touches an own piece, [L]
    weds: Mask  # whether it is a wedding, [L]
    guest: Mask  # whether it lies on another player's fief, [L]
    cells: Ints  # hexes covered, [L, 4]; `num_hexes` for none
    num_hexes: int  # H

    @classmethod
    def of(cls, config: GameConfig, state: State, plans: Ints, actions: Ints) -> Outcomes:
        """Returns what pairs lead to for the learner's seat."""
        tables, fief = config.tables, int(current_fiefs(state)[0, SEAT])
        rows = tables.placements.row(fief, actions - NUM_PLANS)
        new = founds(tables, config.rules, state, SEAT, rows)
        more, own = tables.sea_harbors[rows], state.piece[0, SEAT] > 0
        open_seas = (more > 0) & ~state.leagues[0, SEAT]
        cells = tables.placements.cells[rows].astype(np.int64)
        wanted = np.append(tables.objective_planes[state.objective[0, SEAT]] > 0, False)
        held = int((wanted & own).sum())
        covered = held + (wanted[cells] & ~own[cells]).sum(axis=1)
        others = (state.piece[0] > 0) & (state.piece[0] <= NUM_PIECES)
        others[SEAT] = False
        weds = actions >= tables.actions.ring.start
        return cls(
            plans=plans,
            actions=actions,
            points=tables.points[state.scenario[0], rows].sum(axis=1)
            + LEAGUE_POINTS * new.sum(axis=1),
            leagues=new.sum(axis=1),
            harbors=((state.sea_harbors[0, SEAT] + more) * open_seas).max(axis=1).astype(np.int64),
            goals=np.take(OBJECTIVE_POINTS, covered) - OBJECTIVE_POINTS[held],
            joins=own[tables.placements.halo[rows]].any(axis=1),
            weds=weds,
            guest=weds & others.any(axis=0)[cells].any(axis=1),
            cells=cells,
            num_hexes=tables.num_hexes,
        )

    def take(self, which: Mask | Ints) -> Outcomes:
        arrays = {k: v[which] for k, v in vars(self).items() if k != "num_hexes"}
        return Outcomes(**arrays, num_hexes=self.num_hexes)


@dataclass(frozen=True)
class Aim:
    """The aim of a lesson."""

    name: str  # of the lesson, for the catalogue of words
    # how well each option shows the idea, [L]; 0 or less does not
    value: Callable[[Outcomes], NDArray[np.int64]]
    card: int | None = None  # the action card of its plan; None for any
    privilege: bool = False  # whether its plan has King's Privilege


def _fiefs(options: Outcomes) -> Ints:
    return np.where(options.weds, 0, options.points)


def _leagues(options: Outcomes) -> Ints:
    return np.where(options.weds, 0, options.leagues * 100 + options.points * (options.leagues > 0))


def _sea(options: Outcomes) -> Ints:
    """Prefers several harbors of one sea, then points."""
    return np.where(options.weds, 0, options.harbors * 100 * (options.harbors > 1) + options.points)


def _weddings(options: Outcomes) -> Ints:
    value = options.points * 10 + options.goals * 5 + options.guest
    return np.where(options.weds, value, 0)


def _late(options: Outcomes) -> Ints:
    """Prefers points, and cards that come late in the turn order, where privilege counts most."""
    return np.where(options.weds, 0, options.points + 3 * (PLAN_CARDS[options.plans, 1] > _HARBORS))


def _goals(options: Outcomes) -> Ints:
    reached = (options.goals > 0) * 20 * (options.goals + options.points)
    return np.where(options.weds, 0, reached + options.joins * (5 + options.points))


#: Lessons of each round, the one that is tried first before plainer ones: planning, placing.
ROUNDS: tuple[tuple[tuple[Aim, ...], tuple[Aim, ...]], ...] = (
    ((Aim("plan", _sea, _HARBORS), Aim("planAny", _fiefs)), (Aim("place", _sea),)),
    ((Aim("locked", _fiefs, _CITIES), Aim("lockedAny", _fiefs)), (Aim("cities", _fiefs),)),
    (
        (Aim("league", _leagues, _HARBORS), Aim("harbors", _sea, _HARBORS)),
        (Aim("leagueNow", _leagues), Aim("harborsNow", _sea)),
    ),
    ((Aim("alliance", _weddings, _ALLIANCE),), (Aim("wedding", _weddings),)),
    ((Aim("privilege", _late, None, True),), (Aim("turn", _fiefs),)),
    ((Aim("objective", _goals), Aim("planAny", _fiefs)), (Aim("group", _goals),)),
)
LAST = "last"  # what is said in the last round


def _lesson(table: GameSession) -> dict[str, object] | None:
    """Returns the lesson of a table (see `first_games.lesson_of`).

    Its facts are the best action's `plan`, the number of `spots` that the plan allows, `points`,
    `sites`, the `sea` of its harbors and how many are `held` there, and `guest`, `goals` and
    `joins` as in `Outcomes`.
    """
    turn: Any = table.turn(SEAT)
    if turn is None:
        return None
    view, is_planning = cast(GameView, table.view(SEAT)), isinstance(turn, Planning)
    if view.round > len(ROUNDS):
        name = LAST if view.last_round else LATER if view.round == len(ROUNDS) + 1 else None
        if name is None or not is_planning:
            return None
        return {"name": name, "round": view.round, "good": []}
    options, head = _options(table, turn), {"round": view.round}
    for aim in ROUNDS[view.round - 1][0 if is_planning else 1]:
        wanted = options.take(_fits(aim, options, is_planning))
        value = aim.value(wanted)
        if value.max(initial=0) <= 0:
            continue
        best = int(value.argmax())
        good = wanted.plans[[best]] if is_planning else wanted.actions[value == value[best]]
        action = int((wanted.plans if is_planning else wanted.actions)[best])
        lesson = {"name": aim.name, "good": good.tolist(), "action": action}
        return head | lesson | _facts(table, wanted, best)
    return None if is_planning else head | {"name": "blocked", "good": []}


def _options(table: GameSession, turn: Turn) -> Outcomes:
    """Returns what the learner could do now, or with each plan if nobody placed before."""
    config, state = cast(GameConfig, table.config), table.state
    actions = np.array([choice.action for choice in turn.choices], dtype=np.int64)
    if not isinstance(turn, Planning):
        plan = int(state.plan[0, SEAT])
        return Outcomes.of(config, state, np.full(len(actions), plan), actions)
    sets, fief = config.tables.legal_sets, int(current_fiefs(state)[0, SEAT])
    legal = if_planned(config.tables, state, SEAT, actions)
    owners, found = sets.list_actions(legal, np.full(len(legal), fief))
    return Outcomes.of(config, state, actions[owners], found)


def _fits(aim: Aim, options: Outcomes, is_planning: bool) -> Mask:
    """Returns which options have the cards that a lesson wants, [L]; no donation does."""
    fits = options.cells[:, 0] < options.num_hexes
    if not is_planning:
        return fits
    cards = PLAN_CARDS[options.plans]
    fits &= cards[:, 2] == aim.privilege
    return fits if aim.card is None else fits & (cards[:, 1] == aim.card)


def _facts(table: GameSession, options: Outcomes, best: int) -> dict[str, object]:
    """Returns what the words of a lesson say of the option that shows it best."""
    tables, state = cast(GameConfig, table.config).tables, table.state
    region, card, privilege = PLAN_CARDS[options.plans[best]].tolist()
    names = site_names(tables)
    cells = options.cells[best].tolist()
    harbors = (int(tables.harbor_sea[cell]) for cell in cells if cell in names)
    seas = [sea for sea in harbors if sea < len(tables.edition.seas)]  # cities have none
    sea = max(seas, key=lambda one: int(state.sea_harbors[0, SEAT, one]), default=None)
    same = (options.plans == options.plans[best]) & ~options.weds
    return {
        "plan": {
            "region": tables.actions.region_names[region],
            "action": ACTION_CARD_NAMES[card],
            "privilege": bool(privilege),
        },
        "spots": int(same.sum()),
        "points": int(options.points[best]),
        "sites": [names[cell] for cell in cells if cell in names],
        "sea": None if sea is None else list(tables.edition.seas.values())[sea],
        "held": 0 if sea is None else int(state.sea_harbors[0, SEAT, sea]),
        "guest": bool(options.guest[best]),
        "goals": int(options.goals[best]),
        "joins": bool(options.joins[best]),
    }


FIRST_GAME = FirstGame(seed=81, lesson=_lesson, teacher=Teacher, options={"scenario": "Gutenberg"})
