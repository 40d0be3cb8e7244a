"""Planning on the map in Chromium: what cards would allow, a spot kept in mind, the overview."""

from typing import Any

from tests.table.web.browser import PHONE
from tests.table.web.driver import center_of, wait_for_turn


def choose(page: Any, region: int, card: int) -> None:
    page.locator(".cards.region .card").nth(region).click()
    page.locator(".cards.action .card").nth(card).click()


def test_cards_say_and_show_what_they_allow(begin) -> None:
    page = begin("greedy")
    counts = page.locator(".cards.region .count").all_inner_texts()
    assert all("spots" in count and "best +" in count for count in counts)
    assert page.locator(".dim").count() == 0
    page.hover(".cards.region .card >> nth=1")
    shown = page.locator(".layer-spots .spot").count()
    assert shown > 10
    assert page.locator(".dim").count() > 200
    page.hover("#stage")
    assert page.locator(".dim").count() == 0
    choose(page, 1, 0)
    after = page.locator(".cards.region .count").nth(1).inner_text().replace("\n", ", ")
    assert page.inner_text("#spot-said") == f"{after}."
    assert 0 < page.locator(".layer-spots .spot").count() < shown


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


def test_keys_draw_what_pieces_add_up_to(begin) -> None:
    page = begin("greedy")
    page.keyboard.press("o")
    page.wait_for_selector(".goal.open")
    assert page.locator("polygon.goal").count() == 6
    assert page.inner_text(".overview-said").startswith("open: ")
    page.keyboard.press("l")
    page.wait_for_selector(".harbor-free")
    assert page.locator(".harbor-free").count() == 24
    page.keyboard.press("g")
    page.wait_for_function("() => !document.querySelector('.layer-outlines > *')")
    assert page.inner_text(".overview-said") == "No pieces yet."
    assert page.get_attribute("#show-groups", "aria-pressed") == "true"
    page.keyboard.press("g")
    assert page.is_hidden(".overview-said")
