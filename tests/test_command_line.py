"""What every command makes of its streams (F10): encodings, closed ones, readers that have gone."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gonzaga_env.command_line import BROKEN_PIPE, FAILED, INTERRUPTED, OK, run_command
from gonzaga_env.tabletop.errors import OptionError

AGENTS_DOOR = "import sys; from gonzaga_agents.cli import evaluate; sys.exit(evaluate())"
DOORS = {
    "gonzaga_env": [sys.executable, "-m", "gonzaga_env", "edition", "check", "europe"],
    "commands": [sys.executable, "-m", "gonzaga_agents"],
    "agents": [sys.executable, "-c", AGENTS_DOOR, "random", "random", "--deals", "1"],
}
POSIX = pytest.mark.skipif(os.name == "nt", reason="the redirections are those of a POSIX shell")


def redirected(
    door: list[str], redirection: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command with a shell's redirection."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", *door]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )


@POSIX
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_reader_that_has_gone_ends_it_like_other_commands(door) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(door, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, "")


@POSIX
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_closed_output_is_one_line(door) -> None:
    done = redirected(door, ">&-")
    assert (done.returncode, done.stderr.count("\n")) == (FAILED, 1)
    assert "standard output is closed" in done.stderr


@POSIX
def test_with_closed_errors_the_exit_code_tells() -> None:
    missing = [*DOORS["gonzaga_env"][:-1], "no-such-edition"]
    done = redirected(missing, "2>&-")
    assert (done.returncode, done.stdout) == (FAILED, ""), "a complaint is no output"
    done = redirected(DOORS["agents"], "2>&- <&-")
    assert done.returncode == OK
    assert "win share" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="it is a device of Linux")
def test_a_full_disk_is_one_line() -> None:
    done = redirected(DOORS["gonzaga_env"], "> /dev/full")
    assert (done.returncode, done.stderr) == (
        FAILED,
        "python -m gonzaga_env: No space left on device\n",
    )


@POSIX
def test_letters_that_an_encoding_lacks_are_replaced() -> None:
    done = redirected(DOORS["agents"], "", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (OK, "")
    assert "score ? 95%" in done.stdout


def test_the_encoding_is_that_of_every_command(monkeypatch) -> None:
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output, encoding="ascii"))

    def command() -> int:
        print("±\ud800")
        return OK

    assert run_command("command", command) == OK
    assert output.getvalue() == b"??\n"


def test_a_message_does_not_command_the_terminal(capsys) -> None:
    def command() -> int:
        raise OptionError("no agent \x1b[2J\x9b31m")

    assert run_command("command", command) == FAILED
    assert capsys.readouterr().err == "command: no agent \ufffd[2J\ufffd31m\n"


def test_an_interrupt_is_one_line(capsys) -> None:
    def command() -> int:
        raise KeyboardInterrupt

    assert run_command("command", command) == INTERRUPTED
    assert capsys.readouterr().err == "command: interrupted\n"


def test_an_unknown_module_is_an_error_of_the_code() -> None:
    def command() -> int:
        raise ModuleNotFoundError("No module named 'nothing'", name="nothing")

    with pytest.raises(ModuleNotFoundError):
        run_command("command", command)
    assert run_command("command", command, lambda error: f"install {error.name}") == FAILED


def test_a_module_is_called_as_it_runs_from_any_folder(tmp_path) -> None:
    """Its path, in a wheel, would be one into the site-packages."""
    command = [sys.executable, "-m", "gonzaga_agents.policies.export", "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: python -m gonzaga_agents.policies.export [-h] RUN")
