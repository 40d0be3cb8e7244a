"""Written files read back as the same edition, and look like those that are shipped."""

from dataclasses import replace
from pathlib import Path

import pytest

from gonzaga_env.core.edition import EDITIONS, Barrier, Edition, Site
from gonzaga_env.core.editions.loading import EMPTY, FILES, build_edition, edition_files, parse_file


def read_again(texts: dict[str, str]) -> Edition:
    content = {}
    for file in FILES:
        content[file], faults = parse_file(file, texts[f"{file}.toml"].encode())
        assert faults == []
    return build_edition(Path(), content)


def test_the_shipped_files_are_as_they_would_be_written(europe: Edition) -> None:
    texts = edition_files(europe)
    assert sorted(texts) == sorted(path.name for path in (EDITIONS / "europe").iterdir())
    for name, text in texts.items():
        assert text == (EDITIONS / "europe" / name).read_text("utf-8")


NASTY = ('a "b" \\ c', "'''", '"""', "ś€😀", "")


@pytest.mark.parametrize("name", NASTY)
def test_any_name_comes_back(europe: Edition, name: str) -> None:
    marks = (("B" if name.split() != [name] else name, ".", '"'), (), ("\\", "long", "#"))
    edition = replace(
        europe,
        name=name,
        reconstruction=False,
        marks=marks,
        regions={"B": name, name: "key"},
        seas={"a b": name, "é": "sea"},
        cities=(Site("city", name, (0, 0), name), Site("city", "far", (-1, 999), "")),
        barriers=(Barrier(name, ()), Barrier("x", (((0, 0), (9, 9)),))),
        scenarios=(replace(europe.scenarios[0], name=name, flourishing=()),),
        objectives=((name, name),),
    )
    again = read_again(edition_files(edition))
    for field in ("name", "reconstruction", "marks", "regions", "seas", "cities", "harbors"):
        assert getattr(again, field) == getattr(edition, field), field
    for field in ("barriers", "fiefs", "scenarios", "objectives"):
        assert getattr(again, field) == getattr(edition, field), field


def test_an_empty_edition_comes_back() -> None:
    edition = build_edition(Path(), EMPTY)
    assert read_again(edition_files(edition)).digest == edition.digest
