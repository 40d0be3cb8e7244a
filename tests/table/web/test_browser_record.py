"""A record stepped through in a real browser."""

from __future__ import annotations

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
    page.wait_for_selector("#curves polyline")
    assert page.locator("#curves polyline").count() == 3

    moves = records[1]["moves"]
    assert page.inner_text("#said") == f"Move 0 of {len(moves)}: The deal"
    for number in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#said").startswith(f"Move {number} of ")
    page.keyboard.press("ArrowLeft")
    assert page.input_value("#step") == "2"
    page.fill("#step", str(len(moves) - 1))
    assert page.locator(".player.acts").count() == 1
    page.click("#next")
    assert page.is_visible("table.final")
    totals = sorted(int(text) for text in page.locator(".final .sum td").all_inner_texts())
    assert totals == sorted(records[1]["scores"]["total"])
    page.keyboard.press("Home")
    page.click("#autoplay")
    page.wait_for_function("() => Number(document.querySelector('#step').value) >= 2")
    page.click("#autoplay")
    assert page.inner_text("#autoplay") == "Play"


def test_a_changed_record_is_named(site: str, open_page: OpenPage, tmp_path: Path) -> None:
    page, path = open_page(quiet=True), tmp_path / "games.jsonl"  # Chromium logs a 400 as an error
    (record,) = record_games(Engine(1, 3, seed=5), 1)
    record["scores"]["total"][0] += 1
    path.write_text(json.dumps(record) + "\n")
    page.goto(f"{site}/record")
    page.set_input_files("#file", path)
    page.wait_for_selector("#notice:visible")
    assert "scores" in page.inner_text("#notice")
