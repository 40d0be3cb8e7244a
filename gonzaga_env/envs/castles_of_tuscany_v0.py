"""# The Castles of Tuscany.

| Import | `from gonzaga_env import castles_of_tuscany_v0` |
|---|---|
| Actions | Discrete |
| Parallel API | Yes |
| Agents | `agents = ["player_0", "player_1", "player_2", "player_3"]` (2 to 4) |
| Observation values | uint8, 0 to 255 |

`env` and `raw_env` are PettingZoo AEC environments, `parallel_env` is the parallel one. For one
learner, `gymnasium.make("gonzaga/CastlesOfTuscany-v0")` makes a `CastlesOfTuscanyEnv` and
`gymnasium.make_vec` a `CastlesOfTuscanyVectorEnv`. Observations, masks, rewards, opponents and
resets work as in `gonzaga_v0`, `single_agent` and `vector`; turns have different lengths.

The arguments are those of these modules without `scenario`: `edition="reconstruction"`, and
`rules=Options()` or a mapping of its options. A game that is cut off after `max_laps` is decided
like any other, so it ends terminated, not truncated. `render_mode` takes "ansi".

Infos hold `score` (red points), `scores` (points by source), `won` and `round`.

### Version history

- v0: first version (when the id gets another number: docs/observation.md)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gymnasium.vector import AutoresetMode
from pettingzoo import AECEnv

from gonzaga_env.envs.aec import AECGame, SeatedGame, wrap
from gonzaga_env.envs.environment import Observation, environment_metadata
from gonzaga_env.envs.learner.many import LearnerVectorEnv
from gonzaga_env.envs.learner.one import LearnerEnv
from gonzaga_env.envs.parallel import ParallelGame
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.edition import Edition
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.spec import SPEC

__all__ = ["CastlesOfTuscanyEnv", "CastlesOfTuscanyVectorEnv", "env", "parallel_env", "raw_env"]


def env(**kwargs: Any) -> AECEnv[str, Observation, int | None]:
    """Returns `raw_env` (same arguments) in PettingZoo's usual wrappers.

    Raises:
        OptionError: as in `raw_env`, or the mask has another key than "action_mask".
    """
    return wrap(raw_env(**kwargs))


class _Seated(SeatedGame):
    """What is played, as the module's docstring says."""

    metadata = environment_metadata(
        name="castles_of_tuscany_v0", is_parallelizable=False, versions=SPEC.versions
    )

    def __init__(
        self,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Options | Mapping[str, Any] = Options(),
        **kwargs: Any,
    ) -> None:
        """Sets up the environment; `reset` deals a game (arguments: `SeatedGame`).

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        super().__init__(SPEC, GameConfig(num_players, edition, rules), **kwargs)


class raw_env(_Seated, AECGame):  # noqa: N801  PettingZoo's name
    """One game as a PettingZoo AEC environment."""


class parallel_env(_Seated, ParallelGame):  # noqa: N801  PettingZoo's name
    """One game as a PettingZoo parallel environment."""


class CastlesOfTuscanyEnv(LearnerEnv):
    """One game with one learner."""

    metadata = environment_metadata(versions=SPEC.versions)

    def __init__(
        self,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Options | Mapping[str, Any] = Options(),
        **kwargs: Any,
    ) -> None:
        """Sets up the environment; `reset` deals a game (arguments, errors: `LearnerEnv`)."""
        super().__init__(SPEC, GameConfig(num_players, edition, rules), **kwargs)


class CastlesOfTuscanyVectorEnv(LearnerVectorEnv):
    """N games with one learner each."""

    metadata = environment_metadata(versions=SPEC.versions, autoreset_mode=AutoresetMode.SAME_STEP)

    def __init__(
        self,
        num_envs: int = 1,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Options | Mapping[str, Any] = Options(),
        **kwargs: Any,
    ) -> None:
        """Sets up the environment (arguments, errors: `LearnerVectorEnv`)."""
        super().__init__(SPEC, GameConfig(num_players, edition, rules), num_envs, **kwargs)
