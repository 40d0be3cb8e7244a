"""Signorie passes the suite of all games."""

import pytest

from gonzaga_env.signorie import GameConfig
from gonzaga_env.signorie.spec import SPEC
from gonzaga_env.tabletop.conformance import CHECKS, Check
from tests.marks import nightly


@pytest.mark.parametrize("num_players", [2, *nightly(3, 4)])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_signorie_conforms(check: Check, num_players: int) -> None:
    check(SPEC, GameConfig(num_players), num_players)
