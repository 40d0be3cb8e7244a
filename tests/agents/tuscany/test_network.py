"""What the network of The Castles of Tuscany sees, and that it starts from the planner."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from gonzaga_agents import cli, make_agent
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.choices.inputs import NUM_CHOICES, Inputs
from gonzaga_agents.network.parts import TorchForward, network_parts
from gonzaga_agents.policies.learned import load_learned
from gonzaga_agents.policies.shipped import policy_folder, shipped_players
from gonzaga_agents.training.export import export
from gonzaga_agents.tuscany.network import (
    _CELL_FEATURES,
    _COLOUR_FEATURES,
    CHOICE_FEATURES,
    NUM_TOKENS,
    InputReader,
)

from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.constants import COLOURS, TILE_KINDS
from tests.agents.tuscany.test_heuristics import all_scores, positions


def read(engine: Engine) -> Inputs:
    """Returns what the seats to act see."""
    return InputReader(engine.config).read_observations(
        engine.observe(), engine.legal_action_mask()
    )


def assert_equal(found: Inputs, wanted: Inputs) -> None:
    for name, array in found.arrays().items():
        np.testing.assert_allclose(array, wanted.arrays()[name], atol=1e-5, err_msg=name)


@pytest.mark.parametrize("num_players", [2, 4])
def test_inputs_are_of_their_own_row_from_engines_and_observations(num_players: int) -> None:
    engine = positions(num_players)
    found, games = read(engine), np.arange(0, 256, 17)
    assert np.isfinite(found.numbers).all()
    assert np.isfinite(found.choices).all()
    seats = engine.seats[games]
    some = InputReader(engine.config).read_engine(engine, games, seats)
    assert_equal(some, found.take(games))


def test_choices_are_the_best_legal_actions_of_the_planner() -> None:
    engine = positions(3)
    found, planner = read(engine), make_agent("planner", engine.config)
    scores = all_scores(planner, engine.observe(), engine.legal_action_mask())
    for own, row in zip(found.actions, scores, strict=True):
        listed = own[own >= 0]
        assert len(set(listed.tolist())) == len(listed) == min(NUM_CHOICES, np.isfinite(row).sum())
        best = np.sort(row[np.isfinite(row)])[::-1][: len(listed)]
        np.testing.assert_allclose(row[listed], best, atol=1e-4)


def test_tokens_tell_all_actions_apart_but_layouts_and_cells_of_a_colour() -> None:
    engine = positions(2)
    found, colours = read(engine), engine.config.features.view(engine.observe(), "colours")[:, 0]
    meant: dict[int, set[str]] = {token: set() for token in range(NUM_TOKENS)}
    for row, place in zip(*(found.actions >= 0).nonzero(), strict=True):
        verb, _, what = ACTIONS.to_text(found.actions[row, place]).partition(" ")
        if verb in ("tile", "hexagon"):
            cell = (found.actions[row, place] - ACTIONS.tile.start) % 30
            what = COLOURS[colours[row, :, cell].argmax()]
        meant[found.tokens[row, place]].add(verb if verb == "layout" else f"{verb} {what}")
    assert max(map(len, meant.values())) == 1
    words = [word for words in meant.values() for word in words]
    assert len(words) == len(set(words)) > 60


def test_features_of_a_choice_are_those_of_its_colour_and_cell() -> None:
    engine = positions(2)
    found = read(engine)
    first = 2 + len(_COLOUR_FEATURES)
    hand = engine.config.features.view(engine.observe(), "hand")
    for row, place in zip(*(found.actions >= 0).nonzero(), strict=True):
        verb, _, what = ACTIONS.to_text(found.actions[row, place]).partition(" ")
        features = found.choices[row, place]
        if verb == "take":
            colour = COLOURS.index(what[0])
            assert features[2 + CHOICE_FEATURES.index("hand")] == hand[row, colour] / 4
            assert what in TILE_KINDS
        on_cell = verb in ("tile", "hexagon")
        assert features[first:].any() == on_cell
        assert len(features[first:]) == len(_CELL_FEATURES)
        assert features[2:first].any() <= (verb in ("take", "remove", "crop") or on_cell)


def test_an_untrained_network_plays_as_the_planner_does() -> None:
    engine = positions(4)
    parts = network_parts(engine.config)
    reader = parts.reader(engine.config)
    agent = NetworkAgent(reader, TorchForward(parts.network(reader.sizes, 16)), "untrained")
    seen, masks, rng = engine.observe(), engine.legal_action_mask(), np.random.default_rng(0)
    scores = all_scores(make_agent("planner", engine.config), seen, masks)
    chosen = scores[np.arange(256), agent.act(seen, masks, rng)]
    np.testing.assert_allclose(chosen, scores.max(axis=1), atol=1e-4)
    found = agent.evaluate(seen, masks)
    assert found.probabilities[~masks].max() == 0
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, atol=1e-5)


def test_padding_changes_nothing() -> None:
    parts = network_parts(positions(2).config)
    inputs = read(positions(2))
    torch.manual_seed(1)
    network = parts.network(parts.reader(positions(2).config).sizes, 16)
    torch.nn.init.normal_(network.choice_out.weight)
    before = TorchForward(network)(inputs)
    inputs.choices[inputs.actions < 0] = 7
    inputs.tokens[inputs.actions < 0] = 3
    for found, wanted in zip(TorchForward(network)(inputs), before, strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_widths_out_of_range_are_refused() -> None:
    config = positions(2).config
    with pytest.raises(OptionError, match="width is 4; it takes 8 to 1024"):
        network_parts(config).network(InputReader(config).sizes, 4)


def test_a_toy_run_trains_saves_plays_and_is_exported(tmp_path: Path, call) -> None:
    sizes = {"players": 2, "num-games": 4, "minibatch": 32, "width": 8, "timesteps": 100}
    none = dict.fromkeys(("eval-deals", "final-deals", "sample-games"), 0)
    words = [f"--{name}={value}" for name, value in (sizes | none).items()]
    out = tmp_path / "run"
    words += ["--game=tuscany", "--processes=1", "--device=cpu", f"--out={out}"]
    call(cli.train, *words)
    engine = positions(2)
    seen = engine.observe(), engine.legal_action_mask()
    found = make_agent(out, engine.config).evaluate(*seen)
    assert found.probabilities[~seen[1]].max() == 0
    export(out / "checkpoint.zip", tmp_path / "model")
    exported = load_learned(engine.config, tmp_path / "model").evaluate(*seen)
    np.testing.assert_allclose(exported.probabilities, found.probabilities, atol=1e-4)
    np.testing.assert_allclose(exported.values, found.values, atol=1e-2)


def test_policies_that_ship_play_their_number_of_players() -> None:
    numbers = shipped_players(policy_folder("tuscany"))
    for number in numbers:
        engine, rng = positions(number), np.random.default_rng(0)
        for spec in ("learned", "search@2:learned"):
            masks = engine.legal_action_mask()
            actions = make_agent(spec, engine.config).act(engine.observe(), masks, rng)
            assert masks[np.arange(256), actions].all()
    assert numbers
