"""What an analysis of a game holds, and how it is written as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Literal

from gonzaga_env.kernel.records import Record

FORMAT = 1
MISTAKE, BLUNDER = 0.05, 0.15  # the smallest loss of winning chance for each grade
_ERRORS = 2.0  # standard errors that a graded loss exceeds
_DIGITS = 4

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


def merged(parts: Sequence[Opinions]) -> Opinions:
    """Returns the opinions of one agent on all decisions, from those on some of them each."""
    unit = next((part.unit for part in parts if part.unit), "")  # empty where no agent was asked
    decisions = tuple(one for part in parts for one in part.decisions)
    return replace(parts[0], unit=unit, decisions=decisions)
