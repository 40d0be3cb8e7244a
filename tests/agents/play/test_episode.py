"""A game that a model plays by text: messages to seats, and rewards."""

import numpy as np
import pytest
from gonzaga_agents.play.episode import WEIGHTS, Episode, total

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import OptionError

EDITIONS = {"gonzaga": "mini-b3"}  # of a game that else takes long


def episode(game: str, *players: str | None, **options) -> Episode:
    return Episode(game, players, edition=EDITIONS.get(game), **options)


def legal(told: str) -> list[str]:
    return told.partition("Legal actions:\n")[2].splitlines()


@pytest.mark.parametrize("game", game_names())
def test_all_seats_play_a_game_and_are_told_only_what_they_may_know(game: str) -> None:
    played, rng = episode(game, None, None, seed=4), np.random.default_rng(4)
    asked, refused = [], [0, 0]
    while not played.over:
        seat, told = played.seat, played.message(played.seat)
        asked.append(seat)
        if len(asked) % 7 == 1:  # it takes time
            other, known = played.message(1 - seat), played._game
            played._game = known.resampled(seat, rng)  # another game to those who see all
            assert played.message(seat) == told
            assert played.act("fly to the moon") is not None
            assert played.message(seat).startswith("That is refused: ")
            assert played.message(seat).endswith(told)
            played._game = known
            assert played.message(1 - seat) == other  # nobody hears of it
            refused[seat] += 1
        assert played.act(f"Action: [{rng.choice(legal(told))}].") is None
    assert {*asked} == {0, 1}
    assert sum(played.results()) == 0
    for seat in (0, 1):
        number = asked.count(seat)
        legality = number / (number + refused[seat])
        assert played.rewards(seat) == {"result": played.results()[seat], "legality": legality}
    assert "The game is over." in played.message(0)
    with pytest.raises(OptionError, match="nobody is to act"):
        played.act("anything")


def test_the_same_seed_brings_the_same_game() -> None:
    told = []
    for seed in (1, 1, 2):
        played = episode("tuscany", "random", None, seed=seed)
        for _ in range(3):
            told.append(played.message(1))
            played.act(legal(told[-1])[0])
    assert told[:3] == told[3:6] != told[6:]


@pytest.mark.parametrize(("players", "others"), [(2, 1), (4, 1 / 3)])
def test_who_names_no_legal_action_gives_up(players: int, others: float) -> None:
    played = episode("signorie", None, *["random"] * (players - 1), choices=False, tries=2)
    assert "Legal actions" not in played.message(0)
    assert played.results() == [-1, *[others] * (players - 1)]  # whoever leaves now
    for over in (False, True):
        assert not played.over
        assert played.act("fly") is not None
        assert played.over is over
    assert played.rewards(0) == {"result": -1, "legality": 0}
    assert total(played.rewards(0)) == -WEIGHTS["result"]


def test_a_judge_says_what_a_decision_lost() -> None:
    rewards = []
    for choice in (0, -1):
        played = episode("gonzaga", None, "random", seed=2, judge="search@8")
        while not played.over:
            played.act(legal(played.message(0))[choice])
        rewards.append(played.rewards(0))
        assert played.rewards(0) == rewards[-1]
        assert -0.05 < rewards[-1]["regret"] < 1
    assert rewards[0]["regret"] != rewards[1]["regret"]
    parts = rewards[0]
    assert total(parts) == parts["result"] + 0.1 * parts["legality"] - parts["regret"]


@pytest.mark.parametrize("game", game_names())
def test_a_game_that_is_over_has_a_record(game: str) -> None:
    played, moves = episode(game, "random", None, seed=3, tries=None), []
    with pytest.raises(OptionError, match="not over"):
        played.record()
    while not played.over:
        moves.append(played.move)
        played.act("fly")
        assert played.act(legal(played.position(1))[0]) is None
    assert moves == sorted({*moves})
    record = played.record()
    assert record["agents"] == ["random", "player 1"]
    assert len(record["moves"]) == played.move - 1
    assert game_spec(game).records.replay(record).finished


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        ([None], {}, "takes 2 to 4 players"),
        (["random", "random"], {}, "one by text"),
        ([None, "random"], {"tries": 0}, "tries above 0"),
        ([None, "random"], {"judge": "random"}, "it takes a search"),
    ],
)
def test_wrong_arguments_are_named(players, options, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        episode("tuscany", *players, **options)
