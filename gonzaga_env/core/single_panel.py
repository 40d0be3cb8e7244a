"""The numbers of one game on a panel, so that any seat's view of them is one look-up.

A panel is 256 bytes with the numbers of the observation (all but its planes), player after player
for each feature. `template.translate(panel)` puts panel[b] in the place of every byte b of a
template, so what a seat sees is one call with the template that lists the players from that seat
on; of players 0 1 2 3, seat 2 sees 2 3 0 1.

What never changes in a game (flourishing regions, own seat, symbols of the own objective) is in
the templates, which point to a byte that is always 0 and one that is always 1.
"""

from __future__ import annotations

from functools import cache

from gonzaga_env.core.observation import Feature, FeatureTable

_PANEL_SIZE = 256
_ZERO, _ONE = 0, 1  # places of the constants

#: What the part "clock" holds, in this order.
CLOCK = ("phase", "round", "last_round", "position", "open_sites")


def new_panel() -> bytearray:
    """Returns a panel of zeros."""
    panel = bytearray(_PANEL_SIZE)
    panel[_ONE] = 1
    return panel


@cache
def panel_parts(num_players: int) -> dict[str, slice]:
    """Returns where the clock and every feature by player lie on the panel, by name."""
    start = 2 + len(CLOCK)
    parts = {"clock": slice(2, start)}
    for feature in _numbers(num_players):
        if feature.name not in (*CLOCK, "flourishing", "seat", "symbols"):
            size = feature.slice.stop - feature.slice.start
            parts[feature.name] = slice(start, start + size)
            start += size
    return parts


@cache
def panel_template(
    num_players: int, seat: int, flourishing: bytes, symbols: bytes, sealed: bool
) -> bytes:
    """Returns the template of what a seat sees.

    Args:
        num_players: P.
        seat: the seat that looks.
        flourishing: flourishing regions, 0 and 1.
        symbols: symbols of its objective, 0 and 1.
        sealed: whether the others' plans are hidden (R3.2).
    """
    own_seat = bytes(i == seat for i in range(num_players))
    fixed = {"flourishing": flourishing, "seat": own_seat, "symbols": symbols}
    template = b""
    for feature in _numbers(num_players):
        if feature.name in fixed:
            template += bytes(_ONE if one else _ZERO for one in fixed[feature.name])
        elif feature.name in CLOCK:
            template += bytes([panel_parts(num_players)["clock"].start + CLOCK.index(feature.name)])
        else:
            template += _turned(feature.name, num_players, seat, sealed)
    return template


def _turned(name: str, num_players: int, seat: int, sealed: bool) -> bytes:
    part = panel_parts(num_players)[name]
    size = part.stop - part.start
    width = size // num_players
    places = bytes(range(part.start, part.stop))
    turned = places[seat * width :] + places[: seat * width]
    if name == "plan" and sealed:
        turned = turned[:width].ljust(size, bytes([_ZERO]))
    return turned


@cache
def _numbers(num_players: int) -> tuple[Feature, ...]:
    """Returns the features behind the planes; where the planes end does not matter to them."""
    table = FeatureTable(1, num_players)
    return tuple(feature for feature in table if feature.start >= table["phase"].start)
