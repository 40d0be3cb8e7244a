"""Gonzaga in one file: the rules, N games at once, and a network that learns them from nothing.

    python examples/nano_gonzaga.py --players 4 --seconds 60 --seed 0

Read it from top to bottom: the board, the games, what a decision looks like, the network, self-play
with PPO, matches against greedy. R4.2 and the like are rules of docs/rules.md. It takes numpy and
torch only, and reads the shipped edition. `tests/test_nano_gonzaga.py` compares it with the engine.

Shapes: N games, P players, H hexes, M of the games or seats, L choices with F facts each.
"""

import argparse
import time
import tomllib
from collections import namedtuple
from pathlib import Path

import numpy as np
import torch
from torch import nn

# ---- The board: what is printed, and every placement on the empty map ---------------------------

EDITION = Path(__file__).parent.parent / "gonzaga_env" / "data" / "editions" / "europe"
board, fiefs, scenarios, objectives = (
    tomllib.loads((EDITION / f"{name}.toml").read_text("utf-8"))
    for name in ("board", "fiefs", "scenarios", "objectives")
)
# Odd rows of the map are shifted half a hex east. In axial coordinates (q, r) a step east is (1, 0)
# and a step south-east (0, 1) in every row, so a piece is a set of offsets.
lines = [line.split() for line in board["map"].splitlines()]
marks = {(y, x): mark for y, line in enumerate(lines) for x, mark in enumerate(line) if mark != "."}
hex_at = {at: i for i, at in enumerate(sorted(marks))}  # by row and column
axial = {(col - (row - (row & 1)) // 2, row): i for (row, col), i in hex_at.items()}
H = len(marks)  # hexes; number H stands for "off the map"
DIRECTIONS = (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)  # clockwise from east


def shifted(q, r):
    """Returns the hex at an offset from each hex, [H + 1]."""
    return np.array([axial.get((a + q, b + r), H) for a, b in axial] + [H])


NEIGHBORS = np.stack([shifted(q, r) for q, r in DIRECTIONS], axis=1)  # [H + 1, 6]
# The region of each hex as one of six bits; 0 on the sea, which is in no region (R1.3).
bit_of = {name: 1 << i for i, name in enumerate(board["regions"].values())}
REGION = [bit_of.get(board["regions"].get(marks[at]), 0) for at in hex_at]
REGION = np.array([*REGION, 0], np.uint8)
symbols = {hex_at[tuple(city["at"])]: city["symbol"] for city in board["city"]}
CITY, SEA = np.isin(np.arange(H + 1), list(symbols)), np.full(H + 1, 6)
for harbor in board["harbor"]:  # SEA: that of a harbor, else 6 (R1.2)
    SEA[hex_at[tuple(harbor["at"])]] = list(board["seas"].values()).index(harbor["sea"])
SITE = CITY | (SEA < 6)
BARRIER = np.zeros((H + 1, 6), bool)  # on each side of a hex
for edge in (edge for barrier in board["barrier"] for edge in barrier["edges"]):
    for one, other in (edge, edge[::-1]):
        here = hex_at[tuple(one)]
        BARRIER[here] |= NEIGHBORS[here] == hex_at[tuple(other)]
cards = [card["symbols"] for card in objectives["objective"]]
OBJECTIVES = np.array([[symbols.get(i) in card for i in range(H + 1)] for card in cards])  # R1.4
OBJECTIVE_POINTS = np.array([0, 2, 5, 10, 15, 25, 35])  # R8.2
scenarios = scenarios["scenario"]  # the flourishing regions of each, as bits (R1.5):
FLOURISHING = np.array([sum(map(bit_of.get, s["flourishing"])) for s in scenarios], np.uint8)


def place_everywhere(fief):
    """Returns a fief's hexes for each rotation and first hex, [6 H, 4], and which are possible."""
    offsets = [(q - fief["cells"][0][0], r - fief["cells"][0][1]) for q, r in fief["cells"]]
    hexes, fits = np.full((6, H, 4), H), np.ones((6, H), bool)
    for here, fit in zip(hexes, fits, strict=True):
        for i, offset in enumerate(offsets):
            here[:, i] = shifted(*offset)[:H]
            fit &= here[:, i] < H  # R4.3
            fit &= (REGION[here[:, i]] > 0) | (i not in fief["castles"])  # R4.4
        for i, (q, r) in enumerate(offsets):
            for step in [(s - q, t - r) for s, t in offsets[i + 1 :]]:
                if step in DIRECTIONS:
                    fit &= ~BARRIER[here[:, i], DIRECTIONS.index(step)]  # R4.5
        offsets = [(-r, q + r) for q, r in offsets]  # 60 degrees clockwise (R1.6)
    hexes, possible = hexes.reshape(-1, 4), fits.ravel().nonzero()[0]
    _, first = np.unique(np.sort(hexes[possible], axis=1), axis=0, return_index=True)
    return hexes, np.isin(np.arange(6 * H), possible[first])  # one spot for the same hexes


# A spot is what a seat does with a fief: lay it (rotation * H + first hex), arrange a wedding with
# one ring (6 H + hex) or two (7 H + direction * H + hex), donate it. Tables are by fief and spot.
ONE_RING, TWO_RINGS, DONATE = 6 * H, 7 * H, 10 * H
HEXES, FITS = np.full((12, DONATE + 1, 4), H), np.ones((12, DONATE + 1), bool)
for i, fief in enumerate(fiefs["fief"]):
    HEXES[i, :ONE_RING], FITS[i, :ONE_RING] = place_everywhere(fief)
HEXES[:, ONE_RING:DONATE, 0] = np.tile(np.arange(H), 4)
HEXES[:, TWO_RINGS:DONATE, 1] = NEIGHBORS[:H, :3].T.ravel()
FITS[:, TWO_RINGS:DONATE] = HEXES[:, TWO_RINGS:DONATE, 1] < H
RINGS = np.repeat([0, 1, 2, 0], [6 * H, H, 3 * H, 1])  # rings that a spot takes
REGIONS = np.bitwise_or.reduce(REGION[HEXES], axis=2)  # regions that it touches, as bits
SEAS = (SEA[HEXES][..., None] == np.arange(6)).sum(axis=2).astype(np.uint8)  # harbors of each sea
# Every spot belongs to one action card: A takes harbors only, B no harbor, C both (R4.2).
HARBORS, CITIES, ALLIANCE = range(3)
CARD = np.where(SEAS.any(axis=2), np.where(CITY[HEXES].any(axis=2), ALLIANCE, HARBORS), CITIES)
CARD[:, ONE_RING:] = ALLIANCE  # weddings (R5.1)


def pack(hexes):
    """Returns sets of hexes [..., H + 1] as bits, [..., W] uint64."""
    padded = np.zeros((*hexes.shape[:-1], (H // 64 + 1) * 64), bool)
    padded[..., :H] = hexes[..., :H]
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


COVER = np.stack([pack((each[..., None] == np.arange(H + 1)).any(axis=1)) for each in HEXES])
# A plan is region card * 6 + action card * 2 + King's Privilege; region card 6 is "inactive".
PLAN_REGION, PLAN_CARD, PRIVILEGE = np.indices((7, 3, 2)).reshape(3, 42)

# ---- The games: N at once, in lockstep ----------------------------------------------------------


def deal(num_games, num_players, rng):
    """Draws scenarios [N], objectives [N, P] and decks [N, P, 12] (R2.1, R2.2)."""
    fitting = [i for i, scenario in enumerate(scenarios) if scenario["players"] == num_players]
    objectives = rng.random((num_games, len(OBJECTIVES))).argsort(axis=1)[:, :num_players]
    decks = rng.random((num_games, num_players, 12)).argsort(axis=2)
    return rng.choice(fitting, num_games), objectives, decks


class Games:
    """N games in the same round: P plans at once, then P spots in turn. `rows` are not over yet."""

    def __init__(self, scenario, objective, deck):
        self.objective, self.deck, self.shape = objective, deck, objective.shape
        self.rows, self.round, self.turn = np.arange(len(deck)), 1, 0
        self.flourishing = FLOURISHING[scenario]  # regions as bits, [N]
        blooms = (REGION & self.flourishing[:, None]) > 0
        self.value = SITE * np.where(blooms, 3, 1)  # points for each hex (R6.1), [N, H + 1]
        self.wanted = pack(blooms & SITE)  # flourishing sites, as bits
        self.fiefs, self.rings = np.zeros((2, *self.shape, COVER.shape[2]), np.uint64)  # as bits
        self.piece = np.zeros((*self.shape, H + 1), np.uint8)  # fiefs 1 to 12, rings 13 to 18
        self.group = np.zeros((*self.shape, 19), np.uint32)  # the pieces connected with each piece
        self.harbors, self.leagues = np.zeros((2, *self.shape, 6), np.uint8)  # of each sea
        self.score, self.order = np.zeros((2, *self.shape), int)
        self.stock = np.full(self.shape, 6)  # of rings (R1.1)
        self.plan, self.previous = np.full((2, *self.shape), -1)
        self.is_last = np.zeros(len(deck), bool)

    @property
    def fief(self):  # this round's fiefs, which all see (R3.1), [N, P]
        return self.deck[:, :, self.round - 1]

    @property
    def largest(self):  # pieces in each seat's largest group, [N, P]
        return np.bitwise_count(self.group).max(axis=2).astype(int)

    @property
    def held(self):  # cities of its own objective that each seat holds, [N, P]
        return (OBJECTIVES[self.objective] & (self.piece > 0)).sum(axis=2)

    def legal_plans(self, rows, seats):
        """Returns the plans that M seats may make, [M, 42] bool."""
        before = self.previous[rows, seats][:, None]
        same = (before // 6 == PLAN_REGION) | (before // 2 % 3 == PLAN_CARD)
        lies_open = (before >= 0) & (same | (PRIVILEGE & before % 2 > 0))  # R3.3
        in_hand = self.flourishing[rows, None] >> PLAN_REGION & 1 | (PLAN_REGION == 6)  # R2.1
        return ~lies_open & (in_hand > 0) & (self.stock[rows, seats][:, None] >= PRIVILEGE)  # R3.4

    def make_plans(self, plans):
        """Takes all plans of the games that go on, [M, P], and reveals them (R3.2)."""
        number = self.fief[self.rows] * self.shape[1] + np.arange(self.shape[1])  # R1.7
        rank = np.where(PRIVILEGE[plans], PLAN_CARD[plans], 3 + PLAN_CARD[plans])
        self.order[self.rows] = (rank * 48 + number).argsort(axis=1)  # R3.5
        self.stock[self.rows] -= PRIVILEGE[plans]  # R3.4
        self.plan[self.rows], self.turn = plans, 0

    def legal_spots(self, rows, seats, with_any_plan=False, consider=FITS):
        """Returns the spots that M seats may choose: which of the M, and the spots, [L] each."""
        fief, plan = self.fief[rows, seats], self.plan[rows, seats]
        can = consider[fief] & (self.stock[rows, seats][:, None] >= RINGS)  # R5.1
        if not with_any_plan:
            region, inactive = PLAN_REGION[plan], ~self.flourishing[rows] & 63
            region = np.where(region < 6, 1 << region, inactive).astype(np.uint8)[:, None]
            can &= (REGIONS[fief] & region) > 0  # R4.1, R5.2
            can &= CARD[fief] == PLAN_CARD[plan][:, None]  # R4.2, R5.1
        can[:, DONATE] = True  # R3.7
        at, spots = can.nonzero()
        fiefs, rings, own = self.fiefs[rows], self.rings[rows], (np.arange(len(rows)), seats)
        no_fief = np.bitwise_or.reduce(fiefs, axis=1) | rings[own]  # R4.3
        no_ring = np.bitwise_or.reduce(rings, axis=1) | fiefs[own]  # R5.4
        taken = np.where((RINGS[spots] > 0)[:, None], no_ring[at], no_fief[at])
        free = ~(COVER[fief[at], spots] & taken).any(axis=1)
        return at[free], spots[free]

    def points(self, rows, seats, spots):
        """Returns the points that spots score at once, [M], and the leagues they found, [M, 6]."""
        fief = self.fief[rows, seats]
        harbors = self.harbors[rows, seats] + SEAS[fief, spots]
        founded = (harbors >= 3) & (self.leagues[rows, seats] == 0)  # R6.2
        of_sites = self.value[rows[:, None], HEXES[fief, spots]].sum(axis=1)  # R6.1
        return of_sites + 10 * founded.sum(axis=1) + 3 * (spots == DONATE), founded  # R3.7

    def place(self, spots):
        """Takes the spot of the next seat in the turn order, [M] (R3.6)."""
        rows, seats = self.rows, self.order[self.rows, self.turn]
        fief, rings = self.fief[rows, seats], RINGS[spots]
        points, founded = self.points(rows, seats, spots)
        self.score[rows, seats] += points
        self.leagues[rows, seats] |= founded
        self.harbors[rows, seats] += SEAS[fief, spots]
        cover, is_wedding = COVER[fief, spots], (rings > 0)[:, None]
        self.fiefs[rows, seats] |= np.where(is_wedding, 0, cover)
        self.rings[rows, seats] |= np.where(is_wedding, cover, 0)
        hexes, laid = HEXES[fief, spots], spots < ONE_RING
        self._add_piece(rows[laid], seats[laid], hexes[laid], fief[laid] + 1)
        for i in range(2):  # a ring counts as a fief of one hex (R5.3)
            wed = rings > i
            at = rows[wed], seats[wed]
            self._add_piece(*at, hexes[wed, i : i + 1], 19 - self.stock[at])
            self.stock[at] -= 1  # R5.6
        self.turn += 1
        if self.turn == self.shape[1]:
            self._end_round()

    def _add_piece(self, rows, seats, hexes, number):
        """Adds a piece to each of M games, and joins the groups that it touches (R8.1)."""
        row, seat, bit = rows[:, None], seats[:, None], 1 << np.arange(19, dtype=np.uint32)
        self.piece[row, seat, hexes] = number[:, None]
        self.piece[rows, seats, H] = 0
        around = self.piece[row, seat, NEIGHBORS[hexes].reshape(len(rows), -1 if len(rows) else 6)]
        touched = np.bitwise_or.reduce(bit[around], axis=1)[:, None] & bit > 1
        group = self.group[rows, seats]
        joined = np.bitwise_or.reduce(np.where(touched, group, 0), axis=1) | bit[number]
        self.group[rows, seats] = np.where(joined[:, None] & bit, joined[:, None], group)

    def num_open(self, rows):
        """Returns how many flourishing sites nobody covers, [M]."""
        covered = np.bitwise_or.reduce(self.fiefs[rows] | self.rings[rows], axis=1)
        return np.bitwise_count(self.wanted[rows] & ~covered).sum(axis=1).astype(int)

    def _end_round(self):
        over, self.rows = (self.rows[self.is_last[self.rows] == last] for last in (True, False))
        largest = self.largest[over]
        self.score[over] += 15 * (largest == largest.max(axis=1, keepdims=True))  # R8.1
        self.score[over] += OBJECTIVE_POINTS[self.held[over]]
        few = (self.num_open(self.rows) <= 3) & (self.round >= 6)
        self.round, self.turn, self.previous = self.round + 1, 0, self.plan.copy()
        self.is_last[self.rows] = few | (self.round == 12)  # R7.1, R7.2

    def winners(self):
        """Returns who wins, [N, P] (R8.3)."""
        sites = np.bitwise_count((self.fiefs | self.rings) & pack(SITE)).sum(axis=2).astype(int)
        key = self.score * 1024 + sites
        return key == key.max(axis=1, keepdims=True)


# ---- What a decision looks like: its choices as rows of facts, and the situation ----------------

CONSIDERED = FITS & (SITE[HEXES].sum(axis=2) >= np.maximum(RINGS, 1))  # spots that cover sites
F, D = 30, 10
# Of M seats: game, seat and situation. Of their L choices: which of the M it is one of, action and
# facts, all as the seats see them. Greedy plays by the first fact alone.
Decisions = namedtuple("Decisions", "rows seats situation at actions facts")


def situations(games, rows, is_plan):
    """Returns what kind of moment it is for each seat of M games, [M, P, D]."""
    largest, score = games.largest[rows], games.score[rows]
    not_me = np.where(np.eye(games.shape[1], dtype=bool), -99, 0)
    lead = largest - (largest[:, None] + not_me).max(axis=2)  # over the best of the others
    ahead = score - (score[:, None] + not_me).max(axis=2)
    of_game = games.is_last[rows][:, None], games.num_open(rows)[:, None] / 24, is_plan
    of_seat = games.stock[rows] / 6, games.held[rows] / 6, lead / 4, ahead / 30, lead > 0
    columns = games.round / 12, games.round >= 6, *of_game, *of_seat
    return np.stack([np.broadcast_to(x, score.shape) for x in columns], axis=2).astype(np.float32)


def planes_of(games, rows, seats):
    """Returns what each hex is to M seats, [M, H + 1, 11]."""
    me, value, mine = np.arange(len(rows)), games.value[rows], games.piece[rows, seats]
    covered = (games.piece[rows] > 0).any(axis=1)
    group = games.group[rows, seats]
    big = group[me, np.bitwise_count(group).argmax(axis=1)][:, None] >> mine & (mine > 0) > 0
    wanted = OBJECTIVES[games.objective[rows, seats]] & (mine == 0)
    harbors = games.harbors[rows]  # of all seats, [M, P, 6]
    own, left = harbors[me, seats], ~covered @ (SEA[:, None] == np.arange(6)).astype(np.uint8)
    possible = (games.leagues[rows, seats] == 0) & (own + left >= 3)
    rival = (np.arange(games.shape[1]) != seats[:, None])[:, :, None]
    stages = [*(possible & (own == n) for n in range(3)), ((harbors == 2) & rival).any(axis=1)]
    of_harbor = np.pad(np.stack(stages), ((0, 0), (0, 0), (0, 1)))[:, :, SEA]
    beside = [x[:, NEIGHBORS].any(axis=2) for x in (big, (mine > 0) & ~big, wanted & ~covered)]
    return np.stack([value == 3, value == 1, wanted, *of_harbor, covered, *beside], axis=2)


def facts_of_spots(games, rows, seats, at, spots):
    """Returns facts of L spots: those of the hexes that they cover, and what follows, [L, F]."""
    fief, stock = games.fief[rows, seats][at], games.stock[rows, seats][at]
    facts, planes = np.zeros((len(at), F), np.float32), planes_of(games, rows, seats)
    for hexes in HEXES[fief, spots].T:
        facts[:, 1:12] += planes[at, hexes]
    np.minimum(facts[:, 9:12], 1, out=facts[:, 9:12])  # to lie beside something counts once
    points, _ = games.points(rows[at], seats[at], spots)
    held, rings, donates = games.held[rows, seats][at], RINGS[spots], spots == DONATE
    gain = OBJECTIVE_POINTS[held + facts[:, 3].astype(int)] - OBJECTIVE_POINTS[held]
    facts[:, 0] = (points + gain - 0.1 * rings - 0.5 * donates) / 10
    more = points / 10, gain / 10, donates, rings, rings * stock / 6, CARD[fief, spots] == ALLIANCE
    facts[:, 12:18] = np.stack(more, axis=1)
    return facts


def decide_spots(games, rows, seats):
    """Returns the decisions of M seats that place."""
    at, spots = games.legal_spots(rows, seats, consider=CONSIDERED)
    situation = situations(games, rows, False)[np.arange(len(rows)), seats]
    facts = facts_of_spots(games, rows, seats, at, spots)
    return Decisions(rows, seats, situation, at, spots, facts)


def best_by_cards(values, games, rows, fief, at, spots):
    """Returns the best value [L] that each region and action card open to M seats, [M, 7, 3]."""
    regions, card = REGIONS[fief[at], spots], CARD[fief[at], spots]
    found = np.repeat(values[spots == DONATE], 21).reshape(-1, 7, 3)
    for region in range(6):
        on = (regions >> region & 1).nonzero()[0]
        np.maximum.at(found, (at[on], region, card[on]), values[on])
    blooms = games.flourishing[rows, None] >> np.arange(6) & 1 > 0
    found[:, 6] = np.where(blooms[:, :, None], found[:, 6:], found[:, :6]).max(axis=1)
    return found


def decide_plans(games, model):
    """Returns the decisions of all seats that plan. A plan's facts say what spots it opens."""
    p = games.shape[1]
    rows, seats = np.repeat(games.rows, p), np.tile(np.arange(p), len(games.rows))
    at, spots = games.legal_spots(rows, seats, with_any_plan=True, consider=CONSIDERED)
    opened = facts_of_spots(games, rows, seats, at, spots)
    situation = situations(games, games.rows, True).reshape(len(rows), -1)
    fief, legal = games.fief[rows, seats], games.legal_plans(rows, seats)
    scores = model.scores(opened, at, situation)
    columns = opened[:, 0], opened[:, 12], scores - scores[spots == DONATE][at]
    worth, points, score = (best_by_cards(x, games, rows, fief, at, spots) for x in columns)
    # Where others may go, by the points that all can see; their objectives are secret (R2.2).
    likely = np.exp(5 * points) * legal[:, ::2].reshape(points.shape)
    likely = (likely / likely.sum(axis=(1, 2), keepdims=True)).reshape(-1, p, 7, 3)
    number = fief.reshape(-1, p) * p + np.arange(p)  # of the fief card (R1.7)
    before = np.zeros_like(likely)  # how many others are expected to place before, by cards
    for seat, rival in ((i, j) for i in range(p) for j in range(p) if i != j):
        is_later = number[:, rival] > number[:, seat]  # with the same action card (R3.5)
        before[:, seat] += likely[:, rival].cumsum(axis=2)
        before[:, seat] -= likely[:, rival] * is_later[:, None, None]
    at, plans = legal.nonzero()
    region, card, paid = PLAN_REGION[plans], PLAN_CARD[plans], PRIVILEGE[plans]
    tables = worth, score, np.minimum(before, 1.5).reshape(-1, 7, 3)
    worth, score, before = (table[at, region, card] for table in tables)
    lost, stock = score * before, games.stock[rows, seats][at] / 6
    more = worth, score, before, lost, score <= 0, paid, paid * before, paid * lost, paid * stock
    facts = np.zeros((len(at), F), np.float32)
    facts[:, 0] = worth - paid / 100
    facts[:, 18:30] = np.stack([*more, card == HARBORS, card == ALLIANCE, region == 6], axis=1)
    return Decisions(rows, seats, situation, at, plans, facts)


# ---- The network, self-play, PPO, and matches against greedy -------------------------------------


class Model(nn.Module):
    """Scores choices by a hidden layer and a line past it; the critic sees all situations."""

    def __init__(self, width=64):
        super().__init__()
        self.facts, self.situation = nn.Linear(F, width), nn.Linear(D, width)
        self.out, self.line = nn.Linear(width, 1, bias=False), nn.Linear(F, 1, bias=False)
        for layer in (self.out, self.line):
            nn.init.zeros_(layer.weight)  # at first all choices have the same score
        self.critic = nn.Sequential(nn.Linear(2 * D + 1, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, facts, at, situation):
        """Returns the scores of L choices in M situations."""
        hidden = torch.relu(self.facts(facts) + self.situation(situation)[at])
        return (self.out(hidden) + self.line(facts))[:, 0]

    @torch.no_grad()
    def scores(self, *arrays):
        return self(*map(torch.from_numpy, arrays)).numpy()


def log_probabilities(scores, at, num_decisions):
    """Returns the logarithms of the probabilities of L choices: a softmax in each decision."""
    most = torch.full((num_decisions,), -torch.inf).scatter_reduce(0, at, scores.detach(), "amax")
    scores = scores - most[at]
    return scores - torch.zeros(num_decisions).index_add(0, at, scores.exp()).log()[at]


def best_of_each(values, at):
    """Returns the index of the largest of each decision's values, [M] of [L]."""
    most = np.maximum.reduceat(values, np.flatnonzero(np.diff(at, prepend=-1)))
    hits = np.flatnonzero(values == most[at])
    return hits[np.unique(at[hits], return_index=True)[1]]


def play(model, num_games, num_players, rng, by_greedy=None):
    """Plays N games to the end; returns them, and a list of (decisions, choices, critic's inputs).

    Seats draw by the network's probabilities. With `by_greedy`, [N, P], these seats take what is
    best to greedy, and the others what is best to the network.
    """
    games, played = Games(*deal(num_games, num_players, rng)), []

    def choose(decisions):
        scores = model.scores(decisions.facts, decisions.at, decisions.situation)
        worth = decisions.facts[:, 0]
        if by_greedy is not None:
            is_greedy = by_greedy[decisions.rows, decisions.seats][decisions.at]
            return decisions.actions[best_of_each(np.where(is_greedy, worth, scores), decisions.at)]
        # The largest of the scores plus Gumbel noise is a draw from their softmax.
        chosen = best_of_each(scores + rng.gumbel(size=len(scores)), decisions.at)
        own, best = decisions.situation, worth[best_of_each(worth, decisions.at), None]
        everyone = situations(games, decisions.rows, True).sum(axis=1)
        played.append((decisions, chosen, np.hstack([own, everyone - own, best])))
        return decisions.actions[chosen]

    while len(rows := games.rows):
        games.make_plans(choose(decide_plans(games, model)).reshape(-1, num_players))
        for turn in range(num_players):
            games.place(choose(decide_spots(games, rows, games.order[rows, turn])))
    return games, played


def learn(model, optimizer, games, played, entropy_weight, trace=0.8, epochs=3, num_parts=8):
    """Improves the model on the games that it has played, by PPO (Schulman et al. 2017)."""
    (n, p), sizes = games.shape, np.array([(len(c), len(d.at)) for d, c, _ in played])
    starts = sizes.cumsum(axis=0) - sizes  # of each step's decisions and choices among all
    at = np.concatenate([d.at + i for (d, _, _), i in zip(played, starts[:, 0], strict=True)])
    chosen = np.concatenate([c + i for (_, c, _), i in zip(played, starts[:, 1], strict=True)])
    columns = zip(*((d.facts, d.situation, seen) for d, _, seen in played), strict=True)
    arrays = at, chosen, *map(np.concatenate, columns)
    at, chosen, facts, situation, seen = map(torch.from_numpy, arrays)
    with torch.no_grad():
        values = model.critic(seen)[:, 0].numpy()
        old = log_probabilities(model(facts, at, situation), at, len(seen))[chosen]
    # Generalised advantages, from each seat's last decision to its first. What counts is how many
    # points a seat is ahead of the mean of the others in the end.
    ahead = (games.score - games.score.mean(axis=1, keepdims=True)) * p / (p - 1)
    later, carried = np.float32(ahead / 20).ravel(), np.zeros(n * p, np.float32)
    advantages = np.zeros_like(values)
    for (decisions, _, _), start in zip(played[::-1], starts[::-1, 0], strict=True):
        key, step = decisions.rows * p + decisions.seats, slice(start, start + len(decisions.rows))
        carried[key] = later[key] - values[step] + trace * carried[key]
        advantages[step], later[key] = carried[key], values[step]
    targets = torch.from_numpy(advantages + values)
    advantages = torch.from_numpy((advantages - advantages.mean()) / advantages.std())
    is_chosen = torch.isin(torch.arange(len(at)), chosen, assume_unique=True)
    for part in torch.randint(num_parts, (epochs, len(seen))):
        for mine in (part == i for i in range(num_parts)):
            on, number = mine[at], mine.cumsum(0) - 1
            here = number[at[on]]
            log_probs = model(facts[on], here, situation[mine])
            log_probs = log_probabilities(log_probs, here, int(mine.sum()))
            ratio, gained = (log_probs[is_chosen[on]] - old[mine]).exp(), advantages[mine]
            gain = torch.minimum(ratio * gained, ratio.clamp(0.8, 1.2) * gained).mean()
            entropy = -(log_probs.exp() * log_probs).sum() / len(ratio)
            error = (model.critic(seen[mine])[:, 0] - targets[mine]).square().mean()
            optimizer.zero_grad()
            (error - gain - entropy_weight * entropy).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()


def evaluate(model, num_games, num_players, rng):
    """Returns the win share with greedy on all other seats, and half its 95 % interval."""
    games, seat = np.arange(num_games), np.arange(num_games) % num_players
    by_greedy = np.arange(num_players) != seat[:, None]
    won = play(model, num_games, num_players, rng, by_greedy)[0].winners()
    share = (won / won.sum(axis=1, keepdims=True))[games, seat]
    return share.mean(), 1.96 * share.std() / num_games**0.5


def train(players=4, seconds=60.0, seed=0, num_games=128, rate=3e-3):
    """Learns for some seconds of one core, says how it goes, and returns the last evaluation."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng, deals = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    model, turns, due, started = Model(), 0, 0.0, time.process_time()
    optimizer = torch.optim.Adam(model.parameters())
    print(f"{players} players, wins against greedy; fair is {1 / players:.0%}")
    while True:
        left = 1 - (spent := time.process_time() - started) / seconds
        if spent >= due or left <= 0:
            share, error = evaluate(model, 100 if left > 0 else 1000, players, deals)
            print(f"{spent:4.0f} s, {turns:9,} turns: {share:4.0%} ± {error:.1%}", flush=True)
            due += seconds / 15
        if left <= 0:
            return share, error
        optimizer.param_groups[0]["lr"] = rate * left
        games, played = play(model, num_games, players, rng)
        learn(model, optimizer, games, played, entropy_weight=0.01 * left)
        turns += sum(len(chosen) for _, chosen, _ in played)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Learns Gonzaga from nothing.")
    parser.add_argument("--players", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--seconds", type=float, default=60.0, help="of one core")
    parser.add_argument("--seed", type=int, default=0)
    train(**vars(parser.parse_args()))
