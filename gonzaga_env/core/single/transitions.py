"""What an action changes in one game: what `core.batch.transitions` is for batches.

Callers check legality first; nothing here checks it again.
"""

from __future__ import annotations

from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.constants import (
    DONATION_POINTS,
    GROUP_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_RINGS,
    NUM_SEAS,
    OBJECTIVE_POINTS,
)
from gonzaga_env.core.options import Rules
from gonzaga_env.core.single.position import Position
from gonzaga_env.core.single.tables import PLANS
from gonzaga_env.core.state.state import PLACE, PLAN, SOURCES
from gonzaga_env.core.state.turns import NO_SEAT

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
    """Applies a placement, wedding or donation (R3.6); closes the round if it is over.

    Returns:
        The hexes taken by a fief or by rings; none for a donation.
    """
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
