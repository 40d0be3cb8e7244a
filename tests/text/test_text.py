"""Positions and choices as text, of all games: sizes, round trips, what is hidden, refusals."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import jsonschema
import numpy as np
import pytest

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import ActionError
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.pictures import GamePictures
from gonzaga_env.text import (
    GameTexts,
    action_text,
    parse_action,
    rules_text,
    view_json,
    view_schema,
    view_text,
)
from gonzaga_env.tuscany.board import JOINTS, NEIGHBOURS, cells_of

ROOT = Path(__file__).parents[2]
TOKEN = 4  # characters
GAMES = game_names()


def played(game: str, steps: int, seed: int = 0, players: int = 4) -> Any:
    spec = game_spec(game)
    one = spec.game.from_config(spec.config(num_players=players), seed)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if not one.finished:
            one.play(one.sample_legal(rng))
    return one


def positions(game: str, seed: int, every: int = 25) -> Iterator[Any]:
    """Yields positions of a random game of four, the end included."""
    one, rng = played(game, 0, seed), np.random.default_rng(seed)
    for step in range(10_000):
        if one.finished or step % every == 0:
            yield one
        if one.finished:
            return
        one.play(one.sample_legal(rng))


def changed(text: str, rng: np.random.Generator) -> str:
    """Returns an action's text as people and models may write it."""
    match rng.integers(8):
        case 0:
            return text.upper()
        case 1:
            return f'  "{text}"\n'
        case 2:
            return json.dumps({"reason": "it scores", "action": text})
        case 3:
            return f"Let me think about it.\n**Action:** `{text}`."
        case 4:
            return text.replace(" ", "   ").replace(",", " , ")
        case 5:
            return f"<think>Is it good?</think>{text.lower()}"
        case 6:
            return f"'{text}'"
    return text


@pytest.mark.parametrize("game", GAMES)
def test_a_view_and_the_rules_are_short(game: str) -> None:
    sizes = [
        len(view_text(one.view(one.seat))) / TOKEN
        for seed in range(2)
        for one in positions(game, seed)
        if not one.finished
    ]
    assert median(sizes) <= 1000
    assert 1000 < len(rules_text(game)) / TOKEN <= 3000


@pytest.mark.parametrize("game", GAMES)
def test_a_game_without_texts_and_pictures_is_told_from_its_view(game: str) -> None:
    pictures = GamePictures(game_spec(game))
    for one in positions(game, 2):
        view = one.view("spectator", names=["Ann", "Bo", "Cid", "Dee"])
        texts = "\n".join(GameTexts().lines(view, None)), pictures.text(one.edition, view)
        for text in texts:
            assert all(f"{player.score} points" in text for player in view.players)
            assert view.last is None or view.last.words in text
            assert view.to_act is None or view.decision in text
        assert pictures.scene(one.edition, view, LIGHT, False).layers


@pytest.mark.parametrize("game", GAMES)
def test_views_are_json_of_the_published_schema(game: str) -> None:
    schema = view_schema(game)
    assert schema == json.loads((ROOT / f"docs/schemas/view-{game}.json").read_text("utf-8"))
    check = jsonschema.Draft202012Validator(schema)
    for one in positions(game, 1, 25):
        for viewer in (0, "public", "spectator"):
            content = json.loads(json.dumps(view_json(one.view(viewer))))
            check.validate(content)
            assert content["game"] == game
    content["round"] = "first"
    with pytest.raises(jsonschema.ValidationError):
        check.validate(content)


def round_trips(game: str, number: int) -> None:
    rng, done, seed = np.random.default_rng(0), 0, 0
    while done < number:
        one, seed = played(game, 0, seed, 2 + seed % 3), seed + 1
        while not one.finished and done < number:
            for _ in range(4):
                action = one.sample_legal(rng)
                text = action_text(one, action)
                assert one.actions.parse(text) == action
                assert parse_action(one, changed(text, rng)) == action, text
                done += 1
            one.play(action)


@pytest.mark.parametrize("game", GAMES)
def test_random_actions_make_the_round_trip(game: str) -> None:
    round_trips(game, 700)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_100_000_random_actions_make_the_round_trip(game: str) -> None:
    round_trips(game, 100_000)


@pytest.mark.parametrize(("game", "steps"), [(g, s) for g in GAMES for s in (5, 21, 40)])
def test_texts_of_twins_are_equal(game: str, steps: int) -> None:
    """A seat's texts are the same where only what it may not know differs."""
    one = played(game, steps, 5)
    for seat in range(one.num_players):
        twin = one.resampled(seat, np.random.default_rng(1))
        assert (twin.state.to_bytes() != one.state.to_bytes()) or game == "signorie"
        views = [each.view(seat) for each in (played(game, steps, 5), twin)]
        texts = [view_text(view).partition("Last move")[0] for view in views]
        assert texts[0] == texts[1]
        if seat == one.seat:
            for action in (one.mask() == 0).nonzero()[0][::197].tolist():
                said = [refused(each, action) for each in (one, twin)]
                assert said[0] == said[1]


def refused(one: Any, action: int) -> str:
    with pytest.raises(ActionError) as caught:
        parse_action(one, action_text(one, action))
    return str(caught.value)


def test_the_glossary_of_tuscany_says_what_touches() -> None:
    text = rules_text("tuscany")
    inner = {
        int(a): set(map(int, b.split())) for a, b in re.findall(r"(\d+) touches ((?: ?\d+)+)", text)
    }
    plus = JOINTS.index((True, True))
    for cell, touched in inner.items():
        assert touched == {i + 1 for i in cells_of(NEIGHBOURS[plus][cell - 1]) if i < 10}
    assert inner.keys() == {1, 2, 3, 8, 9, 10}
    for sign, lower in (("+", True), ("-", False)):
        said = re.search(
            rf"with \{sign}.*?L8 touches ([M12 ]+); L9 ([M1-3 ]+); L10 ([M1-3 ]+)[;.]", text
        )
        assert said is not None
        table = NEIGHBOURS[JOINTS.index((lower, lower))]
        for cell, names in zip((7, 8, 9), said.groups(), strict=True):
            right = {f"M{i - 9}" for i in cells_of(table[cell]) if 10 <= i < 20}
            assert set(names.split()) == right
