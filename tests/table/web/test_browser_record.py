"""A record stepped through in a real browser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.records import write_records
from tests.core.test_records import record_games

OpenPage = Callable[..., Any]


def test_a_record_is_stepped_through(site: str, open_page: OpenPage, tmp_path: Path) -> None:
    page, path = open_page(), tmp_path / "games.jsonl"
    records = record_games(Engine(1, 3, seed=5), 2)
    write_records(path, records)
    with path.open("a") as file:
        file.write('{"no": "record"}\n')
    page.goto(f"{site}/record")
    page.set_input_files("#file", path)
    page.wait_for_selector("#games .bad")
    assert page.locator("#games button").count() == 2
    page.locator("#games button").nth(1).click()
    game, num_moves = page.frame_locator("#game iframe"), len(records[1]["moves"])
    game.get_by_text(f"move 0 of {num_moves}").wait_for()
    assert game.locator("html").get_attribute("data-theme") == "light"
    page.keyboard.press("ArrowRight")  # the game has the focus
    game.get_by_text(f"move 1 of {num_moves}").wait_for()
    page.click("#another")
    page.locator("#games button").first.click()
    game.get_by_text(f"move 0 of {len(records[0]['moves'])}").wait_for()


def test_a_changed_record_is_named(site: str, open_page: OpenPage, tmp_path: Path) -> None:
    page, path = open_page(quiet=True), tmp_path / "games.jsonl"  # Chromium logs a 400 as an error
    (record,) = record_games(Engine(1, 3, seed=5), 1)
    record["scores"]["total"][0] += 1
    path.write_text(json.dumps(record) + "\n")
    page.goto(f"{site}/record")
    page.set_input_files("#file", path)
    page.wait_for_selector("#notice:visible")
    assert "scores" in page.inner_text("#notice")
