"""The games as environments of TextArena 0.7: all seats are players, or some are agents by name.

Importing this module registers one for each game, `Gonzaga-v0`, `TheCastlesOfTuscany-v0` and
`Signorie-v0`, and the same with `-raw`, without the wrapper that makes one text of what a player
is told: the prompt, and the position of now. Arguments of `make` are those of `GameEnv`.

    import textarena as ta
    import textarena_games  # this file, in the folder or on the path

    env = ta.make("Signorie-v0", agents={2: "planner"})
    env.reset(num_players=3, seed=1)
    done = False
    while not done:
        player, observation = env.get_observation()
        done, info = env.step(model(observation))
    rewards, game_info = env.close()

Reward of a player: its result, from -1 to 1 (`Episode.results`), once, at the end. `game_info` of
the player has the parts "result", "legality" and, with a judge, "regret" (`Episode.rewards`), and
"reward", which is what `WEIGHTS` makes of them.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import textarena as ta
from gonzaga_agents.play.episode import Episode, total
from textarena.envs.registration import ENV_REGISTRY

from gonzaga_env.games import game_names, game_spec

_PROMPT, _SAID = ta.ObservationType.PROMPT, ta.ObservationType.PLAYER_ACTION


class GameEnv(ta.Env):
    """One game for TextArena; nobody is told what another player wrote, which may be secret."""

    def __init__(self, game: str, agents: Mapping[int, str] | None = None, **options: Any) -> None:
        """Takes a game, who plays the seats of agents, and what else `Episode` takes by name."""
        self.game, self.agents, self.options = game, dict(agents or {}), options

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deals a game for so many seats, those of agents included; no seed draws one."""
        players = [self.agents.get(seat) for seat in range(num_players)]
        seed = secrets.randbits(32) if seed is None else seed
        self.episode = Episode(self.game, players, seed=seed, **self.options)
        # Their state gets no seed: it would seed Python's own generator, which is everybody's.
        self.state = ta.MinimalMultiPlayerState(num_players)
        self.state.reset(
            game_state={}, player_prompt_function=lambda player_id, game_state: self.episode.prompt
        )
        self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Plays what the current player answers; returns whether the game is over, and no info."""
        state, seat = self.state, self.state.current_player_id
        state.add_observation(action, _SAID, from_id=seat, to_id=seat)
        refused = self.episode.act(action)
        state.made_invalid_move = refused is not None  # then no turn is counted
        if self.episode.over:
            state.game_info[seat]["invalid_move"] = refused is not None
            self._end(refused)
        else:
            self._ask()
        return state.step()

    def _ask(self) -> None:
        seat = self.state.current_player_id = self.episode.seat
        if self.episode.over:  # agents alone have ended it
            self._end(None)
        else:
            message, kind = self.episode.message(seat), ta.ObservationType.GAME_BOARD
            self.state.add_observation(message, kind, to_id=seat)

    def _end(self, refused: str | None) -> None:
        reason = "The game has ended." if refused is None else f"Given up: {refused}"
        self.state.set_game_outcome(dict(enumerate(self.episode.results())), reason)
        for seat, info in self.state.game_info.items():
            if seat not in self.agents:
                rewards = self.episode.rewards(seat)
                info |= rewards | {"reward": total(rewards)}


class PositionWrapper(ta.ObservationWrapper):
    """Makes one text of the prompt and of what the player was told last, which is all it needs."""

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deals a game, and forgets the last one."""
        self._known: dict[int, list[str]] = {}
        self.env.reset(num_players=num_players, seed=seed)

    def observation(self, player_id: int, observation: list[tuple[int, str, Any]]) -> str:
        """Returns the text; asked twice, the same."""
        for _, told, kind in observation:
            known = self._known.setdefault(player_id, ["", ""])
            known[kind != _PROMPT] = told if kind != _SAID else known[1]
        return "\n\n".join(self._known[player_id])


for _name in game_names():
    _id = f"{game_spec(_name).title.title().replace(' ', '')}-v0"
    for _end, _wrappers in (("", [PositionWrapper]), ("-raw", None)):
        if _id + _end not in ENV_REGISTRY:
            ta.register(_id + _end, f"{__name__}:GameEnv", _wrappers, game=_name)
