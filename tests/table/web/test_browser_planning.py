"""Planning on the map in Chromium: a click offers plans, and its spot is kept until placed."""

from tests.table.web.browser import PHONE
from tests.table.web.driver import center_of, confirm, wait_for_turn


def test_a_tap_keeps_a_spot_and_chooses_its_card(site, open_page) -> None:
    page = open_page(**PHONE)
    page.goto(site)
    page.tap("#first-game")
    assert wait_for_turn(page) == "planning"
    page.locator(".cards.region .card").first.tap()
    page.touchscreen.tap(*center_of(page, ".layer-spots .spot", 5))
    assert page.locator(".layer-ghost .piece").count() >= 3
    assert page.locator(".cards.action :checked").count() == 1
    assert page.is_enabled("#confirm")
    before = page.inner_html("#rotate")
    page.tap("#rotate")
    assert page.inner_html("#rotate") != before


def test_a_round_takes_a_spot_its_plan_and_two_confirmations(begin) -> None:
    page = begin("greedy")
    page.mouse.move(*center_of(page, "svg.board"))
    assert page.locator(".layer-preview *, .layer-ghost *").count() == 0
    page.mouse.click(*center_of(page, "svg.board"))
    points = [int(text.split("+")[1]) for text in page.locator(".offer").all_inner_texts()]
    assert points == sorted(points, reverse=True)
    assert page.locator(".offer[aria-pressed=true]").count() == 1
    page.locator(".offer").last.click()
    assert page.locator(".offer").last.get_attribute("aria-pressed") == "true"
    chosen = page.inner_text(".offer[aria-pressed=true] span")
    assert page.inner_text("#choice").lower() == chosen.lower()
    confirm(page)
    assert wait_for_turn(page) == "placing"
    assert page.inner_text("#choice").startswith("The spot you had in mind.")
    assert page.inner_text("#confirm") == f"Play: +{points[-1]}"
    confirm(page)
    assert wait_for_turn(page) == "planning"
    assert (
        page.locator(".layer-dim *").count() == 0
    )  # no card lies under the pointer as if pointed at


def test_a_hex_that_no_plan_opens_says_why(begin) -> None:
    page = begin("greedy")
    page.mouse.click(*center_of(page, "svg.board"))
    confirm(page)
    assert wait_for_turn(page) == "placing"
    at = center_of(page, ".layer-chosen .piece")
    confirm(page)
    assert wait_for_turn(page) == "planning"
    page.mouse.click(*at)
    page.wait_for_selector(".layer-preview .wrong")
    assert page.inner_text("#spot-said") == "Not here: a fief of yours lies there (R4.3)."
    assert page.is_disabled("#confirm")


def test_a_double_click_plays_once(begin) -> None:
    page = begin("greedy")
    page.mouse.click(*center_of(page, "svg.board"))
    confirm(page)
    assert wait_for_turn(page) == "placing"
    page.mouse.move(*center_of(page, "#confirm"))  # where the second click would play
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.locator("#donate").dblclick()
    assert page.inner_text("#confirm") == "Play: +3"
    confirm(page)
    assert "donates the fief" in page.inner_text("#log")
