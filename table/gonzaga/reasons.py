"""Why a choice of Gonzaga is good: what it scores, builds and takes from others, as events.

All follows from the observation of the seat that asks. Hidden information is drawn at
random, and the drawn values are never read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.transitions import legal_placements
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import LEAGUE_HARBORS, LEAGUE_POINTS, OBJECTIVE_POINTS
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import State, current_fiefs, objective_cities
from gonzaga_env.core.view import site_names

from ..choices import Reason
from .choices import PlacementChoice, Placing, PlanChoice, Turn

_NOTHING = -1


def reasons_for(
    config: GameConfig,
    observation: NDArray[np.uint8],
    seat: int,
    turn: Turn,
    actions: Sequence[int],
) -> list[tuple[Reason, ...]]:
    choices = {choice.action: choice for choice in turn.choices}
    chosen: list[Any] = [choices[action] for action in actions]
    state = states_from_observations(config, observation[None], np.random.default_rng(0))
    if isinstance(turn, Placing):
        placements = _Placements(config, state, seat, chosen)
        return [tuple(placements.reasons(i)) for i in range(len(chosen))]
    return [tuple(_plan_reasons(config, state, seat, plan)) for plan in chosen]


def _plan_reasons(
    config: GameConfig, state: State, seat: int, plan: PlanChoice
) -> Iterator[Reason]:
    """Yields what a plan would allow on the present map, before others place."""
    planned = state.take(np.zeros(1, dtype=np.int64))
    planned.plan[0, seat] = plan.action
    if plan.privilege:
        planned.ring_stock[0, seat] -= 1  # R3.4
    spots = _Spots(config, planned, 0, seat)
    yield {"kind": "spots", "number": spots.number, "weddings": spots.weddings, **spots.best_covers}
    if plan.privilege:
        yield {"kind": "privilege", "left": int(planned.ring_stock[0, seat])}


class _Spots:
    """The legal placements of a seat, its fief's and weddings, once plans are revealed."""

    def __init__(self, config: GameConfig, state: State, game: int, seat: int) -> None:
        self._tables = tables = config.tables
        games, fiefs = np.array([game]), current_fiefs(state)[game, [seat]].astype(np.int64)
        sets = legal_placements(tables, state, games, np.array([seat]))
        _, actions = tables.legal_sets.list_actions(sets, fiefs)
        self._rows = tables.placements.row(fiefs[0], actions - NUM_PLANS)
        self.weddings = int((actions >= tables.actions.weddings.start).sum())
        self.number = len(actions) - self.weddings
        harbors = tables.sea_harbors[self._rows]
        held = state.sea_harbors[game, seat].astype(np.int64) + harbors
        closed = _closed(config, state, game)[seat]
        self._leagues = (harbors > 0) & (held >= LEAGUE_HARBORS) & ~closed
        sites = tables.points[state.scenario[game], self._rows].sum(axis=1, dtype=np.int64)
        self._points = sites + LEAGUE_POINTS * self._leagues.sum(axis=1)  # R6.1, R6.2
        self.best = int(self._points.max(initial=_NOTHING))

    @property
    def best_covers(self) -> Reason:
        """Score, sites and leagues of the best one; {} if there is none."""
        if self.best == _NOTHING:
            return {}
        best = self._points.argmax()
        cells, names = self._tables.placements.cells[self._rows[best]], site_names(self._tables)
        seas = list(self._tables.edition.seas.values())
        return {
            "points": self.best,
            "sites": [names[cell] for cell in cells.tolist() if cell in names],
            "leagues": [seas[sea] for sea in np.flatnonzero(self._leagues[best])],
        }


def _closed(config: GameConfig, state: State, game: int) -> NDArray[np.bool_]:
    """Returns the seas in which a league of each seat can't be founded any more, [P, 6] (R6.3)."""
    leagues = state.leagues[game]
    if config.rules.sea_league == "first_only":
        return np.broadcast_to(leagues.any(axis=0), leagues.shape)
    return leagues


@dataclass(frozen=True)
class _Placements:
    """Placements, weddings and the donation of a seat, each played on the same position."""

    config: GameConfig  # what is played
    state: State  # the position, one game
    seat: int  # whose turn it is
    choices: Sequence[PlacementChoice]  # K of its legal choices

    @cached_property
    def after(self) -> State:
        """The K positions after the choices."""
        state = self.state.take(np.zeros(len(self.choices), dtype=np.int64))
        engine = Engine.from_state(self.config, state, copy=False, check=False, autoreset=False)
        engine.step(np.array([choice.action for choice in self.choices]))
        return engine.state

    @cached_property
    def sites(self) -> dict[tuple[int, int], tuple[str, bool, int]]:
        """Name, whether it is a city, and sea of the site on each hex; -1 for a city's sea."""
        edition = self.config.edition
        seas = list(edition.seas.values())
        found = {site.at: (site.name, True, -1) for site in edition.cities}
        return found | {
            site.at: (site.name, False, seas.index(site.group)) for site in edition.harbors
        }

    @cached_property
    def rivals(self) -> list[int]:
        """The seats that place after this one in this round, in the turn order (R3.5)."""
        order: list[int] = self.state.order[0].tolist()
        return order[order.index(self.seat) + 1 :]

    @cached_property
    def best_of_rivals(self) -> list[int]:
        return [_Spots(self.config, self.state, 0, rival).best for rival in self.rivals]

    def reasons(self, i: int) -> Iterator[Reason]:
        """Yields the reasons for choice i, what it scores first."""
        choice = self.choices[i]
        if choice.cells:
            yield from self._place(choice)
            yield from self._leagues(i)
            yield from self._objective(i)
            yield from self._group(i)
        if choice.kind == "fief":
            yield from self._taken(i)
            yield from self._denied(choice)
        if choice.kind == "donation" and len(self.choices) == 1:
            yield {"kind": "only"}
        if choice.kind == "wedding":
            left = int(self.after.ring_stock[i, self.seat])
            yield {"kind": "rings", "spent": len(choice.cells), "left": left}

    def _place(self, choice: PlacementChoice) -> Iterator[Reason]:
        covered = [self.sites[cell] for cell in choice.cells if cell in self.sites]
        if covered:
            cities = [name for name, city, _ in covered if city]
            harbors = [name for name, city, _ in covered if not city]
            points = choice.points - LEAGUE_POINTS * len(choice.leagues)
            yield {"kind": "sites", "cities": cities, "harbors": harbors, "points": points}
            return
        grid = self.config.edition.grid
        here = grid.axial[[grid.index[cell] for cell in choice.cells]]
        steps = [
            (_distance(here, grid.axial[grid.index[at]]), name)
            for at, (name, *_) in self.sites.items()
        ]
        yield {"kind": "place", "near": min(steps)[1]}

    def _leagues(self, i: int) -> Iterator[Reason]:
        """Yields the leagues that it founds, and those that it comes nearer to (R6.2)."""
        before, after = (state.sea_harbors[k, self.seat] for state, k in self._both(i))
        closed = _closed(self.config, self.state, 0)[self.seat]
        for sea, name in enumerate(self.config.edition.seas.values()):
            if after[sea] == before[sea] or closed[sea]:
                continue
            if after[sea] >= LEAGUE_HARBORS:
                yield {"kind": "league", "sea": name, "points": LEAGUE_POINTS}
            elif after[sea] == LEAGUE_HARBORS - 1:
                held = int(after[sea])
                yield {"kind": "harbors", "sea": name, "held": held, "of": LEAGUE_HARBORS}

    def _objective(self, i: int) -> Iterator[Reason]:
        tables = self.config.tables
        before, after = (
            int(objective_cities(tables, state)[k, self.seat]) for state, k in self._both(i)
        )
        if after > before:
            points = OBJECTIVE_POINTS[after] - OBJECTIVE_POINTS[before]
            of = len(OBJECTIVE_POINTS) - 1
            yield {"kind": "objective", "held": after, "of": of, "points": points}

    def _group(self, i: int) -> Iterator[Reason]:
        before, after = (int(state.largest_group[k, self.seat]) for state, k in self._both(i))
        if 0 < before < after:
            yield {"kind": "group", "before": before, "after": after}

    def _both(self, i: int) -> tuple[tuple[State, int], tuple[State, int]]:
        return (self.state, 0), (self.after, i)

    def _taken(self, i: int) -> Iterator[Reason]:
        """Yields what it costs those who place later in this round."""
        for rival, before in zip(self.rivals, self.best_of_rivals, strict=True):
            loss = max(before, 0) - max(_Spots(self.config, self.after, i, rival).best, 0)
            if loss > 0:
                yield {"kind": "takes", "seat": rival, "points": loss}

    def _denied(self, choice: PlacementChoice) -> Iterator[Reason]:
        closed = _closed(self.config, self.state, 0)
        seas = [self.sites[cell][2] for cell in choice.cells if cell in self.sites]
        names = list(self.config.edition.seas.values())
        for sea in sorted({*seas} - {-1}):
            for rival in range(self.state.num_players):
                held = self.state.sea_harbors[0, rival, sea]
                if rival != self.seat and held == LEAGUE_HARBORS - 1 and not closed[rival, sea]:
                    yield {"kind": "denies", "seat": rival, "sea": names[sea]}


def _distance(cells: NDArray[np.int64], to: NDArray[np.int64]) -> int:
    """Returns the steps from the nearest of some axial hexes [C, 2] to another [2]."""
    q, r = (cells - to).T
    return int(((abs(q) + abs(r) + abs(q + r)) // 2).min())
