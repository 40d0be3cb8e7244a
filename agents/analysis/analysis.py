"""Analyses of recorded games: chances of winning by move, and what agents think of decisions.

A game is analysed part by part, so that other work can run in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import chain
from typing import Literal

import numpy as np

from gonzaga_env.games import record_config, record_spec
from gonzaga_env.kernel.agent import (
    WINNING_CHANCE,
    Agent,
    AgentCrashedError,
    agent_name,
    ask_choices,
)
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import GameError, RecordError
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.result import win_shares
from gonzaga_env.kernel.spec import Engine
from gonzaga_env.kernel.state import StateArrays

from ..arrays import Doubles, Indices
from ..registry import Spec, agent_names, make_agent
from ..search.agent import NAME as SEARCH
from ..search.agent import SearchAgent, compare_played, parse_search

FORMAT = 1
MISTAKE, BLUNDER = 0.05, 0.15  # the smallest loss of winning chance for each grade
NUM_PLAYOUTS = 16  # from each position, for the chances
PART = 16  # decisions that are judged at once
_ERRORS = 2.0  # standard errors that a graded loss exceeds
_DIGITS = 4
_QUICK = 32  # playouts from which on a search of a quarter goes first
_SHOWN = 4  # choices that are kept of each decision

Grade = Literal["mistake", "blunder"]


@dataclass(frozen=True)
class Decision:
    """A decision of a game."""

    move: int  # moves made before it
    seat: int  # who decided
    round: int  # the round, from 1
    kind: str  # what was decided, one of `GameSpec.kinds`
    num_legal: int  # legal actions; an agent is asked only where there are several
    action: int  # the action that was played
    words: str  # the same in words


@dataclass(frozen=True)
class ValuedChoice:
    """A choice that an agent considers: an action, the same in words, and its value."""

    action: int
    words: str
    value: float


@dataclass(frozen=True)
class Opinion:
    """An agent's opinion of a decision."""

    choices: tuple[ValuedChoice, ...]  # what it considers, best first, at most a few
    value: float | None  # of the action that was played; None if the agent does not say
    loss: float | None  # how much less that is than the best choice; below 0 only by noise
    error: float = 0.0  # the standard error of the loss; 0 for agents that do not sample


@dataclass(frozen=True)
class Opinions:
    """An agent's opinions of the decisions of a game."""

    agent: str  # its name
    unit: str  # what its values count
    shares: bool  # whether they are shares of the victory; only such losses are graded
    # one opinion for each decision; None where it was not asked
    decisions: tuple[Opinion | None, ...]

    def grade(self, number: int) -> Grade | None:
        """Returns what the loss of a decision is called; None if it is not clearly a mistake."""
        opinion = self.decisions[number]
        if not self.shares or opinion is None or opinion.loss is None:
            return None
        if opinion.loss < MISTAKE or opinion.loss <= _ERRORS * opinion.error:
            return None
        return "blunder" if opinion.loss >= BLUNDER else "mistake"

    def as_dict(self) -> dict[str, Json]:
        """Returns the opinions as JSON takes them, with the grades."""
        content: dict[str, Json] = _rounded(asdict(self))
        for number, written in enumerate(content["decisions"]):
            if written is not None:
                written["grade"] = self.grade(number)
        return content


@dataclass(frozen=True)
class Analysis:
    """An analysis of a game."""

    game: str  # the game's name
    digest: str  # of the record (`record_digest`)
    agents: tuple[str, ...]  # the players' names, [P]
    won: tuple[float, ...]  # each player's share of the victory, [P]
    # the share that each player could expect after so many moves, [M + 1][P]. All that lies on the
    # table is known there, face down or not, but not what chance turns up later
    chances: tuple[tuple[float, ...], ...]
    decisions: tuple[Decision, ...]  # one for each move, [M]
    opinions: tuple[Opinions, ...]  # what agents think of them, each from what the seat knew

    def of(self, agent: str) -> Opinions | None:
        """Returns the opinions of an agent; None if it was not asked."""
        return next((found for found in self.opinions if found.agent == agent), None)

    def as_dict(self) -> dict[str, Json]:
        """Returns the analysis as JSON takes it, with the grades."""
        content = {"format": FORMAT, **_rounded(asdict(self))}
        return content | {"opinions": [opinions.as_dict() for opinions in self.opinions]}

    def as_json(self) -> str:
        return json.dumps(self.as_dict(), ensure_ascii=False)


def record_digest(record: Record) -> str:
    """Returns a digest that identifies a record: 24 hexadecimal digits."""
    text = json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:24]


def _rounded(value: Json) -> Json:
    """Returns a value of JSON with all numbers shortened."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


def merged(parts: Sequence[Opinions]) -> Opinions:
    """Returns the opinions of one agent on all decisions, from those on some of them each."""
    unit = next((part.unit for part in parts if part.unit), "")  # empty where no agent was asked
    decisions = tuple(one for part in parts for one in part.decisions)
    return replace(parts[0], unit=unit, decisions=decisions)


Rows = tuple[tuple[float, ...], ...]
"""Chances of each player, row by row."""


class AnalysedGame:
    """A recorded game whose positions are known."""

    def __init__(self, record: Record, edition: EditionSource | None = None, seed: int = 0) -> None:
        """Replays a record and verifies it; the seed decides what agents and playouts draw.

        Raises RecordError for what is no record of a whole game, or contradicts the rules.
        """
        self.record, self._seed = record, seed
        spec = record_spec(record)
        positions, states = spec.records.positions(record, edition), []
        try:
            while True:
                states.append(next(positions))
        except StopIteration as end:
            finished = end.value
        if not states:
            raise RecordError("the record has no moves")
        self.config = record_config(record, edition)
        won = np.asarray(finished.winners(), dtype=bool).reshape(1, -1)
        self._won = tuple(win_shares(won)[0].tolist())
        #: The position before each move, as an engine of M games; it stays as it is.
        self.engine = spec.engine.from_state(
            self.config, type(states[0]).concatenate(states), autoreset=False
        )
        self.decisions = tuple(self._decisions(spec.kinds))

    def _decisions(self, kinds: Sequence[str]) -> Iterator[Decision]:
        engine, read = self.engine, self.config.actions.parse
        numbers = engine.num_legal().tolist()
        for move, played in enumerate(self.record["moves"]):
            action = int(read(played["action"]))
            yield Decision(
                move=move,
                seat=int(engine.seats[move]),
                round=int(engine.rounds[move]),
                kind=kinds[engine.kinds[move]],
                num_legal=numbers[move],
                action=action,
                words=engine.describe(action, move),
            )

    def start(self) -> Analysis:
        """Returns the analysis without opinions, with the same chances for all."""
        players = len(self._won)
        even = tuple(1 / players for _ in range(players))
        return Analysis(
            game=self.config.game,
            digest=record_digest(self.record),
            agents=tuple(self.record["agents"]),
            won=self._won,
            chances=(*(even for _ in self.decisions), self._won),
            decisions=self.decisions,
            opinions=(),
        )

    def chances(self, num_playouts: int = NUM_PLAYOUTS) -> Iterator[Rows]:
        """Yields each player's chances of winning after 0, 1, 2, ... moves, `PART` rows at a time.

        Playouts of the game's search, or random ones for a game without search, begin at the
        position itself: they know what lies face down, but not what will be turned up. So the curve
        is that of a spectator who sees all hands.
        """
        rng, chances = np.random.default_rng(self._seed), self._random_chances
        if SEARCH in agent_names(self.config.game):
            agent = self.agent(SEARCH)
            assert isinstance(agent, SearchAgent)
            chances = agent.chances
        state = self.engine.state
        for start in range(0, len(self.decisions), PART):
            rows = np.arange(start, min(start + PART, len(self.decisions)))
            shares = chances(state.take(rows), num_playouts, rng)
            yield tuple(map(tuple, shares.tolist()))
        yield (self._won,)

    def _random_chances(
        self, state: StateArrays, num_playouts: int, rng: np.random.Generator
    ) -> Doubles:
        """Returns each player's share of the victory over random playouts, [M, P]."""
        played = state.repeat(num_playouts)
        played.seed[:] = rng.integers(2**64, size=played.num_games, dtype=np.uint64)
        engine = type(self.engine).from_state(self.config, played, autoreset=False)
        while (engine.seats >= 0).any():
            engine.step(engine.sample_legal(rng))
        shares = win_shares(engine.winners())
        return shares.reshape(state.num_games, num_playouts, -1).mean(axis=1)

    def agent(self, spec: Spec) -> Agent:
        """Returns an agent that plays this game (see `make_agent`)."""
        return make_agent(spec, self.config)

    def opinions(self, agent: Agent, name: str | None = None) -> Iterator[Opinions]:
        """Yields an agent's opinions of the decisions, `PART` at a time.

        The agent gets what the seat to act knew. A searching agent also values the played action,
        even if it was not a candidate (see `compare_played`); with other agents, the loss is then
        unknown.
        Raises OptionError if the agent cannot say what it considers.
        """
        name = agent_name(agent) if name is None else name
        rng = np.random.default_rng(self._seed)
        for start in range(0, len(self.decisions), PART):
            part = self.decisions[start : start + PART]
            try:
                asked = [decision for decision in part if decision.num_legal > 1]
                if isinstance(agent, SearchAgent):
                    unit, found = WINNING_CHANCE, self._judged(agent, asked, rng) if asked else {}
                else:
                    unit, found = self._considered(agent, name, asked)
                opinions = tuple(found.get(decision.move) for decision in part)
                yield Opinions(name, unit, isinstance(agent, SearchAgent), opinions)
            except GameError:
                raise
            except (Exception, SystemExit) as error:  # an agent may be anybody's code
                rows = [decision.move for decision in part]
                raise AgentCrashedError.of(error, name, self.engine, rows) from error

    def _judged(
        self, search: SearchAgent, asked: Sequence[Decision], rng: np.random.Generator
    ) -> dict[int, Opinion]:
        found: dict[int, Opinion] = {}
        rows = np.array([decision.move for decision in asked])
        seen, masks = self.engine.observe(rows=rows), self.engine.legal_action_mask(rows)
        played = np.array([decision.action for decision in asked])
        judged = compare_played(search, seen, masks, played[:, None], rng)
        for decision, (one,) in zip(asked, judged, strict=True):
            choices = self._choices(decision.move, one.actions, one.values)
            value = float(one.values[one.played])
            found[decision.move] = Opinion(choices, value, one.loss, one.error)
        return found

    def _considered(
        self, agent: Agent, name: str, asked: Sequence[Decision]
    ) -> tuple[str, dict[int, Opinion]]:
        unit, found = "", dict[int, Opinion]()
        for decision in asked:
            one = ask_choices(agent, name, self.alone(decision.move), self._seed)
            unit, actions = one.unit, one.actions.tolist()
            shown = self._choices(decision.move, one.actions[:_SHOWN], one.values[:_SHOWN])
            value = loss = None
            if decision.action in actions:
                value = float(one.values[actions.index(decision.action)])
                loss = float(one.values[0]) - value
            found[decision.move] = Opinion(shown, value, loss)
        return unit, found

    def alone(self, move: int) -> Engine:
        state = self.engine.state.take(np.array([move]))
        return type(self.engine).from_state(self.config, state, autoreset=False)

    def _choices(self, move: int, actions: Indices, values: Doubles) -> tuple[ValuedChoice, ...]:
        return tuple(
            ValuedChoice(action, self.engine.describe(action, move), value)
            for action, value in zip(actions.tolist(), values.tolist(), strict=True)
        )


def analyse(
    record: Record,
    agents: Sequence[str],
    edition: EditionSource | None = None,
    num_playouts: int = NUM_PLAYOUTS,
    seed: int = 0,
) -> Analysis:
    """Returns the analysis of a recorded game, with the opinions of agents (as in `make_agent`).

    The seed decides what agents and playouts draw. Raises RecordError for a wrong record, and
    GameError for an agent that cannot be made, or cannot say what it considers.
    """
    game = AnalysedGame(record, edition, seed)
    opinions = tuple(merged([*game.opinions(game.agent(name), name)]) for name in agents)
    chances = tuple(chain.from_iterable(game.chances(num_playouts)))
    return replace(game.start(), chances=chances, opinions=opinions)


def passes(spec: str) -> list[str]:
    """Returns the agents to ask for a spec, the quick one first if there is one."""
    search = parse_search(spec)
    playouts = None if search is None else search.budget.playouts
    if search is None or playouts is None or playouts < _QUICK:
        return [spec]
    policy = "" if search.policy is None else f":{search.policy}"
    return [f"{SEARCH}@{playouts // 4}{policy}", spec]
