"""The Castles of Tuscany in a real browser: by mouse, by keys, and on a phone."""

import re
from typing import Any

import httpx2
import numpy as np
import pytest

from tests.table.web.browser import PHONE
from tests.table.web.conftest import EDITIONS, Tables, play_on, whose_turn
from tests.table.web.driver import READY, center_of, confirm, moves_made, wait_until_played

LAPTOP = {"viewport": {"width": 1366, "height": 650}}
STEADY = '{"speed": "at once", "quick": false}'
#: Counts the pieces that slide from now on.
COUNT_SLIDING = """() => {
  window.slid = 0;
  const look = ({addedNodes}) => addedNodes.forEach(node => {
    window.slid += node.matches?.('.sliding') ?? 0;
  });
  new MutationObserver(all => all.forEach(look)).observe(document.body, {childList: true});
}"""
OTHERS_COLOR = """() => document.querySelector(".group[data-seat='1']")
  .style.getPropertyValue('--player')"""


#: The words of a page, but for what is marked as English.
SHOWN = """() => {
  const all = document.body.cloneNode(true);
  for (const one of all.querySelectorAll("[lang=en], dialog, select")) one.remove();
  return all.textContent;
}"""
ENGLISH = re.compile(r".{0,20}\b(?:the|takes?|places|cards|of|with|to|round|undefined)\b.{0,20}")


def open_table(page: Any, site: str, laps: int) -> None:
    """Opens a table for two from the lobby, with a game of a few laps."""
    page.goto(site)
    page.check("#games input[value=tuscany]")
    page.select_option("#players", "2")
    page.select_option(".seat-1 select", "greedy")
    page.fill("#name", "Ann")
    page.click("#options summary")
    page.fill("[name=max_laps]", str(laps))
    page.click("#start")
    page.wait_for_url("**/table/*")


def by_mouse(page: Any) -> None:
    """Clicks the last place on the board; of several choices there, the first one."""
    page.mouse.click(*center_of(page, ".spot", page.locator(".spot").count() - 1))
    if page.is_disabled("#confirm"):
        page.locator(".option").first.click()
    assert page.locator(".spot.picked").count() >= 1
    confirm(page)


def by_keys(page: Any) -> None:
    """Chooses what the arrow keys reach first, and plays it by Enter alone."""
    moves = page.get_attribute("#turn", "data-move")
    for key in ("ArrowDown", "Enter", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(f"#turn:not(.yours), #turn:not([data-move='{moves}'])")


def by_hint(page: Any) -> None:
    """Follows the first hint by touch."""
    page.locator("#hint").tap()
    page.locator(".hint-choice").first.tap()
    confirm(page, tap=True)


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_a_german_page_says_all_in_german(site, open_page, game) -> None:
    page = open_page(locale="de-DE")
    page.goto(site)
    page.check(f"#games input[value={game}]")
    page.select_option("#players", "2")
    page.select_option(".seat-1 select", "greedy")
    page.fill("#name", "Ann")
    page.click("#start")
    for _ in range(5):
        page.wait_for_selector(READY)
        page.locator(".option").first.click()
        confirm(page)
    page.wait_for_selector(READY)
    shown = page.evaluate(SHOWN).lower().replace("the castles of tuscany", "")
    assert ENGLISH.findall(shown) == []
    assert {"tuscany": "zieht karten", "signorie": "hochzeit"}[game] in shown


@pytest.mark.parametrize(
    ("take_turn", "options"), [(by_mouse, {}), (by_keys, {}), (by_hint, PHONE)]
)
def test_a_game_is_played(site, open_page, take_turn, options) -> None:
    page = open_page(**options)
    open_table(page, site, 2)
    page.wait_for_selector(READY)
    assert page.locator(".option .piece-picture").count() == 6  # each board, and turned
    assert page.locator(".option").all_inner_texts() == [""] * 6
    before = page.locator(".own .block").first.inner_html()
    page.locator(".option").nth(1).click()
    page.wait_for_function(  # a layout is previewed
        "before => document.querySelector('.own .block').innerHTML !== before", arg=before
    )
    assert page.locator(".piece-picture").count() == 10  # the others in the middle and on the right
    page.keyboard.press("Escape")
    assert page.is_disabled("#confirm")
    page.locator(".option").nth(0).click()
    confirm(page)
    turns = 0
    while page.wait_for_selector(READY).evaluate("found => found.id === 'confirm'"):
        take_turn(page)
        turns += 1
    assert turns >= 4  # castle, bonus, and a turn in each lap
    page.wait_for_selector(".waiting", state="detached")
    totals = page.locator(".final .sum td").all_inner_texts()
    assert sorted(totals) == sorted(page.locator(".strip .points").all_inner_texts())
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0


def test_details_of_a_turn_are_played_by_one_click(site, open_page) -> None:
    """After the action of a die; a game against agents alone can be resigned."""
    page = open_page(settings='{"speed": "at once", "coach": false}')
    page.goto(site)
    page.check("#games input[value=signorie]")
    page.select_option("#players", "2")
    page.select_option(".seat-1 select", "greedy")
    page.click("#start")
    page.wait_for_url("**/table/*")
    details = 0
    for _ in range(30):
        page.wait_for_selector(READY)
        page.wait_for_timeout(400)  # the second click of a double click would be left out
        before = moves_made(page)
        if page.locator(".first").count():
            page.locator(".first").last.click()
            page.locator(".option").last.click()
            page.click("#confirm")
        elif "One click" in page.inner_text("#choice"):
            details += 1
            page.locator(".option").first.click()
        else:
            page.locator(".option").first.click()
            page.click("#confirm")
        wait_until_played(page, before)
        if details >= 3:
            break
    assert details >= 3
    page.wait_for_selector(READY)
    page.click("#resign")
    page.click("#resign")
    assert page.inner_text("#turn h2").startswith("You have resigned")
    page.click("#again")
    page.wait_for_selector(READY)


def test_the_coach_leads_to_the_rules(site, open_page) -> None:
    page = open_page(settings='{"speed": "at once"}')
    open_table(page, site, 2)
    page.wait_for_selector(READY)
    page.click("#coach a:text-is('T7.1')")
    page.wait_for_selector("#rules-text .rule.shown:text-is('T7.1')")
    assert "CASTLES" in page.inner_text("#rules-text h1").upper()
    page.keyboard.press("Escape")
    assert page.url.count("#") == 0
    page.click("#coach button")
    assert page.is_hidden("#coach")
    page.click("#coach-switch")
    assert page.is_visible("#coach")
    lines = page.locator("#board ul[aria-label='holdings of Ann'] li").all_inner_texts()
    assert any(line.startswith("hand ") for line in lines)


def test_a_preset_sets_the_options_in_the_lobby(site, open_page) -> None:
    page = open_page()
    page.goto(site)
    page.check("#games input[value=tuscany]")
    page.click("#options summary")
    assert page.input_value("[name=round_end]") == '"turn"'
    page.select_option("[name=draw_base]", "3")
    page.click(".presets button:text-is('Online edition')")
    chosen = {name: page.input_value(f"[name={name}]") for name in ("round_end", "bonus_gains")}
    assert chosen == {"round_end": '"lap"', "bonus_gains": '"tiles"'}
    assert page.input_value("[name=draw_base]") == "2"
    page.click("#start")
    page.wait_for_url("**/table/*")
    page.wait_for_selector(READY)


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_moves_of_others_are_outlined_and_slide_unless_asked(
    site, open_page, game, motion, moves
) -> None:
    """Outlines stay where the system asks for less motion; nothing slides there."""
    page = open_page(settings='{"speed": "fast", "coach": false}', reduced_motion=motion)
    page.goto(site)
    page.check(f"#games input[value={game}]")
    page.select_option("#players", "2")
    page.select_option(".seat-1 select", "greedy")
    page.click("#start")
    page.wait_for_url("**/table/*")
    page.wait_for_selector(READY)
    page.evaluate(COUNT_SLIDING)
    turns = outlined = slid = 0
    while turns < 20 and not (outlined >= 3 and (slid or not moves)):
        before = moves_made(page)
        page.locator(".first, .option").first.click()
        if page.is_disabled("#confirm"):
            page.locator(".option").first.click()
        page.click("#confirm")
        if page.locator("#choice.missing").count():
            page.click("#confirm")  # what is lost was told
        wait_until_played(page, before)
        page.wait_for_selector(READY)
        other = f".trail polygon[style*='{page.evaluate(OTHERS_COLOR)}']"
        outlined += page.locator(other).count()
        slid = page.evaluate("slid")
        turns += 1
    assert outlined >= 3
    assert (slid > 0) == moves


#: Of the places that can be chosen and the panel of the turn, those that leave the window or lie
#: below something else, apart from rows that are too wide for a phone.
LOST = """() => {
  const panel = document.querySelector("#turn").getBoundingClientRect();
  const lost = panel.bottom > innerHeight + 1 ? ["the panel"] : [];
  for (const spot of document.querySelectorAll(".spot")) {
    const { left, right, top, bottom } = spot.getBoundingClientRect();
    const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2;
    const ends = [top + 2, bottom - 2].map((y) => document.elementFromPoint(x, y));
    if (!ends.every((end) => end === spot)) lost.push(spot.dataset.actions);
  }
  return lost;
}"""


@pytest.mark.parametrize(
    ("game", "kind", "least", "options"),
    [
        ("tuscany", "payment", 18, LAPTOP),
        ("tuscany", "payment", 4, PHONE),
        ("tuscany", "city", 3, PHONE),
        ("signorie", "mission", 4, LAPTOP),
        ("signorie", "marriage", 4, LAPTOP),
        ("signorie", "wed", 2, PHONE),
    ],
)
def test_what_can_be_chosen_is_in_view(site, open_page, game, kind, least, options) -> None:
    page, rng = open_page(settings=STEADY, **options), np.random.default_rng(3)
    with httpx2.Client(base_url=site) as client:
        turn: dict[str, Any] = {}
        while turn.get("kind") != kind or len(turn["choices"]) < least:
            if not turn:  # at first, and after a whole game
                table, people = Tables(client).open(edition=EDITIONS[game])
            else:
                play_on(people, rng, 1)
            person, position = whose_turn(people)
            turn = position["turn"] or {}
    token = person.headers["Authorization"].split()[1]
    page.goto(f"{site}/table/{table}#seat={position['seat']}&token={token}")
    page.wait_for_selector(READY)
    page.wait_for_function(f"() => ({LOST})().length === 0")
    assert page.locator(".undo").is_visible()
    page.locator(".option").last.click()
    assert page.is_enabled("#confirm")
