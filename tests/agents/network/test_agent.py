"""The network's policy and values, in the units of its reward."""

import numpy as np
import pytest
import torch
from gonzaga_agents.network.agent import VALUE_UNITS, NetworkAgent, softmax
from gonzaga_agents.network.description import NO_PRIOR, PLANNER
from gonzaga_agents.network.gonzaga import Floats, GonzagaInputs, GonzagaReader
from gonzaga_agents.network.gonzaga_choices import CHOICE_FEATURES, NUM_CHOICES

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state import PLACE, PLAN
from tests.agents.mixed import mixed_engine, seen
from tests.agents.networks import network_agent


@pytest.fixture(scope="module")
def engine() -> Engine:
    return mixed_engine(GameConfig(3), 16, 21, seed=1, share=0.7)


@pytest.fixture(params=[PLANNER, NO_PRIOR])
def player(request: pytest.FixtureRequest, engine: Engine) -> NetworkAgent:
    return network_agent(engine.config, request.param)


def test_probabilities_are_a_policy_over_legal_actions(
    engine: Engine, player: NetworkAgent
) -> None:
    observations, masks = seen(engine)
    found = player.evaluate(observations, masks).probabilities
    assert found.shape == masks.shape
    assert (found[~masks] == 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)
    best = player.act(observations, masks, np.random.default_rng(0))
    np.testing.assert_array_equal(best, found.argmax(axis=1))
    for row in range(0, 16, 5):
        considered = player.consider(observations[row], masks[row], np.random.default_rng(0))
        assert sorted(considered.actions) == np.flatnonzero(masks[row]).tolist()
        np.testing.assert_allclose(considered.values, found[row, considered.actions], atol=1e-5)
        assert considered.unit == "probability"


def test_as_many_choices_as_there_are_are_listed(engine: Engine) -> None:
    observations, masks = seen(engine)
    listed = (network_agent(engine.config).evaluate(observations, masks).probabilities > 0).sum(
        axis=1
    )
    assert (listed <= np.minimum(masks.sum(axis=1), NUM_CHOICES)).all()
    assert listed.max() == NUM_CHOICES


def test_a_row_is_evaluated_alike_alone_and_among_others(
    engine: Engine, player: NetworkAgent
) -> None:
    whole = player.evaluate(*seen(engine))
    for row in range(0, 16, 3):
        alone = player.evaluate(*seen(engine, [row]))
        np.testing.assert_allclose(alone.probabilities[0], whole.probabilities[row], atol=1e-5)
        np.testing.assert_allclose(alone.values[0], whole.values[row], atol=1e-4)


def test_drawn_actions_follow_the_probabilities(engine: Engine, player: NetworkAgent) -> None:
    observations, masks = seen(engine)
    player.deterministic = False
    rng, counts = np.random.default_rng(0), np.zeros(masks.shape)
    for _ in range(200):
        counts[np.arange(16), player.act(observations, masks, rng)] += 1
    assert not counts[~masks].any()
    wanted = player.evaluate(observations, masks).probabilities
    assert abs(counts / 200 - wanted).max() < 0.18  # 5 deviations


def test_nothing_to_decide_is_nothing_played(engine: Engine, player: NetworkAgent) -> None:
    nothing = seen(engine, [])
    assert player.act(*nothing, np.random.default_rng(0)).shape == (0,)
    assert player.evaluate(*nothing).values.shape == (0,)


def test_values_are_in_the_unit_of_the_reward(engine: Engine) -> None:
    plain = network_agent(engine.config).evaluate(*seen(engine))
    scaled = network_agent(engine.config, reward="score", reward_scale=0.05).evaluate(*seen(engine))
    assert plain.values.shape == (16,)
    assert plain.values.dtype == plain.probabilities.dtype == np.float32
    np.testing.assert_allclose(scaled.values, plain.values / 0.05, rtol=1e-5)
    assert plain.unit == VALUE_UNITS["margin"]
    assert plain.unit.startswith("points ahead of the mean of the others")
    assert scaled.unit.startswith("points")
    assert (
        network_agent(engine.config, reward="outcome")
        .evaluate(*seen(engine))
        .unit.startswith("expected outcome")
    )


def test_any_function_of_inputs_can_be_played(engine: Engine) -> None:
    """The agent needs no torch: here it plays the last of the listed choices."""

    def last(inputs: GonzagaInputs) -> tuple[Floats, Floats]:
        real = inputs.actions >= 0
        logits = np.where(real, 10 * np.arange(NUM_CHOICES), -1e9).astype(np.float32)
        return logits, inputs.choices[:, 0, CHOICE_FEATURES.index("score")]

    reader = GonzagaReader(engine.config)
    player = NetworkAgent(reader, last, "last")
    assert player.config is engine.config
    games, rng = np.arange(16), np.random.default_rng(0)
    actions = player.act(engine.observe(), engine.legal_action_mask(), rng)
    for phase in (PLAN, PLACE):
        rows = games[engine.state.phase == phase]
        inputs = reader.read(
            engine.state,
            engine.observe(rows=rows),
            rows,
            engine.seats[rows],
            *engine.legal_actions(rows),
        )
        number = (inputs.actions >= 0).sum(axis=1)
        np.testing.assert_array_equal(
            actions[rows], inputs.actions[np.arange(len(rows)), number - 1]
        )
        np.testing.assert_array_equal(player.choose(inputs, rng), actions[rows])


def test_softmax_is_that_of_torch() -> None:
    logits = np.random.default_rng(0).normal(scale=5, size=(4, 6)).astype(np.float32)
    np.testing.assert_allclose(
        softmax(logits), torch.from_numpy(logits).softmax(dim=1).numpy(), rtol=1e-5
    )
