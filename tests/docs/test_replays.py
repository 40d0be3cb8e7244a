"""The recorded games of docs/replays.md: they agree with the rules and the page's text."""

import json
import re
from pathlib import Path

import pytest

from gonzaga_env.games import game_names
from gonzaga_env.show.game import ShownGame, load_game
from gonzaga_env.show.page import page

DOCS = Path(__file__).parent.parent.parent / "docs"
RECORDS = sorted((DOCS / "replays").glob("*.jsonl"))
MOST_BYTES = 1_000_000


def part(name: str) -> str:
    """Returns the text below a game's replay."""
    text = (DOCS / "replays.md").read_text("utf-8")
    found = re.search(rf"^:::{{replay}} {name}\n(.*?)^:::$", text, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


@pytest.fixture(scope="module", params=RECORDS, ids=lambda path: path.stem)
def game(request) -> ShownGame:
    return load_game(request.param, 1)


def test_every_game_has_a_replay() -> None:
    assert {path.stem for path in RECORDS} == set(game_names())
    for path in RECORDS:
        (record,) = map(json.loads, path.read_text("utf-8").splitlines())
        assert record.get("game", "gonzaga") == path.stem
        assert "random" not in record["agents"]


def test_a_replay_agrees_with_the_rules(game) -> None:
    game.check_right()
    assert game.frames[-1].view.to_act is None


def test_the_page_names_moves_and_scores_of_the_game(game) -> None:
    text = part(game.edition.game)
    moves = [int(number) for number in re.findall(r"\*\*Move (\d+)\*\*", text)]
    assert moves
    assert moves == sorted(moves)
    assert moves[-1] == game.last
    scores = sorted((player.score for player in game.frames[-1].view.players), reverse=True)
    words = re.sub(r"\s+", " ", text)
    assert re.search(rf"{scores[0]} to {' and '.join(map(str, scores[1:]))}\b", words)


@pytest.mark.nightly
def test_a_replay_is_not_large(game) -> None:
    assert len(page(game.edition, game.frames, "game").encode()) < MOST_BYTES
