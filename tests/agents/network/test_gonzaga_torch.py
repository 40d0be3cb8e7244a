"""The network: where it starts, what padding and order do, and that rows do not meet."""

import numpy as np
import torch
from gonzaga_agents.network.gonzaga import GonzagaInputs, GonzagaReader
from gonzaga_agents.network.gonzaga_choices import NUM_CHOICES
from gonzaga_agents.network.networks import (
    GonzagaBatch,
    GonzagaCritic,
    GonzagaNetwork,
    TorchForward,
    sum_spots,
)

from gonzaga_env.core import Engine, GameConfig
from tests.conftest import played

CONFIG = GameConfig(3)
SIZES = GonzagaReader(CONFIG).sizes


def inputs_after(num_steps: int, num_games: int = 8) -> GonzagaInputs:
    engine = played(Engine.from_config(CONFIG, num_games, seed=6), num_steps)
    games, legal = np.arange(num_games), engine.legal_actions()
    return GonzagaReader(CONFIG).read(engine.state, engine.observe(), games, engine.seats, *legal)


def both_phases() -> GonzagaInputs:
    """Returns plans and placements, some with padding."""
    return GonzagaInputs.concatenate([inputs_after(6 * 7 + step) for step in (0, 1, 3, 5)])


def network(*, trained: bool = False) -> GonzagaNetwork:
    """Returns a network; a trained one has weights in every layer."""
    torch.manual_seed(0)
    found = GonzagaNetwork(SIZES, width=16)
    if trained:
        for parameter in found.choice_out.parameters():
            torch.nn.init.normal_(parameter)
    return found


def forward(net: GonzagaNetwork, batch: GonzagaBatch) -> tuple[torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        logits, values = net(*batch[:-1])
    return logits, values


def test_permuted_choices_have_permuted_logits() -> None:
    batch, net = GonzagaBatch.of(both_phases()), network(trained=True)
    order = torch.randperm(NUM_CHOICES, generator=torch.Generator().manual_seed(1))
    permuted = batch._replace(
        choices=batch.choices[:, order],
        spots=batch.spots[:, order],
        padding=batch.padding[:, order],
    )
    (logits, values), (moved, same) = forward(net, batch), forward(net, permuted)
    torch.testing.assert_close(logits[:, order], moved)
    torch.testing.assert_close(values, same)


def test_covered_sites_are_summed() -> None:
    """Against the embedding of each spot, one by one."""
    rng = np.random.default_rng(0)
    embedding = torch.from_numpy(rng.normal(size=(3, 48, 5)).astype(np.float32))
    spots = torch.from_numpy(rng.integers(49, size=(3, NUM_CHOICES, 4)))
    found = sum_spots(embedding, spots)
    assert (spots == 48).any()
    for row in range(3):
        for choice in range(NUM_CHOICES):
            covered = [spot for spot in spots[row, choice].tolist() if spot < 48]
            wanted = embedding[row, covered].sum(dim=0)
            torch.testing.assert_close(found[row, choice], wanted)


def test_learning_starts_although_the_last_layer_is_zero() -> None:
    net, batch = network(), GonzagaBatch.of(both_phases())
    logits, _ = net(*batch[:-1])
    (-logits.log_softmax(dim=1)[:, 1].mean()).backward()
    assert net.choice_out.weight.grad.abs().sum() > 0  # type: ignore[union-attr]


def test_only_the_critic_looks_at_secrets() -> None:
    inputs, critic, net = both_phases(), GonzagaCritic(SIZES, width=16), network(trained=True)
    batch = GonzagaBatch.of(inputs)
    other = batch._replace(secrets=batch.secrets + 1)
    with torch.no_grad():
        assert not torch.equal(critic(batch), critic(other))
    logits, values = TorchForward(net)(inputs)
    assert (logits.shape, values.shape) == ((32, NUM_CHOICES), (32,))
    assert (logits.dtype, values.dtype) == (np.float32, np.float32)
    torch.testing.assert_close(forward(net, other)[0], torch.from_numpy(logits))
