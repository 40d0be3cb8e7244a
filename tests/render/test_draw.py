"""`gonzaga_env.draw` and the pictures that notebooks show."""

import dataclasses
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from PIL import Image

import gonzaga_env
from gonzaga_env import draw, gonzaga_v0
from gonzaga_env.core import (
    EditionError,
    Engine,
    Game,
    GameConfig,
    MissingPackageError,
    OptionError,
    RecordError,
    StateError,
)
from gonzaga_env.core.editions.loading import EDITIONS
from gonzaga_env.kernel.records import Record
from tests.conftest import played
from tests.core.test_records import record_games
from tests.render.scenes import texts

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def record() -> Record:
    (found,) = record_games(Engine(1, 3, seed=8), 1, 8)
    return found | {"agents": ["ann", "bob", "cid"]}


def title(picture: Any) -> str:
    return ET.fromstring(picture.svg)[0].text or ""


def text(picture: Any) -> str:
    return " ".join(texts(picture.scene))


def test_an_edition_is_drawn_by_itself_its_name_or_its_folder(europe) -> None:
    pictures = {draw(what).svg for what in (europe, "europe", EDITIONS / "europe")}
    assert len(pictures) == 1
    assert title(draw(europe)) == "Gonzaga: Europe"
    assert draw(europe, theme="dark").svg not in pictures


def test_all_holders_of_a_game_give_the_same_picture() -> None:
    engine, game = played(Engine(3, 4, seed=2), 25), played(Game(4, seed=3), 25)
    for viewer in (None, 0, 2, "public"):
        of_row = draw(engine, game=1, viewer=viewer).svg  # type: ignore[arg-type]
        one = Engine.from_state(engine.config, engine.state.take(slice(1, 2)))
        one._last[:] = engine._last[1]
        assert draw(one, viewer=viewer).svg == of_row  # type: ignore[arg-type]
        view = engine.view(1, "spectator" if viewer is None else viewer)  # type: ignore[arg-type]
        assert draw(view, config=engine.config).svg == of_row
    state = draw(engine.state, config=engine.config, game=1)
    assert "last move none" in text(state)  # a state does not hold it
    assert "last move none" not in text(draw(engine, game=1))
    assert draw(game).svg == draw(game.copy()).svg


def test_environments_show_what_their_agent_may_know() -> None:
    aec = gonzaga_v0.env(num_players=3)
    aec.reset(seed=1)
    for _ in range(7):
        seat = int(aec.agent_selection[-1])
        assert draw(aec).svg == draw(aec.unwrapped.game, viewer=seat).svg
        aec.step(aec.action_space(aec.agent_selection).sample(aec.last()[0]["action_mask"]))
    env = gymnasium.make("gonzaga/Gonzaga-v0", num_players=3, seat=2)
    env.reset(seed=1)
    game = env.unwrapped.game  # type: ignore[attr-defined]
    assert draw(env).svg == draw(game, viewer=2).svg
    assert draw(env, viewer="spectator").svg == draw(game).svg
    many = gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=3, num_players=3)
    many.reset(seed=1)
    engine = many.unwrapped.engine  # type: ignore[attr-defined]
    for row in range(3):
        seat = (1 + row) % 3
        assert draw(many, game=row).svg == draw(engine, game=row, viewer=seat).svg


def test_an_environment_can_be_drawn_before_its_first_reset() -> None:
    for env in (gonzaga_v0.env(), gymnasium.make("gonzaga/Gonzaga-v0")):
        assert "Round 1" in title(draw(env))


def test_a_finished_environment_shows_everything() -> None:
    aec = gonzaga_v0.env(num_players=2)
    aec.reset(seed=2)
    rng = np.random.default_rng(2)
    while not aec.unwrapped.game.finished:
        aec.step(int(rng.choice(np.flatnonzero(aec.last()[0]["action_mask"]))))
    assert "Over" in title(draw(aec))


def test_records_are_drawn_at_any_move(record) -> None:
    assert "Over" in title(draw(record))
    for name in record["agents"]:
        assert name in text(draw(record))
    config, number = GameConfig(3, record["scenario"]), len(record["moves"])
    assert draw(json.loads(json.dumps(record)), move=4, names=["x", "y", "z"])
    moved = {**record, "edition": "moved"}  # to another folder
    for move in (None, 4):
        assert draw(moved, move=move, config=config).svg == draw(record, move=move).svg
        with pytest.raises(EditionError):
            draw(moved, move=move)
    for move in (-1, number + 1, 0.5, True):
        with pytest.raises(OptionError, match=r"move is .* this record takes 0 to"):
            draw(record, move=move)  # type: ignore[arg-type]


def test_pictures_are_written_to_files(tmp_path) -> None:
    engine = Engine(1, 2)
    path = tmp_path / "game.svg"
    picture = draw(engine, path)
    assert path.read_text("utf-8") == picture.svg == picture._repr_svg_()
    picture.save(tmp_path / "again.SVG")
    assert (tmp_path / "again.SVG").read_text("utf-8") == picture.svg
    picture.save(tmp_path / "game.png", width=400)
    with Image.open(tmp_path / "game.png") as image:
        assert image.format == "PNG"
        assert (np.asarray(image) == picture.to_array(400)).all()
    large = draw("europe", tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as image:
        assert image.width == large.scene.width
    for width in (400, True):
        with pytest.raises(OptionError, match="SVG has no pixels, so it takes None"):
            picture.save(path, width)
    with pytest.raises(OptionError, match="width is 5; it takes an integer from 100"):
        picture.save(tmp_path / "game.png", 5)
    with pytest.raises(OptionError, match=r"game\.bmp: a picture's file ends in \.svg or \.png"):
        draw(engine, tmp_path / "game.bmp")
    with pytest.raises(OSError, match="nowhere"):
        draw(engine, tmp_path / "nowhere" / "game.svg")
    assert [*tmp_path.iterdir()] != []


def test_a_hint_tells_what_pixels_need(monkeypatch, tmp_path) -> None:
    for name in [name for name in sys.modules if name.startswith("gonzaga_env.render")]:
        if name.rpartition(".")[2] in ("raster", "fonts"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("gonzaga_env.render.raster", raising=False)
    monkeypatch.setitem(sys.modules, "PIL", None)
    picture = draw("europe")
    for write in (lambda: picture.save(tmp_path / "map.png"), picture.to_array):
        with pytest.raises(
            MissingPackageError, match=r'run: pip install "gonzaga-env\[render\]"'
        ) as error:
            write()
        assert "\n" not in str(error.value)
        assert isinstance(error.value, ModuleNotFoundError)
    picture.save(tmp_path / "map.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["map.svg"]


def test_wrong_things_are_refused(record) -> None:
    engine, config = Engine(2, 3), GameConfig(2)
    wrong: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (5, {}, OptionError, "int cannot be drawn; draw takes an edition"),
        (gymnasium.make("CartPole-v1"), {}, OptionError, "cannot be drawn"),
        (engine.state, {}, OptionError, "a State does not hold its edition; pass config"),
        (engine.state, {"config": config}, StateError, "not a state of 2 players"),
        (engine.view(), {}, OptionError, "a GameView does not hold its edition"),
        (engine.view(), {"config": config, "viewer": 1}, OptionError, "viewer is 1; a GameView"),
        (engine, {"game": 2}, OptionError, "row 2 does not exist"),
        (engine, {"viewer": 3}, OptionError, "viewer is 3"),
        (engine, {"move": 3}, OptionError, "move is 3; Engine takes none"),
        (engine, {"theme": "blue"}, OptionError, "theme is 'blue'"),
        (engine, {"names": ["a"]}, OptionError, "1 names for 3 players"),
        (Game(), {"game": 0}, OptionError, "game is 0; Game takes none"),
        (record, {"game": 0}, OptionError, "game is 0; a record takes none"),
        ({"format": 1}, {}, RecordError, "missing"),
        ({"format": 1}, {"move": 0}, RecordError, "missing"),
        ({}, {"move": -1}, OptionError, "move is -1"),
    ]
    for what, options, error, message in wrong:
        with pytest.raises(error, match=message):
            draw(what, **options)


def test_a_view_of_another_edition_is_refused(europe) -> None:
    view = dataclasses.replace(Engine(1).view(), digest="another")
    with pytest.raises(OptionError, match="of another edition"):
        draw(view, config=GameConfig())


def test_notebooks_show_pictures() -> None:
    env, many = gymnasium.make("gonzaga/Gonzaga-v0"), gymnasium.make_vec("gonzaga/Gonzaga-v0")
    for thing in (
        Engine(2), Game(), gonzaga_env.load_edition("europe"), gonzaga_v0.env(),
        gonzaga_v0.raw_env(), env.unwrapped, many, draw("europe"),
    ):  # fmt: skip
        assert ET.fromstring(thing._repr_svg_()).tag.endswith("svg")


def test_the_drawing_code_is_loaded_with_the_first_picture() -> None:
    code = (
        "import sys, gonzaga_env; engine = gonzaga_env.Engine(1);"
        "assert 'gonzaga_env.render.shapes' not in sys.modules;"
        "gonzaga_env.draw(engine).svg;"
        "assert 'gonzaga_env.render.shapes' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_core_alone_shows_no_pictures(monkeypatch, europe) -> None:
    monkeypatch.setattr("gonzaga_env.kernel.notebooks.SvgReprMixin.draw_svg", None)
    assert europe._repr_svg_() is None


def test_a_state_that_contradicts_itself_is_not_drawn() -> None:
    config = GameConfig(3)
    state = Engine.from_config(config).state.copy()
    state.objective[:] = 77
    with pytest.raises(StateError, match="game 0: objective takes 0 to 15"):
        draw(state, config=config)
