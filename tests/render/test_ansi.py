"""Text: plain, with coordinates and with a terminal's colours."""

from __future__ import annotations

import re

from gonzaga_env.core import Engine
from gonzaga_env.render import ansi
from gonzaga_env.render.ansi import render_text
from tests.conftest import played

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def map_of(text: str) -> list[str]:
    """Returns the lines of the map."""
    return text.split("\n\n")[1].split("\n")


def test_without_its_escapes_coloured_text_is_plain_text() -> None:
    engine = played(Engine(3, 4, seed=2), 60)
    for game in range(3):
        plain = render_text(engine.tables, engine.state, game)
        colored = render_text(engine.tables, engine.state, game, color=True)
        assert "\x1b" not in plain
        stripped = [line.rstrip() for line in ESCAPE.sub("", colored).split("\n")]
        assert stripped == plain.split("\n")
        assert all(line.endswith("\x1b[0m") for line in map_of(colored))


def test_pieces_have_their_players_colours() -> None:
    engine = played(Engine(1, 4, seed=2), 76)
    view, text = engine.view(), render_text(engine.tables, engine.state, color=True)
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
    text = render_text(engine.tables, engine.state, color=True)
    grey = text.count(f";48;5;{ansi._INACTIVE}m")
    land = [edition.regions.get(edition.mark(cell)) for cell in edition.grid.cells]
    assert view.inactive
    assert grey == sum(name in view.inactive for name in land)


def test_coordinates_stand_at_the_edges() -> None:
    engine = played(Engine(1, 3, seed=1), 40)
    lines = map_of(render_text(engine.tables, engine.state, coordinates=True))
    plain = map_of(render_text(engine.tables, engine.state))
    assert lines[0] == lines[-1]
    assert list(map(int, lines[0].split())) == list(range(len(engine.edition.marks[0])))
    assert [line[4:] for line in lines[1:-1]] == plain
    assert [int(line[:2]) for line in lines[1:-1]] == list(range(len(plain)))
    for row, col in ((8, 3), (9, 6)):  # odd rows are half a hex to the east
        found = lines[0].index(f"{col} ") + 2 * (row % 2)
        assert lines[row + 1][found] != " "
    assert max(map(len, lines)) <= 84
