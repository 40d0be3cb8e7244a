"""What publishes this project: its page, its hashes, its workflows and its container."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from gonzaga_table.web import options
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import setup
from tools import release_check

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HOME = PROJECT["urls"]["Source"]


def test_links_of_the_page_lead_to_files_of_the_release() -> None:
    readme = (ROOT / "README.md").read_text()
    page = setup.page(readme, HOME, "v1.2.3")
    targets = re.findall(r"\]\(([^)\s]+)\)", page)
    assert len(targets) == len(re.findall(r"\]\(([^)\s]+)\)", readme)) > 15
    prefixes = tuple(f"{HOME}/{kind}/v1.2.3/" for kind in ("blob", "raw"))
    own = [target for target in targets if target.startswith(prefixes)]
    assert len(own) > 15
    for target in own:
        assert (ROOT / target.split("/v1.2.3/")[1].partition("#")[0]).exists(), target
    assert all(target.startswith(("https://", "#")) for target in targets)


def test_pictures_of_the_page_are_files_and_no_pages() -> None:
    text = "![A](docs/a.svg) [b](docs/b.md#c) [c](#d) [e](https://f.g)"
    assert setup.page(text, "https://h", "v1") == (
        "![A](https://h/raw/v1/docs/a.svg) [b](https://h/blob/v1/docs/b.md#c) [c](#d) [e](https://f.g)"
    )


def test_the_home_is_named_in_one_place() -> None:
    owner = HOME.rpartition("/")[0] + "/"
    files = [*ROOT.glob("*.*"), *(ROOT / "docs").glob("*.md"), *(ROOT / ".github").rglob("*.yml")]
    naming = {path.name for path in files if path.is_file() and owner.encode() in path.read_bytes()}
    assert naming == {"pyproject.toml"}
    owner, name = HOME.split("/")[-2:]
    urls = dict(PROJECT["urls"])
    assert urls.pop("Documentation") == f"https://{owner}.github.io/{name}/"  # by GitHub Pages
    assert all(url.startswith(HOME) for url in urls.values())


def pins(name: str) -> dict[str, str]:
    """Returns version by package of a file in `.ci`; each has a hash."""
    text = (ROOT / ".ci" / name).read_text().replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"\S+==\S+( +--hash=sha256:[0-9a-f]{64})+", line) for line in lines)
    return dict(line.split()[0].split("==") for line in lines)


def test_what_ci_installs_agrees_with_the_constraints() -> None:
    pinned = pins("packages.txt")
    assert "setuptools" in pinned  # which builds this package
    assert "torch" not in pinned  # its file depends on the index
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if (wanted := line.partition("#")[0]) and not wanted.startswith("torch=="):
            requirement = Requirement(wanted)
            assert pinned[requirement.name] in requirement.specifier, line


@pytest.mark.parametrize(
    ("name", "extras"),
    [("packages.txt", ("test", "dev", "site")), ("table.txt", ("web", "learned"))],
)
def test_what_is_declared_is_pinned(name, extras) -> None:
    declared = [PROJECT["optional-dependencies"][extra] for extra in extras]
    wanted = [Requirement(text) for texts in [PROJECT["dependencies"], *declared] for text in texts]
    pinned = pins(name)
    for requirement in wanted:
        if requirement.name not in ("gonzaga-env", "torch"):
            version = pinned[canonicalize_name(requirement.name)]
            assert version in requirement.specifier, requirement


def test_workflows_take_actions_by_their_commit() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        uses = re.findall(r"uses: (.*)", path.read_text())
        assert uses
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in uses)


def test_a_release_needs_its_tag_its_home_and_a_date(tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "gonzaga_env").mkdir()
    (tmp_path / "gonzaga_env" / "version.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nSource = "https://h/o/r"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.0 (2026-01-02)\n")
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\ndate-released: 2026-01-02\n")
    monkeypatch.setattr(release_check, "ROOT", tmp_path)
    assert release_check.main(["v1.2.0", "https://h/o/r"]) == 0
    assert release_check.main(["v1.2.1", "https://h/o/fork"]) == 1
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.0 (not released yet)\n")
    assert release_check.main(["v1.2.0", "https://h/o/r"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in told] == [
        "the tag is v1.2.1, the version 1.2.0",
        "the repository is https://h/o/fork, pyproject.toml names https://h/o/r",
        "CHANGELOG.md gives no date for 1.2.0",
        "CITATION.cff is not of 1.2.0 and its date",
    ]


def test_the_citation_is_of_a_release() -> None:
    lines = (ROOT / "CITATION.cff").read_text().splitlines()
    fields = dict(
        line.split(": ", 1) for line in lines if re.match(r"(version|date-released): ", line)
    )
    heading = f"## {fields['version']} ({fields['date-released']})"
    assert heading in (ROOT / "CHANGELOG.md").read_text().splitlines()
    bibtex = (ROOT / "docs" / "citing.md").read_text()
    assert f"version = {{{fields['version']}}}" in bibtex
    assert f"date    = {{{fields['date-released']}}}" in bibtex


def test_releases_have_dates() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    first, *others = headings
    dated = re.compile(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)")
    assert first.endswith("(not released yet)") or dated.fullmatch(first)
    assert all(map(dated.fullmatch, others))


def test_the_container_starts_a_command_that_exists() -> None:
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", "").splitlines()
    command = next(line for line in lines if line.startswith("ENTRYPOINT "))
    program, *arguments = json.loads(command.removeprefix("ENTRYPOINT "))
    assert Path(program).name in PROJECT["scripts"]
    given = options._parser().parse_args(arguments)
    health = shlex.join(line for line in lines if line.startswith("HEALTHCHECK "))
    assert f"127.0.0.1:{given.port}/api/options" in health
    assert [line for line in lines if line.startswith("USER ")] == ["USER 1000"]


def test_the_container_is_built_from_files_that_exist() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    kept = [line.removeprefix("!") for line in lines if line.startswith("!")]
    assert kept
    assert all((ROOT / name).exists() for name in kept)
