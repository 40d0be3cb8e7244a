"""The site: its contents, its links, and the check of what was built."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from docs import site_contents, site_links
from tools import site_check

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")


def pages() -> list[str]:
    """Returns the names of all pages of the site but the front page."""
    written = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    shown = {Path(page).with_suffix("").as_posix() for page in site_links.BROUGHT.values()}
    return sorted((written | shown) - {"index", "search"})  # search-agents shows search.md


def test_every_page_stands_once_in_the_contents() -> None:
    listed = Counter(name for below in site_contents.CONTENTS.values() for name in below)
    assert set(listed.values()) == {1}
    assert sorted(listed) == pages()


def test_contents_reach_every_page_from_the_front_page() -> None:
    reached, waiting = set(), ["index"]
    while waiting:
        below = site_contents.CONTENTS.get(waiting.pop(), {})
        reached |= set(below)
        waiting += below
    assert reached == {name for below in site_contents.CONTENTS.values() for name in below}


def test_contents_are_a_hidden_block_of_sphinx() -> None:
    text = site_contents.with_contents("# Train\n", "training")
    assert text == (
        "# Train\n\n\n```{toctree}\n:hidden:\n\nExperiments </appendix/training>\n```\n"
    )
    assert site_contents.with_contents("# Rules\n", "rules") == "# Rules\n"


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("rules.md#r1", "/rules.md#r1"),
        ("img/game.svg", "/img/game.svg"),
        ("../CHANGELOG.md", "/changelog.md"),
        ("../notebooks/06_search.ipynb", "/notebooks/06_search.ipynb"),
        ("search.md#variants", "/search-agents.md#variants"),
        ("../", site_links.SOURCE),
        ("../examples", f"{site_links.SOURCE}/tree/HEAD/examples"),
        ("../gonzaga_env/games.py", f"{site_links.SOURCE}/blob/HEAD/gonzaga_env/games.py"),
    ],
)
def test_links_lead_to_the_site_or_to_github(link, address) -> None:
    assert site_links.address(link, DOCS / "play.md") == address
    text = f"See [this\npage]({link}) and [that](https://example.org/a.md), [below](#x)."
    expected = text.replace(f"({link})", f"({address})")
    assert site_links.for_site(text, DOCS / "play.md") == expected


def test_pictures_on_github_are_files() -> None:
    shown = site_links.for_site("![A](table/web/static/a.webp)", ROOT / "README.md")
    assert shown == f"![A]({site_links.SOURCE}/raw/HEAD/table/web/static/a.webp)"


def test_every_link_of_the_pages_leads_to_something() -> None:
    brought = {page: name for name, page in site_links.BROUGHT.items()}
    sources = [path for path in DOCS.rglob("*") if path.suffix == ".md"]
    sources += [ROOT / name for name in site_links.BROUGHT if not name.endswith(".ipynb")]
    for source in sources:
        for link in LINK.findall(source.read_text("utf-8")):
            address = site_links.address(link, source).partition("#")[0]
            if address.startswith("/"):
                name = brought.get(address[1:], f"docs{address}")
                assert (ROOT / name).is_file(), f"{source}: {link}"
            else:
                assert (ROOT / address.partition("/HEAD/")[2]).exists(), f"{source}: {link}"


def test_a_block_becomes_the_file_that_it_includes() -> None:
    text = (DOCS / "changelog.md").read_text("utf-8")
    shown = site_links.for_site(text, DOCS / "changelog.md")
    assert shown.startswith("# Changelog")
    assert "](/analysis.md)" in shown
    assert "](docs/" not in shown


def test_faults_of_a_site_are_found(tmp_path, capsys) -> None:
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "index.html").write_text(
        """<link rel="stylesheet" href="https://cdn.example/x.css">
        <link rel="canonical" href="https://example.org/"><img src="a.png"><img src="b.png">
        <a href="other.html#here">1</a><a href="other.html#there">2</a>
        <a href="gone.html">3</a><a href="#top">4</a><a href="https://example.org">5</a>"""
    )
    (tmp_path / "other.html").write_text('<h1 id="here">Other</h1><a href="index.html">Back</a>')
    assert site_check.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "index.html: loads https://cdn.example/x.css from elsewhere",
        "index.html: b.png is not there",
        "index.html: other.html#there has no such place",
        "index.html: gone.html is not there",
        "index.html: #top has no such place",
    ]


def test_a_site_without_faults_passes(tmp_path) -> None:
    (tmp_path / "index.html").write_text('<h1 id="a">A</h1><a href="#a">A</a>')
    assert site_check.main([str(tmp_path)]) == 0
    assert site_check.main([str(tmp_path / "elsewhere")]) == 2
