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

With `observation="planes"` the same information is an array [C, rows, columns], [29, 19, 18] with
four players on "europe": odd rows of hexes are shifted half a hex east.

| channels | what a place shows |
|---|---|
| `fiefs 0` ..., `rings 0` ... | 1 where this player holds the hex; 0 is the agent itself |
| `fief_number`, `value`, `objective` | the features of these names |
| `map`, `region NAME`, `city`, `harbor of SEA` | 1 for a hex of the map, or of that kind |
| `barrier east`, `south-east`, `south-west` | 1 where that side of the hex is a barrier |
| `numbers 0` ... | all other features, one place each, in reading order |

The numbers are for dense layers. `env.unwrapped.config.planes` has the channels' `names`; its
`numbers_of(planes)` returns the numbers flat, with the layout `numbers`. The blocks of actions by
hex (6 + 1 + 3, below) are planes over the same map: of logits [10, rows * columns],
`logits[:, planes.cells]` are those of the actions from 42 on, in their order. `state()` stays flat.

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
mask_dtype="int8", observation="features")`

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
- `observation`: "planes" returns observations as [C, rows, columns] of the map, see below.

docs/clients.md shows which library wants which of these.

`reset(seed=...)` deals the first game of a seed, `reset()` the next game of the same seed.
`reset(options={"deal": deal})` plays a given `gonzaga_env.core.Deal`: arrays `scenario` [1],
`decks` [1, P, 12] (fiefs 0 to 11 in order of drawing) and `objectives` [1, P]. Scenarios and
objectives are numbered from 0 in the order of the edition's files.

### Pictures

`gonzaga_env.draw(env)` draws the game as the agent to act sees it, with everything shown when the
game is over, and `env.unwrapped.view()` describes it in plain values.

## One learner

`gymnasium.make("gonzaga/Gonzaga-v0")` is the same game as a Gymnasium environment, a `GonzagaEnv`:
the learner plays one seat, and opponents act within `step`. The id
"gonzaga_env:gonzaga/Gonzaga-v0" also imports this package.

An observation is what the learner's seat may know at its turn, `Box(0, 255, (D,), uint8)`, and
after the last step the end of the game. Actions are those above.

### Legal actions of the learner

`env.get_wrapper_attr("action_masks")()` returns them as bool [A], as sb3-contrib's MaskablePPO
expects; `info["action_mask"]` holds them as int8 [A], as `action_space.sample` expects. Until the
game is over there is always a legal action.

An illegal action loses the game: reward -1 (whatever the kind of reward), terminated,
`info["illegal"]` 1. It does not raise, because Gymnasium's checker and similar tools play
unmasked samples of `action_space`.

### Rewards of the learner

The sum of the seat's rewards from its action to its next turn: it includes the effect of the
opponents' actions in between and the end of the game, no matter who moved last.

### End of an episode

An episode is a game of 7 to 12 rounds, in each of which the learner acts twice. It is terminated at
the end and never truncated. Calling `step` before the next `reset` raises `ResetNeededError`, a
subclass of `gymnasium.error.ResetNeeded`.

### Infos of the learner

Those of its seat, and `action_mask`, `seat` and `illegal`.

### Arguments for one learner

Those of `env`, with `mask="info"` by default, and `opponents=None, seat=None` after `reward`:

- `opponents`: an agent's name (as `gonzaga_agents.make_agent` takes it), an agent, a model of
  Stable-Baselines3 (the object, not its file), or a callable
  `(observations [M, D], masks [M, A], rng) -> actions [M]`; or a sequence of these, from which one
  is drawn for every seat in every game. None, alone or in the sequence, plays uniformly random
  legal actions. Each opponent has an `rng` of its own, from which it cannot compute the deal.
- `seat`: the learner's seat, from 0. None rotates it by one each episode, starting at the seed
  modulo P.
- `mask`: with "observation", the infos hold no mask; `action_masks()` works with both.
- `keys`: such as ("observations", "action_mask") for RLlib and ("obs", "mask") for Tianshou.

`render()` and `gonzaga_env.draw(env)` show what the learner knows.

`reset(seed=...)` determines the deal, the learner's seat and the opponents' randomness. Where
agents compete, keep the seed secret, and draw it at random: a small one can be found by trying.
`reset()` deals the next game of the same seed; if no seed was ever given, it is drawn from the
operating system.

## N learners

`gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)` is N such games as one vector environment, a
`GonzagaVectorEnv`: actions `MultiDiscrete` [N], observations `Box(0, 255, (N, D), uint8)`.

Game i is the game of one learner with seed `seed + i`. One engine plays all games, without a Python
loop over them, and each opponent chooses for all games in one batch. Fewer than 48 games, and fewer
than 96 of Signorie against random opponents, are played one by one in plain Python, which is
faster; the outputs are the same.

### Step and reset

`step` takes actions [N] and returns observations [N, D] uint8, rewards [N] float64, terminations
[N], truncations [N] (False without `max_episode_steps`) and infos. What happens when a game ends is
up to `autoreset_mode`, as in `gymnasium.vector.SyncVectorEnv`:

- `AutoresetMode.NEXT_STEP` (default): the row holds the final observation. The next step ignores
  the action of that game, deals the next one and returns reward 0.
- `AutoresetMode.SAME_STEP`: the next game is dealt in the same step. The row holds the first
  observation of the next game, and the final observation of the game that ended is in the infos.
- `AutoresetMode.DISABLED`: the row holds the final observation, and
  `reset(options={"reset_mask": ended})` deals the next game; a step before it raises
  `ResetNeededError`.

`action_masks()` returns the learner's legal actions [N, A] bool. If an opponent plays an illegal
action, `step` raises and the environment needs a reset.

`reset(seed=s)` gives game i the seed `s + i`, `reset(seed=[...])` gives one seed per game, and
`reset()` deals the next game of each seed. `reset(options={"deal": deal})` plays given deals,
arrays [N, ...]. `reset(options={"reset_mask": mask})` resets the games where mask [N] bool is True,
and leaves the others as they are; seeds and deals are given for all N.

### Infos of N learners

The same as from `gymnasium.vector.SyncVectorEnv` with this autoreset mode: arrays [N, ...] under
the keys of the single environment (`action_mask` int8 [N, A], `score`, `won`, `seat`, ...), each
with a mask `_key` [N], which is True everywhere. (After a reset with "reset_mask" both hold the
games that were reset, and zeros elsewhere.) If games ended, in the mode SAME_STEP also:

- `final_obs`: [N] objects, the final observation [D] of each game that ended, else None;
  `_final_obs` [N] is the mask;
- `final_info`: the final infos, a dictionary of arrays [N, ...], valid where `_final_info` [N] is
  True; `final_info["illegal"]` is 1 where an illegal action ended the game.

### Arguments for N learners

Those for one learner, and:

- `num_envs`: N.
- `autoreset_mode`: an `AutoresetMode` or its value, "NextStep", "SameStep" or "Disabled".
- `max_episode_steps`: the learner's turns after which a game is truncated, as by Gymnasium's
  `TimeLimit`; None plays to the end, which takes at most 24 turns.

Unless it is fixed, the learner's seat rotates in every game. All games share an opponent's `rng`,
so its random choices depend on the other games. From 48 games on, agents given by name choose from
the engine where they can, which is faster; they see the same and may break ties otherwise.

`render()` returns a tuple of N frames; with "human", one window shows the first nine games.
`gonzaga_env.draw(envs, game=i)` draws game i as its learner sees it, and `envs.unwrapped.view(i)`
describes it in plain values.

## Version history

- v0: first version. Observations have layout 2 since gonzaga_env 0.3.0; `env.metadata["versions"]`
  holds the layouts, and docs/testing.md#versions says when the id gets another number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gymnasium.vector import AutoresetMode

from gonzaga_env.core.config import GameConfig, Options
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.spec import SPEC
from gonzaga_env.envs.environment import KEYS, Form, MaskDtype, MaskPlace
from gonzaga_env.envs.learner import LearnerEnv
from gonzaga_env.envs.learner_vector import LearnerVectorEnv
from gonzaga_env.envs.opponents import Opponents
from gonzaga_env.envs.pettingzoo import AECGame, ParallelGame, PettingZooGame, wrapped
from gonzaga_env.kernel.arguments import checks_names
from gonzaga_env.kernel.result import Reward

__all__ = ["GonzagaEnv", "GonzagaVectorEnv", "env", "parallel_env", "raw_env"]

Rules = Options | Mapping[str, object] | str


class _Seated(PettingZooGame):
    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules = Options(),
        reward: Reward = "outcome",
        render_mode: str | None = None,
        mask: MaskPlace = "observation",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
        observation: Form = "features",
    ) -> None:
        config = GameConfig(num_players, scenario, edition, rules)
        given = render_mode, mask, keys, normalised, mask_dtype, observation
        super().__init__(SPEC, config, reward, *given)


class raw_env(_Seated, AECGame):  # noqa: N801  PettingZoo's name
    """One game as a PettingZoo AEC environment, described in the module's docstring."""

    metadata = AECGame.metadata | {"name": "gonzaga_v0"}


class parallel_env(_Seated, ParallelGame):  # noqa: N801
    """One game as a PettingZoo parallel environment, described in the module's docstring."""

    metadata = ParallelGame.metadata | {"name": "gonzaga_v0"}


env = wrapped(raw_env)


class GonzagaEnv(LearnerEnv):
    """One game with one learner, described in the module's docstring."""

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules = Options(),
        reward: Reward = "outcome",
        opponents: Opponents = None,
        seat: int | None = None,
        render_mode: str | None = None,
        mask: MaskPlace = "info",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
        mask_dtype: MaskDtype = "int8",
        observation: Form = "features",
    ) -> None:
        config = GameConfig(num_players, scenario, edition, rules)
        given = render_mode, mask, keys, normalised, mask_dtype, observation
        super().__init__(SPEC, config, reward, opponents, seat, *given)


class GonzagaVectorEnv(LearnerVectorEnv):
    """N games with one learner each, described in the module's docstring."""

    @checks_names
    def __init__(
        self,
        num_envs: int = 1,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
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
        observation: Form = "features",
    ) -> None:
        config = GameConfig(num_players, scenario, edition, rules)
        given = render_mode, mask, keys, normalised, mask_dtype, autoreset_mode, max_episode_steps
        super().__init__(SPEC, config, num_envs, reward, opponents, seat, *given, observation)
