"""Edition files (N1)."""

from pathlib import Path

import pytest

from gonzaga_env.kernel.errors import EditionError
from gonzaga_env.signorie.edition import EDITIONS, load_edition, read_edition
from tests.signorie.wild import edition_of, wild

TEXT = (EDITIONS / "reconstruction.toml").read_text()
HERE = Path("here.toml")


def test_the_reconstruction_has_the_digest_of_the_notation() -> None:
    edition = load_edition("reconstruction")
    digest = "78c0c8f1fca593c73d4c54fdd54a023c35440adae69b080d9f77ef143bdf3e4c"
    assert edition.digest == digest
    assert edition.reconstruction
    assert len(edition.effects) == 5 + 15 + 10 + 9
    assert edition.effect_name(7) == "helper yellow 3"
    assert edition.effect_words(7) == "2 track points"
    assert edition.effect_words(edition.first_assignment + 9) == "4 track points, 1 Florin"
    assert sum(edition.tiles) == 54  # S1.4
    assert edition.threshold_step == 3  # S11.3


_MANY_VP = ", ".join(["vp 99"] * 12)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("format = 1", "format = 2", "format: is 2; it takes 1"),
        ('game = "signorie"', 'game = "tuscany"', "game: is 'tuscany'; it takes 'signorie'"),
        ('["political", "clerical", "military"]', "3", "careers: is 3; it takes a list"),
        ("format = 1", "format = 1\nnote = 3", "note: is an unknown key"),
        (
            "[setup]",
            "[size]\nrounds = 8\n[setup]",
            "size: rounds: is 8; it takes an integer from 1",
        ),
        (
            "[setup]",
            "[size]\ndice = 0\n[setup]",
            "size: dice: is 0; it takes an integer from 1 to 4",
        ),
        ("[setup]", "[size]\nturns = 1\n[setup]", "size: turns: is an unknown key; known keys: r"),
        ("florins = 5", "florins = 100", "setup: florins: is 100; it takes an integer from 0 to"),
        ("helpers = 48", "", "setup: helpers: is missing"),
        ("[1, 2, 2, 3]", "[1, 2, 2]", "setup: extra_florins: has 3 items; it takes 4"),
        ("[0, 0, 1, 1,", "[1, 0, 1, 1,", "initiative_vp: takes 2 to 20 numbers that never fall"),
        ("rank = 3", "rank = 2", "career_slot: ranks are [1, 1, 2, 2, 4, 4, 4]; they never fall"),
        ("vp = 13", "vp = 12", "career_slot: vp are [1, 3, 5, 7, 9, 11, 12]"),
        ('bonus = "florins 2"', 'bonus = "vp 2"', "career_slot 4: bonus: takes florins and init"),
        ('name = "yellow"', 'name = "pass"', "color: pass is a word of actions"),
        ('"clerical", ', '"marriage", ', 'board 1 "yellow": clerical: is an unknown key'),
        ('name = "Roma"', 'name = "Milano"', "city: Milano occurs twice"),
        ('name = "Roma"', 'name = "San Marino"', "is 'San Marino'; it takes one word of letters"),
        ("cost = 5", "cost = 13", 'color 5 "turquoise": cost: is 13; it takes an integer from 1'),
        ('signoria = "mission"', 'signoria = "offspring"', "color: signoria takes tracks N, mis"),
        ('hires_in = "grey"', 'hires_in = "red"', "color: hires_in takes each color once"),
        ('  { price = 2, effect = "florins 1" },\n', "", "color: each takes equally many helpers"),
        ("[1, 1, 2, 2, 3, 3, 4, 4]", "[2, 1]", "city Milano: its slots take rising values"),
        ("[2, 2, 2, 3,", "[6, 2, 2, 3,", 'house 1 "a": values: item 1: is 6; it takes an integ'),
        ("meeples = 2", "meeples = 0", "is 0; it takes an integer from 1 to 9 or '..3'"),
        ('"tile 1" }', '"tile" }', "effect: is 'tile'; it takes parts joined by ', ': florins N"),
        ('"tile 1" }', '"marriage 1" }', "effect: is 'marriage 1'; it takes parts joined by"),
        ('"vp 3" }', '"threshold 3" }', "color red: helpers: threshold stands alone, on an assi"),
        ('"threshold 3"', '"threshold 3, vp 1"', "assignment threshold: threshold stands alone"),
        ('effect = "vp 4"', 'effect = "half_die_vp"', "bonus_tile fame: half_die_vp needs a die"),
        ('per = "brides"', 'per = "males"', "per: is 'males'; it takes 'helpers' or 'brides' or"),
        ('"vp 3" }', f'"{_MANY_VP}" }}', "points; 30,000 can be held"),
        (
            '"florins 1" }',
            f'"{_MANY_VP.replace("vp", "florins")}" }}',
            "Florins; 30,000 can be held",
        ),
        ('["a", "a", "b", "d"]', '["a", "a", "b", "b"]', "board yellow: political: takes 4 shie"),
        ('["a", "a", "b", "d"]', '["a", "a", "b", "x"]', "board yellow: political: takes 4 shie"),
    ],
)
def test_faults_are_named(old: str, new: str, fault: str) -> None:
    assert old in TEXT
    with pytest.raises(EditionError, match=r"the edition in here.toml has") as caught:
        read_edition(TEXT.replace(old, new, 1).encode(), HERE)
    assert any(fault in found for found in caught.value.faults), caught.value.faults


def test_all_faults_are_named_together() -> None:
    broken = TEXT.replace("cost = 5", "cost = 0").replace("meeples = 2", "meeples = 0")
    with pytest.raises(EditionError, match="3 faults"):
        read_edition(broken.encode(), HERE)


@pytest.mark.parametrize("seed", range(4))
def test_other_editions_have_other_sizes(seed: int) -> None:
    values = wild(seed)
    edition = edition_of(values)
    assert edition.num_helper_slots == len(values["color"][0]["helpers"])
    assert edition.num_career_slots == len(values["career_slot"])
    (threshold,) = (tile for tile in values["assignment"] if tile["name"] == "threshold")
    assert threshold["effect"] == f"threshold {edition.threshold_step}"
