"""How the table fits its window, in Chromium: five sizes, nothing lost, names that can be read."""

from typing import Any

import pytest

from tests.table.web.driver import center_of, start_game, take_turn, wait_for_turn

TOUCH = {"has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1440, "height": 900}}
UPRIGHT = {"viewport": {"width": 390, "height": 844}, **TOUCH}
SIZES = [
    WIDE,
    {"viewport": {"width": 1280, "height": 800}},
    {"viewport": {"width": 1366, "height": 650}},
    UPRIGHT,
    {"viewport": {"width": 844, "height": 390}, **TOUCH},
]
#: What must be seen all the time, and may not lie over each other.
PARTS = (".top", "#strip", "#board", "#turn", ".tabs")
BOXES = """names => names.map(name => {
  const {left, top, right, bottom} = document.querySelector(name).getBoundingClientRect();
  return [left, top, right, bottom];
})"""
#: Sizes in pixels of the letters of all names that are shown.
LETTERS = """() => [...document.querySelectorAll('.layer-names text')]
  .filter(text => text.style.display !== 'none')
  .map(text => parseFloat(text.getAttribute('font-size')) * text.getScreenCTM().a)"""
#: The width of a hex in pixels; or whether it is more or less than a limit.
HEX = """limits => {
  const points = document.querySelector('.layer-coordinates, .layer-ground');
  const width = 76 * points.getScreenCTM().a;
  return limits ? limits[0] < width && width < limits[1] : width;
}"""
MANY = 1000.0


def assert_it_fits(page: Any) -> None:
    """Asserts that the page does not scroll, and that its parts lie in it side by side."""
    width, height = page.evaluate("[innerWidth, innerHeight]")
    root = "document.documentElement"
    assert page.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight]") == [width, height]
    boxes = page.evaluate(BOXES, list(PARTS))
    for name, (left, top, right, bottom) in zip(PARTS, boxes, strict=True):
        assert -0.5 <= left < right <= width + 0.5, name
        assert -0.5 <= top < bottom <= height + 0.5, name
    for i, (left, top, right, bottom) in enumerate(boxes):
        for j in range(i):
            x0, y0, x1, y1 = boxes[j]
            apart = left >= x1 - 1 or x0 >= right - 1 or top >= y1 - 1 or y0 >= bottom - 1
            assert apart, (PARTS[i], PARTS[j])


def assert_play_can_be_pressed(page: Any) -> None:
    """Asserts that the button which confirms lies in the window with nothing above it."""
    box = page.locator("#confirm").bounding_box()
    width, height = page.evaluate("[innerWidth, innerHeight]")
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height
    assert box["height"] >= 44  # a finger's width
    x, y = center_of(page, "#confirm")
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", [x, y]) == "confirm"


def assert_all_cards_are_seen(page: Any) -> None:
    """Asserts that no card of a plan is cut off by the panel, which would have to be scrolled."""
    panel, card = (page.locator(name).last.bounding_box() for name in ("#turn", ".planning .card"))
    assert card["y"] + card["height"] <= panel["y"] + panel["height"]


def assert_the_strip_tells(page: Any, number: int) -> None:
    """Asserts that each player's crest, points, fief and rings can be seen."""
    for part in (".crest", ".points", ".shape svg", ".ring-count", ".name"):
        assert page.locator(f".chip {part}:visible").count() >= number, part


@pytest.mark.parametrize("size", SIZES)
def test_all_that_is_needed_fits_the_window(site, open_page, size) -> None:
    page = open_page(**{**WIDE, **TOUCH} if size is WIDE else size)
    start_game(page, site, ["you", "random", "random", "random"])
    for turn in range(3):  # planning, placing, planning with locked cards
        if turn:
            take_turn(page)
        if wait_for_turn(page) == "planning":
            assert_all_cards_are_seen(page)
        assert_it_fits(page)
        assert_play_can_be_pressed(page)
        assert_the_strip_tells(page, 4)
        letters = page.evaluate(LETTERS)
        assert letters
        assert min(letters) >= 9.99
    assert page.locator(".locked-card:visible").count() >= 3


@pytest.mark.parametrize("size", SIZES)
def test_a_map_is_zoomed_and_its_names_appear(begin, size) -> None:
    page = begin("random", **size)
    before, width = len(page.evaluate(LETTERS)), page.evaluate(HEX)
    page.locator("svg.board").focus()
    for _ in range(3):
        page.keyboard.press("+")
    page.wait_for_function(HEX, arg=[2.5 * width, MANY])
    assert page.evaluate(HEX) >= 32  # a fingertip's width
    letters = page.evaluate(LETTERS)
    assert len(letters) >= before
    assert min(letters) >= 9.99
    for _ in range(4):
        page.keyboard.press("-")
    page.wait_for_function(HEX, arg=[0, 1.05 * width])


def test_the_wheel_turns_a_fief_in_hand_and_else_zooms(site, open_page) -> None:
    page = open_page()
    start_game(page, site, ["you", "random"])
    assert take_turn(page) == "planning"
    assert wait_for_turn(page) == "placing"
    width, turn = page.evaluate(HEX), page.get_attribute(".turn[aria-pressed=true]", "aria-label")
    page.mouse.move(*center_of(page, "svg.board"))
    page.mouse.wheel(0, 100)
    page.wait_for_function(
        "turn => document.querySelector('.turn[aria-pressed=true]').ariaLabel !== turn", arg=turn
    )
    assert page.evaluate(HEX) == pytest.approx(width)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function(HEX, arg=[1.3 * width, MANY])


def test_the_legend_tells_all_signs_and_numbers_the_map(begin) -> None:
    page = begin("random")
    assert page.locator(".layer-coordinates text").first.is_hidden()
    page.click("#legend-button")
    assert page.locator("#legend dt").count() == page.locator("#legend dd").count() >= 17
    page.check("#legend input")
    page.keyboard.press("Escape")
    assert page.locator(".layer-coordinates text").first.is_visible()
    page.reload()
    wait_for_turn(page)
    assert page.locator(".layer-coordinates text").first.is_visible()
