"""What identifies an agent: the files that it reads, and what it plays.

The digest of files is exact and tells checkpoints apart. The digest of play covers what files
cannot: the code. It is taken over the agent's choices in some positions of random games, so it
stays the same where code changes without changing what is played. Floating-point numbers differ
between processors and libraries, which can turn a choice between two nearly equal actions; another
digest of play with the same files is therefore reported, and not refused.

Policies of the field that have been replaced since are kept in `field/`, so that the field does not
change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import numpy as np

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.tabletop.chance import agent_generators
from gonzaga_env.tabletop.errors import OptionError

from ..common.checkout import portable
from ..policies.learned import NAME as LEARNED
from ..policies.learned import load_learned
from ..policies.shipped import network_paths, policy_folder, policy_path
from ..registry import make_agent, plays_shipped, spec_for_map
from ..search.budget import parse_search
from ..units.entrants import agent_files

_AGENTS = Path(__file__).parent.parent
_REPLACED = Path(__file__).parent / "field"  # laid out as `policies` is
_GAMES, _STEPS, _EVERY = 4, 120, 4  # positions of random games that agents are asked about


@dataclass(frozen=True)
class Pin:
    """An agent at some point in time."""

    spec: str  # what names it (see `make_agent`)
    # SHA-256 of each file that it reads, by path: of a shipped file, from the folder of the agents
    # on
    files: Mapping[str, str]
    # digest of its choices in some positions; None for a search with a time budget, which depends
    # on the machine
    plays: str | None

    def as_dict(self) -> dict[str, Any]:
        """Returns the pin as plain data."""
        return {"spec": self.spec, "files": dict(self.files), "plays": self.plays}

    @classmethod
    def of_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Returns a pin from plain data."""
        return cls(plain["spec"], dict(plain["files"]), plain["plays"])


def has_time_budget(spec: str) -> bool:
    """Returns whether an agent searches for a time, so that its play depends on the machine."""
    search = parse_search(spec)
    return search is not None and search.budget.milliseconds is not None


def make_measured(spec: str, config: Any) -> Any:
    """Returns an agent that is measured; policies play generated maps, which few were trained on.

    Raises: what `make_agent` raises.
    """
    return make_agent(spec_for_map(spec, config), config)


def make_opponent(spec: str, config: Any) -> Any:
    """Returns an agent of the field, with the policy that it was pinned with.

    Raises: what `make_agent` raises.
    """
    folder = _replaced(config)
    if folder is not None and spec == LEARNED:
        return load_learned(config, folder, any_edition=spec_for_map(spec, config) != spec)
    return make_measured(spec, config)


def _replaced(config: Any) -> Path | None:
    """Returns the folder of the field's policy where another one ships now, else None."""
    folder = policy_folder(config.game, _REPLACED)
    return folder if policy_path(folder, config.num_players, "json").is_file() else None


def pin_of(spec: str, config: Any, *, is_opponent: bool = False) -> Pin:
    """Returns what identifies an agent now.

    Args:
        spec: names the agent.
        config: what it plays.
        is_opponent: whether the agent of the field is meant.

    Raises:
        AgentError: the agent cannot be found or built.
        CheckpointError: a checkpoint does not fit the game.
        OSError: a file cannot be read.
    """
    plays = None if has_time_budget(spec) else plays_digest(spec, config, is_opponent=is_opponent)
    return Pin(spec, file_digests(spec, config, is_opponent=is_opponent), plays)


def file_digests(spec: str, config: Any, *, is_opponent: bool = False) -> dict[str, str]:
    """Returns the SHA-256 of each file that an agent reads, by path (see `Pin`).

    Raises:
        AgentError: the spec is a folder without a checkpoint.
        OSError: a file cannot be read.
    """
    own = policy_folder(config.game)
    folder = (_replaced(config) if is_opponent else None) or own
    paths = {}
    for path in _shipped_files(spec, config, folder):
        listed = own / path.name if path.parent == folder else path
        paths[listed.relative_to(_AGENTS).as_posix()] = path
    if not plays_shipped(spec):
        paths |= {portable(path).as_posix(): path for path in agent_files(spec)}
    return {name: sha256(path.read_bytes()).hexdigest() for name, path in sorted(paths.items())}


def _shipped_files(spec: str, config: Any, policy: Path) -> list[Path]:
    """Returns the files of this package that an agent reads, given the folder of its policy."""
    game, players, search = config.game, config.num_players, parse_search(spec)
    networks, paths = network_paths(policy, players), list[Path]()
    if plays_shipped(spec):
        paths += networks
    if search is not None:
        value = _AGENTS / game / "value.npz", _AGENTS / game / "values" / f"players_{players}.npz"
        guide = [*networks, policy_path(policy, players, "npz")]
        if game != DEFAULT_GAME:  # whose search is guided by the shipped policy in any case
            paths += [*value, *guide]
        else:  # with the shipped policy, it takes the value that was learned for it
            paths += guide if plays_shipped(spec) else value
    return [path for path in dict.fromkeys(paths) if path.is_file()]


def plays_digest(spec: str, config: Any, *, is_opponent: bool = False, every: int = _EVERY) -> str:
    """Returns a digest of an agent's choices in positions of random games.

    Args:
        spec: names the agent.
        config: what it plays.
        is_opponent: whether the agent of the field is meant.
        every: the number of steps from one question to the next.

    Raises: what `make_agent` raises, and AgentError where the agent fails.
    """
    agent = make_opponent(spec, config) if is_opponent else make_measured(spec, config)
    engine: Any = game_spec(config.game).engine.from_config(
        config, _GAMES, seed=np.arange(_GAMES, dtype=np.uint64), autoreset=False
    )
    rng, own = agent_generators(b"gonzaga-bench plays", 2)
    found = sha256()
    for step in range(_STEPS):
        rows = np.flatnonzero(engine.seats >= 0)
        if not len(rows):
            break
        masks = engine.legal_action_mask(rows)
        if step % every == 0:
            chosen = np.asarray(agent.act(engine.observe(rows=rows), masks, own))
            if chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
                raise OptionError(f"{spec}: act returned {chosen.shape} {chosen.dtype}")
            found.update(chosen.astype("<i8").tobytes())
        actions = np.zeros(_GAMES, dtype=np.int64)
        actions[rows] = (rng.random(masks.shape) * masks).argmax(axis=1)
        engine.step(actions)
    return found.hexdigest()[:16]
