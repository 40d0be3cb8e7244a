"""The small edition of Signorie, solved: compared with a plain recursion over single games."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.solve.signorie import (
    asked_strategy,
    best_response,
    check_public,
    exploitability,
    likeliest,
    solve,
    walk,
)
from gonzaga_agents.solve.solution import ask_of
from gonzaga_agents.solve.tree import Ask

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.signorie import Game, GameConfig
from tests.conftest import Answer, complaint_of
from tests.marks import some_nightly
from tests.signorie.test_small import MINI
from tests.signorie.wild import changed, edition_of

#: One die each, little money and few meeples: a tree that a recursion in Python can walk.
POOR = MINI["setup"] | {"florins": 0, "extra_florins": [0, 1, 0, 0], "males": 1, "females": 0}
SIZE = {"rounds": 1, "dice": 1, "dice_of_color": 1}
TINY = GameConfig(2, edition_of(MINI | {"setup": POOR, "size": SIZE}))
Call = Callable[..., Answer]


class HandResponse:
    """The best response by plain recursion on `Game`: no levels, no arrays, no batches."""

    def __init__(self, ask: Ask | None, seat: int) -> None:
        self.ask, self.seat = ask, seat  # without `ask`, both play optimally
        self.known: dict[bytes, float] = {}

    def value(self, game: Game) -> float:
        """Returns by how many points the seat wins."""
        if game.finished:
            return float(game.totals[self.seat] - game.totals[1 - self.seat])
        key = game.observation(0).tobytes()
        if key not in self.known:
            mask = game.mask()
            after = {a: self.after(game, a) for a in np.flatnonzero(mask).tolist()}
            if game.seat == self.seat:
                self.known[key] = max(after.values())
            elif self.ask is None:
                self.known[key] = min(after.values())
            else:
                chances = self.ask(game.observation()[None], mask[None].astype(bool))[0]
                self.known[key] = float(sum(chances[a] * after[a] for a in after))
        return self.known[key]

    def after(self, game: Game, action: int) -> float:
        """Returns the mean over what offspring dice show (S8.3)."""
        played = game.copy()
        played.play(action)
        events = played.position.drawn
        rolls = [["male", "female"] if name == "offspring" else [""] for name, _ in events]
        values = []
        for sexes in product(*rolls):
            drawn: list[Any] = [
                [name, [{"male": 6, "female": 1}[sex]] * len(told) if sex else told]
                for (name, told), sex in zip(events, sexes, strict=True)
            ]
            assert all(len(told) == 1 for name, told in events if name == "offspring")
            played = game.copy()
            played.play(action, drawn)
            values.append(self.value(played))
        return float(np.mean(values))


@pytest.mark.parametrize("seed", some_nightly(range(20), often=lambda seed: seed in (0, 3)))
def test_a_plain_recursion_finds_the_same_values(seed: int) -> None:
    names = ("random", "greedy")
    asks = {name: ask_of(make_agent(name, TINY)) for name in names}
    positions, game = walk(TINY, seed, asks), Game.from_config(TINY, seed)
    value, strategy = solve(positions)
    assert value == pytest.approx(HandResponse(None, positions.first).value(game))
    assert exploitability(positions, strategy) == pytest.approx(0)
    for name, seat in product(names, range(2)):
        found = best_response(positions, asked_strategy(positions, name), seat)
        assert found == pytest.approx(HandResponse(asks[name], seat).value(game))


def test_who_plays_at_random_loses() -> None:
    positions = walk(TINY, 3, {"random": ask_of(make_agent("random", TINY))})
    played = asked_strategy(positions, "random")
    assert exploitability(positions, played) > 1
    for level, one in zip(positions.levels, likeliest(positions, played), strict=True):
        assert one.sum() == (level.num > 0).sum()
    assert 0 < positions.num_decisions < positions.num


def test_chance_is_both_sexes() -> None:
    """Somewhere an offspring die leads to two positions."""
    levels = walk(TINY, 1).levels
    assert any((level.after[:, 0] != level.after[:, 1]).any() for level in levels)


def test_other_games_are_refused() -> None:
    with pytest.raises(OptionError, match="edition reconstruction has 7 rounds; 1 can be solved"):
        check_public(GameConfig(2))
    with pytest.raises(OptionError, match="num_players is 3; 2 players"):
        check_public(GameConfig(3, edition="mini"))
    twice = changed(money="offspring, tile 1") | {"size": SIZE}
    with pytest.raises(OptionError, match="decisions that ask chance more than once"):
        walk(GameConfig(2, edition_of(twice)), 0)


def test_the_command_measures(gonzaga: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonzaga_agents.commands.solve.SignorieConfig", lambda *_, **__: TINY)
    words = ("mini", "--game", "signorie", "--deals", "2", "--measure", "random")
    code, out, err = gonzaga("solve", *words)
    assert code == 0, err
    assert "each of 2 deals exactly" in out
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()[4:]}
    assert float(rows["equilibrium"][0]) == 0 < float(rows["random"][0])


@pytest.mark.parametrize(
    "words",
    ["mini --game signorie --secrecy", "mini-a2 --deals 3", "mini --game signorie --deals 0"],
)
def test_options_of_the_other_game_are_refused(words: str, gonzaga: Call) -> None:
    complaint_of(gonzaga("solve", *words.split()))
