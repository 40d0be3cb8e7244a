"""The decisions of many recorded games, replayed in one batch for what the seats saw."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Integers
from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.kernel.errors import ActionError, IllegalActionError, RecordError
from gonzaga_env.kernel.rows import ScalarT


@dataclass(frozen=True)
class Decisions:
    """The S decisions of N games, game after game, each game in the order of play."""

    games: NDArray[np.int64]  #: the game of each decision, as a row of the engine, [S] int64
    steps: NDArray[np.int64]  #: its number within the game, from 0, [S] int64
    seats: NDArray[np.int64]  #: the seat that decides, [S] int64
    kinds: NDArray[np.int64]  #: what it decides, as an index of `GameSpec.kinds`, [S] int64
    actions: NDArray[np.int64]  #: what it chose, [S] int64
    #: What it knew, [S, D] uint8; None if they were not asked for.
    observations: NDArray[np.uint8] | None
    #: Its legal actions, [S, ceil(A / 8)] uint8, the lowest bit first (`unpack_masks`); None if
    #: they were not asked for.
    mask_bits: NDArray[np.uint8] | None
    #: What it gained from here to its next decision, or to the end, [S] float64.
    rewards: NDArray[np.float64]
    returns: NDArray[np.float64]  #: what it gained from here to the end, [S] float64

    def __len__(self) -> int:
        return len(self.actions)

    def __repr__(self) -> str:
        return f"<Decisions, {len(self):,} in {len(np.unique(self.games)):,} games>"


def pack_masks(masks: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Returns masks [M, A] as bits, [M, ceil(A / 8)], the lowest bit first."""
    return np.packbits(masks, axis=1, bitorder="little")


def unpack_masks(bits: NDArray[np.uint8], num_actions: int) -> NDArray[np.bool_]:
    """Returns the masks [M, A] of bits (see `pack_masks`)."""
    return np.unpackbits(bits, axis=1, count=num_actions, bitorder="little").view(np.bool_)


def replay_games(
    engine: AnyEngine,
    actions: Integers,
    lengths: Integers,
    observations: bool = True,
    masks: bool = True,
) -> Decisions:
    """Plays N games that have just been dealt to their end, without autoreset.

    The actions [S] are of all games, one game after the other; `lengths` [N] are their numbers.
    RecordError, which names the game by its row, if they do not fit the rules.
    """
    chosen = np.asarray(actions, np.int64)
    sizes = np.asarray(lengths, np.int64)
    starts, size = np.cumsum(sizes) - sizes, int(sizes.sum())
    num_bits = -(-engine.config.actions.size // 8)
    seen = _Rows((engine.config.features.size,), np.uint8) if observations else None
    bits = _Rows((num_bits,), np.uint8) if masks else None
    seats, kinds = _Rows((), np.int64), _Rows((), np.int64)
    gains = []
    for step in range(int(sizes.max(initial=0))):
        _check_ends(engine, sizes, step)
        rows = np.flatnonzero(sizes > step)
        places, some = starts[rows] + step, None if len(rows) == len(sizes) else rows
        seats.add(places, engine.seats[rows])
        kinds.add(places, engine.kinds[rows])
        if seen is not None:
            seen.add(places, engine.observe(rows=some))
        if bits is not None:
            bits.add(places, pack_masks(engine.legal_action_mask(some)))
        gains.append(_play_all(engine, chosen[places], rows, step))
    _check_ends(engine, sizes, int(sizes.max(initial=0)))
    games = np.repeat(np.arange(len(sizes)), sizes)
    steps = np.arange(size) - starts[games]
    of_seats = seats.joined(size)
    to_come = np.zeros((0, engine.num_games, engine.num_players))  # from each step to the end
    if gains:
        to_come = np.stack(gains)[::-1].cumsum(axis=0)[::-1]
    returns = to_come[steps, games, of_seats]
    rewards = _until_next(returns, games, of_seats)
    return Decisions(
        games=games,
        steps=steps,
        seats=of_seats,
        kinds=kinds.joined(size),
        actions=chosen,
        observations=None if seen is None else seen.joined(size),
        mask_bits=None if bits is None else bits.joined(size),
        rewards=rewards,
        returns=returns,
    )


class _Rows(Generic[ScalarT]):
    """Rows of an array that come in parts, so that memory follows what was played.

    The lengths of games may lie; what they claim is allocated when it has proved true.
    """

    def __init__(self, shape: tuple[int, ...], dtype: type[ScalarT]) -> None:
        self._shape, self._dtype = shape, dtype
        self._parts: deque[tuple[NDArray[np.int64], NDArray[ScalarT]]] = deque()

    def add(self, places: NDArray[np.int64], values: NDArray[ScalarT]) -> None:
        """Adds values for some places, [M] and [M, ...]."""
        self._parts.append((places, np.array(values, self._dtype)))

    def joined(self, size: int) -> NDArray[ScalarT]:
        """Returns all values in the order of their places, [size, ...], and drops the parts."""
        found = np.empty((size, *self._shape), self._dtype)
        while self._parts:
            places, values = self._parts.popleft()
            found[places] = values
        return found


def _check_ends(engine: AnyEngine, lengths: NDArray[np.int64], step: int) -> None:
    """Raises RecordError unless exactly the games without further actions are over."""
    over, ended = engine.seats < 0, lengths <= step
    if (wrong := over != ended).any():
        game = int(wrong.argmax())
        if over[game]:
            raise RecordError(f"game {game} is over after {step} of its {lengths[game]} actions")
        raise RecordError(f"game {game} is not over after its {lengths[game]} actions")


def _play_all(
    engine: AnyEngine, actions: NDArray[np.int64], rows: NDArray[np.int64], step: int
) -> NDArray[np.float64]:
    of_all = np.zeros(engine.num_games, np.int64)
    of_all[rows] = actions
    try:
        return engine.step(of_all).rewards
    except IllegalActionError as error:
        raise RecordError(f"game {error.game}, action {step}: {error}") from error
    except ActionError as error:
        raise RecordError(f"action {step}: {error}") from error


def _until_next(
    returns: NDArray[np.float64], games: NDArray[np.int64], seats: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Returns what a seat gains up to its next decision in the same game, [S]."""
    order = np.lexsort((seats, games))  # stable: each seat's decisions in the order of play
    sorted_returns = returns[order]
    same = (np.diff(games[order]) == 0) & (np.diff(seats[order]) == 0)
    later = np.append(np.where(same, sorted_returns[1:], 0), 0) if len(order) else sorted_returns
    rewards = np.empty_like(returns)
    rewards[order] = sorted_returns - later
    return rewards
