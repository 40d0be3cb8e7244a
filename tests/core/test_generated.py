"""Generated maps are valid, the same everywhere, and named wherever an edition is."""

from dataclasses import replace

import numpy as np
import pytest

from gonzaga_env.core import Engine, Recorder, replay
from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.constants import INACTIVE_CARD
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions import land
from gonzaga_env.core.editions.generating import (
    SETS,
    edition_set,
    frozen_set,
    permuted,
)
from gonzaga_env.core.editions.land import NUM_AREAS, Neighbors, SiteSearch, Wanted
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.editions.validate import find_faults, find_warnings
from gonzaga_env.kernel.chance import Draws
from gonzaga_env.kernel.errors import EditionError

SAMPLE = ("generated:grow-0", "generated:perturb-0", "generated:grow-50")


@pytest.mark.parametrize("name", SAMPLE)
def test_frozen_maps_are_made_again(name: str) -> None:
    known = edition_set("generated:train") | edition_set("generated:test")
    assert load_edition(name).digest == known[name]


@pytest.mark.nightly
@pytest.mark.parametrize("one", SETS)
def test_all_frozen_maps_are_made_again(one: str) -> None:
    known = edition_set(f"generated:{one}")
    assert {name: load_edition(name).digest for name in known} == known


@pytest.mark.parametrize("name", SAMPLE[:2])
def test_maps_are_valid_and_each_fief_has_a_place_for_each_plan(name: str, europe: Edition) -> None:
    edition = load_edition(name)
    assert not find_faults(edition)
    assert not find_warnings(edition)
    assert edition.grid.cells == europe.grid.cells  # so layouts are the same
    assert (edition.fiefs, edition.objectives) == (europe.fiefs, europe.objectives)
    tables = tables_for(edition)
    for scenario, flourishing in enumerate(tables.flourishing):
        legal = tables.fief_bits[scenario, :INACTIVE_CARD].any(axis=-1)
        assert legal[flourishing].all()


def test_sets_are_frozen_and_have_no_map_in_common() -> None:
    train, test = edition_set("generated:train"), edition_set("generated:test")
    assert len(train) == len(test) == 100
    assert len({*train.values(), *test.values()}) == 200
    assert tuple(train) == frozen_set("train")
    assert edition_set("europe") == edition_set("train") == edition_set("generated:grow-1") == {}
    with pytest.raises(EditionError, match="set is 'all'; known: train, test"):
        frozen_set("all")


@pytest.mark.parametrize(
    "name", ["grow", "grow--1", "grow-01", "GROW-1", "grow-1 ", "grow-" + "9" * 19, "melt-1", ""]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(EditionError, match="names none; it takes a style and a seed"):
        load_edition(f"generated:{name}")


def test_a_set_is_not_one_edition() -> None:
    with pytest.raises(EditionError, match="names a set; it takes one map"):
        load_edition("generated:train")


def test_records_name_their_map_and_are_replayed() -> None:
    engine = Engine(1, 2, edition=SAMPLE[0], seed=3, autoreset=False)
    recorder, rng = Recorder(engine, [["a", "b"]]), np.random.default_rng(0)
    while not engine.state.finished.all():
        recorder.step(engine.sample_legal(rng))
    (record,) = recorder.pop()
    assert record["edition"] == SAMPLE[0]
    assert record["edition_hash"] == load_edition(SAMPLE[0]).digest
    assert replay(record).finished


def test_permuted_maps_are_the_same_but_for_the_order_of_cards(europe: Edition) -> None:
    other = permuted(europe, Draws("a"))
    assert other.marks == europe.marks
    assert [*other.regions] != [*europe.regions]
    assert (other.regions, other.seas) == (europe.regions, europe.seas)  # as mappings
    assert other.digest != europe.digest


def test_draws_repeat_and_cover_what_they_may() -> None:
    one, other = Draws("x"), Draws("x")
    drawn = [one.between(2, 5) for _ in range(100)]
    assert drawn == [other.between(2, 5) for _ in range(100)]
    assert set(drawn) == {2, 3, 4, 5}
    assert sorted(one.shuffled(range(20))) == [*range(20)] != one.shuffled(range(20))
    # As numpy promises for every version: a change would change all maps.
    assert Draws("gonzaga").below(1000) == 602


def test_perturbed_areas_stay_in_as_many_pieces(europe: Edition) -> None:
    neighbors = Neighbors(europe.grid)
    marks = [*europe.regions, *europe.seas]
    start = [marks.index(europe.mark(cell)) for cell in europe.grid.cells]
    moved = land.perturb(neighbors, start, Draws("p"))
    changed = sum(one != other for one, other in zip(start, moved, strict=True))
    assert changed > 20
    for area in range(NUM_AREAS):
        assert abs(moved.count(area) - start.count(area)) <= 5


def test_a_search_for_sites_gives_up_where_there_is_no_room(europe: Edition) -> None:
    neighbors = Neighbors(europe.grid)
    areas = [0] * len(europe.grid)  # all land of one region, without a coast
    bare = replace(
        europe, marks=tuple(tuple("H" if m != "." else m for m in row) for row in europe.marks)
    )
    search = SiteSearch(bare, areas, neighbors, Draws("s"))
    assert search.places(Wanted(0, 1)) == []
    assert search.find([Wanted(0, None), Wanted(0, 1)], [None, None]) is None
