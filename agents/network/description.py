"""The description of a policy: its fields, what each may hold, which game it fits, its files."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypedDict, cast, get_args

from gonzaga_env.games import game_entry, game_spec, named_game
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import Json, parse_json
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.spec import Config

from ..arrays import Floats
from .agent import VALUE_UNITS, NetworkAgent, Reader
from .flat import FlatReader
from .geometry import GeometryReader
from .gonzaga import GonzagaReader
from .layers import LEAST_WIDTH, MOST_WIDTH, is_width
from .tuscany import TuscanyReader

CHECKPOINT = "checkpoint.zip"
"""The latest checkpoint."""
POLICY = "policy"
"""The folder of the policy as numpy plays it."""
NUMBERED = "checkpoints"
"""The folder of the numbered checkpoints, within that of the run."""
EVENTS = "tensorboard"
"""The folder of TensorBoard's logs."""
SAMPLES = "games"
"""The folder of the sample games."""


def numbered_checkpoint(folder: Path, turns: int) -> Path:
    """Returns where the checkpoint after some turns of the learner lies."""
    return folder / NUMBERED / f"{turns:010d}.zip"


def numbered_checkpoints(folder: Path) -> list[Path]:
    """Returns the numbered checkpoints of a run, the oldest first."""
    found = [path for path in (folder / NUMBERED).glob("*.zip") if path.stem.isdecimal()]
    return sorted(found, key=lambda path: int(path.stem))


#: Version of the description and of the network that the weights belong to.
CHECKPOINT_FORMAT = 3
_MOST_TURNS = 2**62
Prior = Literal["planner", "geometry", "none"]
"""The knowledge before learning: the planner's scores, the board's places (of a shipped policy of
The Castles of Tuscany), or nothing."""
PLANNER: Prior = "planner"
NO_PRIOR: Prior = "none"
_READERS: dict[tuple[str, Prior], type[Reader]] = {
    ("gonzaga", PLANNER): GonzagaReader,
    ("tuscany", PLANNER): TuscanyReader,
    ("tuscany", "geometry"): GeometryReader,
}


def input_reader(game: str, prior: Prior = PLANNER) -> type[Reader]:
    """Returns the class that reads the inputs of a game's network.

    Raises:
        OptionError: the game has no network with this prior.
    """
    if prior == NO_PRIOR:
        return FlatReader
    name = game_spec(game).name
    if (name, prior) not in _READERS:
        title = game_spec(game).title
        raise OptionError(f"{title} has no network with prior {prior}; take --prior {NO_PRIOR}")
    return _READERS[name, prior]


class Description(TypedDict, total=False):
    """The description of a policy: its game (see `game_of`), and how it was trained."""

    format: int
    game: str
    num_players: int
    edition: str  # its name
    edition_digest: str
    also_plays: dict[str, str]  # digests of further editions that it plays, by what they are
    rules: dict[str, Json]
    prior: Prior
    network: dict[str, int]  # "width"
    reward: Reward
    reward_scale: float
    timesteps: int
    seconds: float
    arguments: dict[str, Json]  # of the run
    sha256: str  # of the weights, where they lie apart


def _is_count(value: object) -> bool:
    return is_integer(value) and 0 <= value <= _MOST_TURNS


def _is_number(value: object) -> bool:
    return isinstance(value, float) or _is_count(value)


def _is_network(value: object) -> bool:
    return isinstance(value, dict) and value.keys() == {"width"} and is_width(value["width"])


def _are_editions(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(digest, str) and _DIGEST.fullmatch(digest) for digest in value.values()
    )


_DIGEST = re.compile("[0-9a-f]{64}")
ALSO_PLAYS = "also_plays"  # the only one of these fields that may be missing
FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "num_players": (is_integer, "an integer"),
    "edition": (lambda value: isinstance(value, str), "a name"),
    "rules": (lambda value: isinstance(value, dict), "an object"),
    "network": (_is_network, f'{{"width": {LEAST_WIDTH} to {MOST_WIDTH}}}'),
    "reward": (lambda v: isinstance(v, str) and v in VALUE_UNITS, ", ".join(VALUE_UNITS)),
    "reward_scale": (lambda v: _is_number(v) and 0 < v <= sys.float_info.max, "a number above 0"),
    "timesteps": (_is_count, "an integer of 0 or more"),
    "seconds": (lambda value: _is_number(value) and 0 <= value < math.inf, "0 or more"),
    "arguments": (lambda value: isinstance(value, dict), "an object"),
    ALSO_PLAYS: (_are_editions, "an object of digests"),
}


def parse_description(content: bytes) -> Description:
    """Returns a description; `write_description` is the inverse.

    Raises:
        ValueError: it is not JSON, has another format, or a field is missing or wrong.
    """
    description = parse_json(content)
    found = description.get("format") if isinstance(description, dict) else None
    if not is_integer(found) or found != CHECKPOINT_FORMAT:
        raise ValueError(f"has format {short_repr(found)}; it takes {CHECKPOINT_FORMAT}")
    for name, (is_valid, takes) in FIELDS.items():
        if name not in description:
            if name == ALSO_PLAYS:
                continue
            raise ValueError(f"{name} is missing")
        if not is_valid(description[name]):
            raise ValueError(f"{name} is {short_repr(description[name])}; it takes {takes}")
    if (prior := description.get("prior", PLANNER)) not in get_args(Prior):
        raise ValueError(f"prior is {short_repr(prior)}; it takes {', '.join(get_args(Prior))}")
    return cast(Description, description)


def prior_of(description: Mapping[str, object]) -> Prior:
    """Returns the prior of a policy; descriptions of earlier versions don't name the planner's."""
    return cast(Prior, description.get("prior", PLANNER))


def write_description(fields: Mapping[str, object]) -> str:
    """Returns a description as JSON."""
    return json.dumps({"format": CHECKPOINT_FORMAT, **fields}, indent=2)


def game_of(config: Config, prior: Prior = PLANNER) -> dict[str, object]:
    """Returns what has to be equal for a policy to play a game; Gonzaga's name is left out.

    Raises:
        OptionError: the game has no network with this prior.
    """
    versions = game_spec(config.game).versions
    return {
        **game_entry(config.game),
        **{f"{name}_version": version for name, version in versions.items()},
        "inputs_version": input_reader(config.game, prior).version,
        "num_players": config.num_players,
        "edition_digest": config.edition.digest,
    }


def misfit(description: Description, config: Config, any_edition: bool = False) -> str | None:
    """Returns the first difference between what a policy was made for and a game; None if it fits.

    It is such as "made for players 2, not 3". The description holds at least what `game_of`
    returned for the policy's game, and "edition", its name.
    """
    game = named_game(description)
    if game != config.game:
        return f"made for game {short_repr(game)}, not {config.game!r}"
    for key, wanted in game_of(config, prior_of(description)).items():
        found = description.get(key)
        is_edition = key == "edition_digest"
        if found == wanted or (is_edition and (any_edition or _knows(description, config))):
            continue
        name = description.get("edition")
        if is_edition and name != config.edition.name:
            key, found, wanted = "edition", name, config.edition.name
        what = key.removeprefix("num_").replace("_", " ")
        return f"made for {what} {short_repr(found)}, not {wanted!r}"
    return None


def _knows(description: Description, config: Config) -> bool:
    """Returns whether a policy was made for an edition."""
    made_for = description.get("edition_digest"), *description.get("also_plays", {}).values()
    return config.edition.digest in made_for


def policy_agent(
    description: Description,
    config: Config,
    weights: Mapping[str, Floats],
    name: str,
    deterministic: bool = True,
) -> NetworkAgent:
    """Returns the agent of a policy; its name says if it plays an edition it was not made for.

    Raises:
        ValueError: the weights are of another network.
    """
    reader = input_reader(config.game, prior_of(description))(config)
    if not _knows(description, config):
        name = f"{name} (made for {description.get('edition')})"
    scale = float(description["reward_scale"])
    forward = reader.numpy_forward(weights)
    return NetworkAgent(reader, forward, name, deterministic, description["reward"], scale)
