"""What the networks of games see as choices, and that they start from the planner."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.network.choices import ChoiceInputs
from gonzaga_agents.network.networks import trainable_network
from gonzaga_agents.network.tuscany import (
    _CELL_FEATURES,
    _COLOUR_FEATURES,
    CHOICE_FEATURES,
    NUM_TOKENS,
)

from gonzaga_env.tuscany.constants import COLOURS, TILE_KINDS
from tests.agents.mixed import all_scores, decisions, seen
from tests.agents.networks import network_agent

ROWS = np.arange(256)
every_game = pytest.mark.parametrize("game", ["gonzaga", "tuscany"])


def read(engine: Any) -> ChoiceInputs:
    """Returns what the seats to act see."""
    inputs: ChoiceInputs = reader_of(engine).read_observations(*seen(engine))
    return inputs


def reader_of(engine: Any) -> Any:
    return trainable_network(engine.config).reader(engine.config)


def assert_equal(found: ChoiceInputs, wanted: ChoiceInputs) -> None:
    for name, array in found.arrays().items():
        np.testing.assert_allclose(array, wanted.arrays()[name], atol=1e-4, err_msg=name)


@pytest.mark.parametrize("num_players", [2, 4])
def test_inputs_are_of_their_own_row_from_engines_and_observations(num_players: int) -> None:
    engine, games = decisions("tuscany", num_players), np.arange(0, 256, 17)
    found = read(engine)
    assert np.isfinite(found.choices).all()
    assert np.abs(found.numbers).max() < 20
    assert_equal(
        reader_of(engine).read_engine(engine, games, engine.seats[games]), found.take(games)
    )


@every_game
def test_choices_are_the_best_legal_actions_of_the_planner(game: str) -> None:
    engine = decisions(game, 3)
    scores = all_scores(make_agent("planner", engine.config), *seen(engine))
    for own, row in zip(read(engine).actions, scores, strict=True):
        listed = own[own >= 0]
        assert len(set(listed.tolist())) == len(listed) == min(len(own), np.isfinite(row).sum())
        best = np.sort(row[np.isfinite(row)])[::-1][: len(listed)]
        np.testing.assert_allclose(row[listed], best, atol=1e-3)


def choices(engine: Any, found: ChoiceInputs) -> list[tuple[int, int, list[str]]]:
    """Returns row, place and words of every choice."""
    places = zip(*(found.actions >= 0).nonzero(), strict=True)
    return [(*at, engine.actions.to_text(found.actions[at]).split()) for at in places]


def meaning(engine: Any, row: int, words: list[str], action: int) -> list[str]:
    """Returns what a token tells of a choice: no cells."""
    match words:
        case ["layout", *_]:
            return ["layout"]
        case ["tile" | "hexagon", *_]:
            colours = engine.config.features.view(engine.observe(rows=[row]), "colours")[0, 0]
            cell = (action - engine.actions.tile.start) % 30
            return [words[0], COLOURS[colours[:, cell].argmax()]]
    return words


def test_tokens_tell_actions_apart_but_for_what_features_say() -> None:
    engine = decisions("tuscany", 2)
    found, meant = read(engine), dict[int, set[str]]()
    for row, place, words in choices(engine, found):
        means = meaning(engine, row, words, found.actions[row, place])
        meant.setdefault(found.tokens[row, place], set()).add(" ".join(means))
    assert max(map(len, meant.values())) == 1
    assert 50 < len(set[str]().union(*meant.values())) == len(meant)
    assert max(meant) < NUM_TOKENS


def test_features_of_a_choice_are_those_of_its_colour_and_cell() -> None:
    engine = decisions("tuscany", 2)
    found = read(engine)
    first = 2 + len(_COLOUR_FEATURES)
    hand = engine.config.features.view(engine.observe(), "hand")
    for row, place, (verb, *what) in choices(engine, found):
        features = found.choices[row, place]
        if verb == "take":
            colour = COLOURS.index(what[0][0])
            assert features[2 + CHOICE_FEATURES.index("hand")] == hand[row, colour] / 4
            assert what[0] in TILE_KINDS
        on_cell = verb in ("tile", "hexagon")
        assert features[first:].any() == on_cell
        assert len(features[first:]) == len(_CELL_FEATURES)
        assert features[2:first].any() <= (verb in ("take", "remove", "crop") or on_cell)


@every_game
def test_an_untrained_network_plays_as_the_planner_does(game: str) -> None:
    engine = decisions(game, 4)
    agent = network_agent(engine.config, trained=False)
    observations, masks = seen(engine)
    scores = all_scores(make_agent("planner", engine.config), observations, masks)
    chosen = scores[ROWS, agent.act(observations, masks, np.random.default_rng(0))]
    np.testing.assert_allclose(chosen, scores.max(axis=1), atol=1e-3)
    found = agent.evaluate(observations, masks)
    assert found.probabilities[~masks].max() == 0
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, atol=1e-5)
