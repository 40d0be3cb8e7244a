"""Text: plain, with coordinates and with a terminal's colours."""

import re

import pytest

from gonzaga_env.core import Engine, GameConfig, OptionError
from gonzaga_env.core.state import State
from gonzaga_env.core.view import view_game
from gonzaga_env.kernel.view import Viewer
from gonzaga_env.render.gonzaga import text as ansi
from gonzaga_env.render.gonzaga.text import draw_text
from tests.conftest import played


def render_text(
    config: GameConfig, state: State, game: int = 0, *, viewer: Viewer = "public", **options: bool
) -> str:
    return draw_text(config.edition, view_game(config, state, game, viewer), **options)


def test_pieces_have_their_players_colours() -> None:
    engine = played(Engine(1, 4, seed=2), 76)
    view, text = engine.view(), render_text(engine.config, engine.state, color=True)
    for seat in range(4):
        hexes = sum(len(fief.cells) for fief in view.fiefs if fief.seat == seat)
        rings = sum(ring.seat == seat for ring in view.rings)
        assert hexes
        painted = rf"48;5;{ansi._PLAYERS[seat]}m"
        assert len(re.findall(rf"{painted}[^ \x1b]{seat}", text)) == hexes
        assert len(re.findall(rf"{painted}{ansi.PLAYER_RINGS[seat]}\x1b", text)) == rings
    assert len({*ansi._PLAYERS, *ansi._REGIONS, *ansi._SEAS, ansi._INACTIVE}) == 4 + 6 + 6 + 1


def test_inactive_regions_are_grey() -> None:
    engine = Engine(1, 2, seed=1)
    view, edition = engine.view(), engine.edition
    text = render_text(engine.config, engine.state, color=True)
    grey = text.count(f";48;5;{ansi._INACTIVE}m")
    land = [edition.regions.get(edition.mark(cell)) for cell in edition.grid.cells]
    assert view.inactive
    assert grey == sum(name in view.inactive for name in land)


def test_the_text_of_a_state_is_that_of_its_view() -> None:
    engine = played(Engine(2, 3, seed=2), 41)
    for viewer in ("public", "spectator", 0, 2):
        view = Engine.from_state(engine.config, engine.state).view(1, viewer)  # type: ignore[arg-type]
        text = render_text(engine.config, engine.state, 1, viewer=viewer)  # type: ignore[arg-type]
        assert text == draw_text(engine.edition, view)
    assert render_text(engine.config, engine.state) == render_text(
        engine.config, engine.state, viewer="public"
    )
    with pytest.raises(OptionError, match="viewer is 3"):
        render_text(engine.config, engine.state, viewer=3)
    with pytest.raises(OptionError, match="game is 2"):
        render_text(engine.config, engine.state, 2)


def test_a_seat_sees_its_own_plan_and_objective_and_a_spectator_all() -> None:
    engine = played(Engine(1, 3, seed=2), 38)  # two of three plans of a round
    plans = [engine.view().players[seat].plan for seat in range(2)]
    own, public, all_seen = (
        draw_text(engine.edition, engine.view(0, viewer))  # type: ignore[arg-type]
        for viewer in (1, "public", "spectator")
    )
    assert f"{plans[1].text}, sealed" in own
    assert f"{plans[0].text}, sealed" not in own
    assert public.count("sealed") == own.count("sealed") == 2
    assert "objective" not in public
    assert "objective of player 1: " in own
    assert all_seen.count("objective of player") == 3
    assert f"{plans[0].text}, sealed" in all_seen


def test_the_last_move_and_names_are_told_and_lines_stay_short() -> None:
    engine = played(Engine(1, 3, seed=2), 41)
    names = ["Ann", "B\x1b[31mob", "Cid " * 20]
    text = draw_text(engine.edition, engine.view(0, "public", names=names))
    view = engine.view()
    words = " ".join(text.split())
    shown = ["Ann", "B\ufffd[31mob", "Cid"]
    assert f"last move: {shown[view.last.seat]}" in words
    assert "players: 0 Ann, 1 B\ufffd[31mob, 2 Cid" in words
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
