"""The autoreset modes against Gymnasium's own vector environment, for whole games."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from gonzaga_env.core import Engine
from gonzaga_env.core.state import Deal
from gonzaga_env.envs import learner_vector as many
from gonzaga_env.envs.environment import ResetNeededError
from gonzaga_env.envs.gonzaga_v0 import GonzagaVectorEnv
from gonzaga_env.kernel.errors import OptionError
from tests.envs.games import EVERY_GAME
from tests.envs.opponents import canny, random_legal
from tests.marks import nightly

ID = "gonzaga/Gonzaga-v0"
MODES = list(AutoresetMode)


@pytest.fixture(params=["few", "batch"])
def _kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays with either implementation, whatever the number of games."""
    monkeypatch.setattr(many, "MIN_BATCH", {"few": 10**9, "batch": 1}[request.param])


#: The options of each mode's environments: all kinds of reward and layouts.
OPTIONS: dict[AutoresetMode, dict[str, Any]] = {
    AutoresetMode.SAME_STEP: {
        "num_players": 2, "reward": "score", "mask": "observation", "keys": ("obs", "mask")
    },
    AutoresetMode.NEXT_STEP: {"num_players": 3, "reward": "margin", "seat": 1},
    AutoresetMode.DISABLED: {"num_players": 4, "reward": "outcome", "mask": "observation"},
}  # fmt: skip


def reset_ended(mode: AutoresetMode, both: Any, ended: np.ndarray, seeds: Any = None) -> None:
    """Resets the games that ended where they wait for it, and compares what comes out."""
    if mode == AutoresetMode.DISABLED and ended.any():
        resets = [one.reset(seed=seeds, options={"reset_mask": ended}) for one in both]
        assert data_equivalence(*resets, exact=True)


@EVERY_GAME
@pytest.mark.usefixtures("_kind")
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_equals_gymnasiums_loop(mode: AutoresetMode, game: Any) -> None:
    options = {"opponents": canny, **OPTIONS[mode], **game.options}
    envs = gymnasium.make_vec(game.id, num_envs=3, autoreset_mode=mode, **options)
    loop = SyncVectorEnv([lambda: game.one(**options)] * 3, autoreset_mode=mode)
    rng, num_ended, num_illegal = np.random.default_rng(0), 0, 0
    assert data_equivalence(envs.reset(seed=5), loop.reset(seed=5), exact=True)
    for turn in range(160):
        if turn >= 70 and num_ended >= 6:
            break
        masks = envs.action_masks()
        assert (masks == np.stack(loop.call("action_masks"))).all()
        actions = random_legal(masks, rng)
        if turn % 25 == 20:  # an illegal one, where the game is not over
            actions[turn % 3] = masks[turn % 3].argmin()
            num_illegal += masks[turn % 3].any()
        given = envs.step(actions)
        assert data_equivalence(given, loop.step(actions), exact=True)
        num_ended += given[2].sum()
        reset_ended(mode, (envs, loop), given[2], [7 + turn] * 3 if turn > 40 else None)
    assert num_ended >= 6
    assert num_illegal >= 2
    assert data_equivalence(envs.reset(), loop.reset(), exact=True)


@pytest.mark.usefixtures("_kind")
@pytest.mark.parametrize("mode", MODES)
def test_games_are_truncated_as_by_gymnasiums_time_limit(mode: AutoresetMode) -> None:
    options: dict[str, Any] = {"num_players": 2, "opponents": canny, "seat": 0}
    envs = gymnasium.make_vec(ID, 3, autoreset_mode=mode, max_episode_steps=18, **options)
    loop = gymnasium.make_vec(
        ID, 3, "sync", {"autoreset_mode": mode}, max_episode_steps=18, **options
    )
    assert np.array_equal(envs.reset(seed=5)[0], loop.reset(seed=5)[0])
    num_terminated, num_truncated = 0, 0
    for turn in range(60):
        masks = np.stack([*loop.call("action_masks")])
        actions = masks.argmax(axis=1)
        if turn % 25 == 10:  # an illegal one, which terminates the game
            actions[0] = masks[0].argmin()
        given, expected = envs.step(actions), loop.step(actions)
        assert data_equivalence(given[:4], expected[:4], exact=True)
        terminated, truncated, infos = given[2:]
        num_terminated += terminated.sum()
        num_truncated += truncated.sum()
        ended = terminated | truncated
        if mode == AutoresetMode.SAME_STEP and ended.any():
            assert data_equivalence(infos["final_obs"], expected[4]["final_obs"])
        elif mode == AutoresetMode.DISABLED and ended.any():
            with pytest.raises(ResetNeededError):
                envs.step(actions)
            reset_observations = [
                one.reset(options={"reset_mask": ended})[0] for one in (envs, loop)
            ]
            assert np.array_equal(*reset_observations)
    assert num_terminated > 0
    assert num_truncated > 0


@EVERY_GAME
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("num_envs", "num_players"), [(5, 3), *nightly((1, 4), (5, 2), (5, 4))])
def test_few_games_in_plain_python_equal_a_batch(
    mode: AutoresetMode, num_envs: int, num_players: int, game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With random opponents too: both draw the same numbers."""
    both = []
    for min_batch in (10**9, 1):
        monkeypatch.setattr(many, "MIN_BATCH", min_batch)
        options = {"opponents": [None, canny], "autoreset_mode": mode, **game.options}
        both.append(game.many(num_envs, num_players, **options))
    few, batch = both
    assert type(few._games) is not type(batch._games)
    rng, num_ended = np.random.default_rng(0), 0
    given = few.reset(seed=3)
    assert data_equivalence(given, batch.reset(seed=3), exact=True)
    for turn in range(60):
        actions = random_legal(few.action_masks(), rng)
        if turn % 20 == 10:
            actions[-1] = 0
        given = few.step(actions)
        assert data_equivalence(given, batch.step(actions), exact=True)
        assert few.engine.state == batch.engine.state
        num_ended += given[2].sum()
        reset_ended(mode, both, given[2])
    assert num_ended >= num_envs


@pytest.mark.usefixtures("_kind")
def test_a_game_that_is_over_waits_for_its_reset() -> None:
    envs = GonzagaVectorEnv(3, 2, autoreset_mode="Disabled")
    envs.reset(seed=0)
    masks = envs.action_masks()
    actions = masks.argmax(axis=1)
    actions[1] = masks[1].argmin()
    _, _, ended, _, _ = envs.step(actions)
    assert ended.tolist() == [False, True, False]
    before = envs.engine.state.copy()
    with pytest.raises(ResetNeededError, match=r"game 1 .* is over"):
        envs.step(envs.action_masks().argmax(axis=1))
    assert envs.engine.state == before
    envs.reset(options={"reset_mask": ended})
    assert envs.engine.state.episode.tolist() == [0, 1, 0]
    envs.step(envs.action_masks().argmax(axis=1))


@pytest.mark.usefixtures("_kind")
def test_the_first_reset_deals_all_games() -> None:
    envs = GonzagaVectorEnv(2, 2, autoreset_mode="SameStep")
    envs.reset(seed=0, options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeededError, match="game 1 has not begun"):
        envs.step(envs.action_masks().argmax(axis=1))


@pytest.mark.usefixtures("_kind")
def test_deals_of_some_games_are_played() -> None:
    envs, source = GonzagaVectorEnv(2, 3), Engine(2, 3, seed=99).state
    envs.reset(seed=0)
    before = envs.engine.state.deck.copy()
    deal = Deal(source.scenario, source.deck, source.objective)
    envs.reset(options={"deal": deal, "reset_mask": np.array([False, True])})
    assert (envs.engine.state.deck[0] == before[0]).all()
    assert (envs.engine.state.deck[1] == source.deck[1]).all()
    envs.reset(options={"deal": deal})
    assert (envs.engine.state.deck == source.deck).all()
    with pytest.raises(OptionError, match="deal"):
        envs.reset(options={"deal": deal.take([1]), "reset_mask": np.array([False, True])})


@pytest.mark.parametrize(
    ("wrap", "mode"),
    [
        (wrappers.NormalizeObservation, "NextStep"),  # it refuses Disabled
        *((wrappers.FlattenObservation, mode) for mode in ("NextStep", "Disabled")),
        (lambda envs: wrappers.DtypeObservation(envs, np.float64), "NextStep"),
        (lambda envs: wrappers.TransformObservation(envs, lambda given: given), "Disabled"),
    ],
    ids=["normalise", "flatten", "flatten, disabled", "dtype", "transform"],
)
def test_gymnasiums_wrappers_of_observations_work(wrap: Any, mode: str) -> None:
    envs = wrap(gymnasium.make_vec(ID, num_envs=3, num_players=2, autoreset_mode=mode))
    observations, infos = envs.reset(seed=0)
    for _ in range(5):
        observations, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert observations.shape == (3, envs.single_observation_space.shape[0])


def test_the_mode_is_an_attribute_and_in_the_metadata() -> None:
    assert GonzagaVectorEnv(1).autoreset_mode is AutoresetMode.NEXT_STEP
    for mode in MODES:
        for given in (mode, mode.value):
            envs = GonzagaVectorEnv(1, autoreset_mode=given)
            assert envs.autoreset_mode is envs.metadata["autoreset_mode"] is mode
    assert GonzagaVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    with pytest.raises(OptionError, match="'never'; it takes 'NextStep', 'SameStep', 'Disabled'"):
        GonzagaVectorEnv(1, autoreset_mode="never")
