"""A server that is killed and started again while somebody plays."""

import httpx2
from gonzaga_table.web import positions

from tests.table.web.conftest import Tables, play_on
from tests.table.web.driver import (
    HEAR_STREAMS,
    moves_made,
    plan,
    start_game,
    streamed,
    take_turn,
    wait_for_turn,
)
from tests.table.web.served import serving


def test_a_lost_connection_loses_nothing(tmp_path, open_page) -> None:
    page = open_page(quiet=True)  # Chromium logs what it cannot reach
    with serving(tmp_path) as served:
        start_game(page, served.address, ["you", "greedy"])
        assert take_turn(page) == "planning"
        assert wait_for_turn(page) == "placing"
        before = moves_made(page), page.inner_text("#players")
    page.wait_for_selector("#notice[data-lost]:visible")
    assert "Connection lost" in page.inner_text("#notice")
    page.click("#donate")
    page.click("#confirm")
    page.wait_for_function(
        "() => document.querySelector('#choice').textContent.includes('was not played')"
    )
    assert page.is_enabled("#confirm")  # the choice stays

    with serving(tmp_path, "--port", str(served.port)):
        page.wait_for_selector("#notice:not([data-lost])", state="hidden")
        assert (moves_made(page), page.inner_text("#players")) == before
        assert take_turn(page) == "placing"
        assert wait_for_turn(page) == "planning"
        plan(page)


def test_a_page_that_was_away_reads_all_of_it_in_pages(site, open_page, rng, monkeypatch) -> None:
    monkeypatch.setattr(positions, "PAGE_FRAMES", 2)
    with httpx2.Client(base_url=site) as client:
        table, people = Tables(client).open()
        page = open_page(quiet=True)
        page.add_init_script(HEAR_STREAMS)
        page.route("**/events?*", lambda route: route.abort())
        page.goto(f"{site}/table/{table}")
        page.wait_for_selector("#strip .chip")
        page.wait_for_selector("#notice[data-lost]:visible")
        play_on(people, rng, 9)
    page.unroute("**/events?*")
    page.wait_for_function("() => document.body.dataset.move === '9'")
    page.wait_for_selector("#notice:not([data-lost])", state="hidden")
    assert page.locator("#log").inner_text().count("has planned") == 4 + 1
    moves = [[frame["move"] for frame in answer["frames"]] for answer in streamed(page)]
    assert [pair for pair in moves if pair] == [[1, 2], [3, 4], [5, 6], [7, 8], [9]]
