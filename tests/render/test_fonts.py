"""Fonts that come with Python packages."""

from collections.abc import Iterator

import pytest

from gonzaga_env.render import pen
from gonzaga_env.render.pen import font


@pytest.fixture
def _fresh() -> Iterator[None]:
    for cached in (pen.font, pen._folder):
        cached.cache_clear()
    yield
    for cached in (pen.font, pen._folder):
        cached.cache_clear()


def test_styles_are_those_of_dejavu_serif(europe) -> None:
    styles = {
        font(20, bold, italic).face.getname() for bold in (False, True) for italic in (False, True)
    }
    assert {family for family, _ in styles} == {"DejaVu Serif"}
    assert len(styles) == 4
    unknown = font(20, False, False).face.getmask("\uffff").getbbox(), None
    names = "".join(site.name for site in (*europe.cities, *europe.harbors)) + "éñčłß·…"
    for letter in set(names) - {" "}:
        assert font(20, False, False).face.getmask(letter).getbbox() not in unknown, letter


@pytest.mark.usefixtures("_fresh")
def test_without_matplotlib_pillow_brings_one_style(monkeypatch) -> None:
    monkeypatch.setattr(pen, "find_spec", lambda name: None)
    assert font(40, False, False).face.getname()[0] == "Aileron"
    assert font(40, True, False).thickness == 1
    assert font(40, False, True).thickness == 0
