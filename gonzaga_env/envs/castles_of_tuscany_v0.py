r"""# The Castles of Tuscany.

| Import | `from gonzaga_env import castles_of_tuscany_v0` |
|---|---|
| Actions | Discrete |
| Parallel API | `parallel_env` |
| Manual control | No |
| Agents | `agents = ["player_0", "player_1", "player_2", "player_3"]` (2 to 4) |
| Number of agents | 4 (2 to 4) |
| Action shape | `Discrete(264)`, for any number of players |
| Action values | 0 to 263 |
| Observation shape | `{"observation": (D,), "action_mask": (264,)}`: D = 2,173 with four players |
| Observation values | uint8, 0 to 255 |

The Castles of Tuscany is a game of hexes and cards for two to four players. Each player joins three
boards to a region of thirty hexes in eight colours. A turn is one action: draw region cards, take a
tile from the display into storage, or place a stored tile on a hex of its colour, paid with cards
or workers. A placed tile acts by its colour (a city gives a bonus tile, a castle one more tile, and
so on), and completing zones and colours scores green points. Three rounds end when a player has
turned up seven more of their tiles; after each, green points are added to the red ones. Most red
points win. The shipped edition is a reconstruction. Rules: gonzaga_env/data/rules/tuscany.md.

`env` and `raw_env` are PettingZoo AEC environments, `parallel_env` is the parallel one. For one
learner, `gymnasium.make("gonzaga/CastlesOfTuscany-v0")` makes a `CastlesOfTuscanyEnv` and
`gymnasium.make_vec` a `CastlesOfTuscanyVectorEnv`.

### Order of the agents

In the setup each agent answers in turn from the starting player on: first how to join the boards
and where the starting castle lies, which stays hidden until all have answered, then the bonus tile.
After that a turn is several decisions of one agent: the action, then only what has more than one
legal answer (payment, crop, what to remove, effects, a marble for one more action). So agents do
not act equally often, and games of a batch wait for different decisions. A game between random
agents has about 70, 100 and 130 decisions with 2, 3 and 4 players, one between better ones twice as
many.

### Observation space

A dictionary of `"observation"`, what the agent may know, flat uint8 and seen from its own seat, and
`"action_mask"`, int8, 1 for each legal action of the agent to act and zeros for all others. Others'
hands and the order of all decks and stacks are hidden, and others' regions until all have joined
them. `env.unwrapped.features` is the table of features, as in `gonzaga_v0`.

### Action space

| actions | text | meaning |
|---|---|---|
| 0 to 95 | `layout A B C' +-` | join the boards, from left to right; ' is a half turn |
| 96 to 100 | `bonus card` | a bonus tile: card, storage, marble, worker, yield |
| 101 | `draw` | draw region cards |
| 102 to 118 | `take AOG` | take a tile, by colour, agriculture by its crops |
| 119 to 136 | `remove V` | remove a piece from a full storage |
| 137 to 166 | `tile L4` | cover a cell with a tile; the starting castle's cell too |
| 167 to 196 | `hexagon L4` | cover a cell with a wooden hexagon |
| 197 to 206 | `crop AOG` | which tile of agriculture |
| 207 to 261 | `pay own+worker` | two units: a card of the colour, a worker, two equal cards |
| 262, 263 | `marble`, `end` | pay for one more action; end or decline |

`env.unwrapped.actions.to_text(action)` names an action and `parse` reads it back.

### Legal actions

The agent to act always has a legal action. In `raw_env` an illegal action raises
`IllegalActionError`, which names the rule; in `env` it ends the game as in `gonzaga_v0`.

### Rewards

- `reward="outcome"` (default): at the end +1 for a sole winner and -1 / (P - 1) for the others.
- `reward="score"`: own red points as they come.
- `reward="margin"`: own red points minus the mean of the others'.

A game that only draws cards need not end. After `max_laps` laps (100) it is scored and decided like
any other, so it ends terminated, not truncated.

### Infos

`score` (red points), `scores` (points by source: five of green, then ten of red, as
`env.metadata["sources"]` names them), `won` and `round`.

### Arguments

`castles_of_tuscany_v0.env(num_players=4, edition="reconstruction", rules=Options(),
reward="outcome", render_mode=None, mask="observation", keys=("observation", "action_mask"),
normalised=False, mask_dtype="int8")`

- `num_players`: 2 to 4.
- `edition`: a shipped edition, or the path of a TOML file.
- `rules`: `gonzaga_env.tuscany.Options(draw_base=2, round_end="turn", final_turns="one_each",
  colour_bonus="literal", bonus_gains="every", storage_points="always", hexagon_same_turn=False,
  max_laps=100)`, a mapping of some of these, or a preset's name: "rulebook", which the defaults
  are, or "online" (round_end "lap", final_turns "lap_then_one", colour_bonus "ranked", bonus_gains
  "tiles").
- the others, and those for learners: as in `gonzaga_v0`.

### Pictures

`render_mode` takes "ansi", "ansi_color", "human", "rgb_array" and "svg". `gonzaga_env.draw(env)`
draws the game as the agent to act sees it.

### Version history

- v0: first version; the defaults of `rules` were those of "online" up to gonzaga_env 0.11 (when
  the id gets another number: docs/testing.md#versions)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gymnasium.vector import AutoresetMode

from gonzaga_env.envs.environment import KEYS, MaskDtype, MaskPlace
from gonzaga_env.envs.learner import LearnerEnv
from gonzaga_env.envs.learner_vector import LearnerVectorEnv
from gonzaga_env.envs.opponents import Opponents
from gonzaga_env.envs.pettingzoo import AECGame, ParallelGame, PettingZooGame, wrapped
from gonzaga_env.kernel.arguments import checks_names
from gonzaga_env.kernel.result import Reward
from gonzaga_env.tuscany.config import GameConfig, Options
from gonzaga_env.tuscany.edition import Edition
from gonzaga_env.tuscany.spec import SPEC

__all__ = ["CastlesOfTuscanyEnv", "CastlesOfTuscanyVectorEnv", "env", "parallel_env", "raw_env"]

Rules = Options | Mapping[str, object] | str


class _Seated(PettingZooGame):
    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Rules = Options(),
        reward: Reward = "outcome",
        render_mode: str | None = None,
        mask: MaskPlace = "observation",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
    ) -> None:
        config = GameConfig(num_players, edition, rules)
        super().__init__(SPEC, config, reward, render_mode, mask, keys, normalised, mask_dtype)


class raw_env(_Seated, AECGame):  # noqa: N801  PettingZoo's name
    """One game as a PettingZoo AEC environment."""

    metadata = AECGame.metadata | {"name": "castles_of_tuscany_v0"}


class parallel_env(_Seated, ParallelGame):  # noqa: N801
    """One game as a PettingZoo parallel environment."""

    metadata = ParallelGame.metadata | {"name": "castles_of_tuscany_v0"}


env = wrapped(raw_env)


class CastlesOfTuscanyEnv(LearnerEnv):
    """One game with one learner."""

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
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
        config = GameConfig(num_players, edition, rules)
        super().__init__(
            SPEC, config, reward, opponents, seat, render_mode, mask, keys, normalised, mask_dtype
        )


class CastlesOfTuscanyVectorEnv(LearnerVectorEnv):
    """N games with one learner each."""

    @checks_names
    def __init__(
        self,
        num_envs: int = 1,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Rules = Options(),
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
        mask: MaskPlace = "info",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
    ) -> None:
        config = GameConfig(num_players, edition, rules)
        given = render_mode, mask, keys, normalised, mask_dtype, autoreset_mode, max_episode_steps
        super().__init__(SPEC, config, num_envs, reward, opponents, seat, *given)
