"""Learning in Chromium: a puzzle from the list to its answer, and the lessons of the first game."""

from typing import Any

import pytest

from tests.table.web.browser import PHONE


def choose(page: Any, region: str, action: str) -> None:
    for name, value in (("region", region), ("action", action)):
        page.locator(f"input[name={name}][value='{value}']").check(force=True)
    page.click("#confirm")


def test_a_puzzle_from_the_list_to_its_answer(site, open_page) -> None:
    page = open_page()
    page.goto(f"{site}/learn")
    page.click(".puzzles a[href='/puzzle/plan']")
    page.wait_for_selector("#confirm")
    assert "which region and action card" in page.inner_text(".question")
    assert "best" not in page.inner_text("#turn")  # the cards keep it to themselves
    assert page.is_hidden("#hints")
    choose(page, "Hispania", "B")
    page.wait_for_selector(".verdict .wrong")
    assert "Europa" not in page.inner_text(".verdict")
    page.click("#show-best")
    page.wait_for_selector(".answered")
    assert "Europa Orientalis A" in page.inner_text(".verdict")
    page.get_by_role("button", name="Try again").click()
    choose(page, "Europa Orientalis", "A")
    page.wait_for_selector(".verdict .right")
    page.click("text=All puzzles")
    assert page.get_attribute("a[href='/puzzle/plan']", "class") == "solved"


def test_a_puzzle_is_played_on_from_a_phone(site, open_page) -> None:
    page = open_page(**PHONE)
    page.goto(f"{site}/puzzle/tempting")
    choose(page, "Hispania", "A")
    page.click("#play-on")
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#confirm")
    assert page.inner_text("#stage").startswith("Round ")


@pytest.mark.parametrize("game", ["tuscany-village", "signorie-hire"])
def test_puzzles_of_other_games_are_shown_in_blocks(site, open_page, game) -> None:
    page = open_page()
    page.goto(f"{site}/puzzle/{game}")
    page.wait_for_selector(".tray .first, .option")
    if page.locator(".tray .first").count():  # a die, before what it is for
        page.locator(".tray .first").first.click()
    page.locator(".option").last.click()
    page.click("#confirm")
    page.wait_for_selector(".verdict p")


@pytest.mark.parametrize(("game", "first"), [("tuscany", "boards"), ("signorie", "tracks")])
def test_first_games_of_newer_games_have_lessons(site, open_page, game, first) -> None:
    page = open_page(settings='{"speed": "at once"}')
    page.goto(f"{site}/learn")
    page.click(f"#first-{game}")
    page.wait_for_selector("#show-me")
    assert page.get_attribute("#coach", "data-key") == first
    assert page.locator(".coach .lesson a.rule").count()
    page.click("#show-me")
    page.click("#confirm")
    page.wait_for_selector(".praise", state="attached")
    page.click("#coach button[aria-label='End the lessons']")
    assert page.is_hidden("#coach")
    page.click("#coach-switch")  # what helps with the decision, as at any table
    assert page.is_visible("#coach .advice")
