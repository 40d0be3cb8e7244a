"""Two people at one table in two browsers, and what each of them received."""

import json
from typing import Any

from tests.table.web.driver import (
    READY,
    plan,
    start_game,
    take_turn,
    wait_for_turn,
)

YOU = ".chip.own[data-seat='1']"


def hear(page: Any) -> list[Any]:
    """Returns the list of all responses that a page receives from now on."""
    heard: list[Any] = []
    page.on("requestfinished", lambda request: heard.append(request.response()))
    return heard


def test_two_people_see_only_what_they_may(site, open_page) -> None:
    ann, bob = open_page(), open_page()
    public = open_page()
    heard = {0: hear(ann), 1: hear(bob), None: hear(public)}
    table = start_game(ann, site, ["you", "else"])
    link = ann.input_value("#invitations input")
    assert ann.locator("#invitations input").count() == 1
    bob.goto(link)
    bob.wait_for_selector("#strip .chip")
    assert bob.url == f"{site}/table/{table}"  # the token is not in the address any more
    public.goto(f"{site}/table/{table}")
    public.wait_for_selector("#strip .chip")

    for number in range(48):  # at most 12 rounds of two plans and two placements
        first = ann.locator(".player.acts").get_attribute("data-seat") if number else "0"
        if take_turn(ann if first == "0" else bob) == "over":
            break
        for page in (ann, bob):
            page.wait_for_function(
                "n => document.querySelectorAll('table.final').length || "
                "Number(document.body.dataset.move) > n",
                arg=number,
            )
        assert_nothing_sealed_is_shown(ann, bob)
    for page in (ann, bob, public):
        page.wait_for_selector("table.final")
        assert page.locator(".player .objective").count() == 2

    assert_tokens_stay_apart(ann, bob, public, heard)


def assert_nothing_sealed_is_shown(ann: Any, bob: Any) -> None:
    if ann.query_selector("table.final"):
        return
    for page, other in ((ann, 1), (bob, 0)):
        panel = page.locator(f".player[data-seat='{other}']")
        assert panel.locator(".objective").count() == 0
        if "planning" in page.inner_text("#stage"):
            assert panel.locator(".plan").inner_text().split()[1:] in (["sealed"], ["not", "yet"])


def assert_tokens_stay_apart(ann: Any, bob: Any, public: Any, heard: dict[Any, list[Any]]) -> None:
    kept = {
        page: json.loads(page.evaluate("localStorage['gonzaga.tables'] ?? '[]'"))
        for page in (ann, bob, public)
    }
    assert sorted(kept[ann][0]["tokens"]) == ["0", "1"]  # she opened the table
    assert sorted(kept[bob][0]["tokens"]) == ["1"]
    assert kept[public] == [] or kept[public][0]["tokens"] == {}
    token = kept[ann][0]["tokens"]["0"]
    for responses in (heard[1], heard[None]):
        for response in responses:
            assert token not in json.dumps(response.request.all_headers())
            assert token not in response.url


def test_a_link_of_a_seat_survives_a_reload(site, open_page) -> None:
    ann, bob = open_page(), open_page()
    start_game(ann, site, ["you", "else"])
    bob.goto(ann.input_value("#invitations input"))
    assert take_turn(ann) == "planning"
    bob.reload()
    assert wait_for_turn(bob) == "planning"
    assert bob.locator(".player .note", has_text="you").count() == 1
    assert take_turn(bob) == "planning"


def test_an_invitation_waits_for_the_server(site, open_page) -> None:
    ann, bob = open_page(), open_page(quiet=True)
    start_game(ann, site, ["you", "else"])
    bob.route("**/api/tables/*", lambda route: route.abort())
    bob.goto(ann.input_value("#invitations input"))
    bob.wait_for_selector("#notice:visible")
    assert "token" not in bob.url
    bob.unroute("**/api/tables/*")
    bob.click("#turn button")
    bob.wait_for_selector(YOU)


def test_people_plan_together_agree_and_play_again(site, open_page) -> None:
    """R3.2, and what two people agree on: names, a take-back, and a rematch."""
    ann, bob = open_page(), open_page()
    start_game(ann, site, ["you", "else"])
    bob.goto(ann.input_value("#invitations input"))
    bob.fill("#new-name", "Bo")
    bob.click(".naming .primary")
    ann.wait_for_selector(".chip[data-seat='1'] .name >> text=Bo")
    ann.locator(".cards.region .card:not(.locked)").last.click()
    bob.wait_for_selector(".planning")
    plan(bob)
    bob.wait_for_selector("#turn >> text=Your plan is sealed; Ann still plans.")
    ann.wait_for_selector(".chip[data-seat='1'] .state >> text=ready")
    assert ann.locator(".cards.region input:checked").count() == 1  # her choice stays
    bob.click("#turn .take-back")
    bob.wait_for_selector(".planning")
    plan(bob)
    plan(ann)
    first, second = (ann, bob) if wait_for_one(ann, bob) is ann else (bob, ann)
    assert take_turn(first) == "placing"
    second.wait_for_selector("#turn.yours")
    first.click("#turn .take-back")
    first.wait_for_selector("#withdraw")
    second.click("#agree")
    first.wait_for_selector("#turn.yours")
    second.click("#log-tab")
    second.wait_for_selector("#log li >> text=takes the last decision back")
    while take_turn(wait_for_one(ann, bob)) != "over":
        pass
    ann.click("#again")
    bob.click("#to-rematch")
    for page, seat in ((ann, 1), (bob, 0)):
        page.wait_for_url(lambda url, table=ann.url: url == table)
        page.wait_for_selector(f".chip.own[data-seat='{seat}']")


def wait_for_one(ann: Any, bob: Any) -> Any:
    """Returns a page that may act, once there is one."""
    while True:
        for page in (ann, bob):
            if page.query_selector(READY):
                return page
        ann.wait_for_timeout(20)
