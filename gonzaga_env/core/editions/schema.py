"""The structure of an edition's four files."""

from __future__ import annotations

from collections.abc import Mapping

from gonzaga_env.tabletop.editions.schema import (
    Check,
    boolean,
    entries,
    integer,
    list_of,
    names,
    string,
    table,
)

CELL = list_of(integer, 2)

#: How much of the game is played; what is missing is as printed.
SIZE = table(
    {
        **dict.fromkeys(("rounds", "fiefs", "rings", "open_sites_at_end"), integer),
        "objectives": boolean,
    },
    optional=("rounds", "fiefs", "rings", "open_sites_at_end", "objectives"),
)

#: The lists of tables in the files, by their names.
LISTS: Mapping[str, Check] = {
    "city": entries("city", {"name": string, "at": CELL, "symbol": string}),
    "harbor": entries("harbor", {"name": string, "at": CELL, "sea": string}),
    "barrier": entries("barrier", {"name": string, "edges": list_of(list_of(CELL, 2))}),
    "fief": entries(
        "fief", {"number": integer, "cells": list_of(CELL), "castles": list_of(integer)}
    ),
    "scenario": entries(
        "scenario", {"name": string, "players": integer, "flourishing": list_of(string)}
    ),
}
SCHEMA: Mapping[str, Check] = {
    "board": table(
        {
            "name": string,
            "reconstruction": boolean,
            "map": string,
            "regions": names,
            "seas": names,
            "size": SIZE,
            **{name: LISTS[name] for name in ("city", "harbor", "barrier")},
        },
        optional=("barrier", "size"),
    ),
    "fiefs": table({"fief": LISTS["fief"]}),
    "scenarios": table({"scenario": LISTS["scenario"]}),
    "objectives": table({"objective": entries("objective", {"symbols": list_of(string, 2)})}),
}
