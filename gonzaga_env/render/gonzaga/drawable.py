"""The part of an edition that can be drawn, since a picture helps most where there are faults."""

from __future__ import annotations

from dataclasses import replace

from gonzaga_env.core.board.edition import Barrier, Edition, Site, offset_neighbors
from gonzaga_env.core.editions.validate_board import MAX_HEXES, OFF_MAP


def drawable(edition: Edition) -> Edition | None:
    """Returns an edition without the faults that a drawing cannot show.

    Hexes with an undefined mark, sites off the map, barrier edges that are not sides between two
    hexes of the map, fiefs without cells and castles on no cell are left out. An edition without
    faults stays the same.

    Returns:
        The edition to draw; None if the map has no hex or more than `MAX_HEXES`.
    """
    known = edition.regions.keys() | edition.seas.keys()
    marks = tuple(tuple(m if m in known else OFF_MAP for m in row) for row in edition.marks)
    used = {mark for row in marks for mark in row}
    cleaned = replace(
        edition,
        marks=marks,
        regions={mark: name for mark, name in edition.regions.items() if mark in used},
        seas={mark: name for mark, name in edition.seas.items() if mark in used},
    )
    if not 0 < len(cleaned.grid) <= MAX_HEXES:
        return None
    return replace(
        cleaned,
        cities=_on_map(cleaned, edition.cities),
        harbors=_on_map(cleaned, edition.harbors),
        barriers=tuple(_sides_only(cleaned, barrier) for barrier in edition.barriers),
        fiefs=tuple(
            replace(fief, castles=tuple(i for i in fief.castles if 0 <= i < len(fief.cells)))
            for fief in edition.fiefs
            if fief.cells
        ),
    )


def _on_map(edition: Edition, sites: tuple[Site, ...]) -> tuple[Site, ...]:
    on_map = (site for site in sites if site.at in edition.grid.index)
    return tuple(replace(site, name=site.name or "?") for site in on_map)


def _sides_only(edition: Edition, barrier: Barrier) -> Barrier:
    index = edition.grid.index
    sides = (
        (one, other)
        for one, other in barrier.edges
        if one in index and other in index and other in offset_neighbors(*one)
    )
    return replace(barrier, edges=tuple(sides))
