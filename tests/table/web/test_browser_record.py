"""A record opened, stepped through and analysed in a real browser."""

import json
from pathlib import Path
from typing import Any

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.kernel.records import write_records
from tests.core.test_records import record_games


def open_record(page: Any, site: str, path: Path) -> None:
    page.goto(f"{site}/record")
    page.set_input_files("#file", path)


def test_a_record_gets_an_address_where_it_is_stepped_through(site, open_page, tmp_path) -> None:
    page, path = open_page(), tmp_path / "games.jsonl"
    records = record_games(Engine(1, 3, seed=5), 2)
    write_records(path, records)
    with path.open("a") as file:
        file.write('{"no": "record"}\n')
    open_record(page, site, path)
    page.wait_for_selector("#games .bad")
    assert page.locator("#games button").count() == 2
    page.locator("#games button").nth(1).click()
    page.wait_for_url("**/game/*")
    page.wait_for_selector("#log li")
    last = len(records[1]["moves"])
    assert page.inner_text("#number") == f"{last} / {last}"
    page.keyboard.press("Home")
    assert page.inner_text("#number") == f"0 / {last}"
    page.keyboard.press("ArrowRight")
    page.locator("#log a").nth(4).click()  # a link, which the way back leaves
    assert page.url.endswith("#move=4")
    page.go_back()
    page.wait_for_function("() => document.querySelector('#number').textContent.startsWith('1 /')")
    page.reload()
    page.wait_for_selector("#log li")
    assert page.inner_text("#number") == f"1 / {last}"


def test_an_analysis_leads_to_a_table_that_goes_on_from_a_mistake(
    site, open_page, tmp_path
) -> None:
    page, path = open_page(), tmp_path / "games.jsonl"
    write_records(path, record_games(Engine(1, 2, seed=5), 1))
    open_record(page, site, path)
    page.wait_for_selector("#mistakes li a", timeout=60_000)
    page.locator("#mistakes li a").first.click()
    page.wait_for_selector("#board .marks polyline")
    assert "best was" in page.inner_text("#now")
    assert page.locator(".curve .player").count() == 2
    page.select_option("#other", "greedy")
    page.wait_for_selector(".opinion >> nth=1")
    page.click("#play-on-open")
    page.check("#play-on input >> nth=1")
    page.click("#play-on-start")
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#turn.yours #confirm")


def test_a_changed_record_is_named(site, open_page, tmp_path) -> None:
    page, path = open_page(quiet=True), tmp_path / "games.jsonl"  # Chromium logs a 400 as an error
    (record,) = record_games(Engine(1, 3, seed=5), 1)
    record["scores"]["total"][0] += 1
    path.write_text(json.dumps(record) + "\n")
    open_record(page, site, path)
    page.wait_for_function("() => document.querySelector('#notice').textContent.includes('scores')")
