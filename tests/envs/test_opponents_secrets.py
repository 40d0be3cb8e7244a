"""Opponents cannot compute the deals from what they are given."""

import gymnasium
import numpy as np
import pytest

import gonzaga_env  # noqa: F401  registers the environments
from tests.secrets_of import Spy, derived, numbers_within

SEED = 123_456_789_123


def play(spies: list[Spy]) -> None:
    env = gymnasium.make("gonzaga/Gonzaga-v0", num_players=3, opponents=spies)
    _, infos = env.reset(seed=SEED)
    for _ in range(72):
        _, _, over, _, infos = env.step(int(infos["action_mask"].argmax()))
        if over:
            _, infos = env.reset()


def play_many(spies: list[Spy]) -> None:
    envs = gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=4, num_players=3, opponents=spies)
    _, infos = envs.reset(seed=SEED)
    for _ in range(12):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))


@pytest.mark.parametrize("play", [play, play_many])
def test_an_opponent_s_generator_does_not_show_the_seed(play) -> None:
    spies = [Spy(), Spy()]
    play(spies)
    own = {id(rng) for rng in spies[0].rngs}
    assert len(own) == 1
    assert own.isdisjoint({id(rng) for rng in spies[1].rngs})
    numbers = [numbers_within(spy.rngs[0]) for spy in spies]
    entropy = [spy.rngs[0].bit_generator.seed_seq.entropy for spy in spies]
    secrets = {SEED + i for i in range(4)}
    for seed in [*secrets]:
        secrets |= numbers_within(np.random.default_rng(seed))
    secrets = {number for number in secrets if number > 2**32}  # small ones meet by chance
    for i in range(2):
        assert entropy[i] in numbers[i]  # the walk finds what numpy shows
        assert not (numbers[i] | derived(numbers[i])) & secrets
        assert entropy[1 - i] not in numbers[i] | derived(numbers[i])


@pytest.mark.parametrize("play", [play, play_many])
def test_the_arrays_are_no_windows_into_larger_ones(play) -> None:
    spy = Spy()
    play([spy])
    for array in spy.arrays:
        whole = array
        while whole is not None:
            assert np.asarray(whole).nbytes <= array.nbytes
            whole = getattr(whole, "base", None)


def test_the_walk_finds_a_seed_that_is_shown() -> None:
    """The way that opponents were given generators before."""
    rng = np.random.default_rng(SEED)
    assert SEED in numbers_within(rng)
    assert SEED in numbers_within(rng.spawn(1)[0])
    assert SEED in numbers_within(np.random.SeedSequence(SEED).spawn(2)[1])
