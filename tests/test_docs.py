"""The documents agree with the code, and their examples run."""

import re
from pathlib import Path

from docs import rules_pictures

ROOT = Path(__file__).parent.parent


def test_the_readme_shows_what_its_first_example_prints(capsys) -> None:
    text = (ROOT / "README.md").read_text()
    example, printed = (
        re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("python", "text")
    )
    exec(example[1], {"__name__": "example"})
    assert capsys.readouterr().out.strip() == printed[1].strip()


def test_the_paper_cites_what_its_bibliography_holds() -> None:
    paper, sources = ((ROOT / f"paper.{kind}").read_text("utf-8") for kind in ("md", "bib"))
    assert paper.startswith("---\ntitle: ")
    assert {*re.findall(r"\[@(\w+)\]", paper)} == {*re.findall(r"@\w+\{(\w+),", sources)}


def test_the_pictures_of_the_rules_are_up_to_date() -> None:
    """After a change of drawings or of agents: `python docs/rules_pictures.py`."""
    for name, picture in rules_pictures.pictures().items():
        assert (rules_pictures.FOLDER / name).read_text("utf-8") == picture.svg
