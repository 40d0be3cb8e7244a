"""What holds of every network: of three games, and with each prior."""

from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.network.networks import trainable_network

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import OptionError
from tests.agents.networks import NETWORKS

NUM_GAMES = 16
every_network = pytest.mark.parametrize(("game", "prior"), NETWORKS)


def midgame(game: str, steps: int = 31) -> Any:
    spec, rng = game_spec(game), np.random.default_rng(7)
    engine = spec.engine.from_config(spec.config(num_players=3), NUM_GAMES, seed=7)
    for _ in range(steps):
        engine.step(engine.sample_legal(rng))
    return engine


def read(engine: Any, prior: Any) -> Any:
    reader = trainable_network(engine.config, prior).reader(engine.config)
    return reader.read_engine(engine, np.arange(NUM_GAMES), engine.seats)


def modules(engine: Any, prior: Any) -> tuple[Any, Any]:
    """Returns a network and its critic, with weights in every layer."""
    parts = trainable_network(engine.config, prior)
    sizes = parts.reader(engine.config).sizes
    torch.manual_seed(0)
    network, critic = parts.network(sizes, 8), parts.critic(sizes, 8)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return network, critic


@every_network
def test_engines_and_observations_are_read_alike(game: str, prior: Any) -> None:
    engine = midgame(game)
    reader = trainable_network(engine.config, prior).reader(engine.config)
    own, masks = read(engine, prior), engine.legal_action_mask()
    other = reader.read_observations(engine.observe(), masks).arrays()
    for name, array in own.arrays().items():
        if name != "secrets":
            np.testing.assert_allclose(array, other[name], atol=1e-4, err_msg=name)
    rows, places = (own.actions >= 0).nonzero()
    assert masks[rows, own.actions[rows, places]].all()


@every_network
def test_a_decision_is_judged_alike_alone_and_among_others(game: str, prior: Any) -> None:
    engine, later = midgame(game), midgame(game, steps=50)
    network, critic = modules(engine, prior)
    inputs = [read(engine, prior), read(later, prior)]
    batch = network.batch.of(type(inputs[0]).concatenate(inputs))
    with torch.no_grad():
        (logits, values), worth = network(*batch[:-1]), critic(batch)
        for row in range(0, 2 * NUM_GAMES, 5):
            alone = batch.take(torch.tensor([row]))
            own, value = network(*alone[:-1])
            size = own.shape[1]
            torch.testing.assert_close(own[0], logits[row, :size], atol=1e-3, rtol=1e-3)
            torch.testing.assert_close(value[0], values[row], atol=1e-3, rtol=1e-3)
            torch.testing.assert_close(critic(alone)[0], worth[row], atol=1e-3, rtol=1e-3)
    assert values.unique().numel() > NUM_GAMES


@every_network
def test_padding_gets_no_probability_and_its_content_does_not_matter(game: str, prior: Any) -> None:
    engine = midgame(game)
    network, _ = modules(engine, prior)
    batch = network.batch.of(read(engine, prior))
    named = {"choices": 7.0, "tokens": 3, "spots": 5, "actions": 1}
    noisy = batch._replace(
        **{
            name: tensor.masked_fill(
                batch.padding.reshape(*batch.padding.shape, *[1] * (tensor.dim() - 2)), named[name]
            )
            for name, tensor in batch._asdict().items()
            if name in named
        }
    )
    with torch.no_grad():
        before, after = network(*batch[:-1]), network(*noisy[:-1])
    assert batch.padding.any()
    assert (before[0].softmax(dim=1)[batch.padding] == 0).all()
    for one, other in zip(before, after, strict=True):
        torch.testing.assert_close(one, other)


@every_network
def test_gradients_reach_every_weight(game: str, prior: Any) -> None:
    engine = midgame(game)
    network, critic = modules(engine, prior)
    inputs = type(read(engine, prior)).concatenate(
        [read(midgame(game, steps), prior) for steps in (0, 5, 31, 50)]
    )
    batch = network.batch.of(inputs)
    logits, values = network(*batch[:-1])
    loss = -logits.log_softmax(dim=1)[:, 0].mean() + values.pow(2).mean()
    (loss + critic(batch).pow(2).mean()).backward()
    for module in (network, critic):
        for name, parameter in module.named_parameters():
            assert parameter.grad.any(), name


@every_network
@pytest.mark.parametrize("width", [7, 1025, True])
def test_widths_out_of_range_are_refused(game: str, prior: Any, width: int) -> None:
    config = game_spec(game).config()
    parts = trainable_network(config, prior)
    with pytest.raises(OptionError, match=f"width is {width}; it takes 8 to 1024"):
        parts.network(parts.reader(config).sizes, width)
