"""Every check of the validator finds an edition that breaks it (R9.2)."""

import copy
import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from gonzaga_env.core.edition import EDITIONS, Edition
from gonzaga_env.core.editions.loading import FILES, build_edition
from gonzaga_env.core.editions.validate import (
    CHECKS,
    CUSTOMS,
    fault_text,
    find_faults,
    find_warnings,
)

Content = dict[str, Any]
SHIPPED: Content = {
    file: tomllib.loads((EDITIONS / "europe" / f"{file}.toml").read_text("utf-8")) for file in FILES
}


def spoilt(*changes: Callable[[Content], object]) -> Edition:
    """Returns the shipped edition with changes."""
    content = copy.deepcopy(SHIPPED)
    for change in changes:
        change(content)
    return build_edition(EDITIONS / "europe", content)


def faults_after(*changes: Callable[[Content], object]) -> list[str]:
    return find_faults(spoilt(*changes))


def site(content: Content, name: str) -> Content:
    both = (*content["board"]["city"], *content["board"]["harbor"])
    (found,) = (entry for entry in both if entry["name"] == name)
    return found


def change(name: str, /, **keys: Any) -> Callable[[Content], object]:
    """Returns a function that changes a city or harbor."""
    return lambda content: site(content, name).update(keys)


def board(**keys: Any) -> Callable[[Content], object]:
    return lambda content: content["board"].update(keys)


def table(name: str, /, **keys: Any) -> Callable[[Content], object]:
    """Returns a function that changes the regions or the seas."""
    return lambda content: content["board"][name].update(keys)


def barrier(*edges: list[list[int]]) -> Callable[[Content], object]:
    """Returns a function that adds sides to the first barrier."""
    return lambda content: content["board"]["barrier"][0]["edges"].extend(edges)


def fief(number: int, /, **keys: Any) -> Callable[[Content], object]:
    return lambda content: content["fiefs"]["fief"][number - 1].update(keys)


def scenario(**keys: Any) -> Callable[[Content], object]:
    """Returns a function that changes the first scenario."""
    return lambda content: content["scenarios"]["scenario"][0].update(keys)


def objective(*symbols: str) -> Callable[[Content], object]:
    """Returns a function that changes the second objective."""
    return lambda content: content["objectives"]["objective"][1].update(symbols=list(symbols))


def replace_on_map(old: str, new: str) -> Callable[[Content], object]:
    return lambda content: board(map=content["board"]["map"].replace(old, new))(content)


def move_all(at: dict[str, list[int]]) -> Callable[[Content], object]:
    return lambda content: [site(content, name).update(at=cell) for name, cell in at.items()]


def for_two_to_three(content: Content) -> None:
    for entry in content["scenarios"]["scenario"]:
        entry["players"] = max(3, entry["players"])


#: Four cities in a rhombus, which fief 12 covers.
FOUR_CITIES = {"Paris": [11, 6], "Lyon": [11, 7], "Orléans": [10, 7], "Toulouse": [12, 7]}

BROKEN = [
    ("blank name", board(name=""), 'name: "" is not a name'),
    ("blanks around", table("regions", H=" Hispania"), 'regions: " Hispania" is not a name'),
    ("two lines", change("Roma", name="Ro\nma"), "is not a name; one line of text"),
    ("region twice", table("regions", H="Italia"), 'regions: "Italia" occurs twice'),
    ("sea twice", table("seas", **{"6": "Mare Germanicum"}), 'seas: "Mare Germanicum" occurs'),
    ("site twice", change("Roma", name="Genova"), 'cities and harbors: "Genova" occurs twice'),
    ("barrier twice", lambda c: c["board"]["barrier"][1].update(name="Pyrenaei"), '"Pyrenaei" occ'),
    ("plus", table("regions", H="Hispania + privilege"), "cannot be part of an action's text"),
    ("inactive", table("regions", H="inactive"), '"inactive" cannot be part of an action'),
    ("seven regions", table("regions", Z="Zembla"), "regions: 7 are given; 6 are required (R1.2)"),
    ("unused region", table("regions", Z="Zembla"), 'no hex of "Zembla" (mark Z)'),
    (
        "five seas",
        lambda c: c["board"]["seas"].pop("6"),
        "seas: 5 are given; 6 are required (R1.2)",
    ),
    ("unused sea", replace_on_map("6", "1"), 'no hex of "Mare Balticum" (mark 6)'),
    ("unknown mark", lambda c: c["board"]["seas"].pop("6"), "mark 6, first on [1, 15], is neither"),
    ("two meanings", table("seas", H="Mare Hispanum"), "mark H is also a region's"),
    ("huge map", board(map="\n".join(["H " * 30] * 30)), "has 900 hexes; at most 800"),
    ("no map", board(map=""), 'no hex of "Hispania"'),
    ("site off map", change("Roma", at=[0, 0]), 'city "Roma" at [0, 0]: there is no such hex'),
    ("negative", change("Roma", at=[-1, 3]), 'city "Roma" at [-1, 3]: there is no such hex'),
    ("city at sea", change("Roma", at=[15, 10]), 'city "Roma" at [15, 10]: this is not land'),
    ("harbor at sea", change("Genova", at=[13, 9]), 'harbor "Genova" at [13, 9]: this is not land'),
    ("one hex", change("Roma", at=[12, 11]), "Mantova is already on this hex (R1.3)"),
    ("unknown sea", change("Genova", sea="Mare Nostrum"), 'there is no sea "Mare Nostrum"'),
    (
        "far harbor",
        change("Genova", at=[11, 10]),
        "no hex of its sea, Mare Tyrrhenum, is next to it",
    ),
    ("cities a region", change("Roma", at=[11, 8]), "cities of Italia: 3; 4 are required (R1.2)"),
    (
        "harbors a region",
        change("Zara", at=[12, 12]),
        "harbors of Italia: 5; 4 are required (R1.2)",
    ),
    ("cities a symbol", change("Roma", symbol="lion"), "cities of lion: 4; 3 are required (R1.2)"),
    ("nine symbols", change("Roma", symbol="key"), "9 symbols (crown, eagle, key"),
    ("harbors a sea", change("Ancona", sea="Mare Tyrrhenum"), "harbors of Mare Hadriaticum: 3; 4"),
    ("no barriers", board(barrier=[]), "there are none; some borders are barriers (R1.2)"),
    ("no edges", lambda c: c["board"]["barrier"][0].update(edges=[]), '"Pyrenaei": has no edges'),
    ("edge off map", barrier([[0, 0], [0, 1]]), "[[0, 0], [0, 1]]: not both hexes are on the map"),
    ("no side", barrier([[15, 1], [15, 3]]), "[[15, 1], [15, 3]]: the hexes share no side"),
    ("edge twice", barrier([[13, 4], [13, 3]]), "[[13, 4], [13, 3]]: this side is given twice"),
    ("rings", board(size={"rings": 7}), "size: rings is 7; 0 to 6 are allowed"),
    ("numbers", fief(3, number=13), "numbers 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13; 1 to 12"),
    ("eleven", lambda c: c["fiefs"]["fief"].pop(), "10, 11; 1 to 12, once each, are required"),
    ("no fiefs", lambda c: c["fiefs"]["fief"].clear(), "numbers none; 1 to 12"),
    (
        "seven cells",
        fief(1, cells=[[q, 0] for q in range(7)]),
        "fief 1: 7 cells; 1 to 6 are allowed (R1.6)",
    ),
    ("no cells", fief(1, cells=[]), "fief 1: 0 cells; 1 to 6 are allowed (R1.6)"),
    ("cell twice", fief(1, cells=[[0, 0], [1, 0], [1, 0]]), "fief 1: a cell is given twice"),
    ("apart", fief(1, cells=[[0, 0], [1, 0], [3, 0]]), "fief 1: the cells are not connected"),
    ("no castle", fief(1, castles=[]), "fief 1: no castle; one or more are required (R1.6)"),
    ("castle twice", fief(1, castles=[1, 1]), "fief 1: a castle is given twice"),
    (
        "castle nowhere",
        fief(1, castles=[3]),
        "fief 1: castle 3 is not on a cell; 0 to 2 are allowed",
    ),
    ("negative castle", fief(1, castles=[-1]), "fief 1: castle -1 is not on a cell"),
    ("four cities", move_all(FOUR_CITIES), "can cover 4 cities and 0 harbors in"),
    (
        "three harbors",
        move_all({"Rouen": [9, 5], "Saint-Malo": [9, 4], "Bordeaux": [10, 5]}),
        "can cover 0 cities and 3 harbors in",
    ),
    (
        "fifteen scenarios",
        lambda c: c["scenarios"]["scenario"].pop(),
        "15 scenarios; 16 are required",
    ),
    ("scenario twice", scenario(name="Colombo"), 'scenario "Colombo": the name occurs twice'),
    ("nameless scenario", scenario(name=""), 'scenario "": this is not a name'),
    ("five players", scenario(players=5), "is for 5 players; 2 to 4 are allowed (R1.1)"),
    ("none for two", for_two_to_three, "none for 2 players; at least one is required (R2.1)"),
    ("none flourishes", scenario(flourishing=[]), "no region flourishes; one or more are required"),
    ("repeats", scenario(flourishing=["Italia", "Italia"]), '"Italia" flourishes twice'),
    ("no region", scenario(flourishing=["Italia", "Asia"]), 'the board has no region "Asia"'),
    ("fifteen objectives", lambda c: c["objectives"]["objective"].pop(), "15 objectives; 16 are"),
    ("objective twice", objective("lily", "crown"), "crown and lily: this objective occurs twice"),
    ("no symbol", objective("crown", "key"), 'no city bears the symbol "key" (R1.4)'),
    ("same symbol", objective("crown", "crown"), "shows one symbol twice; two different ones"),
]

#: What no rulebook says: an edition may differ, with a warning.
ODD = [
    ("inner barrier", barrier([[9, 14], [8, 14]]), "is inside Germania; the printed ones are on b"),
    ("two cells", fief(1, cells=[[0, 0], [1, 0]]), "fief 1: 2 cells; 3 or 4 are usual (R1.6)"),
    (
        "turned",  # fief 2 by 120 degrees, and elsewhere
        fief(1, cells=[[5, 5], [4, 6], [3, 6]], castles=[0]),
        "fief 2: equals fief 1, turned; all 12 usually differ (R1.6)",
    ),
    ("one flourishes", scenario(flourishing=["Italia"]), "1 region flourishes; 3 are usual for 2"),
    (
        "all flourish",
        scenario(flourishing=list(SHIPPED["board"]["regions"].values())),
        "6 regions flourish; 3 are usual for 2 players (R1.5)",
    ),
    ("same group", objective("crown", "lion"), "its cities are 2 in Hispania, 0 in Francia"),
]


@pytest.mark.parametrize(("spoil", "fragment"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_the_fault_of_a_broken_edition_is_found(
    spoil: Callable[[Content], object], fragment: str
) -> None:
    faults = faults_after(spoil)
    assert any(fragment in fault for fault in faults), faults
    assert all(fault.split(".toml: ")[0] in FILES for fault in faults)


@pytest.mark.parametrize(("spoil", "fragment"), [o[1:] for o in ODD], ids=[o[0] for o in ODD])
def test_an_odd_edition_gets_one_warning(spoil: Callable[[Content], object], fragment: str) -> None:
    odd = spoilt(spoil)
    assert find_faults(odd) == []
    (warning,) = find_warnings(odd)
    assert fragment in warning


def test_the_shipped_edition_has_no_fault_and_no_warning(europe: Edition) -> None:
    assert find_faults(europe) == []
    assert find_warnings(europe) == []


def test_every_check_is_broken_once() -> None:
    broken = set()
    for _, spoil, fragment in BROKEN:
        edition = spoilt(spoil)
        faults = [(c, fault_text(f[0], *found)) for f, c in CHECKS for found in c(edition)]
        broken |= {check for check, fault in faults if fragment in fault}
    assert broken == {check for _, check in CHECKS}
    odd = {check for _, spoil, _ in ODD for _, check in CUSTOMS if [*check(spoilt(spoil))]}
    assert odd == {check for _, check in CUSTOMS}


def test_r9_2_many_faults_are_listed_together() -> None:
    sites = change("Roma", at=[0, 0]), barrier([[15, 1], [15, 3]])
    cards = fief(1, castles=[]), scenario(players=5), objective("lily", "crown")
    text = "\n".join(faults_after(*sites, *cards))
    for fragment in ("no such hex", "share no side", "no castle", "5 players", "occurs twice"):
        assert fragment in text


def test_checks_that_need_an_unreadable_file_are_skipped() -> None:
    edition = spoilt(lambda content: content["board"]["regions"].pop("H"))
    assert find_faults(edition, ["fiefs", "scenarios", "objectives"]) == []


def test_one_fault_of_coverage_names_an_example() -> None:
    faults = [fault for fault in faults_after(move_all(FOUR_CITIES)) if "(R4.7)" in fault]
    assert faults
    assert all("such as" in fault for fault in faults)
    assert any(all(name in fault for name in FOUR_CITIES) for fault in faults)
