"""Takes the pictures of the browser's pages: python docs/browser_pictures.py (needs Chromium)."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent / "img"
SETTINGS = '{"speed": "at once", "coach": false, "hint": "planner"}'
WAIT = 300_000  # ms; the machine may be busy
SEATS = ("you", "planner", "planner")
WIDE = {"width": 1280, "height": 800}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}


@contextmanager
def served() -> Iterator[str]:
    """Runs the browser table and yields its address."""
    play = "from gonzaga_table.cli import play; raise SystemExit(play())"
    options = ("--no-open", "--port", "0", "--data")
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-c", play, *options, f"{folder}/tables.sqlite"],
            stdout=subprocess.PIPE,
            text=True,
        ) as server,
    ):
        try:
            assert server.stdout is not None
            found = re.search(r"http://[\w.:]+", server.stdout.readline())
            assert found, "the server prints its address"
            yield found[0]
        finally:
            server.terminate()


def opened(browser: Any, **options: Any) -> Any:
    """Returns a page without coach and animations."""
    context = browser.new_context(**options)
    context.set_default_timeout(WAIT)
    context.add_init_script(f"localStorage['gonzaga.settings'] ??= JSON.stringify({SETTINGS})")
    return context.new_page()


def play_until(
    page: Any, site: str, first_round: int, game: str = "gonzaga", placing: str = "Place fief"
) -> None:
    """Opens a table and follows the planner's hints, until one of this round or later places."""
    page.goto(site)
    page.check(f"#games [value={game}]")
    page.fill("#name", "Isabella")
    page.select_option("#players", str(len(SEATS)))
    for seat, kind in enumerate(SEATS):
        page.select_option(f".seat-{seat} select", kind)
    page.click("#start")
    while True:
        page.wait_for_selector("#turn.yours #confirm")
        number = int(page.inner_text("#stage").split()[1].rstrip(",:"))  # of "Round 5 · placing"
        page.click("#hint")
        page.locator(".hint-choice").first.click()
        if number >= first_round and placing in page.inner_text("#choice"):
            return
        move = page.get_attribute("#turn", "data-move")
        page.click("#confirm")
        page.wait_for_selector(f"#turn.yours:not([data-move='{move}']) #confirm")


def spoil(page: Any, site: str) -> None:
    """Opens the editor and gives the shipped map some faults."""
    page.goto(f"{site}/editor")
    page.click("dialog button:has-text('shipped map')")
    page.wait_for_selector("dialog", state="detached")
    page.click('[data-key="tool city"]')
    page.click('[data-cell="15,12"]')  # Roma
    page.fill('[data-key="city name"]', "Mantova")
    page.press('[data-key="city name"]', "Enter")
    page.click('[data-key="tool harbor"]')
    page.locator('[data-cell="16,14"]').drag_to(page.locator('[data-cell="13,10"]'))  # Napoli
    page.wait_for_selector("body[data-checked=yes]")
    page.wait_for_selector("#faults h2:has-text('faults')")


def shoot(page: Any, name: str) -> None:
    """Writes what a page shows in 128 colours, a quarter of the bytes of a screenshot."""
    shown = Image.open(BytesIO(page.screenshot())).convert("RGB")
    few = shown.quantize(128, dither=Image.Dither.NONE)
    few.save(FOLDER / name, optimize=True)


def shoot_game(browser: Any, site: str, game: str, placing: str) -> None:
    """Writes the pictures of one of the newer games, `GAME_table.png` and `GAME_phone.png`."""
    for name, options in (("table", {"viewport": WIDE}), ("phone", {**PHONE, "has_touch": True})):
        page = opened(browser, **options)
        play_until(page, site, 2, game, placing)
        page.wait_for_timeout(1000)  # the place scrolls into view
        shoot(page, f"{game}_{name}.png")


def main() -> None:
    """Writes all pictures."""
    with served() as site, sync_playwright() as started:
        path = shutil.which("chromium")
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = opened(browser, viewport=WIDE)
        play_until(page, site, 5)
        shoot(page, "table.png")
        page = opened(browser, **PHONE, color_scheme="dark", has_touch=True)
        play_until(page, site, 3)
        page.evaluate("scrollTo(0, 0)")
        shoot(page, "table_phone.png")
        shoot_game(browser, site, "tuscany", "tile on")
        shoot_game(browser, site, "signorie", "")
        page = opened(browser, viewport=WIDE)
        spoil(page, site)
        shoot(page, "editor.png")
        browser.close()


if __name__ == "__main__":
    main()
