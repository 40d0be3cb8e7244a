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

SCHEMA: Mapping[str, Check] = {
    "board": table(
        {
            "name": string,
            "reconstruction": boolean,
            "map": string,
            "regions": names,
            "seas": names,
            "city": entries("city", {"name": string, "at": CELL, "symbol": string}),
            "harbor": entries("harbor", {"name": string, "at": CELL, "sea": string}),
            "barrier": entries("barrier", {"name": string, "edges": list_of(list_of(CELL, 2))}),
        },
        optional=("barrier",),
    ),
    "fiefs": table(
        {
            "fief": entries(
                "fief", {"number": integer, "cells": list_of(CELL), "castles": list_of(integer)}
            )
        }
    ),
    "scenarios": table(
        {
            "scenario": entries(
                "scenario", {"name": string, "players": integer, "flourishing": list_of(string)}
            )
        }
    ),
    "objectives": table({"objective": entries("objective", {"symbols": list_of(string, 2)})}),
}
