r"""# Gonzaga on a new map in every game.

| Import | `from gonzaga_env import gonzaga_generated_v0` |
|---|---|
| PettingZoo | `gonzaga_generated_v0.env()`, `raw_env()`, `parallel_env()` |
| Gymnasium | `gymnasium.make("gonzaga/Generated-v0")`, and `make_vec` |
| Actions | Discrete, as in `gonzaga_v0` on "europe": all maps have its 316 hexes |
| Observations | as in `gonzaga_v0` on "europe" |

The environments of `gonzaga_env.envs.gonzaga_v0`, apart from the map: `reset` draws one for each
game. Spaces stay the same, and so does what an action's number means: a hex is always at the same
row and column. An observation does not show the map; `edition` is the one that is played, and
`map_planes()` returns it as an array.

### Arguments

Those of `gonzaga_v0` without `scenario` and `edition`, and

- `maps`: "train" (default) or "test" draws from the frozen sets of 100 maps; "grow" or "perturb"
  makes a new map of that style for each game; a sequence of editions' names draws from these, such
  as `frozen_set("train")[:16]`.

Opponents of the learner are named, and are made for each map; or they are functions.

### Maps and seeds

`reset(seed=s)` draws the first map of a seed and deals its first game, `reset()` the next ones: the
same seed gives the same maps and games.

A map that was not played lately costs about half a second, a new one twice that, and games are much
shorter. Some sixteen maps are kept at a time, so give a worker that many of its own: maps by worker
cost nothing, many maps in one batch would. `make_vec` steps environments one after the other, each
with its own map, or in processes (`vectorization_mode="async"`).

### Version history

- v0: first version (layouts of actions and observations: see `gonzaga_v0`)
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.placements import barrier_mask
from gonzaga_env.core.config import GameConfig, Options
from gonzaga_env.core.constants import NUM_REGIONS, NUM_SEAS
from gonzaga_env.core.editions.generating import MOST_SEED, SETS, STYLES, frozen_set, generated_name
from gonzaga_env.core.spec import SPEC
from gonzaga_env.envs.environment import (
    KEYS,
    GameEnvironment,
    MaskDtype,
    MaskPlace,
    Observation,
    ResetOptions,
    check_seed,
)
from gonzaga_env.envs.gonzaga_v0 import Rules
from gonzaga_env.envs.learner import LearnerEnv
from gonzaga_env.envs.opponents import Opponents, as_opponents
from gonzaga_env.envs.pettingzoo import AECGame, ParallelGame, PettingZooGame, wrapped
from gonzaga_env.kernel.arguments import checks_names
from gonzaga_env.kernel.chance import Draws, game_seeds
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Info

__all__ = ["GeneratedEnv", "env", "map_planes", "parallel_env", "raw_env"]

Maps = str | Sequence[str]


def map_planes(config: GameConfig) -> NDArray[np.uint8]:
    """Returns a map as planes, [20, H] uint8.

    Six are 1 on the hexes of each region, six on those of each sea, six where the side of a hex in
    that direction is a barrier (east first, then clockwise), one on cities and one on harbors.
    """
    tables = config.tables
    regions = tables.region[:-1] == np.arange(NUM_REGIONS)[:, None]
    seas = tables.sea[:-1] == np.arange(NUM_SEAS)[:, None]
    sites = np.stack([tables.city_mask, tables.harbor_sea[:-1] < NUM_SEAS])
    barriers = barrier_mask(config.edition)[:-1].T
    return np.concatenate([regions, seas, barriers, sites]).astype(np.uint8)


class _DrawsMaps(GameEnvironment):
    """Plays each game on a map that its seed and its number decide."""

    config: GameConfig
    game: AnyGame
    _maps: Maps
    _seeded: bool

    def map_planes(self) -> NDArray[np.uint8]:
        """Returns the map that is played as planes, [20, H] uint8 (see `map_planes`)."""
        return map_planes(self.config)

    def _take_map(self, seed: int | None) -> int | None:
        """Takes the map of the next game; returns the seed with which `reset` deals the game."""
        check_seed(seed)
        if seed is not None:
            game_seeds(seed, 1)  # refuses what is no integer
        elif not self._seeded:
            seed = secrets.randbits(63)
        before = self.game
        source, number = (before.seed, before.episode + 1) if seed is None else (seed, 0)
        draws, maps = Draws(f"map {source} {number}"), self._maps
        if isinstance(maps, str):
            name = generated_name(maps, draws.below(MOST_SEED))
        else:
            name = draws.choice(maps)
        config = GameConfig(before.num_players, edition=name, rules=self.config.rules)
        if config.edition.grid.cells != self.config.edition.grid.cells:
            raise OptionError(f"edition {name} has other hexes than europe; spaces would change")
        self.config, self.game = config, SPEC.game.from_config(config, 0, before.reward)
        self.game.position.seed, self.game.position.episode = before.seed, before.episode
        return seed


def _maps(maps: Maps) -> Maps:
    """Returns the style of generated maps, or the names of editions to draw from."""
    if isinstance(maps, str) and maps in STYLES:
        return maps
    names = frozen_set(maps) if isinstance(maps, str) and maps in SETS else maps
    if isinstance(names, str) or not names or not all(isinstance(name, str) for name in names):
        known = ", ".join(map(repr, (*SETS, *STYLES)))
        raise OptionError(f"maps is {short_repr(maps)}; it takes {known} or names of editions")
    return names


class _Seated(_DrawsMaps, PettingZooGame):
    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        maps: Maps = "train",
        rules: Rules = Options(),
        reward: Reward = "outcome",
        render_mode: str | None = None,
        mask: MaskPlace = "observation",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
    ) -> None:
        self._maps = _maps(maps)
        # Europe stands in until the first reset: it has the same hexes.
        config = GameConfig(num_players, rules=rules)
        super().__init__(SPEC, config, reward, render_mode, mask, keys, normalised, mask_dtype)

    def _deal(self, seed: int | None, options: ResetOptions) -> None:
        super()._deal(self._take_map(seed), options)


class raw_env(_Seated, AECGame):  # noqa: N801  PettingZoo's name
    """One game as a PettingZoo AEC environment, described in the module's docstring."""

    metadata = AECGame.metadata | {"name": "gonzaga_generated_v0"}


class parallel_env(_Seated, ParallelGame):  # noqa: N801
    """One game as a PettingZoo parallel environment, described in the module's docstring."""

    metadata = ParallelGame.metadata | {"name": "gonzaga_generated_v0"}


env = wrapped(raw_env)


class GeneratedEnv(_DrawsMaps, LearnerEnv):
    """One game with one learner, described in the module's docstring."""

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        maps: Maps = "train",
        rules: Rules = Options(),
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
        mask: MaskPlace = "info",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
    ) -> None:
        self._maps, self._named = _maps(maps), opponents
        config = GameConfig(num_players, rules=rules)
        super().__init__(
            SPEC, config, reward, opponents, seat, render_mode, mask, keys, normalised, mask_dtype
        )

    def reset(
        self, *, seed: int | None = None, options: ResetOptions = None
    ) -> tuple[Observation, Info]:
        """Draws a map, deals a game and plays up to the learner's first turn (see `LearnerEnv`)."""
        seed = self._take_map(seed)
        self._opponents = as_opponents(self._named, self.config)
        return super().reset(seed=seed, options=options)
