"""The kernel knows no game: neither a name nor a rule of one occurs in it."""

import re
from pathlib import Path

import pytest

import gonzaga_env.tabletop

KERNEL = Path(gonzaga_env.tabletop.__file__).parent
#: Names and things of games, and numbers of rules; the packages' own names may occur.
OF_A_GAME = re.compile(
    r"gonzaga(?![_-](env|agents|table)\b)|tuscany|signorie|mantova|europe\b|\b[RTS]\d+\.\d"
    r"|\b(fief|ring|hex|city|cities|castle|harbor|plan|deck|wedding|donat\w+|league|scenario|marble"
    r"|region|tile|worker)s?\b",
    re.IGNORECASE,
)
#: Another salt would change every match that was played with a seed.
SALT = 'b"gonzaga agent %d'


@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda path: path.name)
def test_no_game_occurs_in_the_kernel(path: Path) -> None:
    lines = path.read_text().replace(SALT, "").splitlines()
    assert not [line for line in lines if OF_A_GAME.search(line)]


def test_names_of_games_would_be_found() -> None:
    for text in ("class GonzagaError", "gonzaga-state-4", "a fief", "(R9.2)", "Tuscany's"):
        assert OF_A_GAME.search(text), text
    for text in ("gonzaga_env.tabletop", "install gonzaga-env with pip", "a string", "planned"):
        assert not OF_A_GAME.search(text), text
