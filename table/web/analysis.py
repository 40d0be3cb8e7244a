"""Analyses of finished games: part by part, in turn, in a process with a low priority."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from gonzaga_agents.analysis.analysis import AnalysedGame, Opinion, Opinions, passes

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.batch import AnyEngine
from gonzaga_env.kernel.bounded import Json, parse_json
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.panels import Choice, Considering
from gonzaga_env.render.shapes import Layer
from gonzaga_env.render.svg import elements
from gonzaga_env.version import __version__

from ..hints import reasons_for
from ..session import one_line
from ..specs import turn_of
from .agents import ProcessWorker, ThreadWorker
from .protocol import RequestError, as_json
from .store import Archive

CURVE = ""  # in place of an agent: the chances of winning
_PLAYOUTS = (4, 32)  # from each position: for those who wait, and then
MAX_PARTS = 24  # analyses that are under way
_MAX_GAMES = 4  # whose positions are kept for those to come
_LEAST_LOSS = 0.01  # of a share of the victory, from which on the best choice is drawn
_THEME = replace(LIGHT, mark="var(--mark)", on_mark="var(--on_mark)")  # as pages name the colours


PART_SECONDS = 120.0  # that a part may take
KEPT_SECONDS = 60.0  # for which a failure is reported before the analysis starts again
UNWATCHED_SECONDS = 60.0  # after which nobody waits for an analysis, so that it ends
_NICENESS = 15  # games come first


class AnalysisRequest(NamedTuple):
    """A request for the next part of an analysis."""

    digest: str  # of the record
    line: str  # the record as JSON
    agent: str  # who is asked, or `CURVE`
    edition: EditionBase  # that of the record
    identity: str  # the agent's (`identity_of`), under which what is found is kept


def identity_of(agent: str) -> str:
    """Returns an agent's name with the version of the package and the digest of its files now."""
    if agent == CURVE or sys.platform == "emscripten":  # a browser has no files but the package's
        return f"{agent} {__version__}"
    from gonzaga_agents.play.tournament_games import agent_files  # a browser has no processes

    stamps = ((file, file.stat().st_mtime_ns, file.stat().st_size) for file in agent_files(agent))
    return f"{_key_of(agent, tuple(stamps))} {__version__}"


@lru_cache(maxsize=MAX_PARTS)  # pages ask every second, and a checkpoint is large
def _key_of(agent: str, stamps: tuple[tuple[Path, int, int], ...]) -> str:
    from gonzaga_agents.play.tournament_games import identify

    return identify(agent).key


class Part(NamedTuple):
    """Some of what an analysis finds."""

    start: int  # the first move that it is about
    # JSON: `rows` of chances, or `opinions`; the first part of a curve has `decisions`
    content: dict[str, Json]
    done: float  # the share of the analysis that is done, from 0 to 1


class AnalysisFailure(NamedTuple):
    """Why an analysis cannot continue."""

    text: str


class Analyst:
    """Analyses that are under way."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, AnalysedGame] = OrderedDict()
        self._parts: OrderedDict[tuple[str, str], Iterator[Part]] = OrderedDict()

    def ask(self, request: AnalysisRequest) -> Part | AnalysisFailure | None:
        """Returns the next part of an analysis; None at its end."""
        key = request.digest, request.identity
        try:
            if key not in self._parts:
                game = self._game(request)
                parts = _curve(game) if request.agent == CURVE else _opinions(game, request.agent)
                self._parts[key] = parts
                if len(self._parts) > MAX_PARTS:  # the server has given it up
                    self._parts.popitem(last=False)
            self._parts.move_to_end(key)
            part = next(self._parts[key], None)
        except MemoryError:
            self._parts.clear()  # drop everything: other analyses may hold the memory
            self._games.clear()
            return AnalysisFailure("this takes more memory than there is for it")
        except (Exception, SystemExit) as error:  # an agent may be anybody's code
            self._parts.pop(key, None)
            return AnalysisFailure(str(error) if isinstance(error, GameError) else one_line(error))
        if part is None:
            del self._parts[key]
        return part

    def _game(self, request: AnalysisRequest) -> AnalysedGame:
        if request.digest not in self._games:
            game = AnalysedGame(parse_json(request.line), request.edition)
            self._games[request.digest] = game
            if len(self._games) > _MAX_GAMES:
                self._games.popitem(last=False)
        return self._games[request.digest]


_ANALYST = Analyst()  # of this process


def advance(request: AnalysisRequest) -> Part | AnalysisFailure | None:
    """Returns the next part of an analysis; None at its end."""
    return _ANALYST.ask(request)


def _curve(game: AnalysedGame) -> Iterator[Part]:
    decisions = game.start().as_dict()["decisions"]
    yield Part(0, {"decisions": decisions}, 0.0)
    begun, total = 0, (len(decisions) + 1) * sum(_PLAYOUTS)
    for num_playouts in _PLAYOUTS:
        start = 0
        for rows in game.chances(num_playouts):
            begun += len(rows) * num_playouts
            rounded = [[round(chance, 4) for chance in row] for row in rows]
            yield Part(start, {"rows": rounded}, begun / total)
            start += len(rows)


def _opinions(game: AnalysedGame, agent: str) -> Iterator[Part]:
    """Yields an agent's opinions, those of a quick search first."""
    asked = passes(agent)
    weights = [1, 4] if len(asked) > 1 else [1]
    begun, total = 0, len(game.decisions) * sum(weights)
    for spec, weight in zip(asked, weights, strict=True):
        start, made = 0, game.agent(spec)
        for part in game.opinions(made, agent):
            begun += len(part.decisions) * weight
            yield Part(start, {"opinions": _as_json_values(game, part, start)}, begun / total)
            start += len(part.decisions)


def _as_json_values(game: AnalysedGame, part: Opinions, start: int) -> dict[str, Json]:
    """Returns opinions as JSON takes them, with choices as tables tell and draw them."""
    content = part.as_dict()
    for number, opinion in enumerate(part.decisions):
        if opinion is not None:
            content["decisions"][number] |= _choices(game, opinion, part.shares, start + number)
    return content


def _choices(game: AnalysedGame, opinion: Opinion, shares: bool, move: int) -> dict[str, Json]:
    """Returns an opinion's choices as tables show them ("said"), and what would have been better.

    That are "reasons" for the best choice and "marks" on the board, empty where nothing was clearly
    better; "fief" is the seat's.
    """
    engine, best = game.alone(move), opinion.choices[0]
    single = game_spec(game.config.game).game.from_config(game.config)
    single.state = engine.state
    turn = turn_of(single)
    assert turn is not None  # somebody decides
    choices, fief = {choice.action: choice for choice in turn.choices}, getattr(turn, "fief", None)
    found = {
        "said": [choices[choice.action] for choice in opinion.choices],
        "fief": None if fief is None else fief.number,
        "reasons": (),
        "marks": "",
    }
    least = _LEAST_LOSS if shares else 0.0
    if opinion.value is not None and opinion.loss is not None and opinion.loss > least:
        seat, seen = int(engine.seats[0]), engine.observe()[0]
        (found["reasons"],) = reasons_for(game.config, seen, seat, turn, [best.action])
        played = game.decisions[move].action
        values = {best.action: best.value, played: opinion.value}
        found["marks"] = _marks(game, engine, values, shares)
        found["better"] = True
    return json.loads(as_json(found))


def _marks(game: AnalysedGame, engine: AnyEngine, values: dict[int, float], shares: bool) -> str:
    """Returns choices marked on the board, the best first, as SVG elements."""
    pictures, view = game_pictures(game.config.game), engine.view(viewer="spectator")
    choices = tuple(
        Choice("", value, pictures.covered(engine, view, action))
        for action, value in values.items()
    )
    considering = Considering("", "", choices, shares)
    drawn = pictures.marks(game.config.edition, view, considering, _THEME)
    return elements([Layer(tuple(drawn))])


@dataclass
class Finding:
    """The state of an analysis."""

    # JSON: for `CURVE` `decisions` and `rows`, for an agent what `Opinions` hold; empty where the
    # archive has it (see `Analyses.content`)
    content: dict[str, Json] = field(default_factory=dict)
    version: int = 0  # how often it has changed
    progress: float = 0.0  # from 0 to 1
    problem: str | None = None  # why it cannot continue

    @property
    def done(self) -> bool:
        return self.progress >= 1 or self.problem is not None

    def add(self, part: Part) -> None:
        """Adds a part, in place of what an earlier pass has found."""
        for name, values in part.content.items():
            if name == "opinions":
                self._put("decisions", part.start, values.pop("decisions"))
                unit = values.get("unit") or self.content.get("unit", "")
                self.content |= values | {"unit": unit}
            else:
                self._put(name, part.start, values)
        self.version, self.progress = self.version + 1, min(part.done, 0.999)

    def _put(self, name: str, start: int, values: list[Json]) -> None:
        known = self.content.setdefault(name, [])
        known[start : start + len(values)] = values


@dataclass
class _Job:
    """An analysis that is under way."""

    request: AnalysisRequest
    finding: Finding
    asked: float


class Analyses:
    """Analyses of records; used from one event loop only.

    One part is computed at a time, and games take turns; an analysis that nobody waits for ends.
    """

    def __init__(self, archive: Archive, *, in_processes: bool) -> None:
        self._archive = archive
        self._worker = ProcessWorker(_NICENESS) if in_processes else ThreadWorker()
        self._jobs: dict[tuple[str, str], _Job] = {}  # the one served longest ago is first
        self._failed: dict[tuple[str, str], tuple[float, Finding]] = {}
        self._task: asyncio.Task[None] | None = None

    def find(self, request: AnalysisRequest) -> Finding:
        """Returns what is known of an analysis, which continues if it is not complete."""
        key = request.digest, request.identity
        if (job := self._jobs.get(key)) is not None:
            job.asked = monotonic()
            return job.finding
        if self._archive.has_found(*key):
            return Finding(version=1, progress=1.0)
        since, failed = self._failed.pop(key, (0.0, None))
        if failed is not None and monotonic() - since < KEPT_SECONDS:
            self._failed[key] = since, failed
            return failed
        if len(self._jobs) >= MAX_PARTS:
            raise RequestError("too many analyses at once; try again soon", 429)
        job = self._jobs[key] = _Job(request, Finding(), monotonic())
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())
        return job.finding

    def content(self, request: AnalysisRequest, finding: Finding) -> dict[str, Json]:
        """Returns all that is known of an analysis, which takes some milliseconds."""
        return finding.content or self._archive.found(request.digest, request.identity)

    async def _run(self) -> None:
        while self._jobs:
            key = next(iter(self._jobs))
            job = self._jobs.pop(key)
            if monotonic() - job.asked > UNWATCHED_SECONDS:
                continue
            self._jobs[key] = job  # the next one comes first now
            await self._advance(key, job)
        self._worker.close()

    async def _advance(self, key: tuple[str, str], job: _Job) -> None:
        try:
            part = await self._worker.call(advance, job.request, seconds=PART_SECONDS)
        except AgentError as error:
            part = AnalysisFailure(str(error))
        if isinstance(part, Part):
            job.finding.add(part)
            return
        del self._jobs[key]
        if isinstance(part, AnalysisFailure):
            job.finding.problem = part.text
            self._failed[key] = monotonic(), job.finding
            self._failed = dict(list(self._failed.items())[-MAX_PARTS:])
        else:
            job.finding.progress, job.finding.version = 1.0, job.finding.version + 1
            self._archive.keep(*key, job.finding.content)

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._worker.close()
