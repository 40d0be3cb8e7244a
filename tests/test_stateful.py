"""Random sequences of calls on engines and environments; what must hold is checked after each.

`GONZAGA_FUZZ=50000 python -m pytest tests/test_stateful.py` makes as many calls of each kind
instead of some hundreds, from other random sequences each time.
"""

import copy
import os
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from gonzaga_env import draw, gonzaga_v0
from gonzaga_env.core import ActionError, Engine, GameConfig, IllegalActionError, State
from gonzaga_env.core.config import Rules
from gonzaga_env.envs.environment import ResetNeededError
from tests.beside import Beside

_STEPS = 60
_CALLS = int(os.environ.get("GONZAGA_FUZZ", "360"))
SETTINGS = settings(
    max_examples=max(_CALLS // _STEPS, 1),
    stateful_step_count=_STEPS,
    deadline=None,
    derandomize="GONZAGA_FUZZ" not in os.environ,
    database=None,
    suppress_health_check=list(HealthCheck),
)
CONFIGS = st.builds(
    GameConfig,
    num_players=st.integers(2, 4),
    rules=st.builds(Rules, st.sampled_from(("each_player", "first_only")), st.sampled_from((1, 6))),
)
SEEDS = st.integers(0, 2**32)
CHOICES = st.integers(0, 2**32)
NUM_GAMES = 3


def chosen(mask: np.ndarray, choice: int) -> int:
    """Returns one of the actions of a mask [A]."""
    actions = np.flatnonzero(mask)
    return int(actions[choice % len(actions)])


def pickled(it: Any) -> Any:
    return pickle.loads(pickle.dumps(it))


class Engines(RuleBasedStateMachine):
    """An engine of three games beside three games in plain Python; each step compares them."""

    @initialize(config=CONFIGS, seed=SEEDS)
    def deal(self, config: GameConfig, seed: int) -> None:
        engine = Engine.from_config(config, NUM_GAMES, seed=seed, autoreset=False)
        self.both = Beside(engine)

    @rule(choice=CHOICES)
    def step(self, choice: int) -> None:
        masks = self.both.legal_action_mask()
        self.both.step([chosen(mask, choice) if mask.any() else 0 for mask in masks])

    @rule(choice=CHOICES)
    def step_often(self, choice: int) -> None:
        for i in range(8):
            self.step(choice + i)

    @rule(game=st.integers(0, NUM_GAMES - 1), choice=CHOICES)
    def step_illegally(self, game: int, choice: int) -> None:
        mask = self.both.legal_action_mask()[game]
        if not mask.any():
            return
        action, before = chosen(~mask, choice), self.both.state.copy()
        with pytest.raises(IllegalActionError, match="R"):
            self.both.step([action], np.array([game]))
        for wrong in (len(mask), -1):
            with pytest.raises(ActionError):
                self.both.games[game].play(wrong)
        assert self.both.state == before

    @rule(seed=SEEDS, game=st.integers(0, NUM_GAMES - 1))
    def reset(self, seed: int, game: int) -> None:
        self.both.engine.reset([seed], rows=np.array([game]))
        self.both.games[game].reset(seed)

    @rule(twin=st.sampled_from((copy.copy, copy.deepcopy, pickled)))
    def go_on_with_a_copy(self, twin: Callable[[Any], Any]) -> None:
        self.both.engine = twin(self.both.engine)
        self.both.games = [twin(game) for game in self.both.games]

    @rule()
    def go_on_from_bytes(self) -> None:
        self.both.engine.state = State.from_bytes(self.both.state.to_bytes())
        for game in self.both.games:
            game.state = State.from_bytes(game.state.to_bytes())

    @rule(order=st.permutations(range(NUM_GAMES)))
    def take(self, order: list[int]) -> None:
        self.both.engine.state = self.both.state.take(np.array(order))
        self.both.games = [self.both.games[i] for i in order]

    @rule(seed=SEEDS)
    def resample(self, seed: int) -> None:
        both, seats = self.both, np.maximum(self.both.seats, 0)
        samples = both.resample(seats, np.random.default_rng(seed))
        twin = Engine.from_state(both.config, samples, autoreset=False)  # it checks them
        assert np.array_equal(twin.observe(seats), both.observe(seats))
        assert np.array_equal(twin.legal_action_mask(), both.legal_action_mask())

    @rule(game=st.integers(0, NUM_GAMES - 1), viewer=st.sampled_from((0, 1, "public", "spectator")))
    def look(self, game: int, viewer: int | str) -> None:
        view = self.both.view(game, viewer)
        assert [player.score for player in view.players] == self.both.state.totals[game].tolist()
        assert draw(self.both.engine, game=game, viewer=viewer).svg

    @invariant()
    def both_agree_and_their_states_are_right(self) -> None:
        if hasattr(self, "both"):
            self.both.compare()
            state = self.both.state
            lying = (state.ring_cells < self.both.tables.num_hexes).sum(axis=2)
            assert (state.ring_stock + lying <= 6).all()
            masks = self.both.legal_action_mask()
            assert np.array_equal(~masks.any(axis=1), state.finished)


class Aec(RuleBasedStateMachine):
    """The PettingZoo environment without its wrappers."""

    @initialize(players=st.integers(2, 4), seed=SEEDS)
    def make(self, players: int, seed: int) -> None:
        self.env = gonzaga_v0.raw_env(num_players=players, render_mode="ansi")
        self.env.reset(seed=seed)

    @rule(choice=CHOICES, count=st.integers(1, 9))
    def step(self, choice: int, count: int) -> None:
        for i in range(count):
            if self.env.agents:
                over = self.env.terminations[self.env.agent_selection]
                mask = self.env.observe(self.env.agent_selection)["action_mask"]
                self.env.step(None if over else chosen(mask, choice + i))

    @rule(choice=CHOICES)
    def step_illegally(self, choice: int) -> None:
        if self.env.agents and not self.env.game.finished:
            mask = self.env.observe(self.env.agent_selection)["action_mask"]
            before = self.env.game.state
            with pytest.raises(IllegalActionError):
                self.env.step(chosen(mask == 0, choice))
            assert self.env.game.state == before

    @rule(seed=st.none() | SEEDS)
    def reset(self, seed: int | None) -> None:
        self.env.reset(seed=seed)

    @rule()
    def go_on_with_a_copy(self) -> None:
        self.env = copy.deepcopy(self.env)

    @rule()
    def render(self) -> None:
        assert isinstance(self.env.render(), str)

    @invariant()
    def the_agent_to_act_alone_may_act(self) -> None:
        for agent in self.env.agents:
            seen = self.env.observe(agent)
            assert self.env.observation_space(agent).contains(seen)
            acts = agent == self.env.agent_selection and not self.env.terminations[agent]
            assert seen["action_mask"].any() == acts

    @invariant()
    def rewards_of_a_finished_game_add_up_to_one_victory(self) -> None:
        if self.env.game.finished and len(self.env.agents) == self.env.game.num_players:
            assert sum(self.env.rewards.values()) == pytest.approx(0)


class Single(RuleBasedStateMachine):
    """The Gymnasium environment."""

    @initialize(players=st.integers(2, 4), seed=SEEDS)
    def make(self, players: int, seed: int) -> None:
        self.env: Any = gymnasium.make(
            "gonzaga/Gonzaga-v0", num_players=players, opponents="random", render_mode="ansi"
        ).unwrapped
        self.seen, self.info = self.env.reset(seed=seed)

    @rule(choice=CHOICES, count=st.integers(1, 5))
    def step(self, choice: int, count: int) -> None:
        for i in range(count):
            mask = self.info["action_mask"]
            if mask.any():
                self.play(chosen(mask, choice + i))

    @rule(choice=CHOICES)
    def step_illegally(self, choice: int) -> None:
        mask = self.info["action_mask"]
        if mask.any():
            self.play(chosen(mask == 0, choice))
            assert self.info["illegal"] == 1
        else:
            with pytest.raises(ResetNeededError):
                self.env.step(0)

    def play(self, action: int) -> None:
        self.seen, _, over, truncated, self.info = self.env.step(action)
        assert not truncated
        assert over != self.info["action_mask"].any()

    @rule(seed=st.none() | SEEDS)
    def reset(self, seed: int | None) -> None:
        self.seen, self.info = self.env.reset(seed=seed)

    @rule()
    def render(self) -> None:
        assert isinstance(self.env.render(), str)

    @invariant()
    def observations_are_in_their_space(self) -> None:
        if hasattr(self, "env"):
            assert self.env.observation_space.contains(self.seen)


@pytest.mark.parametrize("machine", [Engines, Aec, Single])
def test_whatever_is_called_all_holds(machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(machine, settings=SETTINGS)
