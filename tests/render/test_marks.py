"""Marks of choices on Signorie's table: each lies where its piece is drawn."""

from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.panels import Choice, Considering
from gonzaga_env.render.shapes import Label, Polygon
from gonzaga_env.render.signorie.blocks import spot_of
from tests.render.scenes import play


def test_marks_lie_on_what_a_choice_is_about() -> None:
    pictures = game_pictures("signorie")
    for num_players in (2, 3, 4):
        game, _ = play("signorie", num_players, 1, 0)
        view = game.view()
        scene = pictures.scene(game.edition, view)
        for text, word in (("grey 3 hire 2", None), ("grey 3 assign 1", view.colors[3])):
            action = game.actions.parse(text)
            cells = pictures.covered(game, view, action)
            assert cells == (spot_of(view, text),)
            considering = Considering("x", "share", (Choice(text, 0.5, cells),), True)
            marks = [*pictures.marks(game.edition, view, considering, LIGHT)]
            outline = next(shape for shape in marks if isinstance(shape, Polygon))
            (left, top), (right, _), (_, bottom), _ = outline.points
            assert 0 < left < right < scene.width
            assert 0 < top < bottom < scene.height
            inside = [
                shape.text
                for shape in scene.shapes
                if isinstance(shape, Label)
                and left < shape.at[0] < right
                and top < shape.at[1] < bottom
            ]
            if word is None:
                column = next(c for c in view.colors if c.name == view.colors[3].hires_in)
                assert str(column.helpers[1][0]) in inside  # its price
                panel = pictures.places(game.edition, num_players)[view.to_act]
                assert panel[0] < left
                assert panel[1] < top
            else:
                assert word.assignments[0].name in inside


def test_a_choice_without_a_place_has_no_mark() -> None:
    game, _ = play("signorie", 2, 1, 0)
    assert game_pictures("signorie").covered(game, game.view(), game.actions.parse("pass")) == ()
