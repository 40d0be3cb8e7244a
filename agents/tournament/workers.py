"""Plays chunks, in this process or in several."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack

from gonzaga_env.tabletop.agent import AgentCrashedError, AgentError

from ..common.processes import Channel, Worker, WorkerDiedError, WorkerError, ready
from .games import Chunk, GameResult, play_chunk

PlayedChunk = tuple[Chunk, list[GameResult]]
OnProgress = Callable[[float], None]

# Workers share the cores already.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_SECONDS = 0.5  # between reports of progress


def play_chunks(
    chunks: Sequence[Chunk], processes: int, on_progress: OnProgress = lambda games: None
) -> Generator[PlayedChunk]:
    """Yields chunks with their games as they end, in any order.

    Closing the iterator, or an interrupt, drops what is being played.

    Args:
        chunks: what to play.
        processes: how many processes play; 1 plays in this one.
        on_progress: called with the number of games played within unfinished chunks.

    Raises:
        AgentError: an agent cannot be built, plays an invalid action or fails, or a process died.
    """
    if processes == 1 or len(chunks) < 2:
        for chunk in chunks:
            yield chunk, play_chunk(chunk, _in_games(on_progress, chunk.num_games))
    else:
        try:
            yield from _play_apart(chunks, min(processes, len(chunks)), on_progress)
        except WorkerDiedError as error:
            raise AgentError(
                f"{error} (is there enough memory?); "
                "the same command continues; use fewer --processes"
            ) from error
        except WorkerError as error:
            message, _, traceback = str(error).partition("\n")
            if traceback:
                raise AgentCrashedError(message, traceback) from error
            raise AgentError(message) from error


def _in_games(on_progress: OnProgress, num_games: int) -> OnProgress:
    """Returns a function that takes the fraction done, and reports the number of games."""
    return lambda done: on_progress(done * num_games)


def _play_apart(
    chunks: Sequence[Chunk], num_workers: int, on_progress: OnProgress
) -> Generator[PlayedChunk]:
    waiting, playing, so_far = list(reversed(chunks)), dict[Worker, Chunk](), dict[Worker, float]()

    def hand_out(worker: Worker) -> None:
        if waiting:
            playing[worker], so_far[worker] = waiting.pop(), 0.0
            worker.send(playing[worker])

    with ExitStack() as stack:
        workers = [stack.enter_context(_new_worker()) for _ in range(num_workers)]
        for worker in workers:  # which start at the same time
            hand_out(worker)
        while playing:
            for worker in ready(list(playing), _SECONDS):
                answer = worker.receive()
                if isinstance(answer, list):
                    chunk = playing.pop(worker)
                    hand_out(worker)  # nobody waits for what the caller does with the games
                    yield chunk, answer
                else:
                    so_far[worker] = answer
            on_progress(sum(so_far[worker] for worker in playing))


def _new_worker() -> Worker:
    return Worker(_serve, name="a process that plays games", environment=_ONE_THREAD)


def _serve(channel: Channel) -> None:
    """Plays chunks as they come; answers with games so far now and then, and with all games."""
    while True:
        chunk, last = channel.receive(), time.monotonic()

        def report(done: float, chunk: Chunk = chunk) -> None:
            nonlocal last
            if time.monotonic() > last + _SECONDS:
                last = time.monotonic()
                channel.send(done * chunk.num_games)

        channel.send(play_chunk(chunk, report))
