"""The struct of arrays, the deal and the events of chance (T2, T12.3)."""

import numpy as np
import pytest

from gonzaga_env.tabletop.chance import event_word, event_words, random_keys, stream_starts
from gonzaga_env.tabletop.errors import OptionError, StateError
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.state.deals import check_deal, draw_deals
from gonzaga_env.tuscany.state.state import State, empty_state, state_layout

SEEDS = np.arange(50, dtype=np.uint64)
EPISODES = np.arange(50, dtype=np.uint32) % 3


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_every_field_has_its_dtype_and_shape(num_players: int) -> None:
    config = GameConfig(num_players)
    state = empty_state(config, 5)
    assert list(state.arrays()) == list(state_layout(config))
    for name, field in state_layout(config).items():
        array = getattr(state, name)
        assert array.dtype == field.dtype
        assert array.shape == (5, *field.shape)
    assert state.num_players == num_players
    assert state.take(np.array([3])).num_games == 1
    assert State.concatenate([state, state.copy()]) == state.take(np.arange(10) % 5)


def test_rows_that_do_not_fit_change_nothing() -> None:
    state = empty_state(GameConfig(2), 3)
    with pytest.raises(StateError, match="one is needed"):
        state.put(slice(1), empty_state(GameConfig(2, rules=Options(draw_base=3)), 1))
    with pytest.raises(StateError, match="rows are"):
        state.take(np.array([3]))
    assert state == empty_state(GameConfig(2), 3)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_deals_depend_on_their_own_seed(num_players: int) -> None:
    config = GameConfig(num_players)
    deal = draw_deals(config, SEEDS, EPISODES)
    check_deal(config, deal, 50)
    alone = draw_deals(config, SEEDS[7:8], EPISODES[7:8])
    for name in ("start", "boards", "hands"):
        assert np.array_equal(getattr(deal, name)[7:8], getattr(alone, name))
    assert set(deal.start.tolist()) == set(range(num_players))
    assert len(np.unique(deal.boards)) > 20


def test_deals_that_break_a_rule_are_refused() -> None:
    config = GameConfig(2)
    deal = draw_deals(config, SEEDS[:1], EPISODES[:1])
    for name, wrong, message in (
        ("start", np.array([2]), "no such seat"),
        ("boards", np.array([[0, 1]]), "the same board"),
        ("hands", np.array([[[5, 0, 0, 0, 0, 0, 0, 1]] * 2]), "5 cards"),
        ("hands", np.array([[5, 0]]), "the shape"),
        ("start", [0], "an array"),
    ):
        bad = type(deal)(**{**vars(deal), name: wrong})
        with pytest.raises(OptionError, match=message):
            check_deal(config, bad, 1)
    with pytest.raises(OptionError, match="takes a"):
        check_deal(config, None, 1)


def test_events_are_the_words_of_one_stream() -> None:
    words = random_keys(SEEDS, EPISODES, 140)
    starts = stream_starts(SEEDS, EPISODES)
    events = np.arange(50) + 90
    assert np.array_equal(event_words(starts, events), words[np.arange(50), events])
    assert event_word(int(starts[3]), 139) == words[3, 139]


@pytest.mark.parametrize(
    "option",
    [
        *({"draw_base": 4}, {"draw_base": True}, {"round_end": "never"}, {"max_laps": 0}),
        *({"hexagon_same_turn": 1}, {"max_laps": 1.0}, {"colour_bonus": []}, {"speed": 1}, 3),
    ],
)
def test_wrong_options_are_refused(option: object) -> None:
    with pytest.raises(OptionError, match=r"take|there are"):
        Options.of(option)


def test_options_are_read_back() -> None:
    options = Options(draw_base=3, round_end="turn", max_laps=40)
    assert Options.of(options.as_dict()) == options


@pytest.mark.parametrize("num_players", [1, 5, True, "2"])
def test_wrong_numbers_of_players_are_refused(num_players: int) -> None:
    with pytest.raises(OptionError, match=r"2 to 4 \(T1.1\)"):
        GameConfig(num_players)


def test_states_are_bytes_and_back() -> None:
    state = empty_state(GameConfig(3, rules=Options(draw_base=3)), 4)
    data = state.to_bytes()
    again = State.from_bytes(data)
    assert again == state
    assert again.origin == state.origin
    for broken in (b"", data[:-1], data + b"x", data.replace(b"tuscany", b"gonzaga", 1)):
        with pytest.raises(StateError, match="not a state"):
            State.from_bytes(broken)
