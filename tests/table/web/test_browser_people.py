"""Two people who meet in the lobby, in two browsers."""

import json
from typing import Any

from gonzaga_table.web.ladder import routes as ladder_routes
from gonzaga_table.web.people.stand_ins import StandIns
from gonzaga_table.web.rooms import routes as room_routes

from tests.table.web.driver import take_turn


def enter(page: Any, site: str, name: str) -> None:
    """Opens the lobby, and gives oneself a name once the form is there."""
    page.goto(site)
    page.wait_for_selector(".seat-1 select")
    page.fill("#name", name)


def meet(ann: Any, bob: Any, site: str) -> str:
    """Lets two people meet by "Play against anybody"; returns the table's id."""
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        enter(page, site, name)
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
    enter(ann, site, "<b>Ann</b>")
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


def test_two_people_chat_and_a_late_one_is_replaced(site, open_page, monkeypatch) -> None:
    gone, now = [0.0], StandIns._now
    monkeypatch.setattr(StandIns, "_now", lambda self: now(self) + gone[0])
    ann, bob = open_page(), open_page()
    enter(ann, site, "Ann")
    ann.select_option(".seat-1 select", "else")
    ann.select_option("#how", "open")
    ann.select_option("#pace", label="5:00 a move")
    ann.click("#start")
    enter(bob, site, "Bob")
    bob.wait_for_selector("#open-tables li:has(.join) >> text=5:00 a move")
    bob.click("#open-tables .join")
    for page in (ann, bob):
        page.wait_for_url("**/table/*")
        page.wait_for_selector("#clocks .runs >> nth=1")
    assert chat(ann, bob) == "Bob: <b>Ready</b> https://gonzaga.example"
    take_turn(ann)
    bob.wait_for_selector("#clocks .runs[data-seat='1']")
    gone[0] = 301.0
    bob.reload()
    bob.wait_for_selector("#come-back")
    bob.click("#chat-tab")
    bob.wait_for_selector(".chat-lines li >> nth=1")  # kept with the table
    bob.uncheck("#chat-on")
    say(ann, "Still there?")
    ann.wait_for_selector(".chat-lines li >> nth=2")
    assert bob.locator(".chat-lines").is_hidden()
    bob.check("#chat-on")
    bob.wait_for_selector(".chat-lines li >> nth=2")
    assert bob.inner_text("#chat-tab") == "Chat"
    ann.wait_for_selector("#company >> text=greedy plays for Bob.")
    bob.click("#come-back")
    for page in (ann, bob):
        page.wait_for_selector("#company", state="hidden")
        page.wait_for_selector("#clocks li >> nth=1")
    ann.click("#log-tab")
    ann.wait_for_selector("#log >> text=plays again")


def say(page: Any, line: str) -> None:
    page.fill("#chat-line", line)
    page.press("#chat-line", "Enter")


def chat(ann: Any, bob: Any) -> str:
    """Lets Bob say something, in text and by an emote, and returns what Ann's page announces."""
    bob.click("#chat-tab")
    say(bob, "<b>Ready</b> https://gonzaga.example")
    ann.wait_for_selector("#announcements >> text=Ready")
    announced = str(ann.inner_text("#announcements"))
    bob.focus("[data-emote=thanks]")
    bob.keyboard.press("Enter")
    ann.wait_for_selector("#chat-tab >> text=Chat (2)")
    ann.locator("#log-tab").focus()
    for key in ("ArrowRight", "ArrowRight"):
        ann.keyboard.press(key)
    assert ann.locator(".chat-lines").is_visible()
    assert ann.locator(".chat-lines li").all_inner_texts() == [
        "Bob <b>Ready</b> https://gonzaga.example",
        "Bob ♥\ufe0e Thank you!",
    ]
    assert ann.locator(".chat-lines a").count() == 0
    assert ann.inner_text("#chat-tab") == "Chat"
    return announced.rstrip(".")


def test_somebody_who_goes_away_is_replaced_by_the_other(site, open_page, monkeypatch) -> None:
    gone, seen = [0.0], StandIns._seen
    monkeypatch.setattr(StandIns, "_seen", lambda *asked: seen(*asked) - gone[0])
    ann, bob = open_page(), open_page()
    enter(ann, site, "Ann")
    ann.select_option(".seat-1 select", "else")
    ann.select_option("#how", "open")
    ann.select_option("#away", label="1 minute")
    ann.click("#start")
    enter(bob, site, "Bob")
    bob.click("#open-tables .join")
    for page in (ann, bob):
        page.wait_for_url("**/table/*")
        page.wait_for_selector("#strip .chip")
    take_turn(ann)
    table = bob.url
    bob.goto("about:blank")
    gone[0] = 61.0
    ann.reload()
    ann.wait_for_selector("#company >> text=Bob has done nothing for a while")
    ann.click("#company [data-agent=greedy]")
    ann.wait_for_selector("#company >> text=greedy plays for Bob.")
    ann.wait_for_selector("#log >> text=is played by greedy now")
    gone[0] = 0.0
    bob.goto(table)
    bob.click("#come-back")
    for page in (ann, bob):
        page.wait_for_selector("#company", state="hidden")
    take_turn(ann)
    take_turn(bob)


def test_a_rated_game_needs_the_consent_of_both(site, open_page, monkeypatch) -> None:
    """Each has an own address here, by the name of a header."""
    monkeypatch.setattr(ladder_routes, "client_of", lambda request: request.headers["x-address"])
    monkeypatch.setattr(room_routes, "client_of", lambda request: request.headers["x-address"])
    ann, bob = (open_page(extra_http_headers={"X-Address": name}) for name in ("ann", "bob"))
    enter(ann, site, "Ann")
    ann.select_option(".seat-1 select", "else")
    ann.check("#rated")
    assert "Whoever sits down agrees" in ann.inner_text("#rated-people")
    assert ann.locator("#how option:enabled").count() == 2
    assert ann.input_value("#pace") == '{"per":"move","seconds":300}'
    ann.select_option("#how", "open")
    ann.click("#start")
    enter(bob, site, "Bob")
    bob.wait_for_selector("#open-tables li:has(.join) >> text=Rated game")
    asked: list[str] = []
    bob.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    bob.click("#open-tables .join")
    assert ["it counts on your ladder" in text for text in asked] == [True]
    assert bob.evaluate("localStorage['gonzaga.player']") is None
    assert "/table/" not in ann.url
    bob.once("dialog", lambda dialog: dialog.accept())
    bob.click("#open-tables .join")
    for page in (ann, bob):
        page.wait_for_url("**/table/*")
        page.wait_for_selector("#company .rated")
    bob.once("dialog", lambda dialog: dialog.accept())
    bob.click("#resign")
    for page, result in ((ann, "won (the other gave up)"), (bob, "lost (resigned)")):
        page.wait_for_selector("#company >> text=not rated any more")
        assert page.locator("#resign").count() == 0
        page.goto(f"{site}/ladder")
        page.wait_for_selector(f"#games >> text={result}")
        assert "a person (1000)" in page.inner_text("#games")
