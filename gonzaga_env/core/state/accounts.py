"""Whether some past explains a state: its turns, cards, rings and last round add up.

A state keeps little of the past: pieces, points for donations and missing rings, but neither the
plans of earlier rounds nor which wedding or donation came when, and spent fiefs may stand in any
order (`states_from_observations` sorts them). So each finding is a bound on what the rounds before
can have held. Every bound is inductive: legal actions lead from states within it to states within
it.

| account | what agrees |
|---|---|
| turns | one a round: a fief on the map, a wedding or a donation (R3.6) |
| cards | no card is played in two rounds in a row (R3.3), so in every second one at most |
| rings | each is in stock, on the map or was paid for King's Privilege (R3.4, R5.6) |
| last round | the one after a check that found few open sites, or the twelfth (R7) |
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.state import PLACE, SOURCES, State, current_fiefs
from gonzaga_env.tabletop.rows import merge_seats

#: A field, what it takes, and which games differ from that, [N, ...] bool.
Finding = tuple[str, str, NDArray[np.bool_]]

_DONATIONS = SOURCES.index("donations")
_REGIONS = slice(0, c.NUM_REGION_CARDS)  # among the cards of `CARDS`; actions and Privilege follow
_ALLIANCE, _PRIVILEGE = c.NUM_REGION_CARDS + c.ALLIANCE, CARDS.shape[1] - 1


def find_in_accounts(tables: Tables, rules: Rules, state: State) -> Iterator[Finding]:
    """Yields contradictions that no history explains, in states whose single fields are valid."""
    accounts = _Accounts(tables, state)
    yield from _turns(accounts)
    yield from _cards(accounts)
    yield from _last_round(rules, accounts)


class _Accounts:
    """The past actions of the seats of N games, as far as the state shows them."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables, self.state = tables, state
        #: Whether this round's plans are revealed, [N].
        self.revealed = (state.phase == PLACE) | state.finished
        #: Rounds whose plans are revealed, [N].
        self.reveals = state.round - np.int64(1) + self.revealed
        places = state.order.argsort(axis=1)
        acted = state.finished[:, None] | (places < state.num_acted[:, None])
        #: Which seats have taken their turn of this round, [N, P].
        self.acted = acted & self.revealed[:, None]
        #: Turns that each seat has taken, [N, P].
        self.turns = state.round[:, None] - np.int64(1) + self.acted
        plans = np.where((state.phase == PLACE)[:, None], state.plan, state.previous_plan)
        #: Cards of the last plan revealed, [N, P, 11] (`CARDS`).
        self.last_cards = CARDS[plans]
        #: Cards that allow each fief where it lies, [N, P, 12, 10]; none for one not on the map.
        self.fief_cards = _fief_cards(tables, state)
        #: Fiefs on the map, [N, P, 12].
        self.on_map = self.fief_cards.any(axis=3)
        #: Cards that allow this round's fief where it lies, [N, P, 10].
        current = current_fiefs(state)[:, :, None, None]
        self.current_cards = np.take_along_axis(self.fief_cards, current, axis=2)[:, :, 0]
        #: Which seats have taken this round's turn without placing their fief, [N, P].
        self.without_fief = self.acted & ~self.current_cards.any(axis=2)
        #: Which of them had to donate, as their plan allows no wedding, [N, P] (R5.1).
        self.donors = self.without_fief & (self.last_cards[..., _ALLIANCE] == 0)
        #: Rings on the map, [N, P].
        self.rings = (state.ring_cells < tables.num_hexes).sum(axis=2)
        self.donations = state.scores[..., _DONATIONS].astype(np.int64) // c.DONATION_POINTS
        #: Weddings, [N, P]: what is left of the turns.
        self.weddings = self.turns - self.on_map.sum(axis=2) - self.donations


def _fief_cards(tables: Tables, state: State) -> NDArray[np.bool_]:
    """Returns the cards that allow each fief where it lies, [N, P, 12, 10] (R4.1, R4.2)."""
    seat_row, cell = bits.members(merge_seats(state.fiefs))
    fief = seat_row * c.NUM_FIEFS + merge_seats(state.piece)[seat_row, cell] - 1
    on_map, city, harbor = np.zeros((3, state.deck.size), np.bool_)
    on_map[fief] = True
    city[fief[tables.city_mask[cell]]] = True
    harbor[fief[tables.harbor_sea[cell] < c.NUM_SEAS]] = True
    cards = np.zeros((len(on_map), _PRIVILEGE), dtype=np.bool_)
    region = tables.region[cell]
    land = (region < c.NUM_REGIONS).nonzero()[0]
    scenario = state.scenario[seat_row[land] // state.num_players]
    flourishes = tables.flourishing[scenario, region[land]]
    cards[fief[land], np.where(flourishes, region[land], c.INACTIVE_CARD)] = True
    actions = (harbor & ~city, on_map & ~harbor, harbor & city)  # A, B, C
    cards[:, c.NUM_REGION_CARDS :] = np.stack(actions, axis=1)
    return cards.reshape(*state.deck.shape, _PRIVILEGE)


def _turns(accounts: _Accounts) -> Iterator[Finding]:
    """Yields faults of what turns left behind (R3.6)."""
    spent = accounts.state.deck.argsort(axis=2) < accounts.turns[..., None]
    yield "piece", "takes fiefs that are spent (R3.1)", accounts.on_map & ~spent
    rings, weddings = accounts.rings, accounts.weddings
    uneven = (weddings > rings) | (2 * weddings < rings)
    yield "round", "counts one fief, wedding or donation a turn (R3.6)", uneven
    yield "ring_cells", "takes rings where weddings can place them (R5.2)", ~_can_be_wed(accounts)
    placed = accounts.current_cards.any(axis=2)
    planned = accounts.last_cards[..., :_PRIVILEGE] == 1
    astray = placed & (planned & ~accounts.current_cards).any(axis=2)
    yield "piece", "takes this round's fief where its plan allows it (R4.1, R4.2)", astray
    missing = accounts.donors & (accounts.donations == 0)
    yield "scores", "takes a donation where the plan allows no wedding (R3.7, R5.1)", missing


_FIRST, _SECOND = np.triu_indices(c.NUM_RINGS, 1)  # slots of the 15 pairs of rings
_PAIR_BITS = np.uint16(1) << np.arange(len(_FIRST), dtype=np.uint16)
_SLOT_BITS = np.uint16(1) << np.arange(c.NUM_RINGS, dtype=np.uint16)


def _matchings() -> Iterator[tuple[int, int, int]]:
    """Yields sets of pairs without a common slot: set and slots as bits, and the size."""
    for size in range(c.NUM_RINGS // 2 + 1):
        for pairs in combinations(range(len(_FIRST)), size):
            slots = {*_FIRST[[*pairs]].tolist(), *_SECOND[[*pairs]].tolist()}
            if len(slots) == 2 * size:
                yield sum(1 << pair for pair in pairs), sum(1 << slot for slot in slots), size


_MATCHED_PAIRS, _MATCHED_SLOTS, _NUM_MATCHED = np.array([*_matchings()], np.uint16).T  # 76


def _can_be_wed(accounts: _Accounts) -> NDArray[np.bool_]:
    """Returns whose rings can come from as many weddings as there were, [N, P] (R5.1, R5.2).

    A wedding of two rings takes adjacent hexes, one of them at least on land; a single ring lies
    on land. Of the 76 ways to pair six rings, one has to fit.
    """
    tables, fits = accounts.tables, np.ones(accounts.rings.shape, dtype=np.bool_)
    some = accounts.rings > 0
    cells = accounts.state.ring_cells[some]  # [M, 6]
    lies, on_land = cells < tables.num_hexes, tables.region[cells] < c.NUM_REGIONS
    axial = tables.edition.grid.axial.take(cells, axis=0, mode="clip")
    q, r = np.moveaxis(axial[:, _FIRST] - axial[:, _SECOND], 2, 0)
    adjacent = (abs(q) <= 1) & (abs(r) <= 1) & (abs(q + r) <= 1)
    adjacent &= lies[:, _FIRST] & lies[:, _SECOND] & (on_land[:, _FIRST] | on_land[:, _SECOND])
    apart = ~(adjacent @ _PAIR_BITS)[:, None] & _MATCHED_PAIRS
    adrift = ((lies & ~on_land) @ _SLOT_BITS)[:, None] & ~_MATCHED_SLOTS
    wanted = (accounts.rings - accounts.weddings)[some, None]
    fits[some] = (((apart | adrift) == 0) & (wanted == _NUM_MATCHED)).any(axis=1)
    return fits


def _cards(accounts: _Accounts) -> Iterator[Finding]:
    """Yields cards that would have been played in two rounds in a row (R3.3).

    Of R rounds, a card was played in at most R / 2, rounded up if it was played in the last.
    """
    most = (accounts.reveals[:, None, None] + accounts.last_cards) // 2
    cards = accounts.fief_cards
    needed = cards & (cards[..., _REGIONS].sum(axis=3, keepdims=True) == 1)
    needed[..., c.NUM_REGION_CARDS :] = cards[..., c.NUM_REGION_CARDS :]
    played = needed.sum(axis=2)
    played[..., _ALLIANCE] += accounts.weddings
    waiting = accounts.revealed[:, None] & ~accounts.acted
    played += accounts.last_cards[..., :_PRIVILEGE] * waiting[..., None]
    locked = played > most[..., :_PRIVILEGE]
    yield "piece", "takes no card in two rounds in a row (R3.3)", locked
    paid = accounts.tables.edition.size.rings - accounts.state.ring_stock - accounts.rings
    privilege = accounts.last_cards[..., _PRIVILEGE]
    yield "ring_stock", "lacks a ring for King's Privilege (R3.4)", paid < privilege
    often = paid > most[..., _PRIVILEGE]
    yield "ring_stock", "lacks no more rings than King's Privileges can cost (R3.3, R3.4)", often


def _last_round(rules: Rules, accounts: _Accounts) -> Iterator[Finding]:
    """Yields rounds that are, or are not, the last against the check before them (R7.1 to R7.3).

    What this round has placed was not there at the check: a fief is known by its number, while a
    ring of a seat that may have wed in this round may be older or not.
    """
    state, tables = accounts.state, accounts.tables
    value = tables.site_value[state.scenario, :-1]
    game, cell = (value == c.FLOURISHING_POINTS).nonzero()
    piece = state.piece[game, :, cell]  # [sites, P]
    there = (piece > 0) & (piece != current_fiefs(state)[game] + 1)
    may_be_new = (accounts.without_fief & ~accounts.donors)[game] & (piece > c.NUM_FIEFS)
    most, least = (
        np.bincount(game[~covers.any(axis=1)], minlength=state.num_games)
        for covers in (there & ~may_be_new, there)
    )
    size = tables.edition.size
    checked, final = state.round > rules.first_check_round, state.round == size.rounds
    can_be = final | (checked & (least <= size.open_sites_at_end))
    has_to_be = final | (checked & (most <= size.open_sites_at_end))
    wrong = np.where(state.last_round, ~can_be, has_to_be)
    yield "last_round", "follows the count of open sites, or is round 12 (R7.1, R7.2)", wrong
