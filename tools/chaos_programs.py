"""The programs under test, at toy sizes, with the files that they write and who uses them."""

from __future__ import annotations

import http.client
import json
import os
import re
import resource
import signal
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from gonzaga_agents import cli
from gonzaga_agents.common.array_files import read_arrays
from gonzaga_agents.network.checkpoint import CheckpointError, check_whole, read_description
from gonzaga_agents.network.files import CHECKPOINT, numbered_checkpoints
from gonzaga_agents.tournament.tournament import GAMES
from gonzaga_table.cli import play

from gonzaga_env.core.records import read_entries, replay, verify
from gonzaga_env.tabletop.agent import AgentError


def learn_small_value() -> int:
    """Learns a value from parts of a few games."""
    value_learning = import_module("gonzaga_agents.training.value_learning")
    learned = value_learning.play
    value_learning.play = lambda *given: learned(*given[:3], 12, *given[4:])
    value_learning._BATCH = 32
    return cli.run_command("search_value", "gonzaga_agents.training.value_learning")


COMMANDS: dict[str, Callable[[], int]] = {
    "train": cli.train,
    "evaluate": cli.evaluate,
    "gonzaga-play": play,
    "search_value": learn_small_value,
}
for _module in (  # imported once, before any fork
    *(f"gonzaga_agents.{room}.command" for room in ("evaluation", "tournament", "training")),
    *("gonzaga_agents.tournament.figure", "gonzaga_agents.training.run"),
    *("gonzaga_agents.training.value_learning", "gonzaga_agents.network.agent"),
    *("gonzaga_table.web.command", "uvicorn.loops.auto", "uvicorn.protocols.http.auto"),
    *("uvicorn.lifespan.on", "torch._dynamo"),  # torch's optimizers import the last one
):
    import_module(_module)
_LONGEST = 300.0  # seconds that a program may take


class LostError(Exception):
    """A fault had a consequence that it must not have."""


class Program:
    """A command that runs in its own process.

    The process is forked, because importing torch would take longer than everything else. Nothing
    before the fork may start threads.

    Attributes:
        pid: the process.
        code: its exit code, minus the signal's number if one killed it; None while it runs.
    """

    def __init__(
        self, name: str, arguments: Sequence[str], log: Path, most_bytes: int | None = None
    ) -> None:
        """Starts it.

        Args:
            name: a key of `COMMANDS`.
            arguments: the command line without the command.
            log: a path, to which ".out" and ".err" are added for what it prints.
            most_bytes: the size that its files may have, for want of a small disk.
        """
        self._name, self._log = name, log
        self.code: int | None = None
        sys.stdout.flush()
        with Path(f"{log}.out").open("w") as out, Path(f"{log}.err").open("w") as err:
            self.pid = os.fork()
            if not self.pid:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                self._run(arguments, most_bytes)

    def _run(self, arguments: Sequence[str], most_bytes: int | None) -> None:
        """Runs the command in the forked process, which then ends."""
        code = 1
        try:
            os.setpgid(0, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.chdir(self._log.parent)
            if most_bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
            sys.argv = [self._name, *arguments]
            code = COMMANDS[self._name]()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            with suppress(OSError):
                sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    @property
    def out(self) -> str:
        """What it has printed so far."""
        return Path(f"{self._log}.out").read_text()

    @property
    def complaint(self) -> str:
        """What it has printed to stderr so far."""
        return Path(f"{self._log}.err").read_text()

    @property
    def is_running(self) -> bool:
        """Whether it still runs."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is None

    def wait(self) -> int:
        """Waits for its end and returns the exit code.

        Raises:
            LostError: it or a process that it started does not end, or it has printed a traceback,
                or more or something else than one line about what went wrong.
        """
        wait_until(lambda: not self.is_running, f"ending {self._name}", _LONGEST)
        wait_until(lambda: not _members(self.pid), f"ending {self._name} with all its processes")
        self.check_messages(self.code)
        return self.code

    def check_messages(self, code: int) -> None:
        """Raises LostError unless the messages suit an exit code (see `wait`)."""
        if code == -signal.SIGKILL:
            return  # Python's own helper processes complain that it is gone
        lines = [line for line in self.complaint.splitlines() if line.strip()]
        errors = [line for line in lines if not self._may_always_say(line)]
        is_named = all(line.startswith(f"{self._name}: ") for line in errors)
        if not is_named or len(errors) != (1 if code == 2 else 0):
            raise LostError(f"{self._name} ended with {code} and said: {' / '.join(lines)[-600:]}")

    def _may_always_say(self, line: str) -> bool:
        """Returns whether a line is a warning, or shows the progress of a training."""
        is_progress = re.match(r"[\d,]+ of [\d,]+ turns: ", line)
        warnings = ("warning: ", f"{self._name}: warning: ")  # of a library, and of the command
        return line.startswith(warnings) or is_progress is not None

    def end(self, number: int = signal.SIGTERM) -> None:
        """Ends it if it still runs."""
        if self.is_running:
            os.kill(self.pid, number)
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _members(group: int) -> list[str]:
    """Returns the living processes of a group; none where there is no /proc to look at."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in "ZX":
                found.append(path.parent.name)
    return found


def wait_until(condition: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Waits for a condition; LostError if it takes too long."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise LostError(f"{what} took more than {seconds:g} s")
        time.sleep(0.002)


_SIZES = ["--players", "2", "--num-games", "4", "--minibatch", "32", "--width", "8"]
_TRAIN = [*_SIZES, "--checkpoint-every", "64", "--eval-deals", "0", "--final-deals", "0"]
_TRAIN += ["--opponents", "random,past", "--device", "cpu"]
_NUM_DEALS = 20
_TOURNAMENT_DEALS = 200  # four chunks, so that several processes have something to do
_MOST_VALUE = 2**20  # bytes


class Case(ABC):
    """A program with the files that it writes, over one or several runs.

    Attributes:
        folder: where it writes.
        when_full: makes room on the disk, for programs that continue without a new start.
        spoiled: the file that was damaged; it may be refused or lost.
    """

    name: ClassVar[str]
    written: ClassVar[str] = ""  # a pattern of the files that it writes
    processes: ClassVar[str] = "1"  # that the work is shared among

    def __init__(self, folder: Path, log: Path) -> None:
        """Takes an empty folder, and where to log what programs print."""
        self.folder, self._log = folder, log
        self.when_full: Callable[[], None] | None = None
        self.spoiled: Path | None = None

    @abstractmethod
    def start(self, most_bytes: int | None = None) -> Program:
        """Starts, or continues with what the folder holds."""

    def again(self) -> Program:
        """Starts a second program that does the same as the first one."""
        self._log = self._log.with_name("second-log")
        return self.start()

    def work(self, program: Program) -> int:
        """Uses a program to its end and returns its exit code."""
        return program.wait()

    @abstractmethod
    def check(self) -> None:
        """Raises LostError unless everything that was confirmed is there and loads."""

    @abstractmethod
    def check_done(self) -> None:
        """Raises LostError unless the work is complete, after a program has ended well."""

    def newest(self) -> Path | None:
        """Returns the file that was written last; None if there is none."""
        times = {path.stat().st_mtime_ns: path for path in self.folder.glob(self.written)}
        return times[max(times)] if times else None


class Training(Case):
    """A training run; what it confirms are its numbered checkpoints."""

    name = "training"

    def __init__(self, folder: Path, log: Path) -> None:
        super().__init__(folder, log)
        self._out, self._goal, self._kept = folder / "run", 128, dict[Path, bytes]()

    def again(self) -> Program:
        """Starts the same training once more."""
        self._log = self._log.with_name("second-log")
        return Program("train", self._given, self._log)

    def start(self, most_bytes: int | None = None) -> Program:
        """Trains 64 turns more than the last time, by --resume where there is a checkpoint."""
        self._goal += 64
        is_begun = (self._out / CHECKPOINT).exists() or bool(numbered_checkpoints(self._out))
        if not is_begun and self._out.exists() and any(self._out.iterdir()):
            self._out = self._out.with_name(f"{self._out.name}-next")  # as the message demands
        given = ["--resume"] if is_begun else [*_TRAIN, "--processes", self.processes]
        self._given = [*given, "--out", str(self._out), "--timesteps", str(self._goal)]
        return Program("train", self._given, self._log, most_bytes)

    def check(self) -> None:
        """Checks all checkpoints, and that those that were there have not changed."""
        numbered = numbered_checkpoints(self._out)
        latest = self._out / CHECKPOINT
        for path in [*numbered, *([latest] if latest.exists() else [])]:
            if path != self.spoiled:
                _check_checkpoint(path)
        if len(numbered) > 1 and not latest.exists() and latest != self.spoiled:
            raise LostError(f"there are {len(numbered)} checkpoints and no {CHECKPOINT}")
        self._kept.pop(self.spoiled or Path(), None)
        for path, content in self._kept.items():
            if not path.exists() or path.read_bytes() != content:
                raise LostError(f"{path.name} has changed")
        done = _turns(latest) if latest.exists() and latest != self.spoiled else 0
        self._kept |= {path: path.read_bytes() for path in numbered if int(path.stem) <= done}

    def check_done(self) -> None:
        """Checks that the latest checkpoint is there and whole."""
        _check_checkpoint(self._out / CHECKPOINT)

    def newest(self) -> Path | None:
        """Returns the latest checkpoint."""
        latest = self._out / CHECKPOINT
        return latest if latest.exists() else None


class TrainingInTwo(Training):
    """A training run with a process that plays and one that learns."""

    name, processes = "training in two processes", "2"


def _turns(path: Path) -> int:
    """Returns the turns that a checkpoint has learned from; a later one is trained again."""
    return int(read_description(path)["timesteps"])


def _check_checkpoint(path: Path) -> None:
    try:
        check_whole(path)
    except CheckpointError as error:
        raise LostError(str(error)) from error


class ValueLearning(Case):
    """Learning a value for search; what it confirms are its parts and values."""

    name, written = "value learning", "value/*.npz"
    value: ClassVar[bytes] = b""
    """The file that is learned without faults."""

    def start(self, most_bytes: int | None = None) -> Program:
        """Continues with the existing parts."""
        sizes = {"players": 2, "planner-parts": 3, "search-parts": 2, "playouts": 2, "epochs": 2}
        given = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
        given += ["--out", str(self.folder / "value")]
        return Program("search_value", given, self._log, most_bytes)

    def check(self) -> None:
        """Loads everything."""
        for path in self.folder.glob(self.written):
            if path != self.spoiled and not path.name.startswith("damaged"):
                try:
                    read_arrays(path, _MOST_VALUE)
                except AgentError as error:
                    raise LostError(str(error)) from error

    def check_done(self) -> None:
        """Checks that the value is the one that is learned without faults."""
        value = (self.folder / "value" / "players_2.npz").read_bytes()
        ValueLearning.value = ValueLearning.value or value
        if value != ValueLearning.value:
            raise LostError("the value differs from the one that is learned without faults")


class Evaluation(Case):
    """An evaluation that writes records; what it confirms are whole lines of the file."""

    name, written = "evaluation", "games.jsonl"

    def __init__(self, folder: Path, log: Path) -> None:
        super().__init__(folder, log)
        self._file = folder / "games.jsonl"

    def start(self, most_bytes: int | None = None) -> Program:
        """Plays from the start; the file is replaced."""
        given = ["random", "greedy", "--deals", str(_NUM_DEALS), "--records", str(self._file)]
        return Program("evaluate", given, self._log, most_bytes)

    def check(self) -> None:
        """Replays all games; the last line alone may be cut short."""
        if self._file.exists() and self._file != self.spoiled:
            whole = self._file.read_bytes().count(b"\n")
            for entry, fault in verify(read_entries(self._file)):
                if fault is not None and entry.line <= whole:
                    raise LostError(f"line {entry.line} of {whole}: {fault}")

    def check_done(self) -> None:
        """Checks that every game is there."""
        faults = [fault for _, fault in verify(read_entries(self._file))]
        if faults != [None] * 2 * _NUM_DEALS:
            raise LostError(f"{faults.count(None)} games of {2 * _NUM_DEALS}")


class TournamentCase(Case):
    """A tournament; what it confirms are whole lines of its file."""

    name, written = "tournament", f"out/{GAMES}"
    games: ClassVar[list[str]] = []
    """The games of a tournament without faults, sorted."""

    def __init__(self, folder: Path, log: Path) -> None:
        super().__init__(folder, log)
        self._file, self._kept = folder / "out" / GAMES, b""

    def start(self, most_bytes: int | None = None) -> Program:
        """Plays what is missing."""
        given = ["--tournament", "random", "greedy", "--seed", str(2**64)]
        given += ["--deals", str(_TOURNAMENT_DEALS)]
        given += ["--processes", self.processes, "--out", str(self._file.parent)]
        return Program("evaluate", given, self._log, most_bytes)

    def check(self) -> None:
        """Checks that all lines that were whole are still there."""
        content = self._file.read_bytes() if self._file.exists() else b""
        if self.spoiled is None and not content.startswith(self._kept):
            raise LostError(f"lost: {self._kept[:80]!r} ...")
        self._kept = content[: content.rfind(b"\n") + 1]

    def check_done(self) -> None:
        """Checks that the games are those of a tournament without faults."""
        lines = self._file.read_text().splitlines()
        games = sorted(line for line in lines if line.startswith('{"deal"'))
        TournamentCase.games = TournamentCase.games or games
        if games != TournamentCase.games:
            raise LostError("the games differ from those of a tournament without faults")
        if not (self._file.parent / "standings.md").exists():
            raise LostError("there is no table")


class TournamentInTwo(TournamentCase):
    """A tournament that two processes play."""

    name, processes = "tournament in two processes", "2"


class BrowserTable(Case):
    """A table for two people; what it confirms are the moves that it answered."""

    name = "browser table"

    def __init__(self, folder: Path, log: Path) -> None:
        super().__init__(folder, log)
        self._file, self._rng = folder / "tables.sqlite", Random(1)
        self._path, self._tokens = "", list[str]()
        # Moves that had been made before, seat, action: a sealed one is made after others.
        self._confirmed, self._is_over = list[tuple[int, int, int]](), False

    def start(self, most_bytes: int | None = None) -> Program:
        """Starts a server with the file."""
        given = ["--port", "0", "--data", str(self._file), "--no-open"]
        return Program("gonzaga-play", given, self._log, most_bytes)

    def work(self, program: Program) -> int:
        """Plays to the end of the game, or of the server; then the server is ended."""
        wait_until(lambda: "http://" in program.out or not program.is_running, "starting")
        if not program.is_running:
            return program.wait()
        self._is_over = False
        found = re.search(r"http://127\.0\.0\.1:(\d+)", program.out)
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        try:
            self._play(connection)
        except (OSError, http.client.HTTPException):
            wait_until(lambda: not program.is_running, "ending without an answer")
            return program.wait()
        finally:
            connection.close()
        program.end(signal.SIGTERM)
        program.check_messages(0)
        return 0

    def _play(self, connection: http.client.HTTPConnection) -> None:
        if not self._path:
            asked = {"edition": "europe", "num_players": 2, "seats": ["human", "human"]}
            made = self._ask(connection, "POST", "/api/tables", None, asked)
            if made is None:
                return
            self._path = f"/api/tables/{made['table']}"
            self._tokens = [seat["token"] for seat in made["seats"]]
        for position in self._turns(connection):
            turn, number = position["turn"], position["moves"]
            action = self._rng.choice(turn.get("plans") or turn["placements"])["action"]
            path, seat = f"{self._path}/moves", position["seat"]
            asked = {"move": number, "action": action}
            if self._ask(connection, "POST", path, self._tokens[seat], asked) is None:
                return
            self._confirmed.append((number, seat, action))
        if self._is_over:
            self._check_record(connection)

    def _turns(self, connection: http.client.HTTPConnection) -> Iterator[dict[str, Any]]:
        """Yields the position as the seat to act sees it, until the game is over."""
        while True:
            for token in self._tokens:
                position = self._ask(connection, "GET", self._path, token)
                if position is None:
                    return
                kept = position["moves"] + len(position["sealed"])
                if kept < len(self._confirmed):
                    self._lose(f"{kept} of {len(self._confirmed)} moves")
                self._is_over = position["over"]
                if self._is_over:
                    return
                if position["turn"] is not None:
                    yield position

    def _lose(self, what: str) -> None:
        """Raises LostError, unless the file was damaged: then the moves before that are left."""
        if self.spoiled is None:
            raise LostError(f"the table holds {what}")
        self._confirmed.clear()

    def _ask(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        token: str | None,
        content: Any = None,
    ) -> Any:
        """Returns an answer; None if the server said that it cannot use its file."""
        while True:
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            body = None if content is None else json.dumps(content)
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
            if response.status in (200, 201):
                return answer
            error = answer["error"]
            may_fail = self.when_full is not None or self.spoiled is not None
            if not may_fail or error["code"] not in ("failed", "not_found"):
                raise LostError(f"{method} {path}: {response.status} {error}")
            is_named = str(self._file) in error["message"] or "saved table" in error["message"]
            if "\n" in error["message"] or (error["code"] == "failed" and not is_named):
                raise LostError(f"{method} {path}: the error is not one line with a name: {error}")
            if self.when_full is None:
                return None
            self.when_full()
            self.when_full = None

    def _check_record(self, connection: http.client.HTTPConnection) -> None:
        record = self._ask(connection, "GET", f"{self._path}/record", self._tokens[0])
        game = replay(record)
        for number, seat, action in self._confirmed:
            made = next(move for move in record["moves"][number:] if move["seat"] == seat)
            if game.actions.parse(made["action"]) != action:
                raise LostError(f"seat {seat}'s move after {number} is another one in the record")

    def check(self) -> None:
        """Checks nothing: `work` compares the table with what was confirmed."""

    def check_done(self) -> None:
        """Checks that the game has been played to its end."""
        if not self._is_over and self.spoiled is None:
            raise LostError("the game is not over")

    def newest(self) -> Path | None:
        """Returns the write-ahead log, or the file itself."""
        log = self._file.with_name(f"{self._file.name}-wal")
        return next((path for path in (log, self._file) if path.exists()), None)
