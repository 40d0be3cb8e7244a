"""Pictures and texts of The Castles of Tuscany."""

import re

import numpy as np
import pytest

import gonzaga_env
from gonzaga_env.render.draw import draw_text
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import DARK
from gonzaga_env.render.tuscany.pictures import PICTURES
from gonzaga_env.render.tuscany.pieces import RegionPlaces
from gonzaga_env.tuscany import Engine, Game, GameConfig
from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES, LAYOUTS, NEIGHBOURS
from gonzaga_env.tuscany.spec import positions
from gonzaga_env.tuscany.view import action_words, card_words
from tests.render.scenes import play, recorded, texts


@pytest.fixture(scope="module")
def tuscany():
    """Returns a record of The Castles of Tuscany."""
    return recorded("tuscany")


def test_a_picture_names_every_empty_hex() -> None:
    for moves in (1, 30, 100_000):
        view = (game := play("tuscany", 4, 1, moves)[0]).view(1)
        shown, regions = texts(PICTURES.scene(game.edition, view)), [p.region for p in view.players]
        for name, *letters in zip(CELL_NAMES, *filter(None, regions), strict=True):
            assert shown.count(name) == sum(letter.isupper() for letter in letters)
        dark = PICTURES.scene(game.edition, view, DARK, show_coordinates=False)
        assert not set(CELL_NAMES) & set(texts(dark))


def test_the_key_of_a_text_has_every_covered_hex() -> None:
    game, _ = play("tuscany", 3, 1, 60)
    view = game.view("public")
    plain = draw_text(game.edition, view, coordinates=True)
    assert max(map(len, plain.splitlines())) <= 100
    covered = sum(letter.islower() for player in view.players for letter in player.region)
    key = plain.index("lies there")
    assert len(re.findall(r"\[[A-Z]+\]|\([A-Z]\)", plain[key:])) == covered


@pytest.mark.parametrize("layout", [0, 33, 62, 95])
def test_hexes_that_touch_in_the_rules_touch_in_the_picture(layout) -> None:
    places = RegionPlaces.of(LAYOUTS[layout].text, 0, 0, 40)
    touching = NEIGHBOURS[LAYOUTS[layout].joints]
    for i, (x, y) in enumerate(places.centers):
        near = {
            j
            for j, (x2, y2) in enumerate(places.centers)
            if i != j and np.hypot(x - x2, y - y2) < 40 * 1.8
        }
        assert near == {j for j in range(30) if touching[i] >> j & 1}
        assert y - 40 * 0.866 + 0.01 >= 0 and y + 40 * 0.866 <= places.size(40)[1] + 0.01  # noqa: PT018  one range
    assert all(len({*places.outline(board)}) == 22 for board in range(3))


def test_what_a_seat_may_not_know_changes_no_picture_and_no_text() -> None:
    rng = np.random.default_rng(1)
    for moves in (1, 4, 40, 90):
        game, _ = play("tuscany", 3, 2, moves)
        engine = Engine.from_state(game.config, game.state, autoreset=False)
        for seat in range(3):
            other = Engine.from_state(game.config, engine.resample(seat, rng), autoreset=False)
            one, twin = (e.view(0, seat) for e in (engine, other))
            assert gonzaga_env.draw(one, config=game.config).svg == (
                gonzaga_env.draw(twin, config=game.config).svg
            )
            assert draw_text(game.edition, one) == draw_text(game.edition, twin)


def test_log_lines_tell_the_points_of_the_record(tuscany) -> None:
    frames = [*game_pictures("tuscany").spec.frames(tuscany)]
    assert len(frames) == len(tuscany["moves"]) + 1 == len([*positions(tuscany)]) + 1
    for frame, move in zip(frames[1:], tuscany["moves"], strict=True):
        line = frame.lines[0]
        assert line.seat == move["seat"]
        for color, points in zip(("green", "red"), move["points"], strict=True):
            told = re.findall(rf"\+(\d+) {color} \(", line.text)
            assert sum(map(int, told)) == points
        drawn = [text[-1] for text in move["drawn"] if text.startswith("card")]
        if move["action"] == "draw":
            words = card_words("".join(drawn))
            assert f"+{len(drawn)} card{'s' * (len(drawn) > 1)} ({words})" in line.text
    scores = tuscany["scores"]
    for seat in range(2):
        (line,) = (line for line in frames[-1].lines[1:] if line.seat == seat)
        assert line.text.endswith(f"{scores['total'][seat]} points")


def test_a_log_keeps_secret_what_its_viewer_may_not_know(tuscany) -> None:
    texts = [
        line.text
        for frame in game_pictures("tuscany").spec.frames(tuscany, None, "public")
        for line in frame.lines
    ]
    assert "has joined the boards" in texts
    assert "has set the starting castle" in texts
    assert not any(re.search(r"cards? [VAWMQCIF]+\b", text) for text in texts)


def test_every_action_has_words_of_its_own() -> None:
    view = Game(GameConfig(2).num_players).view()
    words = [action_words(ACTIONS.to_text(action), view) for action in range(ACTIONS.size)]
    assert len(set(words)) == ACTIONS.size
