"""Pictures and texts of The Castles of Tuscany."""

import re
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest

import gonzaga_env
from gonzaga_env import castles_of_tuscany_v0
from gonzaga_env.envs.environment import RENDER_MODES
from gonzaga_env.render.draw import view_text
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import DARK, LIGHT
from gonzaga_env.render.panels import by_parts
from gonzaga_env.render.shapes import Label, Paint, Scene
from gonzaga_env.render.tuscany.pieces import RegionPlaces
from gonzaga_env.render.tuscany.player import PARTS, STARTS
from gonzaga_env.render.tuscany.scene import game_scene
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.records import Record
from gonzaga_env.tuscany import Engine, Game, GameConfig, load_edition
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.board.geometry import CELL_NAMES, LAYOUTS, NEIGHBOURS
from gonzaga_env.tuscany.records import positions
from gonzaga_env.tuscany.view.words import action_words
from tests.render.tuscany.conftest import play

MARK = Paint(stroke=LIGHT.mark, width=5)  # the outline of a choice
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def labels(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Label)]


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("moves", [0, 1, 30, 100_000])
def test_a_picture_fits_its_page_and_names_every_empty_hex(num_players: int, moves: int) -> None:
    game, _ = play(num_players, 1, moves)
    for viewer in ("spectator", "public", 1):
        view = game.view(viewer)  # type: ignore[arg-type]
        scene = game_scene(game.edition, view)
        texts, regions = labels(scene), [p.region for p in view.players if p.region]
        for name, *letters in zip(CELL_NAMES, *regions, strict=True):
            assert texts.count(name) == sum(letter.isupper() for letter in letters)
        dark = game_scene(game.edition, view, DARK, show_coordinates=False)
        assert not set(CELL_NAMES) & set(labels(dark))
        for shape in scene.shapes:
            if isinstance(shape, Label):
                assert 0 < shape.at[0] < scene.width
                assert 0 < shape.at[1] < scene.height
    ElementTree.fromstring(gonzaga_env.draw(game).svg)


@pytest.mark.parametrize("layout", [0, 33, 62, 95])
def test_hexes_that_touch_in_the_rules_touch_in_the_picture(layout: int) -> None:
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
    assert all(len([*places.borders(board)]) == 22 for board in range(3))


def test_what_a_seat_may_not_know_changes_no_picture_and_no_text() -> None:
    rng = np.random.default_rng(1)
    for moves in (1, 4, 40, 90):
        game, _ = play(3, 2, moves)
        engine = Engine.from_state(game.config, game.state, autoreset=False)
        for seat in range(3):
            other = Engine.from_state(game.config, engine.resample(seat, rng), autoreset=False)
            one, twin = (e.view(0, seat) for e in (engine, other))
            assert gonzaga_env.draw(one, config=game.config).svg == (
                gonzaga_env.draw(twin, config=game.config).svg
            )
            assert view_text(game.edition, one) == view_text(game.edition, twin)


def test_hands_of_others_are_hidden_and_counted() -> None:
    game, _ = play(2, 1, 12)
    sizes = [len(player.hand or "") for player in game.view().players]
    texts = labels(game_scene(game.edition, game.view(0)))
    assert f"{sizes[1]} cards, hidden" in texts
    assert f"{sizes[0]} cards" in texts
    assert "as player 0 sees it" in texts


def test_the_reconstruction_says_so() -> None:
    game = Game(2)
    assert "a reconstruction" in view_text(game.edition, game.view())
    for what in (game, game.edition):
        assert "a reconstruction: not the boards" in gonzaga_env.draw(what).svg


def test_bars_hold_all_red_points() -> None:
    for player in play(2, 3)[0].view().players:
        assert len(by_parts(player.scores, STARTS)) == len(PARTS) == len(LIGHT.sources)
        assert sum(by_parts(player.scores, STARTS)) == player.red == player.score


def test_coloured_text_is_plain_text_with_escapes() -> None:
    game, _ = play(3, 1, 60)
    view = game.view("public")
    for coordinates in (False, True):
        plain = view_text(game.edition, view, coordinates=coordinates)
        colored = view_text(game.edition, view, color=True, coordinates=coordinates)
        assert ESCAPE.sub("", colored).split() == plain.split()
        assert max(map(len, plain.splitlines())) <= 100
    covered = sum(letter.islower() for player in view.players for letter in player.region)
    key = plain.index("lies there")
    assert len(re.findall(r"\[[A-Z]+\]|\([A-Z]\)", plain[key:])) == covered


def test_an_edition_is_drawn_with_its_twelve_boards() -> None:
    edition = load_edition("reconstruction")
    texts = labels(gonzaga_env.draw(edition).scene)
    assert {f"{letter}{i}" for letter in "ABC" for i in range(1, 5)} <= set(texts)
    assert texts.count("10") == 12


def test_all_holders_of_a_game_give_the_same_picture(tuscany_record: Record) -> None:
    game, recorder = play(2, 3, 50)
    picture = gonzaga_env.draw(game)
    state = gonzaga_env.draw(game.state, config=game.config)
    names = tuscany_record["agents"]
    assert gonzaga_env.draw(tuscany_record, move=50).svg == gonzaga_env.draw(game, names=names).svg
    assert state.scene.width == picture.scene.width
    assert len(recorder.record()["moves"]) == 50
    view = game.view()
    assert gonzaga_env.draw(view, config=game.config).svg == picture.svg == game._repr_svg_()
    with pytest.raises(OptionError, match="another edition"):
        gonzaga_env.draw(view, config=gonzaga_env.GameConfig(2))


def test_environments_have_every_render_mode() -> None:
    for mode in set(RENDER_MODES) - {"human"}:
        aec = castles_of_tuscany_v0.raw_env(num_players=2, render_mode=mode)
        one = gymnasium.make("gonzaga/CastlesOfTuscany-v0", num_players=2, render_mode=mode)
        for env in (aec, one):
            env.reset(seed=1)
            frame = env.render()
            if mode == "rgb_array":
                assert frame.shape[1] == 900
            else:
                assert "hidden" in frame  # hands, regions
    assert "svg" in castles_of_tuscany_v0.raw_env(num_players=2)._repr_svg_()


def test_log_lines_tell_the_points_of_the_record(tuscany_record: Record) -> None:
    frames = [*game_pictures("tuscany").spec.frames(tuscany_record)]
    assert len(frames) == len(tuscany_record["moves"]) + 1 == len([*positions(tuscany_record)]) + 1
    for frame, move in zip(frames[1:], tuscany_record["moves"], strict=True):
        line = frame.lines[0]
        assert line.seat == move["seat"]
        for color, points in zip(("green", "red"), move["points"], strict=True):
            told = re.findall(rf"\+(\d+) {color} \(", line.text)
            assert sum(map(int, told)) == points
        drawn = [text[-1] for text in move["drawn"] if text.startswith("card")]
        found = re.search(r"\+\d+ cards? ([A-Z]+)", line.text)
        if move["action"] == "draw":
            assert sorted(found[1] if found else "") == sorted(drawn)
    scores = tuscany_record["scores"]
    for seat in range(2):
        (line,) = (line for line in frames[-1].lines[1:] if line.seat == seat)
        assert line.text.endswith(f"{scores['total'][seat]} points")


def test_a_log_keeps_secret_what_its_viewer_may_not_know(tuscany_record: Record) -> None:
    texts = [
        line.text
        for frame in game_pictures("tuscany").spec.frames(tuscany_record, None, "public")
        for line in frame.lines
    ]
    assert "has joined the boards" in texts
    assert "has set the starting castle" in texts
    assert not any(re.search(r"cards? [VAWMQCIF]+\b", text) for text in texts)


def test_every_action_has_words_of_its_own() -> None:
    view = Game(GameConfig(2).num_players).view()
    words = [action_words(ACTIONS.to_text(action), view) for action in range(ACTIONS.size)]
    assert len(set(words)) == ACTIONS.size


def test_scores_and_values_are_drawn_as_curves(tuscany_record: Record) -> None:
    scores = labels(gonzaga_env.draw_scores(tuscany_record).scene)
    assert "Scores · The Castles of Tuscany" in scores
    values = labels(gonzaga_env.draw_values(tuscany_record, "greedy").scene)
    assert any("is worth to greedy" in text for text in values)


def test_choices_are_listed_and_marked_on_the_region(tuscany_record: Record) -> None:
    texts = [move["action"] for move in tuscany_record["moves"]]
    move = next(i for i, text in enumerate(texts) if text.startswith("tile"))
    scene = gonzaga_env.draw_choices(tuscany_record, "random", move=move).scene
    view = list(game_pictures("tuscany").spec.frames(tuscany_record))[move].view
    shown = " ".join(labels(scene))
    assert "What random considers" in shown
    assert action_words(texts[move], view) in shown
    share = f"{100 / tuscany_record['moves'][move]['legal']:.0f} %"
    assert shown.count(share) > tuscany_record["moves"][move]["legal"]  # beside the bar, on the hex
    marks = [shape for shape in scene.shapes if getattr(shape, "paint", None) == MARK]
    assert 1 <= len(marks) <= 3
    seat = tuscany_record["moves"][move]["seat"]
    again = gonzaga_env.draw(tuscany_record, move=move, viewer=seat).scene
    names = {label.text for label in again.shapes if isinstance(label, Label)}
    assert names <= set(labels(scene))  # what that seat sees, and the choices
