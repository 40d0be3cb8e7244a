"""Checks of scenarios (R1.5) and objectives (R1.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.editions.fault import Fault
from gonzaga_env.core.editions.validate_board import is_name, region_of, repeated

NUM_SCENARIOS = 16  # R1.5
NUM_OBJECTIVES = 16  # R1.4


def scenarios(edition: Edition) -> Iterator[Fault]:
    """Yields faults of the scenarios' number, names and numbers of players (R1.5).

    A small edition may have fewer, and none for some numbers of players.
    """
    given = edition.scenarios
    right = f"{'1 to ' * edition.is_small}{NUM_SCENARIOS}"
    if not (1 if edition.is_small else NUM_SCENARIOS) <= len(given) <= NUM_SCENARIOS:
        yield Fault("scenarios", "", f"{len(given)} scenarios; {right} are right (R1.5)")
    for name in repeated(scenario.name for scenario in given):
        first = [scenario.name for scenario in given].index(name)
        yield _of_scenario(edition, first, "the name occurs twice")
    for i, scenario in enumerate(given):
        if not is_name(scenario.name):
            yield _of_scenario(edition, i, "this is not a name; one line of text is right")
        if not MIN_PLAYERS <= scenario.players <= MAX_PLAYERS:
            right = f"{MIN_PLAYERS} to {MAX_PLAYERS} are right (R1.1)"
            yield _of_scenario(edition, i, f"is for {scenario.players} players; {right}")
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        if not edition.is_small and players not in {scenario.players for scenario in given}:
            what = f"none for {players} players; at least one is right (R2.1)"
            yield Fault("scenarios", "", what)


def flourishing(edition: Edition) -> Iterator[Fault]:
    """Yields scenarios with no flourishing region, with an unknown one, or with one twice (R1.5).

    One is enough: it and the inactive card are used in turn (R3.3).
    """
    for i, scenario in enumerate(edition.scenarios):
        if not scenario.flourishing:
            yield _of_scenario(edition, i, "no region flourishes; one or more are right (R1.5)")
        for name in repeated(scenario.flourishing):
            yield _of_scenario(edition, i, f'"{name}" flourishes twice')
        for name in sorted(set(scenario.flourishing) - set(edition.regions.values())):
            yield _of_scenario(edition, i, f'the board has no region "{name}" (R1.5)')


def usual_flourishing(edition: Edition) -> Iterator[Fault]:
    """Yields scenarios in which not one region more flourishes than there are players (R1.5)."""
    for i, scenario in enumerate(edition.scenarios):
        number, usual = len(scenario.flourishing), scenario.players + 1
        if number != usual:
            flourish = "1 region flourishes" if number == 1 else f"{number} regions flourish"
            what = f"{flourish}; {usual} are usual for {scenario.players} players (R1.5)"
            yield _of_scenario(edition, i, what)


def objectives(edition: Edition) -> Iterator[Fault]:
    """Yields a wrong number of objectives, and objectives that are equal (R1.4).

    A small edition may have fewer, or play without them.
    """
    given = [" and ".join(sorted(pair)) for pair in edition.objectives]
    least = most = NUM_OBJECTIVES
    if edition.is_small:  # R2.2: one for each player at least
        least = max((scenario.players for scenario in edition.scenarios), default=MIN_PLAYERS)
    if not edition.size.objectives:
        least = most = 0
    if not least <= len(given) <= most:
        right = f"{least}" if least == most else f"{least} to {most}"
        what = f"{len(given)} objectives; {right} are right (R1.4)"
        yield Fault("objectives", "", what)
    for pair in repeated(given):
        what = "this objective occurs twice; all 16 differ (R1.4)"
        yield Fault("objectives", pair, what, entry=("objective", given.index(pair)))


def objective_symbols(edition: Edition) -> Iterator[Fault]:
    """Yields objectives that do not show two symbols of cities (R1.4)."""
    for i, pair in enumerate(edition.objectives):
        place, entry = _place(i, pair), ("objective", i)
        for symbol in sorted(set(pair) - set(edition.symbols)):
            what = f'no city bears the symbol "{symbol}" (R1.4)'
            yield Fault("objectives", place, what, entry=entry)
        if pair[0] == pair[1]:
            what = "shows one symbol twice; two different ones are right (R1.4)"
            yield Fault("objectives", place, what, entry=entry)


def objective_cities(edition: Edition) -> Iterator[Fault]:
    """Yields objectives whose six cities are not one in each region (R1.4)."""
    for i, pair in enumerate(edition.objectives):
        cities = [city for city in edition.cities if city.group in pair]
        number = Counter(region_of(edition, city) for city in cities)
        if any(number[region] != 1 for region in edition.regions.values()):
            shown = ", ".join(f"{number[name]} in {name}" for name in edition.regions.values())
            what = f"its cities are {shown}; one in each region is usual (R1.4)"
            cells = tuple(city.at for city in cities)
            yield Fault("objectives", _place(i, pair), what, cells, ("objective", i))


def _place(index: int, pair: tuple[str, str]) -> str:
    return f"objective {index + 1} ({' and '.join(pair)})"


def _of_scenario(edition: Edition, index: int, what: str) -> Fault:
    name = edition.scenarios[index].name
    return Fault("scenarios", f'scenario "{name}"', what, entry=("scenario", index))
