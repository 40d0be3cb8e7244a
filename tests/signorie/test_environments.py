"""The environments of Signorie; those of all games are tested with their pictures."""

import gymnasium
import numpy as np
import pytest

from gonzaga_env import signorie_v0
from gonzaga_env.envs.registration import learner_id
from gonzaga_env.signorie.constants import NUM_ASSIGNMENTS
from gonzaga_env.tabletop.errors import IllegalActionError, OptionError


@pytest.mark.filterwarnings(  # PettingZoo warns of every Dict observation
    "ignore:Observation space for each agent:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
def test_the_docs_page_has_the_sizes_of_the_spaces() -> None:
    env = signorie_v0.raw_env()
    page = signorie_v0.__doc__ or ""
    assert f"Discrete({env.unwrapped.actions.size})" in page
    assert f"D = {env.unwrapped.features.size} with four players" in page
    for first, text in ((180, "pass"), (206, "stop"), (207, "mission political 1 Milano")):
        assert env.unwrapped.actions.to_text(first) == text
    assert env.unwrapped.features["assignments"].shape == (NUM_ASSIGNMENTS, NUM_ASSIGNMENTS)


def test_an_illegal_action_names_its_rule() -> None:
    env = signorie_v0.raw_env(num_players=2)
    env.reset(seed=3)
    with pytest.raises(IllegalActionError, match=r"'stop' is illegal \(main\).*S5.4") as caught:
        env.step(env.unwrapped.actions.stop)
    assert caught.value.rule == "S5.4"


def test_gymnasium_makes_one_game_and_many() -> None:
    assert learner_id("signorie") == "gonzaga/Signorie-v0"
    one = gymnasium.make("gonzaga/Signorie-v0", num_players=3)
    observation, _ = one.reset(seed=1)
    assert one.observation_space.contains(observation)
    many = gymnasium.make_vec("gonzaga/Signorie-v0", num_envs=2, num_players=2)
    seen, _ = many.reset(seed=1)
    assert many.observation_space.contains(seen)
    rng = np.random.default_rng(0)
    for _ in range(30):
        masks = many.unwrapped.action_masks()
        actions = np.array([rng.choice(mask.nonzero()[0]) for mask in masks])
        assert many.observation_space.contains(many.step(actions)[0])


def test_a_game_without_options_says_so() -> None:
    with pytest.raises(OptionError, match=r"rules hold 'dragons'; there are: none$"):
        signorie_v0.raw_env(rules={"dragons": 1})
