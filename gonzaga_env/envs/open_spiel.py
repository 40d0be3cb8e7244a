"""The games of this package in OpenSpiel: importing this module registers them.

import gonzaga_env.envs.open_spiel
import pyspiel

game = pyspiel.load_game("python_gonzaga(players=2,scenario=Gutenberg)")

It takes the extra `open-spiel`; docs/open_spiel.md describes the games. OpenSpiel copies and
pickles a state's `__dict__`, so a state holds only a `Play`.
"""

from __future__ import annotations

import pickle
from base64 import b64encode
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.config import GameConfig as GonzagaConfig
from gonzaga_env.envs.open_spiel_play import CHANCE, TERMINAL, GonzagaPlay, Play, SavedPlay
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import MissingPackageError, OptionError, StateError
from gonzaga_env.kernel.result import Reward, check_reward, margin
from gonzaga_env.kernel.spaces import FeatureTable
from gonzaga_env.kernel.spec import Config, GameSpec
from gonzaga_env.tuscany.config import GameConfig as TuscanyConfig

try:
    import pyspiel  # fails here with a hint, not later without one
except ModuleNotFoundError as error:
    raise MissingPackageError(
        'OpenSpiel is not installed; run: pip install "gonzaga-env[open-spiel]"', name="pyspiel"
    ) from error

__all__ = ["CastlesOfTuscany", "Gonzaga", "Signorie"]

_EMPTY = b64encode(pickle.dumps({})).decode()
_RESOLUTION = 2**53  # of OpenSpiel's random floats
_MOST_POINTS = 1000.0  # nobody scores as many; OpenSpiel asks for a bound of utilities


class Game(pyspiel.Game):
    """A game with its parameters, as `pyspiel.load_game` returns it.

    OpenSpiel takes a class for each game: a function that nothing else refers to would crash
    Python's exit.
    """

    NAME: ClassVar[str]  # what `pyspiel.load_game` takes
    SPEC: ClassVar[GameSpec]
    PLAY: ClassVar[type[Play]] = Play  # how it is played with its chance

    def __init__(self, params: Mapping[str, object] | None = None) -> None:
        """Loads the edition; `params` are values by name, in place of those of `defaults`."""
        given = {**self.defaults(), **(params or {})}
        check_reward(reward := given["reward"])
        if reward == "score":
            raise OptionError("reward is 'score'; OpenSpiel takes zero sums: 'outcome', 'margin'")
        self.reward: Reward = reward  # what returns count
        self.config = self._config(**{k: v for k, v in given.items() if k != "reward"})  # is played
        super().__init__(self.game_type(), self._info(), given)
        self.template = self.SPEC.game.from_config(self.config, 0)  # never played

    def most_of_seat(self) -> int:
        """Returns a bound on the decisions of a seat."""
        raise NotImplementedError

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Returns the parameters with their defaults; an empty scenario draws one."""
        arguments = signature(cls.SPEC.config).parameters
        scenario = {"scenario": ""} if "scenario" in arguments else {}
        config = cls.SPEC.config()
        # OpenSpiel takes a parameter's type from its default, so None would allow no name.
        rules = config.rules.as_dict() | ({"rules": ""} if config.rules.PRESETS else {})
        first = {"players": config.num_players, **scenario, "edition": config.EDITION}
        return {**first, **rules, "reward": "outcome"}

    def _config(self, players: int, edition: str, **rules: Any) -> Config:
        arguments: dict[str, Any] = {"num_players": players, "edition": edition}
        if "scenario" in rules:
            arguments["scenario"] = rules.pop("scenario") or None
        if text := rules.pop("rules", ""):  # a preset, say; it overrides the others
            rules |= self.SPEC.config().rules.parse(text)
        return self.SPEC.config(**arguments, rules=rules)

    @classmethod
    def game_type(cls) -> pyspiel.GameType:
        """Returns what OpenSpiel has to know of the game whatever its parameters."""
        kinds = pyspiel.GameType
        return kinds(
            short_name=cls.NAME,
            long_name=f"Python {cls.SPEC.title}",
            dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            information=kinds.Information.IMPERFECT_INFORMATION,
            utility=kinds.Utility.ZERO_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=max(cls.SPEC.players),
            min_num_players=min(cls.SPEC.players),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=cls.defaults(),
        )

    def _info(self) -> pyspiel.GameInfo:
        config, most = self.config, _MOST_POINTS if self.reward == "margin" else 1.0
        return pyspiel.GameInfo(
            num_distinct_actions=config.actions.size,
            max_chance_outcomes=self.PLAY.MAX_OUTCOMES,
            num_players=config.num_players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=config.num_players * self.most_of_seat(),
        )

    def new_initial_state(self) -> State:
        """Returns a game before its deal."""
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns a bound on the events of chance."""
        return self.PLAY.most_events(self.config, self.max_game_length())

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> Observer | None:
        """Returns an observer of observations, or of information states (text only).

        Observers show all that one seat knows. For any other selection, such as public knowledge
        alone, the answer is None, as OpenSpiel has it (`open_spiel.python.observation`).

        Raises:
            OptionError: there are parameters.
        """
        if params:
            raise OptionError(f"params are {params!r}; observers take none")
        asked = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        own = asked.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not (own and asked.public_info):
            return None
        return Observer(None if asked.perfect_recall else self.config.features)


class State(pyspiel.State):
    """A game with its chance; `play` is what it holds."""

    def __init__(self, game: Game) -> None:
        """Starts a game that is not dealt yet; called by `Game.new_initial_state`."""
        super().__init__(game)
        self._play: Play | SavedPlay = game.PLAY(game.template)

    @property
    def play(self) -> Play:
        """The course of the game; `play.game` is the engine's, None before the deal."""
        play = self._play
        if isinstance(play, SavedPlay):  # the state comes from a text
            game = self.get_game()
            play = self._play = game.PLAY.restore(game.template, play)
        return play

    def current_player(self) -> int:
        """Returns the seat to act, or OpenSpiel's number for chance or the end."""
        return self.play.player

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self.play.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.game.mask().view(np.bool_).nonzero()[0].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the outcomes of chance with their probabilities, which are equal."""
        if self.play.player != CHANCE:
            raise StateError("chance is not to move")
        outcomes = self.play.outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        self.play.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return self.play.outcome_text(action)
        return self.get_game().config.actions.to_text(action)

    def returns(self) -> list[float]:
        """Returns every seat's return so far, [P]; zeros before the end."""
        if self.get_game().reward == "outcome" or not self.is_terminal():
            return self.play.returns
        points = np.array([self.play.game.totals], dtype=np.float64)
        found: list[float] = margin(points)[0].tolist()
        return found

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> State:
        """Returns a state that a seat cannot tell from this one; the rest is drawn.

        `sampler` returns random floats from 0 to 1. StateError if the game is not dealt yet.
        """
        play = self.play.resample(player_id, np.random.default_rng(int(sampler() * _RESOLUTION)))
        players = [move.player for move in self.full_history()]
        history = ",".join(f"{p}:{move}" for p, move in zip(players, play.moves, strict=True))
        # The only way to set a state's history, but for playing it again.
        text = f"history={history}\nmove_number={self.move_number()}\n__dict__={_EMPTY}"
        twin: State = self.get_game().deserialize_state(text)
        twin._play = play
        return twin

    def __str__(self) -> str:
        return f"{self.get_game().NAME}: {self.play}"


class Observer:
    """What a seat knows, as arrays and text; see `open_spiel.python.observation`."""

    def __init__(self, features: FeatureTable | None) -> None:
        self._features = features
        # The features one after the other, about 0 to 1, [D]; None for information states, which
        # are texts only.
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}  # each by name, in its shape, same memory
        if features is not None:
            tensor = self.tensor = np.zeros(features.size, np.float32)
            self.dict = {f.name: tensor[f.slice].reshape(f.shape) for f in features}

    def set_from(self, state: State, player: int) -> None:
        """Writes what a seat knows; zeros before the deal.

        Where chance is to move later on, it is what the seat knew before the last action.
        """
        if self._features is None or self.tensor is None:
            return
        if state.play.game is None:
            self.tensor.fill(0.0)
        else:
            observation = state.play.game.observation(player)
            np.true_divide(observation, self._features.scales, out=self.tensor)

    def string_from(self, state: State, player: int) -> str:
        """Returns the information state, or the features that are not zero."""
        if self._features is None:
            return state.play.information(player)
        if state.play.game is None:
            return f"seat {player}"
        seen, parts = state.play.game.observation(player), [f"seat {player}"]
        for feature in self._features:
            values = enumerate(seen[feature.slice].tolist())
            if shown := " ".join(f"{place}:{value}" for place, value in values if value):
                parts.append(f"{feature.name} {shown}")
        return "; ".join(parts)


class Gonzaga(Game):
    """Gonzaga; chance draws the cards that are turned up."""

    NAME, SPEC, PLAY = "python_gonzaga", game_spec("gonzaga"), GonzagaPlay
    config: GonzagaConfig

    def most_of_seat(self) -> int:
        """Returns two for each round (R7.2)."""
        return 2 * self.config.edition.size.rounds


class CastlesOfTuscany(Game):
    """The Castles of Tuscany; chance draws seeds."""

    NAME, SPEC = "python_castles_of_tuscany", game_spec("tuscany")
    config: TuscanyConfig

    def most_of_seat(self) -> int:
        """Returns a bound: a turn has less than 100."""
        return 100 * self.config.rules.max_laps


class Signorie(Game):
    """Signorie; chance draws seeds."""

    NAME, SPEC = "python_signorie", game_spec("signorie")

    def most_of_seat(self) -> int:
        """Returns a bound: 28 dice at most, with less than 100 each (S3.1, S5.2)."""
        return 100 * 4 * 7


for _game in (Gonzaga, CastlesOfTuscany, Signorie):
    pyspiel.register_game(_game.game_type(), _game)
