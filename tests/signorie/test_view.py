"""What people read: views, words and logs."""

from gonzaga_env.signorie import Game
from gonzaga_env.signorie.view import action_words, stage_words


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
    assert repr(view) == "<GameView for 'spectator', round 1, main>"


def test_every_action_has_words_of_its_own() -> None:
    game = Game(2, seed=4)
    view = game.view()
    words = {action_words(game.actions.to_text(a), view) for a in range(game.actions.size)}
    assert len(words) == game.actions.size
