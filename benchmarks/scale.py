"""Measures what limits many cores, and computes the first limit at 8, 64 and 512 of them.

    python benchmarks/scale.py

Measured are bytes, pickling, what the process that hands out work does for a chunk or a rollout,
and the share of the time that workers play. Costs are processor seconds, so that a busy machine
changes them little. Needs the extras "tournament" and "train"; with "ray", tasks are timed, too.
The model is a division: what is needed at a size, by what one process or one cable can do.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from gonzaga_agents.tournament.games import Chunk, GameResult
from gonzaga_agents.tournament.results import Session, header_of, open_results
from gonzaga_agents.training.collector import Order, RolloutGames, weights_of
from gonzaga_agents.training.command import setup_of
from gonzaga_agents.training.options import Arguments
from gonzaga_agents.training.run import Run
from gonzaga_agents.units import Executor, Report, ThisProcess, Work, open_executor
from gonzaga_agents.units.entrants import Entrant
from gonzaga_agents.units.work import Packer, do_unit

from gonzaga_env.core import GameConfig

CORES = 8, 64, 512
_CABLE = 125e6  # bytes a second of 1 Gbit/s
_GAMES = 100_000  # of the tournament in the model
_DEALS = 25  # of a chunk with four players


def chunks(number: int, deals: int = _DEALS) -> list[Chunk]:
    """Returns chunks of a table of `planner` and `greedy`."""
    config = GameConfig(4)
    table = tuple(map(Entrant, ("greedy", "greedy", "planner", "planner")))
    return [Chunk(config, table, first * deals, deals, 2**70) for first in range(number)]


def timed_chunk(chunk: Chunk, _report: Report) -> tuple[float, list[GameResult]]:
    """Plays a chunk and returns the seconds it took, too."""
    began = time.perf_counter()
    games = chunk.play()
    return time.perf_counter() - began, games


def nothing_at_all(unit: int, _report: Report) -> int:
    """Returns its argument, so that a call costs only the transfer."""
    return unit


def processor_seconds(function: Callable[[], Any], least: float = 0.2) -> float:
    """Returns the processor time of a call, repeated until it can be measured."""
    calls, began = 0, time.process_time()
    while (spent := time.process_time() - began) < least:
        function()
        calls += 1
    return spent / calls


def tournament() -> dict[str, float]:
    """Measures a chunk: playing it, sending it, and keeping its games."""
    (chunk,) = chunks(1)
    packer = Packer(Work(timed_chunk, (chunk.config,)))
    unit = packer.pack(chunk)
    _, games = do_unit(packer.work, unit)
    result = pickle.dumps(games)
    session = Session("2026-11-22", None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        with open_results(path, header_of(chunk.config, chunk.seed)) as results:
            results.start_session(session)
            add = processor_seconds(lambda: results.add(games))
    unpack = processor_seconds(lambda: pickle.loads(result))
    return {
        "chunk.play_s": processor_seconds(chunk.play),
        "chunk.unit_bytes": len(unit),
        "chunk.work_bytes": len(pickle.dumps(packer.work)),
        "chunk.alone_bytes": len(pickle.dumps(chunk)),
        "chunk.result_bytes": len(result),
        "chunk.keep_s": processor_seconds(lambda: packer.pack(chunk)) + unpack + add,
    }


def training() -> dict[str, float]:
    """Measures a rollout: playing it, sending it, and learning from it."""
    arguments = Arguments(num_games=128, device="cpu", eval_deals=0, eval_against="")
    run = Run(setup_of(arguments), Path(), resume=False)
    games = RolloutGames(run.setup, 0, [])
    order = Order(weights_of(games.network), weights_of(games.critic), None)
    play = processor_seconds(games.collect)
    rollout = games.collect()
    data = pickle.dumps(rollout, pickle.HIGHEST_PROTOCOL)
    from stable_baselines3.common.logger import Logger

    run.model.set_logger(Logger(None, []))
    return {
        "rollout.turns": len(rollout.experience),
        "rollout.play_s": play,
        "rollout.bytes": len(data),
        "rollout.pickle_s": processor_seconds(lambda: pickle.dumps(rollout, 5)),
        "rollout.unpickle_s": processor_seconds(lambda: pickle.loads(data)),
        "rollout.learn_s": processor_seconds(lambda: run.model.learn_from(rollout.experience, 0)),
        "weights.bytes": len(pickle.dumps(order)),
    }


def busy_share(executor: Executor, units: list[Chunk]) -> float:
    """Returns the share of the time that workers play chunks, once they have started."""
    work, workers = Work(timed_chunk, (units[0].config,)), executor.workers or 1
    list(executor.run(work, units[: 2 * workers]))
    began = time.perf_counter()
    playing = sum(result[0] for _, result in executor.run(work, units))
    return playing / (time.perf_counter() - began) / workers


def executors() -> dict[str, float]:
    """Measures the share of time that workers play, and how many empty units run per second."""
    found = {}
    for kind in ("local", "ray"):
        with suppress(ModuleNotFoundError):
            for workers in (1, 2):
                here = kind == "local" and workers == 1
                with ThisProcess() if here else open_executor(kind, workers) as executor:
                    found[f"{kind}.busy_{workers}"] = busy_share(executor, chunks(12 * workers, 5))
                    if workers == 2:
                        empty = list(range(400))
                        list(executor.run(Work(nothing_at_all), empty[:20]))
                        spent = time.process_time()
                        list(executor.run(Work(nothing_at_all), empty))
                        spent = time.process_time() - spent
                        found[f"{kind}.hand_out_s"] = spent / len(empty)
    return found


def limits(figures: dict[str, float], kind: str, cores: int) -> dict[str, float]:
    """Returns the used fraction of each resource at a size."""
    if kind == "tournament":
        rate = cores / figures["chunk.play_s"]  # chunks a second
        hand_out = figures.get("ray.hand_out_s", figures["local.hand_out_s"])
        num_chunks = _GAMES / (4 * _DEALS)
        return {
            "process that hands out chunks": rate * (hand_out + figures["chunk.keep_s"]),
            "its network": rate * figures["chunk.result_bytes"] / _CABLE,
            "number of chunks": cores / num_chunks,
        }
    rate = cores / figures["rollout.play_s"]  # rollouts a second
    return {
        "learner": rate * figures["rollout.learn_s"],
        "learner's network": rate * figures["rollout.bytes"] / _CABLE,
        "unpickling at the learner": rate * figures["rollout.unpickle_s"],
        "weights to the players": rate * figures["weights.bytes"] / _CABLE,
    }


REMEDIES = {
    "process that hands out chunks": "shards, each with a process of its own",
    "its network": "shards",
    "number of chunks": "more games: each core needs chunks to the end",
    "learner": "a GPU, several learners, or a larger share of search in playing",
    "learner's network": "a faster cable; packed observations",
    "unpickling at the learner": "rollouts as shared arrays",
    "weights to the players": "a broadcast by node",
}


def lines(figures: dict[str, float]) -> list[str]:
    """Returns the figures and the model as two tables in Markdown."""
    found = ["| measured | |", "|---|---|"]
    found += [f"| {name} | {value:,.4g} |" for name, value in figures.items()]
    found += ["", "| work | cores | used of each | first limit | what removes it |"]
    found += ["|---|---|---|---|---|"]
    for kind in ("tournament", "training"):
        for cores in CORES:
            used = limits(figures, kind, cores)
            first = max(used, key=lambda name: used[name])
            shares = ", ".join(f"{name} {share:.2g}" for name, share in used.items())
            limit = f"{first}, {used[first]:.1f} times" if used[first] > 1 else "none: the cores"
            remedy = REMEDIES[first] if used[first] > 1 else "more cores"
            found.append(f"| {kind} | {cores} | {shares} | {limit} | {remedy} |")
    return found


def main() -> int:
    """Measures and prints; returns the exit code."""
    print("\n".join(lines(tournament() | training() | executors())))
    return 0


if __name__ == "__main__":
    from benchmarks import scale  # workers import its functions by this name

    sys.exit(scale.main())
