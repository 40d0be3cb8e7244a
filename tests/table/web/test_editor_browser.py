"""The editor in a real browser: an edition entered by hand, saved, and opened again."""

import zipfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from gonzaga_table.web import editor

from gonzaga_env.core.board.edition import EDITIONS, Edition
from gonzaga_env.core.board.geometry import to_offset
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.render.palette import DARK, LIGHT

STATIC = Path(editor.__file__).parents[1] / "static"
Page = Any


@pytest.fixture
def context(chromium) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


@pytest.fixture
def page(context, site) -> Iterator[Page]:
    """The page as it first opens; errors and refused requests fail the test."""
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(f"{site}/editor")
    page.wait_for_selector("dialog")
    yield page
    refused = "the server responded with a status of 422"  # which the page itself tells
    assert [text for text in wrong if refused not in text] == []


def start_empty(page: Page, rows: int, columns: int) -> None:
    page.fill("#rows", str(rows))
    page.fill("#columns", str(columns))
    page.click("dialog button:text-is('Start')")
    page.wait_for_selector("dialog", state="detached")


def open_shipped(page: Page) -> None:
    page.click("dialog button:has-text('shipped map')")
    page.wait_for_selector("dialog", state="detached")
    checked(page)


def checked(page: Page) -> str:
    """Waits for the server's check and returns its headline."""
    page.wait_for_selector("body[data-checked=yes]")
    return str(page.text_content("#faults h2"))


def key(name: str) -> str:
    return f'[data-key="{name}"]'


def fill(page: Page, name: str, text: str) -> None:
    """Types into a field and leaves it."""
    page.fill(key(name), text)
    page.press(key(name), "Enter")


def count(page: Page, number: int) -> None:
    """Waits until the chosen brush or barrier has this number of hexes or sides."""
    page.wait_for_selector(f"li.chosen .count:text-is('{number}')")


def cell(at: tuple[int, int]) -> str:
    return f'[data-cell="{at[0]},{at[1]}"]'


def save(page: Page, folder: Path) -> Edition:
    """Saves the edition and loads it from the unpacked folder."""
    with page.expect_download() as download:
        page.keyboard.press("Control+s")
    name = download.value.suggested_filename
    assert name.endswith(".zip")
    download.value.save_as(folder / name)
    with zipfile.ZipFile(folder / name) as saved:
        saved.extractall(folder)
    page.wait_for_selector("dialog pre")
    commands = page.text_content("dialog pre")
    assert f"python -m gonzaga_env edition check {name.removesuffix('.zip')}" in commands
    page.click("dialog .close")
    return load_edition(folder / name.removesuffix(".zip"))


# A whole edition by hand


def enter_map(page: Page, edition: Edition) -> None:
    """Types the map's rows of marks."""
    start_empty(page, len(edition.marks), len(edition.marks[0]))
    page.fill("#name", edition.name)
    for i, name in enumerate(edition.seas.values()):
        fill(page, f"seas {i} name", name)
    page.focus("#map")
    for row in edition.marks:
        page.keyboard.type("".join(row))
        page.keyboard.press("Enter")


def enter_sites(page: Page, edition: Edition) -> None:
    """Clicks the cities and harbors; a new one's name has the focus."""
    for tool, sites in (("city", edition.cities), ("harbor", edition.harbors)):
        page.click(key(f"tool {tool}"))
        for site in sites:
            page.mouse.click(*middle(page, site.at))
            page.wait_for_selector(f"{key(f'{tool} name')}:focus")
            page.keyboard.insert_text(site.name)
            if tool == "city":
                page.click(key(f"symbol {site.group}"))
            else:
                page.select_option(key("sea"), site.group)
            assert not {"false", "null", "undefined"} & set(page.inner_text("#panel").split())


def enter_barriers(page: Page, edition: Edition) -> None:
    """Clicks each side, next to the middle of the hex that is named first."""
    page.click(key("tool barrier"))
    for i, barrier in enumerate(edition.barriers):
        page.click(key("barrier add"))
        fill(page, f"barrier {i} name", barrier.name)
        for one, other in barrier.edges:
            (x1, y1), (x2, y2) = middle(page, one), middle(page, other)
            page.mouse.click(x1 + 0.4 * (x2 - x1), y1 + 0.4 * (y2 - y1))


def middle(page: Page, at: tuple[int, int]) -> tuple[float, float]:
    """Returns the middle of a hex in the window."""
    box = page.locator(cell(at)).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def enter_fiefs(page: Page, edition: Edition) -> None:
    """Clicks every cell once, and again if it has a castle."""
    page.click(key("tab fiefs"))
    for fief in edition.fiefs:
        for i, (q, r) in enumerate(fief.cells):
            row, col = to_offset(q, r)
            for _ in range(1 + (i in fief.castles)):
                page.click(f'.tile:has(h2:text("Fief {fief.number}")) [data-at="{row},{col}"]')


def enter_cards(page: Page, edition: Edition) -> None:
    page.click(key("tab scenarios"))
    page.click(key("scenario 0 x"))  # Colombo, which an empty map has
    for i, scenario in enumerate(edition.scenarios):
        page.click(key("scenario add"))
        fill(page, f"scenario {i} name", scenario.name)
        page.select_option(key(f"scenario {i} players"), str(scenario.players))
        for name in scenario.flourishing:
            page.check(key(f"scenario {i} {name}"))
    page.click(key("tab objectives"))
    for pair in edition.objectives:
        one, other = sorted(pair)
        page.click(key(f"pair {one} {other}"))


def test_the_whole_shipped_edition_can_be_entered_from_nothing(page, europe, tmp_path) -> None:
    enter_map(page, europe)
    enter_sites(page, europe)
    enter_barriers(page, europe)
    enter_fiefs(page, europe)
    enter_cards(page, europe)
    assert checked(page) == "No faults: ready to play"
    saved = save(page, tmp_path)
    assert list(map(sorted, saved.objectives)) == list(map(sorted, europe.objectives))
    for field in {one.name for one in fields(Edition)} - {"objectives", "source", "digest"}:
        assert getattr(saved, field) == getattr(europe, field), field


# Opening, changing and keeping


def test_the_shipped_edition_is_saved_as_it_was_opened(page, europe, tmp_path) -> None:
    open_shipped(page)
    assert save(page, tmp_path).digest == europe.digest
    assert {path.name for path in tmp_path.iterdir()} == {"europe-edited", "europe-edited.zip"}
    page.click("#open")
    page.set_input_files("#files", tmp_path / "europe-edited.zip")
    page.wait_for_selector("dialog", state="detached")
    assert checked(page) == "No faults: ready to play"
    page.click("#open")
    page.set_input_files("#files", [EDITIONS / "europe" / "board.toml"])
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_selector("#status:has-text('Empty, since missing: fiefs.toml')")
    page.click("#undo")
    assert checked(page) == "No faults: ready to play"


def test_unreadable_files_change_nothing(page, tmp_path) -> None:
    open_shipped(page)
    (tmp_path / "board.toml").write_text("a = = 1")
    page.click("#open")
    with page.expect_response("**/api/editor/open") as answer:
        page.set_input_files("#files", tmp_path / "board.toml")
    assert answer.value.status == 422
    page.wait_for_selector("dialog .error")
    assert "board.toml: is not valid TOML" in page.text_content("dialog .error")
    page.click("dialog .close")
    assert page.input_value("#name") == "Europe"


def test_a_fault_is_marked_where_it_is_and_leads_there(page) -> None:
    open_shipped(page)
    assert page.locator(".fault").count() == 0
    page.click(key("tool city"))
    page.click(cell((15, 12)))
    fill(page, "city name", "Mantova")
    assert checked(page) == "1 fault"
    marked = page.locator(".fault").evaluate_all("all => all.map(one => one.dataset.fault)")
    assert sorted(marked) == ["12,11", "15,12"]
    page.click(key("tab fiefs"))
    page.click("#faults button")
    page.wait_for_selector(f"{key('tab map')}[aria-selected=true]")
    assert page.locator("polygon.flash").count() == 2
    assert page.get_attribute(key("tool city"), "aria-pressed") == "true"


def test_painting_is_undone_stroke_by_stroke(page, europe, tmp_path) -> None:
    open_shipped(page)
    page.click(key("brush E"))
    drag(page, (0, 12), (0, 16))
    count(page, 39)
    page.click("#undo")
    count(page, 34)
    page.click("#redo")
    count(page, 39)
    page.keyboard.press("Control+z")
    assert save(page, tmp_path).digest == europe.digest


def drag(page: Page, start: tuple[int, int], end: tuple[int, int]) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=20)
    page.mouse.up()


def test_a_city_is_moved_by_dragging(page) -> None:
    open_shipped(page)
    page.click(key("tool city"))
    drag(page, (15, 12), (14, 13))
    page.wait_for_selector("legend:has-text('row 14, column 13')")
    page.click("#undo")
    page.click(cell((15, 12)))
    page.wait_for_selector("legend:has-text('row 15, column 12')")
    assert page.input_value(key("city name")) == "Roma"


def test_the_map_is_worked_on_by_keyboard_alone(page) -> None:
    open_shipped(page)
    for tool in ("city", "barrier"):
        page.focus(key(f"tool {tool}"))
        page.keyboard.press("Enter")
        page.focus("#map")
        if tool == "city":
            for arrow, times in (("ArrowDown", 15), ("ArrowRight", 12)):
                for _ in range(times):
                    page.keyboard.press(arrow)
            assert page.text_content("#where") == "Row 15, column 12: Italia, city Roma (crown)"
            page.keyboard.press("Delete")
            assert "24 cities" not in page.text_content("#panel")
            page.keyboard.press("Space")
            page.wait_for_selector(f"{key('city name')}:focus")
            page.keyboard.type("Tivoli")
            page.keyboard.press("Tab")
            page.wait_for_selector(f"{key('symbol crown')}:focus")
            page.keyboard.press("Enter")
            assert checked(page) == "No faults: ready to play"
        else:
            for number in (7, 6):  # the second time, the side is removed
                page.keyboard.press("w")
                count(page, number)


def test_sizes_names_and_marks_are_changed(page, europe, tmp_path) -> None:
    """What the changes do is shown in `tests/javascript`."""
    open_shipped(page)
    for change in ("grow top", "grow left", "shrink top", "shrink left"):
        page.click(key(change))
    fill(page, "regions 3 name", "Italy")
    fill(page, "regions 3 mark", "T")
    assert checked(page) == "No faults: ready to play"
    saved = save(page, tmp_path)
    assert (saved.cities, saved.barriers) == (europe.cities, europe.barriers)
    assert list(saved.regions.items())[3] == ("T", "Italy")
    fill(page, "regions 3 mark", "H")  # Hispania's
    page.wait_for_selector("#status:has-text('not a free mark')")


def test_work_survives_closing_the_tab(page, context, site) -> None:
    start_empty(page, 4, 5)
    page.fill("#name", "Kept")
    page.press("#name", "Enter")
    headline = checked(page)
    page.close()
    again = context.new_page()
    again.goto(f"{site}/editor")
    again.wait_for_selector("#status:has-text('kept in this browser')")
    assert again.input_value("#name") == "Kept"
    assert again.locator("[data-cell]").count() == 20
    assert checked(again) == headline
    assert again.locator("dialog").count() == 0


@pytest.mark.smoke
def test_the_picture_is_shown(page) -> None:
    open_shipped(page)
    page.click(key("tab picture"))
    page.wait_for_selector("#picture")
    assert page.evaluate("picture.decode().then(() => picture.naturalWidth)") > 1000


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_window(open_page, site, width) -> None:
    page = open_page(viewport={"width": width, "height": 800})
    page.goto(f"{site}/editor")
    page.wait_for_selector("dialog")
    open_shipped(page)
    for tab in ("map", "fiefs", "scenarios", "objectives", "picture"):
        page.click(key(f"tab {tab}"))
        assert page.evaluate("document.documentElement.scrollWidth") == width, tab


def test_the_page_has_the_pictures_colors() -> None:
    style = (STATIC / "editor" / "editor.css").read_text()
    names = ("paper", "frame", "ink", "muted", "panel", "line", "coast", "hex_line", "halo")
    for theme, text in zip((LIGHT, DARK), style.split('[data-theme="dark"]'), strict=False):
        for name in (*names, "site", "harbor", "ridge", "mark", "on_mark"):
            assert f"--{name.replace('_', '-')}: {getattr(theme, name)};" in text, name
