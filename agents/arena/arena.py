"""Plays agents against the same opponents on the same deals, and values each of their decisions.

A win share needs thousands of games. What a decision lost needs few: a strong search compares what
was played with what it would have chosen, on the same draws of what the seat did not know (see
`judge`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from gonzaga_env.tabletop.agent import agent_name
from gonzaga_env.tabletop.bounded import parse_json, read_file
from gonzaga_env.tabletop.bounded.limits import ANALYSIS_LINE, RECORD_LINE, RESULTS_BYTES
from gonzaga_env.tabletop.errors import GameError, OptionError
from gonzaga_env.tabletop.spec import Config
from gonzaga_env.tabletop.writing import write_aside

from ..analysis.analyse import AnalysedGame
from ..analysis.analysis import merged
from ..evaluation.game import describe_game
from ..evaluation.match import play_match
from ..outside.agent import OutsideAgent
from ..registry import make_agent
from ..search.agent import SequentialHalving
from ..units.entrants import identify
from ..units.games import deal_seed
from ..units.log import Log, read_log

_PLAN, _GAMES = "arena.json", "games.jsonl"
_OPPONENT = "opponent"  # what records call those that are not valued


class ArenaError(GameError):
    """A folder does not hold an arena, or holds another one."""


@dataclass(frozen=True)
class Valued:
    """A game of an agent that sat in one seat, against opponents that are all the same."""

    agent: str
    deal: int
    seat: int
    share: float  # of the victory
    points: int
    refused: int  # illegal answers of a bot or a model, of which it was told why
    # of each decision between several actions: how many moves were made before it, its kind, the
    # share of the victory that it lost, below 0 only by noise, and the standard error of that
    decisions: tuple[tuple[int, str, float, float], ...]
    record: dict[str, Any]  # of the whole game

    @classmethod
    def parse(cls, line: bytes) -> Self:
        """Returns what `as_json` wrote.

        Raises:
            ArenaError: it is something else.
        """
        if len(line) > ANALYSIS_LINE + RECORD_LINE:
            raise ArenaError("a line is too long")
        try:
            content = parse_json(line)
            decisions = tuple(
                (int(move), str(kind), float(loss), float(error))
                for move, kind, loss, error in content["decisions"]
            )
            return cls(
                agent=str(content["agent"]),
                **{name: int(content[name]) for name in ("deal", "seat", "points", "refused")},
                share=float(content["share"]),
                decisions=decisions,
                record=dict(content["record"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ArenaError(f"a line is no valued game: {error}") from error

    def as_json(self) -> str:
        """Returns one line."""
        return json.dumps(asdict(self), ensure_ascii=False)


@dataclass(frozen=True)
class Arena:
    """What an arena measures by.

    Attributes:
        config: what is played.
        against: who has the other seats.
        judge: the search that values decisions.
        seed: decides the deals, and what agents and the judge draw.
    """

    config: Config
    against: str
    judge: str
    seed: int

    @property
    def plan(self) -> dict[str, Any]:
        """What the folder says of it; results of different plans are not compared."""
        return {
            "format": 1,
            "players": self.config.num_players,
            **describe_game(self.config),
            **{name: asdict(identify(getattr(self, name))) for name in ("against", "judge")},
            "seed": self.seed,
        }

    def play(self, agent: str, deal: int) -> Iterator[Valued]:
        """Yields the games of a deal, one for each seat that the agent sits in.

        Args:
            agent: who is valued.
            deal: its number, from 0; all agents play the same ones.

        Raises:
            GameError: an agent fails, or the judge is no search.
        """
        made, judge = make_agent(agent, self.config), make_agent(self.judge, self.config)
        if not isinstance(judge, SequentialHalving):
            raise OptionError(f"judge is {self.judge!r}; it takes a search, such as search@256")
        name, others = agent_name(made), self.config.num_players - 1
        records: list[dict[str, Any]] = []
        match = play_match(
            self.config,
            [made, make_agent(self.against, self.config)],
            [0, *[1] * others],
            num_deals=1,
            seed=int(deal_seed(self.seed, deal)),
            on_records=records.extend,
            names=[name, _OPPONENT],
        )
        refused = made.refused if isinstance(made, OutsideAgent) else 0  # in all games of the deal
        for record in sorted(records, key=lambda record: record["agents"].index(name)):
            seat = record["agents"].index(name)
            game = AnalysedGame(record, self.config.edition, self.seed)
            found = merged([*game.opinions(judge, self.judge, seats=[seat])]).decisions
            yield Valued(
                agent=agent,
                deal=deal,
                seat=seat,
                share=float(match.win_shares[0, seat, seat]),
                points=int(match.totals[0, seat, seat]),
                refused=refused // len(records) + (seat < refused % len(records)),
                decisions=tuple(
                    (decision.move, decision.kind, round(opinion.loss or 0.0, 6), opinion.error)
                    for decision, opinion in zip(game.decisions, found, strict=True)
                    if opinion is not None
                ),
                record=record,
            )


class ArenaFolder(Log):
    """The games that were valued, in a folder; used within a `with` block to add to them."""

    def __init__(self, folder: Path) -> None:
        """Takes the folder; nothing is changed yet."""
        super().__init__(folder / _GAMES, "arena", ArenaError)
        self.folder = folder

    def open(self, arena: Arena) -> None:
        """Makes the folder, or checks that it holds games of this arena.

        Raises:
            ArenaError: it holds those of another one, or something else.
        """
        path = self.folder / _PLAN
        plan = json.loads(json.dumps(arena.plan))
        if not path.exists():
            if self.path.exists():
                raise ArenaError(f"{self.folder}: has {_GAMES} but no {_PLAN}; take another --out")
            self.folder.mkdir(parents=True, exist_ok=True)
            write_aside(path, f"{json.dumps(plan, indent=1)}\n")
        elif differing := [name for name, kept in self.plan().items() if plan.get(name) != kept]:
            raise ArenaError(
                f"{self.folder}: was played with another {differing[0]}; take another --out"
            )

    def plan(self) -> dict[str, Any]:
        """Returns what was played.

        Raises:
            ArenaError: the folder holds no arena.
        """
        path = self.folder / _PLAN
        try:
            return dict(parse_json(read_file(path, RECORD_LINE)))
        except OSError as error:
            raise ArenaError(f"{path}: can't be read: {error.strerror}") from error
        except (TypeError, ValueError) as error:
            raise ArenaError(f"{path}: is no plan of an arena: {error}") from error

    def games(self) -> list[Valued]:
        """Returns all games so far.

        Raises:
            ArenaError: a line is something else.
        """
        lines, _ = read_log(self.path, RESULTS_BYTES, ArenaError)
        return [Valued.parse(line) for line in lines]

    def add(self, games: Sequence[Valued]) -> None:
        """Adds the games of a deal, all of them or none."""
        self.write(*[game.as_json() for game in games])

    def __enter__(self) -> Self:
        """Opens the file, and drops a line that an interruption cut short."""
        super().__enter__()
        lines, _ = read_log(self.path, RESULTS_BYTES, ArenaError)
        self.keep(sum(len(line) + 1 for line in lines))
        return self
