"""The benchmarks run at toy sizes; their figures are measured by hand (docs/speed.md)."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import load, measure, peers, rows, speed

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("row", ["raw_env", "make_vec, N = 64", "make_sb3_vec, N = 64"])
def test_environments_play(row) -> None:
    assert measure.rate(rows.ROWS[f"gonzaga/{row}"](), 0.01) > 0


@pytest.mark.parametrize("game", rows.ENVS)
def test_batches_play(game) -> None:
    assert rows.batch(game, 2)() == 2 * 16


@pytest.mark.nightly
def test_training_is_measured() -> None:
    command = [sys.executable, "-m", "benchmarks.rows", rows.TRAINING]
    done = subprocess.run(
        command, cwd=ROOT, input="1\n", capture_output=True, text=True, check=True
    )
    assert float(done.stdout.split()[-1]) > 0


def test_a_row_is_paired_with_the_same_code(capsys, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(speed, "check_out", lambda revision, folder: ROOT)
    monkeypatch.setattr(speed, "BURSTS", 2)
    options = speed.SpeedOptions("tuscany/raw_env", "v0", seconds=0.02)
    speed.main(options)
    *_, line, _, note = capsys.readouterr().out.splitlines()
    ratio = float(line.split("|")[3].split()[0])
    assert 0.2 < ratio < 5
    assert "gonzaga-env" in note


def test_this_engine_is_among_its_peers(capsys, monkeypatch) -> None:
    monkeypatch.setattr(peers, "SECONDS", 0.01)
    peers.main(peers.PeersOptions("gonzaga"))
    assert "Engine, N = 1,024 | 3,203 actions, 3748" in capsys.readouterr().out


def test_a_table_is_written_between_its_marks(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- speed -->\nold\n<!-- end -->\nb\n")
    measure.write("speed", measure.table(["row", "steps"], [["x", "1"]]), page)
    assert page.read_text() == (
        "a\n<!-- speed -->\n\n| row | steps |\n| --- | --: |\n| x | 1 |\n\n<!-- end -->\nb\n"
    )
    with pytest.raises(ValueError, match="peers"):
        measure.write("peers", "", page)


@pytest.mark.nightly
def test_people_play_at_a_table(capsys, monkeypatch) -> None:
    monkeypatch.setattr(load, "THINK", 0.01)
    load.main(load.LoadOptions(tables=1, seconds=20))
    printed = capsys.readouterr().out
    assert "| create | 1 |" in printed
    assert "lost: nothing" in printed
