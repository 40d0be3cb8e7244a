"""Pictures and texts of all games: what they show, and to whom."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import gonzaga_env
from gonzaga_env import castles_of_tuscany_v0, gonzaga_v0, signorie_v0
from gonzaga_env.envs.environment import RENDER_MODES
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.render.draw import draw_text
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.signorie.pictures import PICTURES
from gonzaga_env.signorie import Game, GameConfig
from gonzaga_env.signorie import Game as SignorieGame
from tests.render.scenes import assert_it_fits, play, recorded, texts
from tests.signorie.wild import edition_of, wild

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
EVERY_GAME = pytest.mark.parametrize("name", game_names())
ENVIRONMENTS = {"gonzaga": gonzaga_v0, "tuscany": castles_of_tuscany_v0, "signorie": signorie_v0}


@EVERY_GAME
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("moves", [0, 60, 100_000])
def test_a_picture_fits_its_page(name, moves, theme) -> None:
    for num_players in (2, 3, 4):
        game, _ = play(name, num_players, 1, moves)
        for viewer in ("spectator", "public", 1):
            picture = gonzaga_env.draw(game, viewer=viewer, theme=theme)
            assert_it_fits(picture.scene)
        ElementTree.fromstring(picture.svg)
        assert not re.search(r"nan|inf\b|None", re.sub(r"<text.*?</text>", "", picture.svg))


@EVERY_GAME
def test_coloured_text_is_plain_text_with_escapes(name) -> None:
    for moves in (0, 60, 100_000):
        game, _ = play(name, 3, 1, moves)
        view = game.view("public")
        plain = draw_text(game.edition, view)
        colored = ESCAPE.sub("", draw_text(game.edition, view, color=True))
        assert colored.split() == plain.split()
        if name != "tuscany":  # whose pieces stand closer in colour
            assert [line.rstrip() for line in colored.split("\n")] == plain.split("\n")
        assert "\x1b" not in plain
        assert max(map(len, plain.splitlines())) <= 100


@EVERY_GAME
def test_the_reconstruction_says_so(name) -> None:
    game, _ = play(name, 2, 0, 0)
    assert "a reconstruction" in draw_text(game.edition, game.view())
    for what in (game, game.edition):
        assert "reconstruction" in gonzaga_env.draw(what).svg


@EVERY_GAME
def test_all_holders_of_a_game_give_the_same_picture(name) -> None:
    record, (game, _) = recorded(name), play(name, 2, 3, 40)
    names = record["agents"]
    assert gonzaga_env.draw(record, move=40).svg == gonzaga_env.draw(game, names=names).svg
    picture, view = gonzaga_env.draw(game), game.view()
    assert gonzaga_env.draw(view, config=game.config).svg == picture.svg == game._repr_svg_()
    assert gonzaga_env.draw(game.state, config=game.config).scene.width == picture.scene.width
    other = SignorieGame if name == "gonzaga" else gonzaga_env.Game
    with pytest.raises(OptionError, match="another edition"):
        gonzaga_env.draw(view, config=other(2).config)


@EVERY_GAME
@pytest.mark.parametrize("mode", sorted({*RENDER_MODES} - {"human"}))
def test_environments_have_every_render_mode(name, mode) -> None:
    env = ENVIRONMENTS[name].raw_env(num_players=2, render_mode=mode)
    env.reset(seed=1)
    frame = env.render()
    assert frame.shape[1] == 900 if mode == "rgb_array" else "player" in frame.lower()
    assert "svg" in env._repr_svg_()


@EVERY_GAME
def test_choices_scores_and_values_are_drawn(name) -> None:
    record = recorded(name)
    choices = texts(gonzaga_env.draw_choices(record, "random", move=5).scene)
    assert "What random considers" in choices
    assert "played" in choices
    what = record.get("scenario") or game_spec(record["game"]).title
    assert f"Scores · {what}" in texts(gonzaga_env.draw_scores(record).scene)
    values = texts(gonzaga_env.draw_values(record, "greedy").scene)
    assert any("is worth to greedy" in text for text in values)


# Signorie


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_editions_of_other_sizes_are_shown(seed) -> None:
    edition, rng = edition_of(wild(seed)), np.random.default_rng(seed)
    game = Game.from_config(GameConfig(2 + seed % 3, edition), seed)
    for _ in range(60):
        game.play(game.sample_legal(rng))
    for scene in (PICTURES.scene(edition, game.view()), gonzaga_env.draw(edition).scene):
        assert_it_fits(scene)
    assert max(map(len, draw_text(edition, game.view()).splitlines())) <= 100


def test_text_says_who_has_what() -> None:
    for moves in (90, 100_000):
        view = (game := play("signorie", 3, 1, moves)[0]).view()
        text = draw_text(game.edition, view)
        assert max(map(len, text.splitlines())) <= 84
        for player in view.players:
            assert f"player {player.seat}: {player.score} VP, {player.florins} Florins" in text
        assert ("total" in text) == (view.to_act is None)


def test_spots_on_the_blocks_stand_for_all_actions_but_plain_words() -> None:
    game, _ = play("signorie", 2, 1, 60)
    view, codec = game.view(), game.actions
    sizes = {}
    for block in PICTURES.blocks(game.edition, view):
        scene = block.draw(*block.values, LIGHT)
        sizes[block.name, block.seat] = scene.width, scene.height
    texts, chosen = {codec.to_text(action) for action in range(codec.size)}, set[str]()
    for spot in PICTURES.spots(view):
        width, height = sizes[spot.block, spot.seat]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in spot.points)
        chosen |= set(spot.actions)
    assert chosen <= texts
    plain = {text.split()[0] for text in texts - chosen}
    assert plain == {"pass", "stop", "use", "skip"}  # a helper's place stands for use and skip
