"""Features of sites and choices, computed naively from games of the oracle.

It shares no table with the readers of `gonzaga_agents.network`: positions are plain sets of hexes
(see `tests.oracle`), and only the planner's weights come from the project.
"""

import copy
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from gonzaga_agents.gonzaga.network.sites import SITE_FEATURES
from gonzaga_agents.gonzaga.planner import PLANNED

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state.state import current_fiefs
from tests.oracle import INACTIVE, OBJECTIVE_POINTS, OracleGame, Plan
from tests.oracle_editions import Hex, OracleEdition, around, parse_hex

FOLDER = Path(__file__).parents[3] / "gonzaga_env" / "data" / "editions" / "europe"
RULES = (Rules(), Rules(sea_league="first_only", first_check_round=1))


@cache
def oracle_edition() -> OracleEdition:
    return OracleEdition(FOLDER)


def oracles_of(engine: Engine) -> list[OracleGame]:
    """Returns an oracle for each game that was just dealt."""
    state, printed = engine.state, engine.tables.edition
    return [
        OracleGame(
            oracle_edition(),
            scenario=printed.scenarios[state.scenario[game]].name,
            num_players=engine.num_players,
            decks=(state.deck[game] + 1).tolist(),
            objectives=[list(printed.objectives[i]) for i in state.objective[game]],
            sea_league=engine.rules.sea_league,
            first_check_round=engine.rules.first_check_round,
        )
        for game in range(engine.num_games)
    ]


def text_of(engine: Engine, game: int, seat: int, action: int) -> str:
    """Returns an action of a seat as a text."""
    return engine.actions.to_text(action, int(current_fiefs(engine.state)[game, seat]) + 1)


def games_beside_oracles(
    config: GameConfig, num_games: int, every: int, seed: int = 3
) -> Iterator[tuple[Engine, list[OracleGame]]]:
    """Yields games of random play, with their oracles, before every so many steps."""
    engine = Engine.from_config(config, num_games, seed=seed, autoreset=False)
    oracles, rng, step = oracles_of(engine), np.random.default_rng(seed), 0
    while not engine.state.finished.any():
        if step % every == 0:
            yield engine, oracles
        mask = engine.legal_action_mask()
        mask[:, -1] &= mask.sum(axis=1) == 1  # donations are dull
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        for game, action in enumerate(actions.tolist()):
            oracles[game].play(text_of(engine, game, int(engine.seats[game]), action))
        engine.step(actions)
        step += 1


def sites() -> list[Hex]:
    """Returns the hexes of cities and harbors, row by row."""
    edition = oracle_edition()
    return sorted([*edition.cities, *edition.harbors])


class Onlooker:
    """What a seat sees of a game of the oracle."""

    def __init__(self, game: OracleGame, seat: int) -> None:
        self.game, self.seat, self.edition = game, seat, game.edition
        self.others = [other for other in range(game.num_players) if other != seat]
        self.held = [game.held(other) for other in range(game.num_players)]
        self.taken: set[Hex] = set().union(*self.held)
        self.sizes = self._group_sizes()

    def _group_sizes(self) -> dict[Hex, int]:
        """Returns the number of pieces in the group of each own hex (R8.1)."""
        pieces = [set(fief) for fief in self.game.fiefs[self.seat]]
        pieces += [{cell} for cell in self.game.ring_hexes[self.seat]]
        groups: list[tuple[set[Hex], int]] = [(piece, 1) for piece in pieces]
        merged = True
        while merged:
            merged = False
            for one in groups:
                near = set().union(*(around(cell) for cell in one[0]))
                other = next((g for g in groups if g is not one and g[0] & near), None)
                if other is not None:
                    groups.remove(one)
                    groups.remove(other)
                    groups.append((one[0] | other[0], one[1] + other[1]))
                    merged = True
                    break
        return {cell: size for cells, size in groups for cell in cells}

    def points(self, cell: Hex) -> int:
        return 3 if self.edition.region_of[cell] in self.game.flourishing else 1

    def is_objective(self, cell: Hex) -> bool:
        return self.edition.cities.get(cell) in self.game.objectives[self.seat]

    def worth(self, cell: Hex) -> float:
        """Returns what a site is worth to the planner."""
        count = self.game.objective_cities(self.seat)
        steps = OBJECTIVE_POINTS if self.game.last_round else PLANNED.objective
        assert steps is not None
        gain = steps[count + 1] - steps[count] if self.is_objective(cell) and count < 6 else 0
        return self.points(cell) + gain

    def touched(self, cells: set[Hex]) -> tuple[bool, bool]:
        """Returns whether hexes lie next to an own small group, and next to the largest."""
        near = set().union(*(around(cell) for cell in cells)) & self.sizes.keys()
        largest = max(self.sizes.values(), default=0)
        return (
            any(self.sizes[cell] < largest for cell in near),
            any(self.sizes[cell] == largest for cell in near),
        )

    def harbors(self, seat: int, sea: str) -> int:
        return sum(self.edition.harbors.get(cell) == sea for cell in self.held[seat])

    def stage(self, seat: int, sea: str) -> int:
        """Returns harbors held of a sea; 3 if the seat can found no league there any more."""
        return 3 if self.is_closed(seat, sea) else min(self.harbors(seat, sea), 3)

    def is_closed(self, seat: int, sea: str) -> bool:
        """Returns whether a seat can found no league any more (R6.3)."""
        founders = range(self.game.num_players)
        seats = founders if self.game.sea_league == "first_only" else [seat]
        return any(sea in self.game.leagues[founder] for founder in seats)

    def locked(self, seat: int, region: str) -> bool:
        """Returns whether the card of a region was played in the round before (R3.3)."""
        plan = self.game.previous_plans[seat]
        return self.game.phase == "plan" and plan is not None and self.goes_to(plan, region)

    def goes_to(self, plan: Plan, region: str) -> bool:
        return plan.region == region or (
            plan.region == INACTIVE and region not in self.game.flourishing
        )

    def to_come(self, region: str) -> int:
        """Returns how many others still place with a card for a region."""
        game = self.game
        acted = game.turn_order.index(game.seat)  # type: ignore[arg-type]  # in the placing phase
        plans = [game.plans[seat] for seat in game.turn_order[acted:] if seat != self.seat]
        return sum(plan is not None and self.goes_to(plan, region) for plan in plans)

    def site(self, cell: Hex) -> dict[str, float]:
        """Returns the features of a site; "attention" only in the placing phase."""
        edition, game, others = self.edition, self.game, self.others
        region, sea = edition.region_of[cell], edition.harbors.get(cell)
        assert region is not None
        free, own = cell not in self.taken, cell in self.held[self.seat]
        near_small, near_largest = self.touched({cell})
        fiefs = [set().union(*game.fiefs[seat]) for seat in range(game.num_players)]
        symbol, cities = edition.cities.get(cell), edition.cities
        of_symbol = [sum(cities.get(hex_) == symbol for hex_ in self.held[o]) for o in others]
        open_sites = [h for h in sites() if h not in self.taken]
        open_harbors = [h for h in open_sites if h in edition.harbors]
        found: dict[str, float] = {
            "value": 0 if own else self.points(cell) / 3,
            "free": free,
            "own": own,
            "fiefs_of_others": sum(cell in fiefs[seat] for seat in others),
            "rings_of_others": sum(cell in game.ring_hexes[seat] for seat in others),
            "objective": self.is_objective(cell),
            "worth": self.worth(cell) / 10,
            "next_to_largest": near_largest,
            "next_to_small": near_small,
            "flourishing": region in game.flourishing,
            "locked": self.locked(self.seat, region),
            "locked_for_others": sum(self.locked(seat, region) for seat in others),
            "symbol_of_others": max(of_symbol) / 3 if symbol else 0,
            "free_in_sea": sum(edition.harbors[h] == sea for h in open_harbors) / 4,
            "free_in_region": sum(edition.region_of[h] == region for h in open_sites) / 8,
            "harbor": sea is not None,
            "placing": game.phase == "place",
        }
        found |= {f"region_{i}": region == name for i, name in enumerate(edition.regions)}
        stages = {seat: self.stage(seat, sea) if sea else -1 for seat in range(game.num_players)}
        found |= {f"own_harbors_{count}": stages[self.seat] == count for count in range(4)}
        found["others_near_league"] = sum(stages[seat] == 2 for seat in others)
        found["others_in_sea"] = sum(stages[seat] == 1 for seat in others)
        if game.phase == "place":
            found["attention"] = self.to_come(region)
        assert found.keys() | {"attention"} == {*SITE_FEATURES}
        return found

    def cells(self, text: str) -> set[Hex]:
        """Returns the hexes that an action of the placing phase covers."""
        if text == "donate":
            return set()
        if text.startswith("fief"):
            fief = int(text.split()[1])
            return next({*p.cells} for p in self.edition.placements[fief] if p.text == text)
        return {parse_hex(pair.split(",")) for pair in re.findall(r"\d+,\d+", text)}

    def covered(self, cells: set[Hex]) -> list[Hex]:
        return [cell for cell in sites() if cell in cells]

    def league_gain(self, cells: set[Hex]) -> float:
        """Returns what more harbors of seas are worth to the planner."""
        worth = (0, 0, 0) if self.game.last_round else PLANNED.league
        by_number, gain = [*worth, 10, 10, 10, 10, 10], 0.0
        for sea in {*self.edition.harbors.values()}:
            more = sum(self.edition.harbors.get(cell) == sea for cell in cells)
            before = self.harbors(self.seat, sea)
            if not self.is_closed(self.seat, sea):
                gain += by_number[min(before, 3) + more] - by_number[min(before, 3)]
        return gain

    def founded(self, cells: set[Hex]) -> int:
        seas = {*self.edition.harbors.values()}
        more = {sea: sum(self.edition.harbors.get(cell) == sea for cell in cells) for sea in seas}
        held = {sea: self.harbors(self.seat, sea) for sea in seas}
        return sum(
            held[sea] < 3 <= held[sea] + more[sea] and not self.is_closed(self.seat, sea)
            for sea in seas
        )

    def score(self, text: str) -> float:
        """Returns the planner's score of an action of the placing phase."""
        if text == "donate":
            return PLANNED.donation
        cells = self.cells(text)
        small, largest = self.touched(cells)
        ring = min(PLANNED.ring, 0.1) if self.game.last_round else PLANNED.ring
        spent = 0 if text.startswith("fief") else len(cells)
        total = sum(self.worth(cell) for cell in self.covered(cells)) + self.league_gain(cells)
        return total + PLANNED.group[small + 2 * largest] - spent * ring

    def placement(self, text: str) -> dict[str, float]:
        """Returns the features of what an action of the placing phase covers."""
        cells = self.cells(text)
        covered, (small, largest) = self.covered(cells), self.touched(cells)
        codes = ("none", "small", "largest", "both")
        found: dict[str, float] = {
            "points": sum(self.points(cell) for cell in covered) / 10,
            "leagues": self.founded(cells),
            "objective": sum(self.is_objective(cell) for cell in covered),
            "league_worth": self.league_gain(cells) / 10,
            "sites": len(covered) / 3,
            "land": sum(self.edition.region_of[cell] is not None for cell in cells) / 4,
            "hexes": len(cells) / 4,
        }
        touches = codes[small + 2 * largest]
        return found | {f"group_{code}": float(code == touches) for code in codes}

    def spots(self, text: str) -> list[int]:
        """Returns the sites that an action covers, by number; 48 for none."""
        found = [number for number, cell in enumerate(sites()) if cell in self.cells(text)]
        return found + [len(sites())] * (4 - len(found))

    def after_plan(self, plan: Plan) -> set[str]:
        """Returns what a plan would allow on this map; King's Privilege is not paid."""
        game = copy.copy(self.game)
        game.plans = [plan if seat == self.seat else other for seat, other in enumerate(game.plans)]
        game.phase, game.seat = "place", self.seat
        return game.legal_actions()

    def opened(self, plan: Plan) -> tuple[float, set[str]]:
        """Returns the planner's best score that a plan opens, and the actions that reach it."""
        texts = {t for t in self.after_plan(plan) if self.covered(self.cells(t))}
        scores = {text: self.score(text) for text in texts} | {"donate": PLANNED.donation}
        best = max(scores.values())
        tied = {text for text, score in scores.items() if score > best - 1e-4}
        return best, {"donate"} if "donate" in tied else tied


def plan_of(text: str) -> Plan:
    """Returns the cards of a plan's text."""
    cards = text.removesuffix(" + privilege")
    return Plan(*cards.rsplit(" ", 1), privilege=cards != text)


def row_of(features: dict[str, float], names: tuple[str, ...]) -> np.ndarray:
    """Returns features in the order of their names; 0 for those that are missing."""
    return np.array([float(features.get(name, 0)) for name in names], dtype=np.float32)
