"""The engine against the naive oracle, over thousands of random games (R2 to R8)."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import Rules
from gonzaga_env.core.state import PLACE, SOURCES, current_fiefs, open_sites, winners
from tests.marks import some_nightly
from tests.oracle import OracleEdition, OracleGame

BATCH = 21
# 2 to 4 players x 2 leagues x 2 first checks x 9 batches of 21 games: 2,268 games.
CASES = list(product((2, 3, 4), ("each_player", "first_only"), (6, 1), range(9)))
OFTEN = [(2, "each_player", 6, 0), (3, "first_only", 6, 0), (3, "each_player", 1, 0)]
OFTEN += [(4, "first_only", 1, 0), (4, "each_player", 6, 0)]


def play_beside_oracle(engine: Engine, oracle_edition: OracleEdition, seed: int) -> set[str]:
    """Plays the engine's games to the end along with oracles; returns the scenarios seen."""
    rng = np.random.default_rng(seed)
    oracles = [oracle_of(engine, oracle_edition, game) for game in range(engine.num_games)]
    while not engine.state.finished.all():
        _compare(engine, oracles)
        actions, texts = _choose(engine, rng)
        result = engine.step(actions)
        for game, text in texts.items():
            assert oracles[game].play(text) == result.points[game], (game, text)
    for game, oracle in enumerate(oracles):
        _compare_end(engine, oracle, game)
    return {engine.tables.edition.scenarios[i].name for i in engine.state.scenario}


def oracle_of(engine: Engine, edition: OracleEdition, game: int) -> OracleGame:
    """Returns an oracle with the deal of one of an engine's games."""
    state, printed = engine.state, engine.tables.edition
    return OracleGame(
        edition,
        scenario=printed.scenarios[state.scenario[game]].name,
        num_players=engine.num_players,
        decks=(state.deck[game] + 1).tolist(),
        objectives=[
            list(printed.objectives[i]) for i in state.objective[game] if printed.objectives
        ],
        sea_league=engine.rules.sea_league,
        first_check_round=engine.rules.first_check_round,
    )


def _texts(engine: Engine, game: int, actions: np.ndarray) -> list[str]:
    seat = engine.seats[game]
    fief = int(current_fiefs(engine.state)[game, seat]) + 1
    return [engine.actions.to_text(int(action), fief) for action in actions]


def _compare(engine: Engine, oracles: list[OracleGame]) -> None:
    seats, mask, state = engine.seats, engine.legal_action_mask(), engine.state
    num_open = open_sites(engine.tables, state)
    for game, oracle in enumerate(oracles):
        assert oracle.finished == state.finished[game]
        if oracle.finished:
            assert not mask[game].any()
            continue
        where = f"game {game}, round {oracle.round}, {oracle.phase}, seat {oracle.seat}"
        assert oracle.seat == seats[game], where
        assert (oracle.round, oracle.last_round) == (state.round[game], state.last_round[game])
        assert oracle.open_sites() == num_open[game], where
        assert oracle.rings == state.ring_stock[game].tolist(), where
        legal = set(_texts(engine, game, np.flatnonzero(mask[game])))
        assert legal == oracle.legal_actions(), where
        largest = [oracle.largest_group(seat) for seat in range(engine.num_players)]
        assert largest == state.largest_group[game].tolist(), where


def _choose(engine: Engine, rng: np.random.Generator) -> tuple[np.ndarray, dict[int, str]]:
    """Returns legal actions and their texts, chosen so that all kinds of games occur.

    Odd games take what covers most, and so fill the map and end early (R7.1); even ones play at
    random. Donations are chosen seldom where anything else is legal.
    """
    mask = engine.legal_action_mask()
    mask[mask.sum(axis=1) > 1, -1] &= rng.random() < 0.05
    actions = np.zeros(engine.num_games, dtype=np.int64)
    texts = {}
    for game in np.flatnonzero(~engine.state.finished):
        legal = np.flatnonzero(mask[game])
        if game % 2 and engine.state.phase[game] == PLACE:
            worth = _sites(engine, game, legal)
            legal = legal[worth == worth.max()]
        actions[game] = rng.choice(legal)
        texts[int(game)] = _texts(engine, game, actions[game : game + 1])[0]
    return actions, texts


def _sites(engine: Engine, game: int, legal: np.ndarray) -> np.ndarray:
    """Returns the points for cities and harbors of each action."""
    tables, seat = engine.tables, engine.seats[game]
    fief = current_fiefs(engine.state)[game, seat]
    rows = tables.placements.row(np.full(len(legal), fief), legal - NUM_PLANS)
    return tables.points[engine.state.scenario[game], rows].sum(axis=1)


def _compare_end(engine: Engine, oracle: OracleGame, game: int) -> None:
    state = engine.state
    for seat, scores in enumerate(oracle.scores()):
        ours = dict(zip(SOURCES, state.scores[game, seat].tolist(), strict=True))
        assert ours | {"total": int(state.totals[game, seat])} == scores
    won = winners(engine.tables, state)[game]
    assert np.flatnonzero(won).tolist() == oracle.winners()


@pytest.fixture(scope="module")
def oracle_edition() -> OracleEdition:
    folder = Path(__file__).parent.parent / "gonzaga_env" / "data" / "editions" / "europe"
    return OracleEdition(folder)


@pytest.fixture(scope="module")
def seen() -> Iterator[Counter[str]]:
    """Counts what happened in all games; checked after the last one."""
    counter: Counter[str] = Counter()
    yield counter
    if counter["games"] > 2000:  # those of the night, in one process
        assert counter["ended early"] > 100
        assert len(counter) == 2 + 16  # every scenario


@pytest.mark.parametrize(
    ("num_players", "sea_league", "first_check_round", "batch"),
    some_nightly(CASES, often=lambda case: case in OFTEN),
)
def test_the_engine_plays_like_the_oracle(
    oracle_edition: OracleEdition,
    seen: Counter[str],
    num_players: int,
    sea_league: str,
    first_check_round: int,
    batch: int,
) -> None:
    rules = Rules(sea_league=sea_league, first_check_round=first_check_round)
    seed = CASES.index((num_players, sea_league, first_check_round, batch)) * BATCH
    engine = Engine(BATCH, num_players, rules=rules, seed=seed, autoreset=False)
    seen.update(play_beside_oracle(engine, oracle_edition, seed))
    seen["games"] += BATCH
    seen["ended early"] += int((engine.state.round < 12).sum())
