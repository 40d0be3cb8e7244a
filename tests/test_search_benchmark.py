"""The search benchmark at toy sizes: the report says what was played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import publish, search


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = search.main(arguments)
    except SystemExit as stop:  # from argparse
        code = int(stop.code or 0)
    return code, *capsys.readouterr()


def test_the_report_says_what_was_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "search.json"
    options = ("--agents", "greedy,search@1ms", "--deals", "2", "--out", str(out))
    code, printed, _ = run(capsys, *options)
    assert code == 0
    report = json.loads(out.read_text())
    assert [line["name"] for line in report["lines"]] == ["greedy", "search@1ms"]
    assert [line["playouts"] > 0 for line in report["lines"]] == [False, True]
    assert all(line["milliseconds"] > 0 for line in report["lines"])
    assert report["settings"] == {"opponent": "greedy", "deals": 2, "games": 8}
    assert search.method(report) in printed


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--agents", "warp"), "'warp'"),
        (("--deals", "1"), "1"),
        (("--opponent", "warp"), "'warp'"),
        (("--out", "missing/search.json"), "missing/search.json"),
        (("--fast",), "--fast"),
    ],
)
def test_mistyped_arguments_are_named(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], names: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert names in err.splitlines()[-1]


def test_the_page_shows_the_run_that_is_kept() -> None:
    text, report = publish.SEARCH_PAGE.read_text(), json.loads(publish.SEARCH.read_text())
    assert publish.with_search(text) == text
    assert search.markdown(report) in text
    assert report["settings"]["games"] >= 400
