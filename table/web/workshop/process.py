"""The server's second process: it reads strangers' maps and records, and draws.

Such work may be slow or hostile, so it runs in a process with limited memory and time
(`queue.Workshop`), while games continue.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gonzaga_agents.common.processes import Channel, lower_priority

from gonzaga_env.tabletop.bounded import MIB
from gonzaga_env.tabletop.errors import GameError

from ..editor.handlers import TASKS as EDITOR_TASKS
from ..editor.handlers import as_asked
from ..requests import RefusedError, as_object
from ..values import as_json, error_json
from .records import begin_table, check_record, draw_record, read_records

CPU_SECONDS = 5  # of one job, to within a second
LONG_SECONDS = 20  # of one about a record: four players make up to 600 moves
MAX_ANSWER = 16 * MIB
_NICENESS = 10  # games have priority
BEGIN = "begin"  # the task of `Workshop.begin`
_OF_RECORDS: dict[str, Callable[..., str | bytes]] = {
    "records": read_records,
    "verify": check_record,
    "draw": draw_record,
    BEGIN: begin_table,
}


class Job(NamedTuple):
    """What a client asks for.

    Attributes:
        task: one of `_OF_RECORDS`, or the last part of an address of the editor.
        body: of the request.
        kind: its content type.
        edition: that of a record, if it is a map of the editor.
    """

    task: str
    body: bytes
    kind: str
    edition: Any = None


class Reply(NamedTuple):
    """The answer to a client.

    Attributes:
        status: of HTTP.
        content: JSON; of a table that begins, what `GameSession.packed` returns.
        reason: why the job was refused or failed, for the log.
    """

    status: int
    content: bytes
    reason: str | None = None


def serve(channel: Channel, editions: Mapping[str, Any]) -> None:
    """Answers jobs until the process is ended."""
    lower_priority(_NICENESS)
    channel.send("ready")
    while True:
        job: Job = channel.receive()
        _limit_time(LONG_SECONDS if job.task in _OF_RECORDS else CPU_SECONDS)
        channel.send(answer(job, editions))


def answer(job: Job, editions: Mapping[str, Any]) -> Reply:
    """Returns the answer to a job, which may be an error."""
    try:
        found = _do(job, editions)
        content = found.encode() if isinstance(found, str) else found
    except RefusedError as error:
        return _error(error.status, error.code, str(error))
    except GameError as error:
        return _error(400, "malformed", str(error).partition("\n")[0])
    except (MemoryError, RecursionError):
        return _error(413, "too_large", "this takes more memory than there is for it")
    except Exception:  # a bug, which is logged
        message = "the server failed; its terminal says why"
        return _error(500, "failed", message)._replace(reason=traceback.format_exc())
    if len(content) > MAX_ANSWER:
        return _error(413, "too_large", "the answer would be too long")
    return Reply(200, content)


def _do(job: Job, editions: Mapping[str, Any]) -> str | bytes:
    if job.task in _OF_RECORDS:
        more = {} if job.edition is None else {"": job.edition}
        return _OF_RECORDS[job.task](as_object(job.body), {**editions, **more})
    do: Callable[..., object] = EDITOR_TASKS[job.task]
    return as_json(do(as_asked(job.body, job.kind)))


def _error(status: int, code: str, message: str) -> Reply:
    return Reply(status, error_json(code, message).encode(errors="backslashreplace"), message)


def _limit_time(seconds: int) -> None:
    """Makes the system end the process after some more seconds of processor time."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == -1 else min(soft, hard), hard))
