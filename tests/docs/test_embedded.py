"""What moves inside pages: ratings, replays in frames and tables that can be sorted."""

import re
from pathlib import Path

import pytest

from gonzaga_env.show.game import load_game
from gonzaga_env.show.page import page

pytest.importorskip("sphinx", reason='needs Sphinx: pip install ".[site]"')
from docs.embedded import ratings

DOCS = Path(__file__).parent.parent.parent / "docs"
HEADER = "players,rank,agent,rating,low,high,win_share,score,games\n"
LINES = "2,1,<best>,1200,1150,1300,70.0,90.5,1200\n2,2,greedy,1000,1000,1000,30.0,80.0,1200\n"
OPEN = "2,3,random,,,-50,0.0,9.0,1200\n3,1,mine,,1100,,99.0,95.0,900\n"
LAST = "3,2,greedy,1000,1000,1000,1.0,60.0,900\n"


@pytest.fixture
def rows(tmp_path) -> list[ratings.Row]:
    path = tmp_path / "leaderboard.csv"
    path.write_text(HEADER + LINES + OPEN + LAST)
    return ratings.read_rows(path)


def test_a_drawing_shows_every_agent_with_its_figures(rows) -> None:
    html = ratings.drawing(rows)
    assert re.findall(r'aria-label="([^"]*:[^"]*)"', html) == [
        "&lt;best&gt;: 1200 (1150 to 1300), wins 70.0%, 90.5 points, 1,200 games",
        "greedy: 1000, wins 30.0%, 80.0 points, 1,200 games",
        "random: at most -50, wins 0.0%, 9.0 points, 1,200 games",
        "mine: at least 1100, wins 99.0%, 95.0 points, 900 games",
        "greedy: 1000, wins 1.0%, 60.0 points, 900 games",
    ]
    assert html.count("<circle") == 3, "no dot where no game bounds the rating"
    assert html.count("<path") == 2, "but an arrow"


def test_intervals_lie_on_the_axis_and_open_ends_at_its_edge(rows) -> None:
    first, second = ratings.drawing(rows).split("<svg width")[1:]
    intervals = re.findall(r'class="interval" x1="([\d.]+)%" x2="([\d.]+)%"', first)
    marks = {
        int(text): float(place)
        for place, text in re.findall(r'class="mark" x="([\d.]+)%"[^>]*>(-?\d+)<', first)
    }
    scale = (marks[1200] - marks[1000]) / 200
    best, greedy, random = [(float(low), float(high)) for low, high in intervals]
    assert best == pytest.approx((marks[1000] + 150 * scale, marks[1000] + 300 * scale), abs=0.02)
    assert greedy == (marks[1000], marks[1000])
    assert random == (0, 0), "its end lies left of the axis"
    assert 'x2="100.00%"' in second


def test_other_data_are_no_ratings(tmp_path) -> None:
    (tmp_path / "speed.csv").write_text("what,games\nengine,1\n")
    assert ratings.read_rows(tmp_path / "speed.csv") == []


@pytest.fixture
def site(tmp_path) -> str:
    """The address of a page with a replay, ratings and a table, as the site has them."""
    game = load_game(DOCS / "replays" / "gonzaga.jsonl", 1)
    (tmp_path / "gonzaga.html").write_text(page(game.edition, game.frames[:12], "Gonzaga"))
    cells = [("a", "at most 133", "10 to 20"), ("b", "1,580", "anchor"), ("c", "12", "5 to 9")]
    body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in cells)
    path = tmp_path / "index.html"
    scripts = "".join(
        f"<script>{(DOCS / '_static' / name).read_text('utf-8')}</script>"
        for name in ("tables.js", "replays.js")
    )
    path.write_text(
        f"<style>{(DOCS / '_static' / 'embedded.css').read_text('utf-8')}</style>"
        '<body data-theme="dark"><article>'
        "<table><thead><tr><th></th><th><p>rating</p></th><th>interval</th></tr></thead>"
        f"<tbody>{body}</tbody></table>"
        f"{ratings.drawing(ratings.read_rows(DOCS / 'img' / 'leaderboard.csv'))}"
        '<iframe class="replay" name="replay-gonzaga" src="gonzaga.html"></iframe>'
        '<a href="gonzaga.html#7" target="replay-gonzaga">Move 7</a>'
        f"</article>{scripts}",
        "utf-8",
    )
    return path.as_uri()


@pytest.mark.smoke
def test_a_page_sorts_steps_and_shows_figures(chromium, site) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    tab, errors = context.new_page(), []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(site)

    def column() -> str:
        return "".join(tab.locator("tbody td:first-child").all_inner_texts())

    heading = tab.locator("th").nth(1)
    orders = []
    for _ in range(4):
        heading.locator("button").press("Enter")
        orders.append((column(), heading.get_attribute("aria-sort")))
    assert orders == [
        ("bac", "descending"),
        ("cab", "ascending"),
        ("abc", None),
        ("bac", "descending"),
    ]
    tab.locator("th").nth(2).locator("button").click()
    assert column() == "acb", "what has no number comes last"
    assert heading.get_attribute("aria-sort") is None
    assert tab.get_by_role("button", name="rank").count() == 1

    figures = tab.locator(".ratings .figures").nth(1)
    assert not figures.is_visible()
    tab.locator(".ratings .agent").nth(1).focus()
    assert figures.is_visible()
    assert figures.text_content().startswith("1507 (1472 to 1547)")

    frame = tab.frame(name="replay-gonzaga")
    frame.wait_for_selector("html[data-theme=dark].framed", state="attached")
    tab.evaluate("document.body.dataset.theme = 'light'")
    frame.wait_for_selector("html[data-theme=light]", state="attached")
    tab.get_by_text("Move 7").click()
    frame.get_by_text("move 7 of 11", exact=True).wait_for()  # its policy allows no functions
    tab.keyboard.press("ArrowRight")
    frame.get_by_text("move 8 of 11", exact=True).wait_for()
    context.close()
    assert errors == []
