"""The struct of arrays, the deal and the events of chance (T2, T12.3)."""

import numpy as np
import pytest

from gonzaga_env.kernel.chance import event_word, event_words, random_keys, stream_starts
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.tuscany import Engine, Game
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.config import GameConfig, Options
from gonzaga_env.tuscany.state import Deal, check_deal, draw_deals

SEEDS = np.arange(50, dtype=np.uint64)
EPISODES = np.arange(50, dtype=np.uint32) % 3


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
    """Each is wrong for the second of two games only."""
    config = GameConfig(2)
    deal = draw_deals(config, SEEDS[:2], EPISODES[:2])
    for name, wrong, message in (
        ("start", 2, "no such seat"),
        ("boards", [0, 64], "no such seat or board"),
        ("boards", [0, 1], "the same board"),
        ("hands", [[5, 0, 0, 0, 0, 0, 0, 1]] * 2, "5 cards"),
        ("hands", [[6, 0, 0, 0, 0, 0, 0, -1]] * 2, "no negative number"),
    ):
        bad = Deal(**{**vars(deal), name: getattr(deal, name).astype(int)})
        getattr(bad, name)[1] = wrong
        with pytest.raises(OptionError, match=message):
            check_deal(config, bad, 2)
    for name, array, message in (
        ("hands", np.array([[5, 0]]), "the shape"),
        ("start", [0], "an array"),
        ("start", np.zeros(2), "an array"),
    ):
        with pytest.raises(OptionError, match=message):
            check_deal(config, Deal(**{**vars(deal), name: array}), 2)
    with pytest.raises(OptionError, match="takes a"):
        check_deal(config, None, 1)


def test_a_deal_has_no_more_cards_of_a_colour_than_there_are() -> None:
    config = GameConfig(4)
    deal = draw_deals(config, SEEDS[:2], EPISODES[:2])
    rarest = np.argmin(config.edition.region_cards)
    deal.hands[1] = np.eye(c.NUM_COLOURS, dtype=np.uint8)[rarest] * c.HAND_SIZE
    with pytest.raises(OptionError, match="more cards of a colour"):
        check_deal(config, deal, 2)


def test_events_are_the_words_of_one_stream() -> None:
    words = random_keys(SEEDS, EPISODES, 140)
    starts = stream_starts(SEEDS, EPISODES)
    events = np.arange(50) + 90
    assert np.array_equal(event_words(starts, events), words[np.arange(50), events])
    assert event_word(int(starts[3]), 139) == words[3, 139]


def test_presets_are_options_under_one_name() -> None:
    assert Options.of("rulebook") == Options.of("") == Options()
    assert Options.of("online") == Options(
        round_end="lap", final_turns="lap_then_one", colour_bonus="ranked", bonus_gains="tiles"
    )
    later = Options.of("draw_base=3 online round_end=turn hexagon_same_turn=true")
    online = Options.of("online").as_dict()
    changed = {"draw_base": 3, "round_end": "turn", "hexagon_same_turn": True}
    assert later.as_dict() == online | changed
    for door in (Game, Engine, GameConfig):
        assert door(num_players=2, rules="online").rules == Options.of("online")
    with pytest.raises(OptionError, match="it takes NAME=VALUE, or 'rulebook' or 'online'"):
        Options.of("printed")
    with pytest.raises(OptionError, match="it takes 'rulebook' or 'online', an instance, such as"):
        Options.of(["online"])
