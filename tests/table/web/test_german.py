"""Whatever the server says of a game is said in German on a German page."""

import ast
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from gonzaga_table.web import guard

from tests.marks import nightly
from tests.table.web.sentences import NAMES, answers, block_names

ROOT = Path(__file__).parents[3]
WEB = ROOT / "table" / "web"
#: What a player may have done; other errors are about programs and files.
REFUSALS = "AgentError", "OptionError", "SessionError", "StaleMoveError"
STATUSES = 403, 404, 409, 429  # of those of a `RequestError`
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


def refusals() -> Iterator[str]:
    """Yields what the server refuses requests of players with; what is filled in is "7"."""
    files = [file for room in ("rooms", "learn") for file in (WEB / room).glob("*.py")]
    for file in (*files, WEB.parent / "session.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func).rpartition(".")[2]
            status = node.args[-1].value if isinstance(node.args[-1], ast.Constant) else None
            if name in REFUSALS or (name == "RequestError" and status in STATUSES):
                yield text_of(node.args[0])


def text_of(node: ast.expr) -> str:
    """Returns a text of a program; "" for what is none."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    parts = node.values if isinstance(node, ast.JoinedStr) else []
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts)


def test_all_refusals_have_german_words() -> None:
    told = sorted({text for text in refusals() if text and "saved" not in text})
    assert len(told) > 30
    codes = sorted({code for _, code, _ in guard._ERRORS})
    unknown = "no such sentence"
    assert unsaid([json.dumps({"refusals": [*told, *codes, unknown]})]) == [unknown]


def test_a_sentence_without_german_words_is_found() -> None:
    told = {"words": "take a dragon", "lines": [{"seat": 0, "text": "takes a nap", "event": {}}]}
    assert unsaid([json.dumps(told), '{"text": "tile L4"}']) == ["take a dragon", "takes a nap"]
