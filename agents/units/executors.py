"""Where units are played: processes of this machine, or a Ray cluster (extra "ray")."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from gonzaga_env.command_line import shown
from gonzaga_env.extras import extra_needed
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.version import __version__

from ..common.processes import WorkerError
from .play import ProcessPool

_CONNECT_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class ExecutorOptions:
    """The options that say where work is done."""

    executor: Literal["local", "ray"] = "local"
    """Where games are played: in processes of this machine, or on a Ray cluster (docs/scale.md)."""
    workers: Annotated[int | None, shown("INT")] = None
    """How many processes play at the same time (evaluate: 1, tournament: one for each core)."""
    address: Annotated[str | None, shown("ADDRESS")] = None
    """The Ray cluster, such as 10.0.0.1:6379 or auto; by default one is started here."""

    def open_executor(self) -> AbstractContextManager[Executor | None]:
        """Returns the executor (see `open_executor`)."""
        return open_executor(self.executor, self.workers, self.address)

    def open_other(self) -> AbstractContextManager[Executor | None]:
        """Returns the executor if another than this process is asked for."""
        workers = 1 if self.workers is None and self.executor == "local" else self.workers
        return open_executor(self.executor, workers, self.address)


def open_executor(
    kind: str = "local", workers: int | None = None, address: str | None = None
) -> AbstractContextManager[Executor | None]:
    """Returns where units are played, as a context manager that ends its workers.

    Args:
        kind: "local" or "ray".
        workers: units at the same time; None takes one for each core. One plays in this process.
        address: of a Ray cluster, such as "10.0.0.1:6379"; None starts one on this machine.

    Raises:
        OptionError: an option has a value that it does not take.
        WorkerError: the cluster cannot be used.
        ModuleNotFoundError: Ray is not installed.
    """
    if workers is not None and workers < 1:
        raise OptionError(f"workers is {workers}; it takes 1 or more")
    if kind == "ray":
        return RayExecutor(workers, address)
    if kind != "local":
        raise OptionError(f"executor is {kind!r}; it takes local or ray")
    if address is not None:
        raise OptionError(f"address is {address}; it takes executor ray")
    workers = num_cores() if workers is None else workers
    return nullcontext() if workers == 1 else ProcessPool(workers)


def num_cores() -> int:
    """Returns the number of cores that this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


class RayExecutor(Executor):
    """The CPUs of a Ray cluster: each call is a task."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        """Connects to the cluster.

        Args:
            workers: CPUs of a cluster that is started here; None takes the machine's.
            address: see `connect`.

        Raises: what `connect` raises.
        """
        self._disconnect = connect(address, workers)
        import ray

        self._call = ray.remote(on_node).options(scheduling_strategy="SPREAD")
        self._cancel: Any = ray.cancel

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Has a function called on the cluster; errors are those of the function."""
        future = Future[Any]()
        task = self._call.remote(__version__, str(Path.cwd()), fn, *args, **kwargs)

        def take(done: Future[Any]) -> None:
            if future.set_running_or_notify_cancel():
                error = done.exception()
                if error is None:
                    future.set_result(done.result())
                else:
                    future.set_exception(ray_error(error))

        task.future().add_done_callback(take)
        future.add_done_callback(lambda done: self._cancel(task) if done.cancelled() else None)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnects, which ends what runs; a cluster that was started here ends."""
        self._disconnect()


def on_node(version: str, folder: str, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function on a node, in the folder that the caller is in if there is such a one."""
    if version != __version__:
        node = f"node {socket.gethostname()} of the Ray cluster"
        raise WorkerError(f"{node} has gonzaga_env {__version__}, not {version}; install the same")
    if Path(folder).is_dir():
        os.chdir(folder)
    return fn(*args, **kwargs)


def ray_error(error: BaseException) -> BaseException:
    """Returns the error of a function that Ray has called, or a WorkerError for one of Ray."""
    if isinstance(cause := getattr(error, "cause", None), Exception):
        return cause
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = lines[-1] if lines else "no reason given"
    return WorkerError(f"the Ray cluster failed: {type(error).__name__}: {said}")


def connect(address: str | None = None, num_cpus: int | None = None) -> Callable[[], None]:
    """Connects this process to a Ray cluster; returns what disconnects it.

    An existing connection is kept.

    Args:
        address: such as "10.0.0.1:6379", "auto" or "ray://10.0.0.1:10001"; None takes the
            environment's RAY_ADDRESS, or starts a cluster of this machine that ends with it.
        num_cpus: of a cluster that is started; None takes the machine's.

    Raises:
        WorkerError: nothing listens there, or it cannot be used.
        ModuleNotFoundError: Ray is not installed.
    """
    # Ray would print lines about workers on standard output, which holds results only.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    with extra_needed():
        import ray

    address = address or os.environ.get("RAY_ADDRESS") or "local"
    if address not in ("auto", "local"):
        _check_listening(address)
    if ray.is_initialized():
        return lambda: None
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == "local":
        # Else Ray writes a token below the home directory, and sends statistics.
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        options |= {"include_dashboard": False, "num_cpus": num_cpus}
    try:
        ray.init(address, **options)
    except (Exception, SystemExit) as error:  # it exits where the other side is not Ray
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise WorkerError(
            f"no Ray cluster answers at {address} ({said}); start one with: ray start --head"
        ) from error
    return ray.shutdown


def _check_listening(address: str) -> None:
    """Raises WorkerError if nothing listens there; Ray itself would wait for more than a minute."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        raise WorkerError(f"address is {address}; it takes HOST:PORT, ray://HOST:PORT or auto")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WorkerError(
            f"no Ray cluster at {address} ({reason}); start one with: ray start --head"
        ) from error
