"""The colours: told apart by everybody, as the distances say."""

import itertools
import re
from pathlib import Path

import gonzaga_table
import numpy as np
import pytest

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.render.gonzaga.map import FADED
from gonzaga_env.render.palette import DARK, LIGHT, Theme, mixed, nth, theme_of
from tests.render.scenes import THEMES

#: Full dichromacy on linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
#: To cone responses and to Oklab (Ottosson 2020), in which distances are about as large as seen.
CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
OKLAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip
STYLE = Path(gonzaga_table.__file__).parent / "web" / "static" / "style.css"


def linear(color: str) -> np.ndarray:
    rgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def distance(one: str, other: str, vision: str) -> float:
    """Returns how far apart two colours are; 0.02 can just be seen side by side."""
    a, b = (
        OKLAB @ np.cbrt(CONES @ np.clip(VISION[vision] @ linear(color), 0, 1))
        for color in (one, other)
    )
    return float(np.linalg.norm(a - b))


def tints(theme: Theme) -> list[str]:
    faded = [mixed(tint, theme.paper, FADED) for tint in theme.regions]
    return [*theme.regions, *faded, *theme.seas]


def test_the_distance_is_that_of_oklab() -> None:
    assert distance("#ffffff", "#000000", "normal") == pytest.approx(1, abs=1e-3)
    assert distance("#ff0000", "#008000", "normal") > 0.3
    assert distance("#a05a2c", "#6b6b2c", "deuteranopia") < 0.06  # brown and olive


@THEMES
@pytest.mark.parametrize("vision", VISION)
def test_players_can_be_told_apart(theme, vision) -> None:
    assert len(theme.players) == 4
    for one, other in itertools.combinations(theme.players, 2):
        assert distance(one, other, vision) > (0.2 if vision == "normal" else 0.15), (one, other)


@THEMES
@pytest.mark.parametrize("vision", VISION)
def test_pieces_stand_out_from_every_hex(theme, vision) -> None:
    for color in theme.players:
        for tint in tints(theme):
            assert distance(color, tint, vision) > 0.15, (color, tint)
        assert distance(color, theme.panel, vision) > 0.15


@pytest.mark.parametrize("vision", VISION)
def test_what_can_be_chosen_stands_out_from_every_hex_and_player(vision) -> None:
    marks = re.findall("--mark: (#[0-9a-f]{6})", STYLE.read_text("utf-8"))
    for theme, mark in zip((LIGHT, DARK), marks, strict=True):
        for color in (*theme.players, *tints(theme), theme.panel):
            assert distance(mark, color, vision) > 0.15, (mark, color)


@THEMES
def test_regions_and_seas_can_be_told_apart(theme) -> None:
    for one, other in itertools.combinations(theme.regions, 2):
        assert distance(one, other, "normal") > 0.035, (one, other)
    for region in theme.regions:
        for sea in theme.seas:
            assert distance(region, sea, "normal") > 0.035, (region, sea)


@THEMES
def test_texts_can_be_read(theme) -> None:
    pairs = [
        (theme.ink, theme.paper), (theme.ink, theme.panel), (theme.muted, theme.panel),
        (theme.site, theme.halo), (theme.harbor, theme.halo),
        *((theme.on_piece, color) for color in theme.players),
        *((theme.on_source, color) for color in theme.sources),
    ]  # fmt: skip
    for text, ground in pairs:
        assert contrast(text, ground) > 3, (text, ground)
    assert contrast(theme.ink, theme.panel) > 7


def contrast(one: str, other: str) -> float:
    """Returns the contrast ratio of WCAG 2: 1 to 21; large text needs 3."""
    light, dark = sorted(
        (float(linear(color) @ [0.2126, 0.7152, 0.0722]) for color in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def test_colours_are_mixed() -> None:
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert mixed("#123456", "#ffffff", 0) == "#123456"
    assert nth(("#000000", "#ffffff"), 3) == "#ffffff"


def test_themes_have_names() -> None:
    assert (theme_of("light"), theme_of("dark")) == (LIGHT, DARK)
    with pytest.raises(OptionError, match="theme is 'blue'; it takes 'light', 'dark'"):
        theme_of("blue")
