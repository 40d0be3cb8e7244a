"""Where functions are called: in a pool of processes, or on a Ray cluster (extra "ray")."""

from __future__ import annotations

import os
import pickle
import secrets
import socket
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from gonzaga_env.extras import extra_needed
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.version import __version__

from .processes import WorkerError, begin_worker, describe, spawning

P = ParamSpec("P")
R = TypeVar("R")


class ProcessPool(ProcessPoolExecutor):
    """Processes of this machine, with one thread each."""

    def __init__(self, workers: int) -> None:
        """Starts nothing yet: processes start when there is work for them."""
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        with spawning():  # its queues start a process, too
            super().__init__(workers, context, initializer=begin_worker)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        with spawning():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes at once, whatever they do."""
        for process in [*(getattr(self, "_processes", None) or {}).values()]:
            process.kill()
        super().shutdown(wait, cancel_futures=True)


def attempt(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Calls a function for a worker; raises GameErrors that can be sent to another process."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        text = describe(error)
        if isinstance(error, GameError):
            try:
                pickle.loads(pickle.dumps(error))
            except Exception:  # its constructor takes more than its message
                raise WorkerError(text) from None
            raise
        raise WorkerError(text) from None


_CONNECT_SECONDS = 5.0


def open_executor(
    kind: str = "local", workers: int | None = None
) -> AbstractContextManager[Executor | None]:
    """Returns where jobs are played, as a context manager that ends its workers.

    The kind is "local", or "ray" for a cluster (see `connect`). One worker plays in this process;
    None takes one for each core.
    """
    if workers is not None and workers < 1:
        raise OptionError(f"workers is {workers}; it takes 1 or more")
    if kind == "ray":
        return RayExecutor(workers)
    if kind != "local":
        raise OptionError(f"executor is {kind!r}; it takes local or ray")
    workers = num_cores() if workers is None else workers
    return nullcontext() if workers == 1 else ProcessPool(workers)


def num_cores() -> int:
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


class RayExecutor(Executor):
    """The CPUs of a Ray cluster: each call is a task."""

    def __init__(self, workers: int | None = None) -> None:
        self._disconnect = connect(workers)
        import ray

        self._call = ray.remote(on_node).options(scheduling_strategy="SPREAD")
        self._cancel = ray.cancel

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Calls a function on the cluster; errors are those of the function."""
        future = Future[R]()
        task = self._call.remote(__version__, str(Path.cwd()), fn, *args, **kwargs)

        def take(done: Future[R]) -> None:
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


def on_node(version: str, folder: str, fn: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Calls a function on a node, in the caller's folder where the node has it."""
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
    reason = lines[-1] if lines else "no reason given"
    return WorkerError(f"the Ray cluster failed: {type(error).__name__}: {reason}")


def connect(num_cpus: int | None = None) -> Callable[[], None]:
    """Connects this process to a Ray cluster; returns a function that disconnects it.

    The environment's RAY_ADDRESS names the cluster, such as "10.0.0.1:6379", "auto" or
    "ray://10.0.0.1:10001". Without it a cluster of so many CPUs (None takes all) starts on this
    machine and ends with the connection. An existing connection is kept. Raises WorkerError where
    no cluster answers.
    """
    # Ray would print lines about workers on standard output, which holds results only.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    with extra_needed():
        import ray

    address = os.environ.get("RAY_ADDRESS") or "local"
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
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise WorkerError(
            f"no Ray cluster answers at {address} ({reason}); start one with: ray start --head"
        ) from error
    return ray.shutdown


def _check_listening(address: str) -> None:
    """Raises WorkerError if nothing listens there; Ray itself would wait for more than a minute."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        raise WorkerError(f"RAY_ADDRESS is {address}; it takes HOST:PORT, ray://HOST:PORT or auto")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WorkerError(
            f"no Ray cluster at {address} ({reason}); start one with: ray start --head"
        ) from error
