"""Adds what pyproject.toml cannot say: on PyPI, the links of README.md lead to GitHub."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
_RELATIVE = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def page(readme: str, home: str, tag: str) -> str:
    """Returns a README whose relative links lead to the files of a release.

    Args:
        readme: Markdown.
        home: the address of the repository on GitHub.
        tag: the release's tag.
    """

    def absolute(match: re.Match[str]) -> str:
        image, text, target = match.groups()
        return f"{image}{text}({home}/{'raw' if image else 'blob'}/{tag}/{target})"

    return _RELATIVE.sub(absolute, readme)


def long_description() -> str:
    """Returns the page of this version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = runpy.run_path(str(ROOT / "gonzaga_env" / "version.py"))["__version__"]
    readme = (ROOT / "README.md").read_text("utf-8")
    return page(readme, project["urls"]["Source"], f"v{version}")


if __name__ == "__main__":
    setup(long_description=long_description(), long_description_content_type="text/markdown")
