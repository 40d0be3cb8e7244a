"""The game in a browser, from a plain server of files."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.table.web.browser import open_page  # noqa: F401, a fixture
from tools.browser import build

STATIC = build.ROOT / "docs" / "_static" / "play"
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<link rel="stylesheet" href="_static/play/play.css"><title>Play now</title>
<div id="play-table"></div><script src="_static/play/play.js"></script>"""
WORKER = """self.onmessage = async ({ data, ports: [port] }) => {
  if (data.path) {
    const first = await fetch("first.json", { cache: "no-store" });
    return self.postMessage(await first.json());
  }
  port.postMessage({ status: 200, headers: '[["content-type", "text/plain"]]' });
  port.postMessage({ content: new TextEncoder().encode("A table") });
  port.postMessage({});
};"""
SECONDS = 240  # in which Python starts on a machine that is busy


class Handler(SimpleHTTPRequestHandler):
    """A server of files that is silent."""

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def serve(tmp_path) -> Iterator[Callable[[], str]]:
    """Serves a folder with the page, and returns its address; `site` is the folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def start() -> str:
        shutil.copytree(STATIC, tmp_path / "_static" / "play", dirs_exist_ok=True)
        (tmp_path / "index.html").write_text(PAGE)
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_round_is_played_in_the_page(serve, open_page, tmp_path) -> None:  # noqa: F811
    if not build.MODULES.is_dir():
        pytest.skip("needs Pyodide: npm ci --prefix tools/browser")
    build.build(tmp_path / "_static" / "play")
    page = open_page()
    page.set_default_timeout(SECONDS * 1000)
    page.goto(serve())
    page.get_by_role("button", name="Play now").click()
    table = page.frame_locator("iframe")
    table.get_by_label("Player 2").select_option("learned")
    table.locator("#start").click()
    stage = table.locator("#stage")
    stage.filter(has_text="Round 1").wait_for()
    frame = page.frames[-1]
    assert "/_static/play/at/" in frame.url
    for _ in range(40):  # decisions and waiting, until the next round begins
        if "Round 2" in stage.inner_text():
            break
        frame.locator("body").press("n")  # the next placement, or nothing
        for key in ("1", "a", "Enter", "n", "Enter", "Enter"):
            frame.locator("body").press(key)
        frame.wait_for_timeout(300)
    assert "Round 2" in stage.inner_text()
    assert "learned" in table.locator("#strip").inner_text()
    page.get_by_role("button", name="Back to the page").click()
    assert page.get_by_role("button", name="Go on playing").is_visible()

    page.reload()  # the browser keeps the tables
    page.get_by_role("button", name="Play now").click()
    table.locator("#tables a").first.click()
    stage.filter(has_text="Round 2").wait_for()
    second = page.context.new_page()
    second.goto(page.url)
    second.get_by_role("button", name="Play now").click()
    second.get_by_text("open in another tab").wait_for()


def test_what_did_not_start_can_be_started_again(serve, open_page, tmp_path) -> None:  # noqa: F811
    page = open_page()
    page.goto(serve())
    play = tmp_path / "_static" / "play"
    (play / "sizes.json").write_text('{"packages.zip": 1}')
    (play / "worker.js").write_text(WORKER)
    (play / "first.json").write_text('{"failed": "a flood"}')
    page.get_by_role("button", name="Play now").click()
    page.get_by_text("The game did not start: a flood").wait_for()
    (play / "first.json").write_text('{"stage": "ready"}')
    page.get_by_role("button", name="Play now").click()
    page.frame_locator("iframe").get_by_text("A table").wait_for()


def test_a_site_without_the_game_says_so(serve, open_page) -> None:  # noqa: F811
    page = open_page(quiet=True)  # the browser reports the file that is missing
    page.goto(serve())
    page.get_by_role("button", name="Play now").click()
    page.get_by_text("built without the game").wait_for()
    assert page.get_by_role("button", name="Play now").is_enabled()
