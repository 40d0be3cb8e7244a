"""Checks of scenarios (R1.5) and objectives (R1.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS, NUM_REGIONS
from gonzaga_env.core.edition import Edition, Scenario
from gonzaga_env.core.editions.validate_board import is_name, repeated

NUM_SCENARIOS = 16  # R1.5
NUM_OBJECTIVES = 16  # R1.4
# R1.5 gives no numbers. With two flourishing regions, a region card is always left to plan with
# (R3.3); with five, the inactive card has a region to stand for (R2.1).
MIN_FLOURISHING, MAX_FLOURISHING = 2, NUM_REGIONS - 1


def scenarios(edition: Edition) -> Iterator[str]:
    """Yields faults of the scenarios' number, names and numbers of players (R1.5)."""
    given = edition.scenarios
    if len(given) != NUM_SCENARIOS:
        yield f"scenarios.toml: {len(given)} scenarios; {NUM_SCENARIOS} are right (R1.5)"
    for name in repeated(scenario.name for scenario in given):
        yield f'scenarios.toml: scenario "{name}": the name occurs twice'
    for scenario in given:
        if not is_name(scenario.name):
            yield f"{_place(scenario)}: this is not a name; one line of text is right"
        if not MIN_PLAYERS <= scenario.players <= MAX_PLAYERS:
            right = f"{MIN_PLAYERS} to {MAX_PLAYERS} are right (R1.1)"
            yield f"{_place(scenario)}: is for {scenario.players} players; {right}"
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        if players not in {scenario.players for scenario in given}:
            yield f"scenarios.toml: none for {players} players; at least one is right (R2.1)"


def flourishing(edition: Edition) -> Iterator[str]:
    """Yields scenarios whose flourishing regions are unknown, repeated, too few or too many."""
    for scenario in edition.scenarios:
        number = len(scenario.flourishing)
        if not MIN_FLOURISHING <= number <= MAX_FLOURISHING:
            right = f"{MIN_FLOURISHING} to {MAX_FLOURISHING} are right"
            yield f"{_place(scenario)}: {number} regions flourish; {right}"
        for name in repeated(scenario.flourishing):
            yield f'{_place(scenario)}: "{name}" flourishes twice'
        for name in sorted(set(scenario.flourishing) - set(edition.regions.values())):
            yield f'{_place(scenario)}: the board has no region "{name}" (R1.5)'


def objectives(edition: Edition) -> Iterator[str]:
    """Yields a wrong number of objectives, and objectives that are equal (R1.4)."""
    given = edition.objectives
    if len(given) != NUM_OBJECTIVES:
        yield f"objectives.toml: {len(given)} objectives; {NUM_OBJECTIVES} are right (R1.4)"
    for pair in repeated(" and ".join(sorted(pair)) for pair in given):
        yield f"objectives.toml: {pair}: this objective occurs twice; all 16 differ (R1.4)"


def objective_cities(edition: Edition) -> Iterator[str]:
    """Yields objectives whose six cities are not one in each region (R1.4)."""
    for i, pair in enumerate(edition.objectives, start=1):
        place = f"objectives.toml: objective {i} ({' and '.join(pair)})"
        unknown = sorted(set(pair) - set(edition.symbols))
        for symbol in unknown:
            yield f'{place}: no city bears the symbol "{symbol}" (R1.4)'
        if unknown:
            continue
        number = _cities_by_region(edition, pair)
        if any(number[region] != 1 for region in edition.regions.values()):
            shown = ", ".join(f"{number[name]} in {name}" for name in edition.regions.values())
            yield f"{place}: its cities are {shown}; one in each region is right (R1.4)"


def _cities_by_region(edition: Edition, symbols: tuple[str, str]) -> Counter[str]:
    on_map = (city for city in edition.cities if city.at in edition.grid.index)
    return Counter(
        edition.regions.get(edition.mark(city.at), "") for city in on_map if city.group in symbols
    )


def _place(scenario: Scenario) -> str:
    return f'scenarios.toml: scenario "{scenario.name}"'
