r"""# Gonzaga.

| Import | `from gonzaga_env import gonzaga_v0` |
|---|---|
| Actions | Discrete |
| Parallel API | `parallel_env`: see below |
| Manual control | No |
| Agents | `agents = ["player_0", "player_1", "player_2", "player_3"]` (2 to 4) |
| Number of agents | 4 (2 to 4) |
| Action shape | `Discrete(42 + 10 H + 1)`: 3,203 on the edition "europe" |
| Action values | 0 to 3,202 |
| Observation shape | `{"observation": (D,), "action_mask": (A,)}`: D = 3,748 with four players |
| Observation values | uint8, 0 to 255 |

Gonzaga is a hex-board game for two to four noble families of the Renaissance. In every round each
player turns over a fief (a piece of three or four hexes) and secretly plans a region and an action
(harbors, cities, or both). The plans decide the order in which the players then place their fiefs
on a map of Europe. Players score for cities and harbors, for leagues in the seas, for a secret
objective of six cities and for the largest connected group. A game lasts 7 to 12 rounds.

### Order of the agents

A round has P planning steps, in the order of the seats, and P placing steps, in the turn order.
Plans are sealed: until all agents have planned, no agent's observation, mask, infos or picture
depends on another agent's plan of this round.

### Parallel API

`gonzaga_v0.parallel_env` takes the same arguments and is a PettingZoo `ParallelEnv`: `step` takes a
dictionary of actions. All agents plan in one step; then P steps follow in which one agent places,
in the turn order. An agent that waits has one legal action, the last one of the space ("donate"),
so that no mask is empty; it is ignored, and an agent that waits need not pass any. An agent that
acts gets the observation and the mask that it gets in `raw_env` at its turn, so a policy plays in
both. An illegal action ends the game as in `env`, below. `is_parallelizable` in the metadata is
False because PettingZoo's `aec_to_parallel` would ask all agents for placements.

### Observation space

A dictionary of two arrays:

- `"observation"`: everything that the agent may know of the position, flat uint8, seen from its own
  seat. Other agents' sealed plans, their objectives and the order of all decks are hidden.
  `env.unwrapped.features` is the table of features (name, slice, shape, scale, meaning),
  `features.view(observation, "fiefs")` returns one of them, and `features.normalise(observation)`
  returns float32 for networks. `observe()` works for any agent at any time.
- `"action_mask"`: int8, 1 for each legal action of the agent to act; zeros for all other agents.

### Action space

One Discrete space for all agents and phases; H is the number of hexes.

| block | size | meaning |
|---|---|---|
| plan | 42 | region card x 6 + action (A, B, C) x 2 + King's Privilege (0, 1) |
| fief | 6 H | rotation x H + hex of the fief's first cell |
| ring | H | a wedding: one ring on that hex |
| two rings | 3 H | direction (E, SE, SW) x H + hex of the western or northern ring |
| donate | 1 | always legal when placing |

`env.unwrapped.actions.to_text(action)` names an action ("Francia B", "fief r2 @ 12,7") and
`parse` reads it back.

### Legal actions

The agent to act always has a legal action. In `raw_env` an illegal action raises
`IllegalActionError`, which names the rule. In `env` it ends the game, terminated and truncated,
with reward -1 for its agent and 0 for the others, whatever the kind of reward. With "score" and
"margin", -1 can be better than losing, so use the mask.

### Rewards

- `reward="outcome"` (default): at the end +1 for a sole winner and -1 / (P - 1) for the others;
  k winners share equally what one would have got. Zero-sum.
- `reward="score"`: own points as they are scored, with final scoring at the end.
- `reward="margin"`: own points minus the mean of the others'. Zero-sum.

At the end of the game every agent gets its reward, no matter who moved last.

### Infos

Every info has the same keys, six numbers and one array, all of numpy: `score`, `scores` (own
points by source: cities, harbors, leagues, donations, group, objective), `round`, `last_round`,
`open_sites`, `rings` (own rings left) and `won` (own share of the victory, 0 before the end).

### State

`state()` returns the whole position as one array, in `state_space`: the observations of all agents,
seat by seat, then all decks. It holds hidden information (sealed plans, objectives, the order of
the decks), so it is for the critics of centralised training only, never for what acts.

### Arguments

`gonzaga_v0.env(num_players=4, scenario=None, edition="europe", rules=Options(), reward="outcome",
render_mode=None, mask="observation", keys=("observation", "action_mask"), normalised=False,
mask_dtype="int8")`

- `num_players`: 2 to 4.
- `scenario`: the name of a scenario, such as "Colombo"; None draws one in every game.
- `edition`: the name of a shipped edition, or a folder with the four files of another one.
- `rules`: `gonzaga_env.gonzaga.Options(sea_league="each_player", first_check_round=6)`, or a
  mapping of these options.
- `reward`: see above.
- `render_mode`: None, "ansi" (text), "ansi_color" (text for terminals,
  with coordinates), "human" (a window, drawn at every reset and step; it takes
  the extra `window`), "rgb_array" (an array [height, 900, 3] uint8; it takes the extra `render`) or
  "svg". All show the public side of the game only.
- `mask`: where the legal actions are: "observation", in a dictionary with the observation; or
  "info", in `infos[agent]["action_mask"]`, and an observation is an array.
- `keys`: the names of the observation and the mask; `env` takes "action_mask" only for the latter.
- `normalised`: True returns observations as float32, each feature about 0 to 1.
- `mask_dtype`: "int8", as `action_space.sample` expects, or "bool", as torch's masks are.

docs/clients.md shows which library wants which of these.

`reset(seed=...)` deals the first game of a seed, `reset()` the next game of the same seed.
`reset(options={"deal": deal})` plays a given `gonzaga_env.core.Deal`: arrays `scenario` [1],
`decks` [1, P, 12] (fiefs 0 to 11 in order of drawing) and `objectives` [1, P]. Scenarios and
objectives are numbered from 0 in the order of the edition's files.

### Pictures

`gonzaga_env.draw(env)` draws the game as the agent to act sees it, with everything shown when the
game is over, and `env.unwrapped.view()` describes it in plain values.

### Version history

- v0: first version. Observations have layout 2 since gonzaga_env 0.3.0; `env.metadata["versions"]`
  holds the layouts, and docs/testing.md#versions says when the id gets another number.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from gonzaga_env.core.config import Options
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.spec import SPEC
from gonzaga_env.envs.aec import AECGame, ParallelGame, wrapped
from gonzaga_env.envs.of_game import OfGame, SeatedArguments

__all__ = ["env", "parallel_env", "raw_env"]


class ConfigArguments(TypedDict, total=False):
    """What decides which game of Gonzaga is played, beside `num_players`, for type checkers."""

    scenario: str | None
    edition: str | Path | Edition
    rules: Options | Mapping[str, object] | str


class _Seated(ConfigArguments, SeatedArguments):
    pass


class raw_env(OfGame, AECGame, spec=SPEC, name="gonzaga_v0"):  # noqa: N801  PettingZoo's name
    """One game as a PettingZoo AEC environment, described in the module's docstring."""

    if TYPE_CHECKING:

        def __init__(self, num_players: int = 4, **options: Unpack[_Seated]) -> None: ...


class parallel_env(OfGame, ParallelGame, spec=SPEC, name="gonzaga_v0"):  # noqa: N801
    """One game as a PettingZoo parallel environment, described in the module's docstring."""

    if TYPE_CHECKING:

        def __init__(self, num_players: int = 4, **options: Unpack[_Seated]) -> None: ...


env = wrapped(raw_env)
