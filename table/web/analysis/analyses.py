"""Analyses that the server computes: part by part, clients in turn, at a low priority."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import Any

from gonzaga_agents.common.processes import WorkerError

from gonzaga_env.tabletop.bounded import MIB

from ..apart import ProcessApart
from ..clients.limits import Rate, Share
from .archive import Archive
from .process import MAX_PARTS, AnalysisFailure, AnalysisRequest, Analyst, Part, serve

PART_SECONDS = 120.0  # that a part may take
IDLE_SECONDS = 60.0  # after which the process ends
KEPT_SECONDS = 60.0  # for which a failure is reported before the analysis starts again
UNWATCHED_SECONDS = 60.0  # after which nobody waits for an analysis, so that it pauses
MEMORY = 2048 * MIB  # of the process: its address space
_JOBS, _JOBS_EACH = MAX_PARTS, 6  # under way, in all and of one client
_RATE, _BURST = 0.5, 120.0  # seconds of work a second of one client, and saved up
_PAUSE = 0.2  # seconds between looks where nobody may have a turn


@dataclass
class Finding:
    """What is known of an analysis.

    Attributes:
        content: JSON: for `CURVE` `decisions` and `rows`, for an agent what `Opinions` hold; empty
            where the archive has it (see `Analyses.content`).
        version: how often it has changed.
        progress: from 0 to 1.
        problem: why it cannot continue.
    """

    content: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    progress: float = 0.0
    problem: str | None = None

    @property
    def done(self) -> bool:
        """Whether nothing more comes."""
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

    def _put(self, name: str, start: int, values: list[Any]) -> None:
        known = self.content.setdefault(name, [])
        known[start : start + len(values)] = values


@dataclass
class _Job:
    """An analysis that is under way."""

    request: AnalysisRequest
    client: str
    finding: Finding
    asked: float


class Analyses:
    """Analyses of records; used from one event loop only.

    One part is computed at a time. Clients take turns, each with its share of the time; an analysis
    that nobody waits for pauses.
    """

    def __init__(self, archive: Archive, editions: Mapping[str, Any], *, apart: bool) -> None:
        self._archive, self._editions = archive, dict(editions)
        self._apart = analyst_apart(self._editions) if apart else None
        self._analyst = Analyst(self._editions)
        self._jobs: dict[tuple[str, str], _Job] = {}  # the one served longest ago is first
        self._share, self._spent = Share(_JOBS, _JOBS_EACH, "analyses"), Rate(_RATE, _BURST)
        self._turns, self._served = count(1), dict[str, int]()  # when each client was served last
        self._failed: dict[tuple[str, str], tuple[float, Finding]] = {}
        self._thread = ThreadPoolExecutor(1, "analyses")
        self._task: asyncio.Task[None] | None = None

    def find(self, request: AnalysisRequest, client: str) -> Finding:
        """Returns what is known of an analysis, which continues if it is not complete.

        Raises:
            LimitError: too many analyses are under way, in all or of this client.
        """
        key = request.digest, request.agent
        if (job := self._jobs.get(key)) is not None:
            job.asked = monotonic()
            return job.finding
        if self._archive.has_found(*key):
            return Finding(version=1, progress=1.0)
        since, failed = self._failed.pop(key, (0.0, None))
        if failed is not None and monotonic() - since < KEPT_SECONDS:
            self._failed[key] = since, failed
            return failed
        self._share.take(client)
        job = _Job(request, client, Finding(), monotonic())
        self._jobs[key] = job
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())
        return job.finding

    def content(self, request: AnalysisRequest, finding: Finding) -> dict[str, Any]:
        """Returns all that is known of an analysis, which takes some milliseconds."""
        return finding.content or self._archive.found(request.digest, request.agent)

    async def _run(self) -> None:
        """Computes part after part until nothing is under way, then ends the process."""
        idle = monotonic()
        while self._jobs or monotonic() - idle < IDLE_SECONDS:
            key = self._next()
            if key is None:
                await asyncio.sleep(_PAUSE)
                continue
            await self._advance(key)
            idle = monotonic()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)

    def _next(self) -> tuple[str, str] | None:
        """Returns whose turn it is: of the clients with time left, the one served longest ago.

        Analyses that nobody waits for are dropped; those of one client take turns.
        """
        now = monotonic()
        for key in [k for k, job in self._jobs.items() if now - job.asked > UNWATCHED_SECONDS]:
            self._drop(key)
        ready = [key for key, job in self._jobs.items() if not self._spent.wait(job.client)]
        if not ready:
            return None
        key = min(ready, key=lambda key: self._served.get(self._jobs[key].client, 0))
        job = self._jobs[key] = self._jobs.pop(key)
        self._served[job.client] = next(self._turns)
        self._served = {one.client: self._served.get(one.client, 0) for one in self._jobs.values()}
        return key

    async def _advance(self, key: tuple[str, str]) -> None:
        """Computes the next part of an analysis."""
        job, loop, began = self._jobs[key], asyncio.get_running_loop(), monotonic()
        try:
            part = await loop.run_in_executor(self._thread, self._ask, job.request)
        except WorkerError as error:
            part = AnalysisFailure(str(error))
        self._spent.spend(job.client, monotonic() - began)
        if isinstance(part, Part):
            job.finding.add(part)
            return
        self._drop(key)
        if isinstance(part, AnalysisFailure):
            job.finding.problem = part.text
            self._failed[key] = monotonic(), job.finding
            self._failed = dict(list(self._failed.items())[-_JOBS:])
        else:
            job.finding.progress, job.finding.version = 1.0, job.finding.version + 1
            self._archive.keep(*key, job.finding.content)

    def _ask(self, request: AnalysisRequest) -> Part | AnalysisFailure | None:
        """Returns the next part of an analysis (see `Analyst.ask`)."""
        if self._apart is None:
            return self._analyst.ask(request)
        return self._apart.ask(request, PART_SECONDS)

    def _drop(self, key: tuple[str, str]) -> None:
        self._share.give_back(self._jobs.pop(key).client)

    def _end(self) -> None:
        if self._apart is not None:
            self._apart.close()

    def close(self) -> None:
        """Ends the process."""
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._end()


def analyst_apart(editions: Mapping[str, Any]) -> ProcessApart:
    """Returns an `Analyst` in a process of its own."""
    return ProcessApart(serve, dict(editions), name="the process for analyses", memory=MEMORY)
