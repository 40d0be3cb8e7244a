"""Solutions: a strategy of both seats and its value, in a file that says which game it is of.

The agent `equilibrium` plays them. What agents of any kind play can be asked for, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.config import OBSERVATIONS_VERSION, GameConfig
from gonzaga_env.kernel.agent import PROBABILITY, AgentError, Considered, is_uniform
from gonzaga_env.kernel.bounded import SOLUTION_BYTES

from ..agent import SizedAgent
from ..arrays import Doubles, Floats, Indices, Masks, Observations, read_arrays, save_arrays
from .strategy import Strategy, exploitability, reaches, solve_by_cfr, solve_by_induction
from .tree import Ask, Tree, build_tree, check_solvable, draws_of, keys_of

_SUM = 1e-6  # probabilities add up to 1 within this


@dataclass(frozen=True)
class Solution:
    """The probabilities of the actions of I information sets, sorted by key, E in all.

    Information sets that a seat's own actions never lead to are left out.
    """

    game: bytes  #: `game_digest` of the game
    value: float  #: for seat 0, in points
    exploitability: float  #: in points, as it was measured
    keys: NDArray[np.uint64]  #: `tree.keys_of` of the observations, [I]
    num: NDArray[np.uint16]  #: actions of each, [I]
    actions: NDArray[np.uint16]  #: [E]
    probabilities: Doubles  #: [E]

    def probabilities_of(self, observations: Observations, masks: Masks) -> Floats:
        """Returns the probabilities of all actions [M, A]; equal ones where it knows none."""
        keys = keys_of(observations)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found = masks / masks.sum(axis=1, keepdims=True)
        (rows,) = (self.keys[at] == keys).nonzero()
        found[rows] = 0
        num = self.num.astype(np.int64)
        starts = np.cumsum(num) - num
        of_row = num[at[rows]]
        within = np.arange(of_row.sum()) - np.repeat(np.cumsum(of_row) - of_row, of_row)
        entry = np.repeat(starts[at[rows]], of_row) + within
        found[np.repeat(rows, of_row), self.actions[entry]] = self.probabilities[entry]
        return found

    def save(self, path: Path) -> None:
        """Writes the solution to a file, completely or not at all."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        arrays["game"] = np.frombuffer(self.game, np.uint8)
        arrays["numbers"] = np.array([self.value, self.exploitability])
        save_arrays(path, arrays)

    @classmethod
    def load(cls, path: Path, config: GameConfig) -> Self:
        """Returns the solution of a file; raises AgentError if it is damaged or of another game."""
        arrays = read_arrays(path, SOLUTION_BYTES)
        fault = _fault(arrays, config)
        if fault:
            raise AgentError(f"{path}: {fault}")
        value, exploitability = arrays["numbers"].tolist()
        game = arrays["game"].tobytes()
        return cls(game, value, exploitability, *(arrays[name] for name in _ARRAYS))

    @classmethod
    def of(
        cls,
        game: bytes,
        value: float,
        exploitability: float,
        keys: NDArray[np.uint64],
        actions: NDArray[np.uint16],
        weights: Doubles,
    ) -> Self:
        """Returns the solution whose probabilities are in proportion to weights.

        Keys, actions and weights are listed in any order; weights of the same action of the same
        information set are added.
        """
        order = np.lexsort((actions, keys))
        keys, actions = keys[order], actions[order]
        is_new = np.append(True, (keys[1:] != keys[:-1]) | (actions[1:] != actions[:-1]))
        weights = np.add.reduceat(weights[order], is_new.nonzero()[0])
        keys, starts, counts = np.unique(keys[is_new], return_index=True, return_counts=True)
        probabilities = weights / np.add.reduceat(weights, starts).repeat(counts)
        num = counts.astype(np.uint16)
        return cls(game, value, exploitability, keys, num, actions[is_new], probabilities)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Returns the solution of a game from those of its draws, every one as likely."""
        return cls.of(
            parts[0].game,
            float(np.mean([part.value for part in parts])),
            float(np.mean([part.exploitability for part in parts])),
            np.concatenate([part.keys.repeat(part.num) for part in parts]),
            np.concatenate([part.actions for part in parts]),
            np.concatenate([part.probabilities for part in parts]),
        )


_ARRAYS = {"keys": "<u8", "num": "<u2", "actions": "<u2", "probabilities": "<f8"}


def _fault(arrays: dict[str, NDArray[Any]], config: GameConfig) -> str:
    """Returns what is wrong with the arrays of a file; "" if they are a solution of the game."""
    dtypes = {**_ARRAYS, "game": "|u1", "numbers": "<f8"}
    found = {name: array.dtype.str for name, array in arrays.items() if array.ndim == 1}
    if found != dtypes or len(arrays["numbers"]) != 2 or not len(arrays["keys"]):
        return "this is not a solution"
    if arrays["game"].tobytes() != game_digest(config):
        return f"this is the solution of another game than {config.summary}"
    keys, num, actions, chances = (arrays[name] for name in _ARRAYS)
    starts = np.cumsum(num, dtype=np.int64) - num
    if len(num) != len(keys) or not num.all() or num.sum(dtype=np.int64) != len(actions):
        return "the numbers of actions do not fit"
    if len(chances) != len(actions) or actions.max() >= config.actions.size:
        return "an action is not in the game"
    sums = np.add.reduceat(chances, starts)
    if (keys[1:] <= keys[:-1]).any() or chances.min() < 0 or abs(sums - 1).max() > _SUM:
        return "the probabilities do not add up to 1, or the keys are not sorted"
    return ""


def game_digest(config: GameConfig) -> bytes:
    """Returns the SHA-256 of what decides a game, and of what its strategies depend on."""
    played = {
        "edition": config.edition.digest,
        "scenario": config.edition.scenarios[int(config.scenarios()[0])].name,
        "rules": config.rules.as_dict(),
        "versions": [ACTIONS_VERSION, OBSERVATIONS_VERSION],
    }
    return sha256(json.dumps(played, sort_keys=True).encode()).digest()


def trimmed(tree: Tree, strategy: Strategy, least: float) -> Strategy:
    """Returns a strategy without actions of a lower probability."""
    found = []
    for level, both in zip(tree.levels, strategy, strict=True):
        kept = []
        for choices, given in zip(level.choices, both, strict=True):
            more = np.where(given < least, 0, given)
            kept.append(more / np.add.reduceat(more, choices.starts, axis=0)[choices.nodes])
        found.append(tuple(kept))
    return tuple(found)


def solution_of(
    config: GameConfig, tree: Tree, strategy: Strategy, value: float, exploitability: float
) -> Solution:
    """Returns a strategy on the tree of one draw as a solution.

    Once the plans of the second round are revealed, nobody sees those of the first any more. So
    several nodes may be one information set of a `Solution`, whose probabilities are their average,
    weighted by how often the seat's own choices lead there.
    """
    keys, actions, weights = [], [], []
    reached = [reaches(tree, strategy, seat) for seat in range(2)]
    for depth, (level, both) in enumerate(zip(tree.levels, strategy, strict=True)):
        for choices, given in zip(level.choices, both, strict=True):
            own = np.where(choices.seats[:, None], reached[1][depth], reached[0][depth])
            weight = own[choices.nodes] * given
            entries, objectives = weight.nonzero()
            keys.append(choices.keys[choices.nodes[entries], objectives])
            actions.append(choices.actions[entries])
            weights.append(weight[entries, objectives])
    flat = (np.concatenate(keys), np.concatenate(actions), np.concatenate(weights))
    return Solution.of(game_digest(config), value, exploitability, *flat)


_RARE, _ROUNDED = 1e-4, 1e-9  # less likely actions are left out; by rounding, exact ones are 1e-17
# Where objectives make an exact solution too large: points of exploitability to stop at, and
# iterations at most until then, for each draw of the first fiefs.
_ENOUGH, _ITERATIONS = 0.01, 20_000


def solve_draws(config: GameConfig, out: Path, on_share: Callable[[float], None]) -> Solution:
    """Solves a game draw by draw, and writes the solution.

    Each draw is kept in a file of its own until all are solved, so that another call continues.
    """
    draws, parts, paths = draws_of(config), list[Solution](), list[Path]()
    for i, draw in enumerate(draws):

        def on_draw(share: float, done: int = i) -> None:
            on_share((done + share) / len(draws))

        on_draw(0)
        kept = out.with_name(f"{out.name}.{draw[0] + 1}-{draw[1] + 1}.part")
        if not kept.is_file():
            _solve_draw(config, build_tree(config, draw), on_draw).save(kept)
        parts.append(Solution.load(kept, config))
        paths.append(kept)
    whole = Solution.joined(parts)
    whole.save(out)
    for path in paths:
        path.unlink()
    return whole


def _solve_draw(config: GameConfig, tree: Tree, on_share: Callable[[float], None]) -> Solution:
    """Returns the solution of one draw; its exploitability is that of what is kept."""
    if config.edition.objectives:
        value, strategy = solve_by_cfr(tree, _ENOUGH, _ITERATIONS, on_share)
        strategy = trimmed(tree, strategy, _RARE)
    else:
        value, strategy = solve_by_induction(tree)
        strategy = trimmed(tree, strategy, _ROUNDED)
    return solution_of(config, tree, strategy, value, exploitability(tree, strategy))


SHIPPED = Path(__file__).parent / "solutions"
MADE = Path("runs/solve")  # where the command writes by default


class EquilibriumAgent(SizedAgent):
    """Draws its actions from an optimal strategy, which nobody can beat in the long run.

    It plays small editions whose solution ships; for others it takes the one in `runs/solve`, and
    its name says so. In positions that its own actions never lead to it draws any legal action.
    """

    name = "equilibrium"

    def __init__(self, config: GameConfig) -> None:
        """Loads the solution; raises OptionError or AgentError if there is none."""
        super().__init__(config)
        check_solvable(config)
        file = solution_file(config)
        if file.parent == MADE:
            self.name = f"{self.name} ({file})"
        #: Returns the probabilities of all actions [M, A] for observations and masks.
        self.probabilities = Solution.load(file, config).probabilities_of

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        chances = self.probabilities(observations, masks).cumsum(axis=1)
        drawn = rng.random(len(masks))[:, None] * chances[:, -1:]
        return np.asarray((chances > drawn).argmax(axis=1))

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        chances = self.probabilities(observation[None], mask[None])[0]
        return Considered.ranked(mask, chances, PROBABILITY)


def file_name(config: GameConfig) -> str:
    """Returns the name of the file of a game's solution."""
    return f"{Path(config.edition.label).name}.npz"


def solution_file(config: GameConfig) -> Path:
    """Returns the file of a game's solution: the one that ships, else one that was made here."""
    for folder in (SHIPPED, MADE):
        if (folder / file_name(config)).is_file():
            return folder / file_name(config)
    label = config.edition.label
    raise AgentError(f"there is no solution of edition {label}; gonzaga solve {label} makes one")


def ask_of(agent: Any) -> Ask:
    """Returns a function that gives the probabilities of an agent's actions.

    They are exact for agents that say them (by `probabilities` or `evaluate`), draw uniformly, or
    draw nothing. Others are asked once each position, so what is measured is one strategy among
    those that they may play.
    """
    if callable(getattr(agent, "probabilities", None)):
        return agent.probabilities
    if callable(getattr(agent, "evaluate", None)):
        return lambda observations, masks: agent.evaluate(observations, masks).probabilities
    if is_uniform(agent.act):
        return lambda observations, masks: masks / masks.sum(axis=1, keepdims=True)
    rng = np.random.default_rng(0)
    return lambda observations, masks: np.eye(masks.shape[1])[agent.act(observations, masks, rng)]
