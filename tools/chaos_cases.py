"""The programs under test, at toy sizes: training, value learning, evaluation, tournaments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from gonzaga_agents.common.array_files import read_arrays
from gonzaga_agents.network.checkpoint import CheckpointError, check_whole, read_description
from gonzaga_agents.network.files import CHECKPOINT, numbered_checkpoints
from gonzaga_agents.tournament.tournament import GAMES

from gonzaga_env.core.records import read_entries, verify
from gonzaga_env.tabletop.agent import AgentError
from tools.chaos_faults import LostError, Program

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
