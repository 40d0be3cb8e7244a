"""The reader: what it looks at, and that rows, chunks and states do not matter."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gonzaga_agents.heuristics.gonzaga import PLANNED, TEMPERATURE, Rivals, list_legal
from gonzaga_agents.heuristics.gonzaga_features import NUM_OWN, NUM_SHARED, SECRET, FeatureReader
from gonzaga_agents.heuristics.gonzaga_scores import Heuristic
from gonzaga_agents.network import gonzaga as reader_module
from gonzaga_agents.network.gonzaga import GonzagaInputs, GonzagaReader
from gonzaga_agents.network.gonzaga_choices import CHOICE_FEATURES, NUM_CHOICES, SITE_FEATURES
from gonzaga_agents.network.networks import GonzagaBatch, GonzagaNetwork

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.board.actions import PLAN_CARDS
from gonzaga_env.core.config import feature_table
from gonzaga_env.core.state import PLACE, PLAN, State, legal_plans
from tests.agents.mixed import positions
from tests.conftest import played
from tests.golden.inputs import CONFIGS, FILE, read_inputs
from tests.oracle_editions import OracleEdition

PLAYERS = [2, 3, 4]
EUROPE = Path(__file__).parents[3] / "gonzaga_env" / "data" / "editions" / "europe"
ROUNDS = (1, 4, 8)  # an early, a middle and a late one


def read(
    reader: GonzagaReader, engine: Engine, rows: Any = None, state: State | None = None
) -> GonzagaInputs:
    games = np.arange(engine.num_games) if rows is None else np.asarray(rows)
    legal, seen = engine.legal_actions(games), engine.observe(rows=games)
    where = games if state is None else np.arange(len(games))
    return reader.read(state or engine.state, seen, where, engine.seats[games], *legal)


def assert_equal(one: GonzagaInputs, other: GonzagaInputs) -> None:
    """Holds all fields but `secrets` to each other, byte by byte."""
    for name, array in one.arrays().items():
        if name != "secrets":
            assert array.tobytes() == getattr(other, name).tobytes(), name


def assert_close(one: GonzagaInputs, other: GonzagaInputs) -> None:
    """Holds all fields to each other, up to the order of sums in products of matrices."""
    for name, array in one.arrays().items():
        np.testing.assert_allclose(array, getattr(other, name), atol=1e-5, err_msg=name)


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_what_is_hidden_changes_nothing_but_the_secrets(num_players: int, sea_league: Any) -> None:
    config = GameConfig(num_players, rules=Rules(sea_league))
    reader, rng, changed = GonzagaReader(config), np.random.default_rng(0), set()
    torch.manual_seed(0)
    network, phases = GonzagaNetwork(reader.sizes, width=16), set()
    torch.nn.init.normal_(network.choice_out.weight)
    for engine in positions(config, 4, ROUNDS):
        state = engine.resample(engine.seats, rng)
        before, after = read(reader, engine), read(reader, engine, state=state)
        assert_equal(before, after)
        with torch.no_grad():
            for one, other in zip(
                network(*GonzagaBatch.of(before)[:-1]),
                network(*GonzagaBatch.of(after)[:-1]),
                strict=True,
            ):
                assert torch.equal(one, other)
        fields = engine.state.arrays().items()
        changed |= {name for name, array in fields if (getattr(state, name) != array).any()}
        phases |= {*engine.state.phase.tolist()}
    assert changed == {"seed", "objective", "deck", "plan"}
    assert phases == {PLAN, PLACE}


@pytest.mark.parametrize("num_players", PLAYERS)
def test_an_observation_reads_as_the_engine(num_players: int) -> None:
    config, games = GameConfig(num_players), np.arange(4)
    reader = GonzagaReader(config)
    for engine in positions(config, 4, ROUNDS):
        observed = reader.read_observations(engine.observe(), engine.legal_action_mask())
        assert_equal(reader.read_engine(engine, games, engine.seats), observed)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_rows_and_chunks_do_not_matter(num_players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    config = GameConfig(num_players)
    reader = GonzagaReader(config)
    for engine in positions(config, 7, ROUNDS):
        whole = read(reader, engine)
        monkeypatch.setattr(reader_module, "_CHUNK", 3)
        assert_close(whole, read(reader, engine))
        monkeypatch.undo()
        order = np.array([5, 0, 6])
        assert_close(whole.take(order), read(reader, engine, order))
        assert_close(whole.take(slice(2, 3)), read(reader, engine, [2]))


@pytest.mark.parametrize("num_players", PLAYERS)
def test_kinds_of_decisions_may_be_mixed(num_players: int) -> None:
    """Outside lockstep each game reads and lists as it does on its own."""
    config, rng = GameConfig(num_players), np.random.default_rng(4)
    reader = GonzagaReader(config)
    engine = Engine.from_config(config, 9, seed=2)
    for _ in range(30):
        rows = np.flatnonzero(rng.random(9) < 0.7)
        engine.step(engine.sample_legal(rng, rows), rows)
    games = rng.permutation(9)
    assert {*engine.kinds[games].tolist()} == {PLAN, PLACE}
    mixed, seats = reader.read_engine(engine, games, engine.seats[games]), engine.seats[games]
    listed = list_legal(engine, games, seats)
    assert (np.diff(listed[0]) >= 0).all()
    expected = engine.legal_actions(games)
    assert {*zip(*listed, strict=True)} == {*zip(*expected, strict=True)}
    for row in range(len(games)):
        assert_close(mixed.take([row]), reader.read_engine(engine, games[[row]], seats[[row]]))


@pytest.mark.parametrize("num_players", PLAYERS)
def test_plans_of_all_seats_may_be_read_at_once(num_players: int) -> None:
    """Plans are sealed: a seat reads the same whether the others have planned or not."""
    config = GameConfig(num_players)
    reader, rng = GonzagaReader(config), np.random.default_rng(3)
    engine = played(Engine.from_config(config, 5, seed=2), 3 * 2 * num_players, 3)
    games, seats = np.indices((5, num_players)).reshape(2, -1)
    rows, actions = _legal_plans(engine.state, engine, games, seats).nonzero()
    seen = np.concatenate([engine.observe(s, rows=[g]) for g, s in zip(games, seats, strict=True)])
    at_once = reader.read(engine.state, seen, games, seats, rows, actions)
    for seat in range(num_players):
        assert (engine.seats == seat).all()
        assert_close(at_once.take(seats == seat), read(reader, engine))  # type: ignore[arg-type]
        engine.step(engine.sample_legal(rng))


def _legal_plans(state: State, engine: Engine, games: Any, seats: Any) -> np.ndarray:
    """Returns which plans are legal, [M, 42]."""
    words = legal_plans(engine.tables, state, games, seats)
    return (words[:, None] >> np.arange(42, dtype=np.uint64)) & np.uint64(1) != 0


@pytest.mark.parametrize("num_players", PLAYERS)
def test_attention_and_rivals_are_those_of_the_expected_plans(num_players: int) -> None:
    """Against sums over every plan of every other seat, one by one."""
    config = GameConfig(num_players)
    reader, edition = GonzagaReader(config), OracleEdition(EUROPE)
    regions = [*edition.regions, "inactive"]
    others = Heuristic(config.tables, config.rules, replace(PLANNED, objective=None))
    attention, rivals = SITE_FEATURES.index("attention"), CHOICE_FEATURES.index("rivals")
    sites = sorted([*edition.cities, *edition.harbors])
    site_regions = [edition.region_of[cell] for cell in sites]
    for engine in positions(config, 2, ROUNDS):
        state, seats = engine.state, engine.seats
        if state.phase[0] != PLAN or engine.state.num_acted[0] > 1:
            continue
        inputs = read(reader, engine)
        for game in range(2):
            chances = _plan_chances(others, engine, game)
            flourishing = config.tables.flourishing[state.scenario[game]]
            seat = int(seats[game])
            rest = [other for other in range(num_players) if other != seat]
            for number, region in enumerate(site_regions):
                index = regions.index(region)  # type: ignore[arg-type]  # sites lie on land
                cards = {index} if flourishing[index] else {index, 6}
                wanted = sum(
                    chances[other][plan]
                    for other in rest
                    for plan in range(42)
                    if PLAN_CARDS[plan][0] in cards
                )
                assert inputs.sites[game, number, attention] == pytest.approx(wanted, abs=1e-4)
            for place, action in enumerate(inputs.actions[game].tolist()):
                if action >= 0:
                    wanted = sum(
                        chances[other][plan]
                        for other in rest
                        for plan in range(42)
                        if _goes_before(engine, game, (other, plan), (seat, action))
                    )
                    found = inputs.choices[game, place, rivals]
                    assert found == pytest.approx(wanted, abs=1e-4)


def _plan_chances(heuristic: Heuristic, engine: Engine, game: int) -> list[list[float]]:
    """Returns how likely each plan of each seat of a game is."""
    found = []
    for seat in range(engine.num_players):
        games, seats = np.array([game]), np.array([seat])
        scores = heuristic.plans(engine.state, heuristic.values(engine.state, games, seats))[0]
        legal = _legal_plans(engine.state, engine, games, seats)[0]
        odds = np.where(legal, np.exp(scores.astype(np.float64) / TEMPERATURE), 0)
        found.append((odds / odds.sum()).tolist())
    return found


def _goes_before(engine: Engine, game: int, theirs: tuple[int, int], mine: tuple[int, int]) -> bool:
    """Returns whether they place in the same region as I, and before me (R3.5)."""
    keys, regions = [], []
    for seat, plan in (theirs, mine):
        region, action, privilege = PLAN_CARDS[plan]
        deck, number = engine.state.deck[game, seat], engine.state.round[game]
        keys.append((1 - privilege, action, 10 * deck[number - 1] + seat))
        regions.append(region)
    return regions[0] == regions[1] and keys[0] < keys[1]


def test_regions_count_a_plan_once_for_its_card() -> None:
    engine = next(positions(GameConfig(4), 4, ROUNDS))
    others = Heuristic(engine.tables, engine.rules, replace(PLANNED, objective=None))
    games, seats = np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4)
    found = Rivals(others, engine.state, games, seats, TEMPERATURE).regions()
    np.testing.assert_allclose(found.sum(axis=1), 3, rtol=1e-5)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_numbers_are_the_observation_s_and_the_position_s(num_players: int) -> None:
    config = GameConfig(num_players)
    reader, table = GonzagaReader(config), feature_table(config.tables.num_hexes, num_players)
    positions_reader = FeatureReader(config.tables, config.rules)
    for engine in positions(config, 2, ROUNDS):
        inputs, seen = read(reader, engine), table.normalise(engine.observe())
        names = [feature.name for feature in table]
        names = names[names.index("phase") :]
        start = 0
        for name in names:
            part = seen[:, table[name].slice]
            found = inputs.numbers[:, start : start + part.shape[1]]
            start += part.shape[1]
            hidden = name == "num_acted" and engine.state.phase[0] == PLAN
            np.testing.assert_allclose(found, 0 * part if hidden else part, atol=1e-6)
        own, shared = positions_reader.read(engine.state)
        for game, seat in enumerate(engine.seats):
            row = inputs.numbers[game, start:]
            players = [(seat + offset) % num_players for offset in range(num_players)]
            for place, player in enumerate(players):
                wanted = own[game, player].copy()
                wanted[SECRET] *= player == seat
                np.testing.assert_array_equal(row[place * NUM_OWN :][:NUM_OWN], wanted)
            np.testing.assert_array_equal(row[-NUM_SHARED:], shared[game])


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_secrets_are_what_the_others_objectives_are_worth(num_players: int) -> None:
    config = GameConfig(num_players)
    reader, positions_reader = GonzagaReader(config), FeatureReader(config.tables, config.rules)
    for engine in positions(config, 2, ROUNDS):
        inputs, (own, _) = read(reader, engine), positions_reader.read(engine.state)
        for game, seat in enumerate(engine.seats):
            others = [(seat + offset) % num_players for offset in range(1, num_players)]
            wanted = np.concatenate([own[game, other, SECRET] for other in others])
            np.testing.assert_array_equal(inputs.secrets[game], wanted)


def some_inputs(num_players: int, num_steps: int, num_games: int = 6) -> GonzagaInputs:
    engine = played(Engine(num_games, num_players, seed=4), num_steps)
    reader, games = GonzagaReader(engine.config), np.arange(num_games)
    legal = engine.legal_actions()
    return reader.read(engine.state, engine.observe(), games, engine.seats, *legal)


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("in_place_phase", [False, True])
def test_shape_and_dtype_of_every_field(num_players: int, in_place_phase: bool) -> None:
    inputs = some_inputs(num_players, 4 * num_players + num_players * in_place_phase + 1)
    sizes = GonzagaReader(GameConfig(num_players)).sizes
    assert sizes.numbers > num_players * NUM_OWN + NUM_SHARED
    assert (sizes.sites, sizes.secrets) == (48, (num_players - 1) * 4)
    assert {name: (a.shape, a.dtype) for name, a in inputs.arrays().items()} == {
        "numbers": ((6, sizes.numbers), np.float32),
        "sites": ((6, 48, len(SITE_FEATURES)), np.float32),
        "choices": ((6, NUM_CHOICES, len(CHOICE_FEATURES)), np.float32),
        "spots": ((6, NUM_CHOICES, 4), np.uint8),
        "actions": ((6, NUM_CHOICES), np.int16),
        "secrets": ((6, sizes.secrets), np.float32),
    }
    assert len(inputs) == 6
    for name, array in inputs.arrays().items():
        assert np.isfinite(array).all(), name
        assert array.any() or name == "secrets", name


def test_take_returns_rows_and_concatenate_joins_them() -> None:
    whole = some_inputs(3, 9)
    picked = whole.take(np.array([4, 1, 1]))
    parts = GonzagaInputs.concatenate([whole.take(slice(0, 2)), whole.take(slice(2, 3)), picked])
    assert (len(picked), len(parts)) == (3, 6)
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(getattr(picked, name), array[[4, 1, 1]])
        np.testing.assert_array_equal(getattr(parts, name), array[[0, 1, 2, 4, 1, 1]])
        assert getattr(parts, name).dtype == array.dtype


@pytest.mark.parametrize("num_players", CONFIGS)
def test_inputs_are_the_recorded_ones(num_players: int) -> None:
    found = read_inputs(num_players).arrays()
    with np.load(FILE) as kept:
        assert {name.partition("/")[2] for name in kept.files} == found.keys()
        for name, array in found.items():
            expected = kept[f"{num_players}/{name}"]
            assert array.dtype == expected.dtype, name
            # Matrix products add up in an order that differs between processors.
            np.testing.assert_allclose(array, expected, rtol=1e-5, atol=1e-6, err_msg=name)
