"""The pages in a real browser: whole games, reloads, keys alone, and a phone."""

import json
from typing import Any

import pytest

from tests.table.web.browser import PHONE
from tests.table.web.driver import (
    center_of,
    confirm,
    moves_made,
    plan,
    start_game,
    take_turn,
    wait_for_turn,
    wait_until_played,
)


def test_a_whole_game_against_agents(site, open_page) -> None:
    page = open_page()
    start_game(page, site, ["you", "greedy"])
    stages = []
    while not stages or stages[-1] != "over":
        stages.append(take_turn(page))
    assert stages[:4] == ["planning", "placing", "planning", "placing"]
    assert 12 <= len(stages) - 1 <= 24  # two turns a round, 6 to 12 rounds
    page.wait_for_selector(".waiting", state="detached")  # all sources have been told
    totals = [int(text) for text in page.locator(".final .sum td").all_inner_texts()]
    shown = [int(text) for text in page.locator(".player .score").all_inner_texts()]
    assert sorted(totals) == sorted(shown)
    assert totals == sorted(totals, reverse=True)
    with page.expect_download() as download:
        page.click("#download")
    record = json.loads(download.value.path().read_text())
    assert sorted(record["scores"]["total"]) == sorted(totals)
    assert len(record["moves"]) == 2 * (len(stages) - 1)

    page.click("#step-through")
    page.wait_for_url("**/game/*")
    page.wait_for_selector("#log li")
    assert page.locator("#slider").input_value() == str(len(record["moves"]))
    assert page.locator("#now h2").inner_text().startswith("Over after")

    page.goto(f"{site}/record")
    scores = [int(word) for word in page.inner_text("#tables li").split() if word.isdigit()]
    assert sorted(totals) == sorted(scores)
    page.click("#tables >> text=Replay")
    page.wait_for_function("() => document.querySelector('#number').textContent.startsWith('0 /')")


def test_a_preview_follows_the_pointer_and_a_choice_can_be_taken_back(begin) -> None:
    page = begin("greedy")
    plan(page)
    assert wait_for_turn(page) == "placing"
    page.mouse.move(*center_of(page, ".spot"))
    page.wait_for_selector(".layer-preview .piece")
    assert page.is_disabled("#confirm")
    board = page.locator("svg.board").bounding_box()
    page.mouse.move(board["x"] + 12, board["y"] + 12)  # no fief lies on the map's edge
    page.wait_for_selector(".layer-preview .illegal")
    page.wait_for_selector(".layer-preview .wrong")  # the server's answer
    assert page.inner_text("#choice").startswith("Not here: no hex of it lies in")  # before R4.3

    page.mouse.click(*center_of(page, ".spot"))
    assert page.is_enabled("#confirm")
    assert page.locator(".layer-chosen .piece").count() in (3, 4)
    page.keyboard.press("Escape")
    assert page.locator(".layer-chosen .piece").count() == 0
    before = page.locator(".turn[aria-pressed=true]").get_attribute("aria-label")
    page.mouse.wheel(0, 100)
    page.wait_for_function(
        "before => document.querySelector('.turn[aria-pressed=true]').ariaLabel !== before",
        arg=before,
    )
    page.click("#donate")
    assert "Play: +3" in page.inner_text("#confirm")
    page.keyboard.press("Enter")  # after a click it confirms, too
    page.wait_for_selector(".planning")


def test_a_wedding_is_chosen_on_the_map(begin) -> None:
    page = begin("random")
    page.locator(".cards.region .card").first.click()
    page.locator(".cards.action .card").nth(2).click()  # C
    confirm(page)
    assert wait_for_turn(page) == "placing"
    assert page.inner_text("#turn h2").startswith("Place fief")
    page.click("#wedding")
    assert page.inner_text("#turn h2") == "Arrange a wedding"
    assert "the first ring in" in page.inner_text(".reminder")
    page.mouse.click(*center_of(page, ".spot"))
    assert page.locator(".layer-chosen .ring").count() == 1
    page.mouse.click(*center_of(page, ".spot"))  # now the hexes next to the first ring
    assert page.locator(".layer-chosen .ring").count() == 2
    assert "wedding with two rings" in page.inner_text("#choice")
    rings = page.locator(".player[data-seat='0'] .rings svg")
    assert rings.get_attribute("aria-label") == "6 rings"
    confirm(page)
    assert wait_for_turn(page) == "planning"
    assert rings.get_attribute("aria-label") == "4 rings"


def test_hints_choose_what_they_say(site, open_page) -> None:
    page = open_page(settings='{"speed": "at once", "coach": false, "hint": "greedy"}')
    start_game(page, site, ["you", "greedy"])
    for stage in ("planning", "placing"):
        assert wait_for_turn(page) == stage
        page.keyboard.press("h")
        page.wait_for_selector(".hint-choice")
        words = page.locator(".hint-words").first.evaluate("words => words.firstChild.data")
        assert page.locator(".hint-words small").first.inner_text()  # the reasons
        page.locator(".hint-choice").first.click()
        assert page.is_enabled("#confirm")
        assert page.inner_text("#choice").startswith(words)
        if stage == "placing":
            on_map = [
                w for w in page.locator(".hint-choice").all_inner_texts() if "Donate" not in w
            ]
            assert page.locator(".hint-badge").count() == min(5, len(on_map))
        confirm(page)


def test_reload_in_mid_game(site, open_page) -> None:
    page = open_page()
    table = start_game(page, site, ["you", "greedy", "random"])
    for stage in ("planning", "placing", "planning"):
        assert take_turn(page) == stage
    assert wait_for_turn(page) == "placing"
    before = moves_made(page), page.inner_text("#players"), page.inner_text("#log")
    page.reload()
    assert wait_for_turn(page) == "placing"
    assert (moves_made(page), page.inner_text("#players"), page.inner_text("#log")) == before

    page.goto(site)  # another page, and back by the list of tables
    page.click(f"#tables a[href='/table/{table}']")
    assert wait_for_turn(page) == "placing"
    assert moves_made(page) == before[0]
    assert take_turn(page) == "placing"


@pytest.mark.smoke
def test_the_first_game_has_lessons(site, open_page) -> None:
    page = open_page(settings='{"speed": "at once"}')
    page.goto(site)
    page.click("#first-game")
    for stage in ("planning", "placing"):
        assert wait_for_turn(page) == stage
        said = page.get_attribute("#coach", "data-key")
        assert said == {"planning": "plan", "placing": "place"}[stage]
        assert page.locator(".coached").count() == 1
        page.click("#show-me")
        confirm(page)
    assert wait_for_turn(page) == "planning"
    assert page.get_attribute("#coach", "data-key") == "locked"
    assert page.inner_text(".praise")
    page.click("#coach button")
    assert page.is_hidden("#coach")
    page.reload()
    assert wait_for_turn(page) == "planning"
    assert page.is_hidden("#coach")


def test_keys_alone(site, open_page) -> None:
    page = open_page()
    page.goto(site)
    page.wait_for_selector("#players option", state="attached")
    press_until_focused(page, "Tab", "first-game")
    page.keyboard.press("Enter")
    assert wait_for_turn(page) == "planning"
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    assert page.is_hidden("#help")
    while (stage := wait_for_turn(page)) != "over":
        play_by_keys(page, stage)


def press_until_focused(page: Any, key: str, wanted: str) -> None:
    for _ in range(40):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.id") == wanted:
            assert page.evaluate("document.activeElement.matches(':focus-visible')")
            return
    raise AssertionError(f"{key} never comes to {wanted}")


def play_by_keys(page: Any, stage: str) -> None:
    before = moves_made(page)
    if stage == "planning":
        for key in "1234567abc":  # locked cards stay as they are
            page.keyboard.press(key)
        assert page.is_enabled("#confirm")
    else:
        page.keyboard.press("m")
        assert page.locator(".layer-cursor polygon").count() == 1
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".cursor")
        page.wait_for_function(  # what is heard
            r"() => /row \d+, column \d+/.test("
            "document.querySelector('#announcements').textContent)"
        )
        page.keyboard.press("r")
        page.keyboard.press("n")
        if page.is_disabled("#confirm"):
            page.keyboard.press("d")
        assert page.inner_text("#choice")
    page.keyboard.press("Enter")
    wait_until_played(page, before)


def test_on_a_phone(site, open_page) -> None:
    page = open_page(**PHONE)
    page.goto(site)
    page.wait_for_selector("#players option", state="attached")
    assert_no_sideways_scroll(page)
    page.tap("#first-game")
    while (stage := wait_for_turn(page)) != "over":
        assert_no_sideways_scroll(page)
        play_by_touch(page, stage)
    assert_no_sideways_scroll(page)
    for path in ("/record", "/rules"):
        page.goto(site + path)
        assert_no_sideways_scroll(page)


def play_by_touch(page: Any, stage: str) -> None:
    """Plays the first cards that are free, or a spot on the map; donates where there is none."""
    if stage == "planning":
        page.locator(".cards.region .card:not(.locked)").last.tap()
        page.locator(".cards.action .card:not(.locked)").first.tap()
    elif page.query_selector(".spot"):
        page.touchscreen.tap(*center_of(page, ".spot"))
    else:
        page.locator("#donate").tap()
    assert page.is_enabled("#confirm")
    box = page.locator("#confirm").bounding_box()
    assert box["height"] >= 44  # a finger's width
    confirm(page, tap=True)


def assert_no_sideways_scroll(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_rules_lie_beside_the_table(begin) -> None:
    page = begin("random")
    page.click("#rules-button")
    page.click("#rules-text a:text-is('R3.7') >> nth=-1")  # the points of a donation
    page.wait_for_selector("#rules-text .rule.shown:text-is('R3.7')")
    assert page.evaluate("location.hash") == ""
    text = page.inner_text("#rules-text")
    assert all(rule in text for rule in ("R3.5", "R4.2", "R5.4", "R6.3", "R8.2"))


def test_rules_are_printed_on_white(site, open_page) -> None:
    page = open_page(color_scheme="dark")
    page.goto(f"{site}/rules")
    page.emulate_media(media="print", color_scheme="dark")
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert (paper, ink) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    assert page.is_visible("img.on-light >> nth=0")
    assert page.is_hidden("img.on-dark >> nth=0")


def test_an_unknown_table_is_named(site, open_page) -> None:
    page = open_page(quiet=True)  # Chromium logs a 404 as an error
    page.goto(f"{site}/table/nothing")
    page.wait_for_selector("#notice:visible")
    assert "no table at this address" in page.inner_text("#notice")
    page.click("#turn a")
    page.wait_for_selector("#first-game")


def test_an_unknown_address_is_a_page(site, open_page) -> None:
    page = open_page(quiet=True, locale="de-DE")
    page.goto(f"{site}/tabel/nothing")
    assert page.get_attribute("html", "lang") == "de"
    page.wait_for_selector("h1:text('Diese Seite gibt es nicht')")
    page.click("main a")
    page.wait_for_selector("#first-game")


@pytest.mark.parametrize("system", ["light", "dark"])
def test_each_click_on_the_theme_shows(system, begin) -> None:
    page, seen = begin("random", color_scheme=system), []
    for _ in range(4):
        seen.append(page.evaluate("document.documentElement.dataset.theme"))
        drawn = page.inner_html(".layer-ground")
        page.click("[data-switch-theme]")
        page.wait_for_function(
            "before => document.querySelector('.layer-ground').innerHTML !== before", arg=drawn
        )
        page.reload()
        wait_for_turn(page)
    other = "dark" if system == "light" else "light"
    assert seen == [system, other, system, other]


def test_a_language_that_was_chosen_stays(site, open_page) -> None:
    page = open_page(locale="it-IT")
    start_game(page, site, ["you", "greedy"])
    assert page.get_attribute("html", "lang") == "en"
    page.select_option("select.language", "de")
    page.wait_for_selector("html[lang=de]")
    assert take_turn(page) == "planning"
    assert wait_for_turn(page) == "placing"
    assert "Die Pläne sind offen" in page.inner_text("#log")
    page.click("#hint")
    page.wait_for_selector(".hint-choice")
    assert "jede Wahl" in page.inner_text("#hints")
    page.goto(site)
    assert page.get_attribute("html", "lang") == "de"


@pytest.mark.smoke
def test_a_browser_that_stores_nothing_plays_on_in_memory(site, open_page) -> None:
    page = open_page()
    for name in ("localStorage", "sessionStorage"):
        page.add_init_script(
            f"Object.defineProperty(window, '{name}', {{ get() {{ throw new Error('denied'); }} }})"
        )
    page.goto(site)
    page.wait_for_selector("#notice >> text=This browser stores nothing")
    page.wait_for_selector("#seats select")
    page.click("#start")
    page.wait_for_url("**/table/*#seat=0&token=*")
    for _ in range(2):
        page.wait_for_selector("#turn.yours #confirm")
        page.reload()


def test_damaged_tables_do_not_break_the_start_page(site, open_page) -> None:
    page = open_page()
    for kept in ("{", "7", '[{"id": "x", "tokens": {}, "invited": [], "names": 3}, null]'):
        page.goto(site)
        page.evaluate("text => localStorage.setItem('gonzaga.tables', text)", kept)
        page.reload()
        page.wait_for_selector("#seats select")
        assert page.locator("#tables li").count() == 0
        page.click("#games input[value=tuscany]", force=True)
        page.wait_for_selector("#rules-of-others select", state="attached")
