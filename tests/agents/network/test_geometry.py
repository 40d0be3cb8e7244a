"""The network of places: what it sees of three games' boards, and what it makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.network.description import input_reader
from gonzaga_agents.network.geometry import GeometryInputs, GeometryReader
from gonzaga_agents.network.geometry_network import GeometryNetwork
from gonzaga_agents.network.networks import TorchForward
from gonzaga_agents.network.scene import Plane, Scene, words_of

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.state import PLACE
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.tuscany.board import CELL_NAMES, JOINTS, places
from gonzaga_env.tuscany.constants import COLOURS
from tests.kernel.small_games import AUCTION, PENNIES

ALL, N = game_names(), 6
NUM_HEXES = 316
FIRST_HELPER, FIRST_DIE = 26, 51  # places of Signorie


def midgame(game: str, steps: int = 31, players: int = 3, seed: int = 7) -> Any:
    spec, rng = game_spec(game), np.random.default_rng(seed)
    engine = spec.engine.from_config(spec.config(num_players=players), N, seed=seed)
    for _ in range(steps):
        engine.step(engine.sample_legal(rng))
    return engine


def read(engine: Any) -> GeometryInputs:
    return GeometryReader(engine.config).read_engine(engine, np.arange(N), engine.seats)


def network_for(engine: Any, width: int = 8) -> GeometryNetwork:
    torch.manual_seed(0)
    network = GeometryNetwork(GeometryReader(engine.config).sizes, width)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return network


def test_a_placement_covers_the_hexes_that_it_takes() -> None:
    engine, rng = midgame("gonzaga", steps=0), np.random.default_rng(1)
    features, num_covered = engine.config.features, 0
    for _ in range(60):
        inputs, placing = read(engine), engine.state.phase == PLACE
        rank = [int(rng.integers((inputs.actions[game] >= 0).sum())) for game in range(N)]
        actions, seats = inputs.actions[np.arange(N), rank], engine.seats
        before = engine.observe(seats)
        engine.step(actions)
        after = engine.observe(seats)
        for game in placing.nonzero()[0]:
            taken = [
                features.view(after, name)[game, 0] > features.view(before, name)[game, 0]
                for name in ("fiefs", "rings")
            ]
            cells = inputs.covers[game, rank[game]]
            if not engine.state.finished[game]:
                assert (
                    sorted(set(cells) - {NUM_HEXES}) == (taken[0] | taken[1]).nonzero()[0].tolist()
                )
                num_covered += 1
        assert (inputs.covers[~placing] == NUM_HEXES)[inputs.actions[~placing] >= 0].all()
    assert num_covered > 100


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_plan_opens_the_placements_that_it_allows(players: int) -> None:
    """The first to place finds the map that it planned on, so what was open is now legal."""
    rng, engine = np.random.default_rng(3), midgame("gonzaga", steps=0, players=players)
    tables, num_found = engine.config.tables, 0
    sites = (tables.num_cities + tables.num_harbors) > 0
    for _ in range(8):
        seen, plans = {}, {}
        for _ in range(players):
            inputs, actions = read(engine), engine.sample_legal(rng)
            for game, seat in enumerate(engine.seats):
                seen[game, seat], plans[game, seat] = inputs.take([game]), actions[game]
            engine.step(actions)
        for game, seat in enumerate(engine.seats):
            plan, fief = plans[game, seat], seen[game, seat].situation[0]
            if PLAN_CARDS[plan, 2]:
                continue  # a ring is paid at the reveal (R3.4), which a wedding may miss
            rows = tables.placements.row(fief, engine.legal_actions([game])[1] - NUM_PLANS)
            legal = {hexes(row) for row in tables.placements.cells[rows[sites[rows]]]}
            assert opened(engine.config, seen[game, seat], plan) == legal | {()}  # or a donation
            num_found += len(legal)
        for _ in range(players):
            engine.step(engine.sample_legal(rng))
    assert num_found > 100


def opened(config: Any, seen: GeometryInputs, action: int) -> set[tuple[int, ...]]:
    """Returns the hexes of what an action opens that is not closed."""
    openings, found = GeometryReader(config).sizes.scene.openings, set()
    assert openings is not None
    for group in seen.opened[seen.actions == action][0]:
        if group < openings.cells.shape[1]:
            needed = openings.cells[seen.situation[0], group]
            is_open = ~seen.closed[0].reshape(-1)[needed].any(axis=1)
            is_open &= ~openings.missing[seen.situation[0], group]
            found |= {hexes(row % seen.closed.shape[2]) for row in needed[is_open]}
    return found


def hexes(row: Any) -> tuple[int, ...]:
    return tuple(sorted(int(cell) for cell in row if cell < NUM_HEXES))


def test_a_tile_opens_the_cells_where_it_fits() -> None:
    """T6.1, told from the picture of the region: empty, of its colour, beside a covered cell."""
    engine, rng, num_found = midgame("tuscany", steps=40), np.random.default_rng(2), 0
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
                    (cell,)
                    for cell, (x, y) in enumerate(at)
                    if colours[cell]
                    and not covered[cell]
                    and any(
                        covered[other] and (abs(x - u), abs(y - v)) in ((0, 2), (1, 1))
                        for other, (u, v) in enumerate(at)
                    )
                }
                assert opened(engine.config, inputs.take([game]), action) == fits
                num_found += len(fits)
        engine.step(engine.sample_legal(rng))
    assert num_found > 100


def test_hiring_covers_the_die_and_the_helper_that_are_taken() -> None:
    engine, rng, num_hired = midgame("signorie", steps=0), np.random.default_rng(4), 0
    features, codec = engine.config.features, engine.config.actions
    for _ in range(120):
        inputs, actions, seats = read(engine), engine.sample_legal(rng), engine.seats
        before = engine.observe(seats)
        engine.step(actions)
        after = engine.observe(seats)
        for game in range(N):
            text = codec.to_text(int(actions[game]))
            covers = inputs.covers[game][inputs.actions[game] == actions[game]][0]
            lost = features.view(before, "pool")[game] > features.view(after, "pool")[game]
            if " hire " in text and lost.sum() == 1:
                assert covers[0] == FIRST_DIE + lost.reshape(-1).argmax()
                new = features.view(after, "helpers") > features.view(before, "helpers")
                assert covers[1] == FIRST_HELPER + new[game, 0].reshape(-1).argmax()
                num_hired += 1
    assert num_hired > 20


@pytest.mark.parametrize("game", ALL)
def test_logits_are_those_of_plain_sums(game: str) -> None:
    """The network written again for one decision, with loops over choices and openings."""
    check_logits(midgame(game, steps=12))


@pytest.mark.parametrize("edition", ["mini-a2", "mini-b3-objectives"])
def test_logits_of_small_fiefs_are_those_of_plain_sums(edition: str) -> None:
    check_logits(Engine.from_config(GameConfig(2, edition=edition), N, seed=7))


def check_logits(engine: Any) -> None:
    network, inputs = network_for(engine), read(engine)
    logits, _ = TorchForward(network)(inputs)
    scene = GeometryReader(engine.config).sizes.scene
    weights = {name: w.numpy() for name, w in network.state_dict().items()}
    for row in range(N):
        expected = plain_logits(weights, scene, network.scales.numpy(), inputs.take([row]))
        np.testing.assert_allclose(logits[row, : len(expected)], expected, atol=1e-3)


def plain_logits(w: Any, scene: Any, scales: Any, inputs: GeometryInputs) -> list[float]:
    def relu(x: Any) -> Any:
        return np.maximum(x, 0)

    context = inputs.numbers[0]
    for layer in ("context.0", "context.2"):
        context = relu(w[f"{layer}.weight"] @ context + w[f"{layer}.bias"])
    seen = inputs.seen[0] * scales
    places = seen @ w["place_seen.weight"].T + w["place_seen.bias"]
    places = places + scene.static @ w["place_static.weight"].T
    places = relu(places + w["place_context.weight"] @ context)
    nowhere = len(places)
    ahead = w["choice_context.weight"] @ context

    def score(cells: Any, words: Any) -> tuple[Any, float]:
        covered = sum((places[c] for c in cells if c < nowhere), np.zeros(places.shape[1]))
        named = sum((w["word.weight"][:, k] for k in words if k), np.zeros(places.shape[1]))
        worth = w["place_worth.weight"][0] @ covered
        worth += sum(w["word_worth.weight"][0, k] for k in words if k)
        bias = w["choice_places.bias"]
        return w["choice_places.weight"] @ covered + bias + named + ahead, worth

    def out(hidden: Any) -> float:
        return float(w["choice_out.weight"][0] @ relu(hidden) + w["choice_out.bias"][0])

    found = []
    for choice, action in enumerate(inputs.actions[0][inputs.actions[0] >= 0]):
        hidden, worth = score(inputs.covers[0, choice], scene.words[action])
        later: list[tuple[float, float, Any]] = []  # first worth, whole worth, hidden units
        for group in inputs.opened[0, choice]:
            if scene.openings is None or group >= scene.openings.cells.shape[1]:
                continue
            at = inputs.situation[0], group
            listed = []
            for cells, word, missing in zip(
                *(table[at] for table in (scene.openings.cells, scene.openings.words)),
                scene.openings.missing[at],
                strict=True,
            ):
                if missing or inputs.closed[0].reshape(-1)[cells].any():
                    continue
                units, first = score(cells % (nowhere + 1), [word])
                listed.append((first, first + out(units), relu(units)))
            later += sorted(listed, key=lambda one: -one[0])[:4]
        opens = scene.openings is not None and any(
            0 <= group < scene.openings.cells.shape[1] for group in inputs.opened[0, choice]
        )
        if opens and later:
            share = np.exp(w["opened_weight"][1] * np.array([one[1] for one in later]))
            share /= share.sum()
            hidden = hidden + w["choice_opened.weight"] @ sum(
                s * one[2] for s, one in zip(share, later, strict=True)
            )
            worth += w["opened_weight"][0] * sum(
                s * one[1] for s, one in zip(share, later, strict=True)
            )
        found.append(out(hidden) + worth)
    return found


def test_a_game_without_a_scene_has_no_such_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonzaga_agents.network.description.game_spec", lambda name: AUCTION)
    with pytest.raises(OptionError, match="has no scene; take --prior none"):
        input_reader(AUCTION.name, "geometry")


def pennies_scene(config: Any) -> Scene:
    """The scene of a game of another package: its places are its players."""
    players = config.num_players

    def covers(observations: Any, rows: Any, actions: Any) -> Any:
        return np.full((len(actions), 1), players)

    return Scene(
        planes=(Plane("scores", players),),
        static=np.eye(players, dtype=np.float32),
        near=(),
        landmarks=np.arange(players),
        words=words_of(["heads", "tails"]),
        covers=covers,
    )


def test_a_game_of_another_package_gets_it_with_a_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = replace(PENNIES, scene=pennies_scene)
    for module in ("description", "geometry"):
        monkeypatch.setattr(f"gonzaga_agents.network.{module}.game_spec", lambda name: spec)
    assert input_reader(spec.name, "geometry") is GeometryReader
    engine = spec.engine.from_config(spec.config(num_players=3), N, seed=0)
    inputs, network = read(engine), network_for(engine)
    assert inputs.actions.tolist() == N * [[0, 1]]
    logits, values = TorchForward(network)(inputs)
    assert (logits[:, 0] != logits[:, 1]).all()
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    plain = GeometryReader(engine.config).numpy_forward(weights)(inputs)
    np.testing.assert_allclose(plain[0], logits, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(plain[1], values, rtol=1e-5, atol=1e-5)
