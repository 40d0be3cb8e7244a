"""The log of games whose decisions take one action each: sentences about people."""

import re
import time

import numpy as np
import pytest
from gonzaga_table.session import GameSession, human

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.sentences import third_person
from gonzaga_env.kernel.view import distinct_names, gains_words, player_name
from tests.table.web.asking import play_out

NAMES = "Ada", "Bo"


def begun(game: str) -> GameSession:
    config = game_spec(game).config(num_players=2)
    return GameSession(config, [human(name) for name in NAMES], 3)


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_lines_say_who_does_what(game) -> None:
    session = begun(game)
    play_out(session, np.random.default_rng(3))
    viewers = 0, "public"
    lines = [line for viewer in viewers for frame in session.log(viewer) for line in frame]
    assert any(line.seat is None for line in lines)
    for line in lines:
        assert "player" not in line.text
        if line.seat is not None:  # the name goes before it: "Ada takes village"
            assert re.match(r"(has|[a-z]+s)\b", line.text), line.text
    scored = [line.text for line in lines if "scored" in line.text]
    assert scored
    assert all("Ada +" in text and "Bo +" in text for text in scored)


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_choices_say_what_to_do(game) -> None:
    session, rng = begun(game), np.random.default_rng(3)
    for _ in range(40):
        turn = session.turn(session.to_act)
        for choice in turn.choices:
            assert not re.match(r"\w+s ", choice.words), choice.words
            assert third_person(choice.words) != choice.words
        session.play(
            session.to_act, session.num_moves, rng.choice([c.action for c in turn.choices])
        )


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("take village", "takes village"),
        ("pass", "passes"),
        ("marry into Roma", "marries into Roma"),
        ("pay a marble", "pays a marble"),
        ("finish", "finishes"),
    ],
)
def test_what_to_do_is_told_of_somebody(words, text) -> None:
    assert third_person(words) == text


def test_players_without_names_are_called_by_their_seats() -> None:
    players = game_spec("tuscany").game(num_players=2).view().players
    assert player_name(players[1]) == "player 1"
    assert gains_words(players, [3, 0]) == "player 0 +3, player 1 +0"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["greedy", "Ann", "greedy", ""], ("greedy 1", "Ann", "greedy 2", "")),
        (["greedy 1", "greedy", "greedy"], ("greedy 1", "greedy 2", "greedy 3")),
        (["", ""], ("", "")),
    ],
)
def test_equal_names_are_numbered(names, shown) -> None:
    assert distinct_names(names) == shown


def test_equal_names_are_numbered_in_time_that_grows_with_them() -> None:
    """It grew with the cube of their number."""
    names = ["a"] * 100_000
    start = time.process_time()
    assert distinct_names(names)[-1] == "a 100000"
    assert time.process_time() - start < 5
