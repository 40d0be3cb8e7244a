r"""# N games of Gonzaga for a learner, as one Gymnasium vector environment.

| Import | `import gymnasium`, `import gonzaga_env` |
|---|---|
| Make | `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)` |
| Actions | `MultiDiscrete` [N], each `Discrete(42 + 10 H + 1)` |
| Observations | `Box(0, 255, (N, D), uint8)` |
| Autoreset | `AutoresetMode.NEXT_STEP`; or `SAME_STEP`, `DISABLED` |

Game i is the game of `gonzaga_env.envs.single_agent` with seed `seed + i`; observations, actions,
rewards, illegal actions and infos are described there. One engine plays all games, without a Python
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

### Infos

The same as from `gymnasium.vector.SyncVectorEnv` with this autoreset mode: arrays [N, ...] under
the keys of the single environment (`action_mask` int8 [N, A], `score`, `won`, `seat`, ...), each
with a mask `_key` [N], which is True everywhere. (After a reset with "reset_mask" both hold the
games that were reset, and zeros elsewhere.) If games ended, in the mode SAME_STEP also:

- `final_obs`: [N] objects, the final observation [D] of each game that ended, else None;
  `_final_obs` [N] is the mask;
- `final_info`: the final infos, a dictionary of arrays [N, ...], valid where `_final_info` [N] is
  True; `final_info["illegal"]` is 1 where an illegal action ended the game.

### Arguments

`gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=1, num_players=4, scenario=None,
edition="europe", rules=Options(), reward="outcome", opponents=None, seat=None, render_mode=None,
mask="info", keys=("observation", "action_mask"), normalised=False, autoreset_mode="NextStep",
mask_dtype="int8", max_episode_steps=None)`

- `num_envs`: N.
- `autoreset_mode`: an `AutoresetMode` or its value, "NextStep", "SameStep" or "Disabled".
- `max_episode_steps`: the learner's turns after which a game is truncated, as by Gymnasium's
  `TimeLimit`; None plays to the end, which takes at most 24 turns.
- `render_mode`: as for one game; `render()` returns a tuple of N frames. With "human", one window
  shows the first nine games.
- all others: as for one game. Unless it is fixed, the learner's seat rotates in every game. All
  games share an opponent's `rng`, so its random choices depend on the other games. From 48 games
  on, agents given by name choose from the engine where they can, which is faster; they see the same
  and may break ties otherwise.

`reset(seed=s)` gives game i the seed `s + i`, `reset(seed=[...])` gives one seed per game, and
`reset()` deals the next game of each seed. `reset(options={"deal": deal})` plays given deals,
arrays [N, ...]. `reset(options={"reset_mask": mask})` resets the games where mask [N] bool is True,
and leaves the others as they are; seeds and deals are given for all N.

### Pictures

`gonzaga_env.draw(envs, game=i)` draws game i as its learner sees it, and `envs.unwrapped.view(i)`
describes it in plain values.

### Version history

- v0: first version (layouts of actions and observations: see `gonzaga_v0`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from gonzaga_env.core.spec import SPEC
from gonzaga_env.envs.gonzaga_v0 import ConfigArguments
from gonzaga_env.envs.learner_vector import LearnerVectorEnv
from gonzaga_env.envs.of_game import OfGame, VectorArguments

__all__ = ["GonzagaVectorEnv"]


class _Vector(ConfigArguments, VectorArguments):
    pass


class GonzagaVectorEnv(OfGame, LearnerVectorEnv, spec=SPEC):
    """N games of Gonzaga with one learner each, described in the module's docstring."""

    if TYPE_CHECKING:

        def __init__(
            self, num_envs: int = 1, num_players: int = 4, **options: Unpack[_Vector]
        ) -> None: ...
