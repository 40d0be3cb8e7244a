"""Two people who meet in the lobby, in two browsers."""

import json
from typing import Any

from tests.table.web.driver import take_turn


def meet(ann: Any, bob: Any, site: str) -> str:
    """Lets two people meet by "Play against anybody"; returns the table's id."""
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        page.goto(site)
        page.fill("#name", name)
    ann.click("#anybody")
    ann.wait_for_selector("#own-waits .leave")
    bob.click("#anybody")
    for page in (ann, bob):
        page.wait_for_url("**/table/*")
        page.wait_for_selector("#strip .chip")
    return str(ann.url).rpartition("/")[2]


def test_two_strangers_meet_in_the_lobby(site, open_page) -> None:
    ann, bob = open_page(), open_page()
    table = meet(ann, bob, site)
    assert bob.url.endswith(table)
    assert ann.inner_text(".chip[data-seat='1'] .name") == "Bob"
    for page, seat in ((ann, "0"), (bob, "1")):
        (kept,) = json.loads(page.evaluate("localStorage['gonzaga.tables']"))
        assert list(kept["tokens"]) == [seat]
        assert page.evaluate("localStorage['gonzaga.waits']") == "[]"
    assert take_turn(ann) == "planning"


def test_a_link_leads_to_a_table_that_waits(site, open_page) -> None:
    ann, bob = open_page(), open_page()
    ann.goto(site)
    ann.fill("#name", "<b>Ann</b>")
    ann.select_option(".seat-1 select", "else")
    ann.select_option("#how", "link")
    ann.click("#start")
    link = ann.input_value("#own-waits .link")
    bob.goto(link)
    bob.wait_for_selector("#invited .join")
    assert bob.url == f"{site}/"
    assert "<b>Ann</b>" in bob.inner_text("#invited")
    assert "nobody" in bob.inner_text("#open-tables").lower()
    bob.click("#invited .join")
    ann.wait_for_url("**/table/*")
    bob.wait_for_url("**/table/*")


def test_who_leaves_waits_no_more(site, open_page) -> None:
    ann, bob = open_page(), open_page()
    ann.goto(site)
    ann.click("#anybody")
    ann.wait_for_selector("#own-waits .leave")
    bob.goto(site)
    bob.wait_for_selector("#open-tables .join")
    ann.click("#own-waits .leave")
    ann.wait_for_selector("#own-waits", state="hidden")
    bob.wait_for_selector("#open-tables .quiet")
