"""The network's policy and values, in the units of its reward."""

import numpy as np
import pytest
import torch
from gonzaga_agents.gonzaga.network.choices import CHOICE_FEATURES, NUM_CHOICES
from gonzaga_agents.gonzaga.network.inputs import Floats, Inputs
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.network.agent import VALUE_UNITS, NetworkAgent, softmax
from gonzaga_agents.network.parts import TorchForward

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state.state import PLACE, PLAN
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.rewards import Reward
from tests.agents.mixed import mixed_engine


@pytest.fixture(scope="module")
def engine() -> Engine:
    return mixed_engine(GameConfig(3), 16, 21, seed=1, share=0.7)


def agent(engine: Engine, reward: Reward = "margin", scale: float = 1.0) -> NetworkAgent:
    torch.manual_seed(0)
    reader = InputReader(engine.config)
    network = Network(reader.sizes, width=16)
    torch.nn.init.normal_(network.choice_out.weight)
    return NetworkAgent(reader, TorchForward(network), "network", True, reward, scale)


def test_probabilities_are_a_policy_over_legal_actions(engine: Engine) -> None:
    masks = engine.legal_action_mask()
    found = agent(engine).evaluate(engine.observe(), masks)
    assert found.probabilities.shape == masks.shape
    assert (found.probabilities[~masks] == 0).all()
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, rtol=1e-5)
    listed = (found.probabilities > 0).sum(axis=1)
    assert (listed <= np.minimum(masks.sum(axis=1), NUM_CHOICES)).all()
    assert listed.max() == NUM_CHOICES


def test_a_row_is_evaluated_alike_alone_and_among_others(engine: Engine) -> None:
    seen, player = (engine.observe(), engine.legal_action_mask()), agent(engine)
    whole = player.evaluate(*seen)
    for row in range(0, 16, 3):
        alone = player.evaluate(*(array[row : row + 1] for array in seen))
        np.testing.assert_allclose(alone.probabilities[0], whole.probabilities[row], atol=1e-5)
        np.testing.assert_allclose(alone.values[0], whole.values[row], atol=1e-4)


def test_the_most_probable_action_is_played(engine: Engine) -> None:
    seen, player = (engine.observe(), engine.legal_action_mask()), agent(engine)
    best = player.evaluate(*seen).probabilities.argmax(axis=1)
    np.testing.assert_array_equal(best, player.act(*seen, np.random.default_rng(0)))


def test_drawn_actions_follow_the_probabilities(engine: Engine) -> None:
    seen, player = (engine.observe(), engine.legal_action_mask()), agent(engine)
    player.deterministic = False
    rng, counts = np.random.default_rng(0), np.zeros(seen[1].shape)
    for _ in range(200):
        counts[np.arange(16), player.act(*seen, rng)] += 1
    assert abs(counts / 200 - player.evaluate(*seen).probabilities).max() < 0.18  # 5 deviations


def test_it_considers_all_legal_actions_with_their_probabilities(engine: Engine) -> None:
    observations, masks = engine.observe(), engine.legal_action_mask()
    player, rng = agent(engine), np.random.default_rng(0)
    whole = player.evaluate(observations, masks).probabilities
    for row in range(0, 16, 5):
        found = player.consider(observations[row], masks[row], rng)
        assert sorted(found.actions) == np.flatnonzero(masks[row]).tolist()
        np.testing.assert_allclose(found.values, whole[row, found.actions], atol=1e-5)
        assert found.unit == "probability"


def test_values_are_in_the_unit_of_the_reward(engine: Engine) -> None:
    seen = engine.observe(), engine.legal_action_mask()
    plain, scaled = agent(engine).evaluate(*seen), agent(engine, "score", 0.05).evaluate(*seen)
    assert plain.values.shape == (16,)
    assert plain.values.dtype == plain.probabilities.dtype == np.float32
    np.testing.assert_allclose(scaled.values, plain.values / 0.05, rtol=1e-5)
    assert plain.unit == VALUE_UNITS["margin"]
    assert plain.unit.startswith("points ahead of the mean of the others")
    assert scaled.unit.startswith("points")
    assert agent(engine, "outcome").evaluate(*seen).unit.startswith("expected outcome")


def test_any_function_of_inputs_can_be_played(engine: Engine) -> None:
    """The agent needs no torch: here it plays the last of the listed choices."""

    def last(inputs: Inputs) -> tuple[Floats, Floats]:
        real = inputs.actions >= 0
        logits = np.where(real, 10 * np.arange(NUM_CHOICES), -1e9).astype(np.float32)
        return logits, inputs.choices[:, 0, CHOICE_FEATURES.index("score")]

    reader = InputReader(engine.config)
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


def test_nothing_to_decide_is_nothing_played(engine: Engine) -> None:
    seen = engine.observe()[:0], engine.legal_action_mask()[:0]
    assert agent(engine).act(*seen, np.random.default_rng(0)).shape == (0,)
    assert agent(engine).evaluate(*seen).values.shape == (0,)


def test_softmax_is_that_of_torch() -> None:
    logits = np.random.default_rng(0).normal(scale=5, size=(4, 6)).astype(np.float32)
    np.testing.assert_allclose(
        softmax(logits), torch.from_numpy(logits).softmax(dim=1).numpy(), rtol=1e-5
    )


def test_another_game_is_refused(engine: Engine) -> None:
    other = Engine(2, 2)
    with pytest.raises(OptionError, match="made for 3 players"):
        agent(engine).evaluate(other.observe(), other.legal_action_mask())
