"""The file that a run writes: what was played and all actions; what games say follows from them.

Nothing in a file names code that runs: the names in it are shown, and opponents are the task's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.bounded import JSON_BYTES, file_errors, parse_json, read_file, short_repr
from gonzaga_env.kernel.errors import ActionError, OptionError, RecordError
from gonzaga_env.kernel.writing import write_aside
from gonzaga_env.version import __version__

from ..registry import agent_names, checkpoint_description, plays_shipped
from ..search.agent import parse_search
from .bench import SETS, VERSION, PlayedGame, Task, find_task, replay
from .statistics import Estimate, mean_interval, share_interval

ZERO, PRIOR, SEARCH, DECLARED = TRACKS = "zero", "prior", "search", "declared"
"""What agents use: nothing but the rules, knowledge of the game, search; or nobody can say."""
FIELD = "field"
"""The mean over all opponents, each weighing the same."""
_UNPLANNED = "none", "geometry"  # of `train.py --prior`
_UNTAUGHT = {"random", "past", ""}  # opponents that know only the legal actions


@dataclass(frozen=True)
class Row:
    """The games of one agent on a task."""

    task: Task
    chosen: str  # the set of deals
    deals: int  # D, from the first on
    agent: str  # what its owner calls it; shown, never run
    track: str  # one of `TRACKS`, as the run found it
    version: str  # of gonzaga_env
    games: Mapping[str, Sequence[PlayedGame]]  # by opponent: deal by deal, the agent on each seat

    def write(self, path: Path) -> None:
        """Writes the row as one JSON object.

        Raises:
            OSError: the file cannot be written.
        """
        content = {
            "bench": VERSION,
            "task": self.task.name,
            "set": self.chosen,
            "deals": self.deals,
            "agent": self.agent,
            "track": self.track,
            "version": self.version,
            "games": {name: [one.actions for one in games] for name, games in self.games.items()},
            "failed": {
                name: [i for i, one in enumerate(games) if one.failed]
                for name, games in self.games.items()
            },
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_aside(path, json.dumps(content, separators=(",", ":")) + "\n")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Returns the row that a file holds; its games may still contradict the rules.

        Raises:
            RecordError: it cannot be read, or is no row of this version.
        """
        with file_errors(path, RecordError):
            content = parse_json(read_file(path, JSON_BYTES))
            if not isinstance(content, dict) or "bench" not in content:
                raise ValueError("is not a result of gonzaga-bench")
            if content["bench"] != VERSION:
                found = short_repr(content["bench"])
                raise ValueError(f"is of gonzaga-bench {found}; this is {VERSION}")
            try:
                return cls._of(content)
            except (AttributeError, KeyError, TypeError, OptionError) as error:
                raise ValueError(f"is not a result of gonzaga-bench: {error}") from error

    @classmethod
    def _of(cls, content: dict[str, Any]) -> Self:
        task, deals = find_task(content["task"]), content["deals"]
        texts = content["agent"], content["track"], content["version"]
        if content["set"] not in SETS or not all(isinstance(text, str) for text in texts):
            raise TypeError("a set or a name is none")
        if type(deals) is not int or not 1 <= deals <= task.deals:
            raise TypeError(f"deals is {short_repr(deals)}")
        most, num_games = task.config(content["set"], 0).actions.size, deals * task.players
        games = {}
        for opponent in task.field:
            own, failed = content["games"][opponent], {*content["failed"][opponent]}
            if not isinstance(own, list) or len(own) != num_games:
                raise TypeError(f"against {opponent} it has not {num_games} games")
            for actions in own:
                if any(type(one) is not int or not 0 <= one < most for one in actions):
                    raise TypeError("an action is none")
            games[opponent] = [PlayedGame(one, i in failed) for i, one in enumerate(own)]
        return cls(task, content["set"], deals, *texts, games)

    def results(self) -> Results:
        """Plays all games again by the rules, and returns what they say.

        Raises:
            RecordError: a game contradicts the rules.
        """
        shares, points = [], []
        for opponent, games in self.games.items():
            try:
                ends = replay(self.task, self.chosen, [one.actions for one in games])
            except (ActionError, RecordError) as error:
                raise RecordError(f"against {opponent}: {error}") from error
            own = np.arange(self.task.players)
            ends = ends[:, own, own]  # of the agent, [D, P, 2]
            failed = np.array([one.failed for one in games]).reshape(ends.shape[:2])
            shares.append(np.where(failed, 0, ends[..., 0]).mean(axis=1))
            points.append(ends[..., 1].mean(axis=1))
        return Results(tuple(self.games), np.array(shares), np.array(points))


@dataclass(frozen=True)
class Results:
    """What the games of a row say: values by opponent and deal, means over the agent's seats."""

    opponents: tuple[str, ...]  # [O]
    shares: NDArray[np.float64]  # win share, [O, D]
    points: NDArray[np.float64]  # [O, D]

    def share(self, opponent: str = FIELD) -> Estimate:
        """Returns the win share against an opponent or the field, with a 95 % interval."""
        if opponent == FIELD:
            return share_interval(self.shares.mean(axis=0))
        return share_interval(self.shares[self.opponents.index(opponent)])

    def mean_points(self) -> Estimate:
        """Returns the points a game against the field, with a 95 % interval."""
        return mean_interval(self.points.mean(axis=0))


def new_row(task: Task, chosen: str, deals: int, agent: str) -> Row:
    """Returns a row without games.

    Raises:
        AgentError: the agent names a folder without a checkpoint.
        CheckpointError: the checkpoint is broken.
    """
    return Row(task, chosen, deals, agent, track_of(agent, task.game), __version__, {})


def track_of(spec: str, game: str) -> str:
    """Returns the track of an agent: "declared" where its name and its files do not say it.

    Raises:
        AgentError: the agent names a folder without a checkpoint.
        CheckpointError: the checkpoint is broken.
    """
    if spec == "random":
        return ZERO
    if parse_search(spec) is not None:
        return SEARCH
    if plays_shipped(spec) or spec in agent_names(game):
        return PRIOR
    about = checkpoint_description(spec)
    if about is None:
        return DECLARED
    given = about["arguments"]
    opponents = {name.strip() for name in str(given.get("opponents") or "").split(",")}
    aided = any(given.get(name) for name in ("imitate", "start", "exploit"))
    if aided or opponents - _UNTAUGHT or about.get("prior") not in _UNPLANNED:
        return PRIOR
    return ZERO
