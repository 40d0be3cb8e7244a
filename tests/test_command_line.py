"""What every command makes of its arguments and its streams: one line and an exit code."""

import io
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gonzaga_env.cli import VERBS, main
from gonzaga_env.command_line import (
    BROKEN_PIPE,
    FAILED,
    INTERRUPTED,
    OK,
    WholeNumber,
    parse,
    run_command,
)
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.version import __version__
from tests.conftest import complaint_of

ROOT = Path(__file__).parent.parent
GONZAGA = [sys.executable, "-m", "gonzaga_env"]
CHECK = [*GONZAGA, "edition", "check", "europe"]
# Verbs whose own verbs come next, and one of those.
NESTED = {"edition": "check", "bench": "run", "bot": "check", "data": "parquet"}
POSIX = pytest.mark.skipif(os.name == "nt", reason="the redirections are those of a POSIX shell")


@dataclass(frozen=True)
class SomeOptions:
    """Does something."""

    num_games: WholeNumber = 3
    """How many games."""


def shell(command: list[str], redirection: str, **environment: str) -> tuple[int, str, str]:
    """Runs a command with a shell's redirection."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *command],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def called_words(verb: str) -> list[str]:
    return [verb, *([NESTED[verb]] if verb in NESTED else [])]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_help(verb, gonzaga) -> None:
    words = called_words(verb)
    code, out, err = gonzaga(*words, "--help")
    assert (code, err) == (OK, "")
    assert out.startswith(f"usage: gonzaga {' '.join(words)} ")
    assert "python -m" not in out


@pytest.mark.parametrize("verb", VERBS)
def test_a_wrong_option_is_one_line(verb, gonzaga) -> None:
    told = complaint_of(gonzaga(*called_words(verb), "--no-such-option"))
    assert told.startswith(f"gonzaga {verb}: ")


def test_verbs_and_the_version_are_listed(gonzaga) -> None:
    out = gonzaga("--help")[1]
    assert all(f"  {name} " in out and verb.about in out for name, verb in VERBS.items())
    assert gonzaga("--version") == (OK, f"gonzaga-env {__version__}\n", "")


def test_a_wrong_verb_is_one_line(gonzaga) -> None:
    assert "did you mean train?" in complaint_of(gonzaga("trian"))
    assert "edition" in complaint_of(gonzaga())
    assert "did you mean draw?" in complaint_of(gonzaga("edition", "drew"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--num-gmes", "3"], "did you mean --num-games?"),
        (["--num-games", "x"], "'x' is not a whole number"),
        (["--num-games", "1.5"], "not a whole number"),
        (["--num-games"], "--num-games"),
        (["more"], "more"),
    ],
)
def test_wrong_options_are_told_in_one_line(words, told) -> None:
    with pytest.raises(OptionError) as caught:
        parse(SomeOptions, words, "gonzaga some")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_whole_numbers_are_read_as_people_write_them() -> None:
    for text in ("200000", "200_000", "2e5"):
        assert parse(SomeOptions, ["--num-games", text], "gonzaga some").num_games == 200_000
    assert parse(SomeOptions, [], "gonzaga some", SomeOptions(7)).num_games == 7


def test_a_wrong_option_of_train_is_refused_without_torch() -> None:
    code = (
        "import sys; from gonzaga_env.cli import main\n"
        "code = main(['train', '--playres', '3']); sys.exit(9 if 'torch' in sys.modules else code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (FAILED, 1)
    assert "did you mean --players?" in done.stderr


def test_checkouts_run_train_and_evaluate() -> None:
    root = Path(__file__).parent.parent
    for name in ("train", "evaluate"):
        done = subprocess.run(
            [sys.executable, root / f"{name}.py", "--no-such-option"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr.count("\n")) == (FAILED, 1)
        assert done.stderr.startswith(f"gonzaga {name}: ")


@POSIX
def test_a_reader_that_has_gone_ends_it_like_other_commands() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(CHECK, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, "")


@POSIX
def test_closed_streams_and_full_disks_are_one_line() -> None:
    assert "standard output is closed" in complaint_of(shell(CHECK, ">&-"))
    code, out, _ = shell([*CHECK[:-1], "no-such-edition"], "2>&-")
    assert (code, out) == (FAILED, ""), "a complaint is no output"
    if Path("/dev/full").exists():
        told = complaint_of(shell(CHECK, "> /dev/full"))
        assert told == "gonzaga edition: No space left on device\n"


def test_letters_that_an_encoding_lacks_are_replaced(monkeypatch) -> None:
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


@pytest.mark.parametrize(
    ("edition", "file"),
    [
        ("gonzaga_env/data/editions/europe", "board.toml"),
        ("gonzaga_env/tuscany/editions/reconstruction.toml", ""),
        ("gonzaga_env/signorie/editions/reconstruction.toml", ""),
    ],
)
def test_an_edition_does_not_command_the_terminal(gonzaga, tmp_path, edition, file) -> None:
    path, shipped = tmp_path / Path(edition).name, ROOT / edition
    (shutil.copytree if file else shutil.copy)(shipped, path)
    text = (path / file).read_text("utf-8")
    spoilt = re.sub(r'^name = "\w+"', r'name = "\\u001b[2J"', text, flags=re.MULTILINE)
    (path / file).write_text(spoilt, "utf-8")
    code, out, _ = gonzaga("edition", "check", path)
    assert code == FAILED
    assert r"name: is '\x1b[2J'" in out
    assert all(letter.isprintable() or letter == "\n" for letter in out)


def test_an_interrupt_is_one_line(capsys) -> None:
    def command() -> int:
        raise KeyboardInterrupt

    assert run_command("command", command) == INTERRUPTED
    assert capsys.readouterr().err == "command: interrupted\n"


def test_ctrl_c_during_imports_is_one_line(monkeypatch, capsys) -> None:
    class Interrupts:
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            if name == VERBS["stats"].module:
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Interrupts(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, VERBS["stats"].module, raising=False)
    assert main(["stats", "games.jsonl"]) == INTERRUPTED
    assert capsys.readouterr().err == "gonzaga stats: interrupted\n"


def test_a_missing_package_is_one_line_and_a_missing_part_an_error_of_the_code(capsys) -> None:
    def command(name: str) -> int:
        raise ModuleNotFoundError(name=name)

    for package, extra, hint in (
        ("torch", None, '"gonzaga-env[train]"'),
        ("scipy", "train", '"gonzaga-env[train]"'),
        ("pyarrow.parquet", "train", '"gonzaga-env[data]"'),
        ("polars", None, "polars"),
    ):
        assert run_command("command", lambda package=package: command(package), extra) == FAILED
        assert capsys.readouterr().err.endswith(f" is not installed; run: pip install {hint}\n")
    with pytest.raises(ModuleNotFoundError):
        run_command("command", lambda: command("gonzaga_agents.nothing"))


def test_the_package_imports_neither_games_nor_drawing_nor_commands() -> None:
    """They come with the first use of a name, so that `import gonzaga_env` takes no time."""
    code = (
        "import sys, numpy, gymnasium, pettingzoo; before = {*sys.modules}; import gonzaga_env\n"
        "print(*({*sys.modules} - before)); from gonzaga_env import *; import gonzaga_env.gonzaga\n"
        "assert gonzaga_env.Engine is gonzaga_env.gonzaga.Engine; assert signorie_v0.env\n"
        "assert 'draw' in dir(gonzaga_env)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(done.stdout.split()) < 10
