"""Learns the value that search ships with.

    python -m gonzaga_agents.training.search_value --players 4 --out runs/value-4

Two generations: games of planners with noise give a first value; games of searches with that value
show the positions that search itself reaches. The value is fitted to the outcomes of both. With
`--policy` it is fitted to games of a trained policy instead, which is the value that the policy
ships with. Needs the extra "train".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.state import PLAN
from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.tabletop.bounded import MIB
from gonzaga_env.tabletop.errors import OptionError

from ..common.array_files import read_arrays, save_arrays
from ..common.arrays import Arrays
from ..common.command_line import parse
from ..gonzaga.candidates import Indices
from ..gonzaga.features import FeatureReader
from ..gonzaga.heuristic import IMMEDIATE
from ..gonzaga.planner import PLANNED
from ..gonzaga.playouts import Playouts
from ..gonzaga.search import SearchAgent
from ..gonzaga.value import HIDDEN, Value
from ..network.agent import NetworkAgent
from ..network.checkpoint import load_agent
from ..search.budget import Budget
from ..search.promise import collect
from ..units.options import ExecutorOptions, Workers
from ..units.play import play_units
from ..units.work import Executor, Report, nothing

# Every fifth part plays other options (R6.3, R7.3), so that the value knows them too.
_OTHER_RULES = (Rules("first_only", 6), Rules("each_player", 1), Rules("first_only", 9))
_EXPLORATION = 0.08  # share of decisions that a noisy planner takes from a search
_BATCH = 1024
_MOST_PART = 2048 * MIB


@dataclass(frozen=True)
class Arguments(ExecutorOptions):
    """Learns a value for search from games that it plays.

    Examples:
        python -m gonzaga_agents.training.search_value --players 2 --out runs/value
    """

    players: int = 4
    """Players."""
    out: Path = Path("runs/value")
    """Folder of the games' positions and of the value; the same command continues an old run."""
    planner_parts: int = 20
    """Parts of 2,048 games of planners."""
    search_parts: int = 12
    """Parts of 512 games of searches."""
    playouts: int = 32
    """Playouts of a search for each decision."""
    policy: str | None = None
    """A checkpoint or a run's folder, whose games take the place of both."""
    policy_parts: int = 20
    """Parts of 2,048 games of this policy."""
    epochs: int = 8
    """Passes over the positions."""
    seed: int = 0
    """Decides everything."""
    game: str = DEFAULT_GAME
    """The game: gonzaga; the values of others are fitted by gonzaga_agents.search.fit_value."""
    workers: Workers = field(default=None, kw_only=True)
    """How many parts are played at the same time (1)."""


Policy = Callable[[Engine, Indices, np.random.Generator], Indices]
"""Chooses for the seats to act in some games of an engine: `(engine, games, rng) -> actions`."""


def exploring_search(config: GameConfig, playouts: int, value: Value) -> Policy:
    """Returns a search of which a noisy planner takes some decisions."""
    search = SearchAgent(config, Budget(playouts), value=value)

    def choose(engine: Engine, games: Indices, rng: np.random.Generator) -> Indices:
        return search.act(engine.observe(rows=games), engine.legal_action_mask(games), rng)

    return _exploring(config, choose, _EXPLORATION)


def exploring_policy(agent: NetworkAgent) -> Policy:
    """Returns a policy that draws its actions, of which a noisy planner takes some."""
    agent.deterministic = False

    def choose(engine: Engine, games: Indices, rng: np.random.Generator) -> Indices:
        return agent.act_in(engine, games, engine.seats[games], rng)

    return _exploring(agent.config, choose, _EXPLORATION / 2)


def _exploring(config: GameConfig, policy: Policy, share: float) -> Policy:
    """Returns a policy of which a noisy planner takes a share of the decisions."""
    planner = Playouts(config, PLANNED, 0.6)

    def choose(engine: Engine, games: Indices, rng: np.random.Generator) -> Indices:
        actions = policy(engine, games, rng)
        explored = (rng.random(len(games)) < share).nonzero()[0]
        if len(explored):
            actions[explored] = planner.choose(engine, games[explored], rng)
        return actions

    return choose


@dataclass(frozen=True)
class Positions(Arrays):
    """L positions between rounds, and how their games ended."""

    own: NDArray[np.float32]  # features of each player, [L, P, NUM_OWN]
    shared: NDArray[np.float32]  # features of the game, [L, NUM_SHARED]
    shares: NDArray[np.float32]  # each player's share of the victory, [L, P]


def play(
    config: GameConfig,
    policies: Sequence[Policy],
    chances: Sequence[float],
    num_games: int,
    seed: int,
) -> Positions:
    """Plays games and returns all their positions between rounds.

    Args:
        config: what is played.
        policies: who fills the seats.
        chances: how probable each policy is on a seat.
        num_games: N.
        seed: decides everything.
    """
    rng = np.random.default_rng(seed)
    seeds = rng.integers(2**53, size=num_games, dtype=np.uint64)
    engine = Engine.from_config(config, num_games, seed=seeds, autoreset=False)
    seating = rng.choice(len(policies), size=(num_games, config.num_players), p=chances)
    reader = FeatureReader(config.tables, config.rules)

    def begins(live: Indices) -> Indices:  # a round
        state = engine.state
        return live[(state.phase[live] == PLAN) & (state.num_acted[live] == 0)]

    def choose_all(live: Indices) -> Indices:
        actions, players = np.zeros(len(live), np.int64), seating[live, engine.seats[live]]
        for index, choose in enumerate(policies):
            own = (players == index).nonzero()[0]
            if len(own):
                actions[own] = choose(engine, live[own], rng)
        return actions

    (own, shared), shares, _ = collect(engine, begins, reader.read, choose_all)
    return Positions(own, shared, shares)


@dataclass(frozen=True)
class Part:
    """Games of a generation that are played together (see `units.play.Unit`)."""

    kind: str  # "planner", "search" or "policy"
    number: int  # from 0
    arguments: Arguments  # what is learned
    source: Path | None = None  # the file of the value or the policy that plays; None for planners

    @property
    def path(self) -> Path:
        """The file of the part's positions."""
        return self.arguments.out / f"{self.kind}_{self.number:03d}.npz"

    @property
    def seed(self) -> int:
        """Decides the part."""
        generation = ("planner", "search", "policy").index(self.kind) + 1
        words = [self.arguments.seed, self.arguments.players, generation, self.number]
        return int(np.random.SeedSequence(words).generate_state(1)[0])

    @property
    def config(self) -> GameConfig:
        """What is played."""
        others = self.number % 5 == 4
        rules = _OTHER_RULES[self.number // 5 % len(_OTHER_RULES)] if others else Rules()
        return GameConfig(self.arguments.players, rules=rules)

    @property
    def num_games(self) -> int:
        """Games of the part; a search takes longer."""
        return 512 if self.kind == "search" else 2048

    def play(self, _on_progress: Report = nothing) -> Positions:
        """Returns the positions of the part."""
        chances: Sequence[float] = (1.0,)
        config, source = self.config, self.source
        if source is None:
            noisy = [(PLANNED, 0.05), (PLANNED, 0.5), (PLANNED, 1.2), (IMMEDIATE, 0.3)]
            policies: list[Policy] = [Playouts(config, *each).choose for each in noisy]
            chances = 0.5, 0.35, 0.08, 0.07
        elif self.kind == "search":
            value = Value.load(config, source)
            policies = [exploring_search(config, self.arguments.playouts, value)]
        else:
            policies = [exploring_policy(load_agent(source, config))]
        return play(config, policies, chances, self.num_games, self.seed)


def fit(parts: Sequence[Positions], epochs: int, seed: int) -> dict[str, NDArray[np.float32]]:
    """Returns the value's arrays, fitted to the outcomes by cross-entropy.

    The last part is held out; the cross-entropy on it is printed.
    """
    positions = Positions.concatenate(parts)
    torch.manual_seed(seed)
    inputs = _inputs(torch.as_tensor(positions.own), torch.as_tensor(positions.shared))
    shares = torch.as_tensor(positions.shares)
    flat = inputs.reshape(-1, inputs.shape[2])
    mean, scale = flat.mean(dim=0), flat.std(dim=0) + 1e-3
    inputs = (inputs - mean) / scale
    linear, network = _new_network(len(mean))
    held_out = len(parts[-1].own)
    learned, tested = slice(0, len(inputs) - held_out), slice(len(inputs) - held_out, None)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-4)
    num_steps = epochs * (learned.stop // _BATCH)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, num_steps)
    for epoch in range(epochs):
        shuffled = torch.randperm(learned.stop)
        for start in range(0, learned.stop - _BATCH + 1, _BATCH):
            rows = shuffled[start : start + _BATCH]
            optimizer.zero_grad()
            _loss(network, inputs[rows], shares[rows]).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            loss = float(_loss(network, inputs[tested], shares[tested]))
        print(f"epoch {epoch + 1}: cross-entropy {loss:.4f} on positions held out", flush=True)
    return _arrays(linear, mean, scale)


def _new_network(size: int) -> tuple[list[nn.Linear], nn.Module]:
    """Returns the value in torch, as linear layers and as a network of scaled inputs."""
    linear = [nn.Linear(size, after) for size, after in pairwise([size, *HIDDEN, 1])]
    layers = [module for layer in linear for module in (layer, nn.ReLU())]
    return linear, nn.Sequential(*layers[:-1])


@torch.no_grad()
def _arrays(
    linear: Sequence[nn.Linear], mean: Tensor, scale: Tensor
) -> dict[str, NDArray[np.float32]]:
    """Returns the arrays of `Value`, with the scaling of inputs folded into the first layer."""
    weights = [layer.weight.T.clone() for layer in linear]
    biases = [layer.bias.clone() for layer in linear]
    weights[0] /= scale[:, None]
    biases[0] -= mean @ weights[0]
    arrays = {f"w{i}": weight.numpy() for i, weight in enumerate(weights)}
    return arrays | {f"b{i}": bias.numpy() for i, bias in enumerate(biases)}


def _inputs(own: Tensor, shared: Tensor) -> Tensor:
    """Returns features of each player, means and maxima of the others, and the game, [L, P, I]."""
    num_players = own.shape[1]
    mean = (own.sum(dim=1, keepdim=True) - own) / (num_players - 1)
    seats = range(num_players)
    highest = [own[:, [i for i in seats if i != seat]].amax(dim=1) for seat in seats]
    game = shared[:, None].expand(-1, num_players, -1)
    return torch.cat([own, mean, torch.stack(highest, dim=1), game], dim=2)


def _loss(network: nn.Module, inputs: Tensor, shares: Tensor) -> Tensor:
    return -(shares * network(inputs)[..., 0].log_softmax(dim=1)).sum(dim=1).mean()


def learn(arguments: Arguments) -> Path:
    """Plays both generations, fits the value and returns its file.

    Raises:
        OptionError: there is too little to learn from.
    """
    if (game := game_spec(arguments.game).name) != DEFAULT_GAME:
        raise OptionError(
            f"game is {game!r}; this learns the value of Gonzaga's search, and python -m "
            f"gonzaga_agents.search.fit_value --game {game} fits those of other games"
        )
    lowest = {"planner_parts": 2, "search_parts": 0, "playouts": 1, "epochs": 1, "seed": 0}
    for name, least in (lowest | {"policy_parts": 2}).items():
        if getattr(arguments, name) < least:
            raise OptionError(f"{name} is {getattr(arguments, name)}; it takes {least} or more")
    arguments.out.mkdir(parents=True, exist_ok=True)
    with arguments.open_other() as executor:
        return _learn(arguments, executor)


def _learn(arguments: Arguments, executor: Executor | None) -> Path:
    first, last = arguments.out / "first.npz", arguments.out / f"players_{arguments.players}.npz"
    if arguments.policy is not None:
        played = _parts(arguments, "policy", executor, Path(arguments.policy))
        save_arrays(last, fit(played, arguments.epochs, arguments.seed))
        return last
    planned = _parts(arguments, "planner", executor)
    if not first.exists():
        save_arrays(first, fit(planned, arguments.epochs, arguments.seed))
    searched = _parts(arguments, "search", executor, first)
    save_arrays(last, fit([*planned, *searched], arguments.epochs, arguments.seed))
    return last


def _parts(
    arguments: Arguments, kind: str, executor: Executor | None, source: Path | None = None
) -> list[Positions]:
    """Returns the parts of one kind; those that are there already are not played again."""
    numbers = range(getattr(arguments, f"{kind}_parts"))
    parts = [Part(kind, number, arguments, source) for number in numbers]
    missing = [part for part in parts if not part.path.exists()]
    with closing(play_units(missing, executor)) as playing:
        for part, positions in playing:
            save_arrays(part.path, vars(positions))
            print(f"wrote {part.path}: {len(positions.own)} positions", flush=True)
    return [_load(part.path) for part in parts]


def _load(path: Path) -> Positions:
    arrays = read_arrays(path, _MOST_PART)
    if arrays.keys() != {field.name for field in fields(Positions)}:
        raise OptionError(f"{path}: holds no positions; delete it to play them again")
    return Positions(**arrays)


def main() -> int:
    """Runs the command and returns its exit code, 0.

    Raises:
        GameError: an argument has a value that it does not take, or a file is broken.
    """
    print(f"wrote {learn(parse(Arguments))}")
    return 0
