"""Edition files (T1, M2; notation, part 1)."""

from pathlib import Path

import pytest

from gonzaga_env.kernel.errors import EditionError
from gonzaga_env.tuscany.edition import (
    EDITIONS,
    load_edition,
    read_edition,
    shipped_editions,
)

TEXT = (EDITIONS / "reconstruction.toml").read_text()
FOLDER = Path("here.toml")


def test_the_reconstruction_has_the_digest_of_the_notation() -> None:
    assert shipped_editions() == ("reconstruction",)
    edition = load_edition("reconstruction")
    digest = "2c7dc5873e4d6e48cb43dd98455c5e1ece65a93cc0b34500337a2a43e80ba947"
    assert edition.digest == digest
    assert edition.yield_names[0] == "green 1"
    other = read_edition(TEXT.replace("Not the printed", "not the printed").encode(), FOLDER)
    assert other.digest == digest  # the note does not count
    assert 4 * (sum(edition.player_tiles) + 1) + sum(edition.neutral_tiles) == 120  # T1.2
    assert sum(edition.region_cards) + sum(n for *_, n in edition.yield_cards) + 1 == 150  # T1.4


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("format = 1", "format = 2", "format: is 2; it takes 1"),
        ("format = 1", "format = true", "format: is True; it takes 1"),
        ("starting_castles = 1", "", "starting_castles: is missing"),
        ("format = 1", "format = 1\nsize = 3", "size: is an unknown key"),
        ('"VVFQVIAMWW"', '"VVFQVIAMW"', "boards: A1: is 'VVFQVIAMW'; it takes 10 of the letters"),
        ("V = 20", "V = 21", "region_cards: 123 in all; 122 are required (T1.4)"),
        ('"green 1" = 3', '"green 1" = 4', "yield_cards: 28 in all; 27 are required (T1.4)"),
        ('"green 1" = 3', '"gold 1" = 3', "'gold 1': is not a yield card"),
        (
            '"green 1" = 3',
            '"green 1" = 0',
            "yield_cards: green 1: is 0; it takes an integer from 1",
        ),
        ("V = [4, 2]", "V = [-1, 2]", "V: item 1: is -1; it takes an integer from 0 to 255"),
        ("V = [4, 2]", "V = [1, 256]", "V: item 2: is 256; it takes an integer from 0 to 255"),
        ("V = [4, 2]", "V = [1, 1.5]", "colour_bonus: V: "),
        (
            "V = [4, 2]",
            "V = [4, 254]",
            "colour_bonus: the larger number of each colour adds up to 273; "
            "137 fit beside 118 other green points, 255 in all",
        ),
        (
            '"green 2" = 3',
            '"green 9" = 3',
            "yield_cards: a player could have 258 green points without colours; 255 fit",
        ),
        (
            '"marble 1" = 3',
            '"marble 9" = 3',
            "yield_cards: a player could have 280 marble; 255 fit",
        ),
        ("AOG = 1", "AOG = 2", "neutral_tiles: 5 tiles of colour A; 4 are required (T1.2)"),
        ("AOG = 1", "AX = 1", "neutral_tiles: AX: is an unknown key"),
        ('"VVFQVIAMWW"', '"VVFQVIAMWV"', "boards: A1 B1 C1: has V6 A5 W3"),
        ('"VVFQVIAMWW"', '"VVFQVIMAWW"', "has a zone of more than 3 hexes (M2)"),
    ],
)
def test_faults_are_named(old: str, new: str, fault: str) -> None:
    assert old in TEXT
    with pytest.raises(EditionError, match=r"the edition in here.toml has") as caught:
        read_edition(TEXT.replace(old, new, 1).encode(), FOLDER)
    assert any(fault in found for found in caught.value.faults), caught.value.faults


@pytest.mark.parametrize("points", [[1, 2], [0, 0], [2, 4], [0, 118], [118, 118]])
def test_any_two_numbers_that_fit_are_a_colour_bonus(points: list[int]) -> None:
    edition = read_edition(TEXT.replace("V = [4, 2]", f"V = {points}", 1).encode(), FOLDER)
    assert edition.colour_bonus[0] == tuple(points)


def test_all_faults_are_named_together() -> None:
    broken = TEXT.replace("V = 20", "V = 21").replace("AOG = 1", "AOG = 2")
    with pytest.raises(EditionError, match="3 faults"):
        read_edition(broken.encode(), FOLDER)


@pytest.mark.parametrize("name", ["nothing", "", 3, "a\0b", EDITIONS])
def test_what_is_no_edition_is_refused(name: str) -> None:
    with pytest.raises(EditionError, match="edition"):
        load_edition(name)


def test_a_file_that_is_not_toml_is_refused() -> None:
    with pytest.raises(EditionError, match="not valid TOML"):
        read_edition(b"= 3", FOLDER)
