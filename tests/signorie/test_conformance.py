"""Signorie passes the suite of all games."""

from pathlib import Path

import pytest

from gonzaga_env.signorie import GameConfig
from gonzaga_env.signorie.editions.edition import read_edition
from gonzaga_env.signorie.spec import SPEC
from gonzaga_env.tabletop.conformance import CHECKS, Check
from tests.marks import nightly
from tests.signorie.small import SMALL

ANOTHER = read_edition(SMALL.encode(), Path("small.toml"))
CONFIGS = [GameConfig(2), *nightly(GameConfig(3), GameConfig(4), GameConfig(3, ANOTHER))]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.summary)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_signorie_conforms(check: Check, config: GameConfig) -> None:
    check(SPEC, config, config.num_players)
