"""TorchRL: one game, N games and all agents."""

import gymnasium
import pytest

from gonzaga_env import gonzaga_v0
from tests.clients.client import ID, QUIET, need, run_examples

torch = need("torch")
need("torchrl")
pytestmark = QUIET


def test_the_mask_of_the_observation_masks_actions() -> None:
    from torchrl.envs import ActionMask, GymWrapper, TransformedEnv

    env = gymnasium.make(ID, num_players=2, mask="observation")
    played = TransformedEnv(GymWrapper(env), ActionMask()).rollout(60)
    assert 14 <= len(played) <= 24, "a whole game, without an illegal action"
    assert played["next", "done"][-1].all()


def test_infos_become_tensors_and_mask_actions() -> None:
    from torchrl.envs import ActionMask, GymWrapper, TransformedEnv

    env = GymWrapper(gymnasium.make(ID, num_players=2)).auto_register_info_dict()
    played = TransformedEnv(env, ActionMask()).rollout(60)
    assert 14 <= len(played) <= 24
    assert played["next", "illegal"].sum() == 0
    assert played["next", "scores"].shape == (len(played), 6)
    assert (played["next", "scores"].sum(-1) == played["next", "score"]).all()


@pytest.mark.parametrize("options", [{"mask": "observation"}, {}])
def test_many_games_are_reset_by_torchrl(options: dict[str, str]) -> None:
    from torchrl.envs import ActionMask, GymWrapper, TransformedEnv

    envs = gymnasium.make_vec(
        ID, num_envs=4, num_players=2, autoreset_mode="Disabled", reward="score", **options
    )
    wrapped = GymWrapper(envs)
    if not options:
        wrapped = wrapped.auto_register_info_dict()
    env = TransformedEnv(wrapped, ActionMask())
    played = env.rollout(60, break_when_any_done=False)
    assert played.shape == (4, 60)
    assert 8 <= played["next", "done"].sum() <= 20, "2 to 4 games each, of 14 to 24 turns"
    assert (played["next", "reward"] >= 0).all(), "no illegal action"


@pytest.mark.parametrize("game", ["gonzaga", "tuscany"])
def test_masks_are_bool_where_a_policy_needs_them(game: str) -> None:
    from tensordict.nn import TensorDictModule
    from torchrl.modules import MaskedCategorical, ProbabilisticActor

    from gonzaga_env.envs.torchrl import make_torchrl

    env = make_torchrl(4, num_players=2, opponents="random", game=game, reward="score")
    env.set_seed(0)
    num_actions = env.base_env._env.single_action_space.n
    logits = TensorDictModule(
        lambda seen: torch.zeros(*seen.shape[:-1], num_actions),
        in_keys=["observation"],
        out_keys=["logits"],
    )
    policy = ProbabilisticActor(
        logits,
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
    )
    played = env.rollout(30, policy, break_when_any_done=False)
    assert played["action_mask"].dtype == torch.bool
    chosen = played["action_mask"].gather(-1, played["action"].unsqueeze(-1))
    assert chosen.all()
    assert played["observation"].dtype == torch.float32


def test_infos_are_registered_where_torchrl_resets() -> None:
    from gonzaga_env.envs.torchrl import make_torchrl

    env = make_torchrl(3, num_players=2, mask="info").base_env.auto_register_info_dict()
    played = env.rollout(3, break_when_any_done=False)
    assert played["next", "score"].shape == (3, 3)
    assert played["next", "action_mask"].dtype == torch.bool


def test_long_games_are_truncated() -> None:
    from gonzaga_env.envs.torchrl import make_torchrl

    env = make_torchrl(3, num_players=2, max_episode_steps=5)
    played = env.rollout(12, break_when_any_done=False)
    assert played["next", "truncated"].sum() == 6
    assert not played["next", "terminated"].any()


@pytest.mark.parametrize("mask", ["observation", "info"])
def test_all_agents_play_with_a_state_for_critics(mask: str) -> None:
    from torchrl.envs import PettingZooWrapper

    env = gonzaga_v0.env(num_players=3, mask=mask, normalised=True)
    played = PettingZooWrapper(env, use_mask=True, return_state=True).rollout(200)
    assert len(played) >= 42, "a whole game: 7 rounds or more of 3 plans and 3 placements"
    assert played["next", "done"][-1].all()
    assert played["state"].dtype == torch.float32
    assert played["state"].shape[1:] == env.state_space.shape


def test_the_examples_of_the_documents_run() -> None:
    run_examples("TorchRL")
