"""The network of places: what it sees of a board, and what it makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.network.description import input_reader
from gonzaga_agents.network.geometry import GeometryInputs, GeometryReader
from gonzaga_agents.network.learned import policy_folder, read_network, read_policy
from gonzaga_agents.network.networks import trainable_network
from gonzaga_agents.network.tuscany import scene

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.tuscany import Engine, GameConfig
from gonzaga_env.tuscany.board import CELL_NAMES, JOINTS, places
from gonzaga_env.tuscany.constants import COLOURS

N, CONFIG = 6, GameConfig(3)
NUM_PLACES = len(CELL_NAMES) + 1  # and none


def midgame(steps: int) -> Any:
    rng, engine = np.random.default_rng(7), Engine.from_config(CONFIG, N, seed=7)
    for _ in range(steps):
        engine.step(engine.sample_legal(rng))
    return engine


def read(engine: Any) -> GeometryInputs:
    return GeometryReader(engine.config).read_engine(engine, np.arange(N), engine.seats)


def test_a_tile_opens_the_cells_where_it_fits() -> None:
    """T6.1, told from the picture of the region: empty, of its colour, beside a covered cell."""
    engine, rng, num_found = midgame(steps=40), np.random.default_rng(2), 0
    for _ in range(60):
        inputs, own = read(engine), engine.observe()
        view = engine.config.features.view
        for game in range(N):
            joints = JOINTS.index(tuple(bool(x) for x in view(own, "joints")[game, 0]))
            at, covered = places(joints), view(own, "covered")[game, 0]
            for action in inputs.actions[game][inputs.actions[game] >= 0]:
                verb, _, what = engine.config.actions.to_text(int(action)).partition(" ")
                if verb == "tile":
                    assert inputs.covers[game][inputs.actions[game] == action] == CELL_NAMES.index(
                        what
                    )
                if verb != "take":
                    continue
                colours = view(own, "colours")[game, 0, COLOURS.index(what[0])]
                fits = {
                    cell
                    for cell, (x, y) in enumerate(at)
                    if colours[cell]
                    and not covered[cell]
                    and any(
                        covered[other] and (abs(x - u), abs(y - v)) in ((0, 2), (1, 1))
                        for other, (u, v) in enumerate(at)
                    )
                }
                assert opened(inputs.take([game]), action) == fits
                num_found += len(fits)
        engine.step(engine.sample_legal(rng))
    assert num_found > 100


def opened(inputs: GeometryInputs, action: int) -> set[int]:
    """Returns the cells of what an action opens that is not closed."""
    openings = scene(CONFIG).openings.places
    groups = inputs.opened[inputs.actions == action]
    found = {int(cell) for group in groups if group < len(openings) for cell in openings[group]}
    return {cell % NUM_PLACES for cell in found if not inputs.closed[0].reshape(-1)[cell]}


def test_logits_are_those_of_plain_sums() -> None:
    """The network written again for one decision, with loops over choices and openings."""
    folder = policy_folder("tuscany")
    weights = read_network(folder, read_policy(folder, 3))
    inputs, reader = read(midgame(steps=12)), GeometryReader(CONFIG)
    logits, _ = reader.numpy_forward(weights)(inputs)
    for row in range(N):
        expected = plain_logits(weights, np.array(reader.sizes.scales), inputs.take([row]))
        np.testing.assert_allclose(logits[row, : len(expected)], expected, atol=1e-3)


def plain_logits(w: Any, scales: Any, inputs: GeometryInputs) -> list[float]:
    def relu(x: Any) -> Any:
        return np.maximum(x, 0)

    context = inputs.numbers[0]
    for layer in ("context.0", "context.2"):
        context = relu(w[f"{layer}.weight"] @ context + w[f"{layer}.bias"])
    places = (inputs.seen[0] / scales) @ w["place_seen.weight"].T + w["place_seen.bias"]
    places = places + w["place_static.weight"].T
    places = relu(places + w["place_context.weight"] @ context)
    ahead = w["choice_context.weight"] @ context

    def score(cell: int, words: Any) -> tuple[Any, float]:
        covered = places[cell] if cell < len(places) else np.zeros(places.shape[1])
        named = sum((w["word.weight"][:, k] for k in words if k), np.zeros(places.shape[1]))
        worth = w["place_worth.weight"][0] @ covered
        worth += sum(w["word_worth.weight"][0, k] for k in words if k)
        bias = w["choice_places.bias"]
        return w["choice_places.weight"] @ covered + bias + named + ahead, worth

    def out(hidden: Any) -> float:
        return float(w["choice_out.weight"][0] @ relu(hidden) + w["choice_out.bias"][0])

    found = []
    for choice, action in enumerate(inputs.actions[0][inputs.actions[0] >= 0]):
        hidden, worth = score(inputs.covers[0, choice], scene(CONFIG).words[action])
        later: list[tuple[float, float, Any]] = []  # first worth, whole worth, hidden units
        for cell in opened(inputs, action):
            units, first = score(cell, [])
            later.append((first, first + out(units), relu(units)))
        later = sorted(later, key=lambda one: -one[0])[:4]
        if later:
            share = np.exp(w["opened_weight"][1] * np.array([one[1] for one in later]))
            share /= share.sum()
            mean = sum(s * one[2] for s, one in zip(share, later, strict=True))
            hidden = hidden + w["choice_opened.weight"] @ mean
            worth += w["opened_weight"][0] * sum(
                s * one[1] for s, one in zip(share, later, strict=True)
            )
        found.append(out(hidden) + worth)
    return found


def test_it_is_not_trained_and_of_one_game() -> None:
    with pytest.raises(OptionError, match="has no network with prior geometry"):
        input_reader("signorie", "geometry")
    with pytest.raises(OptionError, match="played in numpy alone"):
        trainable_network(CONFIG, "geometry")
