"""Everything plays on editions that differ in what no rulebook says (R1.4, R1.5, R1.6)."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_table.session import GameSession, agent_seat

from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine, GameConfig, Recorder, Rules
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.core.editions.validate import find_faults, find_warnings
from gonzaga_env.core.records import replay
from gonzaga_env.core.spec import SPEC
from gonzaga_env.render.draw import draw, view_text
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.conformance import CHECKS
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
    kinds = {(warning.file, (warning.entry or ("",))[0]) for warning in find_warnings(edition)}
    assert kinds == {
        ("board", "barrier"),
        ("fiefs", "fief"),
        ("scenarios", "scenario"),
        ("objectives", "objective"),
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_plays_as_the_oracle(seed: int, tmp_path: Path) -> None:
    folder = write_odd(odd(seed), tmp_path)
    edition = load_edition(folder)
    assert edition == odd(seed)
    rules = Rules(("each_player", "first_only")[seed % 2], (6, 1)[seed // 2 % 2])
    engine = Engine(3, 2 + seed % 3, edition=edition, rules=rules, seed=seed, autoreset=False)
    play_beside_oracle(engine, OracleEdition(folder), seed)


@pytest.mark.parametrize("seed", some_nightly(range(40), lambda seed: seed == 2))
def test_it_conforms(seed: int) -> None:
    """Both engines, copies, records, hidden information, views and refusals."""
    config = GameConfig(2 + seed % 3, edition=odd(seed))
    for each in CHECKS:
        each(SPEC, config, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_agents_play_it(seed: int) -> None:
    config = GameConfig(2 + seed % 3, edition=odd(seed))
    with pytest.raises(AgentError, match="made for edition 'Europe', not 'Odd"):
        make_agent("learned", config)
    agents = [make_agent(spec, config) for spec in ("search@4", "planner", "greedy", "random")]
    engine = Engine.from_config(config, 1, seed=seed, autoreset=False)
    rng = np.random.default_rng(0)
    recorder, reader = Recorder(engine, ["agent"] * config.num_players), InputReader(config)
    while not engine.state.finished[0]:
        seen, mask = engine.observe(), engine.legal_action_mask()
        legal = engine.legal_actions()
        inputs = reader.read(engine.state, seen, np.array([0]), engine.seats, *legal)
        assert all(np.isfinite(array).all() for array in inputs.arrays().values())
        recorder.step(agents[engine.seats[0]].act(seen, mask, rng))
    (record,) = recorder.pop()
    assert replay(record, config.edition).state.finished.all()


@pytest.mark.parametrize("seed", SEEDS)
def test_environments_play_it(seed: int) -> None:
    env = gonzaga_v0.env(num_players=2 + seed % 3, edition=odd(seed))
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _agent in env.agent_iter():
        seen, _, ended, cut, _ = env.last()
        legal = np.flatnonzero(seen["action_mask"])
        env.step(None if ended or cut else int(rng.choice(legal)))
    assert not env.agents


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_drawn_and_played_at_the_table(seed: int) -> None:
    edition = odd(seed)
    config = GameConfig(2, edition=edition)
    table = GameSession(config, [agent_seat("greedy", "A"), agent_seat("planner", "B")], seed)
    agents = [make_agent(name, config) for name in ("greedy", "planner")]
    rng = np.random.default_rng(0)
    while not table.over:
        table.turn(table.to_act)
        table.step_agent(agents[table.to_act], rng)
        if table.num_moves % 9 == 0:
            view = table.view(0)
            assert draw(view, config=config).svg
            assert view_text(edition, view)
