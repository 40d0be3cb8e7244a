"""`gonzaga doctor`."""

import sys
import tomllib
from email.message import Message
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from gonzaga_env import __version__
from gonzaga_env.__main__ import main
from gonzaga_env.commands import doctor

PROJECT: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent.parent / "pyproject.toml").read_text()
)["project"]


def installed(monkeypatch: pytest.MonkeyPatch, *required: str, **fields: str) -> None:
    """Replaces what the installed package says that it takes."""
    about = Message()
    for name, value in ({"Version": __version__} | fields).items():
        about[name.replace("_", "-")] = value
    for line in required:
        about["Requires-Dist"] = line
    monkeypatch.setattr(doctor, "distribution", lambda name: type("", (), {"metadata": about}))


def test_it_says_what_is_there_and_nothing_private(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/of_ann")
    monkeypatch.setenv("API_KEY", "secret_of_ann")
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"gonzaga-env   {__version__}")
    for name in (line.partition(">")[0] for line in PROJECT["dependencies"]):
        assert f"{name:<13} {version(name)}\n" in text
    assert all(f"[{extra}] " in text for extra in PROJECT["optional-dependencies"])
    assert "Paste all of this into an issue: https://" in text
    assert not any(word in text for word in ("of_ann", str(tmp_path), sys.prefix))


def test_extras_say_what_they_lack(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["numpy>=2", 'no-such>=1; extra == "b"', 'gonzaga-env[b]; extra == "a"']
    lines += ["numpy<1 ; extra == 'a'", 'numpy; extra == "c"']
    installed(monkeypatch, *lines, Provides_Extra="a")
    assert main(["doctor"]) == 0
    lacks = f"lacks no-such, numpy {version('numpy')} (takes <1)"
    assert f'[a]           {lacks}; run: pip install "gonzaga-env[a]"\n' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("required", "message"),
    [
        ("no-such>=1", "required: no-such; run"),
        ("numpy>=99.1", f"numpy {version('numpy')} (takes >=99.1)"),
    ],
)
def test_what_is_required_ends_it_with_2(
    required: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed(monkeypatch, required)
    assert main(["doctor"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


def test_a_broken_torch_is_named_without_its_paths(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> Any:
        raise OSError("/home/ann/libtorch.so: no such file")

    monkeypatch.setattr(doctor, "import_module", broken)
    monkeypatch.setattr(doctor, "version", lambda name: "2.13.0")
    main(["doctor"])
    assert "torch         2.13.0 is unusable: OSError\n" in capsys.readouterr().out
