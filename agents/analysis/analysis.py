"""What an analysis of a game holds, and how it is written as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Literal, Self

from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.records import Record

FORMAT = 1
MISTAKE, BLUNDER = 0.05, 0.15  # the smallest loss of winning chance for each grade
_ERRORS = 2.0  # standard errors that a graded loss exceeds
_DIGITS = 4
_SUM_ERROR = 1e-2  # of rounded shares
_MOST = 10**9  # a number of an analysis

Grade = Literal["mistake", "blunder"]


class AnalysisError(AgentError):
    """A file or text does not hold an analysis."""


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
    """A choice that an agent considers: an action, the same in words, and what it is worth."""

    action: int
    words: str
    value: float


@dataclass(frozen=True)
class Opinion:
    """What an agent thinks of a decision."""

    choices: tuple[ValuedChoice, ...]  # what it considers, best first, at most a few
    value: float | None  # what the action that was played is worth to it; None if it does not say
    loss: float | None  # how much less that is than the best choice; below 0 only by noise
    error: float = 0.0  # the standard error of the loss; 0 for agents that do not sample


@dataclass(frozen=True)
class Opinions:
    """What an agent thinks of the decisions of a game."""

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

    def as_dict(self) -> dict[str, Any]:
        """Returns the opinions as JSON takes them, with the grades."""
        content: dict[str, Any] = _rounded(asdict(self))
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

    def as_dict(self) -> dict[str, Any]:
        """Returns the analysis as JSON takes it, with the grades."""
        content = {"format": FORMAT, **_rounded(asdict(self))}
        return content | {"opinions": [opinions.as_dict() for opinions in self.opinions]}

    def as_json(self) -> str:
        """Returns the analysis as one line of JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Returns the analysis that JSON holds.

        Raises:
            AnalysisError: it holds none, or one of another format.
        """
        if content.get("format") != FORMAT:
            raise AnalysisError(f"not an analysis of format {FORMAT}")
        try:
            found = cls(
                game=_text(content["game"]),
                digest=_text(content["digest"]),
                agents=_each(_text, content["agents"]),
                won=_each(_number, content["won"]),
                chances=_each(lambda row: _each(_number, row), content["chances"]),
                decisions=_each(_decision, content["decisions"]),
                opinions=_each(_opinions, content["opinions"]),
            )
        except KeyError as error:
            raise AnalysisError(f"not an analysis: it has no {error}") from error
        except (TypeError, ValueError, AttributeError) as error:
            raise AnalysisError(f"not an analysis: {error}") from error
        found._check()
        return found

    def _check(self) -> None:
        """Raises AnalysisError unless all numbers are in range and all lists are complete."""
        moves, players = len(self.decisions), len(self.agents)
        lengths = [len(row) for row in (self.won, *self.chances)]
        whole = moves and len(self.chances) == moves + 1 and {*lengths} == {players}
        if not whole or any(len(one.decisions) != moves for one in self.opinions):
            raise AnalysisError("not an analysis: it lacks moves or players")
        if not all(0 <= share <= 1 for row in (self.won, *self.chances) for share in row):
            raise AnalysisError("not an analysis: a share of the victory is not between 0 and 1")
        if abs(sum(self.won) - 1) > _SUM_ERROR:
            raise AnalysisError("not an analysis: the shares of the victory do not add up to 1")
        for number, decision in enumerate(self.decisions):
            if decision.move != number or not 0 <= decision.seat < players:
                raise AnalysisError(f"not an analysis: decision {number} has another move or seat")
        if len({one.agent for one in self.opinions}) < len(self.opinions):
            raise AnalysisError("not an analysis: an agent has two opinions")

    def contradicts(self, record: Record) -> str | None:
        """Returns the first contradiction with a record that has its digest, or None."""
        moves = record.get("moves")
        for name, own, other in (
            ("the game", self.game, record.get("game", DEFAULT_GAME)),
            ("agents", [*self.agents], record.get("agents")),
            ("moves", len(self.decisions), len(moves) if isinstance(moves, list) else moves),
        ):
            if own != other:
                return f"{name} {short_repr(own)}, where the record has {short_repr(other)}"
        return None


def record_digest(record: Record) -> str:
    """Returns a digest that identifies a record: 24 hexadecimal digits."""
    text = json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:24]


def _rounded(value: Any) -> Any:
    """Returns a value of JSON with all numbers shortened."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


def _each(read: Callable[[Any], Any], values: Any) -> tuple[Any, ...]:
    if not isinstance(values, list):
        raise TypeError(f"{short_repr(values)} is not a list")
    return tuple(map(read, values))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{short_repr(value)} is not a text")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _MOST:
        raise TypeError(f"{short_repr(value)} is not a number of {_MOST:,} or less")
    return float(value)


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise TypeError(f"{short_repr(value)} is not an integer from 0 to {_MOST:,}")
    return value


def _decision(content: Mapping[str, Any]) -> Decision:
    numbers = (_whole(content[name]) for name in ("move", "seat", "round", "num_legal", "action"))
    move, seat, round_, num_legal, action = numbers
    kind, words = _text(content["kind"]), _text(content["words"])
    return Decision(move, seat, round_, kind, num_legal, action, words)


def _choice(content: Mapping[str, Any]) -> ValuedChoice:
    return ValuedChoice(
        _whole(content["action"]), _text(content["words"]), _number(content["value"])
    )


def _opinion(content: Mapping[str, Any] | None) -> Opinion | None:
    if content is None:
        return None
    value, loss = (
        None if content[key] is None else _number(content[key]) for key in ("value", "loss")
    )
    choices = _each(_choice, content["choices"])
    if not choices:
        raise ValueError("an opinion without a choice")
    return Opinion(choices, value, loss, _number(content["error"]))


def _opinions(content: Mapping[str, Any]) -> Opinions:
    if type(content["shares"]) is not bool:
        raise TypeError("shares takes true or false")
    return Opinions(
        _text(content["agent"]),
        _text(content["unit"]),
        content["shares"],
        _each(_opinion, content["decisions"]),
    )


def merged(parts: Sequence[Opinions]) -> Opinions:
    """Returns the opinions of one agent on all decisions, from those on some of them each."""
    unit = next((part.unit for part in parts if part.unit), "")  # empty where no agent was asked
    decisions = tuple(one for part in parts for one in part.decisions)
    return replace(parts[0], unit=unit, decisions=decisions)
