"""Solves small editions of Signorie from sampled deals, each exactly.

In Signorie everybody sees all that matters (S13.1), so after the deal it is a game of perfect
information with chance, solved by backward induction. There are far too many deals to walk through
all, so the value of the game is a mean over deals, with an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.intervals import mean_interval
from gonzaga_env.kernel.chance import event_words, stream_starts
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.text_table import text_table
from gonzaga_env.progress import OnProgress
from gonzaga_env.signorie import Engine, GameConfig
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.state import State

from ..arrays import Doubles, Indices
from .tree import Ask, keys_of

_CHUNK = 16_384  # actions that are played at once
_LOOKED_AT = 4096  # events of chance among which both sexes surely come up
MOST_POSITIONS = 1_000_000  # of one deal


@dataclass(frozen=True)
class Level:
    """The N positions that some number of decisions leads to, and their E actions in all."""

    seats: Indices  #: who decides, [N]; -1 where the game is over
    margins: NDArray[np.int64]  #: points of the first player less those of the second, [N]
    num: Indices  #: actions of each position, [N]; 0 where the game is over
    after: Indices  #: positions of the next level, by outcome of an offspring die (S8.3), [E, 2]
    asked: Mapping[str, Doubles]  #: probabilities of the actions, [E], by who was asked


Asks = Mapping[str, Ask]
Play = Callable[[Level, Doubles], Doubles]
"""Takes a level and the values of its actions for the first player, [E]; returns how likely each
is, [E]."""


@dataclass(frozen=True)
class Positions:
    """All positions that a deal leads to, level by level; equal ones of a level count once."""

    first: int  #: the seat that is first in the turn order of the deal
    levels: tuple[Level, ...]

    @property
    def num(self) -> int:
        """The number of positions."""
        return sum(len(level.num) for level in self.levels)

    @property
    def num_decisions(self) -> int:
        """The number of positions in which somebody decides."""
        return sum(int((level.num > 0).sum()) for level in self.levels)


def check_public(config: GameConfig) -> None:
    """Raises OptionError unless a game can be solved from its deals (see above)."""
    label, rounds = config.edition.name, config.edition.num_rounds
    if config.num_players != 2:
        raise OptionError(f"num_players is {config.num_players}; 2 players can be solved")
    if rounds > 1:  # a second round rolls all dice, and brides add offspring dice
        raise OptionError(f"edition {label} has {rounds} rounds; 1 can be solved, as of mini")


def walk(config: GameConfig, seed: int, asks: Asks = MappingProxyType({})) -> Positions:
    """Returns all positions that the deal of a seed leads to.

    Agents that are asked are named in `Level.asked`. Raises OptionError if there are more than
    `MOST_POSITIONS`, or one decision asks chance twice.
    """
    state = Engine.from_config(config, 1, seed, autoreset=False).state
    first, levels, total = int(state.order[0, 0]), list[Level](), 0
    while state.num_games:
        level, state = _level(config, state, first, asks)
        levels.append(level)
        total += len(level.num)
        if total > MOST_POSITIONS:
            label = config.edition.name
            raise OptionError(f"edition {label} is too large: more than {total:,} positions")
    return Positions(first, tuple(levels))


def _level(config: GameConfig, state: State, first: int, asks: Asks) -> tuple[Level, State]:
    """Returns the level of some positions, and the positions after them."""
    engine = _engine(config, state)
    masks = engine.legal_action_mask()
    nodes, actions = masks.nonzero()
    decides = np.asarray(masks.any(axis=1))
    deciding = np.flatnonzero(decides)
    seen = engine.observe()[deciding]
    places = np.cumsum(decides) - 1  # of positions among those where somebody decides
    asked = {
        name: np.asarray(ask(seen, masks[deciding])[places[nodes], actions], np.float64)
        if len(nodes)
        else np.zeros(0)
        for name, ask in asks.items()
    }
    keys, parts = [], []
    for start in range(0, len(nodes), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        for event in _offspring_events(state):
            then = _engine(config, state.take(nodes[chunk]))
            then.state.event[:] = event
            then.step(actions[chunk])
            if (then.state.event > event + 1).any():
                name = config.edition.name
                raise OptionError(f"edition {name} has decisions that ask chance more than once")
            keys.append(keys_of(then.observe(first)))
            parts.append((then.state, len(nodes[chunk])))
    totals = state.totals.astype(np.int64)
    margins = totals[:, first] - totals[:, 1 - first]
    if not keys:
        after, following = np.zeros((0, 2), np.int64), state.take(np.zeros(0, np.int64))
    else:
        _, found, after = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
        # what stands chunk by chunk, each outcome after the other, as [E, 2]
        pieces = np.split(after, np.cumsum([num for _, num in parts])[:-1])
        pairs = range(0, len(pieces), 2)
        after = np.concatenate([np.stack(pieces[i : i + 2], axis=1) for i in pairs])
        following = State.concatenate([part for part, _ in parts]).take(found)
    level = Level(engine.seats, margins, masks.sum(axis=1), after, asked)
    return level, following


def _engine(config: GameConfig, state: State) -> Engine:
    return Engine.from_state(config, state, copy=False, check=False, autoreset=False)


def _offspring_events(state: State) -> tuple[int, int]:
    """Returns events at which a die that is rolled next shows a female and a male."""
    start = stream_starts(state.seed[:1], state.episode[:1])
    faces = event_words(start, np.arange(_LOOKED_AT)) % np.uint64(c.NUM_FACES)
    is_male = faces >= c.NUM_FACES // 2
    return int(is_male.argmin()), int(is_male.argmax())


def solve(positions: Positions) -> tuple[float, list[Doubles]]:
    """Returns by how many points the first player wins a deal, and an optimal strategy.

    The strategy is one action of each position: its probabilities, [E] of each level.
    """
    strategy = list[Doubles]()

    def play(level: Level, values: Doubles) -> Doubles:
        sign = np.where(level.seats == positions.first, 1, -1)[_nodes(level)]
        strategy.append(_first_best(level, sign * values))
        return strategy[-1]

    value = _value(positions, play)
    return value, strategy[::-1]


def best_response(positions: Positions, strategy: list[Doubles], seat: int) -> float:
    """Returns the most points that a seat can win by against a strategy of the other one."""
    left = list(strategy)
    sign = 1 if seat == positions.first else -1

    def play(level: Level, values: Doubles) -> Doubles:
        own = (level.seats == seat)[_nodes(level)]
        return np.where(own, _first_best(level, sign * values), left.pop())

    return sign * _value(positions, play)


def exploitability(positions: Positions, strategy: list[Doubles]) -> float:
    """Returns what best responses win by, in points, on average over both seats; 0 is optimal."""
    return sum(best_response(positions, strategy, seat) for seat in range(2)) / 2


def asked_strategy(positions: Positions, name: str) -> list[Doubles]:
    """Returns the strategy of an agent that `walk` asked."""
    return [level.asked[name] for level in positions.levels]


def likeliest(positions: Positions, strategy: list[Doubles]) -> list[Doubles]:
    """Returns the strategy that always plays the likeliest action, the first of equal ones."""
    pairs = zip(positions.levels, strategy, strict=True)
    return [_first_best(level, given) for level, given in pairs]


def report(config: GameConfig, asks: Asks, deals: int, on_progress: OnProgress) -> str:
    """Returns the values of deals, and how exploitable agents are on them, in words.

    The deals are those of the seeds from 0 on.
    """
    values, nums, lost = list[float](), list[int](), dict[str, list[list[float]]]()
    for deal in range(deals):
        on_progress(deal / deals, 1)
        positions = walk(config, deal, asks)
        value, strategy = solve(positions)
        values.append(value)
        nums.append(positions.num_decisions)
        lost.setdefault("equilibrium", []).append([exploitability(positions, strategy)] * 2)
        for name in asks:
            played = asked_strategy(positions, name)
            both = played, likeliest(positions, played)
            lost.setdefault(name, []).append([exploitability(positions, one) for one in both])
    margin = mean_interval(np.array(values))
    lines = [
        f"{config.edition.name}, each of {deals} deals exactly: {np.mean(nums):,.0f} decisions a "
        f"deal ({min(nums):,} to {max(nums):,})",
        f"the first player wins by {margin.text('.2f')} points; deals {min(values):.1f} to "
        f"{max(values):.1f}",
    ]
    rows = [["exploitability in points", "sampled", "likeliest action"]]
    for name, pairs in lost.items():
        rows.append([name, *(mean_interval(column).text(".2f") for column in np.array(pairs).T)])
    return "\n".join([*lines, *text_table(rows)])


def _nodes(level: Level) -> Indices:
    return np.repeat(np.arange(len(level.num)), level.num)


def _first_best(level: Level, values: Doubles) -> Doubles:
    """Returns 1 for the first action of the most value in each position, else 0, [E]."""
    if not len(values):
        return np.zeros(0)
    nodes, deciding = _nodes(level), level.num > 0
    starts = (np.cumsum(level.num) - level.num)[deciding]
    best = np.full(len(level.num), -np.inf)
    best[deciding] = np.maximum.reduceat(values, starts)
    places = np.where(values >= best[nodes] - 1e-9, np.arange(len(values)), len(values))
    chosen = np.zeros(len(values))
    chosen[np.minimum.reduceat(places, starts)] = 1
    return chosen


def _value(positions: Positions, play: Play) -> float:
    """Returns by how many points the first player wins if actions are played as given."""
    values = np.zeros(0)
    for level in reversed(positions.levels):
        of_actions = values[level.after].mean(axis=1)
        summed = np.bincount(_nodes(level), play(level, of_actions) * of_actions, len(level.num))
        values = np.where(level.num > 0, summed, level.margins)
    return float(values[0])
