"""The page in Chromium: keys, buttons, the log, themes and a phone's width."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gonzaga_env.show.page import page

Open = Callable[..., Any]


@pytest.fixture
def opened(chromium, game, tmp_path) -> Iterator[Open]:
    """Returns a function that opens the page; faults and requests are found at the end."""
    file, found, contexts = tmp_path / "game.html", [], []
    file.write_text(page(game.edition, game.frames, game.title, 2), "utf-8")

    def call(width: int = 1280, height: int = 800, scheme: str = "light", **more: Any) -> Any:
        size = {"width": width, "height": height}
        context = chromium.new_context(viewport=size, color_scheme=scheme, **more)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: found.append(message.text))
        tab.on("pageerror", lambda error: found.append(str(error)))
        tab.on("request", lambda request: found.append(request.url))
        tab.goto(file.as_uri())
        found.remove(file.as_uri())
        return tab

    yield call
    for context in contexts:
        context.close()
    assert found == []


def move(tab: Any) -> int:
    """Returns the move that is shown, everywhere the same."""
    number = int(tab.inner_text("#number").split()[1])
    current = tab.evaluate(
        "[...document.querySelectorAll('#log button')]"
        ".flatMap((b, i) => b.hasAttribute('aria-current') ? [i] : [])"
    )
    assert current == [number]
    assert tab.input_value("#slider") == str(number)
    return number


def pieces(tab: Any) -> int:
    return tab.locator("#board > g").count()


def test_keys_step_through_the_game(opened, game) -> None:
    tab = opened()
    assert move(tab) == 2
    shown = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowUp"):
        tab.keyboard.press(key)
        shown.append(move(tab))
    assert shown == [3, 4, 3, 6, 12, 6]
    tab.keyboard.press("End")
    assert move(tab) == game.last
    last = game.frames[-1].view
    assert tab.inner_text("#stage") == f"Over after {last.round} rounds"
    assert tab.is_visible("#final table")
    totals = [int(text) for text in tab.locator("#final tbody tr:last-child td").all_inner_texts()]
    assert totals == sorted((player.score for player in last.players), reverse=True)
    assert pieces(tab) == len(last.fiefs) + len(last.rings) + 4 + bool(last.last.cells)
    tab.keyboard.press("ArrowRight")
    assert move(tab) == game.last
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowLeft")
    assert (move(tab), pieces(tab)) == (0, 4)
    assert not tab.is_visible("#final")
    assert tab.inner_text("#lines") == "The cards are dealt"


def test_buttons_log_slider_and_curves_choose_the_move(opened, game) -> None:
    tab, shown = opened(), []
    for button in ("#next", "#back", "#round_next", "#round_back", "#end", "#first"):
        tab.click(button)
        shown.append(move(tab))
    assert shown == [3, 2, 6, 0, game.last, 0]
    tab.click("#log li:nth-child(12) button")
    assert move(tab) == 11
    tab.fill("#slider", "30")
    assert move(tab) == 30
    tab.locator("#slider").focus()
    tab.keyboard.press("ArrowRight")
    assert move(tab) == 31
    box = tab.locator("#chart").bounding_box()
    at = {"x": 90 / 900 * box["width"], "y": box["height"] / 2}
    tab.click("#chart", position=at)
    assert move(tab) == 0


def test_everything_is_reached_by_tab(opened) -> None:
    tab, reached = opened(), []
    for _ in range(12):
        tab.keyboard.press("Tab")
        reached.append(
            tab.evaluate("document.activeElement.id || document.activeElement.innerText")
        )
    assert reached == [
        *("theme", "first", "round_back", "back", "play", "next", "round_next", "end"),
        *("speed", "zoom", "slider"),
        tab.inner_text("#log [aria-current]"),  # one stop for all its lines
    ]
    tab.locator("#next").focus()
    tab.keyboard.press("Enter")
    assert move(tab) == 3
    tab.keyboard.press(" ")
    assert move(tab) == 4


def test_it_plays_by_itself_to_the_end(opened, game) -> None:
    tab = opened()
    tab.clock.install(time=0)
    tab.clock.pause_at(1000)  # from here on, time passes in `run_for` only
    tab.keyboard.press(" ")
    assert tab.inner_text("#play") == "pause"
    tab.clock.run_for(2400)
    assert move(tab) == 5
    tab.select_option("#speed", "300")
    tab.clock.run_for(600)
    assert move(tab) == 7
    tab.keyboard.press(" ")
    assert tab.inner_text("#play") == "play"
    tab.clock.run_for(5000)
    assert move(tab) == 7
    tab.click("#play")
    tab.clock.run_for(300 * game.last)
    assert (move(tab), tab.inner_text("#play")) == (game.last, "play")
    tab.click("#play")  # once more from the deal
    assert move(tab) == 0


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_nothing_is_wider_than_the_window(opened, width) -> None:
    tab = opened(width, 844)
    tab.keyboard.press("End")
    for _ in range(2):
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        tab.keyboard.press("z")
    assert tab.get_attribute("#zoom", "aria-pressed") == "false"
