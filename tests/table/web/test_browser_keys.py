"""Games shown in blocks by keys alone in Chromium, and what cannot be chosen."""

import pytest

from tests.table.web.driver import READY, moves_made, wait_until_played


def test_signorie_is_played_by_keys(site, open_page) -> None:
    """A die, what it does, Enter: each decision takes the first choice that the keys reach."""
    page = open_page()
    page.goto(site)
    page.check("#games input[value=signorie]")
    page.select_option("#players", "2")
    page.select_option(".seat-1 select", "greedy")
    page.click("#start")
    page.wait_for_url("**/table/*")
    dice = limited = 0
    while page.wait_for_selector(READY).evaluate("found => found.id === 'confirm'"):
        before = moves_made(page)
        page.keyboard.press("ArrowDown")
        if page.evaluate("document.activeElement.matches('.first')"):
            dice += 1
            page.keyboard.press("Enter")  # goes to what the die can do
            assert page.evaluate("document.activeElement.matches('.option')")
            limited += page.locator(".spot.off").count() > 0
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        wait_until_played(page, before)
    assert dice >= 7  # one in each round
    assert limited >= 7  # only the picked die's places are marked


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_a_place_that_cannot_be_chosen_says_why(site, open_page, game) -> None:
    page = open_page()
    page.goto(site)
    page.check(f"#games input[value={game}]")
    page.select_option(".seat-1 select", "greedy")
    page.click("#start")
    page.wait_for_url("**/table/*")
    for _ in range(60):
        page.wait_for_selector(READY)
        before = moves_made(page)
        for svg in page.locator(".own svg.block").all():
            box = svg.bounding_box()
            for part in (0.2, 0.35, 0.5):
                svg.hover(position={"x": part * box["width"], "y": 0.5 * box["height"]}, force=True)
                if page.locator(".tip .why").count():
                    assert "Not now: " in page.inner_text("#tip")
                    return
        page.locator(".first, .option").first.click()
        if page.is_disabled("#confirm"):
            page.locator(".option").first.click()
        page.click("#confirm")
        wait_until_played(page, before)
    raise AssertionError("no place was refused")
