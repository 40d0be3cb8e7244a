"""Pictures and texts of Signorie."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import gonzaga_env
from gonzaga_env import signorie_v0
from gonzaga_env.envs.environment import RENDER_MODES
from gonzaga_env.games import record_frames
from gonzaga_env.render.draw import view_text
from gonzaga_env.render.palette import DARK, LIGHT
from gonzaga_env.render.panels import by_parts
from gonzaga_env.render.shapes import Label, Scene
from gonzaga_env.render.signorie.pictures import PICTURES
from gonzaga_env.render.signorie.player import PARTS, STARTS
from gonzaga_env.render.signorie.scene import game_scene
from gonzaga_env.show.film import film_frames
from gonzaga_env.signorie import Game, GameConfig, load_edition
from gonzaga_env.signorie.spec import SPEC
from gonzaga_env.tabletop.records import Record, write_records
from tests.conftest import Answer
from tests.signorie.wild import edition_of, wild

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def play(num_players: int, seed: int, moves: int = 100_000) -> tuple[Game, list[int]]:
    """Returns a random game after some moves, and the moves."""
    game, rng = Game.from_config(GameConfig(num_players), seed), np.random.default_rng(seed)
    actions: list[int] = []
    while not game.finished and len(actions) < moves:
        actions.append(game.sample_legal(rng))
        game.play(actions[-1])
    return game, actions


@pytest.fixture(scope="module")
def record() -> Record:
    game, actions = play(2, 3)
    assert SPEC.record is not None
    return SPEC.record(game.config, 3, ["one", "two"], actions)


def labels(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Label)]


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("moves", [0, 60, 100_000])
def test_a_picture_fits_its_page(num_players: int, moves: int) -> None:
    game, _ = play(num_players, 1, moves)
    for theme in (LIGHT, DARK):
        scene = game_scene(game.edition, game.view(), theme)
        for shape in scene.shapes:
            if isinstance(shape, Label):
                assert 0 < shape.at[0] < scene.width
                assert 0 < shape.at[1] < scene.height
        ElementTree.fromstring(gonzaga_env.draw(game).svg)


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_editions_of_other_sizes_are_shown(seed: int) -> None:
    edition, rng = edition_of(wild(seed)), np.random.default_rng(seed)
    game = Game.from_config(GameConfig(2 + seed % 3, edition), seed)
    for _ in range(60):
        game.play(game.sample_legal(rng))
    for scene in (game_scene(edition, game.view()), gonzaga_env.draw(edition).scene):
        for shape in scene.shapes:
            if isinstance(shape, Label):
                assert 0 < shape.at[0] < scene.width
                assert 0 < shape.at[1] < scene.height
    assert max(map(len, view_text(edition, game.view()).splitlines())) <= 100


def test_a_picture_shows_what_the_view_says() -> None:
    game, _ = play(3, 2, 120)
    view = game.view(names=["Ada", "Bea", "Cleo"])
    texts = labels(game_scene(game.edition, view))
    for player in view.players:
        assert f"Player {player.seat} · {player.name}" in texts
        assert str(player.score) in texts
        assert any(text.startswith(f"dice {sum(player.dice)} of at most") for text in texts)
    for city in view.cities:
        assert city.name in texts
    assert texts.count("not in play") == sum(not city.in_play for city in view.cities)
    assert f"{view.deck} alliance tiles face down" in texts
    assert {f"{vp} VP" for vp in game.edition.initiative_vp} <= set(texts)
    for color in view.colors:
        for assignment in color.assignments:
            assert texts.count(assignment.name) >= 1
    assert gonzaga_env.draw(game, theme="dark").svg != gonzaga_env.draw(game).svg


def test_the_reconstruction_says_so() -> None:
    game = Game(2)
    assert "a reconstruction" in view_text(game.edition, game.view())
    for what in (game, game.edition):
        assert "a reconstruction: most values" in gonzaga_env.draw(what).svg


def test_bars_hold_all_points() -> None:
    for player in play(4, 3)[0].view().players:
        assert len(by_parts(player.scores, STARTS)) == len(PARTS) == len(LIGHT.sources)
        assert sum(by_parts(player.scores, STARTS)) == player.score


def test_an_edition_is_drawn_with_its_boards_and_tiles() -> None:
    edition = load_edition("reconstruction")
    texts = labels(gonzaga_env.draw(edition).scene)
    assert {f"board {name}" for name in edition.boards} <= set(texts)
    assert {*edition.colors, *edition.assignments, *edition.bonus_tiles} <= set(texts)


def test_text_says_who_has_what_and_colours_add_only_escapes() -> None:
    for game in (play(3, 1, 90)[0], play(2, 1)[0]):
        view = game.view()
        plain = view_text(game.edition, view)
        assert ESCAPE.sub("", view_text(game.edition, view, color=True)) == plain
        assert max(map(len, plain.splitlines())) <= 84
        for player in view.players:
            assert f"player {player.seat}: {player.score} VP, {player.florins} Florins" in plain
        assert ("total" in plain) == (view.to_act is None)


def test_environments_have_every_render_mode() -> None:
    for mode in set(RENDER_MODES) - {"human"}:
        env: Any = signorie_v0.raw_env(num_players=2, render_mode=mode)
        env.reset(seed=1)
        frame = env.render()
        assert frame.shape[1] == 900 if mode == "rgb_array" else "turn order" in frame


def test_choices_are_listed(record: Record) -> None:
    scene = gonzaga_env.draw_choices(record, "random", move=5).scene
    assert "What random considers" in labels(scene)
    assert "played" in labels(scene)


def test_spots_on_the_blocks_stand_for_all_actions_but_plain_words() -> None:
    game, _ = play(2, 1, 60)
    view, codec = game.view(), game.actions
    sizes = {}
    for block in PICTURES.blocks(game.edition, view):  # type: ignore[misc]  # it has blocks
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


def test_a_record_is_shown_as_page_and_film(record: Record, gonzaga: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    write_records(file, [record])
    found: Answer = gonzaga("show", file, "--html", tmp_path / "a.html")
    assert found[0] == 0
    assert "missions" in (tmp_path / "a.html").read_text()
    frames = list(record_frames(record))
    assert len(frames) == len(record["moves"]) + 1
    shown = film_frames(load_edition("reconstruction"), frames)
    assert 20 < len(shown) < len(frames)
    assert shown[-1] is frames[-1]
    code, out, _ = gonzaga("show", file, "--move", 30)
    assert code == 0
    assert "turn order" in out
