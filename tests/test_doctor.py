"""`python -m gonzaga_env doctor`."""

import subprocess
import sys
import tomllib
from email.message import Message
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from gonzaga_env import __version__, doctor
from gonzaga_env.__main__ import main

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
    ("required", "fields", "message"),
    [
        ("no-such>=1", {}, "required: no-such; run"),
        ("numpy>=99.1", {}, f"numpy {version('numpy')} (takes >=99.1)"),
        ("numpy", {"Requires_Python": ">=4"}, "(takes >=4)"),
    ],
)
def test_what_is_required_ends_it_with_2(
    required: str,
    fields: dict[str, str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed(monkeypatch, required, **fields)
    assert main(["doctor"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


@pytest.mark.parametrize("text", ["1", "1.26.4", "2", "2.0.0", "2.0.1+cpu", "3.1.1", "10.0"])
@pytest.mark.parametrize(
    "line", sorted({*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())})
)
def test_versions_compare_as_pip_does(line: str, text: str) -> None:
    wanted = Requirement(line)
    fault = doctor._fault("a", text, str(wanted.specifier))
    assert (fault is None) == wanted.specifier.contains(text)


def test_a_broken_torch_is_named_without_its_paths(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> Any:
        raise OSError("/home/ann/libtorch.so: no such file")

    monkeypatch.setattr(doctor, "import_module", broken)
    monkeypatch.setattr(doctor, "version", lambda name: "2.13.0")
    main(["doctor"])
    assert "torch         2.13.0 is unusable: OSError\n" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["numpy", "gymnasium", "pettingzoo"])
def test_a_missing_package_is_one_line(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text(f"raise ImportError('no\\nway', name={name!r})")
    program = f"import runpy, sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['-m']; "
    program += "runpy.run_module('gonzaga_env', run_name='__main__')"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    line = f"gonzaga_env: {name} is missing or broken; pip install {name}\n"
    assert (ended.returncode, ended.stderr) == (2, line)
