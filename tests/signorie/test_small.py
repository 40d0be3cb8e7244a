"""The small edition: one round, two dice each."""

import json
import tomllib
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent

from gonzaga_env.kernel.conformance import CHECKS
from gonzaga_env.kernel.errors import StateError
from gonzaga_env.render.draw import draw
from gonzaga_env.signorie import Engine, GameConfig, Recorder
from gonzaga_env.signorie.edition import EDITIONS, load_edition
from gonzaga_env.signorie.spec import SPEC, replay
from tests.signorie.test_oracle import SignorieTrio
from tests.signorie.wild import edition_of, wild
from tests.signorie_oracle import EDITION

MINI: dict[str, Any] = tomllib.loads((EDITIONS / "mini.toml").read_text())


def test_it_ships_and_its_size_is_in_the_digest() -> None:
    edition = load_edition("mini")
    assert (edition.num_rounds, edition.num_dice, edition.reconstruction) == (1, 2, False)
    other = edition_of(MINI | {"size": {"rounds": 1, "dice": 1}})
    assert other.digest != edition.digest
    printed = edition_of({key: MINI[key] for key in MINI if key != "size"})
    assert (printed.num_rounds, printed.num_dice) == (7, 4)
    assert [edition.dice_of_color(2), *map(printed.dice_of_color, (2, 3, 4))] == [1, 2, 3, 4]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_both_engines_play_it_like_the_oracle(num_players: int) -> None:
    SignorieTrio(num_players, 20, 7 * num_players, MINI).play()


@pytest.mark.parametrize(("rounds", "dice"), [(1, 4), (3, 1), (6, 2)])
def test_both_engines_play_every_size_like_the_oracle(rounds: int, dice: int) -> None:
    size = {"size": {"rounds": rounds, "dice": dice, "dice_of_color": 4 - dice // 2}}
    SignorieTrio(2, 3, rounds, EDITION | size).play()
    SignorieTrio(3, 2, dice, wild(rounds) | size).play()


def test_it_conforms() -> None:
    """Both engines, copies, records, hidden information, views and refusals."""
    for each in CHECKS:
        each(SPEC, GameConfig(2, edition="mini"), 0)


def test_agents_play_it_and_its_record_replays() -> None:
    config = GameConfig(2, edition="mini")
    agents = [make_agent(spec, config) for spec in ("search@4", "planner", "greedy", "random")]
    engine = Engine.from_config(config, 1, seed=3, autoreset=False)
    recorder, rng, turn = Recorder(engine, ["agent"] * 2), np.random.default_rng(0), 0
    while not engine.state.finished[0]:
        agent = agents[turn % len(agents)]
        recorder.step(agent.act(engine.observe(), engine.legal_action_mask(), rng))
        turn += 1
    (record,) = recorder.pop()
    assert record["edition"] == "mini"
    assert (engine.state.placed > 0).sum() <= 4
    again = replay(json.loads(json.dumps(record)))
    assert again.state.scores.tolist() == engine.state.scores.tolist()
    assert edition_of(MINI).digest == record["edition_hash"]
    assert ">initiative<" in draw(engine).svg


def test_states_of_the_printed_size_are_refused() -> None:
    state = Engine(1, 2, edition="mini", seed=0).state.copy()
    state.round[:] = 2
    with pytest.raises(StateError, match="round takes 1 to 1"):
        Engine.from_state(GameConfig(2, edition="mini"), state)
