"""CI takes packages by version and hash (`tools/ci_packages.py`)."""

import json
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools import ci_packages

ROOT = Path(__file__).parent.parent
HASHES = {name: name[0] * 64 for name in ("absl-py", "fonttools")}


def report(**changed: str) -> str:
    """Returns a report of pip, as far as it is read."""
    hashes = HASHES | changed | {"torch": "0" * 64}
    packages: list[dict[str, object]] = [
        {
            "metadata": {"name": name, "version": "2.1+cpu" if name == "torch" else "2.1"},
            "download_info": {"archive_info": {"hashes": {"sha256": value}}},
        }
        for name, value in hashes.items()
    ]
    here = {"metadata": {"name": "gonzaga-env", "version": "1"}, "download_info": {"dir_info": {}}}
    return json.dumps({"install": [*packages, here]})


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Puts a list of three packages in the place of CI's, and returns a file for a report."""
    lines = [f"{name}==2.1  # sha256:{value}" for name, value in HASHES.items()]
    (tmp_path / "packages.txt").write_text("\n".join(["# Of a test.", *lines, "torch==2.1"]))
    monkeypatch.setattr(ci_packages, "LIST", tmp_path / "packages.txt")
    return tmp_path / "report.json"


def test_what_is_listed_passes(found: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found.write_text(report())
    assert ci_packages.main([str(found)]) == 0
    assert capsys.readouterr() == ("", "")


def test_another_file_of_the_same_version_fails(
    found: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found.write_text(report(fonttools="b" * 64))
    assert ci_packages.main([str(found)]) == 1
    first = capsys.readouterr().err.splitlines()[0]
    assert first == f"fonttools==2.1: its file has the SHA-256 {'b' * 64}, not {'f' * 64}"


def test_a_package_that_is_not_listed_fails(
    found: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found.write_text(report(numqy="c" * 64))
    assert ci_packages.main([str(found)]) == 1
    assert "numqy==2.1 is not in the list" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "[]", '{"install": [{}]}'])
def test_what_is_no_report_is_refused(
    content: str, found: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found.write_text(content)
    with pytest.raises(SystemExit) as ended:
        ci_packages.main([str(found)])
    assert ended.value.code == 2
    assert f"{found} is not a report that pip has written" in capsys.readouterr().err


def test_the_list_agrees_with_the_constraints() -> None:
    listed = ci_packages.listed(ci_packages.LIST.read_text())
    versions = dict(package.split("==") for package in listed)
    assert all(value or name.startswith("torch==") for name, value in listed.items())
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if wanted := line.partition("#")[0]:
            requirement = Requirement(wanted)
            names = [name for name in versions if name.replace("_", "-") == requirement.name]
            assert versions[names[0]] in requirement.specifier, line
