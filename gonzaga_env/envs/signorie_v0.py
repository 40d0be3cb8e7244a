"""
| | |
|---|---|
| Import | `from gonzaga_env import signorie_v0` |
| Actions | Discrete |
| Parallel API | `parallel_env` |
| Manual control | No |
| Agents | `agents = ["player_0", "player_1", "player_2", "player_3"]` (2 to 4) |
| Number of agents | 4 (2 to 4) |
| Action shape | `Discrete(359)`, for any number of players |
| Action values | 0 to 358 |
| Observation shape | `{"observation": (D,), "action_mask": (359,)}`: D = 815 with four players |
| Observation values | uint8, 0 to 255 |

Signorie is a game of dice and careers for two to four players. In each of seven rounds the players
take coloured dice from a common pool in turn, up to four each. A die is placed on the action slot
of its colour; what it shows less than the slot is paid in Florins. It hires a helper for good,
spends meeples on an assignment, or does the colour's Signoria action: advance males on three
careers, send one of them on a mission to a city, marry a female into a city with a dowry, raise
offspring, or take Florins. Helpers of the column act after the die. Who has dice of 13 or less in
all gets a reward at the end of the round. Missions, dowries, initiative, rewards, careers and rows
of alliance tiles score; most points win. Rules: gonzaga_env/data/rules/signorie.md. The shipped
edition is a reconstruction. Action and observation shapes follow the edition; those above are its.

`env` and `raw_env` are PettingZoo AEC environments, `parallel_env` is the parallel one. For one
learner, `gymnasium.make("gonzaga/Signorie-v0")` makes a `SignorieEnv` and `gymnasium.make_vec` a
`SignorieVectorEnv`.

### Order of the agents

A turn is several decisions of one agent: the die and what to do with it, then only what has more
than one legal answer (how many meeples, each track point, mission, marriage, the row of a face-down
tile, each helper). A decision with one legal answer is not asked for; only the first one of a game
always is. At the end of a round the agents decide on their rewards in the new turn order. A game
between random agents has about 120, 190 and 260 decisions with 2, 3 and 4 players, one between
better ones half as many again.

### Observation space

A dictionary of `"observation"`, flat uint8 and seen from the agent's own seat, and `"action_mask"`,
int8, 1 for each legal action of the agent to act and zeros for all others. No player has secrets:
hidden from all are the order of the deck, the faces of face-down tiles and the removed tiles, of
which `unseen` counts all. `env.unwrapped.features` is the table of features, as in `gonzaga_v0`.

### Action space

| actions | text | meaning |
|---|---|---|
| 0 to 179 | `yellow 4 hire 2`, `yellow 4 assign 1`, `yellow 4 signoria` | a die and what to do |
| 180 | `pass` | no more dice in this round |
| 181 to 183 | `spend 2` | meeples for an assignment |
| 184 to 206 | `enter military`, `advance military 3`, `initiative`, `stop` | a track point |
| 207 to 311 | `mission military 4 Milano` | the male on this slot goes to a city |
| 312 to 331 | `marry Milano 3` | a city, and the dowry |
| 332 to 335 | `row military`, `row marriage` | where a face-down tile goes |
| 336, 337 | `use`, `skip` | a helper |
| 338, 339 | `bonus`, `florins` | the reward of rounds 1 to 5 |
| 340 to 343 | `wed`, `no wed`, `pay`, `keep` | rewards |
| 344 to 358 | `helper yellow 2` | the slot of a free helper |

`env.unwrapped.actions.to_text(action)` names an action and `parse` reads it back.

### Legal actions

The agent to act always has a legal action. In `raw_env` an illegal action raises
`IllegalActionError`, which names the rule; in `env` it ends the game as in `gonzaga_v0`.

### Rewards

- `reward="outcome"` (default): at the end +1 for the winner and -1 / (P - 1) for the others; a tie
  goes to the earlier in the turn order.
- `reward="score"`: own VP as they come.
- `reward="margin"`: own VP minus the mean of the others'.

### Infos

`score` (VP), `scores` (VP by source, as `env.metadata["sources"]` names them),
`won` and `round`.

### Arguments

`signorie_v0.env(num_players=4, edition="reconstruction", rules=Options(), reward="outcome",
render_mode=None, mask="observation", keys=("observation", "action_mask"), normalised=False,
mask_dtype="int8")`

- `num_players`: 2 to 4.
- `edition`: a shipped edition, or the path of a TOML file (docs/signorie-edition.md).
- `rules`: `gonzaga_env.signorie.Options()`, which has no options yet.
- the others, and those for learners: as in `gonzaga_v0`.

### Pictures

`render_mode` takes "ansi", "ansi_color", "human", "rgb_array" and "svg". `gonzaga_env.draw(env)`
draws the game as the agent to act sees it.

### Version history

- v0: first version (when the id gets another number: docs/testing.md#versions)
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
from gonzaga_env.signorie.config import GameConfig, Options
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.spec import SPEC

__all__ = ["SignorieEnv", "SignorieVectorEnv", "env", "parallel_env", "raw_env"]

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

    metadata = AECGame.metadata | {"name": "signorie_v0"}


class parallel_env(_Seated, ParallelGame):  # noqa: N801
    """One game as a PettingZoo parallel environment."""

    metadata = ParallelGame.metadata | {"name": "signorie_v0"}


env = wrapped(raw_env)


class SignorieEnv(LearnerEnv):
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


class SignorieVectorEnv(LearnerVectorEnv):
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
