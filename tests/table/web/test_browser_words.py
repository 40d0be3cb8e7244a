"""Pages in the language of the browser, or in the one that was chosen."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.table.web.driver import start_game, take_turn, wait_for_turn

OpenPage = Callable[..., Any]


def test_a_page_speaks_the_language_of_the_browser(site: str, open_page: OpenPage) -> None:
    page = open_page(locale="de-AT", quiet=True)  # Chromium logs that there is no such page
    page.goto(f"{site}/nowhere")
    assert page.get_attribute("html", "lang") == "de"
    page.wait_for_selector("h1")  # it is hidden until it is translated
    assert page.inner_text("h1").casefold() == "diese seite gibt es nicht"


@pytest.mark.nightly
def test_a_language_that_was_chosen_stays(site: str, open_page: OpenPage) -> None:
    page = open_page(locale="fr-FR")
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
