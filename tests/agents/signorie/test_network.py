"""What the network of Signorie sees, and that it starts from the planner."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents import cli, make_agent
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.choices.inputs import NUM_CHOICES, Inputs
from gonzaga_agents.network.parts import TorchForward, network_parts
from gonzaga_agents.policies.learned import load_learned
from gonzaga_agents.policies.shipped import policy_folder, shipped_players
from gonzaga_agents.signorie.network import CHOICE_FEATURES, InputReader
from gonzaga_agents.training.export import export

from gonzaga_env.signorie.batch.engine import Engine
from tests.agents.signorie.test_heuristics import all_scores, positions


def read(engine: Engine) -> Inputs:
    """Returns what the seats to act see."""
    return InputReader(engine.config).read_observations(
        engine.observe(), engine.legal_action_mask()
    )


@pytest.mark.parametrize("num_players", [2, 4])
def test_inputs_are_of_their_own_row_from_engines_and_observations(num_players: int) -> None:
    engine = positions(num_players)
    found, games = read(engine), np.arange(0, 256, 17)
    assert np.isfinite(found.numbers).all()
    assert np.abs(found.numbers).max() < 20
    some = InputReader(engine.config).read_engine(engine, games, engine.seats[games])
    for name, array in some.arrays().items():
        wanted = found.take(games).arrays()[name]
        np.testing.assert_allclose(array, wanted, atol=1e-4, err_msg=name)


def test_choices_are_the_best_legal_actions_of_the_planner() -> None:
    engine = positions(3)
    found, planner = read(engine), make_agent("planner", engine.config)
    scores = all_scores(planner, engine.observe(), engine.legal_action_mask())
    for own, row in zip(found.actions, scores, strict=True):
        listed = own[own >= 0]
        assert len(set(listed.tolist())) == len(listed) == min(NUM_CHOICES, np.isfinite(row).sum())
        best = np.sort(row[np.isfinite(row)])[::-1][: len(listed)]
        np.testing.assert_allclose(row[listed], best, atol=1e-3)


def test_tokens_tell_actions_apart_but_dice_of_a_color_careers_and_cities() -> None:
    engine = positions(2)
    found, edition = read(engine), engine.config.edition
    meant: dict[int, set[str]] = {}
    for row, place in zip(*(found.actions >= 0).nonzero(), strict=True):
        words = engine.actions.to_text(found.actions[row, place]).split()
        match words:
            case [color, _, "assign", number]:
                slot = 2 * edition.colors.index(color) + int(number) - 1
                words = ["assign", edition.assignments[engine.state.assignments[row, slot]]]
            case [color, _, *rest] if color in edition.colors:
                words = [color, *rest]
            case ["mission", _, slot, _] | ["advance", _, slot] | ["marry", _, slot]:
                words = [words[0], slot]
            case ["enter" | "row", name]:
                words = [words[0], "marriage" if name == "marriage" else "career"]
        meant.setdefault(found.tokens[row, place], set()).add(" ".join(words))
    assert max(map(len, meant.values())) == 1
    words = [word for words in meant.values() for word in words]
    assert len(words) == len(set(words)) > 50


def test_features_of_a_choice_are_those_of_its_die_and_city() -> None:
    engine = positions(2)
    found, seen = read(engine), dict.fromkeys(("die", "mission", "marry"), 0)
    for row, place in zip(*(found.actions >= 0).nonzero(), strict=True):
        words = engine.actions.to_text(found.actions[row, place]).split()
        features = dict(zip(CHOICE_FEATURES, found.choices[row, place, 2:], strict=True))
        on_die = words[0] in engine.config.edition.colors
        assert features["value"] == pytest.approx(int(words[1]) / 6 if on_die else 0)
        in_city = words[0] in ("mission", "marry")
        assert (features["lowest"] > 0) == in_city
        if words[0] == "marry":
            assert features["price"] == int(words[2]) / 4
            assert features["points"] == pytest.approx(int(words[2]) / 5)
        seen[words[0] if in_city else "die"] += 1
    assert min(seen.values()) > 5


def test_an_untrained_network_plays_as_the_planner_does() -> None:
    engine = positions(4)
    parts = network_parts(engine.config)
    reader = parts.reader(engine.config)
    agent = NetworkAgent(reader, TorchForward(parts.network(reader.sizes, 16)), "untrained")
    seen, masks, rng = engine.observe(), engine.legal_action_mask(), np.random.default_rng(0)
    scores = all_scores(make_agent("planner", engine.config), seen, masks)
    chosen = scores[np.arange(256), agent.act(seen, masks, rng)]
    np.testing.assert_allclose(chosen, scores.max(axis=1), atol=1e-3)


@pytest.mark.nightly  # The Castles of Tuscany has the same toy run
def test_a_toy_run_trains_saves_plays_and_is_exported(tmp_path: Path, call) -> None:
    sizes = {"players": 2, "num-games": 4, "minibatch": 32, "width": 8, "timesteps": 100}
    none = dict.fromkeys(("eval-deals", "final-deals", "sample-games"), 0)
    words = [f"--{name}={value}" for name, value in (sizes | none).items()]
    out = tmp_path / "run"
    words += ["--game=signorie", "--processes=1", "--device=cpu", f"--out={out}"]
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
    numbers = shipped_players(policy_folder("signorie"))
    for number in numbers:
        engine, rng = positions(number), np.random.default_rng(0)
        rows = np.arange(0, 256, 5)
        seen, masks = engine.observe(rows=rows), engine.legal_action_mask(rows)
        for spec in ("learned", "search@2:learned"):
            actions = make_agent(spec, engine.config).act(seen, masks, rng)
            assert masks[np.arange(len(rows)), actions].all()
    assert numbers
