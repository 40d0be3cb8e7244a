"""Analyses that the server computes: part by part, in turn, at a low priority."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from gonzaga_env.kernel.agent import AgentError

from ..apart import Apart, Here
from ..requests import RequestError
from .archive import Archive
from .process import MAX_PARTS, AnalysisFailure, AnalysisRequest, Part, advance

PART_SECONDS = 120.0  # that a part may take
KEPT_SECONDS = 60.0  # for which a failure is reported before the analysis starts again
UNWATCHED_SECONDS = 60.0  # after which nobody waits for an analysis, so that it ends
_NICENESS = 15  # games come first


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
    finding: Finding
    asked: float


class Analyses:
    """Analyses of records; used from one event loop only.

    One part is computed at a time, and games take turns; an analysis that nobody waits for ends.
    """

    def __init__(self, archive: Archive, *, apart: bool) -> None:
        self._archive, self._caller = archive, Apart(_NICENESS) if apart else Here()
        self._jobs: dict[tuple[str, str], _Job] = {}  # the one served longest ago is first
        self._failed: dict[tuple[str, str], tuple[float, Finding]] = {}
        self._task: asyncio.Task[None] | None = None

    def find(self, request: AnalysisRequest) -> Finding:
        """Returns what is known of an analysis, which continues if it is not complete.

        Raises:
            RequestError: too many analyses are under way.
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
        if len(self._jobs) >= MAX_PARTS:
            raise RequestError("too many analyses at once; try again soon", 429)
        job = self._jobs[key] = _Job(request, Finding(), monotonic())
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())
        return job.finding

    def content(self, request: AnalysisRequest, finding: Finding) -> dict[str, Any]:
        """Returns all that is known of an analysis, which takes some milliseconds."""
        return finding.content or self._archive.found(request.digest, request.agent)

    async def _run(self) -> None:
        """Computes part after part until nothing is under way, then ends the process."""
        while self._jobs:
            key = next(iter(self._jobs))
            job = self._jobs.pop(key)
            if monotonic() - job.asked > UNWATCHED_SECONDS:
                continue
            self._jobs[key] = job  # the next one comes first now
            await self._advance(key, job)
        self._caller.close()

    async def _advance(self, key: tuple[str, str], job: _Job) -> None:
        """Computes the next part of an analysis."""
        try:
            part = await self._caller.call(advance, job.request, seconds=PART_SECONDS)
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
        """Ends the process."""
        if self._task is not None:
            self._task.cancel()
        self._caller.close()
