"""Records are added as games end: interruptions, kills and full disks lose no whole game."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.locks import RecordsFile
from gonzaga_agents.play.evaluate import evaluate

from gonzaga_env.core import read_records, replay
from gonzaga_env.kernel.errors import OptionError

RECORD: dict[str, Any] = {"format": 1, "edition": "europe", "moves": ["x" * 100]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def test_records_are_written_as_they_are_added(path: Path) -> None:
    before = '{"format": 1, "edition": "europe", "moves": []}\n{"format": 1, "edi'
    path.write_text(before)
    file = RecordsFile(path)
    assert path.read_text() == before
    with file:
        for number in range(1, 4):
            file.add([RECORD])
            assert [*read_records(path)] == [RECORD] * number == [RECORD] * file.num_games
    assert file.error is None


def test_two_evaluations_do_not_share_a_file(path: Path) -> None:
    with RecordsFile(path) as file:
        file.add([RECORD])
        with pytest.raises(OptionError, match="another evaluation writes to it"), RecordsFile(path):
            pass
    assert [*read_records(path)] == [RECORD]
    with RecordsFile(path):
        pass
    assert [*read_records(path)] == [RECORD], "kept until other games have ended"


def test_a_path_that_takes_no_records_is_refused_at_once(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "games.jsonl", Path("/dev/full")):
        with pytest.raises(OptionError, match="records can't be written to"):
            RecordsFile(path)


def test_a_file_of_something_else_is_refused(path: Path) -> None:
    half = '{"format": 1, "game": "gonzaga", "digest": "0"}'
    long = half[:-1] + ", " + '"moves", ' * 20_000  # as analyses are
    begun = ('{"format": "mine"}', '{"format": "mi', "mine")
    for text in ("mine\n", f"{half}\n", half, long, *begun):
        path.write_text(text)
        with pytest.raises(OptionError, match="it holds something else"):
            RecordsFile(path)
        assert path.read_text() == text
    for half in ("", '{"format": 1, "edi'):
        path.write_text(half)
        RecordsFile(path)


def test_a_pipe_does_not_wait_for_a_reader(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(OptionError, match="is not a regular file"):
        RecordsFile(path)


class Watching:
    """Looks at the size of a file whenever it acts."""

    def __init__(self, path: Path) -> None:
        self.path, self.sizes = path, set[int]()

    def act(self, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        self.sizes.add(self.path.stat().st_size)
        return (masks * rng.random(masks.shape)).argmax(axis=1)


def test_games_are_written_while_others_go_on(path: Path) -> None:
    agent = Watching(path)
    evaluate([agent, "greedy", "greedy", "greedy"], deals=30, records=path)
    assert len(agent.sizes) > 2
    records = [*read_records(path)]
    assert len(records) == 120
    for record in records[::40]:
        replay(record)


def limit_files() -> None:
    """Lets no file of this process grow beyond 100 kB, as on a disk that fills up."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def command(path: Path, deals: int) -> list[str]:
    door = Path(__file__).parents[3] / "evaluate.py"
    options = ["random", "greedy", "--deals", str(deals), "--records", str(path)]
    return [sys.executable, str(door), *options]


def test_a_full_disk_loses_neither_the_table_nor_the_games_before(path: Path) -> None:
    done = subprocess.run(
        command(path, 20),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=limit_files,
    )
    kept = len([*read_records(path)])
    assert 0 < kept < 40
    assert done.returncode == 2
    assert "random" in done.stdout
    reason = "can't be written: File too large"
    assert (
        done.stderr
        == f"gonzaga evaluate: records: {path}: {reason}; it holds the first {kept} games\n"
    )


def test_a_full_disk_is_a_warning_from_python(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OptionError("no space")

    monkeypatch.setattr(RecordsFile, "write", full)
    with pytest.warns(RuntimeWarning, match="no space"):
        assert evaluate("random", players=2, deals=1, records=path).agents


def test_a_killed_evaluation_leaves_whole_lines(path: Path) -> None:
    with subprocess.Popen(command(path, 100_000), stdout=subprocess.DEVNULL) as process:
        try:
            for _ in range(600):
                if process.poll() is not None or (path.exists() and path.stat().st_size > 200_000):
                    break
                time.sleep(0.1)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL
    whole = path.read_bytes().rpartition(b"\n")[0]
    path.write_bytes(whole)
    records = [*read_records(path)]
    assert len(records) > 10
    replay(records[-1])


def test_an_interrupt_says_how_many_games_are_kept(
    gonzaga, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = RecordsFile.add

    def interrupted(file: RecordsFile, records: Any) -> None:
        add(file, records)
        raise KeyboardInterrupt

    monkeypatch.setattr(RecordsFile, "add", interrupted)
    code, _, err = gonzaga("evaluate", *command(path, 50)[2:])
    kept = len([*read_records(path)])
    assert (code, err) == (130, f"gonzaga evaluate: interrupted; {kept} games are in {path}\n")
