"""The league: how often each opponent is drawn, and which past selves are kept."""

import numpy as np
import pytest
from gonzaga_agents.training.league import LEARNER, PAST, League, Member

from gonzaga_env.core import GameConfig
from tests.agents.networks import network_agent
from tests.agents.own import Last

CONFIG = GameConfig(3)


def league(num_fixed: int = 2, self_play: float = 0.0, most_past: int = 3) -> League:
    agents = [Last() for _ in range(num_fixed)]
    return League(agents, num_players=3, self_play=self_play, most_past=most_past)


def with_past(found: League, count: int) -> League:
    """Adds past selves, born after 100, 200, ... turns."""
    learner = network_agent(CONFIG, width=8)
    for number in range(1, count + 1):
        found.remember(learner, 100 * number)
    return found


def shares_of_seats(found: League, num_games: int = 20_000) -> dict[int, float]:
    """Returns how often each member is drawn on a seat that is not the learner's."""
    lineups = found.draw(num_games, np.random.default_rng(0))
    seats = lineups[lineups != LEARNER]
    return {member: float((seats == member).mean()) for member in np.unique(seats).tolist()}


def test_one_learner_plays_among_opponents_on_any_seat() -> None:
    lineups = league().draw(6000, np.random.default_rng(0))
    assert lineups.shape == (6000, 3)
    assert ((lineups == LEARNER).sum(axis=1) == 1).all()
    np.testing.assert_allclose((lineups == LEARNER).mean(axis=0), 1 / 3, atol=0.03)


@pytest.mark.parametrize("self_play", [0.0, 0.3, 1.0])
def test_the_share_of_self_play(self_play: float) -> None:
    lineups = league(self_play=self_play).draw(6000, np.random.default_rng(0))
    alone = (lineups == LEARNER).all(axis=1)
    assert alone.mean() == pytest.approx(self_play, abs=0.03)
    assert ((lineups[~alone] == LEARNER).sum(axis=1) == 1).all()


def test_without_opponents_the_learner_has_all_seats() -> None:
    assert (league(num_fixed=0).draw(50, np.random.default_rng(0)) == LEARNER).all()


def test_past_selves_share_the_part_of_one_opponent() -> None:
    found = shares_of_seats(with_past(league(), 3))
    assert found == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 9, 3: 1 / 9, 4: 1 / 9}, abs=0.012)
    only_past = shares_of_seats(with_past(league(num_fixed=0), 2))
    assert only_past == pytest.approx({0: 1 / 2, 1: 1 / 2}, abs=0.012)
    assert shares_of_seats(league()) == pytest.approx({0: 1 / 2, 1: 1 / 2}, abs=0.012)


def test_hard_past_selves_are_drawn_more_often() -> None:
    found = with_past(league(num_fixed=0), 2)
    for _ in range(90):
        found.members[0].shares.append(0.9)
        found.members[1].shares.append(0.1)
    # 90 games, and ten of the prior share of a third.
    easy, hard = (90 * 0.9 + 10 / 3) / 100, (90 * 0.1 + 10 / 3) / 100
    odds = (1 - easy) ** 2, (1 - hard) ** 2
    assert shares_of_seats(found)[0] == pytest.approx(odds[0] / sum(odds), abs=0.012)


def test_the_easiest_past_self_makes_room() -> None:
    found = with_past(league(num_fixed=1), 3)
    for member, share in zip(found.members[1:], (0.4, 0.8, 0.2), strict=True):
        for _ in range(50):
            member.shares.append(share)
    with_past(found, 1)
    assert [member.born for member in found.members[1:]] == [100, 100, 300]
    assert [member.name for member in found.members] == ["Last", PAST, PAST, PAST]


def test_no_past_is_kept_where_none_is_wanted() -> None:
    assert len(with_past(league(most_past=0), 2).members) == 2


def test_a_win_share_starts_at_the_prior_and_forgets_old_games() -> None:
    member = Member(Last(), "last")
    assert member.win_share(0.25) == pytest.approx(0.25)
    for share, count in ((1.0, 1000), (0.0, 400)):
        for _ in range(count):
            member.shares.append(share)
    assert member.win_share(0.25) == pytest.approx(2.5 / 410)


def test_the_opponents_of_a_game_are_one_kind() -> None:
    lineups = league(num_fixed=3).draw(200, np.random.default_rng(0))
    for lineup in lineups:
        assert (lineup == LEARNER).sum() == 1
        assert len({*lineup.tolist()}) == 2
    assert {*lineups.ravel().tolist()} == {LEARNER, 0, 1, 2}
