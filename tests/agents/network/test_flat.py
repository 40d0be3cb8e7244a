"""The plain network: observations and masks of any game in, every legal action out."""

import numpy as np
import pytest
from gonzaga_agents.network.description import NO_PRIOR
from gonzaga_agents.network.flat import FlatInputs, FlatReader
from gonzaga_agents.network.networks import FlatNetwork

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.spec import Engine
from tests.agents.networks import network_agent
from tests.kernel.small_games import AUCTION, AuctionConfig

ALL = game_names()


def midgame(game: str, num_games: int = 6, steps: int = 11) -> Engine:
    spec, rng = game_spec(game), np.random.default_rng(3)
    engine: Engine = spec.engine.from_config(spec.config(num_players=3), num_games, seed=7)
    for _ in range(steps):
        engine.step(engine.sample_legal(rng))
    return engine


@pytest.mark.parametrize("game", ALL)
def test_inputs_are_the_observation_and_the_legal_actions(game: str) -> None:
    engine, reader = midgame(game), FlatReader(midgame(game).config)
    games, masks = np.arange(6)[::-1], engine.legal_action_mask()[::-1]
    seen = reader.read_engine(engine, games, engine.seats[games])
    np.testing.assert_array_equal(seen.observations, engine.observe()[::-1])
    for listed, mask in zip(seen.actions, masks, strict=True):
        assert listed[listed >= 0].tolist() == mask.nonzero()[0].tolist()
        assert (listed[mask.sum() :] == -1).all()
    other = reader.read_observations(engine.observe()[::-1], masks)
    for name, array in seen.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name])


@pytest.mark.parametrize("game", ALL)
def test_an_untrained_network_plays_all_legal_actions_alike(game: str) -> None:
    engine = midgame(game)
    masks, player = (
        engine.legal_action_mask(),
        network_agent(engine.config, NO_PRIOR, trained=False),
    )
    found = player.evaluate(engine.observe(), masks).probabilities
    np.testing.assert_allclose(found, masks / masks.sum(axis=1, keepdims=True), atol=1e-6)


@pytest.mark.parametrize("game", ALL)
def test_logits_are_those_of_two_layers(game: str) -> None:
    engine = midgame(game)
    player, masks = network_agent(engine.config, NO_PRIOR, width=8), engine.legal_action_mask()
    weights = {k: v.numpy() for k, v in player.forward.network.state_dict().items()}
    hidden = engine.config.features.normalise(engine.observe())
    for layer in ("body.layers.0", "body.layers.2"):
        hidden = np.maximum(hidden @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"], 0)
    logits = hidden @ weights["policy.weight"].T + weights["policy.bias"]
    odds = np.where(masks, np.exp(logits - logits.max(axis=1, keepdims=True)), 0)
    found = player.evaluate(engine.observe(), masks).probabilities
    np.testing.assert_allclose(found, odds / odds.sum(axis=1, keepdims=True), atol=1e-5)


def test_plans_are_also_read_ahead_of_a_seats_turn() -> None:
    engine = midgame("gonzaga", steps=0)
    reader, games = FlatReader(engine.config), np.repeat(np.arange(6), 3)
    ahead = reader.read_engine(engine, games, np.tile(np.arange(3), 6))
    for seat in range(3):
        at_turn = reader.read_engine(engine, np.arange(6), engine.seats)
        rows = np.arange(6) * 3 + engine.seats
        width = at_turn.actions.shape[1]
        np.testing.assert_array_equal(ahead.actions[rows, :width], at_turn.actions, str(seat))
        assert (ahead.actions[rows, width:] == -1).all()
        engine.step(at_turn.actions[:, 0].astype(np.int64))


def test_joining_pads_to_the_longest_list() -> None:
    short = FlatInputs(np.zeros((1, 2), np.uint8), np.array([[4]], np.int16))
    long = FlatInputs(np.ones((1, 2), np.uint8), np.array([[1, 5, 7]], np.int16))
    found = FlatInputs.concatenate([short, long, short])
    assert found.actions.tolist() == [[4, -1, -1], [1, 5, 7], [4, -1, -1]]
    assert found.observations.tolist() == [[0, 0], [1, 1], [0, 0]]


@pytest.mark.parametrize("game", ALL)
def test_all_actions_of_a_game_may_be_choices(game: str) -> None:
    assert game_spec(game).config().actions.size <= FlatNetwork.num_choices


def test_sealed_decisions_of_any_game_are_read_ahead() -> None:
    config = AuctionConfig(3)
    engine = AUCTION.engine.from_config(config, 4, seed=1)
    for _ in range(4):  # round 2, in which seat 0 has decided
        engine.step(engine.sample_legal(np.random.default_rng(0)))
    games, seats = np.repeat(np.arange(4), 2), np.tile([2, 1], 4)
    before = engine.state.to_bytes()
    read = FlatReader(config).read_engine(engine, games, seats)
    held = [
        np.flatnonzero(engine.state.cards[game, seat])
        for game, seat in zip(games, seats, strict=True)
    ]
    assert read.actions.tolist() == [own.tolist() for own in held]
    assert engine.state.to_bytes() == before
