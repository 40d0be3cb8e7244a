"""The full truth of N games of P players, as a struct of numpy arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.actions import NO_PLAN
from gonzaga_env.core.bits import WORD, Words
from gonzaga_env.core.errors import StateError
from gonzaga_env.core.rows import Pick, Rows
from gonzaga_env.core.rules import NUM_FIEFS, NUM_RINGS, NUM_SEAS
from gonzaga_env.core.tables import Tables

PLAN, PLACE = 0, 1
MAX_PIECES = 16  # 12 turns, of which weddings with 6 rings make at most 3 pieces more
SOURCES = ("cities", "harbors", "leagues", "donations", "group", "objective")
END_SOURCES = slice(4, 6)  # those of final scoring (R8)
_MAGIC = b"gonzaga-state-2\n"


@dataclass(eq=False)
class State:
    """The arrays; the game axis comes first everywhere.

    What the rules speak of:

    Attributes:
        seed: [N] uint64; with `episode` it decides the deal.
        episode: games played before in this row, [N] uint32.
        scenario: index in the edition, [N] uint8.
        objective: index in the edition, [N, P] uint8, secret (R2.2).
        deck: fiefs (0 to 11) in order of drawing, [N, P, 12] uint8; round r shows entry r - 1.
        round: from 1, [N] uint8.
        phase: PLAN or PLACE, [N] uint8.
        position: seats that have acted in this phase, [N] uint8.
        last_round: whether this round is the last (R7), [N] bool.
        finished: [N] bool.
        plan: this round's plan, [N, P] uint8, 255 while none; secret until the phase is PLACE.
        locked: the plan whose cards are not available, [N, P] uint8, 255 for none (R3.3).
        order: seat by place in the turn order, [N, P] uint8; valid in phase PLACE (R3.5).
        ring_stock: rings unspent, [N, P] uint8.
        fiefs: hexes held by fiefs, [N, P, W] uint64.
        rings: hexes held by rings, [N, P, W] uint64.
        sea_harbors: harbors held of each sea, [N, P, 6] uint8.
        leagues: sea leagues founded, [N, P, 6] bool (R6.2).
        scores: points by source (`SOURCES`), [N, P, 6] int16.

    What is derived from them, kept up to date because legality and groups are asked at every step:

    Attributes:
        blocked: placements of each fief, by number, that meet a fief on the map,
            [N, 12, fief words] uint64.
        ring_blocked: weddings that R5.4 forbids each player, [N, P, ring words] uint64.
        ring_cells: hexes of a player's rings, [N, P, 6] uint16, H where none.
        num_pieces: pieces on the map, [N, P] uint8.
        piece: number (from 1) of the player's piece on a hex, [N, P, H + 1] uint8.
        group: pieces connected with each piece, as bits, [N, P, 16] uint16 (R8.1).
        largest: pieces in the largest connected group, [N, P] uint8.
    """

    seed: NDArray[np.uint64]
    episode: NDArray[np.uint32]
    scenario: NDArray[np.uint8]
    objective: NDArray[np.uint8]
    deck: NDArray[np.uint8]
    round: NDArray[np.uint8]
    phase: NDArray[np.uint8]
    position: NDArray[np.uint8]
    last_round: NDArray[np.bool_]
    finished: NDArray[np.bool_]
    plan: NDArray[np.uint8]
    locked: NDArray[np.uint8]
    order: NDArray[np.uint8]
    ring_stock: NDArray[np.uint8]
    fiefs: Words
    rings: Words
    sea_harbors: NDArray[np.uint8]
    leagues: NDArray[np.bool_]
    scores: NDArray[np.int16]
    blocked: Words
    ring_blocked: Words
    ring_cells: NDArray[np.uint16]
    num_pieces: NDArray[np.uint8]
    piece: NDArray[np.uint8]
    group: NDArray[np.uint16]
    largest: NDArray[np.uint8]

    @property
    def num_games(self) -> int:
        """N."""
        return len(self.seed)

    @property
    def num_players(self) -> int:
        """P."""
        return int(self.objective.shape[1])

    @property
    def totals(self) -> NDArray[np.int16]:
        """Scores over all sources, [N, P]."""
        return self.scores.sum(axis=2, dtype=np.int16)

    def copy(self) -> State:
        """Returns a state that shares no memory with this one."""
        return State(**{name: array.copy() for name, array in self.arrays().items()})

    def take(self, rows: NDArray[Any] | slice) -> State:
        """Returns the games of some rows (indices, a mask or a slice), copied."""
        if isinstance(rows, slice):  # an index copies by itself
            return State(**{name: array[rows].copy() for name, array in self.arrays().items()})
        return State(**{name: array[rows] for name, array in self.arrays().items()})

    def put(self, rows: NDArray[Any] | slice, games: State) -> None:
        """Writes as many games, or one again and again, over rows of this state."""
        for name, array in self.arrays().items():
            array[rows] = getattr(games, name)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the arrays themselves by name, in the order of the fields."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __eq__(self, other: object) -> bool:
        """Whether all arrays are equal, so that both go on alike."""
        if not isinstance(other, State):
            return NotImplemented
        theirs = other.arrays()
        return all(
            array.dtype == theirs[name].dtype and np.array_equal(array, theirs[name])
            for name, array in self.arrays().items()
        )

    __hash__ = None  # type: ignore[assignment]  # mutable

    def fits(self, other: State) -> bool:
        """Whether all arrays have the dtype and shape of another state's."""
        return all(
            (array.dtype, array.shape) == (getattr(other, name).dtype, getattr(other, name).shape)
            for name, array in self.arrays().items()
        )

    def to_bytes(self) -> bytes:
        """Returns the state as bytes: a header line of JSON, then array after array."""
        arrays = self.arrays()
        header = {name: [array.dtype.str, array.shape] for name, array in arrays.items()}
        content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
        return _MAGIC + json.dumps(header).encode() + b"\n" + content

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Returns the state that `to_bytes` wrote.

        Raises:
            StateError: the bytes are none, are of another version or are cut short.
        """
        if not data.startswith(_MAGIC):
            raise StateError(f"no state: the bytes should start with {_MAGIC!r}")
        try:
            end = data.index(b"\n", len(_MAGIC))
            header, start, arrays = json.loads(data[len(_MAGIC) : end]), end + 1, {}
            for name, (dtype, shape) in header.items():
                size = np.dtype(dtype).itemsize * int(np.prod(shape))
                flat = np.frombuffer(data[start : start + size], dtype=dtype)
                arrays[name], start = flat.reshape(shape).copy(), start + size
            if start != len(data):
                raise ValueError(f"{len(data) - start} bytes too many")
            return cls(**arrays)
        except (ValueError, TypeError, AttributeError) as error:
            raise StateError(f"no state: {error}") from error


def fiefs_at_hand(state: State, pick: Pick = slice(None)) -> NDArray[np.int64]:
    """Returns this round's fief (0 to 11) of every player in some games, [M, P] (R3.1)."""
    deck, shown = state.deck[pick], state.round[pick].astype(np.int64) - 1
    top = np.arange(0, deck.size, NUM_FIEFS).reshape(deck.shape[:2])
    return deck.reshape(-1).take(top + shown[:, None]).astype(np.int64)


def acting_fiefs(state: State, rows: Rows, slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns this round's fief of one seat a game, [M] (`Rows.slots`)."""
    shown = state.round[rows.pick] - np.int64(1)
    return state.deck.reshape(-1)[slots * NUM_FIEFS + shown].astype(np.int64)


def empty_state(tables: Tables, num_games: int, num_players: int) -> State:
    """Returns games before their first round: nothing dealt, nothing on the map (R2.3)."""
    n, p, h = num_games, num_players, tables.num_hexes
    words, placements = len(tables.site_bits), tables.placements

    def zeros(*shape: int, dtype: Any = np.uint8) -> NDArray[Any]:
        return np.zeros((n, *shape), dtype=dtype)

    return State(
        seed=zeros(dtype=np.uint64),
        episode=zeros(dtype=np.uint32),
        scenario=zeros(),
        objective=zeros(p),
        deck=zeros(p, NUM_FIEFS),
        round=zeros() + np.uint8(1),
        phase=zeros(),
        position=zeros(),
        last_round=zeros(dtype=np.bool_),
        finished=zeros(dtype=np.bool_),
        plan=np.full((n, p), NO_PLAN, dtype=np.uint8),
        locked=np.full((n, p), NO_PLAN, dtype=np.uint8),
        order=zeros(p),
        ring_stock=np.full((n, p), NUM_RINGS, dtype=np.uint8),
        fiefs=zeros(p, words, dtype=WORD),
        rings=zeros(p, words, dtype=WORD),
        sea_harbors=zeros(p, NUM_SEAS),
        leagues=zeros(p, NUM_SEAS, dtype=np.bool_),
        scores=zeros(p, len(SOURCES), dtype=np.int16),
        blocked=zeros(*placements.fief_conflicts.shape[1:], dtype=WORD),
        ring_blocked=zeros(p, placements.ring_conflicts.shape[1], dtype=WORD),
        ring_cells=np.full((n, p, NUM_RINGS), h, dtype=np.uint16),
        num_pieces=zeros(p),
        piece=zeros(p, h + 1),
        group=zeros(p, MAX_PIECES, dtype=np.uint16),
        largest=zeros(p),
    )
