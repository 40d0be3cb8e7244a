"""What the server says has its words in the file of each language, and nothing else has."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_table.replay import ViewerLog
from gonzaga_table.specs import table_spec, turn_of
from gonzaga_table.web.positions import blocks_json, board_json, frame_texts, turn_json
from gonzaga_table.web.protocol import as_json

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.sentences import joined, say, third_person
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.svg import elements

ROOT = Path(__file__).parents[3]
WEB = ROOT / "table" / "web"
WORDS = {file.stem: file for file in (WEB / "static" / "words").glob("*.json")}
GAMES = "tuscany", "signorie"
NAMES = "Ada", "Bo", "Cy", "Di"
#: What a player may have done; other errors are about programs and files.
REFUSALS = "AgentError", "OptionError", "SessionError", "StaleMoveError"
STATUSES = 403, 404, 409, 429  # of those of a `RequestError`
#: Signs of pieces and boards such as "AOL" and "L10", numbers, and names of cities.
SAME = re.compile(r"[^a-z]*|Firenze|Milano|Napoli|Roma|Venezia")


@pytest.fixture(params=sorted({*WORDS} - {"en"}))
def catalogue(request) -> dict[str, str]:
    """Returns the words of a language by their English templates."""
    words = json.loads(WORDS[request.param].read_text("utf-8"))
    found: dict[str, str] = words["sentences"]
    return found


def answers(game: str) -> Iterator[str]:
    """Yields as JSON what pages get of a game that is played at random: look, positions, turns."""
    spec = game_spec(game)
    config = spec.config(num_players=2)
    played, rng = spec.game.from_config(config, 0), np.random.default_rng(0)
    logs = [ViewerLog(played, viewer, NAMES[:2]) for viewer in (0, "public")]
    moves: list[tuple[int, int]] = []
    yield board_json(config.edition, None, LIGHT)
    yield as_json([say(text) for text in table_spec(game).advice.values()])
    while True:
        for log in logs:
            frame = log.frame(moves, len(moves))
            before = log.frame(moves, len(moves) - 1).view if moves else None
            yield as_json([frame.lines, frame_texts(frame.view, game)])
            if log is logs[0]:  # a drawing takes long
                yield blocks_json(config.edition, before, frame.view, LIGHT)
        turn = turn_of(played)
        if turn is None:
            return
        yield turn_json(turn, config.edition, played.view(played.seat, names=NAMES[:2]))
        action = int(rng.choice(np.flatnonzero(played.mask())))
        moves.append((played.seat, action))
        played.play(action)
        for log in logs:
            log.extend(moves)


@cache
def collected(game: str) -> tuple[set[str], set[str]]:
    """Returns the templates of a game's sentences, and the words of its labels and blocks."""
    templates, labels = set[str](), set[str]()
    for line in answers(game):
        _collect(json.loads(line), templates, labels)
    return templates, labels


def _collect(value: Any, templates: set[str], labels: set[str]) -> None:
    if isinstance(value, dict):
        if "say" in value:
            templates.add(value["say"])
        if "svg" in value:
            labels |= {value["name"], *words_of(value["svg"])}
        value = [*value.values()]
    if isinstance(value, list):
        for part in value:
            _collect(part, templates, labels)


def words_of(svg: str) -> Iterator[str]:
    """Yields the words of a drawing's labels as the page looks them up."""
    for label in re.findall(r"<text[^>]*>([^<]+)</text>", svg):
        for part in re.split("; |: |, ", label):
            yield re.sub(r"\d+", "#", part)


@pytest.mark.parametrize("game", GAMES)
def test_all_sentences_of_a_game_have_words(game, catalogue) -> None:
    templates, labels = collected(game)
    assert len(templates) > 100
    assert sorted(templates - {*catalogue}) == []
    assert sorted(label for label in labels - {*catalogue} if not SAME.fullmatch(label)) == []


def refusals() -> Iterator[ast.expr]:
    """Yields what the server refuses requests of players with."""
    own = "agents", "positions", "room", "rooms", "routes"
    files = [*(WEB / f"{name}.py" for name in own), *(WEB / "learn").glob("*.py")]
    for file in (*files, WEB.parent / "session.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func).rpartition(".")[2]
            status = node.args[-1].value if isinstance(node.args[-1], ast.Constant) else None
            if name in REFUSALS or (name == "RequestError" and status in STATUSES):
                yield node.args[0]


def test_all_refusals_have_words(catalogue) -> None:
    found = [text for text in refusals() if "saved" not in ast.unparse(text)]
    texts = [text.value for text in found if isinstance(text, ast.Constant)]
    assert len(texts) > 10
    assert sorted({*texts} - {*catalogue}) == []
    assert [ast.unparse(text) for text in found if isinstance(text, ast.JoinedStr)] == []


def program() -> Iterator[ast.AST]:
    """Yields the nodes of all that makes sentences."""
    rooms = [ROOT / "gonzaga_env" / room for room in ("tuscany", "signorie", "kernel", "render")]
    for file in [file for room in (*rooms, ROOT / "table") for file in room.rglob("*.py")]:
        yield from ast.walk(ast.parse(file.read_text()))


def test_all_that_is_said_has_words(catalogue) -> None:
    calls = [node for node in program() if isinstance(node, ast.Call) and node.args]
    said = [call.args[0] for call in calls if ast.unparse(call.func) == "say"]
    texts = {text.value for text in said if isinstance(text, ast.Constant)}
    assert len(texts) > 50
    assert sorted(texts - {*catalogue}) == []


def test_nothing_else_has_words(catalogue) -> None:
    constants = {node.value for node in program() if isinstance(node, ast.Constant)}
    texts = {text for text in constants if isinstance(text, str)}
    found = texts | {third_person(text) for text in texts if re.match("[a-z]+ [A-Za-z{]", text)}
    found |= {text.strip(", ") for text in texts}
    found |= {f"{whose} {text}" for whose in ("your", "per", "stored") for text in texts}
    for game in GAMES:
        found |= {*collected(game)[0], *collected(game)[1]}
        spec, pictures = game_spec(game), game_pictures(game)
        config = spec.config(num_players=2)
        view = spec.game.from_config(config, 0).view("public")
        scenes = (
            pictures.scene(config.edition, view, LIGHT, False),
            pictures.edition_scene(config.edition, LIGHT),
        )
        found |= {word for scene in scenes for word in words_of(elements(scene.layers))}
    found |= {text.removesuffix("s") for text in found}
    assert sorted({*catalogue} - found) == []


def test_words_fill_the_places_of_the_english(catalogue) -> None:
    for english, words in catalogue.items():
        places = {*re.findall(r"\{(\w+)\}", english), "place"}  # a seat's number, from 1
        assert {*re.findall(r"\{(\w+)\}", words)} <= places, english
        assert words.count("#") == english.count("#"), english


def test_sentences_are_sent_with_what_they_are_made_of() -> None:
    village = say("take {piece}", piece=say("a village"))
    listed = joined("; ", (third_person(village), say("+{n} cards", n=2)))
    assert listed == "takes a village; +2 cards"
    first = {"say": "takes {piece}", "with": {"piece": {"say": "a village", "with": {}}}}
    assert json.loads(as_json([listed])) == [
        {"text": listed, "say": "; ", "with": [first, {"say": "+{n} cards", "with": {"n": 2}}]}
    ]
