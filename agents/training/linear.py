"""Learning without gradients: weights of facts from self-play, by regression.

A batch of games is played by the policy in all seats, which draws choices by a softmax of their
scores. Each seat's game is cut into periods, such as rounds or turns (`FactReader.OPENING`). The
advantage of a period is how much better it went than a critic had expected, in points ahead of the
mean of the others. The critic sees what is hidden, and what the choices are worth. The weights are
then those that explain advantages best::

    advantage  ~  sum over the period's decisions, facts and bases of
                  weight * (fact of the choice - mean fact by the policy) * base

This is a ridge regression, solved at once. It looks at the last quarter of all batches, and is
pulled towards the last weights. What is compared are centred facts, so the solution is that of the
natural policy gradient (Kakade, 2001) with compatible features, in one step. The softmax begins
hot and cools, as a share of the spread of advantages, so it is the same for games of any scale.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Config, Engine

from ..arrays import Doubles, Floats, Indices
from ..heuristics.facts import Critic, FactReader, LinearPolicy, parabola
from ..heuristics.linear import LEAST_TEMPERATURE, fact_reader
from .setup import PresetName

NUM_GAMES = 256
TIMESTEPS: dict[PresetName, int] = {"quick": 1_300_000, "standard": 3_900_000}
_HALVINGS = 5.0  # of the temperature's difference from the last one, over the run
_WINDOW, _LEAST_WINDOW = 0.25, 8.0  # batches that count: a share of all, and at least so many
_PULL, _CRITIC_PULL = 3.0, 10.0  # of the ridge: towards the last weights, towards 0
_NEWTON_STEPS = 3  # of a batch, of how sharp chances are
_UNTRAINED = 1  # the first batches, in which the critic is not used


class Batch(NamedTuple):
    """The periods of a batch of games; those of one seat are in their order."""

    players: Indices  # game * P + seat of each, [T]
    games: Indices  # of the positions in which periods open, [K]
    positions: Floats  # what the critic that is kept sees there of all seats, [K, P, D']
    progress: Floats  # how far the games have come there, [K]
    situations: Floats  # [T, D]
    chosen: Floats  # sums over decisions of centred facts times bases, [T, F * B]
    margins: Floats  # points ahead at the end, by game * P + seat, [N * P]
    num_turns: int  # decisions
    entropy: float  # mean over decisions, in nats
    shares: Floats  # of the victory, [N, P]


class _Regression:
    """A ridge regression over batches, of which older ones count less and less."""

    def __init__(self, size: int, pull: float) -> None:
        self._squares: Doubles = np.zeros((size, size))
        self._products: Doubles = np.zeros(size)
        self._pull = pull
        self.weights: Doubles = np.zeros(size)

    def learn(self, inputs: Floats, targets: Floats, keep: float, towards: Doubles | float) -> None:
        """Adds a batch, [T, size] and [T], keeps a part of what came before, and solves."""
        self._squares = self._squares * keep + inputs.T @ inputs
        self._products = self._products * keep + inputs.T @ targets
        pulled = self._squares + self._pull * np.eye(len(self._products))
        pulls = self._products + self._pull * towards
        self.weights = np.linalg.solve(pulled, pulls).astype(np.float64)


class Learner:
    """The learning of one policy.

    Attributes:
        config: what is played.
        policy: what it has learned so far.
        critic: what its games say of positions.
        turns: decisions so far.
    """

    def __init__(
        self, config: Config, *, timesteps: int, seed: int, num_games: int = NUM_GAMES
    ) -> None:
        """Takes what is played, for how many turns in all, and how many games make a batch.

        Raises:
            AgentError: the game has no facts.
        """
        self.config, self._reader = config, fact_reader(config)
        self._num_games, self._timesteps = num_games, timesteps
        self._rng = np.random.default_rng(seed)
        names, bases = self._reader.NAMES, self._reader.BASES
        weights = np.zeros((len(names), len(bases)), np.float32)
        for name, weight in self._reader.START.items():
            weights[names.index(name), 0] = weight
        self.policy, self.turns = LinearPolicy(weights), 0
        self._actor = _Regression(weights.size, _PULL)
        self._actor.weights = weights.reshape(-1).astype(np.float64)
        self._critic: _Regression | None = None
        self._kept: _Regression | None = None
        self._sharpness: Doubles = np.zeros(3)
        self._num_batches = 0

    @property
    def critic(self) -> Critic:
        """What its games say of positions, without what choices are worth; after an update."""
        assert self._kept is not None
        return Critic(self._kept.weights.astype(np.float32), self._sharpness.astype(np.float32))

    @property
    def is_done(self) -> bool:
        """Whether all turns are played."""
        return self.turns >= self._timesteps

    def update(self) -> dict[str, float]:
        """Plays a batch, learns from it, and returns figures."""
        batch = _Games(self._reader, self.policy, self._num_games, self._rng).play()
        self.turns += batch.num_turns
        self._num_batches += 1
        keep = 1 - 1 / max(_WINDOW * self._num_batches, _LEAST_WINDOW)
        targets = batch.margins[batch.players]
        inputs = np.pad(batch.situations, ((0, 0), (0, 1)), constant_values=1)
        if self._critic is None:
            self._critic = _Regression(inputs.shape[1], _CRITIC_PULL)
        values = (inputs @ self._critic.weights).astype(np.float32)
        trace = self._reader.TRACE if self._num_batches > _UNTRAINED else 1.0
        gained = advantages(batch.players, values, targets, trace)
        self._actor.learn(batch.chosen, gained, keep, self._actor.weights)
        self._critic.learn(inputs, targets, keep, 0.0)
        self._learn_chances(batch, keep)
        spread = float(gained.std())
        cooled = 0.5 ** (_HALVINGS * self.turns / self._timesteps)
        first, last = self._reader.TEMPERATURES
        temperature = max(spread * (last + (first - last) * cooled), LEAST_TEMPERATURE)
        weights = self._actor.weights.reshape(self.policy.weights.shape).astype(np.float32)
        self.policy = LinearPolicy(weights, temperature)
        return {
            "spread": spread,
            "temperature": temperature,
            "entropy": batch.entropy,
            "explained_variance": 1 - float(np.var(targets - values) / max(np.var(targets), 1e-9)),
        }

    def _learn_chances(self, batch: Batch, keep: float) -> None:
        """Fits the critic that is kept, and then how sharp chances are in its points."""
        seen, num_players = batch.positions, batch.positions.shape[1]
        margins = batch.margins.reshape(-1, num_players)[batch.games].reshape(-1)
        if self._kept is None:
            self._kept = _Regression(seen.shape[2], _CRITIC_PULL)
        self._kept.learn(seen.reshape(len(margins), -1), margins, keep, 0.0)
        expected = (seen @ self._kept.weights).astype(np.float32)
        shares, late = batch.shares[batch.games], parabola(batch.progress)
        for _ in range(_NEWTON_STEPS):
            chances = self.critic.chances(expected, batch.progress)
            mean = (chances * expected).sum(axis=1)
            slope = late @ ((shares * expected).sum(axis=1) - mean)
            spread = (chances * expected**2).sum(axis=1) - mean**2
            self._sharpness += np.linalg.solve((late * spread) @ late.T + np.eye(3), slope)


class _Games:
    """N games in which a policy has all seats, from the deal to the end; `rng` decides all."""

    def __init__(
        self, reader: FactReader, policy: LinearPolicy, num_games: int, rng: np.random.Generator
    ) -> None:
        spec, config = game_spec(reader.config.game), reader.config
        self._reader, self._policy, self._rng = reader, policy, rng
        seeds = rng.integers(2**53, size=num_games)
        self._engine: Engine = spec.engine.from_config(
            config, num_games, seed=seeds, autoreset=False
        )
        self._opening = [spec.kinds.index(kind) for kind in reader.OPENING]
        self._sealed = [spec.kinds.index(kind) for kind in spec.sealed]
        shape = num_games, config.num_players
        self._actions = np.zeros(shape, np.int64)
        self._asked = np.zeros(shape, np.bool_)  # who has decided, perhaps before its turn
        self._period = np.full(shape, -1)  # the row of the period that is open
        self._players: list[Indices] = []
        self._situations: list[Floats] = []
        # games, what the critic that is kept sees, and progress
        self._positions: list[tuple[Indices, Floats, Floats]] = []
        # periods, columns of facts, centred facts and bases
        self._credits: list[tuple[Indices, slice, Floats, Floats]] = []
        self._num_periods = self._num_turns = 0
        self._entropy = 0.0

    def play(self) -> Batch:
        """Plays to the end."""
        engine = self._engine
        while len(games := np.flatnonzero((acting := engine.seats) >= 0)):
            seats = acting[games]
            self._decide(*self._due(games, seats))
            engine.step(self._actions[games, seats], games)
            self._asked[games, seats] = False
        totals = engine.totals.astype(np.float32)
        others = (totals.sum(axis=1, keepdims=True) - totals) / (totals.shape[1] - 1)
        num_bases = len(self._reader.BASES)
        chosen = np.zeros((self._num_periods, len(self._reader.NAMES) * num_bases), np.float32)
        for period, columns, facts, bases in self._credits:
            at = slice(columns.start * num_bases, columns.stop * num_bases)
            chosen[period, at] += (facts[:, :, None] * bases[:, None]).reshape(len(period), -1)
        where, positions, progress = zip(*self._positions, strict=True)
        return Batch(
            np.concatenate(self._players),
            np.concatenate(where),
            np.concatenate(positions),
            np.concatenate(progress),
            np.concatenate(self._situations),
            chosen,
            (totals - others).reshape(-1),
            self._num_turns,
            self._entropy / self._num_turns,
            win_shares(engine.winners()).astype(np.float32),
        )

    def _due(self, games: Indices, seats: Indices) -> tuple[Indices, Indices]:
        """Returns who has to decide now: who acts and, if it is sealed, all others too."""
        due = np.zeros_like(self._asked)
        due[games, seats] = True
        if self._sealed:
            due[np.isin(self._engine.kinds, self._sealed)] = True
        due[games[self._asked[games, seats]]] = False
        asked, deciding = due.nonzero()
        self._asked |= due
        return asked, deciding

    def _decide(self, games: Indices, seats: Indices) -> None:
        """Draws the actions of some seats."""
        if not len(games):
            return
        opens = np.isin(self._engine.kinds[games], self._opening) | (self._period[games, seats] < 0)
        self._open(games[opens], seats[opens])
        self._num_turns += len(games)
        worth = np.zeros((len(games), 2 * len(self._reader.BASES)), np.float32)
        for choices in self._reader.read_engine(self._engine, games, seats, self._policy):
            scores, starts = choices.scores(self._policy), choices.starts
            chances = choices.probabilities(scores, self._policy.temperature)
            chosen = draw(choices.rows, chances, self._rng)
            at = games[choices.decisions], seats[choices.decisions]
            self._actions[at] = choices.actions[chosen]
            mean = np.add.reduceat(choices.facts * chances[:, None], starts, axis=0)
            centred = choices.facts[chosen] - mean
            self._credits.append((self._period[at], choices.columns, centred, choices.bases))
            self._entropy -= float((chances * np.log(np.maximum(chances, 1e-9))).sum())
            worth[choices.decisions] = choices.worth(scores, self._policy)
        if opens.any():
            self._see(games, seats, worth, opens)

    def _open(self, games: Indices, seats: Indices) -> None:
        """Opens a period of some seats."""
        self._period[games, seats] = np.arange(len(games)) + self._num_periods
        self._num_periods += len(games)
        self._players.append(games * self._engine.num_players + seats)

    def _see(self, games: Indices, seats: Indices, worth: Floats, opens: NDArray[np.bool_]) -> None:
        """Keeps what the critic sees where periods open: also what choices are worth, [M, 2 B]."""
        total = np.zeros((self._engine.num_games, worth.shape[1]), np.float32)
        np.add.at(total, games, worth)
        others = (total[games] - worth) / (self._engine.num_players - 1)
        distinct, which = np.unique(games[opens], return_inverse=True)
        of_all = self._reader.no_worth(len(distinct))
        of_all[which, seats[opens]] = worth[opens]
        seen, progress = self._reader.critic_inputs(self._engine, distinct, of_all)
        self._positions.append((distinct, seen, progress))
        size = seen.shape[2] - 2 * worth.shape[1] - self._engine.num_players
        of_seats = seen[which, seats[opens], :size]
        self._situations.append(np.hstack([of_seats, worth[opens], others[opens]]))


def draw(rows: Indices, chances: Floats, rng: np.random.Generator) -> Indices:
    """Returns the place of a choice of each row, drawn by its chances [L], [M]."""
    upto = chances.cumsum(dtype=np.float64)
    stops = np.append(np.flatnonzero(np.diff(rows)) + 1, len(rows))
    starts = np.append(0, stops[:-1])
    before, after = np.append(0.0, upto)[starts], upto[stops - 1]
    drawn = before + rng.random(len(starts)) * (after - before)
    found: Indices = np.searchsorted(upto, drawn, side="right").clip(starts, stops - 1)
    return found


def advantages(players: Indices, values: Floats, margins: Floats, trace: float) -> Floats:
    """Returns the advantage of each period, [T]: generalised, over the periods of one player.

    Args:
        players: whose periods they are; those of one player are in their order.
        values: what the critic expected.
        margins: what came of it in the end.
        trace: lambda, by period.
    """
    order = players.argsort(kind="stable")
    is_last = np.append(np.diff(players[order]) != 0, True)
    expected = values[order]
    later = np.where(is_last, margins[order], np.append(expected[1:], 0))
    found = (later - expected).astype(np.float32)
    ends = np.flatnonzero(is_last)
    to_end = np.repeat(ends, np.diff(ends, prepend=-1)) - np.arange(len(order))
    for distance in range(1, int(to_end.max()) + 1):
        at = np.flatnonzero(to_end == distance)
        found[at] += np.float32(trace) * found[at + 1]
    result = np.empty_like(found)
    result[order] = found
    return result
