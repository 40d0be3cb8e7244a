"""Planning on the map in Chromium: what cards would allow, a spot kept in mind, the overview."""

from typing import Any

from tests.table.web.browser import PHONE
from tests.table.web.driver import center_of, wait_for_turn


def choose(page: Any, region: int, card: int) -> None:
    page.locator(".cards.region .card").nth(region).click()
    page.locator(".cards.action .card").nth(card).click()


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
