"""Pictures and texts of Signorie."""

import numpy as np
import pytest

import gonzaga_env
from gonzaga_env.render.draw import view_text
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.signorie.pictures import PICTURES
from gonzaga_env.render.signorie.scene import game_scene
from gonzaga_env.signorie import Game, GameConfig
from tests.render.scenes import assert_it_fits
from tests.render.test_every_game import play
from tests.signorie.wild import edition_of, wild


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_editions_of_other_sizes_are_shown(seed) -> None:
    edition, rng = edition_of(wild(seed)), np.random.default_rng(seed)
    game = Game.from_config(GameConfig(2 + seed % 3, edition), seed)
    for _ in range(60):
        game.play(game.sample_legal(rng))
    for scene in (game_scene(edition, game.view()), gonzaga_env.draw(edition).scene):
        assert_it_fits(scene)
    assert max(map(len, view_text(edition, game.view()).splitlines())) <= 100


def test_text_says_who_has_what() -> None:
    for moves in (90, 100_000):
        view = (game := play("signorie", 3, 1, moves)[0]).view()
        text = view_text(game.edition, view)
        assert max(map(len, text.splitlines())) <= 84
        for player in view.players:
            assert f"player {player.seat}: {player.score} VP, {player.florins} Florins" in text
        assert ("total" in text) == (view.to_act is None)


def test_spots_on_the_blocks_stand_for_all_actions_but_plain_words() -> None:
    game, _ = play("signorie", 2, 1, 60)
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
