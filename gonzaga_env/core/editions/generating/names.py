"""Invented names for what is on a grown map."""

from __future__ import annotations

from gonzaga_env.core.editions.generating.draws import Draws

REGIONS = (
    *("Alvaria", "Borenia", "Caldora", "Delmaria", "Estoria", "Falcona", "Grisonia", "Harvenia"),
    *("Ilmaria", "Jovenia", "Lorvania", "Mirandia", "Nerovia", "Ombrona", "Pelagonia", "Quintana"),
    *("Rosmaria", "Selvania", "Torgovia", "Valdonia"),
)
SEAS = (
    *("Mare Album", "Mare Aureum", "Mare Argenteum", "Mare Caeruleum", "Mare Fulvum"),
    *("Mare Glaciale", "Mare Lunae", "Mare Nigrum", "Mare Quietum", "Mare Rubidum"),
    *("Mare Serenum", "Mare Turbidum", "Mare Viride", "Mare Vitreum"),
)
BARRIERS = (
    *("Montes Albi", "Montes Ferrei", "Montes Nigri", "Iuga Alta", "Iuga Lupina", "Saxa Magna"),
    *("Saxa Rubra", "Silva Profunda", "Clivus Longus", "Rupes Aquilae"),
)
_STEMS = (
    *("Alb", "Bel", "Cor", "Dal", "Ern", "Fal", "Gar", "Hel", "Ist", "Lar", "Mor", "Nov", "Ost"),
    *("Pal", "Ros", "Sal", "Tar", "Ulm", "Val", "Zan"),
)
_ENDINGS = ("ano", "enza", "ino", "onte", "ara", "igo", "essa", "etta", "urno", "isco")


def drawn(names: tuple[str, ...], number: int, draws: Draws) -> list[str]:
    """Returns some of the names in a random order."""
    return draws.shuffled(names)[:number]


def site_names(number: int, draws: Draws) -> list[str]:
    """Returns names of cities and harbors, which are all different."""
    return drawn(tuple(stem + ending for stem in _STEMS for ending in _ENDINGS), number, draws)
