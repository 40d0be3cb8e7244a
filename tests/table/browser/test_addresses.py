"""The table's addresses below a path."""

from __future__ import annotations

import re
from pathlib import Path

import gonzaga_table.web.app
import pytest
from gonzaga_table.browser.addresses import below, is_text

STATIC = Path(gonzaga_table.web.app.__file__).parent / "static"
# Texts that look like addresses and are none: a separator, and the end of a regular expression.
NOT_ADDRESSES = (r'\.(split|join)\("/"\)', r'replaceAll\("[+/]", "."\)')


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ('<a href="/">', '<a href="/at/7/">'),
        ('<script src="/static/a.js">', '<script src="/at/7/static/a.js">'),
        ("location.assign(`/table/${id}`)", "location.assign(`/at/7/table/${id}`)"),
        ("`${location.origin}/table/${id}`", "`${location.origin}/at/7/table/${id}`"),
        ("location.assign(`/?${query}`)", "location.assign(`/at/7/?${query}`)"),
        ('replaceState(form, "", "/")', 'replaceState(form, "", "/at/7/")'),
        ('{"board": "/api/board?edition=a"}', '{"board": "/at/7/api/board?edition=a"}'),
        ("url(/static/font.woff2)", "url(/at/7/static/font.woff2)"),
        ('path.split("/").at(-1)', 'path.split("/").at(-1)'),
        ('import "../table/api.js"', 'import "../table/api.js"'),
        ("https://example.org/table/x", "https://example.org/table/x"),
    ],
)
def test_addresses_move_below_a_path(text, moved) -> None:
    assert below("/at/7", text.encode()).decode() == moved


def test_no_address_of_the_tables_files_is_missed() -> None:
    files = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".html", ".css")]
    assert len(files) > 100
    for path in files:
        if "vendor" not in path.parts:
            moved = below("/at/7", path.read_bytes()).decode()
            for known in NOT_ADDRESSES:
                moved = re.sub(known, "", moved)
            left = re.findall(r"""["'`(]/(?!at/7/)(?:["'`?]|[a-z]+[/"'`?#$]).*""", moved)
            assert left == [], path


def test_pictures_and_fonts_are_no_texts() -> None:
    assert is_text("text/html; charset=utf-8")
    assert is_text("application/json")
    assert not is_text("image/png")
    assert not is_text("")
