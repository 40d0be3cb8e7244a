"""Legal actions of one position, their effects, and positions from states and back.

`core.batch.transitions` does the same for batches, and explains what is blocked eagerly and what
lazily. One game can afford to store the conflicts of own rings (`Position.ring_fiefs`), so here all
of it is eager. Callers check legality first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.board.bits import WORD, Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.constants import (
    ALLIANCE,
    DONATION_POINTS,
    GROUP_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_RINGS,
    NUM_SEAS,
    OBJECTIVE_POINTS,
)
from gonzaga_env.core.single.position import PLANS, Position, game_tables_for
from gonzaga_env.core.state import (
    NO_SEAT,
    PLACE,
    PLAN,
    SOURCES,
    Deal,
    State,
    acting_seats,
    write_blocked,
)

_CITIES, _HARBORS, _LEAGUES, _DONATIONS, _GROUP, _OBJECTIVE = range(len(SOURCES))

Cells = tuple[int, ...]


def apply_plan(position: Position, plan: int) -> None:
    """Seals the plan of the seat to act (R3.2); reveals all once everybody has planned."""
    position.points = 0
    position.plan[position.seat] = plan
    position.num_acted += 1
    if position.num_acted == position.num_players:
        _reveal(position)
    else:
        position.seat = position.num_acted


def _reveal(position: Position) -> None:
    """Pays for privileges, returns the previous round's cards and fixes the turn order."""
    keys = []
    for seat, plan in enumerate(position.plan):
        _, card, privilege = PLANS[plan]
        position.ring_stock[seat] -= privilege  # R3.4
        # Fief before seat: tens and units of the fief card (R1.7).
        keys.append((1 - privilege, card, position.fief[seat], seat))
    for place, (*_, seat) in enumerate(sorted(keys)):  # R3.5
        position.order[place] = seat
    position.previous_plan = bytearray([NO_PLAN]) * position.num_players  # R3.3
    position.phase, position.num_acted, position.seat = PLACE, 0, position.order[0]


def apply_placement(position: Position, rules: Rules, action: int) -> Cells:
    """Applies a placement, wedding or donation (R3.6), and returns the hexes that it takes."""
    tables, seat = position.tables, position.seat
    before, spatial = position.totals[seat], action - NUM_PLANS
    cells: Cells = ()
    if action < tables.ring_start:
        fief = position.fief[seat]
        cells = tables.cells[fief * tables.per_fief + spatial]
        place_fief(position, seat, fief, cells)
    elif action < tables.donate:
        cells = tables.cells[(NUM_FIEFS - 1) * tables.per_fief + spatial]
        for cell in cells:
            place_ring(position, seat, cell)
    else:
        _gain(position, seat, _DONATIONS, DONATION_POINTS)  # R3.7
    _score_sites(position, rules, seat, cells)
    position.points = position.totals[seat] - before
    position.num_acted += 1
    if position.num_acted == position.num_players:
        _end_round(position, rules)
    else:
        position.seat = position.order[position.num_acted]
    return cells


def place_fief(position: Position, seat: int, fief: int, cells: Cells) -> None:
    """Puts a fief on the map for good (R4.6) and blocks what would overlap it."""
    conflicts, ring_conflicts = position.tables.conflicts, position.tables.ring_conflicts
    blocked, ring_blocked = position.blocked, position.ring_blocked[seat]
    hexes = 0
    for cell in cells:
        hexes |= 1 << cell
        blocked |= conflicts[cell]
        ring_blocked |= ring_conflicts[cell]
    position.blocked = blocked  # R4.3: no later fief may overlap it
    position.ring_blocked[seat] = ring_blocked  # R5.4: no own ring either
    position.fiefs[seat] |= hexes
    position.pieces[seat] += ((fief, cells),)
    _cover(position, hexes)
    _connect(position, seat, cells, hexes)


def place_ring(position: Position, seat: int, cell: int) -> None:
    """Takes a ring out of the stock for good and puts it on the map (R5.1, R5.6)."""
    tables, hexes = position.tables, 1 << cell
    position.ring_cells[(seat + 1) * NUM_RINGS - position.ring_stock[seat]] = cell
    position.ring_stock[seat] -= 1
    position.rings[seat] |= hexes
    position.ring_fiefs[seat] |= tables.conflicts[cell]  # R4.3: no own fief may overlap it
    taken = tables.ring_conflicts[cell]  # R5.4: nobody else's ring may either
    position.ring_blocked = [blocked | taken for blocked in position.ring_blocked]
    _cover(position, hexes)
    _connect(position, seat, (cell,), hexes)  # R5.3: each ring is a piece


def _cover(position: Position, hexes: int) -> None:
    """Counts the sites that nobody covers (R5.3, R7.1)."""
    position.covered |= hexes
    sites = position.tables.flourishing_sites[position.scenario]
    position.open_sites = (sites & ~position.covered).bit_count()


def _connect(position: Position, seat: int, cells: Cells, hexes: int) -> None:
    """Joins a new piece with the groups that it touches, across barriers too (R8.1)."""
    pieces: tuple[Cells, ...] = (cells,)
    around, apart = 0, []
    for cell in cells:
        around |= position.tables.around[cell]
    for group in position.groups[seat]:
        if group[0] & hexes:
            around |= group[0]
            pieces += group[1]
        else:
            apart.append(group)
    position.groups[seat] = (*apart, (around, pieces))
    position.largest_group[seat] = max(position.largest_group[seat], len(pieces))


def _score_sites(position: Position, rules: Rules, seat: int, cells: Cells) -> None:
    """Scores cities, harbors and sea leagues (R6)."""
    tables, value = position.tables, position.tables.value[position.scenario]
    for cell in cells:
        if not value[cell]:
            continue
        if tables.is_city[cell]:
            _gain(position, seat, _CITIES, value[cell])  # R6.1
        else:
            _gain(position, seat, _HARBORS, value[cell])  # R6.1
            _add_harbor(position, rules, seat, tables.harbor_sea[cell])


def _add_harbor(position: Position, rules: Rules, seat: int, sea: int) -> None:
    """Counts a harbor, which may found a sea league (R6.2)."""
    own = seat * NUM_SEAS + sea
    position.sea_harbors[own] += 1
    if rules.sea_league == "first_only":  # R6.3
        founded = any(position.leagues[sea::NUM_SEAS])
    else:
        founded = bool(position.leagues[own])
    if position.sea_harbors[own] >= LEAGUE_HARBORS and not founded:
        position.leagues[own] = 1
        _gain(position, seat, _LEAGUES, LEAGUE_POINTS)


def _gain(position: Position, seat: int, source: int, points: int) -> None:
    position.scores[seat, source] += points
    position.totals[seat] += points


def _end_round(position: Position, rules: Rules) -> None:
    """Ends the round (R3.3), and the game after its last one (R7)."""
    position.previous_plan = position.plan  # R3.3
    position.plan = bytearray([NO_PLAN]) * position.num_players
    position.phase, position.num_acted, position.seat = PLAN, 0, 0
    if position.last_round:
        position.finished, position.seat = True, NO_SEAT
        _score_end(position)
        return
    checked = position.round >= rules.first_check_round  # R7.3
    size = position.tables.size
    few = position.open_sites <= size.open_sites_at_end  # R7.1
    position.round += 1
    position.last_round = (checked and few) or position.round == size.rounds  # R7.2
    for seat, deck in enumerate(position.decks):
        position.fief[seat] = deck[position.round - 1]  # R3.1


def _score_end(position: Position) -> None:
    """Scores groups and objectives (R8.1, R8.2)."""
    most = max(position.largest_group)
    for seat in range(position.num_players):
        if position.largest_group[seat] == most:
            _gain(position, seat, _GROUP, GROUP_POINTS)
        cities = position.tables.objective_cities[position.objectives[seat]]
        held = (position.fiefs[seat] | position.rings[seat]) & cities
        _gain(position, seat, _OBJECTIVE, OBJECTIVE_POINTS[held.bit_count()])
    share_victory(position)


def winners(position: Position) -> list[bool]:
    """Returns who would win if the game ended now, [P] (R8.3)."""
    sites = position.tables.sites
    held = [(f | r) & sites for f, r in zip(position.fiefs, position.rings, strict=True)]
    keys = [(total, h.bit_count()) for total, h in zip(position.totals, held, strict=True)]
    return [key == max(keys) for key in keys]


def share_victory(position: Position) -> None:
    """Writes every player's share of the victory (R8.3)."""
    won = winners(position)
    position.win_shares = [winner / sum(won) for winner in won]


def legal_actions(position: Position) -> int:
    """Returns the legal actions of the seat to act as a set; empty where the game is over."""
    if position.finished:
        return 0
    seat, tables, scenario = position.seat, position.tables, position.scenario
    if position.phase == PLAN:  # R2.1, R3.3, R3.4
        previous = min(position.previous_plan[seat], NUM_PLANS)
        return tables.plan_bits[scenario][previous][position.ring_stock[seat] > 0]
    region, card, _ = PLANS[position.plan[seat]]
    fief = position.fief[seat]
    # R4.1, R4.2; the tables leave out what R4.4 and R4.5 forbid.
    legal = tables.fief_bits[scenario][region][card][fief]
    blocked = position.blocked | position.ring_fiefs[seat]  # R4.3, R5.5
    legal ^= legal & blocked >> fief * tables.per_fief
    legal |= 1 << tables.donate  # R3.7
    if card != ALLIANCE:  # R5.1
        return legal
    weddings = tables.ring_bits[scenario][region][card][min(position.ring_stock[seat], 2)]  # R5.2
    weddings ^= weddings & position.ring_blocked[seat]  # R5.4
    return legal | weddings


def to_state(tables: Tables, position: Position, state: State) -> State:
    """Writes a position into an empty state of one game, and returns it; inverse: `from_state`."""
    p = position.num_players
    for name in ("seed", "episode", "scenario", "round", "phase", "num_acted"):
        getattr(state, name)[0] = getattr(position, name)
    state.last_round[0], state.finished[0] = position.last_round, position.finished
    state.objective[0] = position.objectives
    state.deck[0] = [list(deck) for deck in position.decks]
    for name in ("plan", "previous_plan", "order", "ring_stock", "largest_group"):
        getattr(state, name)[0] = np.frombuffer(getattr(position, name), np.uint8)
    state.fiefs[0] = _words(position.fiefs, state.fiefs.shape[2])
    state.rings[0] = _words(position.rings, state.rings.shape[2])
    state.sea_harbors[0] = np.frombuffer(position.sea_harbors, np.uint8).reshape(p, NUM_SEAS)
    state.leagues[0] = np.frombuffer(position.leagues, np.bool_).reshape(p, NUM_SEAS)
    state.scores[0] = position.scores
    state.ring_cells[0] = np.reshape(position.ring_cells, (p, NUM_RINGS))
    fiefs, rings = (bits.unpack(held, tables.num_hexes) > 0 for held in (state.fiefs, state.rings))
    write_blocked(tables, state, fiefs, rings)
    _write_pieces(position, state)
    return state


def _write_pieces(position: Position, state: State) -> None:
    """Writes the number of the piece on each hex, and the groups (see `State`)."""
    for seat in range(position.num_players):
        piece = state.piece[0, seat]
        for fief, cells in position.pieces[seat]:
            piece[list(cells)] = fief + 1
        for slot, cell in enumerate(state.ring_cells[0, seat].tolist()):
            if cell < len(piece) - 1:
                piece[cell] = NUM_FIEFS + slot + 1
        for _, pieces in position.groups[seat]:
            members = [int(piece[cells[0]]) - 1 for cells in pieces]
            state.group[0, seat, members] = sum(1 << member for member in members)


def _words(sets: list[int], num_words: int) -> Words:
    content = b"".join(held.to_bytes(num_words * 8, "little") for held in sets)
    return np.frombuffer(content, WORD).reshape(len(sets), num_words)


def from_state(tables: Tables, state: State) -> Position:
    deal = Deal(state.scenario, state.deck, state.objective)
    position = Position(
        game_tables_for(tables), deal, seed=int(state.seed[0]), episode=int(state.episode[0])
    )
    _place_pieces(position, state.piece[0], state.ring_cells[0])
    for name in ("round", "phase", "num_acted"):
        setattr(position, name, int(getattr(state, name)[0]))
    position.last_round = bool(state.last_round[0])
    position.finished = bool(state.finished[0])
    position.seat = int(acting_seats(state)[0])
    position.fief = bytearray(deck[position.round - 1] for deck in position.decks)
    for name in ("plan", "previous_plan", "order", "ring_stock", "sea_harbors", "leagues"):
        setattr(position, name, bytearray(getattr(state, name)[0].tobytes()))
    position.scores = state.scores[0].copy()
    position.totals = state.totals[0].tolist()
    if position.finished:
        share_victory(position)
    return position


def _place_pieces(
    position: Position, piece: NDArray[np.uint8], ring_cells: NDArray[np.uint16]
) -> None:
    """Places every fief and ring of a state [P, H + 1] on the empty map."""
    for seat in range(position.num_players):
        for number in np.unique(piece[seat]).tolist():
            if 0 < number <= NUM_FIEFS:
                cells = tuple(np.flatnonzero(piece[seat] == number).tolist())
                place_fief(position, seat, number - 1, cells)
        for cell in ring_cells[seat].tolist():
            if cell < piece.shape[1] - 1:
                place_ring(position, seat, cell)
    # Slots of rings that paid for King's Privilege stay empty (R3.4).
    position.ring_cells = ring_cells.ravel().tolist()
