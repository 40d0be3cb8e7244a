"""Collectors: rollouts here and in processes, on one map and on many."""

import multiprocessing
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.commands.train import TrainOptions, _check, setup_of
from gonzaga_agents.network.gonzaga import GonzagaReader
from gonzaga_agents.network.networks import TorchForward
from gonzaga_agents.processes import WorkerError
from gonzaga_agents.training import self_play
from gonzaga_agents.training.collector import Collector
from gonzaga_agents.training.self_play import (
    MapGames,
    RolloutGames,
    RolloutRequest,
    RolloutResult,
    Snapshot,
    new_policy,
    set_weights,
    weights_of,
)
from gonzaga_agents.training.setup import Setup

from gonzaga_env.core.editions.generating import frozen_set
from gonzaga_env.kernel.errors import OptionError
from tests.agents.training.toys import inputs_of_play

TOY = TrainOptions(players=2, num_games=4, eval_deals=0)
FAILING = """
class Failing:
    name = "failing"

    def __init__(self, config):
        pass

    def act(self, observations, masks, rng):
        raise ValueError("no idea")
"""


def setup(processes: int, **changes: object) -> Setup:
    return setup_of(replace(TOY, **changes), processes)  # type: ignore[arg-type]


def request(remember: int | None = None) -> RolloutRequest:
    toy = setup(1)
    return RolloutRequest(weights_of(new_policy(toy, GonzagaReader(toy.config))), remember)


def play(collector: Collector, requests: list[RolloutRequest]) -> list[RolloutResult]:
    found = []
    for each in requests:
        collector.start(each)
        found.append(collector.finish())
    collector.stop()
    return found


def test_both_ways_give_the_same_experience() -> None:
    requests = [request(), request(remember=64), request()]
    kinds = {"opponents": "random,past"}
    here, apart = (play(Collector(setup(n, **kinds), 7, []), requests) for n in (1, 2))
    assert sum(len(rollout.results) for rollout in here) > 0
    for one, other in zip(here, apart, strict=True):
        assert_same(one, other)


def assert_same(one: RolloutResult, other: RolloutResult) -> None:
    assert one.results == other.results
    first, second = one.experience, other.experience
    for name, array in first.inputs.arrays().items():
        np.testing.assert_array_equal(array, second.inputs.arrays()[name])
    for field in fields(first)[1:]:
        np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name))


def test_several_collectors_are_joined() -> None:
    same = request()
    (one,) = play(Collector(setup(1), 7, []), [same])
    (two,) = play(Collector(setup(1, collectors=2), 7, []), [same])
    size = len(one.experience)
    first, second = two.experience.take(slice(size)), two.experience.take(slice(size, None))
    assert_same(one, RolloutResult(first, two.results[: len(one.results)]))
    assert len(second)
    assert not np.array_equal(second.inputs.numbers[:8], first.inputs.numbers[:8])


def test_restored_games_play_the_same_rollout() -> None:
    """What another node of a cluster plays, its past selves included."""
    kinds = {"opponents": "random,past", "num_games": 8, "self_play": 0.0}
    first = Snapshot(1, request().network)
    games, other = (RolloutGames(setup(1, **kinds), seed, [first]) for seed in (7, 8))
    requests = [request(remember=64), request()]
    games.load(requests[0])
    games.collect()
    saved = games.save()
    other.restore(saved)
    opponents = set[str]()
    for _ in range(4):
        games.load(requests[1])
        other.load(requests[1])
        wanted = games.collect()
        assert_same(wanted, other.collect())
        opponents |= {name for result in wanted.results for name in result.opponents}
    assert opponents == {"random", "past"}


def test_a_past_self_stays_as_it_was_and_draws_its_actions() -> None:
    games = RolloutGames(setup(1, opponents="past"), 7, [])
    inputs, rng = inputs_of_play(games.reader.config, 1), np.random.default_rng(0)
    first = request(remember=64)
    games.load(first)
    games.load(RolloutRequest({name: w + 1 for name, w in first.policy.items()}, None))
    (past,) = games.league.members
    before, after = new_policy(setup(1), games.reader).network, past.agent.forward
    set_weights(before, first.network)
    np.testing.assert_array_equal(TorchForward(before)(inputs)[0], after(inputs)[0])
    assert past.agent.reader is games.reader
    assert len({tuple(past.agent.choose(inputs, rng)) for _ in range(5)}) > 1


def test_a_failure_in_the_other_process_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    spec = f"{tmp_path / 'failing.py'}:Failing"
    collector = Collector(setup(2, opponents=spec), 0, [])
    collector.start(request())
    with pytest.raises(WorkerError, match="playing games failed: ValueError: no idea"):
        collector.finish()
    collector.stop()
    assert "in act" in capfd.readouterr().err  # where it failed


def test_a_process_that_dies_is_one_error() -> None:
    collector = Collector(setup(2), 0, [])
    collector.start(request())
    for process in multiprocessing.active_children():
        process.kill()
    with pytest.raises(WorkerError, match="died"):
        collector.finish()
    collector.stop()


MAPS = replace(TOY, num_games=8, opponents="past", edition="generated:train")


def test_maps_share_a_batch_and_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play, "MAPS_AT_ONCE", 2)
    setup = setup_of(MAPS)
    assert setup.maps == frozen_set("train")
    assert setup.config.edition.label == setup.maps[0]
    games = MapGames(replace(setup, maps=("europe", "generated:perturb-0")), 3, [])
    policy = new_policy(setup, GonzagaReader(setup.config))
    first = [part.self_play.engine.config.edition for part in games._parts]
    games.load(RolloutRequest(weights_of(policy), remember=5))
    rollout = games.collect()
    assert len(rollout.experience) > 8 * 2 * 6  # each game and seat decides eight times, at first
    assert np.isfinite(rollout.experience.advantages).all()
    second = [part.self_play.engine.config.edition for part in games._parts]
    assert second[0] == first[1]
    assert [past.turns for past in games._past] == [5]
    assert len(games._parts[-1].league.members) == len(games._parts[0].league.members) == 1
    assert all(part.self_play.engine.num_games == 4 for part in games._parts)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scenario": "Colombo"}, "scenario is given with generated:train"),
        ({"num_games": 12}, "num_games is 12; 8 maps share them equally"),
    ],
)
def test_options_that_sets_do_not_take_are_refused(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        _check(replace(MAPS, **changes))  # type: ignore[arg-type]
