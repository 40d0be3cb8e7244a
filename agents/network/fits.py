"""What a policy was made for: the versions, edition and number of players that have to agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.features import OBSERVATIONS_VERSION
from gonzaga_env.tabletop.bounded import short_repr

from ..gonzaga.network.inputs import INPUTS_VERSION


def game_of(config: GameConfig) -> dict[str, Any]:
    """Returns what has to be equal for a policy to play a game."""
    return {
        "actions_version": ACTIONS_VERSION,
        "observations_version": OBSERVATIONS_VERSION,
        "inputs_version": INPUTS_VERSION,
        "num_players": config.num_players,
        "edition_digest": config.edition.digest,
    }


def misfit(description: Mapping[str, Any], config: GameConfig) -> str | None:
    """Returns the first difference between what a policy was made for and a game.

    Args:
        description: holds what `game_of` returned for the policy's game, and "edition", its name.
        config: what is to be played.

    Returns:
        Such as "made for players 2, not 3"; None if the policy fits.
    """
    for key, wanted in game_of(config).items():
        found = description.get(key)
        if found == wanted:
            continue
        name = description.get("edition")
        if key == "edition_digest" and name != config.edition.name:
            key, found, wanted = "edition", name, config.edition.name
        what = key.removeprefix("num_").replace("_", " ")
        return f"made for {what} {short_repr(found)}, not {wanted!r}"
    return None
