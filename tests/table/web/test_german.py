"""Whatever the server says of a game is said in German on a German page."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.marks import nightly
from tests.table.web.sentences import NAMES, answers, block_names

ROOT = Path(__file__).parents[3]
#: What stays as it is: names, and how the page is told that somebody decides.
SAME = {"Firenze", "Milano", "Napoli", "Roma", "Venezia", *NAMES, "deciding"}

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")


def unsaid(lines: list[str]) -> list[str]:
    """Returns the sentences of answers that German has no words for."""
    command = ["node", "tests/table/web/unsaid.mjs"]
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(
        command, cwd=ROOT, input=text, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    found: list[str] = json.loads(done.stdout)
    return sorted({*found} - SAME)


@pytest.mark.parametrize(
    ("game", "num_players", "seed"),
    [
        ("tuscany", 2, 0),
        ("signorie", 2, 0),
        *nightly(*((game, p, p) for game in ("tuscany", "signorie") for p in (3, 4))),
    ],
)
def test_all_sentences_of_a_game_have_german_words(game, num_players, seed) -> None:
    assert unsaid(list(answers(game, num_players, seed))) == []


@pytest.mark.parametrize("game", ["tuscany", "signorie"])
def test_blocks_have_german_names(game) -> None:
    assert unsaid([json.dumps({"words": sorted(block_names(game))})]) == []


def test_a_sentence_without_german_words_is_found() -> None:
    told = {"words": "take a dragon", "lines": [{"seat": 0, "text": "takes a nap", "event": {}}]}
    assert unsaid([json.dumps(told), '{"text": "tile L4"}']) == ["take a dragon", "takes a nap"]
