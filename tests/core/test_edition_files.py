"""Reading an edition, what is refused, and writing one that reads back the same."""

import os
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gonzaga_env.core.board.placements import PlacementFault, fief_placements
from gonzaga_env.core.edition import EDITIONS, Barrier, Edition, Site
from gonzaga_env.core.editions.loading import (
    EMPTY,
    FILES,
    build_edition,
    edition_files,
    load_edition,
    parse_file,
    shipped_editions,
)
from gonzaga_env.core.editions.validate import POSSIBLE_COVERS
from gonzaga_env.kernel.errors import EditionError
from tests.conftest import Answer
from tests.oracle_editions import OracleEdition

Run = Callable[..., Answer]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped edition for tests to edit."""
    return Path(shutil.copytree(EDITIONS / "europe", tmp_path / "mine"))


def edit(folder: Path, file: str, old: str, new: str) -> None:
    """Replaces a text that must be there, once."""
    path = folder / f"{file}.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def faults_of(folder: Path) -> tuple[str, ...]:
    with pytest.raises(EditionError) as error:
        load_edition(folder)
    return error.value.faults


# The shipped edition


def test_the_scenarios_follow_the_ruling(europe: Edition) -> None:
    sizes = Counter((s.players, len(s.flourishing)) for s in europe.scenarios)
    assert sizes == {(2, 3): 5, (3, 4): 5, (4, 5): 6}
    left_out = {
        name
        for s in europe.scenarios
        for name in set(europe.regions.values()) - set(s.flourishing)
        if s.players == 4
    }
    assert left_out == set(europe.regions.values())


def test_placements_equal_the_oracles(europe: Edition) -> None:
    oracle = OracleEdition(EDITIONS / "europe")
    for fief in europe.fiefs:
        cells, fault = fief_placements(europe, fief)
        rows = cells[fault == PlacementFault.NONE, : len(fief.cells)].tolist()
        found = {frozenset(europe.grid.cells[i] for i in row) for row in rows}
        assert len(found) == len(rows)  # one action per outcome
        assert found == {placement.cells for placement in oracle.placements[fief.number]}


def test_exactly_the_covers_of_the_summary_occur() -> None:
    oracle = OracleEdition(EDITIONS / "europe")
    covers = {
        (len(p.cells & oracle.cities.keys()), len(p.cells & oracle.harbors.keys()))
        for placements in oracle.placements.values()
        for p in placements
    }
    assert covers == POSSIBLE_COVERS  # R4.7


# Loading


def test_editions_load_by_name_and_by_path(folder: Path, europe: Edition) -> None:
    assert shipped_editions()[0] == "europe"
    for given in ("europe", Path("europe"), folder, str(folder)):
        assert load_edition(given).digest == europe.digest
    assert load_edition(folder).source == folder


def test_an_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(EditionError, match=r"'asia' is neither .* shipped: europe"):
        load_edition("asia")


def test_the_digest_depends_on_the_content_only(folder: Path, europe: Edition) -> None:
    edit(folder, "board", "[regions]", "# layout does not count\n\n[regions]")
    assert load_edition(folder).digest == europe.digest
    edit(folder, "board", '"Mantova"', '"Gonzaga"')
    assert load_edition(folder).digest != europe.digest


def test_the_digest_depends_on_the_order_of_the_regions(folder: Path, europe: Edition) -> None:
    edit(folder, "board", 'F = "Francia"\n', "")
    edit(folder, "board", 'B = "Britannia"', 'B = "Britannia"\nF = "Francia"')
    edition = load_edition(folder)
    assert edition.regions == europe.regions
    assert edition.digest != europe.digest


def test_a_fault_is_found_even_after_a_valid_load(folder: Path) -> None:
    load_edition(folder)
    edit(folder, "board", '"Mantova"', '"Milano"')
    assert len(faults_of(folder)) == 1


# Structure


@pytest.mark.parametrize(
    ("file", "old", "new", "fragment"),
    [
        ("board", 'name = "Europe"\n', "", "board.toml: name: is missing"),
        ("board", "reconstruction = true", 'reconstruction = "no"', "is 'no'; it takes true"),
        ("board", 'name = "Europe"', "name = 7", "board.toml: name: is 7; it takes a string"),
        ("board", 'H = "Hispania"', "H = 1", "board.toml: regions: H: is 1; it takes a string"),
        ("board", "[regions]", "[region]", "board.toml: region: is an unknown key"),
        ("board", "[[barrier]]", "[[barier]]", "board.toml: barier: is an unknown key"),
        ("board", "at = [16, 3]", "at = [16]", 'city 1 "Toledo": at: has 1 items; it takes 2'),
        ("board", "at = [16, 3]", "at = [16, true]", 'city 1 "Toledo": at: item 2: is True'),
        ("board", "at = [16, 3]", "at = 16", 'city 1 "Toledo": at: is 16; it takes a list'),
        ("board", "at = [16, 3]", "at = [16, 1000]", "item 2: is 1000; it takes an integer up to"),
        ("board", 'symbol = "crown"', 'sign = "crown"', 'city 1 "Toledo": symbol: is missing'),
        ("fiefs", "number = 1\n", "number = 1.5\n", "fiefs.toml: fief 1: number: is 1.5"),
        ("fiefs", "castles = [1]", "castles = [[1]]", "fief 1: castles: item 1: is [1]"),
        ("scenarios", "players = 2", 'players = "2"', "players: is '2'; it takes an integer"),
        ("objectives", '["crown", "lily"]', '["crown"]', "objective 1: symbols: has 1 items"),
    ],
)
def test_structural_faults(folder: Path, file: str, old: str, new: str, fragment: str) -> None:
    edit(folder, file, old, new)
    assert any(fragment in fault for fault in faults_of(folder)), faults_of(folder)


def _remove(path: Path) -> None:
    path.unlink()


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("spoil", "fragment"),
    [
        (_remove, "is missing from the folder"),
        (_make_folder, "can't be read"),
        (_make_pipe, "is not a regular file"),
        (lambda path: path.write_text("a = = 1"), "is not valid TOML"),
        (lambda path: path.write_bytes(b'name = "\xff"'), "is not valid TOML"),
        (lambda path: path.write_text("a = " + "[" * 100_000), "is nested too deeply"),
        (lambda path: path.write_text("fief = 3"), "is 3; write each entry under [[fief]]"),
        (lambda path: path.write_text("fief = [3]"), "fief 1: is 3; it takes a table"),
        (lambda path: path.write_text(""), "fief: is missing"),
    ],
)
def test_unusable_files(folder: Path, spoil: Callable[[Path], object], fragment: str) -> None:
    spoil(folder / "fiefs.toml")
    (fault,) = faults_of(folder)
    assert fault.startswith("fiefs.toml: ")
    assert fragment in fault


def test_an_empty_folder_misses_every_file(tmp_path: Path) -> None:
    assert faults_of(tmp_path) == tuple(
        f"{file}.toml: is missing from the folder" for file in FILES
    )


def test_faults_of_all_files_are_listed_together(folder: Path) -> None:
    edit(folder, "board", '"Mantova"', '"Milano"')
    edit(folder, "fiefs", "castles = [1]", "castles = []")
    edit(folder, "scenarios", "players = 2", 'players = "two"')
    edit(folder, "objectives", '"lily"', '"lilly"')
    faults = faults_of(folder)
    assert [fault.split(":")[0] for fault in faults] == [
        "scenarios.toml", "board.toml", "fiefs.toml", "objectives.toml"
    ]  # fmt: skip
    with pytest.raises(EditionError, match="has 4 faults") as error:
        load_edition(folder)
    assert all(fault in str(error.value) for fault in faults)


# The command line


def test_check_summarises_a_valid_edition(gonzaga: Run) -> None:
    """R9.1: it is called a reconstruction."""
    code, out, _ = gonzaga("edition", "check", "europe")
    assert code == 0
    assert out.startswith("edition Europe: no faults")
    assert "reconstruction" in out


def test_check_prints_every_fault(folder: Path, gonzaga: Run) -> None:
    edit(folder, "board", '"Mantova"', '"Milano"')
    edit(folder, "fiefs", "castles = [1]", "castles = []")
    code, out, _ = gonzaga("edition", "check", folder)
    assert code == 2
    assert all(fault in out for fault in faults_of(folder))


def test_draw_writes_the_drawing(tmp_path: Path, gonzaga: Run) -> None:
    out = tmp_path / "map.svg"
    out.write_text("old")
    assert gonzaga("edition", "draw", "europe", "--out", out)[0] == 0
    assert out.read_text("utf-8").endswith("</svg>\n")
    assert [path.name for path in tmp_path.iterdir()] == ["map.svg"]  # no temporary file is left


def test_draw_shows_an_edition_with_faults_and_then_lists_them(
    folder: Path, tmp_path: Path, gonzaga: Run
) -> None:
    edit(folder, "board", "at = [16, 3]", "at = [0, 0]")
    edit(folder, "fiefs", "castles = [1]", "castles = [9]")
    out = tmp_path / "map.svg"
    code, told, err = gonzaga("edition", "draw", folder, "--out", out)
    assert (code, told) == (2, f"wrote {out}\n")
    assert "Mantova" in out.read_text("utf-8")
    assert all(fault in err for fault in faults_of(folder))


def test_sizes_are_bounded_before_anything_is_checked(folder: Path) -> None:
    board, fiefs = folder / "board.toml", folder / "fiefs.toml"
    fief = fiefs.read_text().partition("[[fief]]")[2].partition("[[fief]]")[0]
    fiefs.write_text(f"[[fief]]{fief}" * 600)
    with pytest.raises(EditionError, match="fief: has 600 items; at most 100 are allowed"):
        load_edition(folder)
    text = board.read_text()
    board.write_text(text.replace('map = """', 'map = """\n' + "H " * 15_000))
    with pytest.raises(EditionError, match=r"map: has \d+ characters; at most 20000 are allowed"):
        load_edition(folder)
    board.write_text(text.replace('map = """', 'map = """\n' + "H " * 100_000))
    with pytest.raises(EditionError, match=r"board.toml: is larger than 131,072 bytes"):
        load_edition(folder)


def read_again(texts: dict[str, str]) -> Edition:
    content = {}
    for file in FILES:
        content[file], faults = parse_file(file, texts[f"{file}.toml"].encode())
        assert faults == []
    return build_edition(Path(), content)


def test_the_shipped_files_are_as_they_would_be_written(europe: Edition) -> None:
    texts = edition_files(europe)
    assert sorted(texts) == sorted(path.name for path in (EDITIONS / "europe").iterdir())
    for name, text in texts.items():
        assert text == (EDITIONS / "europe" / name).read_text("utf-8")


NASTY = ('a "b" \\ c', "'''", '"""', "ś€😀", "")


@pytest.mark.parametrize("name", NASTY)
def test_any_name_comes_back(europe: Edition, name: str) -> None:
    marks = (("B" if name.split() != [name] else name, ".", '"'), (), ("\\", "long", "#"))
    edition = replace(
        europe,
        name=name,
        reconstruction=False,
        marks=marks,
        regions={"B": name, name: "key"},
        seas={"a b": name, "é": "sea"},
        cities=(Site("city", name, (0, 0), name), Site("city", "far", (-1, 999), "")),
        barriers=(Barrier(name, ()), Barrier("x", (((0, 0), (9, 9)),))),
        scenarios=(replace(europe.scenarios[0], name=name, flourishing=()),),
        objectives=((name, name),),
    )
    again = read_again(edition_files(edition))
    for field in ("name", "reconstruction", "marks", "regions", "seas", "cities", "harbors"):
        assert getattr(again, field) == getattr(edition, field), field
    for field in ("barriers", "fiefs", "scenarios", "objectives"):
        assert getattr(again, field) == getattr(edition, field), field


def test_an_empty_edition_comes_back() -> None:
    edition = build_edition(Path(), EMPTY)
    assert read_again(edition_files(edition)).digest == edition.digest
