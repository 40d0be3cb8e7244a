"""Asks agents for decisions in the same positions, and values what they would do there.

A win share needs thousands of games; what a decision loses needs few. A strong search compares it
with what the search would have chosen, on the same draws of what the seat did not know (see
`judge`). The positions are those of games between other agents. In games of its own a weak agent
would soon be beyond hope, and then no decision loses anything any more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from gonzaga_env.tabletop.bounded import parse_json, read_file
from gonzaga_env.tabletop.bounded.limits import ANALYSIS_LINE, RECORD_LINE
from gonzaga_env.tabletop.errors import GameError, OptionError
from gonzaga_env.tabletop.spec import Config
from gonzaga_env.tabletop.writing import write_aside

from ..analysis.analyse import AnalysedGame
from ..common.arrays import Indices
from ..evaluation.game import describe_game
from ..evaluation.match import Record, play_match
from ..outside.agent import OutsideAgent
from ..registry import make_agent
from ..search.agent import SequentialHalving
from ..search.judge import judge as judge_decisions
from ..units.entrants import identify
from ..units.games import deal_seed
from ..units.log import Log, read_log

_PLAN, _DEALS = "arena.json", "deals.jsonl"


class ArenaError(GameError):
    """A folder does not hold an arena, or holds another one."""


@dataclass(frozen=True)
class Valued:
    """What an agent did on a deal: its decisions in the positions of a game, and its own games."""

    agent: str
    deal: int
    # of each decision between several actions: how many moves were made before it, its kind, the
    # share of the victory that it lost, below 0 only by noise, and the standard error of that
    decisions: tuple[tuple[int, str, float, float], ...]
    refused: int  # illegal answers of a bot or a model, of which it was told why
    shares: tuple[float, ...]  # of the victory in its own games, one in each seat; none if unplayed
    points: tuple[int, ...]  # in these games

    @classmethod
    def parse(cls, line: bytes) -> Self:
        """Returns what `as_json` wrote.

        Raises:
            ArenaError: it is something else.
        """
        if len(line) > ANALYSIS_LINE:
            raise ArenaError("a line is too long")
        try:
            content = parse_json(line)
            decisions = tuple(
                (int(move), str(kind), float(loss), float(error))
                for move, kind, loss, error in content["decisions"]
            )
            return cls(
                agent=str(content["agent"]),
                deal=int(content["deal"]),
                decisions=decisions,
                refused=int(content["refused"]),
                shares=tuple(map(float, content["shares"])),
                points=tuple(int(np.int64(one)) for one in content["points"]),
            )
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise ArenaError(f"a line is no valued deal: {error}") from error

    def as_json(self) -> str:
        """Returns one line."""
        return json.dumps(asdict(self), ensure_ascii=False)


@dataclass(frozen=True)
class Arena:
    """What an arena measures by.

    Attributes:
        config: what is played.
        against: who plays the games whose positions are asked about, and the other seats of the
            agents' own games.
        judge: the search that values decisions.
        seed: decides the deals, and what agents and the judge draw.
        games: whether agents also play games of their own.
    """

    config: Config
    against: str
    judge: str
    seed: int
    games: bool = True

    @property
    def plan(self) -> dict[str, Any]:
        """What the folder says of it; results of different plans are not compared."""
        return {
            "format": 1,
            "players": self.config.num_players,
            **describe_game(self.config),
            **{name: asdict(identify(getattr(self, name))) for name in ("against", "judge")},
            "seed": self.seed,
            "games": self.games,
        }

    def check(self, agents: Sequence[str]) -> None:
        """Checks that these agents can be valued.

        Raises:
            GameError: one of them or of the opponents cannot be made, or the judge is no search.
        """
        for agent in (*agents, self.against):
            make_agent(agent, self.config)
        if not isinstance(make_agent(self.judge, self.config), SequentialHalving):
            raise OptionError(f"judge is {self.judge!r}; it takes a search, such as search@256")

    def value(self, agents: Sequence[str], deal: int) -> list[Valued]:
        """Returns what each agent does on a deal, after `check`, valued on the same draws.

        Args:
            agents: who is valued.
            deal: its number, from 0; all agents get the same ones.

        Raises:
            GameError: an agent fails.
        """
        others, players = make_agent(self.against, self.config), self.config.num_players
        seed, records = int(deal_seed(self.seed, deal)), list[Record]()
        given: dict[str, Any] = {"num_deals": 1, "seed": seed}
        play_match(self.config, [others], [0] * players, on_records=records.extend, **given)
        game = AnalysedGame(records[0], self.config.edition, self.seed)
        asked = [one for one in game.decisions if one.num_legal > 1]
        rows = np.array([one.move for one in asked])
        made = [make_agent(agent, self.config) for agent in agents]
        decided = np.column_stack([self._decided(one, game.engine, rows) for one in made])
        refused = [_refused(one) for one in made]
        judge, rng = make_agent(self.judge, self.config), np.random.default_rng(self.seed)
        assert isinstance(judge, SequentialHalving)  # as `check` found
        seen = game.engine.observe(rows=rows), game.engine.legal_action_mask(rows)
        judged = judge_decisions(judge, *seen, decided, rng)
        shares = points = tuple[Any, ...]()
        found = []
        for k, agent in enumerate(agents):
            if self.games:
                lineup, seats = [0, *[1] * (players - 1)], range(players)
                match = play_match(self.config, [made[k], others], lineup, **given)
                refused[k] += _refused(made[k])
                shares = tuple(float(match.win_shares[0, seat, seat]) for seat in seats)
                points = tuple(int(match.totals[0, seat, seat]) for seat in seats)
            decisions = tuple(
                (one.move, one.kind, round(own[k].loss, 6), round(own[k].error, 6))
                for one, own in zip(asked, judged, strict=True)
            )
            found.append(Valued(agent, deal, decisions, refused[k], shares, points))
        return found

    def _decided(self, agent: Any, engine: Any, rows: Indices) -> Indices:
        """Returns an agent's actions in some positions, [M]."""
        rng = np.random.default_rng(self.seed)
        if isinstance(agent, OutsideAgent):
            agent.begin(engine.num_games)
            return agent.act_for(engine, rows, rng)
        seen = engine.observe(rows=rows), engine.legal_action_mask(rows)
        return np.asarray(agent.act(*seen, rng))


def _refused(agent: Any) -> int:
    """Returns how many answers of a bot were refused since it began its games; 0 for others."""
    return agent.refused if isinstance(agent, OutsideAgent) else 0


class ArenaFolder(Log):
    """What was valued, in a folder; used within a `with` block to add to it."""

    def __init__(self, folder: Path) -> None:
        """Takes the folder; nothing is changed yet."""
        super().__init__(folder / _DEALS, "arena", ArenaError)
        self.folder = folder

    def open(self, arena: Arena) -> None:
        """Makes the folder, or checks that it is of this arena.

        Raises:
            ArenaError: it is of another one, or holds something else.
        """
        path = self.folder / _PLAN
        plan = json.loads(json.dumps(arena.plan))
        if not path.exists():
            if self.path.exists():
                raise ArenaError(f"{self.folder}: has {_DEALS} but no {_PLAN}; take another --out")
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

    def valued(self) -> list[Valued]:
        """Returns all deals of all agents so far.

        Raises:
            ArenaError: a line is something else.
        """
        lines, _ = read_log(self.path, ArenaError)
        return [Valued.parse(line) for line in lines]

    def add(self, valued: Valued) -> None:
        """Adds a deal of an agent."""
        self.write(valued.as_json())

    def __enter__(self) -> Self:
        """Opens the file, and drops a line that an interruption cut short."""
        super().__enter__()
        lines, _ = read_log(self.path, ArenaError)
        self.keep(sum(len(line) + 1 for line in lines))
        return self
