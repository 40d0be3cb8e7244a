"""The page: all positions, both themes, nothing from elsewhere and nothing hidden."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.state import SOURCES
from gonzaga_env.games import game_names, game_spec, record_frames
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.view import Frame
from gonzaga_env.render.gonzaga.table import board_scene
from gonzaga_env.render.palette import DARK, LIGHT
from gonzaga_env.render.svg import layer_svg
from gonzaga_env.show.page import page
from tests.core.test_records import record_games
from tests.marks import nightly
from tests.render.scenes import play

MOST_BYTES = 2_000_000


@pytest.fixture(scope="module")
def html(game) -> str:
    return page(game.edition, game.frames, game.title, 7)


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def drawn(data: dict[str, Any], layers: list[int]) -> str:
    """Returns the elements of some layers, as the script puts them together."""
    return "\n".join(data["elements"][e] for layer in layers for e in data["layers"][layer])


def colored(html: str, text: str, theme: str) -> str:
    """Returns a text with its variables replaced by the colours of a theme."""
    root = re.findall(r"\{ (?:color-scheme: [\w ]+; --font: [^;]*; )?(--paper:[^}]*?) \}", html)
    values = dict(pair.split(":") for pair in root[theme == "dark"].split(";"))
    return re.sub(r"var\((--\w+)\)", lambda found: values[found[1]], text)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("move", [0, 5, 40, 72])
def test_boards_are_those_of_the_pictures(html, game, theme, move) -> None:
    data = data_of(html)
    scene = board_scene(game.edition, game.frames[move].view, DARK if theme == "dark" else LIGHT)
    wanted = "\n".join(filter(None, map(layer_svg, scene.layers)))
    assert colored(html, drawn(data, data["frames"][move]["board"]), theme) == wanted


def test_every_move_has_its_words_and_panels(html, game) -> None:
    data = data_of(html)
    assert len(data["frames"]) == game.last + 1
    assert data["start"] == 7
    for told, frame in zip(data["frames"], game.frames, strict=True):
        assert [line[0] for line in told["lines"]] == [line.seat for line in frame.lines]
        for player, panel in zip(frame.view.players, told["panels"], strict=True):
            assert f">{player.score}</text>" in drawn(data, [panel])


def test_a_finished_game_has_the_table_of_points(html, game) -> None:
    last = game.frames[-1].view
    found = re.search(r'<div id="final" hidden><table>(.*?)</table></div>', html)
    assert found
    rows = re.findall(r"<tr>(.*?)</tr>", found[1])
    sums = [int(text) for text in re.findall(r"<td>(\d+)</td>", rows[-1])]
    assert sums == sorted((player.score for player in last.players), reverse=True)
    assert len(rows) == 1 + len(SOURCES) + 1
    unfinished = page(game.edition, game.frames[:9], game.title)
    assert '<div id="final" hidden></div>' in unfinished


def test_a_page_is_complete_and_loads_nothing(html) -> None:
    assert "{{" not in html
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", html)
    assert not re.search(r"\b(src|href|@import|url)\b *[=(]", html)
    assert "default-src 'none'" in html


def test_a_long_game_of_four_players_stays_small() -> None:
    record = record_games(Engine(1, 4, seed=3), 1)[0]
    told = list(record_frames(record))
    assert told[-1].view.round == 12
    assert len(page(Engine(1, 4).edition, told, "game").encode()) < MOST_BYTES


def test_names_are_text_only(game) -> None:
    name = '</script><img src=x onerror="alert(1)">\u2028{{data}}'
    told = []
    for frame in game.frames[:2]:
        players = tuple(replace(player, name=name) for player in frame.view.players)
        told.append(replace(frame, view=replace(frame.view, players=players)))
    html = page(game.edition, told, f"{name}.jsonl")
    assert html.count("</script>") == 2
    assert "<img" not in html
    assert 'onerror="' not in html.partition('<script id="data"')[0]
    assert "<img src=x" in data_of(html)["names"][0]


def shown(record: Record, viewer: int | str, number: int) -> str:
    """Returns a page of the first positions of a record."""
    frames = islice(record_frames(record, viewer=viewer), number)
    return page(Engine(1, 3).edition, list(frames), "game")


@pytest.mark.parametrize("viewer", [1, "public"])
def test_a_sealed_plan_is_in_no_page_before_it_is_revealed(games, viewer) -> None:
    """Seat 0 plans otherwise, and seat 1 has planned after it."""
    record, other = games[0], copy.deepcopy(games[0])
    region, card = record["moves"][0]["action"].removesuffix(" + privilege").rsplit(" ", 1)
    other["moves"][0]["action"] = f"{region} {'B' if card == 'A' else 'A'}"
    assert shown(record, viewer, 3) == shown(other, viewer, 3)
    for knows in (0, "spectator"):
        assert shown(record, knows, 3) != shown(other, knows, 3)


@pytest.mark.parametrize("viewer", [1, *nightly("public")])
def test_other_objectives_are_in_no_page_before_the_end(games, viewer) -> None:
    """They change no move, so the whole game is the same up to the last one."""
    record, other, last = games[0], copy.deepcopy(games[0]), len(games[0]["moves"])
    hidden = [seat for seat in range(3) if seat != viewer]
    free = [pair for pair in games[1]["objectives"] if pair not in record["objectives"]]
    free += [record["objectives"][seat] for seat in hidden]
    for seat, pair in zip(hidden, free, strict=False):
        other["objectives"][seat] = pair
    assert other["objectives"] != record["objectives"]
    assert shown(record, viewer, last) == shown(other, viewer, last)
    assert shown(record, "spectator", last) != shown(other, "spectator", last)


# The table of final points: every source of every game, the best player first


def cells(table: str) -> list[list[str]]:
    """Returns the texts of a table's cells, row by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", table)
    texts = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows)
    return [[re.sub("<.*?>", "", text) for text in row] for row in texts]


@pytest.mark.parametrize("name", game_names())
def test_the_table_has_what_each_source_brought_and_what_decides(name) -> None:
    (game, _), spec = play(name, 3, 1), game_spec(name)
    engine = spec.engine.from_state(game.config, game.state, autoreset=False)
    scores, totals, won = (a[0].tolist() for a in (engine.scores, engine.totals, engine.winners()))
    html = page(game.config.edition, [Frame(0, (), game.view("spectator"))], "game")
    head, *rows, total = cells(html[html.index("Final scoring") : html.index("</table>")])
    order = sorted(range(3), key=lambda seat: (not won[seat], -totals[seat]))
    assert [text.startswith("♛") for text in head[1:]] == [won[seat] for seat in order]
    assert [row[0].replace(" ", "_") for row in rows] == [*spec.sources]
    assert [[int(text) for text in row[1:]] for row in rows] == [
        [scores[seat][source] for seat in order] for source in range(len(spec.sources))
    ]
    assert total == ["total", *(str(totals[seat]) for seat in order)]
    assert any(map(any, scores))
