"""What people read: views, words and logs."""

from pathlib import Path

import numpy as np
import pytest

from gonzaga_env.games import record_frames
from gonzaga_env.signorie import Game
from gonzaga_env.signorie.constants import KINDS
from gonzaga_env.signorie.view.words import action_words, stage_words
from gonzaga_env.tabletop.records import read_record

REFEREE = Path(__file__).parent / "games" / "referee.jsonl"


def test_a_view_shows_the_table() -> None:
    view = Game(2, seed=4).view(names=["Ada", "Bo"])
    player = view.players[view.order[0]]
    assert (player.place, player.height, player.initiative) == (1, 2, 1)
    assert player.rows[3].shields == ("a", "b", "c", "d", "e", "f")
    assert [len(row.shields) for row in player.rows] == [4, 4, 4, 6]
    assert [color.name for color in view.colors] == ["yellow", "red", "violet", "grey", "turquoise"]
    assert all(len(color.dice) == 2 for color in view.colors)
    assert view.colors[1].helpers[2] == (4, "3 VP")
    assert view.colors[4].hires_in == "grey"
    assert sum(city.in_play for city in view.cities) == 3
    city = next(city for city in view.cities if city.in_play)
    assert city.empty == (1, 1, 2, 2, 3, 3, 4, 4)
    assert city.marriage[0] in "abcdef"
    assert (view.deck, view.helpers_left, view.last) == (36, 48, None)
    assert stage_words(view) == "Round 1: a die or pass"
    assert repr(view) == "<GameView for 'spectator', round 1>"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("yellow 3 signoria", "take yellow 3 to do its Signoria action at no cost (3 Florins)"),
        ("red 1 hire 3", "take red 1 to hire yellow 3 for 5 Florins (2 track points)"),
        (
            "turquoise 6 hire 2",
            "take turquoise 6 to hire grey 2 for 3 Florins (half the die in VP)",
        ),
        ("pass", "pass"),
        ("spend 1", "spend 1 meeple"),
        ("advance military 3", "advance in the military career from slot 3"),
        ("mission political 7 Roma", "send the male on political slot 7 to Roma (13 VP)"),
        ("marry Milano 4", "marry into Milano with a dowry of 4 (8 VP)"),
        ("row marriage", "put a face-down tile into the marriage row"),
        ("no wed", "wed no bride"),
        ("helper grey 1", "place a free helper on grey 1"),
    ],
)
def test_actions_have_words(text: str, words: str) -> None:
    game = Game(2, seed=4)
    assert action_words(text, game.view()) == words
    assert game.describe(game.actions.parse(text)) == words


def test_rewards_say_what_they_cost_and_bring() -> None:
    """S11.4 and S11.5, at the first decision of each kind that has both ways."""
    game, rng, said = Game(2, seed=4), np.random.default_rng(4), dict[str, set[str]]()
    while not game.finished:
        kind, legal = KINDS[game.kind], np.flatnonzero(game.mask())
        if len(legal) > 1:
            said.setdefault(kind, {game.describe(action) for action in legal})
        game.play(int(rng.choice(legal)))
    assert "take 3 Florins instead of the bonus tile" in said["reward"]
    assert said["wed"] == {"wed a bride (0 VP)", "wed no bride"}
    assert said["pay"] == {"pay 5 Florins for 5 VP", "keep the Florins"}


def test_every_action_has_words_of_its_own() -> None:
    game = Game(2, seed=4)
    view = game.view()
    words = {action_words(game.actions.to_text(a), view) for a in range(game.actions.size)}
    assert len(words) == game.actions.size


def test_a_log_tells_what_moves_bring() -> None:
    record = read_record(REFEREE, 1)
    frames = list(record_frames(record))
    assert len(frames) == len(record["moves"]) + 1
    texts = [line.text for frame in frames for line in frame.lines]
    assert texts[0] == "takes grey 3 to hire violet 3 for 5 Florins (2 track points); -5 Florins"
    assert any(
        "marries into Firenze with a dowry of 4 (8 VP); +8 VP (marriages); -4 Florins" in t
        for t in texts
    )
    assert "Round 2 begins" in texts
    assert texts[-1].endswith(f"wins with {max(record['scores']['total'])} points")
    assert sum(text.startswith("Initiative is scored") for text in texts) <= 7
    assert "The game is over" in texts
    assert stage_words(frames[-1].view) == "The game is over"
