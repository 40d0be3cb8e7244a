r"""# Gonzaga for a single learner.

| Import | `import gymnasium`, `import gonzaga_env` |
|---|---|
| One game | `gymnasium.make("gonzaga/Gonzaga-v0")` |
| N games | `gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=N)`: see `gonzaga_env.envs.vector` |
| Actions | `Discrete(42 + 10 H + 1)`: 3,203 on the edition "europe" |
| Observations | `Box(0, 255, (D,), uint8)`: D = 3,748 with four players |
| Players | 4 (2 to 4), one of them the learner |

The game of `gonzaga_env.envs.gonzaga_v0` as a Gymnasium environment: the learner plays one seat,
and opponents act within `step`. The id "gonzaga_env:gonzaga/Gonzaga-v0" also imports this package.

### Observation space

Everything that the learner's seat may know of the position at its turn, flat uint8; after the last
step, the end of the game. `env.unwrapped.features` is the table of features (name, slice, shape,
scale, meaning), and `features.normalise(observation)` returns float32 for networks.

### Action space

That of `gonzaga_v0`. `env.unwrapped.actions.to_text(action)` names an action.

### Legal actions

`env.get_wrapper_attr("action_masks")()` returns them as bool [A], as sb3-contrib's MaskablePPO
expects; `info["action_mask"]` holds them as int8 [A], as `action_space.sample` expects. Until the
game is over there is always a legal action.

An illegal action loses the game: reward -1 (whatever the kind of reward), terminated,
`info["illegal"]` 1. It does not raise, because Gymnasium's checker and similar tools play
unmasked samples of `action_space`. With "score" and "margin", -1 can be better than playing on, so
use the mask.

### Rewards

The sum of the learner's rewards from its action to its next turn: it includes the effect of the
opponents' actions in between and the end of the game, no matter who moved last.

- `reward="outcome"` (default): at the end +1 for a sole winner and -1 / (P - 1) for the others; k
  winners share equally what one would have got.
- `reward="score"`: own points as they are scored, with final scoring at the end.
- `reward="margin"`: own points minus the mean of the others'.

### End of an episode

An episode is a game of 7 to 12 rounds, in each of which the learner acts twice. It is terminated at
the end and never truncated. Calling `step` before the next `reset` raises `ResetNeededError`, a
subclass of `gymnasium.error.ResetNeeded`.

### Infos

Every info has the same keys, of numbers and arrays of numpy: `action_mask`, `score`, `scores` (own
points by source: cities, harbors, leagues, donations, group, objective), `round`, `last_round`,
`open_sites`, `rings` (own rings left), `won` (own share of the victory, 0 before the end), `seat`
and `illegal`.

### Arguments

`gymnasium.make("gonzaga/Gonzaga-v0", num_players=4, scenario=None, edition="europe",
rules=Options(), reward="outcome", opponents=None, seat=None, render_mode=None, mask="info",
keys=("observation", "action_mask"), normalised=False, mask_dtype="int8")`

- `num_players`, `scenario`, `edition`, `rules`, `reward`: as in `gonzaga_v0`.
- `opponents`: an agent's name (as `gonzaga_agents.make_agent` takes it), an agent, a model of
  Stable-Baselines3 (the object, not its file), or a callable
  `(observations [M, D], masks [M, A], rng) -> actions [M]`; or a sequence of these, from which one
  is drawn for every seat in every game. None, alone or in the sequence, plays uniformly random
  legal actions. Each opponent has an `rng` of its own, from which it cannot compute the deal.
- `seat`: the learner's seat, from 0. None rotates it by one each episode, starting at the seed
  modulo P.
- `render_mode`: None, "ansi" (text), "ansi_color" (text for terminals, with coordinates), "human"
  (a window, drawn at every reset and step; it takes the extra `window`), "rgb_array" (an array
  [height, 900, 3] uint8; it takes the extra `render`) or "svg". All show what the learner knows.
- `mask`: where the legal actions are. "info": in `info["action_mask"]`, and an observation is an
  array. "observation": an observation is a dictionary of that array and the mask, int8 [A], and the
  infos hold no mask. `action_masks()` works with both.
- `keys`: the names of the observation and the mask, such as ("observations", "action_mask") for
  RLlib and ("obs", "mask") for Tianshou; see docs/clients.md.
- `normalised`: True returns observations as float32, each feature about 0 to 1
  (`features.normalise`).
- `mask_dtype`: of `action_mask`: "int8", as `action_space.sample` expects, or "bool", as torch's
  masks are.

`reset(seed=...)` determines the deal, the learner's seat and the opponents' randomness. Where
agents compete, keep the seed secret, and draw it at random: a small one can be found by trying.
`reset()` deals the next game of the same seed; if no seed was ever given, it is drawn from the
operating system. `reset(options={"deal": deal})` plays a given `gonzaga_env.core.Deal`, as in
`gonzaga_v0`.

### Pictures

`gonzaga_env.draw(env)` draws the game as the learner sees it, and `env.unwrapped.view()` describes
it in plain values.

### Version history

- v0: first version (layouts of actions and observations: see `gonzaga_v0`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from gonzaga_env.core.spec import SPEC
from gonzaga_env.envs.gonzaga_v0 import ConfigArguments
from gonzaga_env.envs.learner import LearnerEnv
from gonzaga_env.envs.of_game import LearnerArguments, OfGame

__all__ = ["GonzagaEnv"]


class _Learner(ConfigArguments, LearnerArguments):
    pass


class GonzagaEnv(OfGame, LearnerEnv, spec=SPEC):
    """One game of Gonzaga with one learner, described in the module's docstring."""

    if TYPE_CHECKING:

        def __init__(self, num_players: int = 4, **options: Unpack[_Learner]) -> None: ...
