"""Generated editions by name, such as "generated:grow-17", and the frozen sets of them.

The frozen sets "train" and "test" have a hundred maps each. Their digests are in a file, so that a
change of the generator can't go unseen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.editions.generating.edition import STYLES, Style, generate
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import EditionError

PREFIX = "generated:"
#: The seeds of the frozen sets, with which each style is in them.
SETS = {"train": range(50), "test": range(50, 100)}
#: The digests of the frozen sets' editions, by set and name.
FROZEN = Path(__file__).parents[3] / "data" / "generated.json"
_NAME = re.compile(rf"({'|'.join(STYLES)})-(0|[1-9]\d{{0,17}})", re.ASCII)
#: Seeds of editions are below it.
MOST_SEED = 10**18
_KEPT = 256  # editions that are not made again; one takes about 300 KiB


def is_generated(name: object) -> bool:
    """Returns whether a name is meant to be that of a generated edition."""
    return isinstance(name, str | Path) and str(name).startswith(PREFIX)


def named_set(name: object) -> tuple[str, ...]:
    """Returns the editions of a set that is named as "generated:train"; none for another name."""
    what = str(name).removeprefix(PREFIX) if is_generated(name) else ""
    return frozen_set(what) if what in SETS else ()


def generated_name(style: str, seed: int) -> str:
    """Returns the name of a generated edition, such as "generated:grow-17"."""
    return f"{PREFIX}{style}-{seed}"


def generated(name: str, europe: Edition) -> Edition:
    """Returns the generated edition of a name.

    Args:
        name: such as "generated:grow-17".
        europe: the shipped edition.

    Raises:
        EditionError: it is not such a name.
    """
    what = name.removeprefix(PREFIX)
    if (found := _NAME.fullmatch(what)) is None:
        which = "a set; it takes one map by" if what in SETS else "none; it takes"
        raise EditionError(
            f"edition is {short_repr(name)}, which names {which} a style and a seed, such as "
            f"{PREFIX}grow-17 or {PREFIX}perturb-17"
        )
    return _made(europe, cast(Style, found[1]), int(found[2]))


@lru_cache(maxsize=_KEPT)
def _made(europe: Edition, style: Style, seed: int) -> Edition:
    return generate(europe, style, seed, Path(generated_name(style, seed)))


def frozen_set(name: str) -> tuple[str, ...]:
    """Returns the names of the editions of a frozen set, as `load_edition` takes them.

    Args:
        name: "train" or "test".

    Raises:
        EditionError: there is no such set.
    """
    return tuple(frozen_digests(name))


def frozen_digests(name: str) -> dict[str, str]:
    """Returns the digests of the editions of a frozen set, by their names (errors: see above)."""
    if name not in SETS:
        raise EditionError(f"set is {short_repr(name)}; there are {' and '.join(SETS)}")
    return dict(_frozen()[name])


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """Returns the digests of editions of the frozen sets by their names."""
    known = {name: digest for one in SETS for name, digest in frozen_digests(one).items()}
    return {name: known[name] for name in names}


@cache
def _frozen() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(FROZEN.read_text("utf-8"))
    return found
