"""Ways to play through the pages, as a person would."""

import json
from typing import Any

READY = "#turn.yours #confirm, table.final"

#: Makes a page keep what it receives of streams, which no event of the browser shows.
HEAR_STREAMS = """
window.streamed = "";
const request = window.fetch;
window.fetch = async (...asked) => {
  const answer = await request(...asked);
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer;
  const [read, kept] = answer.body.tee();
  kept.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({ write(text) { window.streamed += text; } })).catch(() => {});
  return new Response(read, { status: answer.status, headers: answer.headers });
};
"""


def streamed(page: Any) -> list[dict[str, Any]]:
    """Returns what a page with `HEAR_STREAMS` has received of streams."""
    events = page.evaluate("window.streamed").split("\n\n")[:-1]
    return [json.loads(event[6:]) for event in events if event.startswith("data: ")]


def start_game(page: Any, site: str, seats: list[str], name: str = "Ann") -> str:
    """Opens a table in the lobby, and returns its id."""
    page.goto(site)
    page.fill("#name", name)
    page.select_option("#players", str(len(seats)))
    for seat, kind in enumerate(seats):
        page.select_option(f".seat-{seat} select", kind)
    page.click("#start")
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#strip .chip")
    return str(page.url).rpartition("/")[2]


def wait_for_turn(page: Any) -> str:
    """Waits until the page's seat is to act or the game is over; returns the stage."""
    page.wait_for_selector(READY)
    if page.query_selector("table.final"):
        return "over"
    return "planning" if page.query_selector(".planning") else "placing"


def moves_made(page: Any) -> int:
    return int(page.get_attribute("#turn", "data-move"))


def confirm(page: Any, *, tap: bool = False) -> None:
    """Confirms what is chosen, and waits until it has been played."""
    before = moves_made(page)
    page.locator("#confirm").tap() if tap else page.click("#confirm")
    wait_until_played(page, before)


def wait_until_played(page: Any, before: int) -> None:
    page.wait_for_function(
        "before => !document.querySelector('#turn.yours') || "
        "Number(document.querySelector('#turn').dataset.move) > before",
        arg=before,
    )


def plan(page: Any) -> None:
    """Seals a plan with the last region card and the first action card that are free."""
    page.locator(".cards.region .card:not(.locked)").last.click()
    page.locator(".cards.action .card:not(.locked)").first.click()
    confirm(page)


def center_of(page: Any, selector: str, number: int = 0) -> tuple[float, float]:
    box = page.locator(selector).nth(number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place(page: Any) -> str:
    """Places the fief by the mouse where it can lie, else donates it; returns what was done."""
    if page.locator(".turn[aria-pressed=true]").is_visible() and page.query_selector(".spot"):
        page.mouse.move(*center_of(page, ".spot"))
        page.mouse.click(*center_of(page, ".spot"))
    else:
        page.click("#donate")
    done = page.inner_text("#choice")
    confirm(page)
    return str(done)


def take_turn(page: Any) -> str:
    """Takes one turn if there is one; returns the stage it was."""
    stage = wait_for_turn(page)
    if stage == "planning":
        plan(page)
    elif stage == "placing":
        place(page)
    return stage
