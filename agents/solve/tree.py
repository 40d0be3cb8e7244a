"""The whole tree of a small edition for two players, from one draw of the first round's fiefs.

A level holds the nodes of one depth; the children of a node stand together on the next level, in
the order of its actions::

    plans       both seats plan unseen by each other: a child for each pair, seat 0's plan first
    placement   the seat to act places, weds or donates
    draw        chance turns up the next round's fiefs, every pair as likely as any other

An information set is a node with the seat's own objective: O sets a node, or one where the edition
has no objectives. All else is public, and so is the draw of the first round: each draw is solved by
itself. The key of a set is a hash of the seat's observation, which in a game of two rounds holds
all that the seat has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board import bits
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import OBJECTIVE_POINTS
from gonzaga_env.core.state import SOURCES, State, held_bits
from gonzaga_env.kernel.errors import OptionError

from ..arrays import Floats, Indices, Masks, Observations

DRAW, PLANS, PLACEMENT = "draw", "plans", "placement"
_CHUNK = 4096  # nodes whose states are held at once, on each level
_LEAVES = 16_384  # leaves that are played at once
MOST_LEAVES = 40_000_000  # of one draw: some GB

Ask = Callable[[Observations, Masks], Floats]
"""Takes observations [M, D] and masks [M, A]; returns probabilities of the actions, [M, A]."""
Draw = tuple[int, int]
"""The fiefs (0 to 11) that the two seats turn up first."""


@dataclass(frozen=True)
class _Groups:
    """Items of the N nodes of a level, node by node."""

    num: Indices  #: number of items of each node, [N]

    @cached_property
    def starts(self) -> Indices:
        """The first of each node, [N]."""
        return np.cumsum(self.num) - self.num

    @cached_property
    def nodes(self) -> Indices:
        """The node of each."""
        return np.repeat(np.arange(len(self.num)), self.num)


@dataclass(frozen=True)
class Choices(_Groups):
    """The actions of one seat at the N nodes of a level, E in all."""

    seats: Indices  #: who chooses, [N]
    actions: NDArray[np.uint16]  #: node by node, [E]
    keys: NDArray[np.uint64]  #: of the information sets, [N, O]
    #: Probabilities of each action by objective, [E, O]; empty unless someone was asked.
    asked: NDArray[np.float32]


@dataclass(frozen=True)
class Level(_Groups):
    """The N nodes of one depth, and their C children."""

    kind: str  #: DRAW, PLANS or PLACEMENT
    choices: tuple[Choices, ...]  #: none, one, or those of seats 0 and 1

    @cached_property
    def chosen(self) -> tuple[Indices, ...]:
        """For each of the `choices`, which of its actions leads to each child, [C]."""
        if len(self.choices) < 2:
            return tuple(np.arange(len(self.nodes)) for _ in self.choices)
        first, second = self.choices
        within = np.arange(len(self.nodes)) - self.starts[self.nodes]
        num = second.num[self.nodes]
        return (
            first.starts[self.nodes] + within // num,
            second.starts[self.nodes] + within % num,
        )


@dataclass(frozen=True)
class Tree:
    """The levels, and the points at the L leaves."""

    levels: tuple[Level, ...]
    margins: NDArray[np.int16]  #: points of seat 0 less those of seat 1 without objectives, [L]
    #: Points of each seat for each objective that it may have, [L, 2, O].
    objective_points: NDArray[np.uint8]

    @property
    def num_objectives(self) -> int:
        """O."""
        return self.objective_points.shape[2]

    @property
    def num_histories(self) -> int:
        """Histories from the draw of the first fiefs on: leaves by pairs of objectives."""
        pairs = self.num_objectives * (self.num_objectives - 1)
        return len(self.margins) * max(1, pairs)

    @property
    def num_information_sets(self) -> int:
        """Information sets of both seats."""
        return sum(choices.keys.size for level in self.levels for choices in level.choices)


def check_solvable(config: object) -> None:
    """Raises OptionError unless a game has a tree of this kind (see above)."""
    if not isinstance(config, GameConfig) or not config.edition.is_small:
        raise OptionError("only small editions of Gonzaga can be solved, such as mini-a2")
    size, label = config.edition.size, config.edition.label
    if config.num_players != 2:
        raise OptionError(f"num_players is {config.num_players}; 2 players can be solved")
    if size.rounds > 2:
        raise OptionError(f"edition {label} has {size.rounds} rounds; at most 2 can be solved")
    if len(config.scenarios()) > 1:
        raise OptionError(f"edition {label} has several scenarios; name one to solve")


def draws_of(config: GameConfig) -> list[Draw]:
    """Returns the draws of the first round's fiefs, every one as likely."""
    fiefs = range(config.edition.size.fiefs)
    return list(product(fiefs, fiefs))


def build_tree(config: GameConfig, draw: Draw, ask: Ask | None = None) -> Tree:
    """Returns the tree from one draw on, with the probabilities that `ask` gives.

    Raises OptionError if it has more leaves than fit into memory.
    """
    builder = _Builder(config, ask)
    root = Engine.from_config(config, 1, autoreset=False)
    builder.grow(builder.engine(_turned_up(root.state.copy(), np.array([draw]))), 0)
    return builder.tree()


def keys_of(observations: Observations) -> NDArray[np.uint64]:
    """Returns a hash of each row [M, D], [M]; two of a million rows collide by 3e-8."""
    num = observations.shape[-1]
    words = np.zeros((*observations.shape[:-1], -(-num // 8) * 8), dtype=np.uint8)
    words[..., :num] = observations
    words = words.view("<u8")
    keys = np.full(words.shape[:-1], num, dtype=np.uint64)
    for i in range(words.shape[-1]):
        keys = (keys ^ words[..., i]) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys


def _turned_up(state: State, fiefs: Indices) -> State:
    """Puts fiefs [N, 2] on top of the decks in the place of those that lie there (R3.1)."""
    rows, top = np.arange(state.num_games), state.round - np.int64(1)
    for seat in range(2):
        deck = state.deck[:, seat]
        where = (deck == fiefs[:, seat, None]).argmax(axis=1)
        deck[rows, where], deck[rows, top] = deck[rows, top], fiefs[:, seat]
    return state


class _Builder:
    """Plays every action of every node, depth first, some thousand nodes at a time."""

    def __init__(self, config: GameConfig, ask: Ask | None) -> None:
        size = config.edition.size
        self._config, self._ask, self._num_fiefs = config, ask, size.fiefs
        self._num_objectives = len(config.edition.objectives) or 1
        of_round = (PLANS, PLACEMENT, PLACEMENT)
        self._kinds = (*of_round, *(size.rounds - 1) * (DRAW, *of_round))
        self._nums: list[list[Indices]] = [[] for _ in self._kinds]
        self._choices: list[tuple[list[Choices], ...]] = [([], []) for _ in self._kinds]
        self._leaves: list[tuple[NDArray[np.int16], NDArray[np.uint8]]] = []
        self._num_leaves = 0

    def engine(self, state: State) -> Engine:
        return Engine.from_state(self._config, state, copy=False, check=False, autoreset=False)

    def grow(self, engine: Engine, depth: int) -> None:
        """Adds the nodes of an engine and all nodes below them."""
        kind, is_last = self._kinds[depth], depth + 1 == len(self._kinds)
        children = {DRAW: self._draw, PLANS: self._plans, PLACEMENT: self._placement}
        nodes, steps = children[kind](engine, depth)
        self._nums[depth].append(np.bincount(nodes, minlength=engine.num_games))
        num = _LEAVES if is_last else _CHUNK
        for start in range(0, len(nodes), num):
            chunk = slice(start, start + num)
            state = engine.state.take(nodes[chunk])
            if kind == DRAW:
                self.grow(self.engine(_turned_up(state, steps[0][chunk])), depth + 1)
                continue
            child = self.engine(state)
            for actions in steps:
                child.step(actions[chunk])
            if is_last:
                self._end(child)
            else:
                self.grow(child, depth + 1)

    def _draw(self, engine: Engine, depth: int) -> tuple[Indices, tuple[Indices, ...]]:
        """Returns the node and the fiefs [C, 2] of each child."""
        left = slice(int(engine.state.round[0]) - 1, self._num_fiefs)
        first, second = (np.sort(engine.state.deck[:, seat, left], axis=1) for seat in range(2))
        num = first.shape[1]
        fiefs = np.stack([first.repeat(num, axis=1), np.tile(second, num)], axis=2)
        nodes = np.arange(engine.num_games).repeat(num * num)
        return nodes, (fiefs.reshape(-1, 2).astype(np.int64),)

    def _plans(self, engine: Engine, depth: int) -> tuple[Indices, tuple[Indices, ...]]:
        """Returns the node of each child, and the plans of both seats."""
        first = self._add(engine, depth, 0)
        sealed = engine.copy()
        sealed.step(first.actions[first.starts].astype(np.int64))  # any plan, which is not seen
        second = self._add(sealed, depth, 1)
        level = Level(first.num * second.num, PLANS, (first, second))
        plans = zip(level.choices, level.chosen, strict=True)
        return level.nodes, tuple(one.actions[at].astype(np.int64) for one, at in plans)

    def _placement(self, engine: Engine, depth: int) -> tuple[Indices, tuple[Indices, ...]]:
        """Returns the node and the action of each child."""
        choices = self._add(engine, depth, 0)
        return choices.nodes, (choices.actions.astype(np.int64),)

    def _add(self, engine: Engine, depth: int, index: int) -> Choices:
        """Adds and returns the choices of the seats to act."""
        masks = engine.legal_action_mask()
        nodes, actions = masks.nonzero()
        asked = np.zeros((0, self._num_objectives), dtype=np.float32)
        seen = [*self._seen(engine)]
        if self._ask is not None:
            found = [self._ask(observations, masks)[nodes, actions] for observations in seen]
            asked = np.stack(found, axis=1).astype(np.float32)
        choices = Choices(
            seats=engine.seats,
            num=masks.sum(axis=1),
            actions=actions.astype(np.uint16),
            keys=np.stack([keys_of(observations) for observations in seen], axis=1),
            asked=asked,
        )
        self._choices[depth][index].append(choices)
        return choices

    def _seen(self, engine: Engine) -> Iterator[Observations]:
        """Yields what the seats to act observe with each objective, [N, D]."""
        if self._num_objectives == 1:
            yield engine.observe()
            return
        state, rows, seats = engine.state.copy(), np.arange(engine.num_games), engine.seats
        for own in range(self._num_objectives):
            state.objective[rows, seats] = own
            state.objective[rows, 1 - seats] = (own + 1) % self._num_objectives
            yield self.engine(state).observe()

    def _end(self, engine: Engine) -> None:
        """Adds leaves."""
        state, tables = engine.state, engine.tables
        scores = state.scores.copy()
        scores[..., SOURCES.index("objective")] = 0
        totals = scores.sum(axis=2, dtype=np.int16)
        cities = tables.objective_bits[: self._num_objectives]
        held = bits.count(held_bits(state)[:, :, None] & cities)
        points = np.array(OBJECTIVE_POINTS, dtype=np.uint8)[held]
        self._leaves.append((totals[:, 0] - totals[:, 1], points))
        self._num_leaves += len(totals)
        if self._num_leaves > MOST_LEAVES:
            raise OptionError(
                f"edition {self._config.edition.label} is too large: more than {MOST_LEAVES:,} "
                "histories from one draw on"
            )

    def tree(self) -> Tree:
        margins, points = (np.concatenate(arrays) for arrays in zip(*self._leaves, strict=True))
        levels = (
            Level(np.concatenate(nums), kind, tuple(_joined(parts) for parts in choices if parts))
            for kind, nums, choices in zip(self._kinds, self._nums, self._choices, strict=True)
        )
        return Tree(tuple(levels), margins, points)


def _joined(parts: list[Choices]) -> Choices:
    """Returns choices of consecutive nodes as one."""
    names = ("num", "seats", "actions", "keys", "asked")
    return Choices(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
