"""The curve of strength: its file, its picture, and the matches behind it."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.agent import RandomAgent
from gonzaga_agents.executors import open_executor
from gonzaga_agents.heuristics.gonzaga import GreedyAgent
from gonzaga_agents.training.curve import (
    FILE,
    PICTURE,
    Curve,
    Point,
    interval,
    play_opponents,
    smoothed,
)

from gonzaga_env.core import GameConfig
from gonzaga_env.intervals import share_interval
from gonzaga_env.kernel.errors import OptionError
from tests.agents.networks import network_agent

PNG = b"\x89PNG"
POINTS = [
    Point(0, 0.0, {"greedy": (0.1, 0.05, 0.2)}),
    Point(1000, 2.5, {"greedy": (0.3, 0.2, 0.4)}),
    Point(2000, 5.0, {"greedy": (0.5, 0.4, 0.6)}),
]


def filled(folder: Path) -> Curve:
    curve = Curve(folder, 3, done=0)
    for point in POINTS:
        curve.add(point)
    return curve


def test_points_are_written_and_drawn(tmp_path: Path) -> None:
    filled(tmp_path)
    written = json.loads((tmp_path / FILE).read_text())
    assert written[1] == {"turns": 1000, "seconds": 2.5, "against": {"greedy": [0.3, 0.2, 0.4]}}
    assert [point["turns"] for point in written] == [0, 1000, 2000]
    assert (tmp_path / PICTURE).read_bytes().startswith(PNG)
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE, PICTURE]


@pytest.mark.parametrize(("done", "kept"), [(1000, [0, 1000]), (2000, [0, 1000, 2000]), (0, [])])
def test_a_resumed_run_drops_later_points(tmp_path: Path, done: int, kept: list[int]) -> None:
    filled(tmp_path)
    curve = Curve(tmp_path, 3, done)
    assert [point.turns for point in curve.points] == kept
    curve.add(Point(3000, 7.0, {"greedy": (0.6, 0.5, 0.7)}))
    written = json.loads((tmp_path / FILE).read_text())
    assert [point["turns"] for point in written] == [*kept, 3000]


def test_opponents_may_change_when_a_run_is_resumed(tmp_path: Path) -> None:
    filled(tmp_path)
    curve = Curve(tmp_path, 3, 2000)
    curve.add(Point(3000, 7.0, {r"$\frac{$": (0.1, 0.0, 0.2), "greedy": (0.6, 0.5, 0.7)}))
    assert {*json.loads((tmp_path / FILE).read_text())[-1]["against"]} == {r"$\frac{$", "greedy"}
    assert (tmp_path / PICTURE).read_bytes().startswith(PNG)


BROKEN = (b"", b"[1]", b"{", b'[{"turns": 1}]', b"\xff\xfe", b"[" * 100_000, b"7" * 5000)
AGAINST = (
    b"3",
    b"[1]",
    b'{"greedy": 1}',
    b'{"greedy": [0, 1]}',
    b'{"greedy": [0, 1, NaN]}',
    b'{"a": [0, 1, "x"]}',
)
BROKEN += tuple(b'[{"turns": 1, "seconds": 2, "against": %s}]' % against for against in AGAINST)


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_curve_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(OptionError, match="is not a curve file; move it away"):
        Curve(tmp_path, 3, done=1000)
    assert (tmp_path / FILE).read_bytes() == content


def test_without_matplotlib_there_is_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    filled(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_points_of_few_games_are_smoothed() -> None:
    """At ten games a point the line moves little and its interval holds the truth."""
    rng, truth = np.random.default_rng(0), 0.6
    few = [interval(share_interval(rng.binomial(3, truth, size=3) / 3)) for _ in range(60)]
    mean, low, high = smoothed(few)
    assert np.abs(mean - truth).max() < 0.15 < np.abs(np.array(few)[:, 0] - truth).max()
    assert np.abs(np.diff(mean)).max() < 0.05
    assert ((low <= truth) & (truth <= high)).mean() > 0.9
    assert (high - low).max() < 0.5


def test_strength_plays_the_same_deals_against_each() -> None:
    config = GameConfig(3)
    agents = [RandomAgent(config), GreedyAgent(config)]
    one, other = (play_opponents(config, GreedyAgent(config), agents, 3) for _ in range(2))
    for (own, theirs), (own_again, _) in zip(one, other, strict=True):
        assert own.win_share == own_again.win_share
        assert own.score.mean == own_again.score.mean
        assert np.isfinite(theirs.score.mean)
    assert one[0][0].win_share.mean > one[1][0].win_share.mean


@pytest.mark.nightly
def test_workers_play_the_same_matches() -> None:
    config = GameConfig(2)
    learner = network_agent(config)
    opponents = [RandomAgent(config), GreedyAgent(config)]
    with open_executor(workers=2) as two:
        assert play_opponents(config, learner, opponents, 3, two) == play_opponents(
            config, learner, opponents, 3
        )
