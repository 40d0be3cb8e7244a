"""All pages, as a person meets them: at four sizes, light and dark.

Each has one heading, a main part and a title, fits the window, loads nothing from elsewhere, and
axe finds nothing in it (https://github.com/dequelabs/axe-core, from node_modules).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest

from tests.table.web.conftest import EDITIONS, Tables, play_on, whose_turn
from tests.table.web.driver import READY

ROOT = Path(__file__).parents[3]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"1440": (1440, 900), "1366": (1366, 650), "upright": (390, 844), "across": (844, 390)}
# Each page with what it shows when it is complete.
STILL = {
    "/": "#seats select",
    "/learn": "a[href^='/puzzle/']",
    "/rules": "h2",
    "/rules/tuscany": "h2",
    "/rules/signorie": "h2",
    "/record": "#file",
    "/nowhere": "h1",
}
RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const told = ({ target, failureSummary }) => `${target}: ${failureSummary.split("\\n")[1]}`;
  return violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 4).map(told)]);
}"""
LOOK = """() => ({
  title: document.title,
  headings: [...document.querySelectorAll("h1")].map((one) => one.textContent.trim()),
  mains: document.querySelectorAll("main:not([hidden])").length,
  lang: document.documentElement.lang,
  wider: document.documentElement.scrollWidth - innerWidth,
})"""


def pages_in_play(page: Any, site: str) -> Iterator[str]:
    """Opens a table of each game, one while placing, its end, its analysis, and a puzzle."""
    rng = np.random.default_rng(3)
    with httpx2.Client(base_url=site) as client:
        for game in ("tuscany", "signorie"):
            table, people = Tables(client).open(edition=EDITIONS[game])
            person = next(person for person in people.values() if person.look()["turn"])
            token = person.headers["Authorization"].split()[1]
            page.goto(f"{site}/table/{table}#seat={person.look()['seat']}&token={token}")
            page.wait_for_selector("#turn.yours")
            yield game
            play_on(people, rng)
            page.goto(f"{site}/game/{table}")
            page.wait_for_selector("#log li")
            yield f"analysis of {game}"
        table, people = Tables(client).open()  # both people are this browser's
        token = people[0].headers["Authorization"].split()[1]
        link = f"{site}/table/{table}#seat=0&token={token}"
        page.goto(link)
        page.wait_for_selector("#turn.yours")
        yield "planning"
        while "placements" not in (people[0].look()["turn"] or {}):
            play_on(people, rng, 1)
        page.goto("about:blank")
        page.goto(link)
        page.wait_for_selector("#turn.yours")
        yield "placing"
        play_on(people, rng)
    page.reload()
    page.wait_for_selector("table.final")
    yield "the end"
    page.goto(f"{site}/game/{table}")
    page.wait_for_selector("h1")
    yield "analysis"
    page.goto(f"{site}/learn")
    if puzzle := page.query_selector("a[href^='/puzzle/']"):
        page.goto(site + puzzle.get_attribute("href"))
        page.wait_for_selector("#turn.yours")
        yield "a puzzle"


def look_at(page: Any, what: str) -> list[str]:
    """Returns what is wrong with the page that is open."""
    seen, faults = page.evaluate(LOOK), []
    if len(seen["headings"]) != 1 or not seen["headings"][0]:
        faults.append(f"headings {seen['headings']}")
    if seen["mains"] != 1:
        faults.append(f"{seen['mains']} main parts")
    if not seen["title"] or not seen["lang"]:
        faults.append("no title or no language")
    if seen["wider"] > 0:
        faults.append(f"{seen['wider']} px wider than the window")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    faults += [" | ".join(found) for found in page.evaluate(RUN_AXE)]
    return [f"{what}: {fault}" for fault in faults]


@pytest.fixture(autouse=True)
def needs_axe() -> None:
    if not AXE.is_file():
        pytest.skip("needs axe-core: npm ci")


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_a_page_of_four_players_stays_small(game, site, open_page) -> None:
    """The page of somebody who plays, at some own turns and at the end; then its whole log."""
    page, rng = open_page(), np.random.default_rng(3)
    with httpx2.Client(base_url=site) as client:
        table, people = Tables(client).open(("human", *["greedy"] * 3), edition=EDITIONS[game])
        token = people[0].headers["Authorization"].split()[1]
        page.goto(f"{site}/table/{table}#seat=0&token={token}")
        turns, position = 0, people[0].look()
        while not position["over"]:
            _, position = whose_turn(people)
            page.wait_for_selector(f"body[data-move='{position['moves']}']")
            page.wait_for_selector(READY)
            assert page.evaluate("document.querySelectorAll('*').length") <= 2000
            play_on(people, rng, 0 if position["over"] else 4)
            turns += 1
        told = sum(len(frame["lines"]) for frame in [*position["log"], *position["frames"]])
    assert turns >= 4
    assert page.locator("#log li").count() == 60 < told
    page.click("#log .earlier")
    assert page.locator("#log li").count() == told
    assert page.locator("#log .earlier").is_hidden()


def visit(page: Any, site: str, paths: Iterable[str], *, in_play: bool) -> list[str]:
    """Opens pages one after the other, and returns what is wrong with them."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    faults = []
    for path in paths:
        page.goto(site + path)
        page.wait_for_selector(STILL[path])
        faults += look_at(page, path)
    if in_play:
        for what in pages_in_play(page, site):
            faults += look_at(page, what)
    own = (site, "data:", "blob:", "about:")
    return faults + [f"asks for {url}" for url in asked if not url.startswith(own)]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_all_pages_hold(size, theme, site, open_page) -> None:
    width, height = SIZES[size]
    page = open_page(
        quiet=True,  # Chromium logs a 404 as an error
        viewport={"width": width, "height": height},
        color_scheme=theme,
        has_touch=width < 900,
        reduced_motion="reduce",
    )
    assert visit(page, site, STILL, in_play=True) == []


@pytest.mark.smoke
def test_the_first_pages_hold_on_a_phone(site, open_page) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    assert visit(page, site, ["/", "/learn"], in_play=False) == []


@pytest.mark.smoke
def test_a_small_map_is_shown(site, open_page) -> None:
    """It lacks regions, whose cards have silhouettes, and may lack objectives."""
    page = open_page(viewport={"width": 1280, "height": 900})
    for edition, goal in (("mini-a2", False), ("mini-c3-objectives", True)):
        with httpx2.Client(base_url=site) as client:
            table, people = Tables(client).open(edition=edition)
        token = people[0].headers["Authorization"].split()[1]
        page.goto("about:blank")
        page.goto(f"{site}/table/{table}#seat=0&token={token}")
        page.wait_for_selector("#turn.yours")
        assert page.locator("#notice").is_hidden()
        assert page.get_by_role("button", name="Objective").is_visible() == goal
