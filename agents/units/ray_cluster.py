"""An executor whose workers are the CPUs of a Ray cluster (extra "ray").

Each unit is a Ray task. What units share lies in Ray's object store, so a node fetches it once.
Ray itself may not retry: a lost worker is reported here, and its unit is done again.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from gonzaga_env.extras import extra_needed
from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.version import __version__

from ..common.processes import stopped_below
from .work import (
    Executor,
    FailedUnit,
    OnLost,
    Packer,
    R,
    Report,
    Task,
    U,
    Work,
    code_digest,
    nothing,
    print_loss,
)

_SECONDS = 0.5  # between looks at what has ended, and at how many CPUs there are
_STOPPED_SECONDS = 30.0  # between looks for stopped workers; one that is found twice is named
_CONNECT_SECONDS = 5.0
_AHEAD = 2  # tasks for each CPU, so that CPUs never wait for this process, and a cluster may grow


class ClusterError(GameError, ConnectionError):
    """A Ray cluster cannot be reached or used."""


def check_address(address: str | None) -> None:
    """Checks that something listens; Ray itself would wait for more than a minute.

    Args:
        address: see `connect`.

    Raises:
        ClusterError: nothing listens there.
        ModuleNotFoundError: Ray is not installed.
    """
    # Ray would print lines about workers on standard output, which holds results only.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    with extra_needed():
        import ray  # noqa: F401

    address = _chosen(address)
    if address in ("auto", "local"):
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        raise ClusterError(f"address is {address}; it takes HOST:PORT, ray://HOST:PORT or auto")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ClusterError(
            f"no Ray cluster at {address} ({reason}); start one with: ray start --head"
        ) from error


def connect(address: str | None = None, num_cpus: int | None = None) -> Callable[[], None]:
    """Connects this process to a Ray cluster; returns what disconnects it.

    An existing connection is kept.

    Args:
        address: such as "10.0.0.1:6379", "auto" or "ray://10.0.0.1:10001"; None takes the
            environment's RAY_ADDRESS, or starts a cluster of this machine that ends with it.
        num_cpus: of a cluster that is started; None takes the machine's.

    Raises:
        ClusterError: nothing listens there, or it cannot be used.
        ModuleNotFoundError: Ray is not installed.
    """
    check_address(address)
    import ray

    if ray.is_initialized():
        return lambda: None
    address = _chosen(address)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == "local":
        # Else Ray writes a token below the home directory, and sends statistics.
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        options |= {"include_dashboard": False, "num_cpus": num_cpus}
    try:
        ray.init(address, **options)
    except (Exception, SystemExit) as error:  # it exits where the other side is not Ray
        if address == "auto":
            reason = "none runs on this machine; start one with: ray start --head"
        elif isinstance(error, SystemExit):
            reason = "what listens there does not answer as a cluster of this version of Ray"
        else:
            reason = _one_line(error)
        raise ClusterError(f"Ray cluster {address}: {reason}") from error
    return ray.shutdown


def _chosen(address: str | None) -> str:
    return address or os.environ.get("RAY_ADDRESS") or "local"


class RayCluster(Executor):
    """Runs units on a Ray cluster, one per CPU.

    Attributes:
        running: the tasks on their way, by their references.
    """

    def __init__(
        self,
        workers: int | None = None,
        address: str | None = None,
        on_lost: OnLost = print_loss,
    ) -> None:
        """Checks the address; the first run connects to the cluster.

        Args:
            workers: units at the same time; None takes all CPUs, also those of later nodes.
            address: see `connect`.
            on_lost: called with a line about each worker or node that dies.

        Raises: what `check_address` raises.
        """
        check_address(address)
        self.workers, self._address, self._on_lost = workers, address, on_lost
        self._disconnect: Callable[[], None] | None = None
        self.running: dict[Any, Task] = {}
        self._stopped: Counter[int] = Counter()  # how often each process was found stopped
        self._looked = monotonic()

    def close(self) -> None:
        """Disconnects; a cluster that was started here ends."""
        if self._disconnect is not None:
            for pid in stopped_below(os.getpid()):  # it could not end itself
                with suppress(OSError):
                    os.kill(pid, signal.SIGCONT)
            self._disconnect()
        self._disconnect = None

    def tell_stopped(self, name: str) -> None:
        """Names workers of a cluster of this machine that have been stopped for a while, once.

        Ray says nothing of them, and waits.
        """
        if monotonic() - self._looked < _STOPPED_SECONDS:
            return
        self._looked, found = monotonic(), stopped_below(os.getpid())
        self._stopped = Counter({pid: self._stopped[pid] + 1 for pid in found})
        for pid in found:
            if self._stopped[pid] == 2:
                self._on_lost(
                    f"a Ray worker that {name} is stopped and waited for; continue it with: "
                    f"kill -CONT {pid}"
                )

    def run(
        self, work: Work[U, R], units: Sequence[U], on_progress: Report = nothing
    ) -> Generator[tuple[U, R]]:
        """Yields units with their results (see `Executor.run`), without reports from within.

        Raises:
            ClusterError: a node has another version of this package, or no room.
        """
        if not units:
            return
        if self._disconnect is None:
            self._disconnect = connect(self._address, self.workers)
        import ray

        packer, running = Packer(work), self.running
        waiting = deque(Task(unit, packer.pack(unit)) for unit in units)
        try:
            do = ray.remote(_door()).options(max_retries=0, name=work.name)
            shared = ray.put(tuple(packer.work))
            while waiting or running:
                for _ in range(min(len(waiting), self._most() - len(running))):
                    task = waiting.popleft()
                    arguments = shared, task.data, str(Path.cwd()), __version__, code_digest()
                    running[do.remote(*arguments)] = task
                for reference in ray.wait([*running], timeout=_SECONDS)[0] if running else ():
                    task = running.pop(reference)
                    try:
                        answer = ray.get(reference)
                    except ray.exceptions.RayError as error:
                        self._lose(task, error, work.name)
                        waiting.appendleft(task)
                        continue
                    yield task.unit, _result(answer)
                self.tell_stopped(work.name)
                on_progress(0.0)
        except ray.exceptions.RayError as error:
            raise ClusterError(f"the Ray cluster failed: {_one_line(error)}") from error
        finally:
            for reference in running:
                with suppress(Exception):  # the cluster may have gone
                    ray.cancel(reference, force=True)
            running.clear()

    def _most(self) -> int:
        """Returns how many tasks there may be at the same time now."""
        import ray

        if self.workers is not None:
            return self.workers
        cluster: Any = ray  # whose functions have no types
        return max(1, _AHEAD * int(cluster.cluster_resources().get("CPU", 0)))

    def _lose(self, task: Task, error: Exception, name: str) -> None:
        """Reports a task without a result; raises its error unless a worker was lost.

        Raises:
            WorkerDiedError: the task has lost too many workers.
            ClusterError: a node has no room, or cannot run the task at all.
        """
        kinds = [kind.__name__ for kind in type(error).__mro__]  # a worker's errors are wrapped
        if known := [kind for kind in kinds if kind in _REASONS]:
            reason, is_to_blame = _REASONS[known[0]]
            task.lose(f"a Ray worker that {name} {reason}", self._on_lost, is_to_blame)
            return
        if full := [kind for kind in kinds if kind in _FULL]:
            raise ClusterError(
                f"a node of the Ray cluster has no room ({full[0]}); free its disk; what has ended "
                "is kept, and the same command continues"
            ) from error
        raise ClusterError(f"the Ray cluster failed: {_one_line(error)}") from error


_REASONS = {
    "NodeDiedError": ("was lost with its node", False),
    "ObjectLostError": ("was lost with its result", False),
    "OutOfMemoryError": ("was ended, since its node was out of memory", True),
    "OwnerDiedError": ("was lost with its result", False),
    "TaskCancelledError": ("was cancelled", False),
    "WorkerCrashedError": ("was killed or has crashed", True),
}
"""What Ray's errors say about a worker, and whether its unit may be what killed it."""
_FULL = ("ObjectStoreFullError", "OutOfDiskError")


def _one_line(error: BaseException) -> str:
    """Returns the kind of an error of Ray, and the first line of it that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1] if lines else 'no reason given'}"


def _result(answer: tuple[str | None, Any]) -> Any:
    """Returns a unit's result, or raises the error of the unit or its node."""
    complaint, result = answer
    if complaint is not None:
        raise ClusterError(complaint)
    if isinstance(result, FailedUnit):
        raise result.error
    return result


def node_check(*modules: str) -> Callable[[str, str, str], str | None]:
    """Returns what a node calls first: `check(folder, version, code)`.

    It goes to the folder, so that agents' files are found as they are here, and returns None, or
    what is wrong with the node. Being a local function, it travels by value: nodes without this
    package can say so.

    Args:
        modules: what the node needs besides this package.
    """

    def check(folder: str, version: str, code: str) -> str | None:
        import os
        import socket
        from importlib import import_module
        from pathlib import Path

        node = f"node {socket.gethostname()} of the Ray cluster"
        try:
            own = import_module("gonzaga_env.version").__version__
            if own != version:
                return f"{node} has gonzaga_env {own}, this process {version}; install the same"
            work, *_ = map(import_module, ("gonzaga_agents.units.work", *modules))
        except ImportError as error:
            return f"{node} lacks gonzaga_env {version}: {error}"
        if work.code_digest() != code:
            return f"{node} has other code or editions of gonzaga_env {version}; install the same"
        if Path(folder).is_dir():
            os.chdir(folder)
        return None

    return check


def _door() -> Callable[..., tuple[str | None, Any]]:
    """Returns the function of Ray tasks, which travels by value (see `node_check`)."""
    check = node_check()

    def do(work: Any, unit: bytes, *where: str) -> tuple[str | None, Any]:
        from importlib import import_module

        if (complaint := check(*where)) is not None:
            return complaint, None
        doing = import_module("gonzaga_agents.units.work")
        return None, doing.do_unit(doing.Packed(*work), unit)

    return do
