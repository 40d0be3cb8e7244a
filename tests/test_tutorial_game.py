"""The fourth game of the tutorial: short, right, and at home in everything above the games."""

import re
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gonzaga_agents import evaluate
from numpy.typing import NDArray
from pettingzoo.test import api_test, parallel_api_test

from examples.your_game.liars_dice import SPEC, Deal, Game, GameConfig
from examples.your_game.liars_dice_table import GAME
from gonzaga_env import games
from gonzaga_env.envs.learner import LearnerEnv
from gonzaga_env.envs.learner_vector import LearnerVectorEnv
from gonzaga_env.envs.pettingzoo import AECGame, ParallelGame, wrap
from gonzaga_env.kernel.conformance import CHECKS, Check
from gonzaga_env.kernel.records import read_entries
from tests.marks import nightly

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples" / "your_game"
PAGE = ROOT / "docs" / "tutorials" / "game.md"
CONFIGS = [
    GameConfig(2),
    GameConfig(3, rules={"ones_wild": False}),
    *nightly(GameConfig(6)),
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.num_players} players")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_game_conforms(check: Check, config: GameConfig) -> None:
    check(SPEC, config, config.num_players)


def play(game: Game, *texts: str) -> None:
    for text in texts:
        game.play(game.actions.parse(text))


def dealt(*dice: str, ones_wild: bool = True) -> Game:
    game = Game(len(dice), rules={"ones_wild": ones_wild})
    game.reset(0, Deal(np.array([[list(map(int, own)) for own in dice]])))
    return game


@pytest.mark.parametrize(
    ("bid", "ones_wild", "loser"),
    [
        ("4 x 6", True, 1),  # three sixes and a one
        ("5 x 6", True, 0),
        ("4 x 6", False, 0),
        ("3 x 6", False, 1),
        ("1 x 1", True, 1),  # ones count once as ones
        ("2 x 1", True, 0),
    ],
)
def test_who_was_wrong_loses_a_die_and_starts(bid: str, ones_wild: bool, loser: int) -> None:
    game = dealt("66345", "16342", ones_wild=ones_wild)
    play(game, bid, "liar")
    assert game.scores == [[5 - (seat == loser)] for seat in range(2)]
    assert (game.seat, game.round) == (loser, 2)
    assert not game.position.bid[loser]


def test_the_liar_is_who_bid_last_not_who_bid_most_before() -> None:
    game = dealt("22222", "33333", "44444")
    play(game, "5 x 2", "5 x 3", "6 x 4", "liar")
    assert game.totals == [5, 5, 4]
    assert game.seat == 2


def test_bids_rise_up_to_the_dice_left() -> None:
    game = dealt("66345", "16342")
    texts = [game.actions.to_text(action) for action in np.flatnonzero(game.mask())]
    assert texts[0] == "1 x 1"
    assert texts[-1] == "10 x 6"
    play(game, "9 x 6")
    texts = [game.actions.to_text(action) for action in np.flatnonzero(game.mask())]
    assert texts == [*(f"10 x {face}" for face in range(1, 7)), "liar"]
    play(game, "liar")
    assert game.actions.to_text(int(np.flatnonzero(game.mask())[-1])) == "9 x 6"


def test_who_is_out_is_passed_over_and_the_last_one_wins() -> None:
    game, seen = Game(3, seed=1), set()
    while not game.finished:
        assert game.totals[game.seat] > 0
        seen.add(sum(total > 0 for total in game.totals))
        play(game, "liar" if any(game.position.bid) else "1 x 1")
    assert seen == {2, 3}
    assert [total > 0 for total in game.totals] == game.winners()
    assert sum(game.winners()) == 1
    assert not game.mask().any()


def test_others_dice_are_hidden_and_drawn_alike() -> None:
    game = dealt("11111", "66666")
    play(game, "1 x 6")
    drawn = game.resample(1, np.random.default_rng(0), 2000).dice
    assert (drawn[:, 1] == 6).all()
    assert np.abs(np.bincount(drawn[:, 0].ravel(), minlength=7)[1:] / 10_000 - 1 / 6).max() < 0.02
    assert game.view(1).shown["dice"] == [None, [6] * 5]
    assert game.view("public").shown["dice"] == [None, None]


@pytest.mark.filterwarnings(  # PettingZoo warns of every Dict observation
    "ignore:Observation space for each agent:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
def test_pettingzoo_plays_it() -> None:
    api_test(wrap(AECGame(SPEC, GameConfig(3))), num_cycles=200)
    parallel_api_test(ParallelGame(SPEC, GameConfig(3)), num_cycles=200)
    assert repr(AECGame(SPEC, GameConfig(3))).startswith(f"<{SPEC.name}, 3 players")


def test_a_class_of_its_own_names_its_environment() -> None:
    class Dice(AECGame):
        """One game of it."""

        metadata = AECGame.metadata | {"name": "dice_v0"}

        def __init__(self, num_players: int = 2) -> None:
            super().__init__(SPEC, GameConfig(num_players), reward="score")

    assert repr(Dice(3)).startswith("<dice_v0, 3 players")
    assert Dice().metadata["sources"] == SPEC.sources


@pytest.mark.parametrize("num_envs", [2, 64])
def test_gymnasium_plays_it(num_envs: int) -> None:
    one = LearnerEnv(SPEC, GameConfig(2), seat=0)
    many = LearnerVectorEnv(
        SPEC, GameConfig(2), num_envs, opponents="random", seat=0, autoreset_mode="SameStep"
    )
    assert isinstance(one, gymnasium.Env)
    seen, _ = one.reset(seed=3)
    both, infos = many.reset(seed=3)
    rng, ended = np.random.default_rng(0), 0
    assert np.array_equal(seen, both[0])
    for _ in range(30):
        actions = [rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]
        _, rewards, terminated, _, infos = many.step(np.array(actions))
        ended += terminated.sum()
        assert set(rewards[terminated]) <= {-1.0, 1.0}
    assert ended


def test_agents_are_measured_and_records_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "_ADDED", {})
    games.add_game(GAME)
    records = tmp_path / "games.jsonl"
    summary = evaluate([Caller(), "random"], 2, 10, 0, game="liars_dice", records=records)
    assert summary.agents[0].win_share.mean > 0.8
    faults = [fault for _, fault in SPEC.records.verify(read_entries(records))]
    assert faults == [None] * 20


class Caller:
    """Bids as low as it can, and calls every bid of others that is more than half the dice."""

    name = "caller"

    def act(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        num_dice = GameConfig(2).features.view(observations, "dice").sum(axis=1)
        lowest = masks.argmax(axis=1)
        return np.where((lowest // 6 + 1 > num_dice / 2) & masks[:, -1], masks.shape[1] - 1, lowest)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_the_tutorial_shows_the_files(path: Path) -> None:
    start = f"<!-- of {path.name} -->\n+```python\n"
    blocks = re.findall(rf"{start}(.*?)```", PAGE.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        assert block in path.read_text(), block
