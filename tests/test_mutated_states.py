"""F3: states that pass the check stay within it, and both engines play them alike to the end.

Mutants of states that games reach are checked; those that pass are played on both engines side by
side, and every state on the way is checked as well. `GONZAGA_FUZZ=20000 python -m pytest -s
tests/test_mutated_states.py` makes as many mutants instead of some hundreds, other ones each time,
and prints how many of each kind passed.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from gonzaga_env.core import (
    Engine,
    GameConfig,
    Rules,
    State,
    StateError,
    load_edition,
    states_from_observations,
)
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.state.check import check_state
from gonzaga_env.core.state.derive import write_derived
from gonzaga_env.core.state.scoring import score_end
from gonzaga_env.core.state.state import PLACE, PLAN, SOURCES
from gonzaga_env.core.state.turns import legal_plans
from tests.beside import Beside
from tests.core.histories import donate, turn_order

Random = np.random.Generator
Mutation = Callable[[Tables, State, Random], None]

_DONATIONS = SOURCES.index("donations")
_EUROPE = load_edition("europe")
#: Two regions flourish, so that their sites are soon covered and games end early (R7.1).
_SMALL = replace(
    _EUROPE,
    name="Small Europe",
    scenarios=tuple(replace(s, flourishing=s.flourishing[:2]) for s in _EUROPE.scenarios),
)
CONFIGS = [
    GameConfig(2),
    GameConfig(3, rules=Rules("first_only")),
    GameConfig(4, rules=Rules("each_player", 1)),
    GameConfig(2, edition=_SMALL, rules=Rules("first_only", 1)),
    GameConfig(3, edition=_SMALL, rules=Rules("each_player", 3)),
    GameConfig(4, edition=_SMALL),
]
_FUZZ = "GONZAGA_FUZZ" in os.environ
_MUTANTS = int(os.environ.get("GONZAGA_FUZZ", "240")) // len(CONFIGS)


def eager(engine: Engine, rng: Random) -> np.ndarray:
    """Returns random actions, most of them weddings and placements on sites where there are any."""
    actions = engine.sample_legal(rng)
    rows, legal = engine.legal_actions()
    fiefs = engine.state.deck[np.arange(engine.num_games), :, engine.state.round - 1]
    for row in np.unique(rows):
        own = legal[(rows == row) & (legal >= NUM_PLANS) & (legal < engine.actions.donate)]
        if not len(own) or rng.random() < 0.2:
            continue
        fief = fiefs[row, engine.seats[row]].astype(np.int64)
        placements = engine.tables.placements.row(fief, own - NUM_PLANS)
        points = engine.tables.points[engine.state.scenario[row], placements].sum(axis=1)
        actions[row] = rng.choice(own[points == points.max()])
    return actions


def moments(config: GameConfig, rng: Random) -> Iterator[State]:
    """Yields states before each step of some games, and such as agents draw from them."""
    engine = Engine.from_config(config, 4, seed=int(rng.integers(2**32)), autoreset=False)
    while not engine.state.finished.all():
        engine.step(eager(engine, rng))
        yield engine.state.copy()
        seats = rng.integers(engine.num_players, size=engine.num_games)
        if rng.random() < 0.1:
            yield engine.resample(seats, rng)
        live = np.flatnonzero(~engine.state.finished)
        if len(live) and rng.random() < 0.1:
            yield states_from_observations(config, engine.observe(seats)[live], rng)


def any_seat(state: State, rng: Random) -> int:
    return int(rng.integers(state.num_players))


def change_a_value(tables: Tables, state: State, rng: Random) -> None:
    name = rng.choice([*state.arrays()])
    values = getattr(state, name)
    at = tuple(rng.integers(size) for size in values.shape)
    if values.dtype == np.bool_:
        values[at] = ~values[at]
    elif rng.random() < 0.5:
        values[at] += rng.choice([-1, 1]).astype(values.dtype)
    else:
        info = np.iinfo(values.dtype)
        values[at] = (0, 1, 5, 12, info.min, info.max)[rng.integers(6)]


def swap_two_values(tables: Tables, state: State, rng: Random) -> None:
    names = [name for name, values in state.arrays().items() if values.ndim > 1]
    values = getattr(state, rng.choice(names))
    axis = int(rng.integers(1, values.ndim))
    i, j = rng.integers(values.shape[axis], size=2)
    lines = values.swapaxes(0, axis)
    lines[[i, j]] = lines[[j, i]]


def change_the_round(tables: Tables, state: State, rng: Random) -> None:
    """By one or two, with as many donations of each seat, or without."""
    by = int(rng.choice([-2, -1, 1, 2]))
    state.round[0] = np.clip(int(state.round[0]) + by, 1, 12)
    if rng.random() < 0.8:
        for seat in range(state.num_players):
            donate(state, seat, by)
    if state.round[0] == 12:
        state.last_round[0] = True
    if state.round[0] == 1:
        state.previous_plan[0] = NO_PLAN
    if state.phase[0] == PLACE and rng.random() < 0.8:
        state.order[0] = turn_order(state)


def permute_a_deck(tables: Tables, state: State, rng: Random) -> None:
    deck = state.deck[0, any_seat(state, rng)]
    start, stop = np.sort(rng.integers(13, size=2))
    deck[start:stop] = rng.permutation(deck[start:stop])
    if state.phase[0] == PLACE and rng.random() < 0.8:
        state.order[0] = turn_order(state)


def change_rings(tables: Tables, state: State, rng: Random) -> None:
    seat = any_seat(state, rng)
    state.ring_stock[0, seat] = (int(state.ring_stock[0, seat]) + rng.choice([-1, 1])) % 7


def turn_privilege(tables: Tables, state: State, rng: Random) -> None:
    """With its ring, or without."""
    seat = any_seat(state, rng)
    plans = state.plan if state.plan[0, seat] != NO_PLAN else state.previous_plan
    if plans[0, seat] == NO_PLAN:
        return
    plans[0, seat] ^= 1
    if rng.random() < 0.7:
        paid = 1 if plans[0, seat] & 1 else -1
        state.ring_stock[0, seat] = (int(state.ring_stock[0, seat]) - paid) % 256
    if state.phase[0] == PLACE and rng.random() < 0.8:
        state.order[0] = turn_order(state)


def change_points(tables: Tables, state: State, rng: Random) -> None:
    points = rng.choice([-32768, -3, 0, 3, 6, 30, 36, 39, 32766, 32767])
    state.scores[0, any_seat(state, rng), _DONATIONS] = points


def turn_the_end(tables: Tables, state: State, rng: Random) -> None:
    name = rng.choice(["last_round", "finished"])
    flags = getattr(state, name)
    flags[0] = ~flags[0]
    if name == "finished":
        state.last_round[0] = True
        if rng.random() < 0.5:
            state.phase[0], state.num_acted[0] = PLAN, 0
        score_end(tables, state, np.flatnonzero(state.finished))


def change_the_order(tables: Tables, state: State, rng: Random) -> None:
    state.order[0] = rng.permutation(state.order[0])


def act_more_or_less(tables: Tables, state: State, rng: Random) -> None:
    """With plans for those who have planned, and a donation of those who have acted."""
    before, after = int(state.num_acted[0]), any_seat(state, rng)
    state.num_acted[0] = after
    for place in range(min(before, after), max(before, after)):
        if state.phase[0] == PLAN:
            legal = np.flatnonzero(legal_of(tables, state, place))
            state.plan[0, place] = rng.choice(legal) if after > before else NO_PLAN
        else:
            donate(state, int(state.order[0, place]), 1 if after > before else -1)


def legal_of(tables: Tables, state: State, seat: int) -> np.ndarray:
    word = legal_plans(tables, state, np.array([0]), np.array([seat]))[0]
    return word >> np.arange(NUM_PLANS, dtype=np.uint64) & np.uint64(1)


def change_a_plan(tables: Tables, state: State, rng: Random) -> None:
    plans = state.plan if rng.random() < 0.5 else state.previous_plan
    plans[0, any_seat(state, rng)] = rng.choice([*range(NUM_PLANS), NO_PLAN])
    if state.phase[0] == PLACE and (state.plan[0] < NUM_PLANS).all():
        state.order[0] = turn_order(state)


def remove_a_fief(tables: Tables, state: State, rng: Random) -> None:
    """As if it had been donated, or leaving its turn empty."""
    piece, seat = state.piece[0], any_seat(state, rng)
    fiefs = np.unique(piece[seat][(piece[seat] > 0) & (piece[seat] <= 12)])
    if len(fiefs):
        piece[seat][piece[seat] == rng.choice(fiefs)] = 0
        donate(state, seat, rng.choice([0, 1, 1, 1]))


def add_a_fief(tables: Tables, state: State, rng: Random) -> None:
    """Anywhere, for a donation or on top of all turns; or moves one that is there."""
    placements, seat = tables.placements, any_seat(state, rng)
    legal = np.flatnonzero(placements.fault[: 72 * tables.num_hexes] == PlacementFault.NONE)
    row = rng.choice(legal)
    cells = placements.cells[row][placements.cells[row] < tables.num_hexes]
    piece, number = state.piece[0], row // (6 * tables.num_hexes) + 1
    fiefs = (piece > 0) & (piece <= 12) & (piece != number)
    if fiefs[:, cells].any() or piece[seat, cells].any():
        return
    if not (piece[seat] == number).any():
        donate(state, seat, -rng.choice([0, 1, 1, 1]))
    piece[seat][piece[seat] == number] = 0
    piece[seat, cells] = number


def move_a_ring(tables: Tables, state: State, rng: Random) -> None:
    """To another hex, or off the map, as if it had paid for King's Privilege."""
    seat = any_seat(state, rng)
    slots = np.flatnonzero(state.ring_cells[0, seat] < tables.num_hexes)
    free = np.flatnonzero((state.piece[0, :, :-1] == 0).all(axis=0))
    if len(slots):
        slot = rng.choice(slots)
        state.piece[0, seat, state.ring_cells[0, seat, slot]] = 0
        state.ring_cells[0, seat, slot] = rng.choice([*free, tables.num_hexes])
        state.piece[0, seat, state.ring_cells[0, seat, slot]] = 13 + slot
        state.piece[0, seat, -1] = 0


def wed_or_donate(tables: Tables, state: State, rng: Random) -> None:
    """Lays a ring that was in stock or paid for King's Privilege, for a donation or not."""
    seat = any_seat(state, rng)
    free = np.flatnonzero((state.piece[0, :, :-1] == 0).all(axis=0))
    slot, cell = int(rng.integers(6)), rng.choice(free)
    if state.ring_cells[0, seat, slot] == tables.num_hexes:
        state.ring_cells[0, seat, slot], state.piece[0, seat, cell] = cell, 13 + slot
        state.ring_stock[0, seat] = min(int(state.ring_stock[0, seat]), 5 - slot)
        donate(state, seat, -rng.choice([0, 1, 1]))


def deal_other_secrets(tables: Tables, state: State, rng: Random) -> None:
    state.objective[0, any_seat(state, rng)] = rng.integers(16)
    state.seed[0], state.episode[0] = rng.integers(2**63), rng.integers(2**32)
    state.scenario[0] = rng.choice([int(state.scenario[0]), rng.integers(16)])


def move_between_seats(tables: Tables, state: State, rng: Random) -> None:
    """Exchanges all that two seats have, but not their place in the turn order."""
    seats = rng.permutation(state.num_players)
    for name in ("objective", "deck", "plan", "previous_plan", "ring_stock"):
        values = getattr(state, name)
        values[:] = values[:, seats]
    for name in ("piece", "ring_cells", "scores", "leagues"):
        values = getattr(state, name)
        values[:] = values[:, seats]
    if state.phase[0] == PLACE:
        state.order[0] = turn_order(state)


#: Changes of fields that follow from no others, after which the rest is left alone.
PLAIN: list[Mutation] = [change_a_value, swap_two_values]
#: Changes after which what follows from them is written again.
CLEVER: list[Mutation] = [
    change_the_round, permute_a_deck, change_rings, turn_privilege, change_points, turn_the_end,
    change_the_order, act_more_or_less, change_a_plan, remove_a_fief, add_a_fief, move_a_ring,
    wed_or_donate, deal_other_secrets, move_between_seats,
]  # fmt: skip


def write_rest(tables: Tables, rules: Rules, state: State) -> None:
    """Writes what follows from the map and the scenario."""
    write_derived(tables, state)
    founded = state.sea_harbors >= 3
    if rules.sea_league == "first_only":
        founded &= founded.cumsum(axis=1) == 1
    state.leagues[:] = founded
    write_derived(tables, state)
    state.scores[..., 4:] = 0
    score_end(tables, state, np.flatnonzero(state.finished))


def mutant(config: GameConfig, state: State, rng: Random) -> tuple[str, State]:
    """Returns a mutant of a state of one game, and what was changed."""
    changed = state.copy()
    if rng.random() < 0.15:
        mutations = [PLAIN[rng.integers(len(PLAIN))]]
    else:
        number = rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1])
        mutations = [CLEVER[i] for i in rng.integers(len(CLEVER), size=number)]
    with np.errstate(over="ignore"):
        for mutation in mutations:
            mutation(config.tables, changed, rng)
    if mutations[0] not in PLAIN and changed.scenario[0] < len(config.edition.scenarios):
        write_rest(config.tables, config.rules, changed)
    return (mutations[0].__name__ if len(mutations) == 1 else "several"), changed


def play_to_the_end(config: GameConfig, states: State, rng: Random) -> None:
    """Plays games on both engines, which are compared; checks each state."""
    both = Beside(Engine.from_state(config, states, autoreset=False))
    for _ in range(2 * 12 * config.num_players + 1):
        check_state(config.tables, config.rules, both.state)
        if both.state.finished.all():
            return
        both.step(eager(both.engine, rng))
    pytest.fail("a game goes on after twelve rounds")


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.summary)
def test_what_passes_plays_to_the_end_alike_on_both_engines(config: GameConfig) -> None:
    seed = int(np.random.SeedSequence().entropy % 2**32) if _FUZZ else 0
    rng = np.random.default_rng(seed)
    made, passed = Counter[str](), Counter[str]()
    while made.total() < _MUTANTS:
        accepted = []
        for states in moments(config, rng):
            state = states.take(rng.integers(states.num_games, size=1))
            kind, changed = mutant(config, state, rng)
            if changed == state or made.total() == _MUTANTS or rng.random() < 0.4:
                continue
            made[kind] += 1
            try:
                check_state(config.tables, config.rules, changed)
            except StateError:
                continue
            passed[kind] += 1
            accepted.append(changed)
        if accepted:
            play_to_the_end(config, State.concatenate(accepted), rng)
    print(f"\n{config.summary}, seed {seed}: {passed.total()} of {made.total()} mutants passed")
    print(*(f"  {kind}: {passed[kind]} of {made[kind]}" for kind in sorted(made)), sep="\n")
    assert 0.1 * made.total() < passed.total() < 0.9 * made.total()
