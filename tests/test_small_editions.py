"""Small editions: fewer rounds, fiefs, rings and sites than the printed game."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.edition import EDITIONS, Edition, Size
from gonzaga_env.core.editions.loading import (
    check_edition,
    edition_files,
    load_edition,
    shipped_editions,
)
from gonzaga_env.core.editions.validate import find_warnings
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.spec import SPEC
from gonzaga_env.kernel.conformance import CHECKS
from gonzaga_env.kernel.errors import EditionError, OptionError
from tests.marks import some_nightly
from tests.oracle import OracleEdition
from tests.perft.count import engine_perft, game_perft, oracle_perft
from tests.perft.gonzaga import OracleNode
from tests.test_oracle import oracle_of, play_beside_oracle

SMALL = [name for name in shipped_editions() if name != "europe"]
TWO_OF_THEM = "mini-a2-objectives", "mini-c3"


def config_of(name: str, **rules: Any) -> GameConfig:
    edition = load_edition(name)
    return GameConfig(edition.scenarios[0].players, edition=edition, rules=Rules(**rules))


def smaller_europe(**size: Any) -> Edition:
    europe = load_edition("europe")
    part = Size(**size)
    objectives = europe.objectives if part.objectives else ()
    return replace(europe, size=part, fiefs=europe.fiefs[: part.fiefs], objectives=objectives)


def test_nine_ship() -> None:
    assert [name for name in SMALL if name.startswith("mini-")] == SMALL
    assert len(SMALL) == 9
    for name in SMALL:
        edition = load_edition(name)
        assert edition.is_small
        assert not find_warnings(edition)
        assert edition.size.objectives == (edition.objectives != ())


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_the_engine_plays_as_the_oracle(name: str, sea_league: str) -> None:
    config = config_of(name, sea_league=sea_league, first_check_round=1)
    engine = Engine.from_config(config, 60, seed=3, autoreset=False)
    play_beside_oracle(engine, OracleEdition(EDITIONS / name), 5)


@pytest.mark.parametrize(
    "size",
    [
        {"rounds": 1},
        {"rounds": 3, "fiefs": 4, "rings": 2, "open_sites_at_end": 40},
        {"rounds": 9, "rings": 1, "objectives": False},
    ],
)
def test_a_part_of_the_map_of_europe_plays_as_the_oracle(
    size: dict[str, Any], tmp_path: Path
) -> None:
    for file, text in edition_files(smaller_europe(**size)).items():
        (tmp_path / file).write_text(text, "utf-8")
    edition = load_edition(tmp_path)
    assert edition.size == Size(**size)
    for num_players in (2, 3, 4):
        engine = Engine(6, num_players, edition=edition, rules=Rules(first_check_round=1))
        engine.autoreset = False
        play_beside_oracle(engine, OracleEdition(tmp_path), num_players)


def test_all_sequences_of_a_deal_are_those_of_the_oracle() -> None:
    """Both engines and the oracle count the whole tree of the smallest edition."""
    game = Game(2, edition="mini-a2-objectives", seed=2)
    engine = Engine.from_state(game.config, game.state, autoreset=False)
    oracle = oracle_of(engine, OracleEdition(EDITIONS / "mini-a2-objectives"), 0)
    for depth in (3, 8):  # up to the reveal, and all
        found = engine_perft(engine, depth)
        assert found == game_perft(game, depth)
        if depth == 3:
            assert found == oracle_perft(OracleNode(oracle), depth)
    assert found > 2000


@pytest.mark.parametrize("name", some_nightly(SMALL, lambda name: name in TWO_OF_THEM))
def test_it_conforms(name: str) -> None:
    """Both engines, copies, records, hidden information, views and refusals."""
    for each in CHECKS:
        each(SPEC, config_of(name), 0)


def test_what_is_left_out_is_never_drawn_nor_shown() -> None:
    config = config_of("mini-c3")
    engine = Engine.from_config(config, 500, seed=1)
    assert (engine.state.deck[..., 3:] == np.arange(3, 12)).all()
    assert {tuple(deck) for deck in engine.state.deck[:, 0, :3].tolist()} == {
        *((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    }
    drawn = engine.resample(0, np.random.default_rng(0))
    assert (drawn.deck[..., 3:] == np.arange(3, 12)).all()
    to_come = config.features.view(engine.observe(), "deck")
    assert to_come.sum(axis=2).tolist() == [[2, 2]] * 500
    assert {len(player.deck) for player in engine.view().players} == {2}
    assert {player.objective for player in engine.view().players} == {None}


def test_a_deal_of_fiefs_that_are_not_played_is_refused() -> None:
    game = Game(2, edition="mini-b3")
    deal = game._draw_deals(np.array([1], np.uint64), np.array([0], np.uint32))
    decks = np.roll(deal.decks, 1, axis=2)
    with pytest.raises(OptionError, match="fiefs from 2 on are not played; they must come last"):
        game.reset(seed=np.array([1]), deal=replace(deal, decks=decks))


def test_a_fief_that_is_not_played_is_not_turned_up() -> None:
    game = Game(2, edition="mini-b3", seed=1)
    with pytest.raises(OptionError, match="fief 2 of seat 0 is not to come"):
        game.turn_up_next([2, 2])
    game.turn_up_next([deck[1] for deck in game.position.decks])
    assert [deck[2:] for deck in game.position.decks] == [bytes(range(2, 12))] * 2


@pytest.mark.parametrize(
    ("size", "what"),
    [
        ({"fiefs": 0}, "fiefs is 0; 1 to 12 are allowed"),
        ({"fiefs": 13}, "fiefs is 13; 1 to 12 are allowed"),
        ({"rounds": 0}, "rounds is 0; 1 to 12 are allowed"),
        ({"rounds": 3, "fiefs": 2}, "rounds is 3; 1 to 2 are allowed"),
        ({"rings": 7}, "rings is 7; 0 to 6 are allowed"),
        ({"rings": -1}, "rings is -1; 0 to 6 are allowed"),
        ({"open_sites_at_end": 49}, "open_sites_at_end is 49; 0 to 48 are allowed"),
    ],
)
def test_sizes_out_of_range_are_refused(size: dict[str, int], what: str) -> None:
    edition = replace(load_edition("europe"), size=Size(**size))
    with pytest.raises(EditionError) as error:
        check_edition(edition)
    assert f"board.toml: size: {what}" in error.value.faults


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"fiefs": ()}, "fiefs.toml: numbers none; 1 to 2, once each, are required"),
        ({"scenarios": ()}, "scenarios.toml: 0 scenarios; 1 to 16 are allowed"),
        ({"objectives": ()}, "objectives.toml: 0 objectives; 2 to 16 are allowed"),
        (
            {"size": Size(2, 2, 0, objectives=False)},
            "objectives.toml: 3 objectives; 0 are required",
        ),
        (
            {"cities": load_edition("mini-a2").cities[:1] * 5},
            "board.toml: cities of Hispania: 5; at most 4 are allowed",
        ),
    ],
)
def test_a_small_edition_is_checked(change: dict[str, Any], what: str) -> None:
    edition = replace(load_edition("mini-a2-objectives"), **change)
    with pytest.raises(EditionError) as error:
        check_edition(edition)
    assert any(fault.startswith(what) for fault in error.value.faults), error.value.faults


def test_wrong_types_and_keys_of_the_size_are_faults(tmp_path: Path) -> None:
    files = edition_files(load_edition("mini-a2"))
    files["board.toml"] = files["board.toml"].replace("rounds = 2", 'rounds = "two"\nrooms = 1')
    for file, text in files.items():
        (tmp_path / file).write_text(text, "utf-8")
    with pytest.raises(EditionError) as error:
        load_edition(tmp_path)
    assert "board.toml: size: rounds: is 'two'; it takes an integer up to 999" in error.value.faults
    assert any("size: rooms: is an unknown key" in fault for fault in error.value.faults)
