"""What a game on arrays gets from the kernel: texts, its only edition, chance and refusals."""

import numpy as np
import pytest

from examples.your_game.liars_dice import SPEC, Deal, Engine, Game, GameConfig
from gonzaga_env import games
from gonzaga_env.kernel.arrays import ActionTexts, Events
from gonzaga_env.kernel.editions import OnlyEdition
from gonzaga_env.kernel.errors import ActionError, EditionError, OptionError, RecordError

DICE = np.array([[[1, 2, 3, 4, 5], [6, 6, 6, 1, 1]]])


def test_action_texts_are_inverse_and_name_examples() -> None:
    texts = ActionTexts(["roll", "hold", "stop"])
    assert [texts.parse(texts.to_text(action)) for action in range(texts.size)] == [0, 1, 2]
    assert repr(texts) == "<ActionTexts, 3 actions>"
    with pytest.raises(ActionError, match=r"'jump' is not an action; .* 'roll', 'stop'"):
        texts.parse("jump")


def test_a_game_without_edition_files_has_one_edition() -> None:
    edition = OnlyEdition("pebbles")
    assert edition.load("standard") is edition
    assert edition == OnlyEdition("pebbles")
    assert edition != OnlyEdition("marbles")
    with pytest.raises(EditionError, match="'europe'; there is 'standard' only"):
        edition.load("europe")
    assert GameConfig(2).edition == GameConfig(2, "standard").edition


def test_chance_draws_places_in_order_and_is_uniform() -> None:
    state = Engine(1000, 2, seed=5).state
    events, places = Events(state), np.zeros((1000, 3), np.bool_)
    places[:, 1:] = True
    before = state.event.copy()
    found = events.draw(places, range(2, 5))
    assert not found[:, 0].any()
    assert np.array_equal(state.event - before, np.full(1000, 2))
    assert events.drawn == found[:, 1:].ravel().tolist()
    shares = np.bincount(found[:, 1:].ravel(), minlength=5)[2:] / 2000
    assert np.abs(shares - 1 / 3).max() < 0.05


@pytest.mark.parametrize("drawn", [[1], [1] * 9 + [7], [1] * 9 + [True], [1] * 10, ["1"] * 9])
def test_given_outcomes_are_checked_and_change_nothing(drawn: list[object]) -> None:
    game = Game(2)
    game.play(0)
    before = game.state.to_bytes()
    with pytest.raises(RecordError, match="drawn holds"):
        game.play(game.actions.parse("liar"), drawn)
    assert game.state.to_bytes() == before


def test_given_outcomes_are_rolled() -> None:
    game = Game(2)
    game.play(0)
    game.play(game.actions.parse("liar"), [6] * 9)
    assert sorted(np.ravel(game.state.dice)) == [0] + [6] * 9


@pytest.mark.parametrize("dice", [DICE[0], DICE.astype(float), DICE + 256, DICE.tolist()])
def test_wrong_deals_are_refused(dice: np.ndarray) -> None:
    game = Game(2)
    before = game.state
    with pytest.raises(OptionError, match="deal"):
        game.reset(0, Deal(dice))
    with pytest.raises(OptionError, match="deal"):
        SPEC.check_deal(game.config, Deal(dice), 1)
    assert game.state == before


def test_own_games_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_ADDED", {})
    with pytest.raises(OptionError, match=r"'liars_dice'; known: gonzaga, tuscany, signorie$"):
        games.game_spec("liars_dice")
    games.add_game(SPEC)
    assert games.game_spec("liars_dice") is SPEC
    with pytest.raises(OptionError, match=r"'chess'; known: .*, liars_dice$"):
        games.game_spec("chess")
    with pytest.raises(OptionError, match="'gonzaga' is a game of this package"):
        games.add_game(games.game_spec())
    assert games.game_names() == ("gonzaga", "tuscany", "signorie")
    with pytest.raises(OptionError, match="a game is a GameSpec, not 3"):
        games.add_game(3)  # type: ignore[arg-type]
