r"""# Gonzaga.

| Import | `from gonzaga_env import gonzaga_v0` |
|---|---|
| Actions | Discrete |
| Parallel API | No |
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

At the end of the game every agent gets its reward, whoever moved last.

### Infos

Every info has the same keys, six numbers and one array, all of numpy: `score`, `scores` (own
points by source: cities, harbors, leagues, donations, group, objective), `round`, `last_round`,
`open_sites`, `rings` (own rings left) and `won` (own share of the victory, 0 before the end).

### State

`state()` returns the whole position as one array, in `state_space`: the observations of all agents,
seat by seat, then all decks. It holds hidden information (sealed plans, objectives, the order of
the decks), so it is for the critics of centralised training only, never for what acts.

### Arguments

`gonzaga_v0.env(num_players=4, scenario=None, edition="europe", rules=Rules(), reward="outcome",
render_mode=None, mask="observation", keys=("observation", "action_mask"), normalised=False)`

- `num_players`: 2 to 4.
- `scenario`: the name of a scenario, such as "Colombo"; None draws one in every game.
- `edition`: the name of a shipped edition, or a folder with the four files of another one.
- `rules`: `gonzaga_env.core.Rules(sea_league="each_player", first_check_round=6)`, or a mapping of
  these options.
- `reward`: see above.
- `render_mode`: None, "ansi" (text), "ansi_color" (text for terminals,
  with coordinates), "human" (a window, drawn at every reset and step; it takes
  the extra `window`), "rgb_array" (an array [height, 900, 3] uint8; it takes the extra `render`) or
  "svg". All show the public side of the game only.
- `mask`: where the legal actions are: "observation", in a dictionary with the observation; or
  "info", in `infos[agent]["action_mask"]`, and an observation is an array.
- `keys`: the names of the observation and the mask; `env` takes "action_mask" only for the latter.
- `normalised`: True returns observations as float32, each feature about 0 to 1.

docs/clients.md shows which library wants which of these.

`reset(seed=...)` deals the first game of a seed, `reset()` the next game of the same seed.
`reset(options={"deal": deal})` plays a given `gonzaga_env.core.Deal`: arrays `scenario` [1],
`decks` [1, P, 12] (fiefs 0 to 11 in order of drawing) and `objectives` [1, P]. Scenarios and
objectives are numbered from 0 in the order of the edition's files.

### Pictures

`gonzaga_env.draw(env)` draws the game as the agent to act sees it, with everything shown when the
game is over, and `env.unwrapped.view()` describes it in plain values.

### Version history

- v0: first version
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state.state import PLACE, PLAN
from gonzaga_env.core.view.game_view import GameView, Viewer
from gonzaga_env.envs.infos import info, own_info, rings_info, shared_info
from gonzaga_env.envs.layout import KEYS, Layout, MaskPlace
from gonzaga_env.envs.learner import as_options
from gonzaga_env.envs.rendering import (
    RENDER_FPS,
    RENDER_MODES,
    Frame,
    check_render_mode,
    frame,
    show_games,
    warn_of_no_mode,
)
from gonzaga_env.render.draw import draw
from gonzaga_env.render.window import GameWindow
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rewards import Reward

__all__ = ["env", "raw_env"]

Observation = Any  # a dictionary of observation and mask, or with mask="info" an array [D]

_NO_MASK = np.zeros(0, dtype=np.int8)


def env(**kwargs: Any) -> AECEnv[str, Observation, int | None]:
    """Returns `raw_env` (same arguments) in PettingZoo's usual wrappers.

    Raises:
        OptionError: as in `raw_env`, or the mask has another key than "action_mask".
    """
    key = tuple(kwargs.get("keys", KEYS))[-1]
    if key != KEYS[1]:
        raise OptionError(
            f"the mask's key is {key!r}; PettingZoo's TerminateIllegalWrapper reads "
            f"{KEYS[1]!r} only, so use raw_env"
        )
    wrapped: AECEnv[str, Observation, int | None] = raw_env(**kwargs)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return _Environment(wrapped)


class _Environment(wrappers.OrderEnforcingWrapper[str, Observation, int | None]):
    """The outermost wrapper, which notebooks show as a picture."""

    def _repr_svg_(self) -> str:
        return draw(self).svg

    def __repr__(self) -> str:
        return repr(self.unwrapped)


class raw_env(AECEnv[str, Observation, int | None]):  # noqa: N801  PettingZoo's name
    """One game as a PettingZoo AEC environment, described in the module's docstring.

    Attributes:
        game: the game. `game.state` is a snapshot of the full state, hidden information included;
            assigning a state replaces the game only, not the agent to act, terminations and
            rewards. To branch, use `copy.deepcopy(env)`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo's convention
        "name": "gonzaga_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules | Mapping[str, Any] = Rules(),
        reward: Reward = "outcome",
        render_mode: str | None = None,
        mask: MaskPlace = "observation",
        keys: Sequence[str] = KEYS,
        normalised: bool = False,
    ) -> None:
        """Sets up the environment; `reset` deals a game.

        Raises:
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        super().__init__()
        check_render_mode(render_mode)
        self._window = GameWindow()
        self.game = Game(
            num_players=num_players,
            scenario=scenario,
            edition=edition,
            rules=rules,
            reward=reward,
        )
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeded = False
        self.action_spaces = {
            agent: spaces.Discrete(self.actions.size) for agent in self.possible_agents
        }
        self._layout = Layout(self.features, self.actions.size, mask, keys, normalised)
        self.observation_spaces = {
            agent: self._layout.new_space() for agent in self.possible_agents
        }
        self.state_space = self._new_state_space(normalised)

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions: sizes, blocks and texts."""
        return self.game.actions

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return self.game.features

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the observation space of an agent, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the action space of an agent, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a game.

        Args:
            seed: determines the deal. None deals the next game of the last seed; if no seed was
                ever given, it is drawn from the operating system.
            options: {"deal": Deal} plays that deal; other options are ignored, as PettingZoo asks.

        Raises:
            OptionError: invalid seed or deal.
        """
        if seed is None and not self._seeded:
            seed = secrets.randbits(63)
        self.game.reset(seed, as_options(options).get("deal"))
        self._seeded = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.game.seat]
        self.infos = self._new_infos()
        self._put_masks_in_infos()
        self._show(self.metadata["render_fps"])

    def observe(self, agent: str) -> Observation:
        """Returns what an agent knows, and its legal actions if it is to act.

        Raises:
            OptionError: there is no such agent.
        """
        if agent not in self._seat:
            raise OptionError(
                f"agent is {agent!r}; there are {', '.join(map(repr, self.possible_agents))}"
            )
        mask = self._mask(agent) if self._layout.in_observation else _NO_MASK
        return self._layout.observation(self.game.observation(self._seat[agent]), mask)

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """Returns which actions are legal for an agent, [A]; zeros unless it is to act."""
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            return self.game.mask()
        return np.zeros(self.actions.size, dtype=np.int8)

    def state(self) -> NDArray[Any]:
        """Returns the whole position, for the critic of a centralised training.

        It holds hidden information, so nothing that acts may see it: the observations of all
        agents, seat by seat [P * D], then all decks [P * 12], fiefs 1 to 12 in order of drawing.
        Like observations it is uint8, or float32 with `normalised`.
        """
        seats = range(self.game.num_players)
        observations = np.array([self.game.observation(seat) for seat in seats])
        decks = self.game.state.deck[0].ravel() + np.uint8(1)
        if self._layout.normalised:
            parts = self.features.normalise(observations).ravel(), np.float32(decks / NUM_FIEFS)
            return np.concatenate(parts)
        return np.concatenate([observations.ravel(), decks])

    def _new_state_space(self, normalised: bool) -> spaces.Box:
        num_players, highs = self.game.num_players, self._layout.highs
        decks = np.full(num_players * NUM_FIEFS, 1 if normalised else NUM_FIEFS, highs.dtype)
        high: Any = np.concatenate([highs] * num_players + [decks])
        return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)

    def step(self, action: int | None) -> None:
        """Plays an action for the agent to act.

        Args:
            action: index in the action space; None for an agent that has terminated.

        Raises:
            IllegalActionError: the rules forbid the action; nothing has changed.
            ActionError: the action is not in the space.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        position = self.game.position
        open_sites = position.open_sites
        rewards = self.game.play(action)  # type: ignore[arg-type]  # it refuses None
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if position.finished or any(rewards):
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
        self.infos = self._next_infos(agent, open_sites)
        if position.finished:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[position.seat]
        if not self._layout.in_observation:
            self._put_masks_in_infos()
        if self.render_mode == "human":
            self._show(self.metadata["render_fps"])

    def _new_infos(self) -> dict[str, dict[str, Any]]:
        self._scores_array = self.game.position.scores
        return {agent: info(self.game.position, seat) for agent, seat in self._seat.items()}

    def _next_infos(self, agent: str, open_sites: int) -> dict[str, dict[str, Any]]:
        """Returns the infos after an agent's step; those handed out before do not change.

        Args:
            agent: the agent.
            open_sites: their number before its step.
        """
        position, infos = self.game.position, self.infos
        if position.scores is not self._scores_array or position.finished:
            return self._new_infos()  # the former: a state was assigned
        if position.phase == PLAN and position.num_acted:  # a sealed plan changes nothing
            return infos
        if position.phase == PLACE and position.num_acted == 0:  # privileges were paid
            return {a: old | rings_info(position, self._seat[a]) for a, old in infos.items()}
        if position.num_acted == 0 or position.open_sites != open_sites:
            shared = shared_info(position)
            infos = {a: old | shared for a, old in infos.items()}
        return infos | {agent: infos[agent] | own_info(position, self._seat[agent])}

    def _put_masks_in_infos(self) -> None:
        """Gives every agent its mask with mask="info"; infos handed out before do not change."""
        if not self._layout.in_observation:
            self.infos = {
                agent: info | self._layout.mask_info(self._mask(agent))
                for agent, info in self.infos.items()
            }

    @property
    def edition(self) -> Edition:
        """The edition."""
        return self.game.edition

    def view(self, viewer: Viewer | None = None, *, names: Sequence[str] = ()) -> GameView:
        """Returns what a viewer knows of the game, in plain values (see `GameView`).

        Args:
            viewer: a seat, "public" or "spectator"; None for the agent to act, and for
                "spectator" when the game is over.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such viewer, or the number of names is wrong.
        """
        if viewer is None:
            viewer = "spectator" if self.game.finished else self.game.seat
        return self.game.view(viewer, names=names)

    def _repr_svg_(self) -> str:
        return draw(self).svg

    def __repr__(self) -> str:
        return f"<gonzaga_v0, {self.game.config.summary}>"

    def render(self) -> Frame | None:
        """Returns the public side of the game in the form that `render_mode` asks for.

        With "human", the window is drawn again and None is returned.

        Raises:
            MissingPackageError: "rgb_array" or "human" without Pillow, or "human" without
                pygame-ce; the message says what to install.
            WindowError: "human" without a screen.
        """
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        if self.render_mode == "human":
            self._show()
            return None
        return frame(self.render_mode, self.view("public"), self.game.config)

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._window.close()

    def _show(self, fps: float | None = None) -> None:
        """Shows the game in its window if that is the render mode."""
        if self.render_mode == "human":
            show_games(self._window, [self.view("public")], self.game.config, fps)
