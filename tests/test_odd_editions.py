"""Everything plays on editions that differ in what no rulebook says (R1.4, R1.5, R1.6)."""

from functools import cache
from pathlib import Path

import pytest

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.editions.validate import find_faults, find_warnings
from gonzaga_env.core.spec import SPEC
from gonzaga_env.kernel.conformance import CHECKS
from tests.marks import some_nightly
from tests.odd_editions import odd_edition, write_odd
from tests.oracle import OracleEdition
from tests.test_oracle import play_beside_oracle

odd = cache(odd_edition)
SEEDS = some_nightly(range(40), lambda seed: seed < 4)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_gets_warnings_and_no_faults(seed: int) -> None:
    edition = odd(seed)
    assert find_faults(edition) == []
    files = {warning.partition(":")[0] for warning in find_warnings(edition)}
    assert files == {"board.toml", "fiefs.toml", "scenarios.toml", "objectives.toml"}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_plays_as_the_oracle(seed: int, tmp_path: Path) -> None:
    folder = write_odd(odd(seed), tmp_path)
    edition = load_edition(folder)
    assert edition == odd(seed)
    rules = Rules(("each_player", "first_only")[seed % 2], (6, 1)[seed // 2 % 2])
    engine = Engine(3, 2 + seed % 3, edition=edition, rules=rules, seed=seed, autoreset=False)
    play_beside_oracle(engine, OracleEdition(folder), seed)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(40))
def test_it_conforms(seed: int) -> None:
    """Both engines, copies, records, hidden information, views and refusals."""
    config = GameConfig(2 + seed % 3, edition=odd(seed))
    for each in CHECKS:
        each(SPEC, config, seed)
